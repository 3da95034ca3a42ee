#include "data/rows/row_diversity.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* The planes of a row that show the board, the mover's stones and the opponent's stones. */
enum { BOARD_PLANES = 3 };

Status row_diversity_add(RowDiversity *diversity, const Rows *rows, size_t row, Error *err) {
    size_t bytes = ((size_t)rows->length * (size_t)rows->length + 7) / 8;
    const float *targets = rows->targets + row * ROW_GLOBAL_TARGETS;
    float step = targets[TARGET_TURN] / DIVERSITY_STEP;
    bool beside = !(targets[TARGET_WEIGHT_FUTURE] > 0);
    if (beside || !(step >= 1) || step > DIVERSITY_TURNS || step != (float)(int)step) return OK;
    Status status = mem_grow(&diversity->seen, &diversity->capacity, diversity->count + 1,
                             sizeof *diversity->seen, err);
    if (status) return status;
    const uint8_t *board = rows->planes + row * FEATURE_PLANES * bytes;
    diversity->seen[diversity->count++] =
        (SeenPosition){.position = hash_bytes(board, BOARD_PLANES * bytes, 1),
                       .game = hash_bytes(targets + TARGET_HASH, 6 * sizeof *targets, 1),
                       .turn = (int)step - 1};
    return OK;
}

void row_diversity_clear(RowDiversity *diversity) {
    free(diversity->seen);
    *diversity = (RowDiversity){0};
}

static int order_of(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

/* Sorts by turn, then by position, then by game. */
static int compare(const void *a, const void *b) {
    const SeenPosition *x = a, *y = b;
    if (x->turn != y->turn) return x->turn - y->turn;
    if (x->position != y->position) return order_of(x->position, y->position);
    return order_of(x->game, y->game);
}

void row_diversity_count(RowDiversity *diversity, SharedPositions out[DIVERSITY_TURNS]) {
    const SeenPosition *seen = diversity->seen;
    memset(out, 0, DIVERSITY_TURNS * sizeof *out);
    if (diversity->count) qsort(diversity->seen, diversity->count, sizeof *seen, compare);
    for (size_t first = 0, end; first < diversity->count; first = end) {
        int64_t games = 0;
        for (end = first; end < diversity->count && seen[end].turn == seen[first].turn &&
                          seen[end].position == seen[first].position;
             end++)
            games += end == first || seen[end].game != seen[end - 1].game;
        out[seen[first].turn].positions += games;
        if (games > 1) out[seen[first].turn].shared += games;
    }
}
