/* Records of games from SGF: the board at the start, the places where odd games are cut, what is
 * known of the end, and the rows that are made of a record. */
#include "data/rows/row.h"
#include "data/sgf/sgf_record.h"
#include "test.h"

static SgfRecord record_of(const char *text, SgfRecordOptions options) {
    SgfGame game;
    SgfRecord record;
    EXPECT_OK(sgf_game_parse(text, strlen(text), &(SgfOptions){.cut = true}, &game, err));
    EXPECT_OK(sgf_record_make(&game, &options, &record, err));
    sgf_game_clear(&game);
    return record;
}

static void expect_cut(const char *text, SgfCut cut, size_t turns) {
    SgfRecord record = record_of(text, (SgfRecordOptions){0});
    if (record.cut != cut) fail_msg("%s: cut by \"%s\"", text, sgf_cut_name(record.cut));
    EXPECT_INT(turns, record.record.turn_count);
    sgf_record_clear(&record);
}

TEST(odd_games_are_cut) {
    expect_cut("(;SZ[5]RU[Chinese];B[aa];W[bb];B[cc])", SGF_CUT_NOTHING, 3);
    expect_cut("(;SZ[5]RU[Chinese];B[aa];W[bb];B[bb];W[dd])", SGF_CUT_ILLEGAL, 2); /* occupied */
    expect_cut("(;SZ[5]RU[Chinese];B[aa];W[bb];W[cc];B[dd])", SGF_CUT_TURN, 2);
    expect_cut("(;SZ[5]RU[Chinese];B[aa];W[bb];B[zz];W[dd])", SGF_CUT_NODE, 2);
    expect_cut("(;SZ[5]RU[Chinese];B[aa];W[];B[];W[dd])", SGF_CUT_FINISHED, 3);
    expect_cut("(;SZ[5]RU[Japanese];B[aa];W[];B[];W[dd])", SGF_CUT_FINISHED, 3);
    /* Black takes a ko with cb (x = 2, y = 1), and White may not retake it with bb immediately:
     *     . X O . .
     *     X O . O .
     *     . X O . .  */
    expect_cut("(;SZ[5]RU[Chinese]AB[ba][ab][bc]AW[ca][cc][db][bb]PL[B];B[cb];W[bb])",
               SGF_CUT_ILLEGAL, 1);
}

static int count_char(const char *text, char wanted) {
    int count = 0;
    for (; *text; text++)
        count += *text == wanted;
    return count;
}

/* Checks the board before the first turn, the color that moves first, and the handicap. `want` has
 * the points row by row: '.', 'X' or 'O'. */
static void expect_start(const char *text, const char *want, Color mover, int handicap) {
    SgfRecord record = record_of(text, (SgfRecordOptions){0});
    const Board *board = &record.record.start.board;
    char got[BOARD_POINTS_MAX + 1] = {0};
    for (int i = 0; i < board->width * board->height; i++)
        got[i] = ".XO"[board->color[move_at_index(i, board->width, board->height)]];
    EXPECT_TEXT(want, got);
    EXPECT_INT(mover, record.record.start.mover);
    EXPECT_INT(0, record.record.start.move_count);
    EXPECT_INT(handicap, record.handicap);
    EXPECT_INT(handicap, record.record.handicap);
    EXPECT_INT((int)strlen(want) - count_char(want, '.'), record.record.initial_turn);
    sgf_record_clear(&record);
}

