/* Records of Go in lc0's layout are read in all five versions, with the values that each version
 * has. Records of chess, unknown versions and damaged records are refused by name. */
#include "made_foreign.h"

static Status read_one(const StrBuf *file, ForeignReader *reader, ForeignPosition *out,
                       ForeignFound *found, Error *err) {
    reader->bytes = strbuf_text(file);
    reader->count = file->length;
    return FOREIGN_LC0.next(reader, out, found, err);
}

/* Sets the values of a position that a search would have found. */
static void set_values(ForeignPosition *position) {
    position->win_loss = 0.5f;
    position->raw_win_loss = -0.25f;
    position->policy_change = 0.75f;
    position->visits = 1234;
}

TEST(records_are_read_as_they_were_written) {
    static MadeGame game;
    static const int SIDES[] = {19, 9, 2, 13, 7};
    for (int version = 3; version <= 7; version++) {
        StrBuf file = {0};
        ForeignReader reader = {0};
        ForeignPosition position;
        ForeignFound found;
        int turns = version == 5 ? 3 : 30;
        made_game(&game, SIDES[version - 3], turns, version);
        for (int t = 0; t < turns; t++) {
            set_values(&game.positions[t]);
            game.positions[t].komi = -6.5f;
            if (t == 2) game.positions[t].winner = COLOR_EMPTY;
            made_lc0(&game.positions[t], version, &file);
        }
        for (int t = 0; t < turns; t++) {
            const ForeignPosition *want = &game.positions[t];
            EXPECT_OK(read_one(&file, &reader, &position, &found, err));
            EXPECT_INT(FOREIGN_POSITION, found);
            EXPECT_INT(want->width, position.width);
            EXPECT_INT(want->height, position.height);
            EXPECT_INT(want->mover, position.mover);
            EXPECT_INT(want->winner, position.winner);
            EXPECT_TRUE(position.komi_known);
            EXPECT_NEAR(-6.5, position.komi, 0);
            EXPECT_TRUE(memcmp(want->boards, position.boards, sizeof want->boards) == 0);
            EXPECT_TRUE(memcmp(want->policy, position.policy, sizeof want->policy) == 0);
            EXPECT_INT(version > 3, position.searched);
            EXPECT_NEAR(version > 3 ? 0.5 : 0, position.win_loss, 0);
            EXPECT_NEAR(version > 5 ? -0.25 : 0, position.raw_win_loss, 0);
            EXPECT_NEAR(version > 5 ? 0.75 : 0, position.policy_change, 0);
            EXPECT_INT(version > 5 ? 1234 : 0, position.visits);
        }
        EXPECT_OK(read_one(&file, &reader, &position, &found, err));
        EXPECT_INT(FOREIGN_END, found);
        strbuf_clear(&file);
    }
}

/* A rectangle of 3 x 2 by hand: the points come row by row from the top. */
TEST(points_come_row_by_row) {
    Lc0Record record = {
        .version = 6, .input_format = 361, .castling = {3, 2, 15, 0}, .mover = 1, .result_q = -1};
    StrBuf file = {0};
    ForeignReader reader = {0};
    ForeignPosition position;
    ForeignFound found;
    record.planes[0] = 1 << 1;      /* the mover's stone at (1, 0) now */
    record.planes[6] = 1 << 3;      /* the opponent's at (0, 1) now */
    record.planes[13 + 6] = 1 << 3; /* and one turn ago */
    for (int i = 0; i < 1858; i++)
        record.probabilities[i] = i < 7 ? 0.125f * (float)i : -1;
    record.orig_q = NAN;
    made_lc0_add(&record, 6, &file);
    EXPECT_OK(read_one(&file, &reader, &position, &found, err));
    EXPECT_INT(3, position.width);
    EXPECT_INT(2, position.height);
    EXPECT_INT(COLOR_WHITE, position.mover);
    EXPECT_INT(COLOR_BLACK, position.winner);
    EXPECT_INT(COLOR_WHITE, position.boards[0][1]);
    EXPECT_INT(COLOR_BLACK, position.boards[0][3]);
    EXPECT_INT(COLOR_EMPTY, position.boards[1][1]);
    EXPECT_INT(COLOR_BLACK, position.boards[1][3]);
    EXPECT_NEAR(0.75, position.policy[6], 0); /* the pass */
    EXPECT_NEAR(7.5, position.komi, 0);
    EXPECT_NEAR(0, position.raw_win_loss, 0);
    strbuf_clear(&file);
}

