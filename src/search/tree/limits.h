/* limits.h - what a caller sets for one search besides its settings: when it ends, and which
 * moves it must not consider. Threading: immutable. */
#pragma once
#include "go/point.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t visits;   /* of the root, kept ones included; 0: no limit */
    int64_t playouts; /* of this search; 0: no limit */
    double seconds;   /* 0: no limit */
    /* the search thinks in the opponent's time: it is for the side that is not to move */
    bool pondering;
} SearchLimits;

/* Moves that are not considered, by color and move_index(), while fewer than `until` plies have
 * been played since the root. Where they are the only legal moves they are considered all the
 * same. KataGo, docs/GTP_Extensions.md, "avoid" and "allow". */
typedef struct {
    uint16_t until[3][MOVES_MAX]; /* [Color]; 0: considered */
} SearchAvoid;
