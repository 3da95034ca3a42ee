/* board.h - a board with its stones, chains and liberties, without history or scoring. It is a
 * plain struct that may be copied by assignment. Threading: confined. */
#pragma once
#include "go/color.h"
#include "go/point.h"
#include <stdint.h>

typedef struct Board {
    int16_t width, height;
    uint8_t color[POINT_COUNT]; /* Color; COLOR_WALL off the board */
    /* One stone of each chain is its head. The four arrays below have a meaning only at stones, and
     * the last two of them only at heads. */
    int16_t chain_head[POINT_COUNT];
    int16_t chain_next[POINT_COUNT];      /* the next stone of the chain, in a circle */
    int16_t chain_liberties[POINT_COUNT]; /* number of liberties of the chain */
    int16_t chain_stones[POINT_COUNT];    /* number of stones of the chain */
    Point ko;        /* the point at which simple ko forbids the next move, or POINT_NONE */
    int captured[3]; /* [color]: stones of this color captured so far, suicides included */
    int stones;      /* number of stones on the board */
    uint64_t hash;   /* Zobrist hash of stones and size */
} Board;

/* Makes an empty board. ERR_ARGUMENT: a side is not 2 to BOARD_SIDE_MAX. */
MUST_USE Status board_init(Board *board, int width, int height, Error *err);
/* Does the same as *to = *from. If both boards have the same size, it saves time by copying only
 * those rows of the arrays that the board uses. `to` must hold a board or zeros. */
void board_copy(Board *to, const Board *from);
/* The number of 64-bit words that hold one bit for each point of a board. */
#define BOARD_WORDS_MAX ((BOARD_POINTS_MAX + 63) / 64)
static inline int board_words(const Board *board) {
    return (board->width * board->height + 63) / 64;
}

/* Whether this is a point of the board. POINT_PASS and POINT_NONE are not. */
bool board_on(const Board *board, Point point);

/* Whether a move is legal apart from superko, which position.h knows. `suicide` says whether
 * suicide of several stones is legal; suicide of a single stone never is. A pass is always
 * legal. */
bool board_is_legal(const Board *board, Point point, Color color, bool suicide);
/* Whether a stone on this empty point would capture nothing and be without liberties, alone or with
 * its chain. */
bool board_is_suicide(const Board *board, Point point, Color color);
bool board_is_ko_banned(const Board *board, Point point);
bool board_would_capture(const Board *board, Point point, Color color);

/* Plays a stone on an empty point, or a pass. The move must be legal apart from ko. Returns the
 * number of captured stones. If the move is a suicide that loses N stones, returns -N. */
int board_play(Board *board, Point point, Color color);
/* Sets up a position: places a stone without capturing, or removes one if `color` is COLOR_EMPTY.
 * Afterwards simple ko forbids no point. Returns false and changes nothing if a chain would be
 * without liberties or if the point is off the board. */
bool board_set(Board *board, Point point, Color color);
/* Does the same for all points in one call. `colors` is indexed by Point. */
bool board_set_all(Board *board, const uint8_t colors[POINT_COUNT]);
/* The hash that the board would have after this move, which must be legal apart from ko. */
uint64_t board_hash_after(const Board *board, Point point, Color color);
/* The number of liberties of the chain that holds the stone at `point`. */
int board_liberties(const Board *board, Point point);
/* Lists the liberties of this chain in no particular order, and returns how many it has. */
int board_list_liberties(const Board *board, Point point, Point out[BOARD_POINTS_MAX]);
/* Whether all neighbours of this point are stones of the color, or off the board. */
bool board_is_eye(const Board *board, Point point, Color color);
bool board_equal_stones(const Board *a, const Board *b);
