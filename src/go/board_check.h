/* board_check.h - a slow check, for tests, that the members of a board agree with each other.
 * Threading: any thread. */
#pragma once
#include "go/board.h"

/* Computes walls, chains, liberties, counts of stones and the hash anew from the colors of the
 * points and compares them with the members of the board. Also checks that the head of each chain
 * is one of its stones, that each chain has a liberty, and that the ko point is possible.
 * ERR_ARGUMENT: a check fails; the message says which and, if it concerns a point, where. */
MUST_USE Status board_check(const Board *board, Error *err);
