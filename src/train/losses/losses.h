/* losses.h - the losses of training: their weights, their metrics, and the functions that compute
 * them for one row of a batch (Wu 2019, appendix B; some losses and weights are newer ones of
 * KataGo). CONTRIBUTING.md says how to add a loss. Threading: immutable tables. */
#pragma once
#include "base/settings.h"
#include "eval/arch/heads.h"
#include <stddef.h>

/* Weights of the losses; 0 switches a loss off. */
typedef struct {
    double policy, opponent_policy, soft_policy, soft_opponent_policy, long_optimistic_policy,
        optimistic_policy, value, td_value, ownership, score_pdf, score_cdf, score_mean,
        score_stdev, lead, var_time, shortterm_error;
    /* These are for nets that predict, for each move, the values that the search finds
     * (q_values). */
    double q_winloss, q_score;
    /* These are for nets with auxiliary heads, which only teach the trunk. "td" stands for the
     * values that later searches find, over three horizons. */
    double td_long, td_middle, td_short, td_score, future, seki, scoring, search_values;
    /* These are for nets that also have HEAD_TD_ERRORS. */
    double td_value_error, td_score_error, horizon_optimistic_policy;
    double moves_left;  /* for nets with the head of this name */
    double score_scale; /* for nets with the head of this name */
    /* for nets with the heads of these names */
    double ladders, value_buckets, later_moves, root_variance, value_error;
    double next_occupant, time_on_board, same_chain;
    double value_q;             /* fraction of the search in the target of HEAD_VALUE */
    double value_l2, policy_l2; /* for squared errors, used beside or instead of cross entropies */
    double policy_best;         /* fraction of the policy target that is moved to its best move */
    /* whether the policies of the mover's move are distributions over only the legal moves */
    bool policy_legal;
    double score_mean_self; /* for the distance between mean score and mean of the distribution */
    /* `value_buckets_single` is the fraction of the target of HEAD_VALUE_BUCKETS that is a single
     * bucket. This is the bucket that contains a mean of the search's value, with the weight
     * `value_buckets_q`, and of the result, with the rest of the weight. */
    double value_buckets_single, value_buckets_q;
    /* The fraction of the search's value in the target of HEAD_VALUE_ERROR; the rest is the
     * result. */
    double value_error_q;
    double huber_delta; /* points at which the loss of the score mean becomes linear */
    /* The area of the board, in points, on which losses in points or turns have the weights above.
     * On a board of A points the weights of these losses are multiplied by
     *     score_area / A
     * and the weights of losses in squared points by its square. Reason: a score is A times a mean
     * over the board, and with these factors the gradient with respect to this mean has about the
     * same size on all boards. If score_area is 0, the weights are the same on every board, as in
     * KataGo. */
    double score_area;
} ObjectiveSettings;
extern const SettingsField OBJECTIVE_FIELDS[];

/* Losses and other measures of a batch. They are sums over rows before metrics_divide(), and means
 * after it. An "excess" is a cross entropy minus the entropy of its target. */
typedef struct {
    double rows; /* total weight of the rows, by which metrics_divide() divides */
    double loss, policy, opponent_policy, value, ownership, score_pdf, score_cdf, score_mean,
        score_stdev, lead;
    double soft_policy, optimistic_policy; /* excess */
    double policy_entropy_target; /* entropy of the target: the smallest possible `policy` */
    double policy_over_entropy;   /* excess of `policy` */
    double policy_accuracy;       /* how often the policy's best move is the target's best */
    /* How often the most likely of win, loss and no result is also the most likely one of the
     * target (lczero-training, tfprocess.py). */
    double value_accuracy;
    double td_value, var_time, shortterm_winloss, shortterm_score;
    /* For nets with auxiliary heads; td_values and search_values are excesses. */
    double td_values, td_score, future, seki, scoring, search_values;
    double td_value_error, td_score_error;
    double horizon_optimistic_policy; /* excess */
    double q_winloss, q_score;        /* for nets with values of moves; q_winloss is an excess */
    /* Fraction of the board's points that nobody owns at the end, for nets with auxiliary heads.
     * Rows in which it is not known count as 0. */
    double unowned;
    /* More about the policy (lczero-training, tfprocess.py). Here p is the probability that the
     * policy gives to the target's best move. */
    double policy_above_1, policy_above_2, policy_above_5,
        policy_above_10;   /* how often p is above 1%, 2%, 5%, 10% */
    double search_policy;  /* 1 / (p + 0.003): about the visits until a search tries the move */
    double policy_entropy; /* entropy of the policy itself */
    double policy_uniform; /* cross entropy of the policy against a uniform target */
    double value_squared;  /* squared error of win - loss against the outcome, divided by 4 */
    /* Loss of HEAD_MOVES_LEFT, and its mean absolute error in turns. Rows without this target count
     * as 0. */
    double moves_left, moves_left_error;
    double score_scale;     /* square of the factor of the score distribution's logits */
    double ladders;         /* mean over the board; see loss_ladders.c */
    double value_buckets;   /* excess */
    double policy_l2;       /* sum of the squared errors over the moves */
    double later_moves;     /* mean over 4 moves; passes and unknown moves count as 0 */
    double score_mean_self; /* loss of the mean score against the mean of the distribution */
    double root_variance;   /* sum over the changes; unknown changes count as 0 */
    double value_error;     /* rows without the target count as 0 */
    double next_occupant;   /* points without the target count as 0 */
    double time_on_board;   /* excess; points without the target count as 0 */
    double same_chain;      /* mean over pairs of points; rows without the target count as 0 */
    double policy_top_4;    /* how often the target's best move is among the policy's four best */
    /* Square of the logit of a win minus that of a loss (GoNN, train.py). */
    double value_logit_squared;
    double gradient_norm, learning_rate; /* of the last step; these are no sums */
} Metrics;

/* The name of each metric ("loss.policy" ...) and its place in Metrics. */
typedef struct {
    const char *name; /* NULL ends the table */
    size_t offset;
    double (*of_mean)(double mean); /* its result is reported instead of the mean; may be NULL */
} MetricField;
extern const MetricField METRIC_FIELDS[];

/* A RowLoss is one row of a batch (row_loss.h). Each function multiplies its loss by the weights of
 * the row and of the loss. It adds the product to row->sums->loss, and the gradient of the product
 * to row->dy. */
typedef struct RowLoss RowLoss;
void loss_value(const RowLoss *row);
void loss_policy(const RowLoss *row);   /* all policies of a net, on points and pass */
void loss_q_values(const RowLoss *row); /* values of moves, if the net predicts them */
void loss_ownership(const RowLoss *row);
/* Adds both losses of the score distribution (pdf and cdf). If the net has HEAD_SCORE, also adds
 * the losses that compare the mean and the standard deviation that this head predicts with those of
 * the distribution. */
void loss_distribution(const RowLoss *row);
void loss_score(const RowLoss *row);
void loss_td(const RowLoss *row);
void loss_search_values(const RowLoss *row);
void loss_future(const RowLoss *row);
void loss_scoring(const RowLoss *row);
void loss_seki(const RowLoss *row);
void loss_td_errors(const RowLoss *row);
void loss_moves_left(const RowLoss *row);
void loss_score_scale(const RowLoss *row);
void loss_ladders(const RowLoss *row);
void loss_value_buckets(const RowLoss *row);
void loss_later_moves(const RowLoss *row);
void loss_root_variance(const RowLoss *row);
void loss_value_error(const RowLoss *row);
void loss_next_occupant(const RowLoss *row);
void loss_time_on_board(const RowLoss *row);
void loss_same_chain(const RowLoss *row);
