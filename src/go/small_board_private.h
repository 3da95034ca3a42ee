/* small_board_private.h - the functions of small_board.h for boards that fit into 64 bits and for
 * boards that fit into 128 bits. Threading: any thread. */
#pragma once
#include "go/area_options.h"
#include "go/board.h"
#include "go/ladder/ladder_reading.h"

void small_board_area_64(const Board *board, const AreaOptions *options, uint8_t area[POINT_COUNT]);
void small_board_area_128(const Board *board, const AreaOptions *options,
                          uint8_t area[POINT_COUNT]);
void small_board_ladders_64(const Board *board, LadderMap *out);
void small_board_ladders_128(const Board *board, LadderMap *out);
