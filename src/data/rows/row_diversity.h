/* row_diversity.h - how many positions the games of training rows have in common. In p3achygo's
 * journal the share of root positions that games have in common measures how diverse self-play is.
 * Begin with {0}, call row_diversity_add() for each row, then row_diversity_count() and
 * row_diversity_clear(). Threading: confined. */
#pragma once
#include "data/rows/row.h"

/* The positions at the turns DIVERSITY_STEP, 2 DIVERSITY_STEP and so on are compared, up to
 * DIVERSITY_TURNS of these turns. */
enum { DIVERSITY_STEP = 10, DIVERSITY_TURNS = 20 };

/* A position of a game. */
typedef struct {
    uint64_t position, game; /* hashes */
    int turn;                /* in units of DIVERSITY_STEP, less 1 */
} SeenPosition;

typedef struct {
    SeenPosition *seen;
    size_t count, capacity;
} RowDiversity;
/* Notes the position of a row if its turn is one of those that are compared. Rows of side positions
 * (game_record.h) are passed over. ERR_MEMORY. */
MUST_USE Status row_diversity_add(RowDiversity *diversity, const Rows *rows, size_t row,
                                  Error *err);
void row_diversity_clear(RowDiversity *diversity);

typedef struct {
    int64_t positions; /* at this turn; several rows of one position in a game count once */
    int64_t shared;    /* those of them that at least one other game has at this turn */
} SharedPositions;
/* Counts the positions of each turn. Positions are the same if they have the same stones, seen from
 * the player to move; symmetries are not looked for. Call it after the last row. */
void row_diversity_count(RowDiversity *diversity, SharedPositions out[DIVERSITY_TURNS]);
