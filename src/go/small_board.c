#include "go/small_board.h"

#include <assert.h>

#include "go/small_board_private.h"

static bool fits_64(const Board *board) {
    return board->height * (board->width + 1) <= 64;
}

void small_board_area(const Board *board, const AreaOptions *options, uint8_t area[POINT_COUNT]) {
    assert(small_board_fits(board));
    (fits_64(board) ? small_board_area_64 : small_board_area_128)(board, options, area);
}

void small_board_ladders(const Board *board, LadderMap *out) {
    assert(small_board_fits(board));
    (fits_64(board) ? small_board_ladders_64 : small_board_ladders_128)(board, out);
}
