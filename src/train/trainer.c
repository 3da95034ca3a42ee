#include "train/trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "train/trainer_private.h"

/* The trainer keeps a running mean of the fraction of points that nobody owns at the end of a game.
 * These are its initial value and its decay per batch. */
static const double UNOWNED_INITIAL = 0.005, UNOWNED_DECAY = 0.998;

/* The present weights of the net become the latent weights, and the net gets restricted weights. */
static void restrict_weights(Trainer *trainer) {
    if (!trainer->latent) return;
    latent_weights_enter(trainer->latent, trainer->net);
    latent_weights_leave(trainer->latent, trainer->net);
}

static Status make_run(Trainer *trainer, Error *err) {
    const TrainerSetup *setup = &trainer->setup;
    const BatchRunSetup run = {.training = &setup->training,
                               .net = trainer->net,
                               .heads = &trainer->heads,
                               .seed = setup->seed,
                               .batch = setup->batch,
                               .length = setup->length,
                               .threads = trainer->threads};
    return batch_run_new(&run, &trainer->run, err);
}

static Status make_parts(Trainer *trainer, Error *err) {
    const TrainerSetup *setup = &trainer->setup;
    if (setup->batch < 1 || setup->length < 2 || setup->length > BOARD_SIDE_MAX)
        return fail(err, ERR_ARGUMENT,
                    "batches of %d boards of size %d; at least 1 board of size 2 to %d is wanted",
                    setup->batch, setup->length, BOARD_SIDE_MAX);
    Status status = heads_find_trained(trainer->net, &trainer->heads, err);
    if (!status)
        status = optimiser_new(trainer->net, &setup->training.optimiser, &trainer->optimiser, err);
    if (!status)
        status = averaging_new(trainer->net, &setup->training.averaging, setup->origin,
                               &trainer->averaging, err);
    if (!status) status = make_run(trainer, err);
    const TrainerSettings *settings = &setup->training.trainer;
    if (!status && settings->lookahead.steps > 0)
        status = lookahead_new(trainer->net, settings->lookahead.steps,
                               settings->lookahead.fraction, &trainer->lookahead, err);
    if (!status)
        status = latent_weights_new(trainer->net, &settings->sparsity, &trainer->latent, err);
    if (!status && settings->update_ratios)
        status = update_ratios_new(trainer->net, &trainer->ratios, err);
    restrict_weights(trainer);
    trainer->unowned = UNOWNED_INITIAL;
    divergence_init(&trainer->divergence, &setup->training.divergence);
    if (!status) status = checkpoint_collect(trainer, &trainer->good_state, err);
    return status;
}

Status trainer_new(const TrainerSetup *setup, Net *net, Trainer **out, Error *err) {
    Trainer *trainer;
    *out = NULL;
    Status status = mem_new(1, sizeof *trainer, &trainer, err);
    if (status) {
        net_free(net);
        return status;
    }
    trainer->setup = *setup;
    trainer->samples = setup->samples;
    trainer->origin = setup->origin;
    trainer->net = net;
    ScheduleSettings schedule = setup->training.schedule;
    if (!(schedule.rate > 0))
        schedule.rate = optimiser_usual_rate(setup->training.optimiser.kind, net);
    trainer->threads = setup->training.trainer.threads > 0 ? setup->training.trainer.threads : 1;
    if (trainer->threads > setup->batch) trainer->threads = setup->batch > 0 ? setup->batch : 1;
    status = schedule_init(&trainer->schedule, &schedule, err);
    if (!status) status = make_parts(trainer, err);
    if (status)
        trainer_free(trainer);
    else
        *out = trainer;
    return status;
}

void trainer_free(Trainer *trainer) {
    if (!trainer) return;
    batch_run_free(trainer->run);
    averaging_free(trainer->averaging);
    lookahead_free(trainer->lookahead);
    latent_weights_free(trainer->latent);
    update_ratios_free(trainer->ratios);
    optimiser_free(trainer->optimiser);
    tensor_file_free(trainer->good_state);
    tensor_file_free(trainer->newer_state);
    net_free(trainer->net);
    free(trainer);
}

static BatchCall call_of(const Trainer *trainer, const Batch *batch, bool learning) {
    return (BatchCall){.batch = batch,
                       .learning = learning,
                       .samples = trainer->samples,
                       .age = trainer->samples - trainer->origin,
                       .unowned = trainer->unowned};
}

static Status run_batch(Trainer *trainer, const Batch *batch, bool learning, Metrics *out,
                        Error *err) {
    const BatchCall call = call_of(trainer, batch, learning);
    return batch_run(trainer->run, &call, out, err);
}

