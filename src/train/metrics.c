#include <string.h>

#include "train/objective.h"

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

double metrics_value(const Metrics *metrics, const MetricField *field) {
    double value;
    memcpy(&value, (const char *)metrics + field->offset, sizeof value);
    return value;
}

void metrics_smooth(Metrics *mean, const Metrics *now, double share) {
    if (!(mean->rows > 0)) share = 1;
    for (const MetricField *field = METRIC_FIELDS; field->name; field++) {
        double value = metrics_value(mean, field);
        value += share * (metrics_value(now, field) - value);
        memcpy((char *)mean + field->offset, &value, sizeof value);
    }
    mean->rows = 1;
    mean->learning_rate = now->learning_rate;
}
