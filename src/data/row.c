/* Rows from games; the columns are those of KataGo's training files (python/katago/train/data_processing_pytorch.py reads them). */
#include "data/row.h"
#include "base/memory.h"
#include "go/score.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7, SCORE_PAD = 60 };

typedef struct {
    void *array_pointer; /* address of the pointer */
    size_t bytes;        /* a row */
} Column;

static void columns_of(Rows *rows, Column out[COLUMNS]) {
    size_t area = (size_t)rows->length * (size_t)rows->length;
    out[0] = (Column){&rows->planes, FEATURE_PLANES * ((area + 7) / 8)};
    out[1] = (Column){&rows->globals, FEATURE_GLOBALS * sizeof(float)};
    out[2] = (Column){&rows->policy, 2 * (area + 1) * sizeof(int16_t)};
    out[3] = (Column){&rows->targets, ROW_GLOBAL_TARGETS * sizeof(float)};
    out[4] = (Column){&rows->score, 2 * area + 2 * SCORE_PAD};
    out[5] = (Column){&rows->values, 5 * area};
    out[6] = (Column){&rows->q_values, 3 * (area + 1) * sizeof(int16_t)};
}

static char *array_of(const Column *column) {
    char *array;
    memcpy(&array, column->array_pointer, sizeof array);
    return array;
}

Status rows_init(Rows *rows, int length, Error *err) {
    *rows = (Rows){.length = length};
    return length >= 2 && length <= BOARD_EDGE_MAX ? OK : fail(err, ERR_ARGUMENT, "rows of boards with an edge of %d", length);
}

void rows_clear(Rows *rows) {
    Column columns[COLUMNS];
    columns_of(rows, columns);
    for (int i = 0; i < COLUMNS; i++) free(array_of(&columns[i]));
    *rows = (Rows){.length = rows->length};
}

static Status reserve(Rows *rows, size_t wanted, Error *err) {
    Column columns[COLUMNS];
    Status status = OK;
    size_t grown = rows->capacity;
    if (wanted <= grown) return OK;
    columns_of(rows, columns);
    for (int i = 0; i < COLUMNS && !status; i++) {
        grown = rows->capacity;
        status = mem_grow(columns[i].array_pointer, &grown, wanted, columns[i].bytes, err);
    }
    if (!status) rows->capacity = grown;
    return status;
}

Status rows_append(Rows *rows, const Rows *from, size_t first, size_t count, Error *err) {
    Column to[COLUMNS], source[COLUMNS];
    if (from->length != rows->length) return fail(err, ERR_ARGUMENT, "rows of edge %d do not go with rows of edge %d", from->length, rows->length);
    Status status = reserve(rows, rows->count + count, err);
    if (status || !count) return status;
    Rows view = *from; /* after the growth: `from` may be `rows` */
    columns_of(rows, to);
    columns_of(&view, source);
    for (int i = 0; i < COLUMNS; i++) memcpy(array_of(&to[i]) + rows->count * to[i].bytes, array_of(&source[i]) + first * to[i].bytes, count * to[i].bytes);
    rows->count += count;
    return OK;
}

typedef struct {
    const GameRecord *record;
    Rows *rows;
    Rng *rng;
    int width, height, area, turns;
    uint8_t *boards;      /* (turns + 1, area): stones before each turn and at the end */
    double (*td)[3][4];   /* by turn: win, loss, no result, score for White at three horizons */
    uint8_t full_area[POINT_COUNT];
    float scoring[POINT_COUNT]; /* White's */
    double white_score;   /* final, draw adjustment included */
    double final[4];
} Writer;

static double final_wins(const GameRecord *record) {
    if (record->outcome.winner == COLOR_EMPTY) return (double)record->draw_equivalent_wins_for_white;
    return record->outcome.winner == COLOR_WHITE ? 1 : 0;
}

