/* restriction.h - turns the restrictions "avoid" and "allow" of GTP and JSON into moves that a
 * search avoids. Start from {0}, and call restriction_add() for each restriction of the client.
 * Threading: confined. */
#pragma once
#include "search/core/search.h"

typedef struct {
    SearchAvoid avoid;
    bool avoided[3], allowed[3]; /* by color: whether such a restriction was added */
} Restriction;

/* Forbids `color` to play the marked moves or, if `allow`, all moves that are not marked. This
 * holds in the first `depth` plies of the tree. marks[move_count] is indexed by move_index().
 * Returns false, and changes nothing, if `color` has an `allow` already, or if this is an `allow`
 * and `color` has another restriction already. */
bool restriction_add(Restriction *restriction, Color color, const bool *marks, int move_count,
                     bool allow, long long depth);