/* Called once in each period of the average. The newer state becomes the good state, because
 * training has continued from it for a whole period without trouble. The present state becomes the
 * newer state. If there was an outlier recently (`suspicion` is above 0), both stay as they are. */
static Status update_good_state(Trainer *trainer, Error *err) {
    TensorFile *file;
    const char *bad;
    if (!net_is_finite(trainer->net, &bad)) return fail(err, ERR_ARGUMENT, "%s is not finite", bad);
    if (trainer->divergence.suspicion) return OK;
    Status status = checkpoint_collect(trainer, &file, err);
    if (status) return status;
    if (trainer->newer_state) {
        tensor_file_free(trainer->good_state);
        trainer->good_state = trainer->newer_state;
    }
    trainer->newer_state = file;
    return OK;
}

/* Counts a setback at `samples`. Returns true if the trainer is to give up: training failed more
 * than SETBACKS_MAX times, and after the first of these failures it never reached more samples. */
static bool is_stuck(Trainer *trainer, int64_t samples) {
    if (samples > trainer->furthest) {
        trainer->furthest = samples;
        trainer->stuck_setbacks = 0;
    }
    return ++trainer->stuck_setbacks > SETBACKS_MAX;
}

/* Makes the present state the good state. After a setback it also has this setback and the lower
 * learning rate, which trainer_save() must not lose. */
static Status renew_good_state(Trainer *trainer, Error *err) {
    TensorFile *file;
    Status status = checkpoint_collect(trainer, &file, err);
    if (status) return status;
    tensor_file_free(trainer->good_state);
    tensor_file_free(trainer->newer_state);
    trainer->good_state = file;
    trainer->newer_state = NULL;
    return OK;
}

/* Returns to the last good state and lowers the learning rate. `samples` is the count of samples at
 * which training failed. `reason` is for the text of the setback. */
static Status set_back_from(Trainer *trainer, int64_t samples, const char *reason, Error *err) {
    long long at = (long long)samples;
    Error fault = {0};
    bool stuck = is_stuck(trainer, samples);
    Status status = checkpoint_apply(trainer, trainer->good_state, &fault);
    if (status)
        return fail(err, status,
                    "after %lld samples %s, and the last good state cannot be restored: %s", at,
                    reason, fault.message);
    divergence_set_back(&trainer->divergence, trainer->samples);
    status = renew_good_state(trainer, err);
    if (status) return status;
    fail(&trainer->setback, ERR_ARGUMENT,
         "after %lld samples %s; training stands at %lld samples again, with %.3g of its learning "
         "rate for a while",
         at, reason, (long long)trainer->samples, trainer->divergence.rate);
    if (!stuck) return OK;
    return fail(err, ERR_ARGUMENT, "%s; it went back %d times without coming further",
                trainer->setback.message, SETBACKS_MAX);
}

static Status set_back(Trainer *trainer, const char *reason, Error *err) {
    return set_back_from(trainer, trainer->samples, reason, err);
}

Status trainer_settle(Trainer *trainer, Error *err) {
    const char *bad;
    char reason[160];
    if (net_is_finite(trainer->net, &bad)) return OK;
    snprintf(reason, sizeof reason, "%.60s is not finite", bad);
    return set_back(trainer, reason, err);
}

/* Finds out whether training has diverged, by running a suspect batch with the last good weights
 * too. If it has not, the trainer gets its present weights back. If it has, `*diverged` is true,
 * and the trainer keeps the good weights. */
static Status compare_with_good(Trainer *trainer, const Batch *batch, const Metrics *metrics,
                                bool *diverged, Error *err) {
    TensorFile *now;
    Metrics good_metrics;
    *diverged = true;
    Status status = checkpoint_collect(trainer, &now, err);
    if (status) return status;
    status = checkpoint_apply(trainer, trainer->good_state, err);
    if (!status) status = run_batch(trainer, batch, true, &good_metrics, err);
    if (!status) {
        double norm =
            optimiser_norm(trainer->optimiser, batch_run_sum_gradients(trainer->run, false));
        *diverged = !divergence_may_go_on(&trainer->divergence, metrics->loss,
                                          metrics->gradient_norm, good_metrics.loss, norm);
    }
    if (!status && !*diverged) status = checkpoint_apply(trainer, now, err);
    tensor_file_free(now);
    return status;
}

/* Called after a step. Returns to the last good state if training has diverged. */
static Status check_divergence(Trainer *trainer, const Batch *batch, const Metrics *metrics,
                               Error *err) {
    bool diverged;
    char reason[160];
    int64_t samples = trainer->samples, setbacks = trainer_setbacks(trainer);
    if (!divergence_add_batch(&trainer->divergence, metrics->loss, metrics->gradient_norm))
        return OK;
    Status status = trainer_settle(trainer, err);
    if (status || trainer_setbacks(trainer) > setbacks) return status;
    status = compare_with_good(trainer, batch, metrics, &diverged, err);
    if (status || !diverged) return status;
    snprintf(reason, sizeof reason, "training diverges (loss %.4g, gradient norm %.4g)",
             metrics->loss, metrics->gradient_norm);
    return set_back_from(trainer, samples, reason, err);
}

