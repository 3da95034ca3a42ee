/* board_check.h - a slow check, for tests, that the members of a board agree with each other.
 * Threading: free functions. */
#pragma once
#include "go/board.h"

/* Computes walls, chains and their heads, liberties, counts of stones and the hash anew from the
 * colors of the points and compares them with the members of the board. Also checks that the ko
 * point is possible. ERR_ARGUMENT: they differ, and the message says where. */
MUST_USE Status board_check(const Board *board, Error *err);
