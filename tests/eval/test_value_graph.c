/* The graph of a value over the moves of a game, drawn as text. */
#include "eval/view/value_graph.h"
#include "test.h"

static void expect_graph(const char *want, const ValueGraph *graph, int columns, int rows) {
    StrBuf out = {0};
    value_graph_draw(graph, columns, rows, &out);
    EXPECT_TEXT(want, strbuf_text(&out));
    strbuf_clear(&out);
}

TEST(each_value_has_columns_and_marked_moves_a_sign) {
    const double values[] = {50, 100, 0, (double)NAN, 75, 900};
    const bool marked[] = {false, false, true, false, false, true};
    expect_graph("  100% |  **      **\n"
                 "       |        **\n"
                 "   50% |**----------\n"
                 "       |\n"
                 "    0% |    **\n"
                 "            ^     ^\n"
                 "        0\n",
                 &(ValueGraph){values, marked, 6, 0, 100, {"100%", "50%", "0%"}}, 80, 5);
}

TEST(moves_share_columns_if_there_are_many) {
    double values[200];
    for (int i = 0; i < 200; i++)
        values[i] = i < 100 ? 10 : -10;
    expect_graph("    10 |**********\n"
                 "     0 |--------------------\n"
                 "   -10 |          **********\n"
                 "        0         100\n",
                 &(ValueGraph){values, NULL, 200, -10, 10, {"10", "0", "-10"}}, 28, 3);
}

TEST_MAIN(RUN(each_value_has_columns_and_marked_moves_a_sign),
          RUN(moves_share_columns_if_there_are_many))
