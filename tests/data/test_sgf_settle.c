/* Dead stones of finished games are found by random games, and count only if the result agrees. */
#include "data/rows/row.h"
#include "data/sgf/sgf_settle.h"
#include "test.h"

/* A board of 7x7. Black lives on the left and White on the right; in each area there is a dead
 * stone of the other color:
 *
 *   7  . X . X O . O
 *   6  X X X X O O O
 *   5  . . . X O . .
 *   4  . O . X O . X
 *   3  . . . X O . .
 *   2  X X X X O O O
 *   1  . X . X O . O
 *      A B C D E F G
 *
 * Without the stones B4 and G4, Black has 28 points and White 21. If the board is scored as it
 * stands, B4 makes the points around it neutral. G4 does not, because it is in a pass-alive area of
 * White. */
#define STONES                                                                                     \
    "AB[ba][da][ab][bb][cb][db][dc][dd][de][af][bf][cf][df][bg][dg][gd]"                           \
    "AW[ea][ga][eb][fb][gb][ec][ed][ee][ef][ff][gf][eg][gg][bd]"
#define GAME(head) "(;SZ[7]RU[Chinese]KM[0.5]" head STONES "PL[B];B[];W[])"

static SgfRecord record_of(const char *text, SgfRecordOptions options) {
    SgfGame game;
    SgfRecord record;
    EXPECT_OK(sgf_game_parse(text, strlen(text), NULL, &game, err));
    EXPECT_OK(sgf_record_make(&game, &options, &record, err));
    sgf_game_clear(&game);
    return record;
}

static bool settle(SgfRecord *record) {
    Rng rng = rng_seeded(1);
    return sgf_settle_by_playouts(record, 100, &rng);
}

TEST(dead_stones_are_found) {
    SgfRecord record = record_of(GAME("RE[B+6.5]"), (SgfRecordOptions){0});
    EXPECT_TRUE(record.record.owner_unknown); /* as it stands, the board scores differently */
    EXPECT_TRUE(settle(&record));
    EXPECT_FALSE(record.record.owner_unknown);
    EXPECT_INT(2, record.dead.count);
    EXPECT_INT(point_at(1, 3), record.dead.points[0]);
    EXPECT_INT(point_at(6, 3), record.dead.points[1]);
    for (int i = 0; i < 49; i++)
        EXPECT_INT(i % 7 < 4 ? COLOR_BLACK : COLOR_WHITE,
                   record.record.owner[move_at_index(i, 7, 7)]);
    Rows rows;
    Rng rng = rng_seeded(1);
    EXPECT_OK(rows_init(&rows, 7, err));
    EXPECT_OK(rows_from_game(&record.record, &rng, &rows, err));
    EXPECT_INT(2, rows.count);
    EXPECT_NEAR(1, rows.targets[TARGET_WEIGHT_BOARD], 0);
    EXPECT_NEAR(6.5, rows.targets[TARGET_SCORE], 0);
    EXPECT_INT(1, rows.values[3 * 7 + 1]);  /* the dead white stone's point is Black's */
    EXPECT_INT(-1, rows.values[3 * 7 + 6]); /* and G4 is White's */
    rows_clear(&rows);
    sgf_record_clear(&record);
}

/* An evaluator whose Black captures B4 and then passes, and whose White passes. */
static Status evaluate_captures(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                                Evaluation *out, Error *err) {
    const Point MOVES[] = {point_at(0, 3), point_at(1, 2), point_at(2, 3), point_at(1, 4)};
    (void)err;
    evaluator->evaluations += count;
    for (int i = 0; i < count; i++) {
        const Position *position = requests[i].position;
        int best = 49; /* the pass */
        for (int k = 0; k < 4 && position->mover == COLOR_BLACK && best == 49; k++) {
            if (position->board.color[point_at(1, 3)] == COLOR_WHITE &&
                position->board.color[MOVES[k]] == COLOR_EMPTY)
                best = move_index(MOVES[k], 7, 7);
        }
        memset(&out[i], 0, sizeof out[i]);
        out[i].policy[best] = 1;
    }
    return OK;
}

static Status evaluate_nothing(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                               Evaluation *out, Error *err) {
    (void)evaluator, (void)requests, (void)count, (void)out, (void)err;
    return ERR_UNSUPPORTED;
}

