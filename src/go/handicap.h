/* handicap.h - the fixed points of GTP. Immutable. */
#pragma once
#include "go/board.h"

/* The points of GTP's fixed_handicap, in its order. Returns how many these are: `stones`, or 0
 * where a board of this size has no such points for so many. */
int handicap_fixed(int width, int height, int stones, Point out[9]);
/* The largest number of stones that a board of this size has fixed points for; 0: it has none. */
int handicap_fixed_max(int width, int height);
