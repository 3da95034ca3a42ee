#include "run/stages/stage_train.h"

#include <math.h>

#include "base/clock.h"
#include "run/stages/curves.h"
#include "run/stages/disk_retry.h"
#include "run/stages/matches/stage_judge.h"
#include "run/store/run_totals.h"

static const double SMOOTHING = 0.02; /* weight of a batch in the smoothed metrics */

/* Adds the smoothed metrics of training to the index and the curves. If no batch was learned from,
 * which `trained` says, the curves get no point. */
static Status keep_metrics(const TrainParts *parts, bool trained, Error *err) {
    const Metrics *m = &parts->results->metrics;
    const Trainer *trainer = parts->trainers->trainer;
    RunStore *store = parts->store;
    Status status = run_totals_keep(store, parts->clock, parts->rows, err);
    if (status || !trained) return status;
    const CurvePlace place = {"", trainer_samples(trainer), run_clock_seconds(parts->clock)};
    const RunResults *results = parts->results;
    /* The curve shows the speed of self-play with nets. Before the first net, play is random, and
     * its speed is left out. */
    double speed = parts->clock->cost > 0 ? parts->clock->speed : 0;
    const CurveCounts counts = {.games = parts->rows->games,
                                .rows = parts->rows->count,
                                .speed = speed,
                                .over_first =
                                    results->elo_net ? results->over_first.elo : (double)NAN};
    const CurvePoint point = {"train", place.samples, place.seconds, m, &counts};
    status = run_index_begin(store->index, err);
    if (!status) status = run_results_keep(store, &place, m, err);
    if (!status) status = run_results_keep_one(store, &place, "gradient", m, err);
    if (!status && speed > 0)
        status =
            run_index_add_metric(store->index, "speed", place.samples, place.seconds, speed, err);
    if (!status)
        status = run_index_set_value(store->index, OUTLIERS_FACT, (double)trainer_outliers(trainer),
                                     err);
    curves_add(&store->directory, &point, &parts->results->csv_fits);
    curves_add_net_numbers(&store->directory, trainer);
    return run_index_end(store->index, status, err);
}

/* Writes checkpoints, and tries again if that fails, for example because the disk is full. */
static Status save(const TrainParts *parts, Error *err) {
    DiskRetry retry = {.plan = parts->plan, .store = parts->store, .clock = parts->clock};
    Error fault = {0};
    Status status;
    do
        status = run_trainers_save(parts->trainers, &fault);
    while (status && !(status = disk_retry_again(&retry, status, &fault, err)));
    return status;
}

/* Trains batch by batch until one more batch would bring the trainer's count of samples above
 * `goal`, or until work must stop. */
static Status train(const TrainParts *parts, int64_t start, int64_t goal, Error *err) {
    RunTrainers *trainers = parts->trainers;
    const Trainer *trainer = trainers->trainer;
    int batch_size = parts->plan->config.loader.batch;
    double period = parts->plan->config.run.checkpoint_seconds,
           next_save = clock_seconds() + period;
    while (trainer_samples(trainer) + batch_size <= goal && !run_clock_must_stop(parts->clock)) {
        Batch batch;
        Metrics metrics;
        int64_t setbacks = trainer_setbacks(trainer);
        Status status = loader_next(parts->rows->loader, &batch, err);
        if (!status) status = run_trainers_step(trainers, &batch, &metrics, err);
        if (status) return status;
        /* After a setback, `metrics` come from weights that were discarded. */
        if (trainer_setbacks(trainer) > setbacks) continue;
        metrics_smooth(&parts->results->metrics, &metrics, SMOOTHING);
        run_screen_show(parts->screen, "training", (double)(trainer_samples(trainer) - start),
                        (double)(goal - start), false);
        if (clock_seconds() < next_save) continue;
        status = save(parts, err);
        if (status) return status;
        next_save = clock_seconds() + period;
    }
    return OK;
}

Status stage_train(const TrainParts *parts, int64_t samples, Error *err) {
    RunTrainers *trainers = parts->trainers;
    int64_t start = trainer_samples(trainers->trainer);
    trainers->ignorant = false;
    if (!loader_rows(parts->rows->loader))
        return fail(err, ERR_ARGUMENT, "there are no rows to train on yet");
    Status status = run_trainers_begin(trainers, parts->rows->count, err);
    if (!status) status = train(parts, start, start + samples, err);
    run_rows_set_bad_aside(parts->rows, parts->store);
    if (!status) status = save(parts, err);
    if (!status) status = run_trainers_compare(trainers, err);
    if (!status) status = keep_metrics(parts, trainer_samples(trainers->trainer) != start, err);
    const JudgeParts judge = {.plan = parts->plan,
                              .store = parts->store,
                              .clock = parts->clock,
                              .rows = parts->rows,
                              .trainers = trainers,
                              .results = parts->results};
    return status ? status : stage_judge(&judge, err);
}
