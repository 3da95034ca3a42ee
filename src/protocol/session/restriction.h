/* restriction.h - turns the "avoid" and "allow" of GTP and JSON into moves that a search avoids.
 * Start from {0}, and call restriction_add() for each of the client's restrictions.
 * Threading: confined. */
#pragma once
#include "search/core/search.h"

typedef struct {
    SearchAvoid avoid;
    bool avoided[3], allowed[3]; /* by color: such a restriction was added */
} Restriction;

/* Forbids `color` the marked moves, or with `allow` all others, in the first `depth` plies of the
 * tree. marks[move_count]: by move_index(). false: `allow` was used twice for this color, or with
 * `avoid`. */
bool restriction_add(Restriction *restriction, Color color, const bool *marks, int move_count,
                     bool allow, long long depth);