TEST(black_moves_at_the_start_are_set_up) {
    expect_start("(;SZ[3]RU[Chinese];B[aa];W[bb])", ".........", COLOR_BLACK, 0);
    expect_start("(;SZ[3]RU[Chinese];B[aa];B[cc];W[bb])", "X.......X", COLOR_WHITE, 2);
    expect_start("(;SZ[3]RU[Chinese]AB[ca];B[aa];B[];B[aa];B[cc];W[bb])", "X.X.....X", COLOR_WHITE,
                 3);
    expect_start("(;SZ[3]RU[Chinese];B[aa];B[cc])", "X.......X", COLOR_WHITE, 2);
    expect_start("(;SZ[3]RU[Chinese]AB[aa][cc]AW[ca];W[bb])", "X.O.....X", COLOR_WHITE, 0);
    expect_start("(;SZ[3]RU[Chinese];W[bb];B[aa])", ".........", COLOR_WHITE, 0);
    SgfGame game;
    SgfRecord record;
    Error error = {0};
    const char *dead = "(;SZ[3]RU[Chinese]AB[aa]AW[ab][ba];B[bb])";
    EXPECT_OK(sgf_game_parse(dead, strlen(dead), NULL, &game, err));
    EXPECT_STATUS(ERR_ILLEGAL, sgf_record_make(&game, &(SgfRecordOptions){0}, &record, &error));
    sgf_game_clear(&game);
}

/* A 5x5 board where Black has the columns a to c, and White has d and e. Black has 15 points and
 * White 10, so with the komi 0.5 Black wins by 4.5.
 *     . . X O .
 *     . . X O .
 *     . . X O .
 *     . . X O .
 *     . . X O . */
#define WALLS ";B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de]"
#define GAME(head, end) "(;SZ[5]RU[Chinese]KM[0.5]" head WALLS end ")"

typedef struct {
    bool outcome, score, owner;
} Known;

static void expect_known(const char *text, SgfRecordOptions options, Known want) {
    SgfRecord record = record_of(text, options);
    if (record.record.outcome_unknown == want.outcome ||
        record.record.score_unknown == want.score || record.record.owner_unknown == want.owner)
        fail_msg("%s: outcome %d, score %d, owner %d", text, !record.record.outcome_unknown,
                 !record.record.score_unknown, !record.record.owner_unknown);
    sgf_record_clear(&record);
}

TEST(the_result_says_what_is_known) {
    const SgfRecordOptions plain = {0}, forfeits = {.forfeits_count = true};
    const Known nothing = {0}, winner = {.outcome = true}, score = {.outcome = true, .score = true},
                all = {true, true, true};
    expect_known(GAME("RE[B+4.5]", ";B[];W[]"), plain, all);
    expect_known(GAME("RE[B+4.5]", ""), plain, score);         /* not finished by passes */
    expect_known(GAME("RE[B+6.5]", ";B[];W[]"), plain, score); /* the board says otherwise */
    expect_known(GAME("RE[W+4.5]", ";B[];W[]"), plain, score);
    expect_known(GAME("RE[B+R]", ";B[];W[]"), plain, winner);
    expect_known(GAME("RE[B+T]", ""), plain, nothing);
    expect_known(GAME("RE[B+T]", ""), forfeits, winner);
    expect_known(GAME("RE[Void]", ""), plain, winner);
    expect_known(GAME("", ";B[];W[]"), plain, nothing);
    expect_known(GAME("RE[B+4.5]", ";B[];W[];B[ea]"), plain, all); /* moves after the end */
    expect_known(GAME("RE[B+4.5]", ";B[ca]"), plain, nothing);     /* an illegal move */
    expect_known("(;SZ[5]RU[Chinese]KM[5]RE[0]" WALLS ";B[];W[])", plain, all);
}

static Rows rows_of(const char *text) {
    SgfRecord record = record_of(text, (SgfRecordOptions){0});
    Rng rng = rng_seeded(1);
    Rows rows;
    EXPECT_OK(rows_init(&rows, 5, err));
    EXPECT_OK(rows_from_game(&record.record, &rng, &rows, err));
    sgf_record_clear(&record);
    return rows;
}

static float target(const Rows *rows, size_t row, int index) {
    return rows->targets[row * ROW_GLOBAL_TARGETS + (size_t)index];
}

