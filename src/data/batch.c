#include "data/batch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "eval/arch/heads.h"

enum { HISTORY = 5 }; /* how many of the last moves the planes show */

Status batch_init(Batch *batch, int count, int length, Error *err) {
    size_t n = (size_t)count, area = (size_t)length * (size_t)length;
    *batch = (Batch){.count = count, .length = length};
    const struct {
        float **array;
        size_t count;
    } PARTS[] = {
        {&batch->planes, n * area * FEATURE_PLANES},
        {&batch->globals, n * FEATURE_GLOBALS},
        {&batch->policy, n * 2 * (area + 1)},
        {&batch->targets, n * ROW_GLOBAL_TARGETS},
        {&batch->score, n * SCORE_BINS},
        {&batch->ownership, n * area},
        {&batch->mask, n * area},
    };
    Status status = OK;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS && !status; i++)
        status = mem_new_aligned(PARTS[i].count, sizeof(float), PARTS[i].array, err);
    if (status) batch_clear(batch);
    return status;
}

Status batch_add_boards(Batch *batch, Error *err) {
    size_t cells = (size_t)(batch->count * batch->length * batch->length);
    size_t values = (size_t)batch->count * VALUE_BUCKETS;
    Status status = mem_new_aligned(values, sizeof(float), &batch->search_values, err);
    if (status) return status;
    return mem_new_aligned(cells * BATCH_BOARDS, sizeof(float), &batch->boards, err);
}

Status batch_add_q_values(Batch *batch, Error *err) {
    size_t moves = (size_t)(batch->count * (batch->length * batch->length + 1));
    return mem_new_aligned(moves * BATCH_Q_VALUES, sizeof(float), &batch->q_values, err);
}

Status batch_add_players(Batch *batch, Error *err) {
    return mem_new_aligned((size_t)batch->count * METADATA_COUNT, sizeof(float), &batch->players,
                           err);
}

Status batch_add_points(Batch *batch, unsigned columns, Error *err) {
    size_t cells = (size_t)(batch->count * batch->length * batch->length);
    Status status = OK;
    for (int c = 0; c < ROW_POINT_COLUMNS && !status; c++) {
        if (columns >> c & 1)
            status = mem_new_aligned(cells, sizeof(float), &batch->points[c], err);
    }
    return status;
}

void batch_clear(Batch *batch) {
    float *const ARRAYS[] = {batch->planes,   batch->globals,       batch->policy, batch->targets,
                             batch->score,    batch->ownership,     batch->mask,   batch->boards,
                             batch->q_values, batch->search_values, batch->players};
    for (size_t i = 0; i < sizeof ARRAYS / sizeof *ARRAYS; i++)
        free(ARRAYS[i]);
    for (int c = 0; c < ROW_POINT_COLUMNS; c++)
        free(batch->points[c]);
    *batch = (Batch){0};
}

/* Maps each cell of the rows' frame to its cell in the batch's frame, or to -1 if the batch's frame
 * has no such cell. */
typedef struct {
    int16_t cell[BOARD_POINTS_MAX];
    int row_length, batch_length; /* side of each frame */
} CellMap;

static void make_cell_map(CellMap *map, int row_length, int batch_length, Symmetry symmetry) {
    assert(row_length * row_length <= BOARD_POINTS_MAX);
    map->row_length = row_length;
    map->batch_length = batch_length;
    for (int y = 0; y < row_length; y++) {
        for (int x = 0; x < row_length; x++) {
            bool inside = x < batch_length && y < batch_length;
            int index = y * batch_length + x;
            int cell = inside ? symmetry_index(symmetry, index, batch_length, batch_length) : -1;
            map->cell[y * row_length + x] = (int16_t)cell;
        }
    }
}

static size_t batch_area(const CellMap *map) {
    return (size_t)(map->batch_length * map->batch_length);
}

/* Returns the plane of the row that is copied to `plane` of the batch. Planes 15 and 16 show the
 * ladders one and two moves ago. If these moves are hidden, the planes repeat the ladders of the
 * oldest position that is shown (KataGo, data_processing_pytorch.py). */
static int source_plane(int plane, int history) {
    int back = plane - FEATURE_PLANE_LADDERS;
    return back < 1 || back > 2 || back <= history ? plane : FEATURE_PLANE_LADDERS + history;
}

