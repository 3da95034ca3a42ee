#include "train/objective.h"

#include <string.h>

#include "train/loss.h"

#define WU "Wu 2019, appendix B"
#define METRICS "KataGo, python/katago/train/metrics_pytorch.py"
#define G170 "KataGo, python/model.py of 2020"
#define P3ACHYGO "p3achygo, python/model.py, python/loss_coeffs.py"
#define WEIGHT(field, value, help, from)                                                           \
    FIELD_FLOAT(ObjectiveConfig, field, value, 0, 100, "weight: " help, .source = (from))

const ConfigField OBJECTIVE_FIELDS[] = {
    WEIGHT(policy, 1, "cross entropy of the search's move distribution (KataGo now: 0.93)", WU),
    WEIGHT(opponent_policy, 0.15, "the same for the opponent's reply", WU),
    WEIGHT(soft_policy, 8, "cross entropy of the flattened move distribution", METRICS),
    WEIGHT(soft_opponent_policy, 1.2, "the same for the opponent's reply", METRICS),
    WEIGHT(long_optimistic_policy, 0.1,
           "cross entropy of moves in games that end better than expected", METRICS),
    WEIGHT(optimistic_policy, 0.2, "cross entropy of moves after which more is found than expected",
           METRICS),
    WEIGHT(value, 1.2,
           "cross entropy of the game's outcome (KataGo now: 0.72, beside as much for td_long, "
           "td_middle and td_short)",
           G170),
    WEIGHT(
        td_value, 0,
        "cross entropy of the value head against what the searches of the middle horizon expect, "
        "our own: KataGo has a head for each horizon",
        NULL),
    WEIGHT(ownership, 1.5, "cross entropy of who owns a point at the end, mean over the board", WU),
    WEIGHT(score_pdf, 0.02, "cross entropy of the final score's bin", WU),
    WEIGHT(score_cdf, 0.02, "squared differences of the score's distribution function", WU),
    WEIGHT(score_mean, 0.0015, "Huber loss of the final score, points", METRICS),
    WEIGHT(score_stdev, 0.001, "Huber loss of the score's deviation, points", METRICS),
    WEIGHT(lead, 0.006, "Huber loss of the lead, points; see loader.lead_from_score", METRICS),
    WEIGHT(var_time, 0.0003, "Huber loss of the time in which values settle, turns", METRICS),
    WEIGHT(shortterm_error, 2,
           "Huber loss of the squared error of win - loss against the next searches; that of score "
           "has a hundred-thousandth of it",
           METRICS),
    WEIGHT(q_winloss, 1.5,
           "nets with q_values: cross entropy of what the search found of each move, by the roots "
           "of the visits",
           METRICS),
    WEIGHT(q_score, 0.0008, "the same of scores: Huber loss, by the visits", METRICS),
    WEIGHT(td_long, 0.72, "auxiliary heads: outcome that later searches expect, long horizon",
           METRICS),
    WEIGHT(td_middle, 0.72, "the same, middle horizon", METRICS),
    WEIGHT(td_short, 0.72, "the same, short horizon", METRICS),
    WEIGHT(td_score, 0.0004, "auxiliary heads: Huber loss of the scores of the three horizons",
           METRICS),
    WEIGHT(future, 0.25, "auxiliary heads: stones in 8 and, a quarter of it, 32 turns", METRICS),
    WEIGHT(seki, 1, "auxiliary heads: seki and nobody's points, times 8 * 0.005 / (0.005 + share)",
           METRICS),
    WEIGHT(scoring, 0.25, "auxiliary heads: what each point is worth", METRICS),
    WEIGHT(search_values, 0.125,
           "auxiliary heads: buckets of this turn's search values; see search.value_buckets",
           "p3achygo, python/loss.py"),
    WEIGHT(td_value_error, 3,
           "nets with td_errors: Huber loss of the squared errors of the three horizons' values, "
           "their mean",
           P3ACHYGO),
    WEIGHT(td_score_error, 0.2,
           "the same of the scores' squared errors, in hundreds of squared points", P3ACHYGO),
    WEIGHT(horizon_optimistic_policy, 0,
           "nets with td_errors: cross entropy of moves after which the three horizons' values are "
           "better than said, on the channel of optimistic_policy; p3achygo has 1, and that one 0",
           P3ACHYGO),
    FIELD_FLOAT(ObjectiveConfig, huber_delta, 12, 0.1, 1000,
                "points at which the loss of the score mean becomes linear", .source = METRICS),
    FIELD_FLOAT(ObjectiveConfig, score_area, 49, 0, 361,
                "points of a board on which losses of scores and turns weigh as said; on others "
                "this over its points, for squared points the square of that; 0: always as said, "
                "as in KataGo"),
    {0},
};

