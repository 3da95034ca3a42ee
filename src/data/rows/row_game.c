/* How the rows of a game are made. Their columns, except Rows.search_values and Rows.points, are
 * the columns of KataGo's training files (KataGo, python/katago/train/data_processing_pytorch.py,
 * reads them).
 *   1. row_targets_prepare() finds the means of later searches for each turn.
 *   2. replay_all() plays the game once and stores each board. The boards are needed for the
 *      targets that show the stones 8 and 32 turns later, and for those of row_point_targets.h.
 *   3. write_rows() plays it again and writes the rows of each turn, then those of each side
 *      position (game_record.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "data/rows/row_point_targets.h"
#include "data/rows/row_private.h"
#include "data/rows/row_targets.h"

static void store_board(const RowWriter *w, int turn, const Board *board) {
    uint8_t *to = w->boards + (size_t)turn * (size_t)w->area;
    for (int i = 0; i < w->area; i++)
        to[i] = board->color[move_at_index(i, w->width, w->height)];
}

/* Plays the move of a turn. If the move is not known (TurnRecord.move), the position stays as it
 * is. */
static Status play_turn(const RowWriter *w, int t, Position *position, Error *err) {
    Point point = w->record->turns[t].move.point;
    return point == POINT_NONE ? OK : position_play(position, point, err);
}

static Status replay_all(RowWriter *w, Error *err) {
    Position position = {0};
    Status status = position_copy(&position, &w->record->start, err);
    for (int t = 0; t < w->turns && !status; t++) {
        store_board(w, t, &position.board);
        status = play_turn(w, t, &position, err);
    }
    if (!status) {
        store_board(w, w->turns, &position.board);
        row_targets_prepare_end(w, &position);
    }
    position_clear(&position);
    return status ? status : row_point_targets_prepare(w, err);
}

/* Packs a plane for the rows' frame. `bits` has one bit for each point of the board. */
static void pack_plane(const RowWriter *w, const uint64_t bits[6], uint8_t *to) {
    for (int word = 0; word < (w->area + 63) / 64; word++) {
        for (uint64_t left = bits[word]; left; left &= left - 1) { /* clears the lowest bit */
            int at = row_frame_index(w, 64 * word + __builtin_ctzll(left));
            to[at / 8] |= (uint8_t)(0x80 >> at % 8);
        }
    }
}

static void write_planes(const RowWriter *w, const Position *position, uint8_t *planes,
                         float *globals) {
    uint64_t bits[FEATURE_PLANES][6];
    int length = w->rows->length;
    size_t bytes = ((size_t)(length * length) + 7) / 8;
    FeatureOptions options = FEATURE_OPTIONS_DEFAULT;
    options.draw_equivalent_wins_for_white = w->record->draw_equivalent_wins_for_white;
    options.playout_doubling_advantage = w->record->playout_doubling_advantage[position->mover];
    options.ladders = w->ladders;
    features_encode_bits(position, &options, bits, globals);
    memset(planes, 0, FEATURE_PLANES * bytes);
    for (size_t plane = 0; plane < FEATURE_PLANES; plane++)
        pack_plane(w, bits[plane], planes + plane * bytes);
}

/* Writes the policy target of a turn and returns the weight of the target. If `turn` is NULL or has
 * no policy target, all entries are 1 and the weight is 0. */
static float write_policy(const RowWriter *w, const TurnRecord *turn, int16_t *policy) {
    int moves = w->rows->length * w->rows->length + 1;
    bool any = turn && turn->target_count > 0;
    for (int i = 0; i < moves; i++)
        policy[i] = !any;
    for (int i = 0; any && i < turn->target_count; i++)
        policy[row_frame_index(w, turn->targets[i].index)] = turn->targets[i].weight;
    return any ? turn->policy_weight : 0;
}

static void write_search_values(const TurnRecord *turn, int16_t *to) {
    memset(to, 0, REPORT_VALUE_BUCKETS * sizeof *to);
    if (turn->has_value_counts) memcpy(to, turn->value_counts, sizeof turn->value_counts);
}

/* Writes the players of row n, if the rows have a column for them. */
static void write_players(const RowWriter *w, const Position *position, size_t n) {
    if (!w->rows->has_players) return;
    float *to = w->rows->players + n * METADATA_COUNT;
    if (w->record->players_known)
        metadata_encode(&w->record->players, position->mover, w->area, to);
    else
        memset(to, 0, METADATA_COUNT * sizeof *to);
}

