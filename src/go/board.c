#include "go/board.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

static bool is_stone(const Board *board, Point point) {
    return board->color[point] == COLOR_BLACK || board->color[point] == COLOR_WHITE;
}

static uint64_t stone_hash(Point point, Color color) {
    assert(color == COLOR_BLACK || color == COLOR_WHITE);
    return hash_mix((uint64_t)(point * 4 + (int)color) + 0x416a69u);
}

Status board_init(Board *board, int width, int height, Error *err) {
    if (width < 2 || width > BOARD_SIDE_MAX || height < 2 || height > BOARD_SIDE_MAX)
        return fail(err, ERR_ARGUMENT, "a board cannot be %dx%d: its sides are 2 to %d points long",
                    width, height, BOARD_SIDE_MAX);
    memset(board, 0, sizeof *board);
    memset(board->color, COLOR_WALL, sizeof board->color);
    board->width = (int16_t)width;
    board->height = (int16_t)height;
    board->ko = POINT_NONE;
    for (int y = 0; y < height; y++)
        memset(&board->color[point_at(0, y)], COLOR_EMPTY, (size_t)width);
    board->hash = hash_mix((uint64_t)(width * 64 + height));
    return OK;
}

/* Copies the rows of a board from one array indexed by Point to another. */
static void copy_rows(void *to, const void *from, int height, size_t size) {
    size_t first = POINT_STRIDE * size;
    memcpy((char *)to + first, (const char *)from + first, (size_t)height * first);
}

void board_copy(Board *to, const Board *from) {
    int height = from->height;
    if (to->width != from->width || to->height != height) {
        *to = *from;
        return;
    }
    copy_rows(to->color, from->color, height, sizeof *to->color);
    copy_rows(to->chain_head, from->chain_head, height, sizeof *to->chain_head);
    copy_rows(to->chain_next, from->chain_next, height, sizeof *to->chain_next);
    copy_rows(to->chain_liberties, from->chain_liberties, height, sizeof *to->chain_liberties);
    copy_rows(to->chain_stones, from->chain_stones, height, sizeof *to->chain_stones);
    to->ko = from->ko;
    memcpy(to->captured, from->captured, sizeof to->captured);
    to->stones = from->stones;
    to->hash = from->hash;
}

bool board_on(const Board *board, Point point) {
    return point >= 0 && point < POINT_COUNT && board->color[point] != COLOR_WALL;
}

int board_liberties(const Board *board, Point point) {
    assert(is_stone(board, point));
    return board->chain_liberties[board->chain_head[point]];
}

static bool has_color_beside(const Board *board, Point point, Color color) {
    for (int i = 0; i < 4; i++) {
        if (board->color[point + POINT_STEPS[i]] == color) return true;
    }
    return false;
}

bool board_would_capture(const Board *board, Point point, Color color) {
    Color other = color_other(color);
    for (int i = 0; i < 4; i++) {
        Point near = point + POINT_STEPS[i];
        if (board->color[near] == other && board_liberties(board, near) == 1) return true;
    }
    return false;
}

bool board_is_suicide(const Board *board, Point point, Color color) {
    for (int i = 0; i < 4; i++) {
        Point near = point + POINT_STEPS[i];
        Color there = (Color)board->color[near];
        if (there == COLOR_EMPTY) return false;
        if (there == COLOR_WALL) continue;
        bool atari = board_liberties(board, near) == 1;
        if (there == color ? !atari : atari) return false;
    }
    return true;
}

bool board_is_ko_banned(const Board *board, Point point) {
    return point == board->ko && point != POINT_NONE;
}

bool board_is_legal(const Board *board, Point point, Color color, bool suicide) {
    if (point == POINT_PASS) return true;
    if (!board_on(board, point) || board->color[point] != COLOR_EMPTY) return false;
    if (board_is_ko_banned(board, point)) return false;
    if (!board_is_suicide(board, point, color)) return true;
    /* Suicide of a single stone is never legal. */
    return suicide && has_color_beside(board, point, color);
}

