/* A LadderMemory gives the ladders of the board, whichever boards it has seen before. */
#include "base/rng.h"
#include "go/ladder/ladder_memory.h"
#include "test.h"

static void expect_same(LadderMemory *memory, const Board *board, int *ladders) {
    LadderMap want, got;
    size_t bytes = (size_t)board_words(board) * sizeof(uint64_t);
    ladder_find(board, &want);
    ladder_recall(memory, board, &got);
    EXPECT_TRUE(memcmp(want.laddered, got.laddered, bytes) == 0);
    for (int i = 0; i < 2; i++)
        EXPECT_TRUE(memcmp(want.working[i], got.working[i], bytes) == 0);
    for (int i = 0; i < board_words(board); i++)
        *ladders += want.laddered[i] != 0;
}

/* Plays a random game. For each board the ladders are asked for three times: for the board, for the
 * same board without its ko, and for the board again. */
static void play(LadderMemory *memory, int width, int height, uint64_t seed, int *ladders) {
    Rng rng = rng_seeded(seed);
    Board board;
    Color mover = COLOR_BLACK;
    EXPECT_OK(board_init(&board, width, height, err));
    for (int k = 0; k < 3 * width * height; k++) {
        Point point = point_at(rng_below(&rng, width), rng_below(&rng, height));
        if (!board_is_legal(&board, point, mover, false)) continue;
        board_play(&board, point, mover);
        mover = color_other(mover);
        expect_same(memory, &board, ladders);
        Board free_board = board;
        free_board.ko = POINT_NONE;
        expect_same(memory, &free_board, ladders);
        expect_same(memory, &board, ladders);
    }
}

TEST(remembered_ladders_are_those_of_the_board) {
    LadderMemory *memory;
    int ladders = 0;
    EXPECT_OK(ladder_memory_new(&memory, err));
    for (uint64_t seed = 1; seed <= 40; seed++) {
        play(memory, 7, 7, seed % 20, &ladders); /* each game twice */
        play(memory, 5, 9, seed % 20, &ladders);
    }
    play(memory, 9, 9, 1, &ladders);
    play(memory, 13, 13, 1, &ladders);
    play(NULL, 7, 7, 1, &ladders);
    EXPECT_TRUE(ladders > 1000);
    ladder_memory_free(memory);
}

TEST(a_map_has_the_bits_of_the_marks) {
    Rng rng = rng_seeded(3);
    Board board;
    uint8_t laddered[POINT_COUNT], working[POINT_COUNT];
    LadderMap map;
    EXPECT_OK(board_init(&board, 19, 13, err));
    for (int k = 0; k < 300; k++) {
        Point at = point_at(rng_below(&rng, 19), rng_below(&rng, 13));
        Color color = k % 2 ? COLOR_BLACK : COLOR_WHITE;
        if (!board_is_legal(&board, at, color, false)) continue;
        board_play(&board, at, color);
        ladder_mark(&board, laddered, working);
        ladder_find(&board, &map);
        for (int i = 0; i < 19 * 13; i++) {
            Point point = point_at(i % 19, i / 19);
            EXPECT_INT(laddered[point], map.laddered[i / 64] >> i % 64 & 1);
            EXPECT_INT(working[point] >> COLOR_BLACK & 1, map.working[0][i / 64] >> i % 64 & 1);
            EXPECT_INT(working[point] >> COLOR_WHITE & 1, map.working[1][i / 64] >> i % 64 & 1);
        }
    }
}

TEST_MAIN(RUN(remembered_ladders_are_those_of_the_board), RUN(a_map_has_the_bits_of_the_marks))
