/* position_seed.h - a position stored as its start and its moves, so that archives of thousands of
 * positions stay small. Threading: confined. */
#pragma once
#include "go/position.h"

typedef struct {
    int16_t width, height;
    uint8_t colors[POINT_COUNT]; /* of the start board */
    /* Stones captured before the start, by color; territory scoring counts them. */
    int captured[3];
    Color mover;      /* player of the first move */
    int encore_phase; /* encore phase of the start; not used under area scoring */
    Rules rules;
    int32_t *moves; /* point * 4 + color; owned */
    int move_count;
    /* In an archive, says whether the game which begins here is a fork whose first move is the best
     * of some random moves (fork_plan.h). */
    bool late_fork;
} PositionSeed;

/* Stores a position; `*out` is overwritten. */
MUST_USE Status position_seed_make(const Position *position, PositionSeed *out, Error *err);
void position_seed_clear(PositionSeed *seed); /* {0} is fine */
/* Rebuilds the position with its whole history, under `rules`, or under its own rules if `rules` is
 * NULL. Moves that these rules forbid are played as in GTP (position_play_tolerant()). `*out` is
 * {0} or initialised. ERR_ILLEGAL: a move cannot be played; `*out` is then the position before
 * it. */
MUST_USE Status position_seed_restore(const PositionSeed *seed, const Rules *rules, Position *out,
                                      Error *err);
