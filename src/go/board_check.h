/* board_check.h - whether a board is what its own fields claim. For tests: it is slow. Threading:
 * free functions. */
#pragma once
#include "go/board.h"

/* Compares everything that a board keeps up from move to move with what its colors say: walls,
 * chains and their heads, liberties, counts of stones, the hash, the ko point. ERR_ARGUMENT: they
 * differ, and the message says where. */
MUST_USE Status board_check(const Board *board, Error *err);
