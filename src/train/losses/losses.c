#include "train/losses/losses.h"

#include <math.h>

#define WU "Wu 2019, appendix B"
#define METRICS "KataGo, python/katago/train/metrics_pytorch.py"
#define G170 "KataGo, python/model.py of 2020"
#define P3ACHYGO "p3achygo, python/model.py, python/loss_coeffs.py"
#define LCZERO "lczero-training, tfprocess.py"
#define WEIGHT(field, value, help, from)                                                           \
    FIELD_DOUBLE(ObjectiveSettings, field, value, 0, 100, help, .source = (from))

const SettingsField OBJECTIVE_FIELDS[] = {
    WEIGHT(policy, 1,
           "weight of cross entropy against the search's move distribution (KataGo now: 0.93)", WU),
    WEIGHT(opponent_policy, 0.15, "weight of cross entropy against the opponent's reply", WU),
    WEIGHT(soft_policy, 8, "weight of cross entropy against the flattened move distribution",
           METRICS),
    WEIGHT(soft_opponent_policy, 1.2,
           "weight of cross entropy against the opponent's flattened reply", METRICS),
    WEIGHT(long_optimistic_policy, 0.1,
           "weight of cross entropy of the long-optimistic policy, which learns more from rows "
           "whose game ended better than the net expected",
           METRICS),
    WEIGHT(optimistic_policy, 0.2,
           "weight of cross entropy of the optimistic policy, which learns more from rows after "
           "which the next searches found better values than the net expected",
           METRICS),
    WEIGHT(value, 1.2,
           "weight of cross entropy against the outcome (KataGo now: 0.72, and as much for each of "
           "td_long, td_middle and td_short)",
           G170),
    WEIGHT(td_value, 0,
           "weight of cross entropy of the value head against the mean value of later searches, "
           "middle horizon (KataGo has a head for each horizon)",
           NULL),
    WEIGHT(ownership, 1.5,
           "weight of cross entropy against the final owner of each point, as a mean over the "
           "board",
           WU),
    WEIGHT(score_pdf, 0.02, "weight of cross entropy against the bin of the final score", WU),
    WEIGHT(score_cdf, 0.02,
           "weight of the squared error of the predicted cumulative distribution of the score", WU),
    WEIGHT(score_mean, 0.0015, "weight of the Huber loss of the final score, in points", METRICS),
    WEIGHT(score_stdev, 0.001,
           "weight of the Huber loss of the score's standard deviation, in points", METRICS),
    WEIGHT(lead, 0.006,
           "weight of the Huber loss of the lead, in points; see loader.lead_from_score", METRICS),
    WEIGHT(var_time, 0.0003,
           "weight of the Huber loss of the number of turns until the values of searches settle",
           METRICS),
    WEIGHT(shortterm_error, 2,
           "weight of the Huber loss of the squared error that the net expects of its win - loss; "
           "the loss for the error of its score has 1e-5 of this weight",
           METRICS),
    WEIGHT(q_winloss, 1.5,
           "nets with q_values: weight of cross entropy against each move's win - loss; each "
           "move counts by the square root of its visits",
           METRICS),
    WEIGHT(
        q_score, 0.0008,
        "nets with q_values: weight of the Huber loss of each move's score; moves count by their "
        "visits",
        METRICS),
    WEIGHT(td_long, 0.72,
           "nets with auxiliary heads: weight of cross entropy against the outcome that later "
           "searches expect, long horizon",
           METRICS),
    WEIGHT(td_middle, 0.72,
           "nets with auxiliary heads: weight of cross entropy against the outcome that later "
           "searches expect, middle horizon",
           METRICS),
    WEIGHT(td_short, 0.72,
           "nets with auxiliary heads: weight of cross entropy against the outcome that later "
           "searches expect, short horizon",
           METRICS),
    WEIGHT(
        td_score, 0.0004,
        "nets with auxiliary heads: weight of the Huber loss of the scores of the three horizons",
        METRICS),
    WEIGHT(
        future, 0.25,
        "nets with auxiliary heads: weight of the loss of the stones on the board 8 turns later; "
        "the stones 32 turns later have a quarter of this weight",
        METRICS),
    WEIGHT(seki, 1,
           "nets with auxiliary heads: weight of the loss of seki and unowned points; the trainer "
           "multiplies this weight by 8 * 0.005 / (0.005 + u), where u is the fraction of points "
           "that nobody owns at the end of the game, as a running mean over batches",
           METRICS),
    WEIGHT(scoring, 0.25,
           "nets with auxiliary heads: weight of the loss of each point's contribution to the "
           "score",
           METRICS),
    WEIGHT(search_values, 0.125,
           "nets with auxiliary heads: weight of the loss of the distribution of values in this "
           "turn's search; see search.value_buckets",
           "p3achygo, python/loss.py"),
    WEIGHT(td_value_error, 3,
           "nets with td_errors: weight of the Huber loss of the squared errors that the net "
           "expects of its predictions of later values, as a mean over three horizons",
           P3ACHYGO),
    WEIGHT(td_score_error, 0.2,
           "nets with td_errors: weight of the Huber loss of the squared errors that the net "
           "expects of its predictions of later scores, in units of 100 squared points",
           P3ACHYGO),
    WEIGHT(horizon_optimistic_policy, 0,
           "nets with td_errors: weight of another cross entropy of the optimistic policy, for "
           "which rows count more if later values exceed the prediction (p3achygo: 1)",
           P3ACHYGO),
    WEIGHT(moves_left, 0.1,
           "nets with moves_left: weight of the Huber loss of the turns to the end of the game, in "
           "units of 20 turns (lczero-training: 1)",
           LCZERO),
    WEIGHT(score_scale, 0.0005,
           "nets with score_scale: weight of the square of the factor by which the net multiplies "
           "the logits of the score distribution (p3achygo: 0.005)",
           "Wu 2019, appendix B; p3achygo, python/model.py"),
    WEIGHT(ladders, 20,
           "nets with ladders: weight of cross entropy against whether the stone on a point can be "
           "captured in a ladder, as a mean over the board (GoNN: 0.06 for each point of 19x19, "
           "which is 22)",
           "GoNN, README"),
    WEIGHT(value_buckets, 0.1,
           "nets with value_buckets: weight of cross entropy against the distribution of values "
           "in this turn's search (see search.value_buckets), or, in rows without it, against "
           "the mean value of this search",
           LCZERO),
    WEIGHT(later_moves, 0.15,
           "nets with later_moves: weight of cross entropy against the moves 2, 3, 4 and 5 turns "
           "later, as the mean of the four",
           NULL),
    WEIGHT(
        root_variance, 0.2,
        "nets with root_variance: the net predicts the squared changes of the root's utility from "
        "1 to 4, 4 to 16, 16 to 64 and 64 to 256 visits of this turn's search; weight of the "
        "squared errors of these predictions",
        WU),
    WEIGHT(value_error, 1,
           "nets with value_error: the net predicts the squared error of its win - loss; weight of "
           "the squared error of this prediction",
           LCZERO),
    WEIGHT(next_occupant, 0,
           "nets with next_occupant: weight of cross entropy against whose stone comes to stand on "
           "each point next, as a mean over the board; rows need rows.next_occupant",
           "lczero-training, README"),
    WEIGHT(time_on_board, 0,
           "nets with time_on_board: weight of cross entropy against how long each stone stays on "
           "the board, on a scale from 0 to 1, as a mean over the board; rows need "
           "rows.time_on_board",
           "lczero-training, README"),
    WEIGHT(same_chain, 0,
           "nets with same_chain: weight of cross entropy against whether two points belong to the "
           "same chain at the end of the game, as a mean over all pairs of points; rows need "
           "rows.same_chain",
           "lczero-training, README (targets of pairs of squares)"),
    FIELD_DOUBLE(
        ObjectiveSettings, value_error_q, 1, 0, 1,
        "nets with value_error: the error of win - loss is its distance from f (win - loss "
        "of this turn's search) + (1 - f) (result), where f is this setting",
        .source = LCZERO),
    FIELD_DOUBLE(ObjectiveSettings, value_q, 0, 0, 1,
                 "weight of the outcome that this turn's search expects in the target of value and "
                 "value_l2; the result of the game has the rest, and is the whole target in rows "
                 "without a search",
                 .source = "lczero-training, q_ratio"),
    WEIGHT(value_l2, 0,
           "weight of the squared error of win - loss, with the same target as value (GoNN: 0.5, "
           "with 0.7 for the cross entropy)",
           "GoNN, README"),
    WEIGHT(
        policy_l2, 0,
        "weight of the squared errors of the policy, summed over the moves; used beside or instead "
        "of cross entropy",
        "GoNN, README"),
    FIELD_DOUBLE(ObjectiveSettings, policy_best, 0, 0, 1,
                 "fraction of the policy target that is moved to the target's best move; with 1, "
                 "the best move is the whole target",
                 .source = LCZERO),
    FIELD_BOOL(
        ObjectiveSettings, policy_legal, false,
        "the policies of the mover's move are distributions over only the legal moves, so that "
        "probabilities of illegal moves do not matter; features tell which moves are legal",
        .source = "lczero-training, mask_legal_moves"),
    WEIGHT(score_mean_self, 0,
           "nets with a score distribution: weight of the Huber loss, linear from 10 points on, "
           "between the mean score and the mean of the distribution (Wu 2019: 0.004, without "
           "score_mean)",
           WU),
    FIELD_DOUBLE(
        ObjectiveSettings, value_buckets_single, 0, 0, 1,
        "nets with value_buckets: fraction of the target that is a single bucket, the "
        "bucket of the result (see value_buckets_q); the rest is the distribution of values "
        "in this turn's search (lczero-training: 1)",
        .source = LCZERO),
    FIELD_DOUBLE(ObjectiveSettings, value_buckets_q, 0, 0, 1,
                 "nets with value_buckets: the single bucket of value_buckets_single is the bucket "
                 "of f (win - loss of this turn's search) + (1 - f) (result), where f is this "
                 "setting",
                 .source = LCZERO),
    FIELD_DOUBLE(ObjectiveSettings, huber_delta, 12, 0.1, 1000,
                 "error in points above which the Huber loss of the mean score is linear",
                 .source = METRICS),
    FIELD_DOUBLE(
        ObjectiveSettings, score_area, 49, 0, 361,
        "losses in points or turns are multiplied by f = score_area / (area of the board), "
        "and losses in squared points by f^2; 0: no loss is multiplied, as in KataGo"),
    {0},
};