/* Returns the move that has all of the policy target, or -1 if there is no such move. */
static int policy_move(const Rows *rows, size_t row, size_t channel) {
    const int16_t *policy = rows->policy + (row * 2 + channel) * 26;
    int found = -1, sum = 0;
    for (int i = 0; i < 26; i++) {
        sum += policy[i];
        if (policy[i]) found = i;
    }
    return sum == policy[found] ? found : -1;
}

TEST(rows_have_the_moves_and_the_result) {
    Rows rows = rows_of(GAME("RE[B+4.5]", ";B[];W[]"));
    EXPECT_INT(12, rows.count);
    EXPECT_INT(2, policy_move(&rows, 0, 0)); /* ca */
    EXPECT_INT(3, policy_move(&rows, 0, 1)); /* the reply da */
    EXPECT_INT(3, policy_move(&rows, 1, 0));
    EXPECT_INT(25, policy_move(&rows, 10, 0)); /* the passes */
    EXPECT_INT(25, policy_move(&rows, 11, 0));
    EXPECT_INT(-1, policy_move(&rows, 11, 1)); /* no reply */
    EXPECT_NEAR(1, target(&rows, 0, TARGET_WEIGHT_POLICY), 0);
    EXPECT_NEAR(1, target(&rows, 0, TARGET_WEIGHT_REPLY), 0);
    EXPECT_NEAR(0, target(&rows, 11, TARGET_WEIGHT_REPLY), 0);
    for (size_t n = 0; n < 12; n++) {
        bool black = n % 2 == 0;
        EXPECT_NEAR(black, target(&rows, n, TARGET_FINAL), 0);
        EXPECT_NEAR(!black, target(&rows, n, TARGET_FINAL + 1), 0);
        EXPECT_NEAR(black ? 4.5 : -4.5, target(&rows, n, TARGET_SCORE), 0);
        EXPECT_NEAR(black ? 4.5 : -4.5, target(&rows, n, TARGET_LEAD), 0);
        EXPECT_NEAR(0.25, target(&rows, n, TARGET_WEIGHT_LEAD), 0);
        EXPECT_NEAR(1, target(&rows, n, TARGET_WEIGHT_BOARD), 0);
        EXPECT_NEAR(0, target(&rows, n, TARGET_NO_VALUE), 0);
        EXPECT_NEAR(1, target(&rows, n, TARGET_NO_TD), 0); /* no searches */
        EXPECT_NEAR(12 - (double)n, target(&rows, n, TARGET_MOVES_LEFT), 0);
        for (int i = 0; i < 25; i++) /* ownership: columns a to c are Black's */
            EXPECT_INT((i % 5 < 3) == black ? 1 : -1, rows.values[n * 5 * 25 + (size_t)i]);
    }
    rows_clear(&rows);
}

TEST(what_is_not_known_has_no_weight) {
    Rows rows = rows_of(GAME("RE[B+T]", ""));
    EXPECT_INT(10, rows.count);
    EXPECT_NEAR(1, target(&rows, 0, TARGET_NO_VALUE), 0);
    EXPECT_NEAR(0, target(&rows, 0, TARGET_WEIGHT_LEAD), 0);
    EXPECT_NEAR(0, target(&rows, 0, TARGET_WEIGHT_BOARD), 0);
    EXPECT_NEAR(0, target(&rows, 0, TARGET_WEIGHT_SCORING), 0);
    EXPECT_NEAR(0, target(&rows, 0, TARGET_MOVES_LEFT), 0);
    EXPECT_NEAR(1, target(&rows, 0, TARGET_WEIGHT_POLICY), 0);
    for (int i = 0; i < 2 * 25; i++)
        EXPECT_INT(0, rows.values[i]);
    rows_clear(&rows);
    rows = rows_of(GAME("RE[W+2.5]", ""));
    EXPECT_NEAR(0, target(&rows, 0, TARGET_NO_VALUE), 0);
    EXPECT_NEAR(1, target(&rows, 1, TARGET_FINAL), 0); /* White won */
    EXPECT_NEAR(2.5, target(&rows, 1, TARGET_LEAD), 0);
    EXPECT_NEAR(0.25, target(&rows, 1, TARGET_WEIGHT_LEAD), 0);
    EXPECT_NEAR(0, target(&rows, 1, TARGET_SCORE), 0);
    EXPECT_NEAR(0, target(&rows, 1, TARGET_WEIGHT_BOARD), 0);
    rows_clear(&rows);
    rows = rows_of(GAME("RE[Void]", ""));
    EXPECT_NEAR(1, target(&rows, 0, TARGET_FINAL + 2), 0);
    EXPECT_NEAR(0, target(&rows, 0, TARGET_NO_VALUE), 0);
    rows_clear(&rows);
}

