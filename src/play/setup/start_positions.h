/* start_positions.h - positions of SGF games for self-play to begin at. Threading: confined. */
#pragma once
#include "base/rng.h"
#include "go/position.h"

typedef struct StartPositions StartPositions;
typedef struct {
    const char *folder; /* its .sgf and .sgfs files: their longest variations */
    int max_board_size; /* games on larger boards are left out */
    double turn_decay;  /* a position after t moves comes in proportion to exp(-t turn_decay) */
    bool hints;         /* only positions before a move whose comment has %HINT% */
} StartPositionsSetup;
/* Games that cannot be read are passed over with a line in the log. ERR_ARGUMENT: no position is
 * there. */
MUST_USE Status start_positions_load(const StartPositionsSetup *setup, StartPositions **out,
                                     Error *err);
void start_positions_free(StartPositions *starts); /* NULL is fine */
/* One by its weight, under `rules`, with its history. *hint: the move of a hint, else POINT_NONE.
 * `*out` is {0} or initialised. The game may be over by these rules; ERR_ILLEGAL: they do not let
 * it come so far. */
MUST_USE Status start_positions_draw(const StartPositions *starts, const Rules *rules, Rng *rng,
                                     Position *out, Point *hint, Error *err);
