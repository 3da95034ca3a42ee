/* Rows drawn as text, and statistics of row files. */
#include "data/made_rows.h"
#include "data/rows/row_picture.h"
#include "data/rows/row_stats.h"

/* Makes a row with one stone of the opponent at x = 1, y = 0 of a 3x3 board in a frame of length 4.
 * Each of its neighbours has a third of the policy. */
static Rows small_row(void) {
    Rows rows = made_empty_rows(4, 1);
    Rng rng = rng_seeded(1);
    bool found = false;
    for (int i = 0; i < 100 && !found; i++) {
        rows_clear(&rows);
        rows = made_empty_rows(4, 1);
        made_row(&rows, 0, 3, 3, &rng);
        found = rows.planes[2 * 2] == 0x40; /* plane 2, x 1, y 0 */
    }
    assert_true(found);
    return rows;
}

TEST(a_row_is_drawn_with_its_targets) {
    Rows rows = small_row();
    StrBuf text = {0};
    rows.targets[TARGET_LEAD] = 2.5f;
    rows.targets[TARGET_WEIGHT_LEAD] = 1;
    made_set_bit(&rows, 0, 9, 1, 0); /* the last move */
    EXPECT_OK(row_picture(&rows, 0, 100, &text, err));
    EXPECT_CONTAINS(strbuf_text(&text), "row 0 of 1, 3x3, the mover has X");
    EXPECT_CONTAINS(strbuf_text(&text), "\n   A B C  ");
    EXPECT_CONTAINS(strbuf_text(&text), "\n 3 . O1. ");
    EXPECT_CONTAINS(strbuf_text(&text), " 333   O 333");
    EXPECT_CONTAINS(strbuf_text(&text), "   . 333   .");
    EXPECT_CONTAINS(strbuf_text(&text), "X X X ");
    EXPECT_CONTAINS(strbuf_text(&text), "pass    0, target of the reply 1000 per mille");
    EXPECT_CONTAINS(strbuf_text(&text), "win 1.000  loss 0.000  no result 0.000  score +9.00");
    EXPECT_CONTAINS(strbuf_text(&text), "lead +2.50");
    EXPECT_CONTAINS(strbuf_text(&text), "distribution of the score  +8.5: 50%  +9.5: 50%\n");
    EXPECT_CONTAINS(strbuf_text(&text), "win - loss of moves, per mille");
    EXPECT_TRUE(!strstr(strbuf_text(&text), "visits by"));
    EXPECT_TRUE(!strstr(strbuf_text(&text), "squared change"));
    EXPECT_CONTAINS(strbuf_text(&text), "+1000    O+1000 ");
    EXPECT_CONTAINS(strbuf_text(&text), "  +9.0     O  +9.0 ");
    EXPECT_CONTAINS(strbuf_text(&text), "    10     O    10 ");
    EXPECT_CONTAINS(strbuf_text(&text), "win - loss     - per mille, score      -, visits      -");
    strbuf_clear(&text);
    int16_t *visits = rows.q_values + 2 * 17, looked[17];
    rows.q_values[16] = -8000;
    rows.search_values[25] = 12;
    rows.targets[TARGET_ROOT_VARIANCE_COUNT] = 2;
    rows.targets[TARGET_ROOT_VARIANCES] = 0.25f;
    rows.search_values[50] = 4;
    rows.q_values[17 + 16] = -150;
    visits[16] = 3;
    EXPECT_OK(row_picture(&rows, 0, 100, &text, err));
    EXPECT_CONTAINS(strbuf_text(&text), "win - loss  -250 per mille, score   -2.5, visits      3");
    strbuf_clear(&text);
    memcpy(looked, visits, sizeof looked);
    memset(visits, 0, sizeof looked); /* as in a file without values of moves */
    EXPECT_OK(row_picture(&rows, 0, 100, &text, err));
    EXPECT_CONTAINS(strbuf_text(&text), "no values of moves");
    EXPECT_CONTAINS(strbuf_text(&text), "visits by win - loss  +0.00: 12  +0.98: 4\n");
    EXPECT_CONTAINS(strbuf_text(&text), "squared change of the root's value: 0.25 from 1 to 4 "
                                        "visits, 0 from 4 to 16 visits\n");
    EXPECT_TRUE(!strstr(strbuf_text(&text), "score of moves"));
    memcpy(visits, looked, sizeof looked);
    strbuf_clear(&text);
    made_set_bit(&rows, 0, 7, 1, 0); /* an encore forbids its recapture */
    EXPECT_OK(row_picture(&rows, 0, 100, &text, err));
    EXPECT_CONTAINS(strbuf_text(&text), "\n 3 . O*. ");
    strbuf_clear(&text);
    EXPECT_STATUS(ERR_ARGUMENT, row_picture(&rows, 1, 100, &text, NULL));
    rows_clear(&rows);
}

