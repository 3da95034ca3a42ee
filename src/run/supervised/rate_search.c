#include "run/supervised/rate_search.h"

#include <math.h>

#include "base/progress.h"
#include "base/thread.h"
#include "eval/arch/arch.h"
#include "eval/formats/net_file.h"

typedef struct {
    RateTry try_rate;
    void *context;
    RateSearch *found;
} Steps;

/* Tries a rate. Sets `*better` to whether it is the best rate so far. */
static Status try_one(Steps *steps, double rate, bool *better, Error *err) {
    RateSearch *found = steps->found;
    RateTrial *trial = &found->trials[found->count];
    *better = false;
    if (found->count == RATE_TRIALS_MAX) return OK;
    *trial = (RateTrial){.rate = rate};
    Status status = steps->try_rate(steps->context, rate, &trial->loss, err);
    if (status) return status;
    const RateTrial *best = &found->trials[found->best];
    *better = !found->count || trial->loss < best->loss ||
              (!isfinite(best->loss) && rate < best->rate); /* none has learned yet: go down */
    if (*better) found->best = found->count;
    found->count++;
    return OK;
}

/* Goes on from the best rate in steps of this factor, as long as the loss falls. */
static Status go(Steps *steps, double factor, bool *moved, Error *err) {
    bool better = true;
    Status status = OK;
    *moved = false;
    while (better && !status) {
        double rate = steps->found->trials[steps->found->best].rate * factor;
        status = try_one(steps, rate, &better, err);
        *moved |= better;
    }
    return status;
}

Status rate_search(double first, RateTry try_rate, void *context, RateSearch *out, Error *err) {
    Steps steps = {try_rate, context, out};
    bool moved;
    *out = (RateSearch){0};
    Status status = try_one(&steps, first, &moved, err);
    if (!status) status = go(&steps, 2, &moved, err);
    if (!status && !moved) status = go(&steps, 0.5, &moved, err);
    double best = out->trials[out->best].rate;
    if (!status) status = try_one(&steps, best * sqrt(2), &moved, err);
    if (!status) status = try_one(&steps, best / sqrt(2), &moved, err);
    return status;
}

typedef struct {
    const RateSearchSetup *setup;
    Net *net; /* each trial begins with this net */
} Training;

static Status make_trainer(const Training *training, double rate, int length, Trainer **out,
                           Error *err) {
    Net *net;
    TrainerSetup setup = supervised_config_trainer(training->setup->config, length);
    setup.training.schedule.rate = rate;
    *out = NULL;
    Status status = net_copy(training->net, &net, err);
    return status ? status : trainer_new(&setup, net, out, err);
}

/* Sets `*loss` to the loss of the averaged net on all validation rows. */
static Status measure(Trainer *trainer, const SupervisedRows *rows, double *loss, Error *err) {
    Net *averaged;
    double sum = 0, count = 0;
    Status status = trainer_averaged_net(trainer, &averaged, err);
    if (status) return status;
    for (int number = 0; !status; number++) {
        Batch batch;
        Metrics its;
        status = supervised_rows_validation(rows, number, &batch, err);
        if (status || !batch.count) break;
        status = trainer_measure_net(trainer, averaged, &batch, &its, err);
        sum += batch.count * (its.policy + its.value);
        count += batch.count;
    }
    net_free(averaged);
    if (!status && !(count > 0))
        return fail(err, ERR_ARGUMENT,
                    "there are no validation rows on which rates can be compared");
    *loss = sum / count;
    return status;
}

static Status train(Trainer *trainer, const SupervisedRows *rows, int64_t samples, Error *err) {
    Status status = OK;
    while (!status && trainer_samples(trainer) < samples && !trainer_setbacks(trainer)) {
        Batch batch;
        Metrics metrics;
        if (stop_requested()) return fail(err, ERR_STOPPED, "the search of the rate was stopped");
        status = loader_next(rows->training, &batch, err);
        if (!status) status = trainer_step(trainer, &batch, &metrics, err);
    }
    return status ? status : trainer_settle(trainer, err);
}

static Status try_training(void *context, double rate, double *loss, Error *err) {
    const Training *training = context;
    const RateSearchSetup *setup = training->setup;
    SupervisedRowsSetup open = {.training = setup->training,
                                .validation = setup->validation,
                                .loader = setup->config->loader,
                                .net = training->net};
    SupervisedRows rows;
    Trainer *trainer = NULL;
    open.loader.length = setup->config->supervised.size;
    open.loader.seed = (uint64_t)setup->config->supervised.seed;
    Status status = supervised_rows_open(&open, &rows, err);
    if (!status) status = make_trainer(training, rate, rows.length, &trainer, err);
    if (!status) status = train(trainer, &rows, setup->samples, err);
    if (!status) status = measure(trainer, &rows, loss, err);
    if (!status && (trainer_setbacks(trainer) || !isfinite(*loss))) *loss = HUGE_VAL;
    trainer_free(trainer);
    supervised_rows_close(&rows);
    if (!status && setup->tell) setup->tell(setup->context, &(RateTrial){rate, *loss});
    return status;
}

Status rate_search_train(const RateSearchSetup *setup, RateSearch *out, Error *err) {
    const SupervisedConfig *config = setup->config;
    Training training = {.setup = setup};
    Rng rng = rng_seeded((uint64_t)config->supervised.seed);
    Status status = setup->from
                        ? net_file_load(setup->from, &training.net, err)
                        : arch_build_text(config->supervised.arch, &rng, &training.net, err);
    if (status) return status;
    double first = config->training.schedule.rate;
    if (!(first > 0)) first = optimiser_usual_rate(config->training.optimiser.kind, training.net);
    status = rate_search(first, try_training, &training, out, err);
    net_free(training.net);
    return status;
}