static void find_final(Writer *w) {
    const GameRecord *record = w->record;
    double score = (double)record->white_score;
    if (record->outcome.no_result) {
        w->final[2] = 1;
        return;
    }
    bool whole = score == floor(score);
    w->white_score = whole ? score + (double)record->draw_equivalent_wins_for_white - 0.5 : score;
    w->final[0] = final_wins(record);
    w->final[1] = 1 - w->final[0];
    w->final[3] = w->white_score;
}

/* Means of later search values: rate 1 / (1 + k area), the rest on the result. */
static void find_td(Writer *w) {
    static const double RATES[3] = {0.176, 0.056, 0.016};
    double limit = w->area + SCORE_PAD;
    for (int h = 0; h < 3; h++) {
        double f = 1 / (1 + RATES[h] * w->area), next[4];
        memcpy(next, w->final, sizeof next);
        for (int t = w->turns - 1; t >= 0; t--) {
            const TurnRecord *turn = &w->record->turns[t];
            const double now[4] = {(double)turn->white_win, (double)turn->white_loss, (double)turn->white_no_result, fmin(fmax((double)turn->white_score, -limit), limit)};
            for (int k = 0; k < 4; k++) next[k] = f * now[k] + (1 - f) * next[k];
            memcpy(w->td[t][h], next, sizeof next);
        }
    }
}

/* Each owned point counts 1; with a tax on all groups the two points are spread over the points of a region that are not its own stones. */
static void find_scoring(Writer *w, const Board *end) {
    static const int STEPS[4] = {-POINT_STRIDE, -1, 1, POINT_STRIDE};
    const uint8_t *owner = w->record->owner;
    bool seen[POINT_COUNT] = {false};
    for (Point p = 0; p < POINT_COUNT; p++) w->scoring[p] = owner[p] == COLOR_WHITE ? 1.0f : owner[p] == COLOR_BLACK ? -1.0f : 0;
    if (w->record->start.rules.tax != TAX_ALL) return;
    for (Point p = 0; p < POINT_COUNT; p++) {
        if (owner[p] == COLOR_EMPTY || seen[p]) continue;
        int16_t queue[BOARD_POINTS_MAX];
        int count = 0, free_points = 0;
        queue[count++] = (int16_t)p;
        seen[p] = true;
        for (int at = 0; at < count; at++) {
            free_points += end->color[queue[at]] != owner[p];
            for (int i = 0; i < 4; i++) {
                Point near = queue[at] + STEPS[i];
                if (seen[near] || owner[near] != owner[p]) continue;
                seen[near] = true;
                queue[count++] = (int16_t)near;
            }
        }
        float share = free_points > 2 ? (float)(free_points - 2) / (float)free_points : 0;
        for (int at = 0; at < count; at++) {
            if (end->color[queue[at]] != owner[p]) w->scoring[queue[at]] *= share;
        }
    }
}

static void keep_board(const Writer *w, int turn, const Board *board) {
    uint8_t *to = w->boards + (size_t)turn * (size_t)w->area;
    for (int i = 0; i < w->area; i++) to[i] = board->color[move_at_index(i, w->width, w->height)];
}

static Status replay_all(Writer *w, Error *err) {
    Position position = {0};
    Status status = position_copy(&position, &w->record->start, err);
    for (int t = 0; t < w->turns && !status; t++) {
        keep_board(w, t, &position.board);
        status = position_play(&position, w->record->turns[t].move.point, err);
    }
    if (!status) {
        keep_board(w, w->turns, &position.board);
        area_compute(&position.board, &(AreaOptions){.nonpassalive_stones = true, .safe_big_territories = true, .unsafe_big_territories = true, .suicide = score_suicide(&position)}, w->full_area);
        find_scoring(w, &position.board);
    }
    position_clear(&position);
    return status;
}

