/* Training of a cycle: steps, checkpoints, metrics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "run/cycle_private.h"
#include "run/cycle_show.h"
#include "run/trainers.h"

enum { VALIDATION_ROWS = 4096, JUDGED_BATCHES = 2, YOUNG_SAMPLES = 10000 };
/* Losses of nets that are accepted, at most, over those of a net that knows nothing. */
static const double YOUNG_MOST = 1.2, LEARNED_MOST = 0.995;

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
    if (!status)
        status = run_index_set_value(cycle->index, SETBACKS_FACT,
                                     (double)trainer_setbacks(cycle->trainer), err);
    if (!status)
        status = run_index_set_value(cycle->index, OUTLIERS_FACT,
                                     (double)trainer_outliers(cycle->trainer), err);
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

/* What was found of the net that trains and of the averaged one, which plays, and the policy loss
 * of a net that gives all moves alike; means over the rows so far. */
typedef struct {
    Metrics own, averaged;
    double all_alike;
    double rows;
} Findings;

/* Mean logarithm of the number of moves, the pass among them. */
static double log_moves(const Batch *batch) {
    size_t cells = (size_t)(batch->length * batch->length);
    double sum = 0;
    for (size_t n = 0; n < (size_t)batch->count; n++) {
        double points = 0;
        for (size_t k = 0; k < cells; k++)
            points += (double)batch->mask[n * cells + k];
        sum += log(points + 1);
    }
    return sum / batch->count;
}

static Status add_batch(Cycle *cycle, Net *averaged, const Batch *batch, bool both, Findings *found,
                        Error *err) {
    Metrics own = {0}, its;
    Status status = both ? trainer_measure(cycle->trainer, batch, &own, err) : OK;
    if (!status) status = trainer_measure_net(cycle->trainer, averaged, batch, &its, err);
    if (status) return status;
    found->rows += batch->count;
    double share = batch->count / found->rows;
    if (both) metrics_smooth(&found->own, &own, share);
    metrics_smooth(&found->averaged, &its, share);
    found->all_alike += share * (log_moves(batch) - found->all_alike);
    return OK;
}

/* On at most VALIDATION_ROWS rows of the games that are not trained on. */
static Status measure_held(Cycle *cycle, Net *averaged, Findings *found, Error *err) {
    Status status = OK;
    for (int number = 0; !status && found->rows < VALIDATION_ROWS && !cycle_must_stop(cycle);
         number++) {
        Batch batch;
        status = loader_validation(cycle->loader, number, &batch, err);
        if (status || !batch.count) break;
        status = add_batch(cycle, averaged, &batch, true, found, err);
    }
    if (status || !(found->rows > 0)) return status;
    status = keep_validation(cycle, "validation", &found->own, err);
    return status ? status : keep_validation(cycle, "validation_averaged", &found->averaged, err);
}

/* On the next rows of training, where no games are kept from it; they are not trained on then. */
static Status measure_next(Cycle *cycle, Net *averaged, Findings *found, Error *err) {
    Status status = OK;
    for (int i = 0; !status && i < JUDGED_BATCHES && !cycle_must_stop(cycle); i++) {
        Batch batch;
        status = loader_next(cycle->loader, &batch, err);
        if (!status) status = add_batch(cycle, averaged, &batch, false, found, err);
    }
    return status;
}

/* Whether the net is worse than one that gives all moves alike, and both sides half of the wins. A
 * young one may be somewhat worse, as random weights are, to which no result is as likely as a win
 * and a loss; an older one must have learned something. */
typedef struct {
    double loss, ignorance; /* policy and value together */
    bool ignorant;
} Judgement;

static Judgement judgement_of(const Cycle *cycle, const Findings *found) {
    bool young = trainer_own_samples(cycle->trainer) < YOUNG_SAMPLES;
    Judgement out = {.loss = found->averaged.policy + found->averaged.value,
                     .ignorance = found->all_alike + log(young ? 3 : 2)};
    out.ignorant =
        found->rows > 0 && !(out.loss <= (young ? YOUNG_MOST : LEARNED_MOST) * out.ignorance);
    return out;
}

/* A net that has learned nothing though it was trained: most often its units are dead, and no
 * further training mends that. It begins anew from the newest accepted net, or at random. */
static Status begin_anew(Cycle *cycle, const char *reason, Error *err) {
    Net *net;
    if (trainer_own_samples(cycle->trainer) < YOUNG_SAMPLES) return OK;
    Status status = trainers_known_net(cycle, &net, err);
    if (!status) status = trainer_restart(cycle->trainer, net, reason, err);
    net_free(net);
    if (!status) trainers_tell(cycle, "training", cycle->trainer);
    return status ? status : trainers_save(cycle, err);
}

/* Validates, and finds out whether the averaged net may be accepted at all. */
static Status judge(Cycle *cycle, Error *err) {
    Findings found = {0};
    Net *averaged = NULL;
    char reason[200];
    Status status = trainer_averaged_net(cycle->trainer, &averaged, err);
    if (!status && cycle->config.loader.validation > 0)
        status = measure_held(cycle, averaged, &found, err);
    if (!status && !(found.rows > 0)) status = measure_next(cycle, averaged, &found, err);
    net_free(averaged);
    if (status) return status;
    Judgement judgement = judgement_of(cycle, &found);
    cycle->ignorant = judgement.ignorant;
    if (!judgement.ignorant) return OK;
    snprintf(reason, sizeof reason,
             "its policy and value losses are together %.4g, and those of a net that knows nothing "
             "%.4g",
             judgement.loss, judgement.ignorance);
    log_warning("the net of %lld samples is refused: %s",
                (long long)trainer_samples(cycle->trainer), reason);
    status = run_index_add_value(cycle->index, REFUSED_FACT, 1, err);
    return status ? status : begin_anew(cycle, reason, err);
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
        if (!status) status = trainers_step(cycle, &batch, &metrics, err);
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
    return status ? status : judge(cycle, err);
}
