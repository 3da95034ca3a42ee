/* How a net is judged after a training:
 *   1. If games are kept for validation (loader.validation), the net that trains and the averaged
 *      net are measured on the rows of these games, and both results go to the curves. Otherwise
 *      the averaged net is measured on the next rows of training, which are not trained on in
 *      this pass over the window.
 *   2. The policy and value losses of the averaged net are compared with those of a net that gives
 *      all moves the same probability and each side half of the wins (judgement_of()).
 *   3. If the averaged net is worse, it is refused. If a refused net has learned from YOUNG_SAMPLES
 *      samples or more, training begins anew, from the newest accepted net or from random
 *      weights. */
#include "run/stages/matches/stage_judge.h"

#include <math.h>
#include <stdio.h>

#include "base/log.h"
#include "run/stages/curves.h"
#include "run/stages/trainer_begin.h"

enum { VALIDATION_ROWS = 4096, JUDGED_BATCHES = 2, YOUNG_SAMPLES = 10000 };
/* A net is refused if its losses are larger than a multiple of the losses of a net that knows
 * nothing. The multiple is YOUNG_MAX until the net has learned from YOUNG_SAMPLES samples, and
 * LEARNED_MAX after that. */
static const double YOUNG_MAX = 1.2, LEARNED_MAX = 0.995;

/* Adds the means to the curves. `kind` is "validation" or "validation_averaged". */
static Status keep_validation(const JudgeParts *parts, const char *kind, const Metrics *mean,
                              Error *err) {
    char prefix[32];
    RunStore *store = parts->store;
    const CurvePoint point = {kind, trainer_samples(parts->trainers->trainer),
                              run_clock_seconds(parts->clock), mean, NULL};
    const CurvePlace place = {prefix, point.samples, point.seconds};
    snprintf(prefix, sizeof prefix, "%s.", kind);
    curves_add(&store->directory, &point, &parts->results->csv_fits);
    Status status = run_index_begin(store->index, err);
    if (!status) status = run_results_keep(store, &place, mean, err);
    return run_index_end(store->index, status, err);
}

/* Means over the rows that were measured so far. */
typedef struct {
    Metrics own, averaged; /* of the net that trains, and of the averaged net */
    double uniform_loss;   /* policy loss of the uniform distribution */
    double rows;           /* number of rows that were measured so far */
} Findings;

/* Returns the policy loss of the uniform distribution. It is the mean of the logarithm of the
 * number of moves, which are the points of the board and the pass. */
