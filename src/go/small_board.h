/* small_board.h - areas and ladders of boards whose points fit into one or two words, a bit a
 * point. They give the same answers as benson.h and ladder_reading.h, faster. Threading: free
 * functions. */
#pragma once
#include "go/benson.h"
#include "go/ladder_reading.h"

/* Up to 11x10. */
static inline bool small_board_fits(const Board *board) {
    return board->height * (board->width + 1) <= 128;
}

/* As benson_area(). */
void small_board_area(const Board *board, const AreaOptions *options, uint8_t area[POINT_COUNT]);
/* As ladder_reading_find(). */
void small_board_ladders(const Board *board, LadderMap *out);
