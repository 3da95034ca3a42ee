#include "train/losses.h"

#define WU "Wu 2019, appendix B"
#define METRICS "KataGo, python/katago/train/metrics_pytorch.py"
#define G170 "KataGo, python/model.py of 2020"
#define P3ACHYGO "p3achygo, python/model.py, python/loss_coeffs.py"
#define WEIGHT(field, value, help, from)                                                           \
    FIELD_DOUBLE(ObjectiveSettings, field, value, 0, 100, "weight: " help, .source = (from))

const SettingsField OBJECTIVE_FIELDS[] = {
    WEIGHT(policy, 1, "cross entropy of the search's move distribution (KataGo now: 0.93)", WU),
    WEIGHT(opponent_policy, 0.15, "cross entropy of the opponent's reply", WU),
    WEIGHT(soft_policy, 8, "cross entropy of the flattened move distribution", METRICS),
    WEIGHT(soft_opponent_policy, 1.2, "cross entropy of the opponent's flattened reply", METRICS),
    WEIGHT(long_optimistic_policy, 0.1,
           "cross entropy of the move distribution, weighted by how far the game ends better than "
           "expected",
           METRICS),
    WEIGHT(optimistic_policy, 0.2,
           "cross entropy of the move distribution, weighted by how far the next searches find "
           "more than "
           "expected",
           METRICS),
    WEIGHT(
        value, 1.2,
        "cross entropy of the game's outcome (KataGo now: 0.72, and as much for each of td_long, "
        "td_middle and td_short)",
        G170),
    WEIGHT(td_value, 0,
           "cross entropy of the value head against the later searches' values, middle horizon "
           "(our own; KataGo has a head for each horizon)",
           NULL),
    WEIGHT(ownership, 1.5, "cross entropy of each point's owner at the end, mean over the board",
           WU),
    WEIGHT(score_pdf, 0.02, "cross entropy of the final score's bin", WU),
    WEIGHT(score_cdf, 0.02, "squared differences of the score's cumulative distribution", WU),
    WEIGHT(score_mean, 0.0015, "Huber loss of the final score, points", METRICS),
    WEIGHT(score_stdev, 0.001, "Huber loss of the score's deviation, points", METRICS),
    WEIGHT(lead, 0.006, "Huber loss of the lead, points; see loader.lead_from_score", METRICS),
    WEIGHT(var_time, 0.0003, "Huber loss of the turns until the values settle", METRICS),
    WEIGHT(shortterm_error, 2,
           "Huber loss of the predicted squared error of win - loss against the next searches; the "
           "score's has 1e-5 of this weight",
           METRICS),
    WEIGHT(
        q_winloss, 1.5,
        "nets with q_values: cross entropy of the search's win - loss for each move, weighted by "
        "the square roots of visits",
        METRICS),
    WEIGHT(q_score, 0.0008,
           "nets with q_values: Huber loss of the search's score for each move, weighted by visits",
           METRICS),
    WEIGHT(td_long, 0.72,
           "auxiliary heads: cross entropy of the outcome that later searches expect, long horizon",
           METRICS),
    WEIGHT(td_middle, 0.72, "auxiliary heads: middle horizon", METRICS),
    WEIGHT(td_short, 0.72, "auxiliary heads: short horizon", METRICS),
    WEIGHT(td_score, 0.0004, "auxiliary heads: Huber loss of the scores of the three horizons",
           METRICS),
    WEIGHT(future, 0.25,
           "auxiliary heads: stones in 8 turns and, with a quarter of this weight, in 32 turns",
           METRICS),
    WEIGHT(seki, 1,
           "auxiliary heads: seki and unowned points, times 8 * 0.005 / (0.005 + their fraction)",
           METRICS),
    WEIGHT(scoring, 0.25, "auxiliary heads: what each point is worth", METRICS),
    WEIGHT(search_values, 0.125,
           "auxiliary heads: distribution of this turn's search values; see search.value_buckets",
           "p3achygo, python/loss.py"),
    WEIGHT(td_value_error, 3,
           "nets with td_errors: Huber loss of the predicted squared errors of later values, mean "
           "over the three horizons",
           P3ACHYGO),
    WEIGHT(td_score_error, 0.2,
           "nets with td_errors: Huber loss of the predicted squared errors of later scores, in "
           "units of 100 squared points",
           P3ACHYGO),
    WEIGHT(horizon_optimistic_policy, 0,
           "nets with td_errors: cross entropy of the move distribution, weighted by how far later "
           "values are "
           "better than predicted, on the channel of optimistic_policy; p3achygo has 1 here, and 0 "
           "there",
           P3ACHYGO),
    FIELD_DOUBLE(ObjectiveSettings, huber_delta, 12, 0.1, 1000,
                 "points at which the loss of the score mean becomes linear", .source = METRICS),
    FIELD_DOUBLE(ObjectiveSettings, score_area, 49, 0, 361,
                 "losses in points or turns are multiplied by this over the board's area, those in "
                 "squared points by its square; 0: never, as in KataGo"),
    {0},
};

#define METRIC(name, field)                                                                        \
    { name, offsetof(Metrics, field) }

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
    /* New metrics go to the end, so that the lines of existing files keep their columns. */
    METRIC("loss.q_winloss", q_winloss),
    METRIC("loss.q_score", q_score),
    METRIC("loss.td_value_error", td_value_error),
    METRIC("loss.td_score_error", td_score_error),
    METRIC("loss.horizon_optimistic_policy", horizon_optimistic_policy),
    METRIC("loss.policy_over_entropy", policy_over_entropy),
    {0},
};