/* Lists the heads of the chains of `color` beside a point, each once, and returns how many. */
static int chains_beside(const Board *board, Point point, Color color, int16_t out[4]) {
    int count = 0;
    for (int i = 0; i < 4; i++) {
        Point near = point + POINT_STEPS[i];
        if (board->color[near] != color) continue;
        int16_t head = board->chain_head[near];
        int k = 0;
        while (k < count && out[k] != head)
            k++;
        if (k == count) out[count++] = head;
    }
    return count;
}

/* Removes a chain without liberties from the board. Its points become liberties of the opponent's
 * chains beside it. Returns how many stones it had. */
static int remove_chain(Board *board, Point head) {
    assert(board->chain_head[head] == head && board->chain_liberties[head] == 0);
    Color color = (Color)board->color[head];
    Color other = color_other(color);
    int removed = 0;
    Point at = head;
    do {
        Point next = board->chain_next[at];
        int16_t around[4];
        int count = chains_beside(board, at, other, around);
        for (int i = 0; i < count; i++)
            board->chain_liberties[around[i]]++;
        board->color[at] = COLOR_EMPTY;
        board->hash ^= stone_hash(at, color);
        removed++;
        at = next;
    } while (at != head);
    assert(removed == board->chain_stones[head]);
    board->captured[color] += removed;
    board->stones -= removed;
    return removed;
}

int board_list_liberties(const Board *board, Point point, Point out[BOARD_POINTS_MAX]) {
    assert(is_stone(board, point));
    uint8_t seen[POINT_COUNT] = {0};
    int count = 0;
    Point head = board->chain_head[point], at = head;
    do {
        for (int i = 0; i < 4; i++) {
            Point near = at + POINT_STEPS[i];
            if (board->color[near] != COLOR_EMPTY || seen[near]) continue;
            seen[near] = 1;
            out[count++] = near;
        }
        at = board->chain_next[at];
    } while (at != head);
    return count;
}

static bool touches_chain(const Board *board, Point point, int16_t head, Color color) {
    for (int i = 0; i < 4; i++) {
        Point near = point + POINT_STEPS[i];
        if (board->color[near] == color && board->chain_head[near] == head) return true;
    }
    return false;
}

/* Adds `point`, which is still empty, to the chain `head` beside it. The chain gains the new
 * liberties of the stone. The caller must still put the stone on the board, and subtract `point`
 * itself from the number of liberties. */
static void extend_chain(Board *board, Point point, int16_t head, Color color) {
    assert(board->chain_head[head] == head && touches_chain(board, point, head, color));
    int gained = 0;
    for (int i = 0; i < 4; i++) {
        Point near = point + POINT_STEPS[i];
        if (board->color[near] == COLOR_EMPTY && !touches_chain(board, near, head, color)) gained++;
    }
    board->chain_head[point] = head;
    board->chain_next[point] = board->chain_next[head];
    board->chain_next[head] = (int16_t)point;
    board->chain_stones[head]++;
    board->chain_liberties[head] = (int16_t)(board->chain_liberties[head] + gained);
}

/* Joins the chain `from` to the chain `into`. The caller counts the liberties anew. */
static void merge_chains(Board *board, int16_t into, int16_t from) {
    assert(board->chain_head[into] == into && board->chain_head[from] == from && into != from);
    Point at = from;
    do {
        board->chain_head[at] = into;
        at = board->chain_next[at];
    } while (at != from);
    int16_t kept = board->chain_next[into];
    board->chain_next[into] = board->chain_next[from];
    board->chain_next[from] = kept;
    board->chain_stones[into] = (int16_t)(board->chain_stones[into] + board->chain_stones[from]);
}

/* Puts a stone on an empty point and joins it to the player's chains beside it. The opponent's
 * chains beside it lose a liberty. */
