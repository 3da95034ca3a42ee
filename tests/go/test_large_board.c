/* The areas of large_board.h are compared with the definition of benson.h, on boards of all sizes,
 * of random games and of random stones. */
#include "base/rng.h"
#include "go/benson.h"
#include "go/large_board.h"
#include "test.h"

/* Compares areas with all options. Returns how many of these areas have a point. */
static int expect_same(const Board *board) {
    uint8_t want[POINT_COUNT], got[POINT_COUNT];
    static const uint8_t nothing[POINT_COUNT];
    int found = 0;
    for (int k = 0; k < 16; k++) {
        AreaOptions options = {.suicide = k & 1,
                               .nonpassalive_stones = k & 2,
                               .safe_big_territories = k & 4,
                               .unsafe_big_territories = k & 8};
        benson_area(board, &options, want);
        large_board_area(board, &options, got);
        if (memcmp(want, got, POINT_COUNT) != 0)
            fail_msg("%dx%d, options %d: other areas", board->width, board->height, k);
        found += memcmp(want, nothing, POINT_COUNT) != 0;
    }
    return found;
}

TEST(random_games_have_the_same_areas) {
    static const int SIZES[][2] = {{11, 11}, {13, 13}, {19, 19}, {14, 19},
                                   {19, 11}, {17, 15}, {2, 19},  {9, 9}};
    Rng rng = rng_seeded(1);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        Board board;
        Color mover = COLOR_BLACK;
        EXPECT_OK(board_init(&board, SIZES[i][0], SIZES[i][1], err));
        for (int k = 0; k < 3 * board.width * board.height; k++) {
            Point point = point_at(rng_below(&rng, board.width), rng_below(&rng, board.height));
            if (!board_is_legal(&board, point, mover, i % 2)) continue;
            board_play(&board, point, mover);
            mover = color_other(mover);
            expect_same(&board);
        }
    }
}

/* Where most stones are of one color, there are pass-alive chains and large regions. */
TEST(random_stones_have_the_same_areas) {
    Rng rng = rng_seeded(2);
    int found = 0;
    for (int k = 0; k < 3000; k++) {
        int width = 2 + rng_below(&rng, 18), height = 2 + rng_below(&rng, 18),
            share = 20 + rng_below(&rng, 60), blacks = rng_below(&rng, 100);
        Board board;
        EXPECT_OK(board_init(&board, width, height, err));
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                Color color = rng_below(&rng, 100) < blacks ? COLOR_BLACK : COLOR_WHITE;
                if (rng_below(&rng, 100) < share &&
                    board_is_legal(&board, point_at(x, y), color, false))
                    board_play(&board, point_at(x, y), color);
            }
        }
        found += expect_same(&board);
    }
    EXPECT_TRUE(found > 20000); /* 37,248 of the 48,000 areas have a point */
}

/* On a checkerboard a player has as many chains, and as many regions, as are possible. */
TEST(a_checkerboard_has_the_same_areas) {
    for (int k = 0; k < 4; k++) {
        Board board;
        EXPECT_OK(board_init(&board, 19, 19, err));
        for (int y = 0; y < 19; y++) {
            for (int x = 0; x < 19; x++) {
                if ((x + y) % 2 == k % 2)
                    EXPECT_TRUE(
                        board_set(&board, point_at(x, y), k / 2 ? COLOR_BLACK : COLOR_WHITE));
            }
        }
        expect_same(&board);
    }
}

TEST_MAIN(RUN(random_games_have_the_same_areas), RUN(random_stones_have_the_same_areas),
          RUN(a_checkerboard_has_the_same_areas))