/* The columns of row_points.h are drawn if the rows have them. */
TEST(point_columns_are_drawn) {
    Rows rows = small_row();
    StrBuf text = {0};
    EXPECT_OK(row_picture(&rows, 0, 100, &text, err));
    EXPECT_TRUE(!strstr(strbuf_text(&text), "next occupants"));
    EXPECT_TRUE(!strstr(strbuf_text(&text), "moves until"));
    strbuf_clear(&text);
    for (int time = 0; time < 3; time++) {
        static const char *const WANTED[] = {"3     .    ?    .", "3     .   12    .",
                                             "3     .  end    ."};
        static const int16_t TIMES[] = {0, 12, TIME_ON_BOARD_ALWAYS};
        EXPECT_OK(rows_add_points(&rows, (1 << ROW_POINT_COLUMNS) - 1, err));
        int16_t *occupants = rows.points[ROW_NEXT_OCCUPANT] + 4; /* the middle line */
        occupants[0] = NEXT_OCCUPANT_OPPONENT;
        occupants[1] = NEXT_OCCUPANT_MOVER;
        occupants[2] = NEXT_OCCUPANT_NOBODY;
        rows.points[ROW_TIME_ON_BOARD][1] = TIMES[time];
        int16_t *chains = rows.points[ROW_SAME_CHAIN];
        chains[0] = SAME_CHAIN_NONE;
        chains[1] = chains[4] = chains[5] = SAME_CHAIN_FIRST + 1;
        chains[6] = SAME_CHAIN_FIRST + 21;
        EXPECT_OK(row_picture(&rows, 0, 100, &text, err));
        EXPECT_CONTAINS(strbuf_text(&text), "next occupants");
        EXPECT_CONTAINS(strbuf_text(&text), "3 ? ? ? ");
        EXPECT_CONTAINS(strbuf_text(&text), "2 O X . ");
        EXPECT_CONTAINS(strbuf_text(&text), "moves until stones are removed");
        EXPECT_CONTAINS(strbuf_text(&text), WANTED[time]);
        EXPECT_CONTAINS(strbuf_text(&text), "chains at the end");
        EXPECT_CONTAINS(strbuf_text(&text), "3 . A ? ");
        EXPECT_CONTAINS(strbuf_text(&text), "2 A A B ");
        strbuf_clear(&text);
    }
    rows_clear(&rows);
}

TEST(narrow_text_puts_boards_below_each_other) {
    Rows rows = made_rows(9, 9, 9, 1, 1);
    for (int columns = 20; columns <= 200; columns += 180) {
        StrBuf text = {0};
        int lines = 0;
        EXPECT_OK(row_picture(&rows, 0, columns, &text, err));
        for (const char *at = strbuf_text(&text); *at; at++)
            lines += *at == '\n';
        EXPECT_TRUE(columns == 20 ? lines > 11 * 11 : lines < 5 * 11);
        strbuf_clear(&text);
    }
    rows_clear(&rows);
}

TEST(statistics_add_up) {
    Rows rows = made_rows(7, 7, 5, 200, 1);
    RowStats stats = {0};
    StrBuf text = {0};
    int won = 0;
    for (size_t n = 0; n < 200; n++) {
        float *targets = rows.targets + n * ROW_GLOBAL_TARGETS;
        won += targets[0] > 0.5f;
        targets[TARGET_WEIGHT_FUTURE] = n % 4 > 0;
        targets[TARGET_HASH] = (float)(n / 10);
        targets[TARGET_MODE] = n < 50 ? GAME_FORK : GAME_NORMAL;
    }
    EXPECT_OK(row_stats_add(&stats, &rows, err));
    EXPECT_OK(row_stats_add(&stats, &rows, err));
    EXPECT_INT(2, stats.files);
    EXPECT_INT(400, stats.rows);
    EXPECT_INT(400, stats.sizes[7][5]);
    EXPECT_INT(2 * won, stats.won);
    EXPECT_INT(100, stats.beside);
    EXPECT_INT(100, stats.modes[GAME_FORK]);
    EXPECT_INT(20, stats.games); /* both files have the same games; one has the hash 0 */
    EXPECT_NEAR(35, sqrt(stats.score_square / (double)stats.with_board), 1e-6);
    row_stats_write(&stats, &text);
    EXPECT_CONTAINS(strbuf_text(&text), "2 files, 400 rows of 20 games");
    EXPECT_CONTAINS(strbuf_text(&text), "fork                           100   25.0%");
    strbuf_clear(&text);
    row_stats_clear(&stats);
    rows_clear(&rows);
}

/* Each file has one row of each of 5000 games, in a random order as in KataGo's shuffled files. */
TEST(games_are_counted_in_shuffled_files) {
    enum { GAMES = 5000, FILES = 3 };
    Rows rows = made_empty_rows(2, GAMES);
    RowStats stats = {0};
    Rng rng = rng_seeded(5);
    int order[GAMES];
    for (int n = 0; n < GAMES; n++)
        order[n] = n;
    for (int file = 0; file < FILES; file++) {
        rng_shuffle(&rng, order, GAMES, sizeof *order);
        for (int n = 0; n < GAMES; n++) {
            float *hash = rows.targets + n * ROW_GLOBAL_TARGETS + TARGET_HASH;
            hash[0] = (float)(order[n] % 71);
            hash[5] = (float)(order[n] / 71);
        }
        EXPECT_OK(row_stats_add(&stats, &rows, err));
    }
    EXPECT_INT(FILES * GAMES, stats.rows);
    EXPECT_INT(GAMES, stats.games);
    row_stats_clear(&stats);
    rows_clear(&rows);
}

TEST_MAIN(RUN(point_columns_are_drawn), RUN(a_row_is_drawn_with_its_targets),
          RUN(narrow_text_puts_boards_below_each_other), RUN(statistics_add_up),
          RUN(games_are_counted_in_shuffled_files))
