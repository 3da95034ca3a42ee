#include "train/objective.h"

#include <string.h>

#include "train/losses/row_loss.h"

enum {
    NEEDS_NEXT_OCCUPANT = 1 << ROW_NEXT_OCCUPANT,
    NEEDS_TIME_ON_BOARD = 1 << ROW_TIME_ON_BOARD,
    NEEDS_SAME_CHAIN = 1 << ROW_SAME_CHAIN,
};

/* All losses, in the order in which they are computed. A loss is computed if the net has its
 * head. `points` is the set of columns of row_points.h that the loss needs. */
static const struct {
    HeadId head;
    void (*add)(const RowLoss *row);
    unsigned points;
} LOSSES[] = {
    {HEAD_VALUE, loss_value, 0},
    {HEAD_POLICY, loss_policy, 0},
    {HEAD_POLICY, loss_q_values, 0},
    {HEAD_OWNERSHIP, loss_ownership, 0},
    {HEAD_SCORE_DISTRIBUTION, loss_distribution, 0},
    {HEAD_SCORE, loss_score, 0},
    {HEAD_TD, loss_td, 0},
    {HEAD_SEARCH_VALUES, loss_search_values, 0},
    {HEAD_FUTURE, loss_future, 0},
    {HEAD_SCORING, loss_scoring, 0},
    {HEAD_SEKI, loss_seki, 0},
    {HEAD_TD_ERRORS, loss_td_errors, 0},
    {HEAD_MOVES_LEFT, loss_moves_left, 0},
    {HEAD_SCORE_SCALE, loss_score_scale, 0},
    {HEAD_LADDERS, loss_ladders, 0},
    {HEAD_VALUE_BUCKETS, loss_value_buckets, 0},
    {HEAD_LATER_MOVES, loss_later_moves, 0},
    {HEAD_ROOT_VARIANCE, loss_root_variance, 0},
    {HEAD_VALUE_ERROR, loss_value_error, 0},
    {HEAD_NEXT_OCCUPANT, loss_next_occupant, NEEDS_NEXT_OCCUPANT},
    {HEAD_TIME_ON_BOARD, loss_time_on_board, NEEDS_TIME_ON_BOARD},
    {HEAD_SAME_CHAIN, loss_same_chain, NEEDS_SAME_CHAIN},
};
enum { LOSSES_COUNT = sizeof LOSSES / sizeof *LOSSES };

unsigned objective_point_columns(const HeadIndex *heads) {
    unsigned columns = 0;
    for (int i = 0; i < LOSSES_COUNT; i++)
        columns |= heads->output[LOSSES[i].head] >= 0 ? LOSSES[i].points : 0;
    return columns;
}

unsigned objective_will_need_points(const ArchSettings *settings) {
    unsigned columns = 0;
    for (int i = 0; i < LOSSES_COUNT; i++)
        columns |= head_is_wanted(LOSSES[i].head, settings) ? LOSSES[i].points : 0;
    return columns;
}

double objective_seki_weight(double unowned) {
    return 8 * 0.005 / (0.005 + unowned);
}

/* Returns the factor of losses in points or turns (ObjectiveSettings.score_area). */
static double points_factor(const ObjectiveSettings *settings, int board_count) {
    return settings->score_area > 0 && board_count > 0 ? settings->score_area / board_count : 1;
}

/* Lists the cells that lie on the board, and returns how many there are. */
static int list_board(const float *mask, int cells, int16_t *out) {
    int count = 0;
    for (int i = 0; i < cells; i++) {
        if (mask[i] != 0) out[count++] = (int16_t)i;
    }
    return count;
}

/* Lists the cells of legal moves, and returns how many there are. A move with a target probability
 * above 0 always counts as legal. */
static int list_legal(const RowLoss *r, const float *globals, int length, int16_t *out) {
    uint8_t legal[BOARD_POINTS_MAX];
    int count = 0;
    features_mark_legal(r->planes, globals, length, legal);
    for (int k = 0; k < r->board_count; k++) {
        int16_t cell = r->board[k];
        if (legal[cell] || r->target_policy[cell] > 0) out[count++] = cell;
    }
    return count;
}

/* Sets r->y and r->dy to the outputs and gradients of row `k` of the shard, and sets the gradients
 * to 0. */
static void set_outputs(const ObjectiveShard *shard, size_t k, RowLoss *r) {
    for (HeadId i = 0; i < HEAD_COUNT; i++) {
        size_t count = head_elements(i, r->policies.count, r->cells);
        if (!shard->outputs[i]) continue;
        r->y[i] = shard->outputs[i] + k * count;
        r->dy[i] = shard->gradients[i] + k * count;
        memset(r->dy[i], 0, count * sizeof(float));
    }
}

static void add_losses(RowLoss *r) {
    r->sums->rows += r->weight;
    r->win_loss = row_win_loss(r);
    for (int i = 0; i < LOSSES_COUNT; i++) {
        if (r->y[LOSSES[i].head]) LOSSES[i].add(r);
    }
}

void objective_evaluate(const ObjectiveSettings *settings, const ObjectiveShard *shard,
                        Metrics *sums) {
    const Batch *batch = shard->batch;
    size_t cells = (size_t)(batch->length * batch->length);
    for (size_t k = 0; k < (size_t)shard->count; k++) {
        size_t n = (size_t)shard->first + k;
        int16_t board[BOARD_POINTS_MAX], legal[BOARD_POINTS_MAX];
        RowLoss r = {
            .settings = settings,
            .target_policy = batch->policy + n * 2 * (cells + 1),
            .targets = batch->targets + n * ROW_GLOBAL_TARGETS,
            .target_bins = batch->score + n * SCORE_BINS,
            .target_ownership = batch->ownership + n * cells,
            .planes = batch->planes + n * cells * FEATURE_PLANES,
            .board = board,
            .board_count = list_board(batch->mask + n * cells, (int)cells, board),
            .cells = (int)cells,
            .policies = shard->policies,
            .target_boards = batch->boards ? batch->boards + n * cells * BATCH_BOARDS : NULL,
            .target_search_values =
                batch->search_values ? batch->search_values + n * VALUE_BUCKETS : NULL,
            .target_q_values = shard->policies.at[POLICY_Q_SCORE] >= 0
                                   ? batch->q_values + n * (cells + 1) * BATCH_Q_VALUES
                                   : NULL,
            .seki_weight = shard->seki_weight,
            .sums = sums,
        };
        r.moves = settings->policy_legal ? legal : board;
        r.move_count = settings->policy_legal ? list_legal(&r, batch->globals + n * FEATURE_GLOBALS,
                                                           batch->length, legal)
                                              : r.board_count;
        for (int c = 0; c < ROW_POINT_COLUMNS; c++)
            r.target_points[c] = batch->points[c] ? batch->points[c] + n * cells : NULL;
        set_outputs(shard, k, &r);
        r.weight = (double)r.targets[TARGET_WEIGHT];
        r.per_points = points_factor(settings, r.board_count);
        r.per_squares = r.per_points * r.per_points;
        if (!shard->rows) {
            add_losses(&r);
            continue;
        }
        shard->rows[k] = (Metrics){0};
        r.sums = &shard->rows[k];
        add_losses(&r);
        metrics_add(sums, r.sums);
    }
}
