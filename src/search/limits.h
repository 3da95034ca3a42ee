/* limits.h - when a search ends. Threading: immutable. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t visits;   /* of the root, reused ones included; 0: none */
    int64_t playouts; /* new ones; 0: none */
    double seconds;   /* 0: none */
    bool pondering;   /* for the opponent of who is to move at the root */
} SearchLimits;