TEST(a_net_plays_on_to_find_dead_stones) {
    static const EvaluatorClass CAPTURES = {"captures", evaluate_captures, NULL},
                                NOTHING = {"nothing", evaluate_nothing, NULL};
    Evaluator captures = {.class = &CAPTURES, .batch = 1},
              nothing = {.class = &NOTHING, .batch = 1};
    SgfRecord record = record_of(GAME("RE[B+6.5]"), (SgfRecordOptions){0});
    bool settled = true;
    Error fault = {0};
    EXPECT_INT(ERR_UNSUPPORTED, sgf_settle_by_net(&record, &nothing, &settled, &fault));
    EXPECT_FALSE(settled);
    EXPECT_TRUE(record.record.owner_unknown);
    EXPECT_OK(sgf_settle_by_net(&record, &captures, &settled, err));
    EXPECT_TRUE(settled);
    /* Black plays four moves, White passes after each of them, and Black passes: 9 moves, with one
     * evaluation for each. */
    EXPECT_INT(9, captures.evaluations);
    EXPECT_INT(1, record.dead.count); /* G4 lies in White's pass-alive area anyway */
    EXPECT_INT(point_at(1, 3), record.dead.points[0]);
    EXPECT_OK(sgf_settle_by_net(&record, &captures, &settled, err));
    EXPECT_FALSE(settled); /* nothing is left to do */
    EXPECT_INT(9, captures.evaluations);
    sgf_record_clear(&record);
    record = record_of(GAME("RE[B+8.5]"), (SgfRecordOptions){0});
    EXPECT_OK(sgf_settle_by_net(&record, &captures, &settled, err));
    EXPECT_FALSE(settled);
    EXPECT_TRUE(record.record.owner_unknown);
    sgf_record_clear(&record);
}

TEST(a_result_that_does_not_agree_keeps_the_owners_unknown) {
    static const char *const GAMES[] = {GAME("RE[B+8.5]"), GAME("RE[W+6.5]"), GAME("RE[B+R]"),
                                        GAME("")};
    for (size_t i = 0; i < sizeof GAMES / sizeof *GAMES; i++) {
        SgfRecord record = record_of(GAMES[i], (SgfRecordOptions){0});
        EXPECT_FALSE(settle(&record));
        EXPECT_TRUE(record.record.owner_unknown);
        EXPECT_INT(0, record.dead.count);
        for (Point p = 0; p < POINT_COUNT; p++)
            EXPECT_INT(COLOR_EMPTY, record.record.owner[p]);
        sgf_record_clear(&record);
    }
    const char *unfinished = "(;SZ[7]RU[Chinese]KM[0.5]RE[B+6.5]" STONES "PL[B];B[])";
    SgfRecord record = record_of(unfinished, (SgfRecordOptions){0});
    EXPECT_FALSE(settle(&record)); /* one pass is no end */
    sgf_record_clear(&record);
}

/* By territory rules Black has 4 eyes, the 8 points around B4, the point B4 itself, and the white
 * stone from B4 as a prisoner: 14 points. White has 2 eyes, the 5 points around G4, the point G4
 * itself, and the black stone from G4 as a prisoner: 9 points. With komi Black wins by 4.5. */
TEST(dead_stones_are_prisoners_by_territory_rules) {
    const char *text = "(;SZ[7]RU[Japanese]KM[0.5]RE[B+4.5]" STONES "PL[B];B[];W[])";
    SgfRecord record = record_of(text, (SgfRecordOptions){0});
    EXPECT_TRUE(record.record.owner_unknown);
    EXPECT_TRUE(settle(&record));
    EXPECT_INT(2, record.dead.count);
    sgf_record_clear(&record);
}

TEST(found_stones_are_written_and_read) {
    SgfGame game, copy;
    SgfRecord record;
    StrBuf line = {0};
    const char *text = GAME("RE[B+6.5]C[dead stones: A1]");
    EXPECT_OK(sgf_game_parse(text, strlen(text), NULL, &game, err));
    EXPECT_OK(sgf_record_make(&game, &(SgfRecordOptions){0}, &record, err));
    EXPECT_TRUE(settle(&record));
    EXPECT_OK(sgf_record_write(&record, &game, &copy, err));
    EXPECT_OK(sgf_game_write_line(&copy, &line, err));
    EXPECT_CONTAINS(line.text, "C[dead stones: B4 G4]");
    SgfRecord plain = record_of(line.text, (SgfRecordOptions){0}),
              again = record_of(line.text, (SgfRecordOptions){.dead_in_comment = true});
    EXPECT_TRUE(plain.record.owner_unknown); /* comments do not count by default */
    EXPECT_FALSE(again.record.owner_unknown);
    EXPECT_TRUE(memcmp(again.record.owner, record.record.owner, sizeof record.record.owner) == 0);
    sgf_record_clear(&plain);
    sgf_record_clear(&again);
    again = record_of(GAME("RE[B+6.5]C[dead stones: G4 Z9 B4x pass]"),
                      (SgfRecordOptions){.dead_in_comment = true});
    EXPECT_TRUE(again.record.owner_unknown); /* "B4x" is not B4 */
    sgf_record_clear(&again);
    sgf_record_clear(&record);
    sgf_game_clear(&game);
    sgf_game_clear(&copy);
    strbuf_clear(&line);
}

TEST_MAIN(RUN(dead_stones_are_found), RUN(a_net_plays_on_to_find_dead_stones),
          RUN(a_result_that_does_not_agree_keeps_the_owners_unknown),
          RUN(dead_stones_are_prisoners_by_territory_rules), RUN(found_stones_are_written_and_read))
