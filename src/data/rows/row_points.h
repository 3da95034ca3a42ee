/* row_points.h - the table of the optional columns of rows that have one number for each point.
 * Rows have such a column only if it is asked for. Loaders and trainers hand a column to the losses
 * that need it. Threading: immutable. */
#pragma once
#include "base/settings.h"
#include <stdint.h>

typedef enum {
    /* The next occupant of a point is the color of the next stone that comes to stand on the point,
     * from the move of this turn on. If there is a stone on the point now, the next occupant is the
     * stone that follows it after it is captured. A stone that is removed by its own move (suicide)
     * does not count. The numbers are NextOccupant. */
    ROW_NEXT_OCCUPANT,
    /* How many more moves the stone on a point stays on the board: the number of moves, passes
     * included, from the move of this turn to the move that removes the stone, which counts too. So
     * it is 1 if the move of this turn removes the stone. 0 means that there is no stone, or that
     * the number is not known. */
    ROW_TIME_ON_BOARD,
    /* The chain to which a point belongs at the end of the game. Two points have the same number
     * from SAME_CHAIN_FIRST on if and only if stones of one chain stand on them then. The numbers
     * say nothing else, so no symmetry changes them. 0 means not known. */
    ROW_SAME_CHAIN,
    ROW_POINT_COLUMNS
} RowPointColumn;

typedef enum {
    NEXT_OCCUPANT_UNKNOWN,
    NEXT_OCCUPANT_MOVER, /* a stone of the player to move in the row */
    NEXT_OCCUPANT_OPPONENT,
    NEXT_OCCUPANT_NOBODY, /* in the rest of the game, no other stone comes to stand on the point */
    NEXT_OCCUPANTS
} NextOccupant;

enum { TIME_ON_BOARD_ALWAYS = INT16_MAX }; /* the stone stays to the end of the game */

enum {
    SAME_CHAIN_NONE = 1,  /* no stone stands on the point at the end */
    SAME_CHAIN_FIRST = 2, /* plus the index of the chain's first point on a 19x19 board */
    SAME_CHAIN_MAX = SAME_CHAIN_FIRST + 19 * 19 - 1
};

typedef struct {
    const char *name; /* of the array in row files */
    int max;          /* the numbers are from 0, which means that nothing is known, to this */
} RowPointClass;
extern const RowPointClass ROW_POINT_CLASSES[ROW_POINT_COLUMNS];

/* Which of the columns rows get. */
typedef struct {
    bool next_occupant, time_on_board, same_chain;
} RowPointSettings;
extern const SettingsField ROW_POINT_FIELDS[]; /* in the order of RowPointColumn */
/* Returns the set of columns that the settings ask for. Column c is the bit 1 << c. `settings` may
 * be NULL. */
unsigned row_points_wanted(const RowPointSettings *settings);
