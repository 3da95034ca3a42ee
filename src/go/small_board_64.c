/* Boards that fit into 64 bits, the gaps of bits_body.h included. */
#include <assert.h>

#include "go/bits.h"
#include "go/small_board_private.h"

typedef uint64_t Bits;
#include "go/bits_body.h"

#include "go/area_bits_body.h"
#include "go/ladder/ladder_bits_body.h"

void small_board_area_64(const Board *board, const AreaOptions *options,
                         uint8_t area[POINT_COUNT]) {
    mark_area(board, options, area);
}

void small_board_ladders_64(const Board *board, LadderMap *out) {
    find_ladders(board, out);
}
