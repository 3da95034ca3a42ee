/* ladder.h - ladders of a whole board, found the fastest way. Threading: free functions. */
#pragma once
#include "go/ladder_reading.h"

/* Only the words that the board needs are written. */
void ladder_find(const Board *board, LadderMap *out);
/* The same as bytes indexed by Point: `laddered` is 1 on stones of captured chains, and `working`
 * has the bits 1 << Color of the chains that an attacker's move at this point captures. */
void ladder_mark(const Board *board, uint8_t laddered[POINT_COUNT], uint8_t working[POINT_COUNT]);
