/* Results and ranks as numbers. */
#include "base/error.h"
#include "sgf/sgf_result.h"
#include "test.h"

static void expect_result(const char *text, SgfEnded ended, Color winner, double white_score) {
    SgfResult result = sgf_result_parse(text);
    if (result.ended != ended) fail_msg("\"%s\" is %s", text, sgf_ended_name(result.ended));
    EXPECT_INT(winner, result.winner);
    EXPECT_NEAR(white_score, result.white_score, 0);
}

TEST(results_say_how_a_game_ended) {
    expect_result("B+3.5", SGF_ENDED_SCORE, COLOR_BLACK, -3.5);
    expect_result("W+12", SGF_ENDED_SCORE, COLOR_WHITE, 12);
    expect_result("White+0,5 (moves)", SGF_ENDED_SCORE, COLOR_WHITE, 0.5);
    expect_result("B+R", SGF_ENDED_RESIGN, COLOR_BLACK, 0);
    expect_result("w+resign", SGF_ENDED_RESIGN, COLOR_WHITE, 0);
    expect_result("W+Time", SGF_ENDED_TIME, COLOR_WHITE, 0);
    expect_result("B+F", SGF_ENDED_FORFEIT, COLOR_BLACK, 0);
    expect_result("B+", SGF_ENDED_WIN, COLOR_BLACK, 0);
    expect_result("B+3/4", SGF_ENDED_WIN, COLOR_BLACK, 0); /* stones, not points */
    expect_result("B+1e300", SGF_ENDED_WIN, COLOR_BLACK, 0);
    expect_result("B+99999", SGF_ENDED_WIN, COLOR_BLACK, 0);
    expect_result("0", SGF_ENDED_DRAW, COLOR_EMPTY, 0);
    expect_result("Jigo", SGF_ENDED_DRAW, COLOR_EMPTY, 0);
    expect_result("B+0", SGF_ENDED_DRAW, COLOR_EMPTY, 0);
    expect_result("Void", SGF_ENDED_VOID, COLOR_EMPTY, 0);
    expect_result("?", SGF_ENDED_UNKNOWN, COLOR_EMPTY, 0);
    expect_result("", SGF_ENDED_UNKNOWN, COLOR_EMPTY, 0);
    expect_result("unfinished", SGF_ENDED_UNKNOWN, COLOR_EMPTY, 0);
}

TEST(ranks_are_ordered_as_gonn_orders_them) {
    static const struct {
        const char *text;
        int rank;
    } KNOWN[] = {{"5k", -5},
                 {"12 kyu", -12},
                 {"1k?", -1},
                 {"1d", 0},
                 {"6 dan", 5},
                 {"9d", 8},
                 {"3p", 8},
                 {"9 pro", 8},
                 {"P3", 8},
                 {"2段", 1},
                 {"18级", -18},
                 {"99k", -30},
                 {"12d", 8},
                 {"", SGF_RANK_NONE},
                 {"?", SGF_RANK_NONE},
                 {"0d", SGF_RANK_NONE},
                 {"d", SGF_RANK_NONE},
                 {"5", SGF_RANK_NONE},
                 {"5kx", SGF_RANK_NONE},
                 {"1500", SGF_RANK_NONE},
                 {"99999999999d", SGF_RANK_NONE}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        int rank = sgf_rank_parse(KNOWN[i].text);
        if (rank != KNOWN[i].rank)
            fail_msg("\"%s\" is %d, wanted %d", KNOWN[i].text, rank, KNOWN[i].rank);
    }
    EXPECT_TEXT("12k", sgf_rank_text(-12).text);
    EXPECT_TEXT("1d", sgf_rank_text(0).text);
    EXPECT_TEXT("9d+", sgf_rank_text(8).text);
    EXPECT_TEXT("none", sgf_rank_text(SGF_RANK_NONE).text);
    for (int rank = SGF_RANK_MIN; rank < SGF_RANK_MAX; rank++)
        EXPECT_INT(rank, sgf_rank_parse(sgf_rank_text(rank).text));
}

TEST_MAIN(RUN(results_say_how_a_game_ended), RUN(ranks_are_ordered_as_gonn_orders_them))
