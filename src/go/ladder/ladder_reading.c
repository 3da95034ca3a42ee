/* Reading ladders on copies of the board. The attacker and the defender move in turn:
 *
 *   - When the defender is to move, a chain with two or more liberties has escaped. With one
 *     liberty, the defender tries to capture attacking chains in atari beside it, and then to
 *     extend. If the attacker's last move took a ko, the chain counts as escaped.
 *   - When the attacker is to move, a chain with one liberty is captured, and a chain with three or
 *     more has escaped. With two liberties, a chain is captured if it dies by a double ko.
 *     Otherwise the attacker tries to fill either liberty, the more promising one first. There are
 *     two exceptions if the liberties are not neighbours: if only one liberty has at least three
 *     empty points beside it, the attacker tries only this liberty. If both liberties have at least
 *     three, the chain has escaped.
 *   - A side succeeds if any of its moves does.
 *   - A line counts as a capture if it is undecided when its number of moves reaches 3/2 of the
 *     number of points of the board. After LADDER_NODES_MAX moves in all lines of a reading, the
 *     chain counts as escaped. */
#include "go/ladder/ladder_reading.h"

#include <assert.h>
#include <string.h>

#include "go/bits.h"

/* The reading goes up to 541 moves deep, so its two recursive functions must use little stack.
 * Together they take 9 KB, most of it for a board in each. Helpers with large arrays are not
 * inlined into them. */
#define APART __attribute__((noinline))

typedef struct {
    Point chain; /* a stone of the chain in question */
    Color attacker;
    int depth_max, nodes;
} Reading;

static bool attacker_captures(Reading *reading, const Board *board, int depth);

static int empty_beside(const Board *board, Point point) {
    int count = 0;
    for (int i = 0; i < 4; i++)
        count += board->color[point + POINT_STEPS[i]] == COLOR_EMPTY;
    return count;
}

static bool try_move(Reading *reading, const Board *board, Point point, Color color, Board *next) {
    if (!board_is_legal(board, point, color, false)) return false;
    *next = *board;
    board_play(next, point, color);
    reading->nodes++;
    return true;
}

/* The liberties of a chain that has at most two. */
APART static int few_liberties(const Board *board, Point chain, Point out[2]) {
    Point all[BOARD_POINTS_MAX];
    int count = board_list_liberties(board, chain, all);
    assert(count <= 2);
    for (int i = 0; i < count && i < 2; i++)
        out[i] = all[i];
    return count;
}

/* Lists the points at which the defender can capture an attacking chain that lies beside the chain.
 * These points are the liberties of the attacking chains that are in atari. Returns the number of
 * points. */
APART static int capturing_moves(const Board *board, Point chain, Color attacker,
                                 int16_t out[BOARD_POINTS_MAX]) {
    uint8_t seen[POINT_COUNT] = {0};
    int count = 0;
    Point head = board->chain_head[chain], at = head;
    do {
        for (int i = 0; i < 4; i++) {
            Point near = at + POINT_STEPS[i];
            if (board->color[near] != attacker || board_liberties(board, near) != 1 ||
                seen[board->chain_head[near]])
                continue;
            seen[board->chain_head[near]] = 1;
            Point liberty[2];
            few_liberties(board, near, liberty);
            if (seen[liberty[0]]) continue;
            seen[liberty[0]] = 1;
            out[count++] = (int16_t)liberty[0];
        }
        at = board->chain_next[at];
    } while (at != head);
    return count;
}

static bool defender_is_captured(Reading *reading, const Board *board, int depth) {
    assert(board->color[reading->chain] == color_other(reading->attacker));
    if (board_liberties(board, reading->chain) >= 2) return false;
    if (board->ko != POINT_NONE) return false; /* a capture that depends on a ko is no ladder */
    if (depth >= reading->depth_max) return true;
    if (reading->nodes >= LADDER_NODES_MAX) return false;
    Color defender = color_other(reading->attacker);
    int16_t moves[BOARD_POINTS_MAX + 1];
    Point own[2];
    int count = capturing_moves(board, reading->chain, reading->attacker, moves);
    few_liberties(board, reading->chain, own);
    moves[count++] = (int16_t)own[0];
    for (int i = 0; i < count; i++) {
        Board next;
        if (!try_move(reading, board, moves[i], defender, &next)) continue;
        if (!attacker_captures(reading, &next, depth + 1)) return false;
    }
    return true;
}

/* Whether the chain dies by a double ko. It does if three things hold:
 *   - The defender can capture no attacking chain beside the chain.
 *   - The attacker could take a ko at each of the chain's two liberties.
 *   - For each of the chain's two liberties: if the defender played there, the chain would have at
 *     most two liberties. */
APART static bool double_ko_death(const Board *board, Point chain, const Point liberties[2],
                                  Color attacker) {
    Color defender = color_other(attacker);
    int16_t ignored[BOARD_POINTS_MAX];
    if (capturing_moves(board, chain, attacker, ignored)) return false;
    for (int k = 0; k < 2; k++) {
        Point point = liberties[k];
        if (empty_beside(board, point)) return false;
        Point captured = POINT_NONE;
        for (int i = 0; i < 4; i++) {
            Point near = point + POINT_STEPS[i];
            Color there = (Color)board->color[near];
            if (there == attacker) return false;
            if (there != defender) continue;
            if (board_liberties(board, near) > 1) continue;
            if (captured != POINT_NONE || board->chain_stones[board->chain_head[near]] != 1)
                return false;
            captured = near;
        }
        if (captured == POINT_NONE) return false;
        Board next = *board;
        board_play(&next, point, defender);
        if (board_liberties(&next, chain) > 2) return false;
    }
    return true;
}

