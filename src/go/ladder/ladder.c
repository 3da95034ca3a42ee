#include "go/ladder/ladder.h"

#include <string.h>

#include "go/small_board.h"

void ladder_find(const Board *board, LadderMap *out) {
    if (small_board_fits(board))
        small_board_ladders(board, out);
    else
        ladder_reading_find(board, out);
}

static uint8_t bit_of(const uint64_t *words, int index) {
    return (uint8_t)(words[index >> 6] >> (index & 63) & 1);
}

void ladder_mark(const Board *board, uint8_t laddered[POINT_COUNT], uint8_t working[POINT_COUNT]) {
    LadderMap map;
    ladder_find(board, &map);
    memset(laddered, 0, POINT_COUNT);
    memset(working, 0, POINT_COUNT);
    for (int y = 0, index = 0; y < board->height; y++) {
        for (int x = 0; x < board->width; x++, index++) {
            Point point = point_at(x, y);
            laddered[point] = bit_of(map.laddered, index);
            working[point] = (uint8_t)(bit_of(map.working[0], index) << COLOR_BLACK |
                                       bit_of(map.working[1], index) << COLOR_WHITE);
        }
    }
}
