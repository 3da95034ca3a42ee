/* board_places.h - where the board of a sample lies in its buffer, for ops whose weights belong to
 * places on the board. Places count from the first row and column that have a cell on the mask. So
 * the results for a board do not depend on its position in the buffer. Threading: free functions
 * without state. */
#pragma once
#include "nn/ops/op.h"

enum { BOARD_SIDE_MAX = 19 };

/* The result of board_places(). */
typedef struct {
    const float *mask; /* of the sample */
    size_t first;      /* index of the sample's first cell among the cells of all samples */
    int row, column;   /* the first row and column of the buffer that have a cell on the mask */
    int height, width; /* of the board; 0 if no cell is on the mask */
} BoardPlaces;

static inline BoardPlaces board_places(const OpCall *call, int sample) {
    int cells = call->height * call->width;
    size_t first = (size_t)sample * (size_t)cells;
    BoardPlaces board = {call->mask + first, first, call->height, call->width, 0, 0};
    int last_row = -1, last_column = -1;
    for (int cell = 0; cell < cells; cell++) {
        int row = cell / call->width, column = cell % call->width;
        if (board.mask[cell] == 0) continue;
        if (row < board.row) board.row = row;
        if (column < board.column) board.column = column;
        if (row > last_row) last_row = row;
        if (column > last_column) last_column = column;
    }
    if (last_row < 0) return board;
    board.height = last_row - board.row + 1;
    board.width = last_column - board.column + 1;
    return board;
}

/* Returns the index that a cell has among the points of a board of side x side. Returns -1 if the
 * cell is off the mask, or if its row or column on the board is `side` or more. */
static inline int board_point(const OpCall *call, const BoardPlaces *board, int cell, int side) {
    int row = cell / call->width - board->row, column = cell % call->width - board->column;
    return board->mask[cell] == 0 || row >= side || column >= side ? -1 : row * side + column;
}
