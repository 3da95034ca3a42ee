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

static Status keep_metrics(Cycle *cycle, Error *err) {
    const Metrics *m = &cycle->metrics;
    const struct {
        const char *name;
        double value;
    } ALL[] = {{"loss", m->loss},
               {"loss.policy", m->policy},
               {"loss.policy_over_entropy", m->policy - m->policy_entropy_target},
               {"loss.value", m->value},
               {"loss.ownership", m->ownership},
               {"loss.score_mean", m->score_mean},
               {"accuracy.policy", m->policy_accuracy},
               {"accuracy.value", m->value_accuracy},
               {"gradient", m->gradient_norm},
               {"speed", cycle->speed}};
    double seconds = cycle_seconds(cycle);
    Status status = cycle_keep_totals(cycle, err);
    if (!status) status = run_index_begin(cycle->index, err);
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL && !status; i++)
        status = run_index_add_metric(cycle->index, ALL[i].name, trainer_samples(cycle->trainer),
                                      seconds, ALL[i].value, err);
    cycle_keep_curves(cycle, "train", m);
    return run_index_end(cycle->index, status, err);
}

/* Means over at most VALIDATION_ROWS rows of the games that are not trained on. */
static Status validate(Cycle *cycle, Error *err) {
    static const char *const NAMES[] = {"loss", "loss.policy", "loss.value", "accuracy.policy",
                                        "accuracy.value"};
    Metrics mean = {0};
    double rows = 0;
    Status status = OK;
    for (int number = 0; !status && rows < VALIDATION_ROWS && !cycle_must_stop(cycle); number++) {
        Batch batch;
        Metrics now;
        status = loader_validation(cycle->loader, number, &batch, err);
        if (status || !batch.count) break;
        status = trainer_measure(cycle->trainer, &batch, &now, err);
        rows += batch.count;
        if (!status) metrics_smooth(&mean, &now, batch.count / rows);
    }
    if (status || rows <= 0) return status;
    cycle_keep_curves(cycle, "validation", &mean);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && !status; i++) {
        const MetricField *field = METRIC_FIELDS;
        char name[64];
        while (strcmp(field->name, NAMES[i]) != 0)
            field++;
        snprintf(name, sizeof name, "validation.%s", field->name);
        status = run_index_add_metric(cycle->index, name, trainer_samples(cycle->trainer),
                                      cycle_seconds(cycle), metrics_value(&mean, field), err);
    }
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
