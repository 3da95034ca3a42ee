/* How the columns of row_points.h are found. For each column, a table has a number for each turn
 * and point that does not depend on the mover. It is filled once for each game, from the last turn
 * to the first. Then each row takes the numbers of its turn, and sees them as its mover does.
 * A table entry only depends on the boards before and after each turn. So moves that put no stone
 * on the board need no rule of their own: passes, passes for ko, and suicides. */
#include "data/rows/row_point_targets.h"

#include <string.h>

#include "base/memory.h"

typedef struct {
    /* Fills the table, which is zeroed: w->turns + 1 times w->area numbers. */
    void (*fill)(const RowWriter *w, int16_t *table);
    /* Returns what the row of turn t has for a number of the table. `own` is the mover. */
    int16_t (*show)(int16_t number, int t, Color own);
} PointTarget;

/* Returns whether nothing more happened on the board after the last turn. Otherwise the record does
 * not tell what would have happened: the game was broken off, or ended by the limit of moves. */
static bool knows_end(const GameRecord *record) {
    return !record->end_unknown && !record->outcome_unknown && !record->hit_move_limit;
}

/* The table has the color of the next occupant, or NOBODY, or 0 if it is not known. If the move of
 * a turn is not known, the next occupants before this turn are not known either. */
enum { NOBODY = 3 };
_Static_assert(NOBODY != (int)COLOR_BLACK && NOBODY != (int)COLOR_WHITE,
               "NOBODY differs from both colors");

static void fill_next_occupants(const RowWriter *w, int16_t *table) {
    size_t area = (size_t)w->area;
    for (size_t i = 0; i < area && knows_end(w->record); i++)
        table[(size_t)w->turns * area + i] = NOBODY;
    for (int t = w->turns - 1; t >= 0; t--) {
        const uint8_t *before = w->boards + (size_t)t * area, *after = before + area;
        int16_t *to = table + (size_t)t * area;
        if (w->record->turns[t].move.point == POINT_NONE) continue; /* the table has zeros */
        for (size_t i = 0; i < area; i++) {
            bool placed = before[i] != after[i] && after[i] != COLOR_EMPTY;
            to[i] = placed ? after[i] : to[area + i];
        }
    }
}

static int16_t show_next_occupant(int16_t number, int t, Color own) {
    (void)t;
    if (!number) return NEXT_OCCUPANT_UNKNOWN;
    if (number == NOBODY) return NEXT_OCCUPANT_NOBODY;
    return number == (int16_t)own ? NEXT_OCCUPANT_MOVER : NEXT_OCCUPANT_OPPONENT;
}

/* The table has 1 + the turn whose move removes the stone, or TIME_ON_BOARD_ALWAYS. It has 0 if
 * there is no stone or if this turn is not known. A move that is not known may have removed any
 * stone. */
static void fill_times_on_board(const RowWriter *w, int16_t *table) {
    size_t area = (size_t)w->area, end = (size_t)w->turns * area;
    for (size_t i = 0; i < area && knows_end(w->record); i++)
        table[end + i] = w->boards[end + i] == COLOR_EMPTY ? 0 : TIME_ON_BOARD_ALWAYS;
    for (int t = w->turns - 1; t >= 0; t--) {
        const uint8_t *before = w->boards + (size_t)t * area, *after = before + area;
        int16_t *to = table + (size_t)t * area, turn = (int16_t)(t < INT16_MAX - 2 ? t + 1 : 0);
        if (w->record->turns[t].move.point == POINT_NONE) continue; /* the table has zeros */
        for (size_t i = 0; i < area; i++) {
            if (before[i] != COLOR_EMPTY) to[i] = before[i] == after[i] ? to[area + i] : turn;
        }
    }
}

static int16_t show_time_on_board(int16_t number, int t, Color own) {
    (void)own;
    return number && number != TIME_ON_BOARD_ALWAYS ? (int16_t)(number - t) : number;
}

/* Marks the chain of stones to which point `start` of a board belongs. `label` is its number. */
static void mark_chain(const RowWriter *w, const uint8_t *board, int start, int16_t label,
                       int16_t *to) {
    int16_t queue[BOARD_POINTS_MAX];
    int count = 0;
    queue[count++] = (int16_t)start;
    to[start] = label;
    for (int at = 0; at < count; at++) {
        int i = queue[at], x = i % w->width, y = i / w->width;
        const int near[4] = {x > 0 ? i - 1 : i, x + 1 < w->width ? i + 1 : i,
                             y > 0 ? i - w->width : i, y + 1 < w->height ? i + w->width : i};
        for (int k = 0; k < 4; k++) {
            if (board[near[k]] != board[start] || to[near[k]]) continue;
            to[near[k]] = label;
            queue[count++] = (int16_t)near[k];
        }
    }
}

/* All turns have the chains of the last board. Before a move that is not known, that board is not
 * known either. */
static void fill_same_chains(const RowWriter *w, int16_t *table) {
    size_t area = (size_t)w->area;
    const uint8_t *board = w->boards + (size_t)w->turns * area;
    int16_t *last = table + (size_t)w->turns * area;
    for (int i = 0; i < w->area && knows_end(w->record); i++) {
        int first = i / w->width * BOARD_SIDE_MAX + i % w->width;
        if (board[i] == COLOR_EMPTY)
            last[i] = SAME_CHAIN_NONE;
        else if (!last[i])
            mark_chain(w, board, i, (int16_t)(SAME_CHAIN_FIRST + first), last);
    }
    for (int t = w->turns - 1; t >= 0; t--) {
        int16_t *to = table + (size_t)t * area;
        if (w->record->turns[t].move.point == POINT_NONE) continue; /* the table has zeros */
        memcpy(to, to + area, area * sizeof *to);
    }
}

static int16_t show_same_chain(int16_t number, int t, Color own) {
    (void)t, (void)own;
    return number;
}

static const PointTarget TARGETS[ROW_POINT_COLUMNS] = {
    [ROW_NEXT_OCCUPANT] = {fill_next_occupants, show_next_occupant},
    [ROW_TIME_ON_BOARD] = {fill_times_on_board, show_time_on_board},
    [ROW_SAME_CHAIN] = {fill_same_chains, show_same_chain},
};

Status row_point_targets_prepare(RowWriter *w, Error *err) {
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        if (!(w->rows->point_columns >> c & 1)) continue;
        size_t count = (size_t)(w->turns + 1) * (size_t)w->area;
        Status status = mem_new(count, sizeof *w->points[c], &w->points[c], err);
        if (status) return status;
        TARGETS[c].fill(w, w->points[c]);
    }
    return OK;
}

void row_point_targets_write(const RowWriter *w, int t, Color own, size_t n) {
    size_t frame = (size_t)w->rows->length * (size_t)w->rows->length;
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        if (!w->points[c]) continue;
        int16_t *to = w->rows->points[c] + n * frame;
        const int16_t *from = w->points[c] + (size_t)t * (size_t)w->area;
        memset(to, 0, frame * sizeof *to);
        for (int i = 0; i < w->area; i++)
            to[row_frame_index(w, i)] = TARGETS[c].show(from[i], t, own);
    }
}

void row_point_targets_write_side(const RowWriter *w, size_t n) {
    size_t frame = (size_t)w->rows->length * (size_t)w->rows->length;
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        if (w->points[c])
            memset(w->rows->points[c] + n * frame, 0, frame * sizeof *w->rows->points[c]);
    }
}