static void write_planes(const Writer *w, const Position *position, uint8_t *planes, float *globals) {
    uint64_t bits[FEATURE_PLANES][6];
    int length = w->rows->length;
    size_t bytes = ((size_t)(length * length) + 7) / 8;
    FeatureOptions options = FEATURE_OPTIONS_DEFAULT;
    options.draw_equivalent_wins_for_white = w->record->draw_equivalent_wins_for_white;
    features_encode_bits(position, &options, bits, globals);
    memset(planes, 0, FEATURE_PLANES * bytes);
    for (int plane = 0; plane < FEATURE_PLANES; plane++) {
        for (int i = 0; i < w->area; i++) {
            if (!(bits[plane][i >> 6] >> (i & 63) & 1)) continue;
            int at = i / w->width * length + i % w->width;
            planes[(size_t)plane * bytes + (size_t)(at / 8)] |= (uint8_t)(0x80 >> at % 8);
        }
    }
}

/* Targets of a turn in the L x L frame; without any, all ones. Returns their weight. */
static float write_policy(const Writer *w, int t, int16_t *policy) {
    int length = w->rows->length, places = length * length + 1;
    const TurnRecord *turn = t < w->turns ? &w->record->turns[t] : NULL;
    bool any = turn && turn->target_count > 0;
    for (int i = 0; i < places; i++) policy[i] = !any;
    for (int i = 0; any && i < turn->target_count; i++) {
        int index = turn->targets[i].index, at = index == w->area ? places - 1 : index / w->width * length + index % w->width;
        policy[at] = turn->targets[i].weight;
    }
    return any ? turn->policy_weight : 0;
}

static void write_value(float *to, const double white[4], bool is_white) {
    to[0] = (float)(is_white ? white[0] : white[1]);
    to[1] = (float)(is_white ? white[1] : white[0]);
    to[2] = (float)white[2];
    to[3] = (float)(is_white ? white[3] : -white[3]);
}

static void write_score(const Writer *w, double score, bool known, int8_t *to) {
    int size = 2 * w->rows->length * w->rows->length + 2 * SCORE_PAD, mid = size / 2;
    memset(to, 0, (size_t)size);
    if (!known) {
        to[mid - 1] = to[mid] = 50;
        return;
    }
    double rounded = round(score);
    int lower = (int)rounded + mid - 1, upper = lower + 1, part = (int)lround(100 * (score - (rounded - 0.5)));
    if (upper <= 0) to[0] = 100;
    else if (lower >= size - 1) to[size - 1] = 100;
    else {
        to[lower] = (int8_t)(100 - part);
        to[upper] = (int8_t)part;
    }
}

static int8_t side_sign(uint8_t color, Color own) {
    return (int8_t)(color == COLOR_BLACK || color == COLOR_WHITE ? (color == own ? 1 : -1) : 0);
}

static void write_board_targets(const Writer *w, int t, Color own, int8_t *to) {
    int length = w->rows->length, frame = length * length;
    int near = t + 8 < w->turns ? t + 8 : w->turns, far = t + 32 < w->turns ? t + 32 : w->turns;
    memset(to, 0, (size_t)(5 * frame));
    for (int i = 0; i < w->area; i++) {
        Point point = move_at_index(i, w->width, w->height);
        int at = i / w->width * length + i % w->width;
        uint8_t owner = w->record->owner[point];
        to[at] = side_sign(owner, own);
        to[frame + at] = owner == COLOR_EMPTY ? side_sign(w->full_area[point], own) : 0;
        to[2 * frame + at] = side_sign(w->boards[near * w->area + i], own);
        to[3 * frame + at] = side_sign(w->boards[far * w->area + i], own);
        double score = (double)(own == COLOR_WHITE ? w->scoring[point] : -w->scoring[point]) * 120, low = floor(score);
        to[4 * frame + at] = (int8_t)(low + (score > low && rng_uniform(w->rng) < score - low));
    }
}

