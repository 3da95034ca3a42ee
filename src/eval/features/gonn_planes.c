/* The planes of version 7 have the stones, so a board with the same stones is set up, on which the
 * mover is Black. Outline:
 *   1. Copy or combine what the planes already show.
 *   2. Count liberties on the board: those of chains, and those of a new stone on each empty point.
 *   3. Read the ladders of the mover's own chains. The planes show which chains can be captured in
 *      a ladder, but the first moves only of ladders against the opponent. */
#include "eval/features/gonn_planes.h"

#include <stdbool.h>
#include <string.h>

#include "eval/features/features.h"
#include "go/ladder/ladder.h"

enum { BOARD, OWN, OTHER, LIBERTIES, BANNED = 6, LADDERS = 14, WORKING = 17 }; /* of version 7 */
enum { CHAIN_LIBERTIES_MAX = 4, AFTER_MAX = 3 };

typedef struct {
    const float *planes;
    float *out;
    int width;     /* of the buffer */
    int top, left; /* of the board in the buffer */
    Board board;
} Encoding;

static int cell_of(const Encoding *e, Point point) {
    return (e->top + point_y(point)) * e->width + e->left + point_x(point);
}

static bool shows(const Encoding *e, Point point, int plane) {
    return e->planes[cell_of(e, point) * FEATURE_PLANES + plane] > 0.5f;
}

static void set(const Encoding *e, Point point, int plane) {
    e->out[cell_of(e, point) * GONN_PLANES + plane] = 1;
}

/* Whether each neighbour of an empty point is a stone of White or off the board, and one of the
 * stones is a chain of its own whose only liberty is this point. Then Black could take a ko. */
static bool is_ko(const Board *board, Point point) {
    bool takes = false;
    for (int i = 0; i < 4; i++) {
        Point near = point + POINT_STEPS[i];
        if (board->color[near] == COLOR_EMPTY || board->color[near] == COLOR_BLACK) return false;
        takes |= board->color[near] == COLOR_WHITE && board_liberties(board, near) == 1 &&
                 board->chain_stones[board->chain_head[near]] == 1;
    }
    return takes;
}

/* Finds the point at which simple ko forbids the mover to play. Superko may forbid further points.
 * If it cannot be told which of them simple ko forbids, there is none. */
static Point find_ko(const Encoding *e) {
    Point ko = POINT_NONE;
    for (int y = 0; y < e->board.height; y++) {
        for (Point p = point_at(0, y); p < point_at(e->board.width, y); p++) {
            if (!shows(e, p, BANNED) || e->board.color[p] != COLOR_EMPTY || !is_ko(&e->board, p))
                continue;
            if (ko != POINT_NONE) return POINT_NONE;
            ko = p;
        }
    }
    return ko;
}

/* Sets up the board from the rectangle of cells that are on it. Returns false if there is no such
 * position. */
static bool set_board(Encoding *e, int height) {
    uint8_t colors[POINT_COUNT];
    int right = -1, bottom = -1;
    e->left = e->width;
    e->top = height;
    for (int i = 0; i < height * e->width; i++) {
        int x = i % e->width, y = i / e->width;
        if (!(e->planes[i * FEATURE_PLANES + BOARD] > 0.5f)) continue;
        if (x < e->left) e->left = x;
        if (y < e->top) e->top = y;
        if (x > right) right = x;
        if (y > bottom) bottom = y;
    }
    if (board_init(&e->board, right - e->left + 1, bottom - e->top + 1, NULL)) return false;
    memcpy(colors, e->board.color, sizeof colors);
    for (int y = 0; y < e->board.height; y++) {
        for (Point p = point_at(0, y); p < point_at(e->board.width, y); p++)
            colors[p] = shows(e, p, OWN)     ? COLOR_BLACK
                        : shows(e, p, OTHER) ? COLOR_WHITE
                                             : COLOR_EMPTY;
    }
    if (!board_set_all(&e->board, colors)) return false;
    e->board.ko = find_ko(e);
    return true;
}

/* The result of a move to an empty point: which chains it captures, and which liberties the chain
 * of the new stone then has. */
typedef struct {
    const Board *board;
    Point point;
    Color color;
    Point heads[4]; /* of the chains that it captures */
    int captured;
    Point liberties[AFTER_MAX + 1];
    int count; /* of the liberties, at most AFTER_MAX + 1 */
} Stone;

static bool is_captured(const Stone *stone, Point point) {
    const Board *board = stone->board;
    if (board->color[point] != color_other(stone->color)) return false;
    for (int i = 0; i < stone->captured; i++) {
        if (stone->heads[i] == board->chain_head[point]) return true;
    }
    return false;
}

