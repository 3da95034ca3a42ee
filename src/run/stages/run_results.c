#include "run/stages/run_results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Status last_value(RunStore *store, const char *name, double *out, bool *found, Error *err) {
    MetricPoint *points;
    int count;
    Status status = run_index_metric(store->index, name, &points, &count, err);
    *found = !status && count > 0;
    if (*found) *out = points[count - 1].value;
    free(points);
    return status;
}

static Status recall_losses(RunResults *results, RunStore *store, Error *err) {
    Metrics known = {0};
    double over_entropy = 0;
    const struct {
        const char *name;
        double *value;
    } ALL[] = {{"loss", &known.loss},
               {"loss.policy", &known.policy},
               {"loss.policy_over_entropy", &over_entropy},
               {"loss.value", &known.value},
               {"loss.ownership", &known.ownership},
               {"loss.score_mean", &known.score_mean}};
    bool found = true;
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL && found; i++) {
        Status status = last_value(store, ALL[i].name, ALL[i].value, &found, err);
        if (status) return status;
    }
    known.policy_entropy_target = known.policy - over_entropy;
    known.rows = 1;
    if (found) results->metrics_before = known;
    return OK;
}

void run_results_take_ratings(RunResults *results, const NetRatings *ratings) {
    if (!ratings->count) return;
    const NetRating *newest = &ratings->nets[ratings->count - 1];
    results->elo_net = newest->number;
    results->gain = newest->before;
    results->over_first = newest->first;
    results->before_net = ratings->nets[ratings->count > 1 ? ratings->count - 2 : 0].number;
    results->first_net = ratings->nets[0].number;
}

Status run_results_recall(RunResults *results, RunStore *store, int newest, Error *err) {
    NetRatings ratings;
    Status status = net_ratings_fit(store->index, newest, &ratings, err);
    if (status) return status;
    run_results_take_ratings(results, &ratings);
    net_ratings_clear(&ratings);
    return recall_losses(results, store, err);
}

Status run_results_keep_one(RunStore *store, const CurvePlace *place, const char *metric,
                            const Metrics *metrics, Error *err) {
    const MetricField *field = METRIC_FIELDS;
    char name[64];
    while (strcmp(field->name, metric) != 0)
        field++;
    snprintf(name, sizeof name, "%s%s", place->prefix, metric);
    return run_index_add_metric(store->index, name, place->samples, place->seconds,
                                metrics_value(metrics, field), err);
}

Status run_results_keep(RunStore *store, const CurvePlace *place, const Metrics *metrics,
                        Error *err) {
    static const char *const NAMES[] = {"loss",
                                        "loss.policy",
                                        "loss.policy_over_entropy",
                                        "loss.value",
                                        "loss.value_squared",
                                        "loss.ownership",
                                        "loss.score_mean",
                                        "accuracy.policy",
                                        "accuracy.policy_top_4",
                                        "accuracy.policy_above_1",
                                        "accuracy.policy_above_2",
                                        "accuracy.policy_above_5",
                                        "accuracy.policy_above_10",
                                        "accuracy.value",
                                        "policy.search",
                                        "policy.entropy",
                                        "policy.uniform"};
    Status status = OK;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && !status; i++)
        status = run_results_keep_one(store, place, NAMES[i], metrics, err);
    return status;
}