/* Arrival time of variance: the sum over later turns of k times the squared change of value. */
static double variance_time(const Writer *w, int t) {
    double sum = 0, before = (double)(w->record->turns[t].white_win - w->record->turns[t].white_loss);
    for (int k = 1; t + k <= w->turns; k++) {
        const TurnRecord *turn = t + k < w->turns ? &w->record->turns[t + k] : NULL;
        double now = turn ? (double)(turn->white_win - turn->white_loss) : w->final[0] - w->final[1];
        sum += k * (now - before) * (now - before);
        before = now;
    }
    return sum;
}

static void write_hash(const GameRecord *record, float *to) {
    for (int i = 0; i < 2; i++) {
        to[3 * i] = (float)(record->hash[i] & 0x3fffff);
        to[3 * i + 1] = (float)(record->hash[i] >> 22 & 0x3fffff);
        to[3 * i + 2] = (float)(record->hash[i] >> 44);
    }
}

static void write_targets(const Writer *w, int t, const Position *position, float weights[2], float *to) {
    const GameRecord *record = w->record;
    const TurnRecord *turn = &record->turns[t];
    bool white = position->mover == COLOR_WHITE, scored = !record->outcome.no_result;
    const double now[4] = {(double)turn->white_win, (double)turn->white_loss, (double)turn->white_no_result, (double)turn->white_score};
    memset(to, 0, ROW_GLOBAL_TARGETS * sizeof *to);
    write_value(to, w->final, white);
    for (int h = 0; h < 3; h++) write_value(to + 4 + 4 * h, w->td[t][h], white);
    write_value(to + 16, now, white);
    to[20] = scored ? to[3] : 0;
    to[21] = white ? turn->white_lead : -turn->white_lead;
    to[22] = (float)variance_time(w, t);
    to[25] = 1;
    to[26] = weights[0];
    to[27] = scored;
    to[28] = weights[1];
    to[29] = 0; /* leads are estimated by searches of their own, not by the game's */
    to[30] = turn->policy_surprise;
    to[31] = turn->raw_policy_entropy;
    to[32] = turn->search_entropy;
    to[33] = to[34] = scored;
    for (int i = 0; i < 5; i++) to[36 + i] = (i == 0 || to[35 + i] > 0) && rng_uniform(w->rng) < 0.98;
    write_hash(record, to + 41);
    to[47] = position_mover_komi(position, record->draw_equivalent_wins_for_white);
    to[48] = position->rules.scoring == SCORING_AREA || position->encore_phase == 2;
    to[51] = (float)position->move_count;
    to[52] = record->hit_move_limit;
    to[53] = (float)record->opening_turns;
    to[55] = (float)record->mode;
    to[57] = white ? turn->raw_white_win_loss : -turn->raw_white_win_loss;
    to[58] = white ? turn->raw_white_score : -turn->raw_white_score;
    to[59] = turn->raw_policy_entropy;
    to[60] = (float)turn->visits;
    to[62] = scored && record->finished && !record->hit_move_limit;
    to[63] = 3;
    to[68] = position->passalive_under_suicide;
}

static Status write_row(const Writer *w, int t, const Position *position, Error *err) {
    Rows *rows = w->rows;
    Status status = reserve(rows, rows->count + 1, err);
    if (status) return status;
    size_t n = rows->count, area = (size_t)rows->length * (size_t)rows->length;
    float weights[2];
    write_planes(w, position, rows->planes + n * FEATURE_PLANES * ((area + 7) / 8), rows->globals + n * FEATURE_GLOBALS);
    weights[0] = write_policy(w, t, rows->policy + n * 2 * (area + 1));
    weights[1] = write_policy(w, t + 1, rows->policy + (n * 2 + 1) * (area + 1));
    float *targets = rows->targets + n * ROW_GLOBAL_TARGETS;
    write_targets(w, t, position, weights, targets);
    write_score(w, (double)targets[20], targets[27] > 0, rows->score + n * (2 * area + 2 * SCORE_PAD));
    write_board_targets(w, t, position->mover, rows->values + n * 5 * area);
    memset(rows->q_values + n * 3 * (area + 1), 0, 3 * (area + 1) * sizeof *rows->q_values);
    rows->count++;
    return OK;
}

