/* random_position.h - makes positions after random moves. */
#pragma once
#include "base/rng.h"
#include "go/position.h"
#include "test.h"

/* Plays `turns` random moves other than passes by Tromp-Taylor rules, or fewer if the game ends or
 * only the pass is legal. */
static inline Position position_after(int width, int height, int turns, uint64_t seed) {
    Position position = {0};
    Rules rules = rules_tromp_taylor();
    Rng rng = rng_seeded(seed);
    EXPECT_OK(position_init(&position, width, height, &rules, err));
    for (int turn = 0; turn < turns && !position.over; turn++) {
        Point moves[MOVES_MAX];
        int count = position_legal_moves(&position, moves);
        if (count < 2) break;
        EXPECT_OK(position_play(&position, moves[rng_below(&rng, count - 1)], err));
    }
    return position;
}

static inline Position random_position(int width, int height, uint64_t seed) {
    return position_after(width, height, width * height / 2, seed);
}