static void place_stone(Board *board, Point point, Color color) {
    assert(board_on(board, point) && board->color[point] == COLOR_EMPTY);
    int16_t own[4], other[4];
    int others = chains_beside(board, point, color_other(color), other);
    for (int i = 0; i < others; i++) {
        assert(board->chain_liberties[other[i]] > 0);
        board->chain_liberties[other[i]]--;
    }
    int owns = chains_beside(board, point, color, own);
    board->stones++;
    board->hash ^= stone_hash(point, color);
    if (owns == 0) {
        int liberties = 0;
        for (int i = 0; i < 4; i++)
            liberties += board->color[point + POINT_STEPS[i]] == COLOR_EMPTY;
        board->color[point] = (uint8_t)color;
        board->chain_head[point] = board->chain_next[point] = (int16_t)point;
        board->chain_stones[point] = 1;
        board->chain_liberties[point] = (int16_t)liberties;
        return;
    }
    int16_t largest = own[0];
    for (int i = 1; i < owns; i++) {
        if (board->chain_stones[own[i]] > board->chain_stones[largest]) largest = own[i];
    }
    extend_chain(board, point, largest, color);
    board->color[point] = (uint8_t)color;
    board->chain_liberties[largest]--; /* the point itself */
    if (owns == 1) return;
    for (int i = 0; i < owns; i++) {
        if (own[i] != largest) merge_chains(board, largest, own[i]);
    }
    Point liberties[BOARD_POINTS_MAX];
    board->chain_liberties[largest] = (int16_t)board_list_liberties(board, point, liberties);
}

int board_play(Board *board, Point point, Color color) {
    board->ko = POINT_NONE;
    if (point == POINT_PASS) return 0;
    place_stone(board, point, color);
    int captured = 0;
    Point last = POINT_NONE;
    int16_t around[4];
    int count = chains_beside(board, point, color_other(color), around);
    for (int i = 0; i < count; i++) {
        if (board->chain_liberties[around[i]] > 0) continue;
        last = around[i]; /* used only if a single stone is captured, which is its own head */
        captured += remove_chain(board, around[i]);
    }
    int16_t head = board->chain_head[point];
    if (captured == 1 && board->chain_stones[head] == 1 && board->chain_liberties[head] == 1)
        board->ko = last;
    assert(!captured || board->chain_liberties[head] > 0);
    if (captured || board->chain_liberties[head] > 0) return captured;
    assert(board->chain_stones[head] > 1); /* a single stone never takes its own last liberty */
    return -remove_chain(board, head);
}

bool board_set_all(Board *board, const uint8_t colors[POINT_COUNT]) {
    Board changed;
    if (board_init(&changed, board->width, board->height, NULL)) return false;
    memcpy(changed.captured, board->captured, sizeof changed.captured);
    for (Point point = 0; point < POINT_COUNT; point++) {
        Color color = (Color)colors[point];
        if (color == COLOR_BLACK || color == COLOR_WHITE) place_stone(&changed, point, color);
    }
    for (Point at = 0; at < POINT_COUNT; at++) {
        if (is_stone(&changed, at) && board_liberties(&changed, at) == 0) return false;
    }
    *board = changed;
    return true;
}

bool board_set(Board *board, Point point, Color color) {
    if (!board_on(board, point)) return false;
    uint8_t colors[POINT_COUNT];
    memcpy(colors, board->color, sizeof colors);
    colors[point] = (uint8_t)color;
    return board_set_all(board, colors);
}

uint64_t board_hash_after(const Board *board, Point point, Color color) {
    uint64_t hash = board->hash;
    if (point == POINT_PASS) return hash;
    assert(board_on(board, point) && board->color[point] == COLOR_EMPTY);
    hash ^= stone_hash(point, color);
    Color other = color_other(color);
    int16_t around[4];
    int count = chains_beside(board, point, other, around);
    bool captured = false;
    for (int i = 0; i < count; i++) {
        if (board->chain_liberties[around[i]] != 1) continue;
        captured = true;
        Point at = around[i];
        do {
            hash ^= stone_hash(at, other);
            at = board->chain_next[at];
        } while (at != around[i]);
    }
    if (captured || !board_is_suicide(board, point, color)) return hash;
    hash ^= stone_hash(point, color);
    count = chains_beside(board, point, color, around);
    for (int i = 0; i < count; i++) {
        Point at = around[i];
        do {
            hash ^= stone_hash(at, color);
            at = board->chain_next[at];
        } while (at != around[i]);
    }
    return hash;
}

bool board_is_eye(const Board *board, Point point, Color color) {
    for (int i = 0; i < 4; i++) {
        uint8_t there = board->color[point + POINT_STEPS[i]];
        if (there != COLOR_WALL && there != color) return false;
    }
    return true;
}

bool board_equal_stones(const Board *a, const Board *b) {
    return a->width == b->width && a->height == b->height &&
           memcmp(a->color, b->color, sizeof a->color) == 0;
}
