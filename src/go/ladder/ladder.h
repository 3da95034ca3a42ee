/* ladder.h - the ladders of a whole board, found in the fastest way that its size allows.
 * Threading: any thread. */
#pragma once
#include "go/ladder/ladder_reading.h"

/* Finds all ladders. Afterwards only the words of `*out` that a board of this size needs have a
 * meaning. */
void ladder_find(const Board *board, LadderMap *out);
/* Does the same with maps indexed by Point. `laddered` is 1 on the stones of chains that can be
 * captured in a ladder. `working` has bits at points where a move captures a chain with two
 * liberties in a ladder: the bit 1 << COLOR_BLACK if White's move there captures a black chain, and
 * the bit 1 << COLOR_WHITE if Black's move there captures a white chain. */
void ladder_mark(const Board *board, uint8_t laddered[POINT_COUNT], uint8_t working[POINT_COUNT]);
