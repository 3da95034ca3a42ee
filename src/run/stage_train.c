/* Training of a cycle: steps, checkpoints, metrics. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "run/cycle_private.h"
#include "run/cycle_show.h"
#include "run/trainers.h"

/* A metric of METRIC_FIELDS into the index, under a name that begins with `prefix`. */
static Status keep_one(Cycle *cycle, const char *prefix, const char *metric, const Metrics *m,
                       Error *err) {
    const MetricField *field = METRIC_FIELDS;
    char name[64];
    while (strcmp(field->name, metric) != 0)
        field++;
    snprintf(name, sizeof name, "%s%s", prefix, metric);
    return run_index_add_metric(cycle->index, name, trainer_samples(cycle->trainer),
                                cycle_seconds(cycle), metrics_value(m, field), err);
}

Status cycle_keep_means(Cycle *cycle, const char *prefix, const Metrics *m, Error *err) {
    static const char *const NAMES[] = {"loss",
                                        "loss.policy",
                                        "loss.policy_over_entropy",
                                        "loss.value",
                                        "loss.value_squared",
                                        "loss.ownership",
                                        "loss.score_mean",
                                        "accuracy.policy",
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
        status = keep_one(cycle, prefix, NAMES[i], m, err);
    return status;
}

static Status keep_metrics(Cycle *cycle, Error *err) {
    const Metrics *m = &cycle->metrics;
    Status status = cycle_keep_totals(cycle, err);
    if (!status) status = run_index_begin(cycle->index, err);
    if (!status) status = cycle_keep_means(cycle, "", m, err);
    if (!status) status = keep_one(cycle, "", "gradient", m, err);
    if (!status)
        status = run_index_add_metric(cycle->index, "speed", trainer_samples(cycle->trainer),
                                      cycle_seconds(cycle), cycle->speed, err);
    if (!status)
        status = run_index_set_value(cycle->index, OUTLIERS_FACT,
                                     (double)trainer_outliers(cycle->trainer), err);
    cycle_keep_curves(cycle, "train", m);
    return run_index_end(cycle->index, status, err);
}

Status cycle_train(Cycle *cycle, int64_t samples, Error *err) {
    int64_t start = trainer_samples(cycle->trainer), goal = start + samples;
    cycle->ignorant = false;
    Status status = cycle_hold_training(cycle, err);
    if (!status && !loader_rows(cycle->loader))
        status = fail(err, ERR_ARGUMENT, "there are no rows to train on yet");
    cycle->phase_started = clock_seconds();
    if (!status) status = trainers_begin(cycle, err);
    while (!status && trainer_samples(cycle->trainer) + cycle->config.loader.batch <= goal &&
           !cycle_must_stop(cycle)) {
        Batch batch;
        Metrics metrics;
        status = loader_next(cycle->loader, &batch, err);
        int64_t setbacks = trainer_setbacks(cycle->trainer);
        if (!status) status = trainers_step(cycle, &batch, &metrics, err);
        if (status) break;
        if (trainer_setbacks(cycle->trainer) > setbacks) continue; /* of weights that are gone */
        metrics_smooth(&cycle->metrics, &metrics, 0.02);
        cycle_show(cycle, "training", (double)(trainer_samples(cycle->trainer) - start),
                   (double)samples, false);
    }
    cycle_set_bad_aside(cycle);
    if (status) return status;
    Failures failures = {0};
    Error fault = {0};
    do
        status = trainers_save(cycle, &fault);
    while (status && !(status = cycle_try_again(cycle, status, &failures, &fault, err)));
    if (!status) status = trainers_compare(cycle, err);
    if (!status) status = keep_metrics(cycle, err);
    return status ? status : cycle_judge(cycle, err);
}