#define METRIC(name, field)                                                                        \
    { name, offsetof(Metrics, field), NULL }
#define METRIC_OF(name, field, of_mean)                                                            \
    { name, offsetof(Metrics, field), of_mean }

const MetricField METRIC_FIELDS[] = {
    METRIC("loss", loss),
    METRIC("loss.policy", policy),
    METRIC("loss.policy_target_entropy", policy_entropy_target),
    METRIC("loss.opponent_policy", opponent_policy),
    METRIC("loss.soft_policy", soft_policy),
    METRIC("loss.optimistic_policy", optimistic_policy),
    METRIC("loss.value", value),
    METRIC("loss.value_squared", value_squared),
    METRIC("loss.td_value", td_value),
    METRIC("loss.td_values", td_values),
    METRIC("loss.td_score", td_score),
    METRIC("loss.search_values", search_values),
    METRIC("loss.ownership", ownership),
    METRIC("loss.scoring", scoring),
    METRIC("loss.future", future),
    METRIC("loss.seki", seki),
    METRIC("loss.score_mean", score_mean),
    METRIC("loss.score_stdev", score_stdev),
    METRIC("loss.score_pdf", score_pdf),
    METRIC("loss.score_cdf", score_cdf),
    METRIC("loss.lead", lead),
    METRIC("loss.var_time", var_time),
    METRIC("loss.shortterm_winloss", shortterm_winloss),
    METRIC("loss.shortterm_score", shortterm_score),
    METRIC("accuracy.policy", policy_accuracy),
    METRIC("accuracy.value", value_accuracy),
    METRIC("accuracy.policy_above_1", policy_above_1),
    METRIC("accuracy.policy_above_2", policy_above_2),
    METRIC("accuracy.policy_above_5", policy_above_5),
    METRIC("accuracy.policy_above_10", policy_above_10),
    METRIC("policy.search", search_policy),
    METRIC("policy.entropy", policy_entropy),
    METRIC("policy.uniform", policy_uniform),
    METRIC("gradient", gradient_norm),
    METRIC("rate", learning_rate),
    /* New metrics go to the end of the table, so that the columns of existing files stay. */
    METRIC("loss.q_winloss", q_winloss),
    METRIC("loss.q_score", q_score),
    METRIC("loss.td_value_error", td_value_error),
    METRIC("loss.td_score_error", td_score_error),
    METRIC("loss.horizon_optimistic_policy", horizon_optimistic_policy),
    METRIC("loss.policy_over_entropy", policy_over_entropy),
    METRIC("loss.moves_left", moves_left),
    METRIC("moves_left_error", moves_left_error),
    METRIC("loss.score_scale", score_scale),
    METRIC("loss.ladders", ladders),
    METRIC("loss.value_buckets", value_buckets),
    METRIC("loss.later_moves", later_moves),
    METRIC("loss.policy_l2", policy_l2),
    METRIC("loss.score_mean_self", score_mean_self),
    METRIC("loss.root_variance", root_variance),
    METRIC("loss.value_error", value_error),
    METRIC_OF("policy.perplexity", policy, exp),
    METRIC_OF("value.logit_rms", value_logit_squared, sqrt),
    METRIC("accuracy.policy_top_4", policy_top_4),
    METRIC("loss.next_occupant", next_occupant),
    METRIC("loss.time_on_board", time_on_board),
    METRIC("loss.same_chain", same_chain),
    {0},
};
