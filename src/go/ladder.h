/* ladder.h - the ladders of a whole board, found in the fastest way that its size allows.
 * Threading: free functions. */
#pragma once
#include "go/ladder_reading.h"

/* Finds all ladders. Writes only the words of `*out` that a board of this size needs. */
void ladder_find(const Board *board, LadderMap *out);
/* Does the same with maps indexed by Point. `laddered` is 1 on the stones of chains that can be
 * captured in a ladder. `working` has the bit 1 << COLOR at points where the opponent's move
 * captures a chain of this color. */
void ladder_mark(const Board *board, uint8_t laddered[POINT_COUNT], uint8_t working[POINT_COUNT]);
