/* losses.h - their weights, what is told of them, and the functions of one row (Wu 2019, appendix B; KataGo's present weights). To add a loss, write its function in a file of
 * its own; here add its weight, its metric and its prototype; add a row to the table in objective.c.
 * Threading: immutable tables. */
#pragma once
#include "base/settings.h"
#include "eval/heads.h"
#include <stddef.h>

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
} ObjectiveSettings; /* weights; 0 switches a loss off */
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

/* The names and places of all metrics: "loss.policy" ... */
typedef struct {
    const char *name; /* NULL ends the table */
    size_t offset;
} MetricField;
extern const MetricField METRIC_FIELDS[];

/* One row of a batch; see row_loss.h. Each function adds its loss, times its weight, to the sums, and
 * its slope to the gradients. */
typedef struct RowLoss RowLoss;
void loss_value(const RowLoss *row);
void loss_policy(const RowLoss *row);   /* all policies of a net, points and pass */
void loss_q_values(const RowLoss *row); /* of nets that say what moves lead to */
void loss_ownership(const RowLoss *row);
/* Both losses of the score distribution, and the deviation's where there is a distribution. */
void loss_distribution(const RowLoss *row);
void loss_score(const RowLoss *row);
void loss_td(const RowLoss *row);
void loss_search_values(const RowLoss *row);
void loss_future(const RowLoss *row);
void loss_scoring(const RowLoss *row);
void loss_seki(const RowLoss *row);
void loss_td_errors(const RowLoss *row);
