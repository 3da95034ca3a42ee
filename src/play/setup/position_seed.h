/* position_seed.h - a position as its start and its moves: small enough for archives of thousands.
 * Threading: confined. */
#pragma once
#include "go/position.h"

typedef struct {
    int16_t width, height;
    uint8_t colors[POINT_COUNT]; /* of the start board */
    int captured[3];             /* before it, by color; territory scoring counts them */
    Color mover;                 /* of its first move */
    int encore_phase;            /* of the start; under area scoring there is none */
    Rules rules;
    int32_t *moves; /* point * 4 + color; owned */
    int move_count;
    bool late_fork; /* of an archive: the game that begins here leaves the old one by the best of
                       some moves */
} PositionSeed;

/* `*out` is overwritten. */
MUST_USE Status position_seed_make(const Position *position, PositionSeed *out, Error *err);
void position_seed_clear(PositionSeed *seed); /* {0} is fine */
/* The position with its whole history, under `rules` (NULL: its own). Moves that strict rules
 * forbid are played as in GTP. `*out` is {0} or initialised. ERR_ILLEGAL: a move cannot be played;
 * the position before it is there. */
MUST_USE Status position_seed_restore(const PositionSeed *seed, const Rules *rules, Position *out,
                                      Error *err);
