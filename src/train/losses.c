#include "train/losses.h"

#define WU "Wu 2019, appendix B"
#define METRICS "KataGo, python/katago/train/metrics_pytorch.py"
#define G170 "KataGo, python/model.py of 2020"
#define P3ACHYGO "p3achygo, python/model.py, python/loss_coeffs.py"
#define WEIGHT(field, value, help, from)                                                           \
    FIELD_FLOAT(ObjectiveSettings, field, value, 0, 100, "weight: " help, .source = (from))

const ConfigField OBJECTIVE_FIELDS[] = {
    WEIGHT(policy, 1, "cross entropy of the search's move distribution (KataGo now: 0.93)", WU),
    WEIGHT(opponent_policy, 0.15, "the same for the opponent's reply", WU),
    WEIGHT(soft_policy, 8, "cross entropy of the flattened move distribution", METRICS),
    WEIGHT(soft_opponent_policy, 1.2, "the same for the opponent's reply", METRICS),
    WEIGHT(long_optimistic_policy, 0.1,
           "cross entropy of moves in games that end better than expected", METRICS),
    WEIGHT(optimistic_policy, 0.2, "cross entropy of moves after which more is found than expected",
           METRICS),
    WEIGHT(value, 1.2,
           "cross entropy of the game's outcome (KataGo now: 0.72, beside as much for td_long, "
           "td_middle and td_short)",
           G170),
    WEIGHT(
        td_value, 0,
        "cross entropy of the value head against what the searches of the middle horizon expect, "
        "our own: KataGo has a head for each horizon",
        NULL),
    WEIGHT(ownership, 1.5, "cross entropy of who owns a point at the end, mean over the board", WU),
    WEIGHT(score_pdf, 0.02, "cross entropy of the final score's bin", WU),
    WEIGHT(score_cdf, 0.02, "squared differences of the score's distribution function", WU),
    WEIGHT(score_mean, 0.0015, "Huber loss of the final score, points", METRICS),
    WEIGHT(score_stdev, 0.001, "Huber loss of the score's deviation, points", METRICS),
    WEIGHT(lead, 0.006, "Huber loss of the lead, points; see loader.lead_from_score", METRICS),
    WEIGHT(var_time, 0.0003, "Huber loss of the time in which values settle, turns", METRICS),
    WEIGHT(shortterm_error, 2,
           "Huber loss of the squared error of win - loss against the next searches; that of score "
           "has a hundred-thousandth of it",
           METRICS),
    WEIGHT(q_winloss, 1.5,
           "nets with q_values: cross entropy of what the search found of each move, by the roots "
           "of the visits",
           METRICS),
    WEIGHT(q_score, 0.0008, "the same of scores: Huber loss, by the visits", METRICS),
    WEIGHT(td_long, 0.72, "auxiliary heads: outcome that later searches expect, long horizon",
           METRICS),
    WEIGHT(td_middle, 0.72, "the same, middle horizon", METRICS),
    WEIGHT(td_short, 0.72, "the same, short horizon", METRICS),
    WEIGHT(td_score, 0.0004, "auxiliary heads: Huber loss of the scores of the three horizons",
           METRICS),
    WEIGHT(future, 0.25, "auxiliary heads: stones in 8 and, a quarter of it, 32 turns", METRICS),
    WEIGHT(seki, 1, "auxiliary heads: seki and nobody's points, times 8 * 0.005 / (0.005 + share)",
           METRICS),
    WEIGHT(scoring, 0.25, "auxiliary heads: what each point is worth", METRICS),
    WEIGHT(search_values, 0.125,
           "auxiliary heads: buckets of this turn's search values; see search.value_buckets",
           "p3achygo, python/loss.py"),
    WEIGHT(td_value_error, 3,
           "nets with td_errors: Huber loss of the squared errors of the three horizons' values, "
           "their mean",
           P3ACHYGO),
    WEIGHT(td_score_error, 0.2,
           "the same of the scores' squared errors, in hundreds of squared points", P3ACHYGO),
    WEIGHT(horizon_optimistic_policy, 0,
           "nets with td_errors: cross entropy of moves after which the three horizons' values are "
           "better than said, on the channel of optimistic_policy; p3achygo has 1, and that one 0",
           P3ACHYGO),
    FIELD_FLOAT(ObjectiveSettings, huber_delta, 12, 0.1, 1000,
                "points at which the loss of the score mean becomes linear", .source = METRICS),
    FIELD_FLOAT(ObjectiveSettings, score_area, 49, 0, 361,
                "points of a board on which losses of scores and turns weigh as said; on others "
                "this over its points, for squared points the square of that; 0: always as said, "
                "as in KataGo"),
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
    /* later ones at the end: lines of a file that is there keep their columns */
    METRIC("loss.q_winloss", q_winloss),
    METRIC("loss.q_score", q_score),
    METRIC("loss.td_value_error", td_value_error),
    METRIC("loss.td_score_error", td_score_error),
    METRIC("loss.horizon_optimistic_policy", horizon_optimistic_policy),
    METRIC("loss.policy_over_entropy", policy_over_entropy),
    {0},
};