/* Cross entropy against three shares. Returns the loss, adds the slope. */
static double outcome_loss(const RowLoss *r, const float *target, double weight,
                           const double p[3]) {
    double loss = 0, total = 0;
    for (int i = 0; i < 3; i++)
        total += (double)target[i];
    for (int i = 0; i < 3; i++) {
        if (target[i] > 0) loss -= (double)target[i] * log(fmax(p[i], 1e-30));
        r->d_value[i] += (float)(weight * (p[i] * total - (double)target[i]));
    }
    return loss;
}

/* Which of three is the most; of equal ones the first. */
static int most_of(double win, double loss, double no_result) {
    if (no_result > win && no_result > loss) return 2;
    return loss > win;
}

double loss_value(const RowLoss *r) {
    const float *final = r->targets + TARGET_FINAL, *next = r->targets + TARGET_TD_MIDDLE;
    double most = (double)fmaxf(r->value[0], fmaxf(r->value[1], r->value[2])), p[3], sum = 0;
    for (int i = 0; i < 3; i++)
        sum += p[i] = exp((double)r->value[i] - most);
    for (int i = 0; i < 3; i++)
        p[i] /= sum;
    double w = r->weight * (1 - (double)r->targets[TARGET_NO_VALUE]);
    double w_td = r->weight * (1 - (double)r->targets[TARGET_NO_TD]);
    double scale = w * (double)r->config->value, scale_td = w_td * (double)r->config->td_value;
    double loss = outcome_loss(r, final, scale, p), loss_td = outcome_loss(r, next, scale_td, p);
    r->sums->value += w * loss;
    bool correct = most_of(p[0], p[1], p[2]) ==
                   most_of((double) final[0], (double) final[1], (double) final[2]);
    r->sums->value_accuracy += w * correct;
    r->sums->td_value += w_td * loss_td;
    double away = p[0] - p[1] - (double)(final[0] - final[1]);
    r->sums->value_squared += w * away * away / 4;
    r->sums->loss += scale * loss + scale_td * loss_td;
    return p[0] - p[1];
}

void loss_ownership(const RowLoss *r) {
    double loss = 0, w = r->weight * (double)r->targets[TARGET_WEIGHT_BOARD];
    if (!(w > 0) || !r->board_count) return;
    double scale = w * (double)r->config->ownership / r->board_count;
    for (int k = 0; k < r->board_count; k++) {
        int cell = r->board[k];
        float logit = 2 * r->ownership[cell], t = 0.5f * (1 + r->target_ownership[cell]);
        float tail = expf(-fabsf(logit)), share = (logit >= 0 ? 1 : tail) / (1 + tail);
        loss += (double)(fmaxf(logit, 0) + log1pf(tail) - t * logit);
        r->d_ownership[cell] += (float)scale * 2 * (share - t);
    }
    r->sums->ownership += w * loss / r->board_count;
    r->sums->loss += scale * loss;
}

static void evaluate_row(const RowLoss *r) {
    r->sums->rows += r->weight;
    double win_loss = loss_value(r);
    loss_policy(r, win_loss);
    if (r->target_q_values) loss_q_values(r);
    loss_ownership(r);
    if (r->bins) loss_distribution(r);
    loss_score(r, win_loss);
    if (!r->td) return;
    loss_td(r);
    loss_search_values(r);
    loss_boards(r);
    if (r->td_errors) loss_td_errors(r);
}

double objective_seki_weight(double unowned) {
    return 8 * 0.005 / (0.005 + unowned);
}

