/* row_loss.h - what the losses share: one row of a batch, and the plain loss functions. Threading:
 * free functions. */
#pragma once
#include "data/loader.h"
#include "train/losses.h"
#include <math.h>

struct RowLoss {
    const ObjectiveSettings *settings;
    /* By HeadId: the net's output, and its gradient, which starts at zero. NULL: the net has no
     * such head. */
    const float *y[HEAD_COUNT];
    float *dy[HEAD_COUNT];
    const float *target_policy, *targets, *target_bins, *target_ownership;
    const float *target_boards; /* NULL: the batch has none */
    /* NULL, or all 0: the distribution of the search's values is unknown, only its mean is known */
    const float *target_search_values;
    const float *target_q_values; /* NULL: the net does not predict values of moves */
    const int16_t *board;         /* the cells that lie on the board */
    int board_count, cells, policy_channels;
    double weight;      /* of the row */
    double seki_weight; /* objective_seki_weight() */
    double per_points;  /* factor of losses in points or turns: ObjectiveSettings.score_area */
    double per_squares; /* factor of losses in squared points */
    double win_loss;    /* win - loss by the value head */
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

/* The slope of softplus for the backward pass. It has a floor, so that the gradient of an output
 * never vanishes (KataGo, model_pytorch.py). */
static inline double softplus_slope(double x) {
    return 0.05 + 0.95 * sigmoid(x);
}

/* The softmax of a few logits; returns the logarithm of the sum of their exponentials. */
double row_softmax(const float *logits, int count, double *p);
double row_win_loss(const RowLoss *row); /* win - loss by the value head */

typedef struct {
    double win_loss, score;
} ValuePair;
/* The net's prediction of later values over a horizon; 0 is the long one, TD_HORIZONS - 1 the short
 * one. Needs HEAD_TD. */
ValuePair row_td_prediction(const RowLoss *row, int horizon);
/* The net's prediction of what the next searches find, against which its short-term errors are
 * measured: that of the short horizon (KataGo, python/katago/train/metrics_pytorch.py), or, in a
 * net without HEAD_TD, its prediction of the end of the game. */
ValuePair row_shortterm_prediction(const RowLoss *row);
/* The later values of a horizon that were found, minus the net's prediction of them. */
ValuePair row_td_surprise(const RowLoss *row, int horizon);
/* The largest squared error of win - loss. */
static const double TD_ERROR_MAX = 4;
/* From 0 to 1: how far the later values exceed the net's predictions, in units of the errors that
 * the net itself expects. */
double row_horizon_optimism(const RowLoss *row);