/* Makes one optimiser step with the mean of the pending gradients. Accumulated batches act like one
 * larger batch: the learning rate is that of a batch with as many rows as all pending batches
 * together. Sets `*may_average` to whether the average may take a snapshot now. With lookahead it
 * may do so only after steps at which the slow weights moved. */
static Status step_weights(Trainer *trainer, Metrics *out, bool *may_average, Error *err) {
    const Program *program = net_program(trainer->net);
    float *const *gradients = batch_run_gradients(trainer->run);
    double rate = out->learning_rate *
                  schedule_batch_factor(&trainer->schedule, trainer->pending_rows,
                                        trainer->setup.training.optimiser.kind != OPTIMISER_SGD);
    float scale = 1 / (float)trainer->pending_batches;
    for (int p = 0; trainer->pending_batches > 1 && p < program_parameter_count(program); p++) {
        size_t count = gradients[p] ? program_parameter(program, p)->count : 0;
        for (size_t k = 0; k < count; k++)
            gradients[p][k] *= scale;
    }
    trainer->pending_batches = trainer->pending_rows = 0;
    if (trainer->lookahead) rate /= trainer->setup.training.trainer.lookahead.fraction;
    optimiser_set_rate_fraction(trainer->optimiser,
                                out->learning_rate / trainer->schedule.config.rate);
    optimiser_limit_norm(trainer->optimiser, trainer->setup.training.trainer.clip_median *
                                                 divergence_norm(&trainer->divergence));
    if (trainer->latent) {
        latent_weights_add_gradients(trainer->latent, trainer->net, gradients);
        latent_weights_enter(trainer->latent, trainer->net);
    }
    Status status = optimiser_step(trainer->optimiser, gradients, rate, &out->gradient_norm, err);
    *may_average =
        !trainer->lookahead || (!status && lookahead_step(trainer->lookahead, trainer->net));
    if (!trainer->latent) return status;
    if (!status)
        latent_weights_step(trainer->latent, trainer->net, trainer_own_samples(trainer), rate);
    latent_weights_leave(trainer->latent, trainer->net);
    return status;
}

/* Takes a snapshot for the average if it is time. Returns whether it took one. */
static bool update_average(Trainer *trainer) {
    if (trainer->latent) latent_weights_enter(trainer->latent, trainer->net);
    bool taken = averaging_update(trainer->averaging, trainer->net, trainer->samples);
    if (trainer->latent) latent_weights_leave(trainer->latent, trainer->net);
    return taken;
}

Status trainer_step(Trainer *trainer, const Batch *batch, Metrics *out, Error *err) {
    Error fault = {0};
    Status status = run_batch(trainer, batch, true, out, err);
    if (status) return status;
    if (!isfinite(out->loss)) return set_back(trainer, "the loss is not finite", err);
    batch_run_sum_gradients(trainer->run, trainer->pending_batches > 0);
    out->learning_rate = schedule_rate(&trainer->schedule, trainer->samples - trainer->origin) *
                         divergence_rate(&trainer->divergence, trainer->samples);
    batch_run_merge_statistics(trainer->run);
    trainer->unowned += (1 - UNOWNED_DECAY) * (out->unowned - trainer->unowned);
    trainer->samples += batch->count;
    trainer->pending_rows += batch->count;
    out->gradient_norm = trainer->gradient_norm;
    if (++trainer->pending_batches < trainer->setup.training.trainer.accumulate) return OK;
    bool may_average;
    if (trainer->ratios) update_ratios_begin(trainer->ratios, trainer->net);
    status = step_weights(trainer, out, &may_average, &fault);
    if (trainer->ratios) update_ratios_end(trainer->ratios, trainer->net);
    if (status) return set_back(trainer, fault.message, err);
    trainer->gradient_norm = out->gradient_norm;
    int64_t setbacks = trainer_setbacks(trainer);
    status = check_divergence(trainer, batch, out, err);
    if (status || trainer_setbacks(trainer) > setbacks) return status;
    if (may_average && update_average(trainer) && update_good_state(trainer, &fault))
        return set_back(trainer, fault.message, err);
    return OK;
}