static Status write_row(const RowWriter *w, int t, const Position *position, Error *err) {
    Rows *rows = w->rows;
    Status status = rows_reserve(rows, rows->count + 1, err);
    if (status) return status;
    size_t n = rows->count, area = (size_t)rows->length * (size_t)rows->length;
    float weights[2], *targets = rows->targets + n * ROW_GLOBAL_TARGETS;
    write_planes(w, position, rows->planes + n * FEATURE_PLANES * ((area + 7) / 8),
                 rows->globals + n * FEATURE_GLOBALS);
    const TurnRecord *turn = &w->record->turns[t], *next = t + 1 < w->turns ? turn + 1 : NULL;
    weights[0] = write_policy(w, turn, rows->policy + n * 2 * (area + 1));
    weights[1] = write_policy(w, next, rows->policy + (n * 2 + 1) * (area + 1));
    row_targets_write(w, t, position, weights, targets);
    row_targets_write_score(w, (double)targets[TARGET_SCORE], targets[TARGET_WEIGHT_BOARD] > 0,
                            rows->score + n * (2 * area + 2 * ROW_SCORE_PAD));
    row_targets_write_boards(w, t, position->mover, rows->values + n * 5 * area);
    row_targets_write_moves(w, turn, position->mover, rows->q_values + n * 3 * (area + 1));
    write_search_values(turn, rows->search_values + n * REPORT_VALUE_BUCKETS);
    write_players(w, position, n);
    row_point_targets_write(w, t, position->mover, n);
    rows->count++;
    return OK;
}

/* Writes the row of a side position. Its only targets are what its search found, because it has no
 * reply and no result of a game. */
static Status write_side(const RowWriter *w, const SideRecord *side, Error *err) {
    Rows *rows = w->rows;
    const Position *position = &side->position;
    Status status = rows_reserve(rows, rows->count + 1, err);
    if (status) return status;
    size_t n = rows->count, area = (size_t)rows->length * (size_t)rows->length;
    write_planes(w, position, rows->planes + n * FEATURE_PLANES * ((area + 7) / 8),
                 rows->globals + n * FEATURE_GLOBALS);
    float weight = write_policy(w, &side->turn, rows->policy + n * 2 * (area + 1));
    write_policy(w, NULL, rows->policy + (n * 2 + 1) * (area + 1));
    row_targets_write_side(w, side, weight, rows->targets + n * ROW_GLOBAL_TARGETS);
    row_targets_write_score(w, 0, false, rows->score + n * (2 * area + 2 * ROW_SCORE_PAD));
    memset(rows->values + n * 5 * area, 0, 5 * area);
    row_targets_write_moves(w, &side->turn, position->mover, rows->q_values + n * 3 * (area + 1));
    write_search_values(&side->turn, rows->search_values + n * REPORT_VALUE_BUCKETS);
    write_players(w, position, n);
    row_point_targets_write_side(w, n);
    rows->count++;
    return OK;
}

/* Draws how many copies of a turn's row are made. The weight of the row is rounded up or down at
 * random, so that the mean number of copies is the weight. A turn without policy target gets no
 * row. */
static int draw_copies(const RowWriter *w, const TurnRecord *turn) {
    double weight = (double)turn->row_weight, whole = floor(weight);
    int copies = (int)whole + (rng_uniform(w->rng) < weight - whole);
    return turn->target_count ? copies : 0;
}

static Status write_rows(const RowWriter *w, Error *err) {
    Position position = {0};
    Status status = position_copy(&position, &w->record->start, err);
    for (int t = 0; t < w->turns && !status; t++) {
        const TurnRecord *turn = &w->record->turns[t];
        int copies = draw_copies(w, turn);
        for (int i = 0; i < copies && !status; i++)
            status = i ? rows_append(w->rows, w->rows, w->rows->count - 1, 1, err)
                       : write_row(w, t, &position, err);
        if (!status) status = play_turn(w, t, &position, err);
    }
    position_clear(&position);
    for (size_t i = 0; i < w->record->side_count && !status; i++) {
        const SideRecord *side = &w->record->sides[i];
        int copies = draw_copies(w, &side->turn);
        for (int k = 0; k < copies && !status; k++)
            status = k ? rows_append(w->rows, w->rows, w->rows->count - 1, 1, err)
                       : write_side(w, side, err);
    }
    return status;
}

Status rows_from_game(const GameRecord *record, Rng *rng, Rows *rows, Error *err) {
    RowWriter w = {.record = record,
                   .rows = rows,
                   .rng = rng,
                   .width = record->start.board.width,
                   .height = record->start.board.height,
                   .turns = (int)record->turn_count};
    w.area = w.width * w.height;
    if (w.width > rows->length || w.height > rows->length)
        return fail(err, ERR_ARGUMENT, "a %dx%d board does not fit into rows of length %d", w.width,
                    w.height, rows->length);
    if (!record->finished)
        return fail(err, ERR_ARGUMENT, "rows can be made only from finished games");
    size_t before = rows->count;
    Status status = ladder_memory_new(&w.ladders, err);
    if (!status) status = mem_new((size_t)(w.turns + 1), (size_t)w.area, &w.boards, err);
    if (!status) status = mem_new((size_t)(w.turns + 1), sizeof *w.means, &w.means, err);
    if (!status) {
        row_targets_prepare(&w);
        status = replay_all(&w, err);
    }
    if (!status) status = write_rows(&w, err);
    if (status) rows->count = before;
    ladder_memory_free(w.ladders);
    for (int c = 0; c < ROW_POINT_COLUMNS; c++)
        free(w.points[c]);
    free(w.boards);
    free(w.means);
    return status;
}
