/* Training of a cycle: steps, checkpoints, metrics. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "run/cycle_private.h"
#include "run/cycle_show.h"
#include "run/trainers.h"

enum { VALIDATION_ROWS = 4096 };

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

/* What the page shows, of training or of a net on games that are not trained on. */
static Status keep_means(Cycle *cycle, const char *prefix, const Metrics *m, Error *err) {
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
    if (!status) status = keep_means(cycle, "", m, err);
    if (!status) status = keep_one(cycle, "", "gradient", m, err);
    if (!status)
        status = run_index_add_metric(cycle->index, "speed", trainer_samples(cycle->trainer),
                                      cycle_seconds(cycle), cycle->speed, err);
    cycle_keep_curves(cycle, "train", m);
    return run_index_end(cycle->index, status, err);
}

/* "validation" or "validation_averaged" */
static Status keep_validation(Cycle *cycle, const char *kind, const Metrics *mean, Error *err) {
    char prefix[32];
    snprintf(prefix, sizeof prefix, "%s.", kind);
    cycle_keep_curves(cycle, kind, mean);
    Status status = run_index_begin(cycle->index, err);
    if (!status) status = keep_means(cycle, prefix, mean, err);
    return run_index_end(cycle->index, status, err);
}

/* Adds what the net that trains and the averaged one make of the batch to their means. */
static Status measure_both(Cycle *cycle, Net *averaged, const Batch *batch, double share,
                           Metrics means[2], Error *err) {
    Metrics own, its;
    Status status = trainer_measure(cycle->trainer, batch, &own, err);
    if (!status) status = trainer_measure_net(cycle->trainer, averaged, batch, &its, err);
    if (status) return status;
    metrics_smooth(&means[0], &own, share);
    metrics_smooth(&means[1], &its, share);
    return OK;
}

/* Means over at most VALIDATION_ROWS rows of the games that are not trained on: of the net that
 * trains, and of the averaged one, which plays. */
static Status validate(Cycle *cycle, Error *err) {
    Metrics means[2] = {0};
    Net *averaged = NULL;
    double rows = 0;
    if (!(cycle->config.loader.validation > 0)) return OK;
    Status status = trainer_averaged_net(cycle->trainer, &averaged, err);
    for (int number = 0; !status && rows < VALIDATION_ROWS && !cycle_must_stop(cycle); number++) {
        Batch batch;
        status = loader_validation(cycle->loader, number, &batch, err);
        if (status || !batch.count) break;
        rows += batch.count;
        status = measure_both(cycle, averaged, &batch, batch.count / rows, means, err);
    }
    net_free(averaged);
    if (!status && rows > 0) status = keep_validation(cycle, "validation", &means[0], err);
    if (!status && rows > 0) status = keep_validation(cycle, "validation_averaged", &means[1], err);
    return status;
}

Status cycle_train(Cycle *cycle, int64_t samples, Error *err) {
    int64_t start = trainer_samples(cycle->trainer), goal = start + samples;
    cycle->went_back = false;
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
        if (!status) {
            status = trainers_step(cycle, &batch, &metrics, err);
            cycle->went_back = status == ERR_ARGUMENT; /* a loss or weight that is not finite */
        }
        if (status) break;
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
    return status ? status : validate(cycle, err);
}
