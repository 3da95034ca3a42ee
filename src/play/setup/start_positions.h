/* start_positions.h - positions of SGF games for self-play to begin at. Threading: confined. */
#pragma once
#include "base/rng.h"
#include "go/position.h"

typedef struct StartPositions StartPositions;
typedef struct {
    const char *folder; /* folder of .sgf and .sgfs files, whose main lines are used */
    int max_board_size; /* games on larger boards are left out */
    double turn_decay;  /* the position after t moves has the weight exp(-t turn_decay) */
    bool hints;         /* use only positions before a move whose comment has %HINT% */
} StartPositionsSetup;
/* Loads the games of the folder. Those that cannot be read are skipped with a warning in the
 * log. ERR_ARGUMENT: no game of the folder has a position to begin at. */
MUST_USE Status start_positions_load(const StartPositionsSetup *setup, StartPositions **out,
                                     Error *err);
void start_positions_free(StartPositions *starts); /* NULL is fine */
/* Draws a position by its weight and plays its moves under `rules`. `*out`, which is {0} or
 * initialised, receives the position with its history. Under these rules the game may already be
 * over at this position.
 * `*hint` is set to the next move if the comment of that move has %HINT%, otherwise to POINT_NONE.
 * ERR_ILLEGAL: under these rules a move before the position is illegal. */
MUST_USE Status start_positions_draw(const StartPositions *starts, const Rules *rules, Rng *rng,
                                     Position *out, Point *hint, Error *err);