static Status write_rows(const Writer *w, Error *err) {
    Position position = {0};
    Status status = position_copy(&position, &w->record->start, err);
    for (int t = 0; t < w->turns && !status; t++) {
        const TurnRecord *turn = &w->record->turns[t];
        double whole = floor((double)turn->row_weight);
        int copies = (int)whole + (rng_uniform(w->rng) < (double)turn->row_weight - whole);
        if (!turn->target_count) copies = 0;
        for (int i = 0; i < copies && !status; i++) status = i ? rows_append(w->rows, w->rows, w->rows->count - 1, 1, err) : write_row(w, t, &position, err);
        if (!status) status = position_play(&position, turn->move.point, err);
    }
    position_clear(&position);
    return status;
}

Status rows_from_game(const GameRecord *record, Rng *rng, Rows *rows, Error *err) {
    Writer w = {.record = record, .rows = rows, .rng = rng, .width = record->start.board.width, .height = record->start.board.height, .turns = (int)record->turn_count};
    w.area = w.width * w.height;
    if (w.width > rows->length || w.height > rows->length) return fail(err, ERR_ARGUMENT, "a %dx%d board does not fit into rows of edge %d", w.width, w.height, rows->length);
    if (!record->finished) return fail(err, ERR_ARGUMENT, "rows are made from finished games only");
    size_t before = rows->count;
    Status status = mem_new((size_t)(w.turns + 1), (size_t)w.area, &w.boards, err);
    if (!status) status = mem_new((size_t)(w.turns + 1), sizeof *w.td, &w.td, err);
    if (!status) {
        find_final(&w);
        find_td(&w);
        status = replay_all(&w, err);
    }
    if (!status) status = write_rows(&w, err);
    if (status) rows->count = before;
    free(w.boards);
    free(w.td);
    return status;
}

static Status check_row(const Rows *rows, size_t n, Error *err) {
    size_t area = (size_t)rows->length * (size_t)rows->length, bytes = (area + 7) / 8;
    const uint8_t *planes = rows->planes + n * FEATURE_PLANES * bytes;
    for (int i = 0; i < FEATURE_GLOBALS; i++) {
        if (!isfinite(rows->globals[n * FEATURE_GLOBALS + (size_t)i])) return fail(err, ERR_SYNTAX, "row %zu: globalInputNC[%d] is not finite", n, i);
    }
    for (int i = 0; i < ROW_GLOBAL_TARGETS; i++) {
        float value = rows->targets[n * ROW_GLOBAL_TARGETS + (size_t)i];
        if (!isfinite(value) || fabsf(value) > 1e7f) return fail(err, ERR_SYNTAX, "row %zu: globalTargetsNC[%d] is %g", n, i, (double)value);
    }
    for (size_t i = 0; i < FEATURE_PLANES * bytes; i++) {
        if (planes[i] & ~planes[i % bytes]) return fail(err, ERR_SYNTAX, "row %zu: plane %zu has points off the board", n, i / bytes);
    }
    for (int c = 0; c < 2; c++) {
        long sum = 0;
        for (size_t i = 0; i <= area; i++) {
            int16_t weight = rows->policy[(n * 2 + (size_t)c) * (area + 1) + i];
            if (weight < 0) return fail(err, ERR_SYNTAX, "row %zu: policy target %d is negative", n, c);
            sum += weight;
        }
        if (sum == 0) return fail(err, ERR_SYNTAX, "row %zu: policy target %d is empty", n, c);
    }
    return OK;
}

Status rows_check(const Rows *rows, Error *err) {
    Status status = OK;
    for (size_t n = 0; n < rows->count && !status; n++) status = check_row(rows, n, err);
    return status;
}