static double uniform_loss(const Batch *batch) {
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

static Status add_batch(const JudgeParts *parts, Net *averaged, const Batch *batch, bool both,
                        Findings *found, Error *err) {
    Metrics own = {0}, its;
    Status status = both ? trainer_measure(parts->trainers->trainer, batch, &own, err) : OK;
    if (!status) status = trainer_measure_net(parts->trainers->trainer, averaged, batch, &its, err);
    if (status) return status;
    found->rows += batch->count;
    double weight = batch->count / found->rows;
    if (both) metrics_smooth(&found->own, &own, weight);
    metrics_smooth(&found->averaged, &its, weight);
    found->uniform_loss += weight * (uniform_loss(batch) - found->uniform_loss);
    return OK;
}

/* Returns whether measuring ends early because work must stop. At least one batch is measured, so
 * that each accepted net was measured. */
static bool is_enough(const JudgeParts *parts, const Findings *found) {
    return found->rows > 0 && run_clock_must_stop(parts->clock);
}

/* Measures both nets on about VALIDATION_ROWS rows of the validation games. If there are fewer
 * rows, measures the nets on all of them. */
static Status measure_held(const JudgeParts *parts, Net *averaged, Findings *found, Error *err) {
    Status status = OK;
    for (int number = 0; !status && found->rows < VALIDATION_ROWS && !is_enough(parts, found);
         number++) {
        Batch batch;
        status = loader_validation(parts->rows->loader, number, &batch, err);
        if (status || !batch.count) break;
        status = add_batch(parts, averaged, &batch, true, found, err);
    }
    if (status || !(found->rows > 0)) return status;
    status = keep_validation(parts, "validation", &found->own, err);
    return status ? status : keep_validation(parts, "validation_averaged", &found->averaged, err);
}

/* Measures the averaged net on the next rows of training. This is for runs without validation
 * games. */
static Status measure_next(const JudgeParts *parts, Net *averaged, Findings *found, Error *err) {
    Status status = OK;
    for (int i = 0; !status && i < JUDGED_BATCHES && !is_enough(parts, found); i++) {
        Batch batch;
        status = loader_next(parts->rows->loader, &batch, err);
        if (!status) status = add_batch(parts, averaged, &batch, false, found, err);
    }
    return status;
}

/* The comparison of the net with a net that knows nothing: it gives all moves the same probability,
 * and each side half of the wins. For a young net the net that knows nothing gives a win, a loss
 * and no result the same probability instead, as random weights do. A young net may be somewhat
 * worse than this net (YOUNG_MAX). An older net must have learned something. */
typedef struct {
    double loss, ignorance; /* policy plus value loss of the net, and of a net that knows nothing */
    bool ignorant;          /* whether the net is worse */
} Judgement;

static Judgement judgement_of(const JudgeParts *parts, const Findings *found) {
    bool young = trainer_own_samples(parts->trainers->trainer) < YOUNG_SAMPLES;
    Judgement out = {.loss = found->averaged.policy + found->averaged.value,
                     .ignorance = found->uniform_loss + log(young ? 3 : 2)};
    out.ignorant =
        found->rows > 0 && !(out.loss <= (young ? YOUNG_MAX : LEARNED_MAX) * out.ignorance);
    return out;
}

/* Finds out on the next rows of training whether the net is better than a net that knows
 * nothing. */
static Status knows_something(const JudgeParts *parts, Net *net, bool *out, Error *err) {
    Batch batch;
    Metrics its;
    Status status = loader_next(parts->rows->loader, &batch, err);
    if (!status) status = trainer_measure_net(parts->trainers->trainer, net, &batch, &its, err);
    *out = !status && its.policy + its.value <= LEARNED_MAX * (uniform_loss(&batch) + log(2));
    return status;
}

/* If the net has trained for long and still knows nothing, training begins anew. In this case the
 * units of the net's hidden layers are usually dead (their output is always 0), and more training
 * does not help. Training begins from the newest accepted net, or from random weights if the newest
 * accepted net knows nothing, too. */
static Status begin_anew(const JudgeParts *parts, const char *reason, Error *err) {
    Trainer *trainer = parts->trainers->trainer;
    const RunDirectory *run = &parts->store->directory;
    Net *net;
    bool knows = false;
    if (trainer_own_samples(trainer) < YOUNG_SAMPLES) return OK;
    Status status = trainer_begin_net(parts->plan, trainer, run, &net, err);
    if (!status) status = knows_something(parts, net, &knows, err);
    if (!status && !knows) {
        net_free(net);
        status = trainer_begin_net(parts->plan, trainer, NULL, &net, err);
    }
    if (!status) status = trainer_restart(trainer, net, reason, err);
    net_free(net);
    if (!status) run_trainers_note_setback(parts->trainers, "training", trainer);
    return status;
}

Status stage_judge(const JudgeParts *parts, Error *err) {
    Findings found = {0};
    Net *averaged = NULL;
    char reason[200];
    Status status = trainer_averaged_net(parts->trainers->trainer, &averaged, err);
    if (!status && parts->plan->config.loader.validation > 0)
        status = measure_held(parts, averaged, &found, err);
    if (!status && !(found.rows > 0)) status = measure_next(parts, averaged, &found, err);
    net_free(averaged);
    if (status) return status;
    Judgement judgement = judgement_of(parts, &found);
    parts->trainers->ignorant = judgement.ignorant;
    if (!judgement.ignorant) return OK;
    snprintf(reason, sizeof reason,
             "the sum of its policy and value losses is %.4g, that of a net that knows nothing "
             "%.4g",
             judgement.loss, judgement.ignorance);
    log_warning("the net of %lld samples is refused: %s",
                (long long)trainer_samples(parts->trainers->trainer), reason);
    status = run_index_add_value(parts->store->index, REFUSED_FACT, 1, err);
    return status ? status : begin_anew(parts, reason, err);
}
