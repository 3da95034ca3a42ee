/* random_move.h - games of random play for tests. */
#pragma once
#include "base/rng.h"
#include "go/position.h"

/* Returns a move that lifts a ko block, if there is one, and otherwise a random legal move, which
 * may be the pass. */
static inline Point random_move_of_encore(Rng *rng, const Position *position) {
    Point moves[MOVES_MAX];
    int count = position_legal_moves(position, moves);
    for (int i = count - 1; i >= 0; i--) {
        if (position_is_pass_for_ko(position, moves[i])) return moves[i];
    }
    return moves[rng_below(rng, count)];
}