/* Expects that the record is refused for this reason, and that the record behind it is read. */
static void expect_refused(const Lc0Record *record, const Lc0Record *good, const char *why) {
    StrBuf file = {0};
    ForeignReader reader = {0};
    ForeignPosition position;
    ForeignFound found;
    Error fault = {0};
    made_lc0_add(record, 7, &file);
    made_lc0_add(good, 7, &file);
    EXPECT_STATUS(ERR_SYNTAX, read_one(&file, &reader, &position, &found, &fault));
    EXPECT_CONTAINS(fault.message, why);
    EXPECT_CONTAINS(fault.message, "byte 0: record 1");
    EXPECT_OK(read_one(&file, &reader, &position, &found, err));
    EXPECT_INT(reader.spoiled ? FOREIGN_END : FOREIGN_POSITION, found);
    strbuf_clear(&file);
}

TEST(damaged_records_are_named) {
    static MadeGame game;
    made_game(&game, 9, 20, 1);
    const Lc0Record good = made_lc0_record(&game.positions[19], 7);
    Lc0Record bad = good;
    bad.input_format = 1;
    expect_refused(&bad, &good, "a record of chess: its input format is not 361");
    bad = good;
    bad.castling[0] = bad.castling[1] = 1;
    expect_refused(&bad, &good, "a record of chess: it has no board of Go");
    bad = good;
    bad.castling[3] = 0x7f;
    expect_refused(&bad, &good, "its komi is not allowed");
    bad = good;
    bad.mover = 2;
    expect_refused(&bad, &good, "who is to move");
    bad = good;
    bad.planes[13 + 1] = (uint64_t)1 << 63;
    expect_refused(&bad, &good, "a stone is off the board");
    bad = good;
    bad.planes[0] = bad.planes[6] = 1;
    expect_refused(&bad, &good, "both players have a stone on a point");
    bad = good;
    bad.planes[12] = 1;
    expect_refused(&bad, &good, "plane of repetitions");
    bad = good;
    bad.probabilities[82] = 0.5f;
    expect_refused(&bad, &good, "a probability behind that of the pass");
    bad = good;
    bad.probabilities[3] = INFINITY;
    expect_refused(&bad, &good, "a probability is out of bounds");
    bad = good;
    bad.result_q = 0.5f;
    expect_refused(&bad, &good, "its result is not 1, 0 or -1");
    bad = good;
    bad.root_q = NAN;
    expect_refused(&bad, &good, "root_q or root_d");
    bad = good;
    bad.orig_q = 2;
    expect_refused(&bad, &good, "orig_q is out of bounds");
    bad = good;
    bad.policy_kld = -1;
    expect_refused(&bad, &good, "policy_kld");
    bad = good;
    bad.version = 8;
    expect_refused(&bad, &good, "has version 8; versions 3 to 7 are read");
}

TEST(cut_chunks_are_named) {
    static MadeGame game;
    StrBuf file = {0};
    made_game(&game, 9, 2, 1);
    made_lc0(&game.positions[0], 4, &file);
    made_lc0(&game.positions[1], 4, &file);
    for (size_t keep = 8293; keep < file.length; keep += 97) {
        ForeignReader reader = {.bytes = file.text, .count = keep};
        ForeignPosition position;
        ForeignFound found;
        Error fault = {0};
        EXPECT_OK(FOREIGN_LC0.next(&reader, &position, &found, err));
        EXPECT_STATUS(ERR_SYNTAX, FOREIGN_LC0.next(&reader, &position, &found, &fault));
        EXPECT_CONTAINS(fault.message, "byte 8292: record 2 is cut short");
        EXPECT_OK(FOREIGN_LC0.next(&reader, &position, &found, err));
        EXPECT_INT(FOREIGN_END, found);
    }
    strbuf_clear(&file);
}

TEST(a_policy_that_is_no_number_is_passed_over) {
    static MadeGame game;
    StrBuf file = {0};
    ForeignReader reader = {0};
    ForeignPosition position;
    ForeignFound found;
    made_game(&game, 9, 2, 1);
    Lc0Record record = made_lc0_record(&game.positions[0], 6);
    record.probabilities[5] = NAN;
    made_lc0_add(&record, 6, &file);
    EXPECT_OK(read_one(&file, &reader, &position, &found, err));
    EXPECT_INT(FOREIGN_NO_POLICY, found);
    strbuf_clear(&file);
}

TEST_MAIN(RUN(records_are_read_as_they_were_written), RUN(points_come_row_by_row),
          RUN(damaged_records_are_named), RUN(cut_chunks_are_named),
          RUN(a_policy_that_is_no_number_is_passed_over))
