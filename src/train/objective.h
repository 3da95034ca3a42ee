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
    float huber_delta; /* points, of the score mean */
} ObjectiveConfig;     /* weights; 0 switches a loss off */
extern const ConfigField OBJECTIVE_FIELDS[];

typedef struct {
    double rows; /* weight of the rows behind the means */
    double loss, policy, opponent_policy, value, ownership, score_pdf, score_cdf, score_mean,
        score_stdev, lead;
    double soft_policy, optimistic_policy; /* over the targets' entropy */
    double policy_entropy_target;          /* the least that `policy` could be */
    double policy_accuracy, value_accuracy;
    double td_value, var_time, shortterm_winloss, shortterm_score;
    double gradient_norm, learning_rate; /* of the step; neither added nor divided */
} Metrics;

typedef struct { /* one executor's share of a batch */
    const Batch *batch;
    int first, count;        /* rows of the batch */
    int policy_channels;     /* of the net; heads.h */
    const float *outputs[8]; /* by SHARE_...; row 0 is the share's first; NULL: absent */
    float *gradients[8];     /* the same; d(sum of losses) / d(output); written for `count` rows */
} ObjectiveShare;
enum {
    SHARE_POLICY,
    SHARE_PASS,
    SHARE_VALUE,
    SHARE_SCORE,
    SHARE_OWNERSHIP,
    SHARE_DISTRIBUTION,
    SHARE_OUTPUTS
};
/* Adds sums (not means) to `sums`. Only the distribution may be absent. */
void objective_evaluate(const ObjectiveConfig *config, const ObjectiveShare *share, Metrics *sums);
void metrics_add(Metrics *sums, const Metrics *more);
void metrics_divide(Metrics *sums); /* sums to means */
