/* small_board.h - areas and ladders of boards that fit into 64 or 128 bits. Each point takes one
 * bit, and so does the gap after each row (see bits_body.h). Threading: any thread. */
#pragma once
#include "go/area_options.h"
#include "go/board.h"
#include "go/ladder/ladder_reading.h"

/* Whether the board is small enough. Boards of 10x11 and 11x10 are; a board of 11x11 is not. */
static inline bool small_board_fits(const Board *board) {
    return board->height * (board->width + 1) <= 128;
}

/* Marks areas as area_compute() does. */
void small_board_area(const Board *board, const AreaOptions *options, uint8_t area[POINT_COUNT]);
/* Does the same as ladder_reading_find(). */
void small_board_ladders(const Board *board, LadderMap *out);