/* Makes a new optimiser and a new average for the trainer's present weights and samples. */
static Status make_optimiser_and_average(const Trainer *trainer, Optimiser **optimiser,
                                         Averaging **averaging, Error *err) {
    const TrainerSetup *setup = &trainer->setup;
    *averaging = NULL;
    Status status = optimiser_new(trainer->net, &setup->training.optimiser, optimiser, err);
    if (status) return status;
    status =
        averaging_new(trainer->net, &setup->training.averaging, trainer->samples, averaging, err);
    if (status) optimiser_free(*optimiser);
    return status;
}

Status trainer_restart(Trainer *trainer, const Net *net, const char *reason, Error *err) {
    Optimiser *optimiser;
    Averaging *averaging;
    net_copy_values(trainer->net, net);
    Status status = make_optimiser_and_average(trainer, &optimiser, &averaging, err);
    if (status) return status;
    optimiser_free(trainer->optimiser);
    averaging_free(trainer->averaging);
    trainer->optimiser = optimiser;
    trainer->averaging = averaging;
    trainer->pending_batches = trainer->pending_rows = 0;
    trainer->restarted = trainer->samples;
    if (trainer->lookahead) lookahead_restart(trainer->lookahead, trainer->net);
    if (trainer->latent) latent_weights_restart(trainer->latent, trainer->net);
    restrict_weights(trainer);
    divergence_clear_history(&trainer->divergence);
    divergence_set_back(&trainer->divergence, trainer->samples);
    fail(&trainer->setback, ERR_ARGUMENT,
         "after %lld samples %s; training begins anew, with %.3g of its learning rate for a while",
         (long long)trainer->samples, reason, trainer->divergence.rate);
    return renew_good_state(trainer, err);
}

int64_t trainer_own_samples(const Trainer *trainer) {
    int64_t from = trainer->origin > trainer->restarted ? trainer->origin : trainer->restarted;
    return trainer->samples > from ? trainer->samples - from : 0;
}

int64_t trainer_setbacks(const Trainer *trainer) {
    return trainer->divergence.setbacks;
}

int64_t trainer_outliers(const Trainer *trainer) {
    return trainer->divergence.outliers;
}

const char *trainer_setback_text(const Trainer *trainer) {
    return trainer->setback.message;
}

Status trainer_measure(Trainer *trainer, const Batch *batch, Metrics *out, Error *err) {
    return run_batch(trainer, batch, false, out, err);
}

Status trainer_measure_rows(Trainer *trainer, const Batch *batch, Metrics *rows, Metrics *out,
                            Error *err) {
    BatchCall call = call_of(trainer, batch, false);
    call.rows = rows;
    return batch_run(trainer->run, &call, out, err);
}

static void swap_values(Net *a, Net *b) {
    for (int p = 0; p < program_parameter_count(net_program(a)); p++) {
        float *x = net_values(a, p), *y = net_values(b, p);
        for (size_t k = 0; k < program_parameter(net_program(a), p)->count; k++) {
            float value = x[k];
            x[k] = y[k];
            y[k] = value;
        }
    }
}

Status trainer_measure_net(Trainer *trainer, Net *net, const Batch *batch, Metrics *out,
                           Error *err) {
    swap_values(trainer->net, net);
    Status status = run_batch(trainer, batch, false, out, err);
    swap_values(trainer->net, net);
    return status;
}

Status trainer_time_ops(Trainer *trainer, Error *err) {
    Status status = OK;
    for (int t = 0; t < trainer->threads && !status; t++)
        status = learn_time_ops(batch_run_learn(trainer->run, t), err);
    return status;
}

void trainer_op_times(const Trainer *trainer, OpTime *out) {
    int count = program_op_count(net_program(trainer->net));
    for (int t = 0; t < trainer->threads; t++) {
        const OpTime *times = learn_op_times(batch_run_learn(trainer->run, t));
        for (int i = 0; i < count; i++) {
            if (t == 0) out[i] = (OpTime){.op = i, .code = times[i].code};
            out[i].forward_seconds += times[i].forward_seconds;
            out[i].backward_seconds += times[i].backward_seconds;
        }
    }
}

const double *trainer_activations(const Trainer *trainer) {
    return batch_run_mean_squares(trainer->run);
}

const double *trainer_update_ratios(const Trainer *trainer) {
    return trainer->ratios ? update_ratios_values(trainer->ratios) : NULL;
}

int64_t trainer_samples(const Trainer *trainer) {
    return trainer->samples;
}

const Net *trainer_net(const Trainer *trainer) {
    return trainer->net;
}

Status trainer_averaged_net(const Trainer *trainer, Net **out, Error *err) {
    Status status = averaging_net(trainer->averaging, trainer->net, out, err);
    if (status || !trainer->latent) return status;
    status = latent_weights_restrict(trainer->latent, *out, err);
    if (status) {
        net_free(*out);
        *out = NULL;
    }
    return status;
}
