/* limits.h - what a caller sets for one search besides its settings: when it ends, and which
 * moves it must not consider. Threading: immutable. */
#pragma once
#include "go/point.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    /* limit on the visits of the root, those of a kept tree included; 0 means none */
    int64_t visits;
    int64_t playouts; /* limit on the visits that this search adds; 0 means none */
    /* the search runs in the opponent's time: the searching side is not to move at the root */
    bool pondering;
} SearchLimits;

/* Moves that the search does not consider near the root. A player does not consider a move before
 * `until` plies have been played since the root. Each move of each player has its own `until`. If
 * all legal moves of a node are to be avoided, the search considers all of them. KataGo,
 * docs/GTP_Extensions.md, "avoid" and "allow". */
typedef struct {
    uint16_t until[3][MOVES_MAX]; /* [Color][move_index()]; 0: the move is considered */
} SearchAvoid;
