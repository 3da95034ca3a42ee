/* loss.h - what the files of the objective share: one row of a batch and the plain loss functions.
 * Each part adds its loss, times its weights, to `sums` and its slope to the gradients. Threading:
 * free functions. */
#pragma once
#include "train/objective.h"
#include <math.h>

typedef struct {
    const ObjectiveConfig *config;
    /* Outputs of the net, their gradients (zeroed by the caller; NULL where the output is absent).
     */
    const float *policy, *pass, *value, *score, *ownership, *bins;
    float *d_policy, *d_pass, *d_value, *d_score, *d_ownership, *d_bins;
    /* NULL in nets without auxiliary heads */
    const float *td, *search_values, *future, *seki, *scoring, *target_boards;
    float *d_td, *d_search_values, *d_future, *d_seki, *d_scoring;
    const float *td_errors; /* NULL too where those do not say their errors */
    float *d_td_errors;
    const float *target_search_values; /* NULL too, or all 0: only their mean is known */
    const float *target_q_values;      /* NULL in nets that do not say what moves lead to */
    const float *target_policy, *targets, *target_bins, *target_ownership;
    const int16_t *board; /* cells on the board */
    int board_count, cells, policy_channels;
    double weight;      /* of the row */
    double seki_weight; /* the fewer such points there are, the more they count */
    double per_points;  /* factor of losses in points or turns: ObjectiveConfig.score_area */
    double per_squares; /* the same for squared points */
    Metrics *sums;
} RowLoss;

typedef struct {
    double loss, slope;
} Loss;

static inline Loss huber(double difference, double delta) {
    double size = fabs(difference);
    if (size <= delta) return (Loss){0.5 * difference * difference, difference};
    return (Loss){0.5 * delta * delta + delta * (size - delta), difference > 0 ? delta : -delta};
}

static inline double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

static inline double softplus(double x) {
    return x > 40 ? x : log1p(exp(x));
}

/* Backward slope of softplus with a floor, so that an output never dies (KataGo, model_pytorch.py).
 */
static inline double softplus_slope(double x) {
    return 0.05 + 0.95 * sigmoid(x);
}

/* Win - loss of the value head. */
double loss_value(const RowLoss *row);
/* What the net says of the next searches, which its errors are measured against: by the heads of
 * later values and scores, of the short horizon (KataGo, python/katago/train/metrics_pytorch.py);
 * without those heads what it says of the end of the game. */
typedef struct {
    double win_loss, score;
} NextSaid;
/* By the heads of later values; horizon 0 is the long one, TD_HORIZONS - 1 the short one. */
NextSaid loss_td_said(const RowLoss *row, int horizon);
NextSaid loss_next_said(const RowLoss *row, double win_loss);
void loss_policy(const RowLoss *row, double win_loss);
void loss_q_values(const RowLoss *row);
void loss_ownership(const RowLoss *row);
/* Both losses of the score distribution, and the deviation's when there is one. */
void loss_distribution(const RowLoss *row);
void loss_score(const RowLoss *row, double win_loss);
void loss_td(const RowLoss *row);
void loss_search_values(const RowLoss *row);
void loss_boards(const RowLoss *row); /* future, scoring, seki */
void loss_td_errors(const RowLoss *row);
/* From 0 to 1: how far the later values are above what the net says of them, by its own errors. */
double loss_horizon_optimism(const RowLoss *row);
