/* The areas and ladders of small_board.h, which has a bit for each point. They are compared with
 * those of benson.h and ladder_reading.h, on boards of random games and of random stones. */
#include "base/rng.h"
#include "go/benson.h"
#include "go/small_board.h"
#include "test.h"

static const struct {
    int width, height;
} SIZES[] = {{2, 2}, {2, 19},  {3, 3},   {5, 5},   {7, 7},  {8, 7},  {7, 8}, {8, 8},
             {9, 9}, {10, 10}, {10, 11}, {11, 10}, {15, 8}, {19, 6}, {6, 18}};

static void expect_bytes(const uint8_t want[POINT_COUNT], const uint8_t got[POINT_COUNT],
                         const Board *board, const char *what) {
    for (int y = 0; y < board->height; y++) {
        for (int x = 0; x < board->width; x++) {
            Point point = point_at(x, y);
            if (want[point] != got[point])
                fail_msg("%s of %s on %dx%d: %d, wanted %d", what,
                         point_text(point, board->height).text, board->width, board->height,
                         got[point], want[point]);
        }
    }
    EXPECT_TRUE(memcmp(want, got, POINT_COUNT) == 0);
}

/* Compares maps with the bit y * width + x for each point. */
static void expect_words(const uint64_t *want, const uint64_t *got, const Board *board,
                         const char *what) {
    for (int i = 0; i < board->width * board->height; i++) {
        if ((want[i / 64] ^ got[i / 64]) >> i % 64 & 1)
            fail_msg("%s of %s on %dx%d differs", what,
                     point_text(move_at_index(i, board->width, board->height), board->height).text,
                     board->width, board->height);
    }
}

/* Compares areas with all options, and ladders. Returns the number of points at which a move begins
 * a ladder that captures a chain with two liberties. */
static int expect_same(const Board *board) {
    uint8_t want_area[POINT_COUNT], got_area[POINT_COUNT];
    for (int k = 0; k < 16; k++) {
        AreaOptions options = {.suicide = k & 1,
                               .nonpassalive_stones = k & 2,
                               .safe_big_territories = k & 4,
                               .unsafe_big_territories = k & 8};
        benson_area(board, &options, want_area);
        small_board_area(board, &options, got_area);
        expect_bytes(want_area, got_area, board, "area");
    }
    LadderMap want, got;
    ladder_reading_find(board, &want);
    small_board_ladders(board, &got);
    expect_words(want.laddered, got.laddered, board, "ladder");
    expect_words(want.working[0], got.working[0], board, "working move against Black");
    expect_words(want.working[1], got.working[1], board, "working move against White");
    int ladders = 0;
    for (int i = 0; i < board->width * board->height; i++)
        ladders += (int)((want.working[0][i / 64] | want.working[1][i / 64]) >> i % 64 & 1);
    return ladders;
}

TEST(random_games_have_the_same_areas_and_ladders) {
    Rng rng = rng_seeded(1);
    int ladders = 0;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        for (int game = 0; game < 6; game++) {
            Board board;
            Color mover = COLOR_BLACK;
            EXPECT_OK(board_init(&board, SIZES[i].width, SIZES[i].height, err));
            EXPECT_TRUE(small_board_fits(&board));
            for (int k = 0; k < 3 * board.width * board.height; k++) {
                Point point = point_at(rng_below(&rng, board.width), rng_below(&rng, board.height));
                if (!board_is_legal(&board, point, mover, game % 2)) continue;
                board_play(&board, point, mover);
                mover = color_other(mover);
                ladders += expect_same(&board);
            }
        }
    }
    EXPECT_TRUE(ladders > 1000);
}

TEST(random_stones_have_the_same_areas_and_ladders) {
    Rng rng = rng_seeded(2);
    int ladders = 0;
    for (int k = 0; k < 4000; k++) {
        size_t i = (size_t)rng_below(&rng, sizeof SIZES / sizeof *SIZES);
        int share = 20 + rng_below(&rng, 60);
        Board board;
        EXPECT_OK(board_init(&board, SIZES[i].width, SIZES[i].height, err));
        for (int y = 0; y < board.height; y++) {
            for (int x = 0; x < board.width; x++) {
                Color color = rng_below(&rng, 3) ? COLOR_BLACK : COLOR_WHITE;
                if (k % 2) color = rng_below(&rng, 2) ? COLOR_BLACK : COLOR_WHITE;
                bool ok = rng_below(&rng, 100) < share &&
                          board_is_legal(&board, point_at(x, y), color, false);
                if (ok) board_play(&board, point_at(x, y), color);
            }
        }
        ladders += expect_same(&board);
    }
    EXPECT_TRUE(ladders > 1000);
}

TEST(larger_boards_do_not_fit) {
    static const int LARGE[][2] = {{11, 11}, {19, 7}, {12, 10}, {19, 19}};
    for (size_t i = 0; i < sizeof LARGE / sizeof *LARGE; i++) {
        Board board;
        EXPECT_OK(board_init(&board, LARGE[i][0], LARGE[i][1], err));
        EXPECT_FALSE(small_board_fits(&board));
    }
}

TEST_MAIN(RUN(random_games_have_the_same_areas_and_ladders),
          RUN(random_stones_have_the_same_areas_and_ladders), RUN(larger_boards_do_not_fit))