/* Counts a point as a liberty if it is empty after the captures. */
static void add_liberty(Stone *stone, Point point) {
    bool empty = stone->board->color[point] == COLOR_EMPTY && point != stone->point;
    if (stone->count > AFTER_MAX || (!empty && !is_captured(stone, point))) return;
    for (int i = 0; i < stone->count; i++) {
        if (stone->liberties[i] == point) return;
    }
    stone->liberties[stone->count++] = point;
}

/* Returns how many liberties a stone on an empty point has, but not more than AFTER_MAX + 1. If it
 * captures nothing and has no liberties, the result is 0. */
static int liberties_after(const Board *board, Point point, Color color) {
    Stone stone = {.board = board, .point = point, .color = color};
    for (int i = 0; i < 4; i++) {
        Point near = point + POINT_STEPS[i];
        if (board->color[near] == color_other(color) && board_liberties(board, near) == 1)
            stone.heads[stone.captured++] = board->chain_head[near];
    }
    for (int i = 0; i < 4; i++)
        add_liberty(&stone, point + POINT_STEPS[i]);
    for (int i = 0; i < 4; i++) {
        Point near = point + POINT_STEPS[i], at = near;
        if (board->color[near] != color) continue;
        do {
            for (int k = 0; k < 4; k++)
                add_liberty(&stone, at + POINT_STEPS[k]);
            at = board->chain_next[at];
        } while (at != near && stone.count <= AFTER_MAX);
    }
    return stone.count;
}

static void encode_empty_point(const Encoding *e, Point point) {
    for (int side = 0; side < 2; side++) {
        int count = liberties_after(&e->board, point, side ? COLOR_WHITE : COLOR_BLACK);
        if (count >= 1 && count <= AFTER_MAX)
            set(e, point, GONN_AFTER + AFTER_MAX * side + count - 1);
    }
}

static void encode_stone(const Encoding *e, Point point) {
    const Board *board = &e->board;
    bool own = board->color[point] == COLOR_BLACK;
    int liberties = board_liberties(board, point), count = 0;
    if (liberties == CHAIN_LIBERTIES_MAX)
        set(e, point, GONN_LIBERTIES + (own ? 0 : CHAIN_LIBERTIES_MAX) + liberties - 1);
    if (!own || liberties != 2 || board->chain_head[point] != point || !shows(e, point, LADDERS))
        return;
    Point moves[2];
    ladder_captures(board, point, false, moves, &count);
    for (int i = 0; i < count; i++)
        set(e, moves[i], GONN_WORKING);
}

/* Sets what the planes of version 7 show of one cell. */
static void encode_cell(const float *from, float *to) {
    bool own = from[OWN] > 0.5f, other = from[OTHER] > 0.5f;
    to[GONN_BOARD] = from[BOARD] > 0.5f;
    to[GONN_OWN] = own;
    to[GONN_OWN + 1] = other;
    for (int i = 0; i < CHAIN_LIBERTIES_MAX - 1; i++) {
        bool has = from[LIBERTIES + i] > 0.5f;
        to[GONN_LIBERTIES + i] = has && own;
        to[GONN_LIBERTIES + CHAIN_LIBERTIES_MAX + i] = has && other;
    }
    to[GONN_KO] = from[BANNED] > 0.5f;
    for (int i = 0; i < 5; i++)
        to[GONN_HISTORY + i] = from[FEATURE_PLANE_HISTORY + i];
    bool laddered = from[LADDERS] > 0.5f, atari = from[LIBERTIES] > 0.5f;
    to[GONN_ATARI] = laddered && atari;
    to[GONN_LADDER] = laddered && !atari;
    to[GONN_WORKING] = from[WORKING] > 0.5f;
}

void gonn_planes_encode(const float *planes, int height, int width, float *out) {
    Encoding e = {.planes = planes, .out = out, .width = width};
    size_t cells = (size_t)(height * width);
    memset(out, 0, cells * GONN_PLANES * sizeof *out);
    for (size_t i = 0; i < cells; i++)
        encode_cell(planes + i * FEATURE_PLANES, out + i * GONN_PLANES);
    if (!set_board(&e, height)) return;
    for (int y = 0; y < e.board.height; y++) {
        for (Point p = point_at(0, y); p < point_at(e.board.width, y); p++) {
            if (e.board.color[p] == COLOR_EMPTY)
                encode_empty_point(&e, p);
            else
                encode_stone(&e, p);
        }
    }
}