static SgfRecord written_and_read(const char *text, SgfRecordOptions options) {
    SgfGame game, copy;
    SgfRecord record;
    StrBuf line = {0};
    EXPECT_OK(sgf_game_parse(text, strlen(text), &(SgfOptions){.cut = true}, &game, err));
    EXPECT_OK(sgf_record_make(&game, &options, &record, err));
    EXPECT_OK(sgf_record_write(&record, &game, &copy, err));
    EXPECT_OK(sgf_game_write_line(&copy, &line, err));
    sgf_game_clear(&copy);
    sgf_game_clear(&game);
    sgf_record_clear(&record);
    record = record_of(line.text, options);
    EXPECT_CONTAINS(line.text, "BR[3d]");
    strbuf_clear(&line);
    return record;
}

/* KataGo's games with a handicap of N stones set up N - 1 stones, and Black moves first. */
TEST(rows_have_the_handicap_that_the_file_names) {
    static const struct {
        const char *text;
        float handicap, stones;
    } GAMES[] = {{"(;SZ[5]RU[Chinese]HA[3]AB[aa][bb];B[cc];W[dd])", 3, 2},
                 {"(;SZ[5]RU[Chinese]AB[aa][bb];W[cc];B[dd])", 2, 2},
                 {"(;SZ[5]RU[Chinese]AB[aa][bb]AW[cc];B[dd];W[ee])", 0, 3},
                 {"(;SZ[5]RU[Chinese]HA[0];B[cc];W[dd])", 0, 0}};
    for (size_t i = 0; i < sizeof GAMES / sizeof *GAMES; i++) {
        SgfRecord record = record_of(GAMES[i].text, (SgfRecordOptions){0});
        Rows rows;
        Rng rng = rng_seeded(1);
        EXPECT_OK(rows_init(&rows, 5, err));
        EXPECT_OK(rows_from_game(&record.record, &rng, &rows, err));
        EXPECT_INT(2, rows.count);
        EXPECT_NEAR(GAMES[i].handicap, target(&rows, 0, TARGET_HANDICAP), 0);
        EXPECT_NEAR(GAMES[i].stones, target(&rows, 1, TARGET_FIRST_STONES), 0);
        EXPECT_NEAR(0, target(&rows, 0, TARGET_MODE), 0);
        rows_clear(&rows);
        sgf_record_clear(&record);
    }
}

