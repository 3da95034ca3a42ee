#include "search/tree/repeats.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "eval/evaluators/evaluation.h"

enum { RADIUS = 4, WINDOW = 2 * RADIUS + 1 };

void repeats_free(RepeatTable *table) {
    free(table->slots);
    *table = (RepeatTable){0};
}

static bool is_stone(unsigned color) {
    return color == COLOR_BLACK || color == COLOR_WHITE;
}

/* The color of a point, plus 4 if its chain is in atari. Colors are exchanged if `swapped`. */
static unsigned content_of(const Board *board, Point point, bool swapped) {
    unsigned color = board->color[point];
    if (!is_stone(color)) return color;
    unsigned seen = swapped ? (unsigned)color_other((Color)color) : color;
    return board_liberties(board, point) == 1 ? seen | 4 : seen;
}

uint64_t repeats_key(const Board *before, Move move, Symmetry symmetry, bool swapped) {
    int width = before->width, height = before->height;
    uint64_t sum = 0; /* the sum over the points of the window, which does not depend on their
                       * order */
    if (move.point == POINT_NONE || move.point == POINT_PASS ||
        position_ko_capture(before, move.point, move.color) != POINT_NONE)
        return 0;
    for (int i = 0; i < WINDOW * WINDOW; i++) {
        int x = point_x(move.point) + i % WINDOW - RADIUS,
            y = point_y(move.point) + i / WINDOW - RADIUS;
        if (x < 0 || x >= width || y < 0 || y >= height) continue;
        uint64_t place = (uint64_t)symmetry_index(symmetry, i, WINDOW, WINDOW);
        sum += hash_mix(place << 3 | content_of(before, point_at(x, y), swapped));
    }
    Color color = swapped ? color_other(move.color) : move.color;
    uint64_t where = (uint64_t)symmetry_point(symmetry, move.point, width, height) << 20 |
                     (uint64_t)color << 16 | (uint64_t)width << 8 | (uint64_t)height;
    return hash_mix(sum ^ hash_mix(where)) | 1;
}

static RepeatShape *slot_of(const RepeatTable *table, uint64_t key) {
    size_t at = (size_t)(key >> 1) & (table->slot_count - 1);
    while (table->slots[at].key && table->slots[at].key != key)
        at = (at + 1) & (table->slot_count - 1);
    return &table->slots[at];
}

/* Makes room for the shapes of one more move, so that at most half of the slots are in use. Returns
 * false if there is no memory. */
static bool make_room(RepeatTable *table) {
    size_t wanted = 2 * (table->count + 2 * SYMMETRY_COUNT),
           slots = table->slot_count ? table->slot_count : 64;
    if (wanted <= table->slot_count) return true;
    while (slots < wanted)
        slots *= 2;
    RepeatTable larger = *table;
    if (mem_new(slots, sizeof *larger.slots, &larger.slots, NULL)) return false;
    larger.slot_count = slots;
    for (size_t i = 0; i < table->slot_count; i++) {
        if (table->slots[i].key) *slot_of(&larger, table->slots[i].key) = table->slots[i];
    }
    free(table->slots);
    *table = larger;
    return true;
}

static void add_shape(RepeatTable *table, uint64_t key, float bonus) {
    if (!key) return;
    RepeatShape *shape = slot_of(table, key);
    if (shape->key && shape->game == table->game) return;
    table->count += !shape->key;
    *shape = (RepeatShape){key, shape->bonus + bonus, table->game};
}

void repeats_add(RepeatTable *table, const Board *before, Move move, double utility, bool swapped) {
    int symmetries = before->width == before->height ? SYMMETRY_COUNT : SYMMETRY_COUNT / 2;
    float bonus = value_for_white((float)-utility, move.color);
    if (!make_room(table)) return;
    for (Symmetry symmetry = 0; symmetry < symmetries; symmetry++) {
        add_shape(table, repeats_key(before, move, symmetry, false), bonus);
        if (swapped) add_shape(table, repeats_key(before, move, symmetry, true), -bonus);
    }
}

void repeats_end_game(RepeatTable *table) {
    table->game++;
}

static void add_own_moves(RepeatTable *table, const Position *root, double utility) {
    Position game = {0};
    Status status = position_init_board(&game, position_start_board(root),
                                        position_start_mover(root), &root->rules, NULL);
    for (int i = 0; i < root->move_count && !status; i++) {
        Move move = position_move(root, i);
        Board before = game.board;
        status = position_play_tolerant(&game, move, NULL);
        if (!status && move.color == table->of) repeats_add(table, &before, move, utility, false);
    }
    position_clear(&game);
}

void repeats_gather(RepeatTable *table, const RepeatTable *others, const Position *root, Color of,
                    double utility) {
    repeats_free(table);
    table->of = of;
    if (others && others->count &&
        !mem_new(others->slot_count, sizeof *table->slots, &table->slots, NULL)) {
        memcpy(table->slots, others->slots, others->slot_count * sizeof *table->slots);
        table->slot_count = others->slot_count;
        table->count = others->count;
        table->game = others->game;
    }
    repeats_end_game(table);
    if (utility != 0) add_own_moves(table, root, utility);
}

void repeats_refresh(const RepeatTable *table, Color mover, NodeRepeat *repeat) {
    uint64_t key = (uint64_t)repeat->key[1] << 32 | repeat->key[0];
    bool asked = key && table->slot_count && color_other(mover) == table->of;
    repeat->bonus = asked ? slot_of(table, key)->bonus : 0; /* the bonus of an empty slot is 0 */
}

NodeRepeat repeats_of_node(const RepeatTable *table, const Position *position) {
    uint64_t key =
        repeats_key(position_previous(position, 0), position_last_move(position, 0), 0, false);
    NodeRepeat repeat = {.key = {(uint32_t)key, (uint32_t)(key >> 32)}};
    repeats_refresh(table, position->mover, &repeat);
    return repeat;
}