/* Unpacks the planes. Only the last `history` moves are shown: the planes of older moves stay 0. */
static void set_planes(const uint8_t *packed, const CellMap *map, int history, float *to) {
    size_t area = (size_t)(map->row_length * map->row_length), bytes = (area + 7) / 8;
    memset(to, 0, batch_area(map) * FEATURE_PLANES * sizeof *to);
    for (int plane = 0; plane < FEATURE_PLANES; plane++) {
        if (plane >= FEATURE_PLANE_HISTORY + history && plane < FEATURE_PLANE_HISTORY + HISTORY)
            continue;
        const uint8_t *bits = packed + (size_t)source_plane(plane, history) * bytes;
        for (size_t at = 0; at < bytes; at++) {
            for (unsigned left = bits[at]; left; left &= left - 1) { /* clears the lowest bit */
                size_t index = at * 8 + 7 - (size_t)__builtin_ctz(left);
                int cell = index < area ? map->cell[index] : -1;
                if (cell >= 0) to[cell * FEATURE_PLANES + plane] = 1;
            }
        }
    }
}

static void set_policy(const int16_t *policy, const CellMap *map, float *to) {
    int area = map->row_length * map->row_length, cells = (int)batch_area(map);
    int64_t sum = 0;
    memset(to, 0, (size_t)(cells + 1) * sizeof *to);
    for (int i = 0; i <= area; i++)
        sum += policy[i];
    float scale = 1 / (float)sum;
    for (int i = 0; i < area; i++) {
        if (map->cell[i] >= 0) to[map->cell[i]] = (float)policy[i] * scale;
    }
    to[cells] = (float)policy[area] * scale;
}

static void set_ownership(const int8_t *values, const CellMap *map, float *to) {
    int area = map->row_length * map->row_length;
    memset(to, 0, batch_area(map) * sizeof *to);
    for (int i = 0; i < area; i++) {
        if (map->cell[i] >= 0) to[map->cell[i]] = (float)values[i];
    }
}

/* Fills Batch.boards from planes 1 to 4 of Rows.values; plane 0 is the ownership. */
static void set_boards(const int8_t *values, const CellMap *map, float *to) {
    static const float SCALES[BATCH_BOARDS] = {1, 1, 1, 1 / 120.0f};
    int area = map->row_length * map->row_length;
    memset(to, 0, batch_area(map) * BATCH_BOARDS * sizeof *to);
    for (int plane = 0; plane < BATCH_BOARDS; plane++) {
        for (int i = 0; i < area; i++) {
            if (map->cell[i] >= 0)
                to[map->cell[i] * BATCH_BOARDS + plane] =
                    SCALES[plane] * (float)values[(plane + 1) * area + i];
        }
    }
}

/* Scales the values as KataGo's trainer does (metrics_pytorch.py). The pass is the last move in the
 * row and in the batch. */
static void set_q_values(const int16_t *q_values, const CellMap *map, float *to) {
    int area = map->row_length * map->row_length, cells = (int)batch_area(map), moves = area + 1;
    memset(to, 0, (size_t)(cells + 1) * BATCH_Q_VALUES * sizeof *to);
    for (int i = 0; i < moves; i++) {
        int cell = i < area ? map->cell[i] : cells;
        if (cell < 0) continue;
        float *move = to + cell * BATCH_Q_VALUES;
        move[0] = fminf(fmaxf((float)q_values[i] / 32000, -1), 1);
        move[1] = (float)q_values[moves + i] / 60;
        move[2] = (float)q_values[2 * moves + i];
    }
}

_Static_assert(VALUE_BUCKETS == REPORT_VALUE_BUCKETS,
               "the head and the rows have the same buckets");

static void set_search_values(const int16_t *counts, float *to) {
    int sum = 0;
    for (int i = 0; i < VALUE_BUCKETS; i++)
        sum += counts[i];
    for (int i = 0; i < VALUE_BUCKETS; i++)
        to[i] = sum ? (float)counts[i] / (float)sum : 0;
}

/* Copies the bins of a row's score distribution to the bins of the net. The bins of the row cover
 * the scores of its frame, and the bins of the net cover those of a 19x19 board. The score 0 is in
 * the middle of both. */