/* How promising an attacker's move is. It grows with the empty points beside the move and with the
 * liberties of the defender's other chains beside it. */
static int attractiveness(const Board *board, Point point, Point chain, Color defender) {
    int value = 2 * empty_beside(board, point);
    for (int i = 0; i < 4; i++) {
        Point near = point + POINT_STEPS[i];
        if (board->color[near] == defender && board->chain_head[near] != board->chain_head[chain])
            value += 2 * board_liberties(board, near) - 3;
    }
    return value;
}

static bool beside_each_other(Point a, Point b) {
    int distance = a > b ? a - b : b - a;
    return distance == 1 || distance == POINT_STRIDE;
}

static bool attacker_captures(Reading *reading, const Board *board, int depth) {
    int liberties = board_liberties(board, reading->chain);
    if (liberties <= 1) return true;
    if (liberties >= 3) return false;
    if (depth >= reading->depth_max) return true;
    if (reading->nodes >= LADDER_NODES_MAX) return false;
    Point moves[2];
    few_liberties(board, reading->chain, moves);
    if (double_ko_death(board, reading->chain, moves, reading->attacker)) return true;
    bool try[2] = {true, true};
    if (!beside_each_other(moves[0], moves[1])) {
        bool wide0 = empty_beside(board, moves[0]) >= 3, wide1 = empty_beside(board, moves[1]) >= 3;
        if (wide0 && wide1) return false;
        if (wide0) try[1] = false;
        if (wide1) try[0] = false;
    }
    Color defender = color_other(reading->attacker);
    int first = attractiveness(board, moves[1], reading->chain, defender) >
                attractiveness(board, moves[0], reading->chain, defender);
    for (int k = 0; k < 2; k++) {
        int i = k ^ first;
        Board next;
        if (try[i] && try_move(reading, board, moves[i], reading->attacker, &next) &&
            defender_is_captured(reading, &next, depth + 1))
            return true;
    }
    return false;
}

static Reading reading_of(const Board *board, Point point) {
    return (Reading){.chain = point,
                     .attacker = color_other((Color)board->color[point]),
                     .depth_max = board->width * board->height * 3 / 2};
}

bool ladder_captures(const Board *board, Point point, bool defender_first, Point working[2],
                     int *working_count) {
    int liberties = board_liberties(board, point);
    if (working_count) *working_count = 0;
    if (liberties > 2 || (liberties > 1 && defender_first)) return false;
    if (defender_first) {
        Board start = *board;
        start.ko = POINT_NONE;
        Reading reading = reading_of(board, point);
        return defender_is_captured(&reading, &start, 0);
    }
    Point moves[2];
    int count = few_liberties(board, point, moves);
    bool captured = liberties < 2;
    for (int i = 0; i < count; i++) {
        Board next;
        Reading reading = reading_of(board, point);
        if (!try_move(&reading, board, moves[i], reading.attacker, &next)) continue;
        next.ko = POINT_NONE;
        reading.nodes = 0;
        if (!defender_is_captured(&reading, &next, 0)) continue;
        captured = true;
        if (working) working[(*working_count)++] = moves[i];
    }
    return captured;
}

static void mark_ladders(const Board *board, uint8_t laddered[POINT_COUNT],
                         uint8_t working[POINT_COUNT]) {
    memset(laddered, 0, POINT_COUNT);
    memset(working, 0, POINT_COUNT);
    for (int y = 0; y < board->height; y++) {
        for (Point p = point_at(0, y); p < point_at(board->width, y); p++) {
            Color color = (Color)board->color[p];
            if (color == COLOR_EMPTY || board->chain_head[p] != p || board->chain_liberties[p] > 2)
                continue;
            Point moves[2];
            int count = 0;
            if (!ladder_captures(board, p, board->chain_liberties[p] == 1, moves, &count)) continue;
            Point at = p;
            do {
                laddered[at] = 1;
                at = board->chain_next[at];
            } while (at != p);
            for (int i = 0; i < count; i++)
                working[moves[i]] |= (uint8_t)(1u << color);
        }
    }
}

void ladder_reading_find(const Board *board, LadderMap *out) {
    uint8_t laddered[POINT_COUNT], working[POINT_COUNT];
    mark_ladders(board, laddered, working);
    *out = (LadderMap){0};
    for (int y = 0, index = 0; y < board->height; y++) {
        for (int x = 0; x < board->width; x++, index++) {
            Point point = point_at(x, y);
            bits_put(out->laddered, index, laddered[point], 1);
            bits_put(out->working[0], index, working[point] >> COLOR_BLACK & 1, 1);
            bits_put(out->working[1], index, working[point] >> COLOR_WHITE & 1, 1);
        }
    }
}
