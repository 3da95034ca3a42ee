/* objective.h - the losses of a batch and their gradients at the net's outputs, with the paper's
 * weights (Wu 2019, appendix B; KataGo's present ones). Losses are sums over the batch of per-row
 * losses times row weights; the metrics are means. Threading: immutable; shares of one batch may be
 * evaluated at the same time. */
#pragma once
#include "base/settings.h"
#include "data/loader.h"
#include "eval/heads.h"

typedef struct {
    float policy, opponent_policy, soft_policy, soft_opponent_policy, long_optimistic_policy,
        optimistic_policy, value, td_value, ownership, score_pdf, score_cdf, score_mean,
        score_stdev, lead, var_time, shortterm_error;
    float q_winloss, q_score; /* of nets with values of moves */
    /* of nets with auxiliary heads */
    float td_long, td_middle, td_short, td_score, future, seki, scoring, search_values;
    /* of those with errors of later values */
    float td_value_error, td_score_error, horizon_optimistic_policy;
    float huber_delta; /* points, of the score mean */
    /* Points of a board on which the losses that count points or turns have the weights above. On
     * a board of A points they have score_area / A of them, and those of squared points the square
     * of that. A score is A times a mean over the board, so the gradient with respect to that mean
     * then is of one order on every size. 0: the same weights on every board, as in KataGo. */
    float score_area;
} ObjectiveConfig; /* weights; 0 switches a loss off */
extern const ConfigField OBJECTIVE_FIELDS[];

typedef struct {
    double rows; /* weight of the rows behind the means */
    double loss, policy, opponent_policy, value, ownership, score_pdf, score_cdf, score_mean,
        score_stdev, lead;
    double soft_policy, optimistic_policy;  /* over the targets' entropy */
    double policy_entropy_target;           /* the least that `policy` could be ... */
    double policy_over_entropy;             /* ... and how far it is above that */
    double policy_accuracy, value_accuracy; /* the most likely move is the target's best; the most
                                             * likely of win, loss and no result is the target's
                                             * (lczero-training, tfprocess.py) */
    double td_value, var_time, shortterm_winloss, shortterm_score;
    double td_values, td_score, future, seki, scoring, search_values; /* of auxiliary heads */
    double td_value_error, td_score_error;
    double horizon_optimistic_policy; /* over the targets' entropy */
    /* of nets with values of moves, the first over the targets' entropy */
    double q_winloss, q_score;
    double unowned; /* share of points that nobody owns at the end, where that is known; with
                       auxiliary heads */
    /* of the policy (lczero-training, tfprocess.py): whether it gives the target's best move more
     * than 1, 2, 5, 10%; 1 / (that share + 0.003), the visits until a search looks there; its
     * entropy; cross entropy of a uniform distribution against it */
    double policy_above_1, policy_above_2, policy_above_5, policy_above_10;
    double search_policy, policy_entropy, policy_uniform;
    double value_squared; /* squared error of win - loss against the outcome, a quarter of it */
    double gradient_norm, learning_rate; /* of the last step; neither added nor divided */
} Metrics;

enum {
    SHARE_POLICY,
    SHARE_PASS,
    SHARE_VALUE,
    SHARE_SCORE,
    SHARE_OWNERSHIP,
    SHARE_DISTRIBUTION,
    SHARE_TD, /* from here on auxiliary: all or none, and the batch has boards */
    SHARE_FUTURE,
    SHARE_SEKI,
    SHARE_SCORING,
    SHARE_SEARCH_VALUES,
    SHARE_TD_ERRORS, /* only where those are */
    SHARE_OUTPUTS
};

typedef struct { /* one executor's share of a batch */
    const Batch *batch;
    int first, count;    /* rows of the batch */
    int policy_channels; /* of the net; heads.h. With values of moves: the batch has them */
    double seki_weight;  /* of the auxiliary heads; objective_seki_weight() */
    const float
        *outputs[SHARE_OUTPUTS];     /* by SHARE_...; row 0 is the share's first; NULL: absent */
    float *gradients[SHARE_OUTPUTS]; /* the same; d(sum of losses) / d(output); written for `count`
                                        rows */
} ObjectiveShare;
/* 8 * 0.005 / (0.005 + u), u the mean share of points that nobody owns (KataGo,
 * python/katago/train/metrics_pytorch.py). */
double objective_seki_weight(double unowned);
/* Adds sums (not means) to `sums`. Only the distribution and what follows it may be absent. */
void objective_evaluate(const ObjectiveConfig *config, const ObjectiveShare *share, Metrics *sums);
void metrics_add(Metrics *sums, const Metrics *more);
void metrics_divide(Metrics *sums); /* sums to means */

/* The names and places of all metrics: "loss.policy" ... */
typedef struct {
    const char *name; /* NULL ends the table */
    size_t offset;
} MetricField;
extern const MetricField METRIC_FIELDS[];
double metrics_value(const Metrics *metrics, const MetricField *field);
/* Each mean goes `share` of the way to that of `now`; the first time, when `mean` is {0}, all of
 * it.
 */
void metrics_smooth(Metrics *mean, const Metrics *now, double share);
