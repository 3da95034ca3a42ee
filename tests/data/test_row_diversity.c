/* How many positions games have in common, by hand and in random games. */
#include "data/made_rows.h"
#include "data/rows/row_diversity.h"
#include "data/rows/row_stats.h"

enum { SIZE = 5 };

/* Adds a row of a game at a turn. The board has one stone of the mover, at this cell. */
static void see(RowDiversity *diversity, int game, int turn, int cell, bool beside) {
    Rows rows = made_rows(SIZE, SIZE, SIZE, 1, 1);
    memset(rows.planes, 0, FEATURE_PLANES * ((SIZE * SIZE + 7) / 8));
    for (int i = 0; i < SIZE * SIZE; i++)
        made_set_bit(&rows, 0, 0, i % SIZE, i / SIZE);
    made_set_bit(&rows, 0, 1, cell % SIZE, cell / SIZE);
    made_set_bit(&rows, 0, 9, game % SIZE, 0); /* the last move does not matter */
    rows.targets[TARGET_HASH + 5] = (float)game;
    rows.targets[TARGET_TURN] = (float)turn;
    rows.targets[TARGET_WEIGHT_FUTURE] = !beside;
    EXPECT_OK(row_diversity_add(diversity, &rows, 0, err));
    rows_clear(&rows);
}

static void expect_shared(const SharedPositions *turns, int turn, int positions, int shared) {
    EXPECT_INT(positions, turns[turn / DIVERSITY_STEP - 1].positions);
    EXPECT_INT(shared, turns[turn / DIVERSITY_STEP - 1].shared);
}

/* At turn 10, games 0, 1 and 2 have position 4, and game 3 has a position of its own. Game 0 has
 * two rows of its position. At turn 20, games 0 and 1 differ, although game 0 has the position that
 * game 1 has at turn 30. Game 1 has two positions at turn 30 (such games are forks), and game 2 has
 * one of these. */
TEST(positions_of_several_games_are_shared) {
    RowDiversity diversity = {0};
    SharedPositions turns[DIVERSITY_TURNS];
    see(&diversity, 0, 10, 4, false);
    see(&diversity, 1, 10, 4, false);
    see(&diversity, 3, 10, 5, false);
    see(&diversity, 0, 10, 4, false);
    see(&diversity, 2, 10, 4, false);
    see(&diversity, 1, 10, 5, true); /* a side position */
    see(&diversity, 0, 20, 7, false);
    see(&diversity, 1, 20, 8, false);
    see(&diversity, 1, 30, 7, false);
    see(&diversity, 1, 30, 9, false);
    see(&diversity, 2, 30, 9, false);
    see(&diversity, 0, 11, 1, false);
    see(&diversity, 1, 11, 1, false);
    see(&diversity, 0, 0, 1, false);
    see(&diversity, 0, 10 * DIVERSITY_TURNS, 2, false);
    see(&diversity, 0, 10 * DIVERSITY_TURNS + 10, 2, false);
    row_diversity_count(&diversity, turns);
    expect_shared(turns, 10, 4, 3);
    expect_shared(turns, 20, 2, 0);
    expect_shared(turns, 30, 3, 2);
    expect_shared(turns, 40, 0, 0);
    expect_shared(turns, 10 * DIVERSITY_TURNS, 1, 0);
    row_diversity_clear(&diversity);
}

/* Of 1000 games, each has one of 20 positions at turn 10, and one of 10000 positions at turn 20. So
 * nearly all positions at turn 10 are shared. At turn 20, a position is shared with the probability
 * 1 - (1 - 1 / 10000)^999 = 0.0951, that is 95 of 1000 with a standard deviation of about 13. */
TEST(random_positions_are_shared_as_often_as_expected) {
    enum { GAMES = 1000 };
    Rows rows = made_rows(SIZE, SIZE, SIZE, GAMES, 1);
    RowStats stats = {0};
    SharedPositions turns[DIVERSITY_TURNS];
    StrBuf text = {0};
    Rng rng = rng_seeded(2);
    size_t bytes = (SIZE * SIZE + 7) / 8;
    for (int turn = 10; turn <= 20; turn += 10) {
        for (int game = 0; game < GAMES; game++) {
            uint8_t *stones = rows.planes + ((size_t)game * FEATURE_PLANES + 1) * bytes;
            int position = rng_below(&rng, turn == 10 ? 20 : 10000);
            stones[0] = (uint8_t)position;
            stones[1] = (uint8_t)(position >> 8);
            memset(stones + bytes, 0, bytes);
            rows.targets[game * ROW_GLOBAL_TARGETS + TARGET_HASH] = (float)game;
            rows.targets[game * ROW_GLOBAL_TARGETS + TARGET_TURN] = (float)turn;
            rows.targets[game * ROW_GLOBAL_TARGETS + TARGET_WEIGHT_FUTURE] = 1;
        }
        EXPECT_OK(row_stats_add(&stats, &rows, err));
    }
    row_diversity_count(&stats.diversity, turns);
    EXPECT_INT(GAMES, turns[0].positions);
    EXPECT_INT(GAMES, turns[0].shared);
    EXPECT_INT(GAMES, turns[1].positions);
    EXPECT_NEAR(95, turns[1].shared, 50);
    row_stats_write(&stats, &text);
    EXPECT_CONTAINS(strbuf_text(&text), "    turn 10          1000 of       1000  100.0%\n");
    EXPECT_CONTAINS(strbuf_text(&text), "    turn 20  ");
    EXPECT_FALSE(strstr(strbuf_text(&text), "    turn 30  ") != NULL);
    strbuf_clear(&text);
    row_stats_clear(&stats);
    rows_clear(&rows);
}

TEST_MAIN(RUN(positions_of_several_games_are_shared),
          RUN(random_positions_are_shared_as_often_as_expected))
