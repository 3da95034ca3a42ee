/* limits.h - what a caller asks of one search besides its settings: when it ends, and which moves
 * it does not consider. Threading: immutable. */
#pragma once
#include "go/point.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t visits;   /* of the root, reused ones included; 0: none */
    int64_t playouts; /* new ones; 0: none */
    double seconds;   /* 0: none */
    bool pondering;   /* for the opponent of who is to move at the root */
} SearchLimits;

/* Moves that are not considered: by color and move_index(), as long as fewer than `until` plies
 * were played since the root. Where nothing else is legal they are considered all the same. KataGo,
 * docs/GTP_Extensions.md, "avoid" and "allow". */
typedef struct {
    uint16_t until[3][MOVES_MAX]; /* [Color]; 0: considered */
} SearchAvoid;
