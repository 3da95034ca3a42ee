/* handicap.h - the fixed points of handicap stones in GTP. Immutable. */
#pragma once
#include "go/board.h"

/* Lists the points for `stones` handicap stones, in the order of GTP's command fixed_handicap.
 * Returns `stones`, or 0 if a board of this size has no fixed points for that number. */
int handicap_fixed(int width, int height, int stones, Point out[9]);
/* The maximum number of stones for which a board of this size has fixed points, or 0 if it has
 * none. */
int handicap_fixed_max(int width, int height);