TEST(a_record_is_written_as_sgf_and_read_again) {
    static const char *const GAMES[] = {
        GAME("BR[3d]RE[B+4.5]", ";B[];W[];B[ea]"),
        GAME("BR[3d]RE[B+T]", ""),
        GAME("BR[3d]RE[B+4.5]", ";B[ca]"),
        GAME("BR[3d]RE[W+R]AB[aa][bb]", ";W[ea]"),
        "(;SZ[5:7]RU[AGA]KM[0.5]BR[3d]HA[2];B[aa];B[bb];W[cc];B[dd])",
        "(;SZ[5]KM[6.5]BR[3d]RU[a game of ours];W[cc];B[dd])",
        "(;SZ[5]KM[6.5]BR[3d]PL[W]AB[aa])",
        "(;SZ[5]KM[6.5]BR[3d];B[ad];W[];B[cc];W[dd])", /* a pass, not a handicap */
    };
    for (size_t i = 0; i < sizeof GAMES / sizeof *GAMES; i++) {
        SgfRecordOptions options = {0};
        SgfRecord a = record_of(GAMES[i], options), b = written_and_read(GAMES[i], options);
        EXPECT_INT(a.record.turn_count, b.record.turn_count);
        EXPECT_TRUE(memcmp(a.record.hash, b.record.hash, sizeof a.record.hash) == 0);
        EXPECT_TRUE(rules_equal(&a.record.start.rules, &b.record.start.rules));
        EXPECT_NEAR(a.record.start.rules.komi, b.record.start.rules.komi, 0);
        EXPECT_INT(a.record.outcome.winner, b.record.outcome.winner);
        EXPECT_INT(a.record.outcome_unknown, b.record.outcome_unknown);
        EXPECT_INT(a.record.score_unknown, b.record.score_unknown);
        EXPECT_INT(a.record.owner_unknown, b.record.owner_unknown);
        EXPECT_INT(a.handicap, b.handicap);
        EXPECT_INT(a.record.handicap, b.record.handicap);
        sgf_record_clear(&a);
        sgf_record_clear(&b);
    }
}

static uint64_t hash_of(const char *text) {
    SgfRecord record = record_of(text, (SgfRecordOptions){0});
    uint64_t hash = record.record.hash[0];
    sgf_record_clear(&record);
    return hash;
}

TEST(the_hash_is_that_of_the_moves) {
    uint64_t first = hash_of("(;SZ[5]PB[a]KM[5.5]RE[B+R];B[aa];W[bb])");
    EXPECT_TRUE(first == hash_of("(;SZ[5]PB[b]KM[7.5]RU[Japanese]RE[W+T]C[x];B[aa];W[bb]C[y])"));
    EXPECT_TRUE(first == hash_of("(;SZ[5];B[aa];W[bb];W[cc])")); /* the third move is cut off */
    EXPECT_TRUE(first != hash_of("(;SZ[6];B[aa];W[bb])"));
    EXPECT_TRUE(first != hash_of("(;SZ[5];W[aa];B[bb])"));
    EXPECT_TRUE(first != hash_of("(;SZ[5];B[bb];W[aa])"));
    EXPECT_TRUE(first != hash_of("(;SZ[5];B[aa];W[bb];B[])"));
    EXPECT_TRUE(first != hash_of("(;SZ[5]AB[cc]PL[B];B[aa];W[bb])"));
}

/* With territory scoring, KataGo's own games go on after two passes. */
TEST(the_encore_is_played_only_if_asked_for) {
    static const char TEXT[] =
        "(;SZ[5]RU[Japanese]KM[0.5]RE[B+4.5]" WALLS ";B[];W[];B[];W[];B[];W[])";
    SgfRecord record = record_of(TEXT, (SgfRecordOptions){0});
    EXPECT_INT(12, record.record.turn_count);
    EXPECT_INT(SGF_CUT_FINISHED, record.cut);
    sgf_record_clear(&record);
    record = record_of(TEXT, (SgfRecordOptions){.encore = true});
    EXPECT_TRUE(record.record.turn_count > 12);
    sgf_record_clear(&record);
}

TEST_MAIN(RUN(odd_games_are_cut), RUN(black_moves_at_the_start_are_set_up),
          RUN(the_result_says_what_is_known), RUN(rows_have_the_moves_and_the_result),
          RUN(what_is_not_known_has_no_weight), RUN(rows_have_the_handicap_that_the_file_names),
          RUN(a_record_is_written_as_sgf_and_read_again), RUN(the_hash_is_that_of_the_moves),
          RUN(the_encore_is_played_only_if_asked_for))
