/* row_loss.h - what the losses share: one row of a batch and the plain loss functions. Threading:
 * free functions. */
#pragma once
#include "data/loader.h"
#include "train/losses.h"
#include <math.h>

struct RowLoss {
    const ObjectiveSettings *settings;
    /* By HeadId: the net's output and its gradient, which is zero at first. NULL: the net has no such
     * head. */
    const float *y[HEAD_COUNT];
    float *dy[HEAD_COUNT];
    const float *target_policy, *targets, *target_bins, *target_ownership;
    const float *target_boards;        /* NULL: the batch has none */
    const float *target_search_values; /* NULL, or all 0: only their mean is known */
    const float *target_q_values;      /* NULL in nets that do not say what moves lead to */
    const int16_t *board;              /* cells on the board */
    int board_count, cells, policy_channels;
    double weight;      /* of the row */
    double seki_weight; /* the fewer such points there are, the more they count */
    double per_points;  /* factor of losses in points or turns: ObjectiveSettings.score_area */
    double per_squares; /* the same for squared points */
    double win_loss;    /* win - loss of the value head */
    Metrics *sums;
};

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

/* The softmax of a few logits; returns the logarithm of the sum of their exponentials. */
double row_softmax(const float *logits, int count, double *p);
double row_win_loss(const RowLoss *row); /* of the value head */
/* What the net says of the next searches, which its errors are measured against: by the heads of
 * later values and scores, of the short horizon (KataGo, python/katago/train/metrics_pytorch.py);
 * without those heads what it says of the end of the game. */
typedef struct {
    double win_loss, score;
} NextSaid;
/* By the heads of later values; horizon 0 is the long one, TD_HORIZONS - 1 the short one. */
NextSaid row_td_said(const RowLoss *row, int horizon);
NextSaid row_next_said(const RowLoss *row);
/* What was found later, less what the net says of it. */
NextSaid row_surplus(const RowLoss *row, int horizon);
/* The largest squared error of win - loss. */
static const double TD_ERROR_MAX = 4;
/* From 0 to 1: how far the later values are above what the net says of them, by its own errors. */
double row_horizon_optimism(const RowLoss *row);
