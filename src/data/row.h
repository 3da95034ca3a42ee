/* row.h - training rows in memory, column by column as KataGo's .npz has them, and rows from a game. Values are the mover's.
 * Threading: confined. */
#pragma once
#include <stddef.h>
#include "base/rng.h"
#include "data/game_record.h"
#include "eval/features.h"

#define ROW_GLOBAL_TARGETS 80

typedef struct {
    int length;              /* L: boards are top-left in L x L; area A = L * L */
    size_t count, capacity;
    uint8_t *planes;         /* (N, 22, ceil(A / 8)), numpy's bit order */
    float *globals;          /* (N, 19) */
    int16_t *policy;         /* (N, 2, A + 1) */
    float *targets;          /* (N, 80), KataGo's globalTargetsNC */
    int8_t *score;           /* (N, 2 A + 120) */
    int8_t *values;          /* (N, 5, L, L) */
    int16_t *q_values;       /* (N, 3, A + 1) */
} Rows;

MUST_USE Status rows_init(Rows *rows, int length, Error *err);
void rows_clear(Rows *rows);
MUST_USE Status rows_append(Rows *rows, const Rows *from, size_t first, size_t count, Error *err);
/* Adds the rows of a finished game: floor(row_weight) copies and one more with the probability of the rest. `length`: at least the board's edge. */
MUST_USE Status rows_from_game(const GameRecord *record, Rng *rng, Rows *rows, Error *err);
/* ERR_ARGUMENT names row and column of the first value that cannot be: NaN, a policy target without weight, bits off the board ... */
MUST_USE Status rows_check(const Rows *rows, Error *err);