static void set_score(const int8_t *bins, int row_length, float *to) {
    int half = row_length * row_length + ROW_SCORE_PAD;
    memset(to, 0, SCORE_BINS * sizeof *to);
    for (int i = 0; i < 2 * half; i++) {
        if (bins[i]) to[SCORE_BINS_HALF - half + i] = (float)bins[i] * 0.01f;
    }
}

/* Converts later moves to the batch's frame. A damaged file may have numbers that stand for no
 * point of the row's frame. They become 0 (not known). */
static void set_later_moves(const CellMap *map, float *moves) {
    for (int i = 0; i < LATER_MOVES; i++) {
        bool is_point = moves[i] >= 1 && moves[i] <= BOARD_POINTS_MAX;
        int at = is_point ? (int)moves[i] - 1 : 0, x = at % BOARD_SIDE_MAX, y = at / BOARD_SIDE_MAX;
        is_point = is_point && x < map->row_length && y < map->row_length;
        moves[i] = is_point ? (float)(1 + map->cell[y * map->row_length + x]) : 0;
    }
}

static void set_players(const Rows *rows, size_t row, bool hidden, float *to) {
    memset(to, 0, METADATA_COUNT * sizeof *to);
    if (rows->has_players && !hidden)
        memcpy(to, rows->players + row * METADATA_COUNT, METADATA_COUNT * sizeof *to);
}

static void set_points(const int16_t *points, const CellMap *map, float *to) {
    int area = map->row_length * map->row_length;
    memset(to, 0, batch_area(map) * sizeof *to);
    for (int i = 0; points && i < area; i++) {
        if (map->cell[i] >= 0) to[map->cell[i]] = (float)points[i];
    }
}

void batch_set_row(Batch *batch, int n, const Rows *rows, size_t row, const RowView *view) {
    size_t at = (size_t)n, frame = (size_t)(rows->length * rows->length),
           area = (size_t)(batch->length * batch->length), bytes = (frame + 7) / 8;
    CellMap map;
    make_cell_map(&map, rows->length, batch->length, view->symmetry);
    float *planes = batch->planes + at * area * FEATURE_PLANES;
    float *globals = batch->globals + at * FEATURE_GLOBALS;
    float *targets = batch->targets + at * ROW_GLOBAL_TARGETS;
    memcpy(targets, rows->targets + row * ROW_GLOBAL_TARGETS, ROW_GLOBAL_TARGETS * sizeof(float));
    set_later_moves(&map, targets + TARGET_LATER_MOVES);
    if (view->lead_from_score && !(targets[TARGET_WEIGHT_LEAD] > 0)) {
        targets[TARGET_LEAD] = targets[TARGET_SCORE];
        targets[TARGET_WEIGHT_LEAD] = targets[TARGET_WEIGHT_BOARD];
    }
    memcpy(globals, rows->globals + row * FEATURE_GLOBALS, FEATURE_GLOBALS * sizeof(float));
    for (int i = view->history; i < HISTORY; i++)
        globals[i] = 0;
    set_planes(rows->planes + row * FEATURE_PLANES * bytes, &map, view->history, planes);
    assert(view->history >= 0 && view->history <= HISTORY);
    for (size_t i = 0; i < area; i++)
        batch->mask[at * area + i] = planes[i * FEATURE_PLANES];
    for (size_t c = 0; c < 2; c++)
        set_policy(rows->policy + (row * 2 + c) * (frame + 1), &map,
                   batch->policy + (at * 2 + c) * (area + 1));
    set_ownership(rows->values + row * 5 * frame, &map, batch->ownership + at * area);
    if (batch->boards)
        set_boards(rows->values + row * 5 * frame, &map, batch->boards + at * area * BATCH_BOARDS);
    if (batch->search_values)
        set_search_values(rows->search_values + row * VALUE_BUCKETS,
                          batch->search_values + at * VALUE_BUCKETS);
    if (batch->q_values)
        set_q_values(rows->q_values + row * 3 * (frame + 1), &map,
                     batch->q_values + at * (area + 1) * BATCH_Q_VALUES);
    if (batch->players)
        set_players(rows, row, view->players_hidden, batch->players + at * METADATA_COUNT);
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        if (batch->points[c])
            set_points(rows->points[c] ? rows->points[c] + row * frame : NULL, &map,
                       batch->points[c] + at * area);
    }
    set_score(rows->score + row * (2 * frame + 2 * ROW_SCORE_PAD), rows->length,
              batch->score + at * SCORE_BINS);
}
