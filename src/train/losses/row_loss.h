/* row_loss.h - what the functions of losses.h share: one row of a batch, and simple loss functions
 * such as the Huber loss. Threading: free functions. */
#pragma once
#include "data/loader.h"
#include "train/losses/losses.h"
#include <math.h>

struct RowLoss {
    const ObjectiveSettings *settings;
    /* The output of each head, by HeadId, and its gradient, which starts at zero. NULL if the net
     * lacks the head. */
    const float *y[HEAD_COUNT];
    float *dy[HEAD_COUNT];
    const float *target_policy, *targets, *target_bins, *target_ownership;
    const float *target_boards; /* for the auxiliary heads; NULL if the batch has none */
    /* The distribution of the search's values. If only the mean is known, it is NULL or all 0. */
    const float *target_search_values;
    const float *target_q_values; /* NULL if the net does not predict values of moves */
    /* the columns of row_points.h that the losses of the net's heads need; NULL for the others */
    const float *target_points[ROW_POINT_COLUMNS];
    const float *planes;  /* the features of the points, which the net reads */
    const int16_t *board; /* the cells that lie on the board */
    /* The cells among which the policies of the mover's move choose: `board`, or the cells of the
     * legal moves (ObjectiveSettings.policy_legal). */
    const int16_t *moves;
    int board_count, move_count, cells;
    PolicyChannels policies;
    double weight;      /* weight of the row */
    double seki_weight; /* objective_seki_weight() */
    double per_points;  /* factor of losses in points or turns, by ObjectiveSettings.score_area */
    double per_squares; /* factor of losses in squared points */
    double win_loss;    /* row_win_loss() */
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

/* Returns the slope of softplus that the backward pass uses. This slope is at least 0.05, so that
 * the gradient of an output never vanishes (KataGo, model_pytorch.py). */
static inline double softplus_slope(double x) {
    return 0.05 + 0.95 * sigmoid(x);
}

/* Writes the softmax of a few logits to `p`. Returns the logarithm of the sum of their
 * exponentials. */
double row_softmax(const float *logits, int count, double *p);
/* Returns win - loss as the value head predicts it, or 0 if the net does not have this head. */
double row_win_loss(const RowLoss *row);

typedef struct {
    double win_loss, score;
} ValuePair;
/* Returns the net's prediction of the values that later searches find over a horizon. 0 is the long
 * horizon, and TD_HORIZONS - 1 is the short horizon. The net must have HEAD_TD. */
ValuePair row_td_prediction(const RowLoss *row, int horizon);
/* Returns the net's prediction of the values that the next searches find. The short-term errors are
 * the errors of this prediction. In a net with HEAD_TD it is the prediction for the short horizon
 * (KataGo, python/katago/train/metrics_pytorch.py). In other nets it is the prediction for the end
 * of the game. */
ValuePair row_shortterm_prediction(const RowLoss *row);
/* Returns the values that later searches found over a horizon, minus the net's prediction of
 * them. */
ValuePair row_td_surprise(const RowLoss *row, int horizon);
/* The largest possible squared error of win - loss. */
static const double TD_ERROR_MAX = 4;
/* Returns a weight from 0 to 1 for the optimistic policy. It is the larger, the further the win -
 * loss of later searches exceeds the net's prediction, in units of the error that the net
 * expects. */
double row_horizon_optimism(const RowLoss *row);