/* See ObjectiveConfig.score_area. */
static double share_of_area(const ObjectiveConfig *config, int board_count) {
    return config->score_area > 0 && board_count > 0 ? (double)config->score_area / board_count : 1;
}

static int list_board(const float *mask, int cells, int16_t *out) {
    int count = 0;
    for (int i = 0; i < cells; i++) {
        if (mask[i] != 0) out[count++] = (int16_t)i;
    }
    return count;
}

void objective_evaluate(const ObjectiveConfig *config, const ObjectiveShare *share, Metrics *sums) {
    const Batch *batch = share->batch;
    size_t cells = (size_t)(batch->length * batch->length);
    const size_t policies = (size_t)share->policy_channels;
    const size_t SIZES[SHARE_OUTPUTS] = {policies * cells,
                                         policies,
                                         3,
                                         6,
                                         cells,
                                         SCORE_BINS,
                                         TD_CHANNELS,
                                         FUTURE_CHANNELS * cells,
                                         SEKI_CHANNELS * cells,
                                         cells,
                                         VALUE_BUCKETS,
                                         TD_ERRORS};
    for (size_t k = 0; k < (size_t)share->count; k++) {
        size_t n = (size_t)share->first + k;
        int16_t board[BOARD_POINTS_MAX];
        RowLoss r = {
            .config = config,
            .target_policy = batch->policy + n * 2 * (cells + 1),
            .targets = batch->targets + n * ROW_GLOBAL_TARGETS,
            .target_bins = batch->score + n * SCORE_BINS,
            .target_ownership = batch->ownership + n * cells,
            .board = board,
            .board_count = list_board(batch->mask + n * cells, (int)cells, board),
            .cells = (int)cells,
            .policy_channels = share->policy_channels,
            .target_boards = batch->boards ? batch->boards + n * cells * BATCH_BOARDS : NULL,
            .target_search_values =
                batch->search_values ? batch->search_values + n * VALUE_BUCKETS : NULL,
            .target_q_values = share->policy_channels > POLICY_Q_SCORE
                                   ? batch->q_values + n * (cells + 1) * BATCH_Q_VALUES
                                   : NULL,
            .seki_weight = share->seki_weight,
            .sums = sums,
        };
        const float **const OUTPUTS[SHARE_OUTPUTS] = {
            &r.policy, &r.pass,   &r.value, &r.score,   &r.ownership,     &r.bins,
            &r.td,     &r.future, &r.seki,  &r.scoring, &r.search_values, &r.td_errors};
        float **const GRADIENTS[SHARE_OUTPUTS] = {
            &r.d_policy, &r.d_pass,   &r.d_value, &r.d_score,   &r.d_ownership,     &r.d_bins,
            &r.d_td,     &r.d_future, &r.d_seki,  &r.d_scoring, &r.d_search_values, &r.d_td_errors};
        for (int i = 0; i < SHARE_OUTPUTS; i++) {
            if (!share->outputs[i]) continue;
            *OUTPUTS[i] = share->outputs[i] + k * SIZES[i];
            *GRADIENTS[i] = share->gradients[i] + k * SIZES[i];
            memset(*GRADIENTS[i], 0, SIZES[i] * sizeof(float));
        }
        r.weight = (double)r.targets[TARGET_WEIGHT];
        r.per_points = share_of_area(config, r.board_count);
        r.per_squares = r.per_points * r.per_points;
        evaluate_row(&r);
    }
}

/* The fields that are sums: all up to the first that belongs to a step. */
enum { SUMS = offsetof(Metrics, gradient_norm) / sizeof(double) };

void metrics_add(Metrics *sums, const Metrics *more) {
    double to[SUMS], from[SUMS];
    memcpy(to, sums, sizeof to);
    memcpy(from, more, sizeof from);
    for (int i = 0; i < SUMS; i++)
        to[i] += from[i];
    memcpy(sums, to, sizeof to);
}

void metrics_divide(Metrics *sums) {
    double fields[SUMS], rows = sums->rows > 0 ? sums->rows : 1;
    memcpy(fields, sums, sizeof fields);
    for (int i = 1; i < SUMS; i++)
        fields[i] /= rows;
    memcpy(sums, fields, sizeof fields);
}
