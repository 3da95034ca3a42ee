/* ladder.h - the ladders of a whole board, found in the fastest way that its size allows.
 * Threading: any thread. */
#pragma once
#include "go/ladder_reading.h"

/* Finds all ladders. Afterwards only the words of `*out` that a board of this size needs have a
 * meaning. */
void ladder_find(const Board *board, LadderMap *out);
/* Does the same with maps indexed by Point. `laddered` is 1 on the stones of chains that can be
 * captured in a ladder. `working` has the bit 1 << COLOR_BLACK at points where White's move
 * captures a black chain with two liberties in a ladder, and the bit 1 << COLOR_WHITE at points
 * where Black's move captures such a white chain. */
void ladder_mark(const Board *board, uint8_t laddered[POINT_COUNT], uint8_t working[POINT_COUNT]);
