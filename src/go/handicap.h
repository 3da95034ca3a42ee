/* handicap.h - the fixed points of GTP. Immutable. */
#pragma once
#include "go/board.h"

/* GTP's fixed_handicap table (2..9 by board size). Returns how many, 0 if this size or count has
 * none. */
int handicap_fixed(int width, int height, int stones, Point out[9]);
/* The most stones that a board of this size has such points for; 0: none. */
int handicap_fixed_most(int width, int height);
