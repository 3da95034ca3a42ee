/* large_board.h - areas of boards that are too large for small_board.h, with one bit for each
 * point. Threading: any thread. */
#pragma once
#include "go/area_options.h"
#include "go/board.h"

/* Marks areas as area_compute() does, on a board of any size. */
void large_board_area(const Board *board, const AreaOptions *options, uint8_t area[POINT_COUNT]);
