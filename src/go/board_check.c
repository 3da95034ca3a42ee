#include "go/board_check.h"

#include <string.h>

static bool is_stone(const Board *board, Point point) {
    return board->color[point] == COLOR_BLACK || board->color[point] == COLOR_WHITE;
}

static bool is_on(const Board *board, Point point) {
    int x = point_x(point), y = point_y(point);
    return x >= 0 && x < board->width && y >= 0 && y < board->height;
}

static Status wrong(const Board *board, Point point, const char *what, Error *err) {
    return fail(err, ERR_ARGUMENT, "%s: %s", point_text(point, board->height).text, what);
}

static Status check_colors(const Board *board, Error *err) {
    int stones = 0;
    for (Point p = 0; p < POINT_COUNT; p++) {
        if (is_on(board, p) == (board->color[p] == COLOR_WALL))
            return wrong(board, p, "there is a wall on the board, or no wall off the board", err);
        if (board->color[p] > COLOR_WALL) return wrong(board, p, "the value is not a color", err);
        stones += is_stone(board, p);
    }
    if (stones != board->stones)
        return fail(err, ERR_ARGUMENT, "the board has %d stones, but its count is %d", stones,
                    board->stones);
    if (board->captured[COLOR_BLACK] < 0 || board->captured[COLOR_WHITE] < 0)
        return fail(err, ERR_ARGUMENT, "a count of captured stones is negative");
    return OK;
}

/* Finds the chain of a stone, by the colors only. Returns the number of its stones, marks them in
 * `seen`, and sets `*liberties` to the number of empty points beside them. */
static int find_chain(const Board *board, Point start, bool seen[POINT_COUNT], int *liberties) {
    Point queue[BOARD_POINTS_MAX];
    bool counted[POINT_COUNT] = {false};
    int count = 0;
    *liberties = 0;
    queue[count++] = start;
    seen[start] = true;
    for (int at = 0; at < count; at++) {
        for (int i = 0; i < 4; i++) {
            Point near = queue[at] + POINT_STEPS[i];
            if (board->color[near] == COLOR_EMPTY && !counted[near]) {
                counted[near] = true;
                ++*liberties;
            }
            if (board->color[near] != board->color[start] || seen[near]) continue;
            seen[near] = true;
            queue[count++] = near;
        }
    }
    return count;
}

static Status check_chain(const Board *board, Point point, Error *err) {
    bool seen[POINT_COUNT] = {false};
    int liberties, stones = find_chain(board, point, seen, &liberties), listed = 0;
    Point head = board->chain_head[point], at = head;
    if (head < 0 || head >= POINT_COUNT || !seen[head] || board->chain_head[head] != head)
        return wrong(board, point, "the head is not a stone of the chain", err);
    if (board->chain_stones[head] != stones)
        return wrong(board, point, "the count of stones is wrong", err);
    if (board->chain_liberties[head] != liberties)
        return wrong(board, point, "the count of liberties is wrong", err);
    if (liberties == 0) return wrong(board, point, "the chain has no liberty", err);
    do {
        if (at < 0 || at >= POINT_COUNT || !seen[at] || board->chain_head[at] != head ||
            ++listed > stones)
            return wrong(board, point, "the list of stones is not the chain", err);
        at = board->chain_next[at];
    } while (at != head);
    if (listed != stones) return wrong(board, point, "the list of stones is not the chain", err);
    return OK;
}

/* Checks that the ko point is empty, and that beside it there is a chain of one stone whose only
 * liberty is the ko point. */
static Status check_ko(const Board *board, Error *err) {
    if (board->ko == POINT_NONE) return OK;
    if (!board_on(board, board->ko) || board->color[board->ko] != COLOR_EMPTY)
        return wrong(board, board->ko, "the ko point is not empty", err);
    for (int i = 0; i < 4; i++) {
        Point near = board->ko + POINT_STEPS[i];
        if (is_stone(board, near) && board_liberties(board, near) == 1 &&
            board->chain_stones[board->chain_head[near]] == 1)
            return OK;
    }
    return wrong(board, board->ko, "no stone has taken this ko", err);
}

Status board_check(const Board *board, Error *err) {
    Status status = check_colors(board, err);
    for (Point p = 0; p < POINT_COUNT && !status; p++) {
        if (is_stone(board, p)) status = check_chain(board, p, err);
    }
    if (status) return status;
    Board fresh;
    status = board_init(&fresh, board->width, board->height, err);
    if (status) return status;
    if (!board_set_all(&fresh, board->color) || fresh.hash != board->hash)
        return fail(err, ERR_ARGUMENT, "the hash is not that of the stones");
    return check_ko(board, err);
}
