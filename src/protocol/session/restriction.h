/* restriction.h - turns the "avoid" and "allow" of GTP and JSON into moves that a search avoids.
 * Start from {0}, and call restriction_add() for each of the client's restrictions.
 * Threading: confined. */
#pragma once
#include "search/core/search.h"

typedef struct {
    SearchAvoid avoid;
    bool avoided[3], allowed[3]; /* by color: such a restriction was added */
} Restriction;

/* Keeps `color` from the marked moves, or with `allow` from all others, for `depth` plies.
 * marks[move_count]: by move_index(). false: the client has used `allow` twice for a color, or both
 * `allow` and `avoid`. */
bool restriction_add(Restriction *restriction, Color color, const bool *marks, int move_count,
                     bool allow, long long depth);
