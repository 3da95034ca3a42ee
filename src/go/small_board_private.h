/* small_board_private.h - small_board.h for each width of a word: boards of up to 64 and of up to
 * 128 points and gaps. Threading: free functions. */
#pragma once
#include "go/benson.h"
#include "go/ladder_reading.h"

void small_board_area_64(const Board *board, const AreaOptions *options, uint8_t area[POINT_COUNT]);
void small_board_area_128(const Board *board, const AreaOptions *options,
                          uint8_t area[POINT_COUNT]);
void small_board_ladders_64(const Board *board, LadderMap *out);
void small_board_ladders_128(const Board *board, LadderMap *out);
