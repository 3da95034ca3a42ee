/* Rows as text. */
#include "data/made_rows.h"
#include "data/row_picture.h"
#include "data/row_stats.h"

/* One opponent's stone at 1-0 of 3x3 in a frame of 4; a third of the policy each on its neighbours.
 */
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
    EXPECT_CONTAINS(strbuf_text(&text), "\n. O1. ");
    EXPECT_CONTAINS(strbuf_text(&text), " 333   O 333");
    EXPECT_CONTAINS(strbuf_text(&text), "   . 333   .");
    EXPECT_CONTAINS(strbuf_text(&text), "X X X ");
    EXPECT_CONTAINS(strbuf_text(&text), "pass    0, the reply's 1000 per mille");
    EXPECT_CONTAINS(strbuf_text(&text), "win 1.000  loss 0.000  no result 0.000  score +9.00");
    EXPECT_CONTAINS(strbuf_text(&text), "lead +2.50");
    strbuf_clear(&text);
    made_set_bit(&rows, 0, 7, 1, 0); /* it may not be retaken */
    EXPECT_OK(row_picture(&rows, 0, 100, &text, err));
    EXPECT_CONTAINS(strbuf_text(&text), "\n. O*. ");
    strbuf_clear(&text);
    EXPECT_STATUS(ERR_ARGUMENT, row_picture(&rows, 1, 100, &text, NULL));
    rows_clear(&rows);
}

TEST(narrow_text_has_boards_below_each_other) {
    Rows rows = made_rows(9, 9, 9, 1, 1);
    for (int columns = 20; columns <= 200; columns += 180) {
        StrBuf text = {0};
        int lines = 0;
        EXPECT_OK(row_picture(&rows, 0, columns, &text, err));
        for (const char *at = strbuf_text(&text); *at; at++)
            lines += *at == '\n';
        EXPECT_TRUE(columns == 20 ? lines > 8 * 11 : lines < 4 * 11);
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
    row_stats_add(&stats, &rows);
    row_stats_add(&stats, &rows);
    EXPECT_INT(2, stats.files);
    EXPECT_INT(400, stats.rows);
    EXPECT_INT(400, stats.sizes[7][5]);
    EXPECT_INT(2 * won, stats.won);
    EXPECT_INT(100, stats.beside);
    EXPECT_INT(100, stats.modes[GAME_FORK]);
    EXPECT_INT(40, stats.games); /* the first one's hash is 0 */
    EXPECT_NEAR(35, sqrt(stats.score_square / (double)stats.with_board), 1e-6);
    row_stats_write(&stats, &text);
    EXPECT_CONTAINS(strbuf_text(&text), "2 files, 400 rows of 40 games");
    EXPECT_CONTAINS(strbuf_text(&text), "fork                           100   25.0%");
    strbuf_clear(&text);
    rows_clear(&rows);
}

TEST_MAIN(RUN(a_row_is_drawn_with_its_targets), RUN(narrow_text_has_boards_below_each_other),
          RUN(statistics_add_up))
