/* board.h - stones, chains and liberties; no history, no scoring. A plain struct: copy by
 * assignment. Threading: confined. */
#pragma once
#include "go/color.h"
#include "go/point.h"
#include <stdint.h>

typedef struct Board {
    int16_t width, height;
    uint8_t color[POINT_COUNT]; /* Color; COLOR_WALL off the board */
    /* A chain is known by its head, one of its stones. The values of points without a stone, and
     * below of stones that are no head, mean nothing. */
    int16_t chain_head[POINT_COUNT];
    int16_t chain_next[POINT_COUNT];      /* circular list of the stones of a chain */
    int16_t chain_liberties[POINT_COUNT]; /* of the chain, at its head */
    int16_t chain_stones[POINT_COUNT];    /* of the chain, at its head */
    Point ko;        /* simple ko: the point that may not be retaken at once, or POINT_NONE */
    int captured[3]; /* by Color: stones of that color taken from the board so far */
    int stones;      /* on the board */
    uint64_t hash;   /* of stones and size (Zobrist); equal boards have equal hashes */
} Board;

/* An empty board. ERR_ARGUMENT: a side is not 2 to BOARD_SIDE_MAX. */
MUST_USE Status board_init(Board *board, int width, int height, Error *err);
/* *to = *from; where both have the same size, only what lies on the board is copied. `to` must hold
 * a board or zeros. */
void board_copy(Board *to, const Board *from);
/* How many words of 64 bits hold the points of a board, a point being bit y * width + x. */
#define BOARD_WORDS_MAX ((BOARD_POINTS_MAX + 63) / 64)
static inline int board_words(const Board *board) {
    return (board->width * board->height + 63) / 64;
}

/* Whether it is a point of this board; the pass and POINT_NONE are not. */
bool board_on(const Board *board, Point point);

/* Whether stones, liberties, the rule of suicide and the simple ko allow the move; superko is the
 * concern of Position. `suicide`: whether several stones may take their own last liberty; a single
 * one never may. A pass is always legal. */
bool board_is_legal(const Board *board, Point point, Color color, bool suicide);
/* Whether a stone on this empty point would have no liberty, alone or with its chain. */
bool board_is_suicide(const Board *board, Point point, Color color);
bool board_is_ko_banned(const Board *board, Point point);
bool board_would_capture(const Board *board, Point point, Color color);

/* Plays a stone on an empty point, or a pass: captures, then the ko point. The move must be legal
 * but for the ko. Returns the number of stones captured; a suicide counts the own stones,
 * negative. */
int board_play(Board *board, Point point, Color color);
/* Setup: places or (COLOR_EMPTY) removes a stone without capture. False, and nothing changes: a
 * chain would be without liberty, or the point is off the board. */
bool board_set(Board *board, Point point, Color color);
/* The same for the whole board at once, `colors` indexed by Point (COLOR_WALL off the board). */
bool board_set_all(Board *board, const uint8_t colors[POINT_COUNT]);
/* The hash that the board would have after this move, which must be legal but for the ko. */
uint64_t board_hash_after(const Board *board, Point point, Color color);
/* Of the chain that the stone at `point` belongs to; the list has no order. */
int board_liberties(const Board *board, Point point);
int board_list_liberties(const Board *board, Point point, Point out[BOARD_POINTS_MAX]);
bool board_equal_stones(const Board *a, const Board *b);
