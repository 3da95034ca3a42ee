#include "train/trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "train/renorm.h"
#include "train/trainer_private.h"

#define RENORM "Ioffe 2017, Batch Renormalization; KataGo, python/train.py"

const ConfigField TRAINER_FIELDS[] = {
    FIELD_INT(TrainerSettings, threads, 0, 0, 1024, "threads of training; 0: those of the run"),
    FIELD_CHOICE(TrainerSettings, precision, TRAINER_AUTO, "f32|bf16|auto",
                 "arithmetic of convolutions, auto: bf16 where the processor has it; sums and "
                 "weights stay f32"),
    FIELD_INT(TrainerSettings, accumulate, 1, 1, 4096,
              "batches whose gradients are added up for one step",
              .source = "lczero-training, num_batch_splits"),
    FIELD_INT(TrainerSettings, lookahead, 0, 0, 1000,
              "steps until slow weights follow the fast ones, which begin there anew; 0: none",
              .source = "Zhang et al. 2019, Lookahead Optimizer; KataGo, python/train.py (6)"),
    FIELD_FLOAT(TrainerSettings, lookahead_share, 0.5, 0.01, 1,
                "how far they follow; rates are divided by it",
                .source = "Zhang et al. 2019, Lookahead Optimizer; KataGo, python/train.py"),
    FIELD_FLOAT(TrainerSettings, clip_median, 4, 0, 1e9,
                "a longer gradient is shortened to so many medians of the last 256 norms, whatever "
                "the net and the board; 0: none is",
                .source = "Seetharaman et al. 2020, AutoClip"),
    FIELD_FLOAT(TrainerSettings, renorm_rmax, 3, 1, 1000,
                "nets with batch renorm: deviations may be so many times the running one, or it "
                "them, in the end",
                .source = RENORM),
    FIELD_FLOAT(TrainerSettings, renorm_dmax, 5, 0, 1000,
                "and means so many running deviations from the running one", .source = RENORM),
    FIELD_INT64(TrainerSettings, renorm_samples, 200000, 1, 1e15,
                "samples in which both go all but 1/e of the way there from batch norm",
                .source = "KataGo, python/train.py"),
    {0},
};

/* Where the mean begins, and what it keeps from batch to batch. */
static const double UNOWNED_AT_FIRST = 0.005, UNOWNED_KEPT = 0.998;

static bool has_batch_norm(const Program *program) {
    for (int i = 0; i < program_op_count(program); i++) {
        if (program_op(program, i)->kind == OP_BATCH_NORM) return true;
    }
    return false;
}

static Precision precision_of(const TrainerSettings *config) {
    bool bf16 = config->precision == TRAINER_BF16 ||
                (config->precision == TRAINER_AUTO && backend_has_bf16());
    return bf16 ? PRECISION_BF16 : PRECISION_F32;
}

static int most_channels(const Program *program) {
    int most = 1;
    for (int i = 0; i < program_op_count(program); i++) {
        const Op *op = program_op(program, i);
        if (op->kind == OP_CONV && op->channels > most) most = op->channels;
    }
    return most;
}

/* Boards of one pass: our own bf16 kernels take a share through the net in short passes, whose
 * numbers stay in the near caches, but not so short that the gradients of the weights, which every
 * pass adds to, are more. oneDNN wants all at once, and so does batch norm. */
static int pass_size(const Trainer *trainer, bool whole) {
    const TrainerSetup *setup = &trainer->setup;
    int each = (setup->batch + trainer->threads - 1) / trainer->threads,
        channels = most_channels(net_program(trainer->net)),
        most = channels * channels / 3 / (setup->length * setup->length);
    if (whole || precision_of(&setup->trainer) != PRECISION_BF16 || !backend_has_bf16())
        return each;
    if (most < 1) most = 1;
    for (int size = most; size > most / 2; size--) {
        if (each % size == 0) return size;
    }
    int passes = (each + most - 1) / most;
    return (each + passes - 1) / passes;
}

static Status make_shares(Trainer *trainer, Error *err) {
    const TrainerSetup *setup = &trainer->setup;
    bool replicas = has_batch_norm(net_program(trainer->net));
    LearnConfig config = {.batch = pass_size(trainer, replicas),
                          .height = setup->length,
                          .width = setup->length,
                          .precision = precision_of(&setup->trainer)};
    trainer->pass = config.batch;
    Status status =
        mem_new((size_t)trainer->threads, sizeof *trainer->shares, &trainer->shares, err);
    for (int i = 0; i < trainer->threads && !status; i++) {
        Share *share = &trainer->shares[i];
        if (replicas) status = net_copy(trainer->net, &share->replica, err);
        if (!status)
            status =
                learn_new(replicas ? share->replica : trainer->net, &config, &share->learn, err);
    }
    return status;
}

static Status make_gradients(Trainer *trainer, Error *err) {
    const Program *program = net_program(trainer->net);
    size_t count = (size_t)program_parameter_count(program);
    Status status = mem_new(count, sizeof *trainer->gradients, &trainer->gradients, err);
    for (size_t i = 0; i < count && !status; i++) {
        const ParameterSpec *spec = program_parameter(program, (int)i);
        if (spec->trained)
            status = mem_new_aligned(spec->count, sizeof(float), &trainer->gradients[i], err);
    }
    return status;
}

static Status make_all(Trainer *trainer, Error *err) {
    const TrainerSetup *setup = &trainer->setup;
    if (setup->batch < 1 || setup->length < 2 || setup->length > BOARD_EDGE_MAX)
        return fail(err, ERR_ARGUMENT, "batches of %d boards with an edge of %d", setup->batch,
                    setup->length);
    Status status = heads_find(net_program(trainer->net), &trainer->heads, err);
    if (!status) status = optimiser_new(trainer->net, &setup->optimiser, &trainer->optimiser, err);
    if (!status)
        status =
            averaging_new(trainer->net, &setup->averaging, setup->origin, &trainer->averaging, err);
    if (!status) status = make_gradients(trainer, err);
    if (!status) status = make_shares(trainer, err);
    const TrainerSettings *config = &setup->trainer;
    if (!status && config->lookahead > 0)
        status = lookahead_new(trainer->net, config->lookahead, (double)config->lookahead_share,
                               &trainer->lookahead, err);
    trainer->unowned = UNOWNED_AT_FIRST;
    divergence_init(&trainer->watch, &setup->divergence);
    if (!status) status = thread_team_new(trainer->threads, &trainer->team, err);
    if (!status) status = checkpoint_collect(trainer, &trainer->good, err);
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
    ScheduleConfig schedule = setup->schedule;
    if (!(schedule.rate > 0))
        schedule.rate = (float)optimiser_usual_rate(setup->optimiser.kind, net);
    trainer->threads = setup->trainer.threads > 0 ? setup->trainer.threads : 1;
    if (trainer->threads > setup->batch) trainer->threads = setup->batch > 0 ? setup->batch : 1;
    status = schedule_init(&trainer->schedule, &schedule, err);
    if (!status) status = make_all(trainer, err);
    if (status)
        trainer_free(trainer);
    else
        *out = trainer;
    return status;
}

void trainer_free(Trainer *trainer) {
    if (!trainer) return;
    thread_team_free(trainer->team);
    for (int i = 0; trainer->shares && i < trainer->threads; i++) {
        learn_free(trainer->shares[i].learn);
        net_free(trainer->shares[i].replica);
    }
    for (int i = 0; trainer->gradients && i < program_parameter_count(net_program(trainer->net));
         i++)
        free(trainer->gradients[i]);
    free(trainer->gradients);
    free(trainer->shares);
    averaging_free(trainer->averaging);
    lookahead_free(trainer->lookahead);
    optimiser_free(trainer->optimiser);
    tensor_file_free(trainer->good);
    tensor_file_free(trainer->newer);
    net_free(trainer->net);
    free(trainer);
}

/* Rows of the batch. */
typedef struct {
    int first, count;
} Pass;

static void write_inputs(const Trainer *trainer, Share *share, Pass pass) {
    const Batch *batch = trainer->batch;
    size_t cells = (size_t)(batch->length * batch->length), first = (size_t)pass.first,
           count = (size_t)pass.count;
    memcpy(learn_input(share->learn, trainer->heads.planes),
           batch->planes + first * cells * FEATURE_PLANES,
           count * cells * FEATURE_PLANES * sizeof(float));
    memcpy(learn_input(share->learn, trainer->heads.globals),
           batch->globals + first * FEATURE_GLOBALS, count * FEATURE_GLOBALS * sizeof(float));
}

static void find_losses(const Trainer *trainer, Share *share, Pass pass) {
    const HeadIndex *heads = &trainer->heads;
    ObjectiveShard loss = {.batch = trainer->batch,
                           .first = pass.first,
                           .count = pass.count,
                           .policy_channels = heads->policy_channels,
                           .seki_weight = objective_seki_weight(trainer->unowned)};
    for (int i = 0; i < HEAD_COUNT; i++) {
        if (heads->output[i] < 0) continue;
        loss.outputs[i] = learn_output(share->learn, heads->output[i]);
        loss.gradients[i] = learn_output_gradient(share->learn, heads->output[i]);
    }
    objective_evaluate(&trainer->setup.objective, &loss, &share->sums);
}

static void run_pass(const Trainer *trainer, Share *share, Pass pass) {
    write_inputs(trainer, share, pass);
    share->status = learn_forward(share->learn, pass.count, trainer->learning, &share->error);
    if (share->status) return;
    find_losses(trainer, share, pass);
    if (trainer->learning) share->status = learn_backward(share->learn, &share->error);
}

static void run_share(void *argument, int index) {
    Trainer *trainer = argument;
    Share *share = &trainer->shares[index];
    share->sums = (Metrics){0};
    share->status = OK;
    if (share->count <= 0) return;
    if (share->replica) {
        const TrainerSettings *config = &trainer->setup.trainer;
        RenormLimits last = {(double)config->renorm_rmax, (double)config->renorm_dmax},
                     limits = renorm_limits(last, config->renorm_samples,
                                            trainer->samples - trainer->origin);
        net_copy_values(share->replica, trainer->net);
        learn_limit_renorm(share->learn, limits.r, limits.d);
    }
    if (trainer->learning) learn_clear_gradients(share->learn);
    for (int done = 0; done < share->count && !share->status; done += trainer->pass) {
        int left = share->count - done;
        learn_keep_weights(share->learn, done > 0);
        run_pass(trainer, share,
                 (Pass){share->first + done, left < trainer->pass ? left : trainer->pass});
    }
}

static Status run_batch(Trainer *trainer, const Batch *batch, bool learning, Metrics *out,
                        Error *err) {
    const TrainerSetup *setup = &trainer->setup;
    if (batch->count < 1 || batch->count > setup->batch || batch->length != setup->length)
        return fail(err, ERR_ARGUMENT, "a batch of %d boards with edge %d, wanted %d with %d",
                    batch->count, batch->length, setup->batch, setup->length);
    if (trainer->heads.output[HEAD_TD] >= 0 && !batch->boards)
        return fail(err, ERR_ARGUMENT, "a batch without the boards that auxiliary heads learn");
    if (trainer->heads.policy_channels > POLICY_Q_SCORE && !batch->q_values)
        return fail(err, ERR_ARGUMENT, "a batch without the values of moves that the net learns");
    trainer->batch = batch;
    trainer->learning = learning;
    int each = (batch->count + trainer->threads - 1) / trainer->threads;
    for (int i = 0; i < trainer->threads; i++) {
        Share *share = &trainer->shares[i];
        share->first = i * each;
        share->count = batch->count - share->first < each ? batch->count - share->first : each;
    }
    thread_team_run(trainer->team, run_share, trainer);
    *out = (Metrics){0};
    for (int i = 0; i < trainer->threads; i++) {
        const Share *share = &trainer->shares[i];
        if (share->status) return fail(err, share->status, "%s", share->error.message);
        metrics_add(out, &share->sums);
    }
    metrics_divide(out);
    return OK;
}

/* Means over the batch, the shares in order, so that the sum does not depend on who was first; of
 * several batches the sum of their means. */
static void sum_gradients(Trainer *trainer) {
    const Program *program = net_program(trainer->net);
    float scale = 1 / (float)trainer->batch->count;
    bool adds = trainer->waiting > 0;
    for (int p = 0; p < program_parameter_count(program); p++) {
        float *to = trainer->gradients[p];
        size_t count = to ? program_parameter(program, p)->count : 0;
        for (int i = 0; i < trainer->threads && count; i++) {
            if (trainer->shares[i].count <= 0) continue;
            const float *from = learn_gradient(trainer->shares[i].learn, p);
            for (size_t k = 0; k < count && i == 0 && !adds; k++)
                to[k] = scale * from[k];
            for (size_t k = 0; k < count && (i > 0 || adds); k++)
                to[k] += scale * from[k];
        }
    }
}

static void average_shares(Trainer *trainer, int parameter) {
    size_t count = program_parameter(net_program(trainer->net), parameter)->count;
    float *to = net_values(trainer->net, parameter), scale = 1 / (float)trainer->batch->count;
    memset(to, 0, count * sizeof *to);
    for (int i = 0; i < trainer->threads; i++) {
        const Share *share = &trainer->shares[i];
        const float *from = net_values_const(share->replica, parameter);
        for (size_t k = 0; k < count && share->count > 0; k++)
            to[k] += scale * (float)share->count * from[k];
    }
}

/* Running statistics of batch norm: the mean of what the shares came to. */
static void take_statistics(Trainer *trainer) {
    const Program *program = net_program(trainer->net);
    if (!trainer->shares[0].replica) return;
    for (int i = 0; i < program_op_count(program); i++) {
        const Op *op = program_op(program, i);
        for (int k = 2; k < 4 && op->kind == OP_BATCH_NORM; k++)
            average_shares(trainer, op->parameters[k]);
    }
}

/* The newest state is good when training has gone on from it for a whole period. */
static Status keep_good(Trainer *trainer, Error *err) {
    TensorFile *file;
    const char *bad;
    if (!net_is_finite(trainer->net, &bad)) return fail(err, ERR_ARGUMENT, "%s is not finite", bad);
    if (trainer->watch.suspects) return OK;
    Status status = checkpoint_collect(trainer, &file, err);
    if (status) return status;
    if (trainer->newer) {
        tensor_file_free(trainer->good);
        trainer->good = trainer->newer;
    }
    trainer->newer = file;
    return OK;
}

/* Whether the trainer has gone back so often without coming further that it never will. */
static bool is_hopeless(Trainer *trainer, int64_t samples) {
    if (samples > trainer->farthest) {
        trainer->farthest = samples;
        trainer->setbacks = 0;
    }
    return ++trainer->setbacks > SETBACKS_MAX;
}

/* Training goes on from the last good state, with smaller steps; `reason` is told. */
static Status go_back_from(Trainer *trainer, int64_t samples, const char *reason, Error *err) {
    long long at = (long long)samples;
    Error fault = {0};
    bool hopeless = is_hopeless(trainer, samples);
    Status status = checkpoint_apply(trainer, trainer->good, &fault);
    if (status)
        return fail(err, status,
                    "after %lld samples %s, and the last good state cannot be taken: %s", at,
                    reason, fault.message);
    tensor_file_free(trainer->newer);
    trainer->newer = NULL;
    divergence_set_back(&trainer->watch, trainer->samples);
    fail(&trainer->setback, ERR_ARGUMENT,
         "after %lld samples %s; training stands at %lld samples again, with %.3g of its learning "
         "rate for a while",
         at, reason, (long long)trainer->samples, trainer->watch.rate);
    if (!hopeless) return OK;
    return fail(err, ERR_ARGUMENT, "%s; it went back %d times without coming further",
                trainer->setback.message, SETBACKS_MAX);
}

static Status go_back(Trainer *trainer, const char *reason, Error *err) {
    return go_back_from(trainer, trainer->samples, reason, err);
}

/* What the last good weights make of a suspect batch tells whether the data or the weights are the
 * cause. Where it is the data the trainer has its own weights again afterwards, else the good ones.
 */
static Status find_cause(Trainer *trainer, const Batch *batch, const Metrics *seen, bool *diverged,
                         Error *err) {
    TensorFile *now;
    Metrics good;
    *diverged = true;
    Status status = checkpoint_collect(trainer, &now, err);
    if (status) return status;
    status = checkpoint_apply(trainer, trainer->good, err);
    if (!status) status = run_batch(trainer, batch, true, &good, err);
    if (!status) {
        sum_gradients(trainer);
        double norm = optimiser_norm(trainer->optimiser, trainer->gradients);
        *diverged =
            !divergence_is_data(&trainer->watch, seen->loss, seen->gradient_norm, good.loss, norm);
    }
    if (!status && !*diverged) status = checkpoint_apply(trainer, now, err);
    tensor_file_free(now);
    return status;
}

/* After a step: whether training has diverged, which then goes back. */
static Status watch_step(Trainer *trainer, const Batch *batch, const Metrics *seen, Error *err) {
    bool diverged;
    char reason[160];
    int64_t samples = trainer->samples;
    const char *bad;
    if (!divergence_add_batch(&trainer->watch, seen->loss, seen->gradient_norm)) return OK;
    if (!net_is_finite(trainer->net, &bad)) {
        snprintf(reason, sizeof reason, "%.60s is not finite", bad);
        return go_back(trainer, reason, err);
    }
    Status status = find_cause(trainer, batch, seen, &diverged, err);
    if (status || !diverged) return status;
    snprintf(reason, sizeof reason, "training diverges (loss %.4g, gradient norm %.4g)", seen->loss,
             seen->gradient_norm);
    return go_back_from(trainer, samples, reason, err);
}

/* The step of the gradients that wait: their mean, at the rate of all their rows, so that several
 * batches are one larger one (lczero-training divides by their number, too). Between two steps
 * of the slow weights there is nothing to average. */
static Status move_weights(Trainer *trainer, Metrics *out, bool *in_step, Error *err) {
    const Program *program = net_program(trainer->net);
    double rate =
        out->learning_rate * schedule_rows(&trainer->schedule, trainer->waiting_rows,
                                           trainer->setup.optimiser.kind != OPTIMISER_SGD);
    float scale = 1 / (float)trainer->waiting;
    for (int p = 0; trainer->waiting > 1 && p < program_parameter_count(program); p++) {
        size_t count = trainer->gradients[p] ? program_parameter(program, p)->count : 0;
        for (size_t k = 0; k < count; k++)
            trainer->gradients[p][k] *= scale;
    }
    trainer->waiting = trainer->waiting_rows = 0;
    if (trainer->lookahead) rate /= (double)trainer->setup.trainer.lookahead_share;
    optimiser_rate_share(trainer->optimiser,
                         out->learning_rate / (double)trainer->schedule.config.rate);
    optimiser_limit_norm(trainer->optimiser, (double)trainer->setup.trainer.clip_median *
                                                 divergence_norm(&trainer->watch));
    Status status =
        optimiser_step(trainer->optimiser, trainer->gradients, rate, &out->gradient_norm, err);
    *in_step = !trainer->lookahead || (!status && lookahead_step(trainer->lookahead, trainer->net));
    return status;
}

Status trainer_step(Trainer *trainer, const Batch *batch, Metrics *out, Error *err) {
    Error fault = {0};
    Status status = run_batch(trainer, batch, true, out, err);
    if (status) return status;
    if (!isfinite(out->loss)) return go_back(trainer, "the loss is not finite", err);
    sum_gradients(trainer);
    out->learning_rate = schedule_rate(&trainer->schedule, trainer->samples - trainer->origin) *
                         divergence_rate(&trainer->watch, trainer->samples);
    take_statistics(trainer);
    trainer->unowned += (1 - UNOWNED_KEPT) * (out->unowned - trainer->unowned);
    trainer->samples += batch->count;
    trainer->waiting_rows += batch->count;
    out->gradient_norm = trainer->gradient_norm;
    if (++trainer->waiting < trainer->setup.trainer.accumulate) return OK;
    bool in_step;
    status = move_weights(trainer, out, &in_step, &fault);
    if (status) return go_back(trainer, fault.message, err);
    trainer->gradient_norm = out->gradient_norm;
    int64_t setbacks = trainer_setbacks(trainer);
    status = watch_step(trainer, batch, out, err);
    if (status || trainer_setbacks(trainer) > setbacks) return status;
    if (in_step && averaging_update(trainer->averaging, trainer->net, trainer->samples) &&
        keep_good(trainer, &fault))
        return go_back(trainer, fault.message, err);
    return OK;
}

/* What checkpoint_apply() puts in the place of the old. */
static Status make_fresh(const Trainer *trainer, Optimiser **optimiser, Averaging **averaging,
                         Error *err) {
    const TrainerSetup *setup = &trainer->setup;
    *averaging = NULL;
    Status status = optimiser_new(trainer->net, &setup->optimiser, optimiser, err);
    if (status) return status;
    status = averaging_new(trainer->net, &setup->averaging, trainer->samples, averaging, err);
    if (status) optimiser_free(*optimiser);
    return status;
}

Status trainer_restart(Trainer *trainer, const Net *net, const char *reason, Error *err) {
    Optimiser *optimiser;
    Averaging *averaging;
    TensorFile *file;
    net_copy_values(trainer->net, net);
    Status status = make_fresh(trainer, &optimiser, &averaging, err);
    if (status) return status;
    optimiser_free(trainer->optimiser);
    averaging_free(trainer->averaging);
    trainer->optimiser = optimiser;
    trainer->averaging = averaging;
    trainer->waiting = trainer->waiting_rows = 0;
    trainer->restarted = trainer->samples;
    if (trainer->lookahead) lookahead_restart(trainer->lookahead, trainer->net);
    divergence_clear_history(&trainer->watch);
    divergence_set_back(&trainer->watch, trainer->samples);
    fail(&trainer->setback, ERR_ARGUMENT,
         "after %lld samples %s; training begins anew, with %.3g of its learning rate for a while",
         (long long)trainer->samples, reason, trainer->watch.rate);
    status = checkpoint_collect(trainer, &file, err);
    if (status) return status;
    tensor_file_free(trainer->good);
    tensor_file_free(trainer->newer);
    trainer->good = file;
    trainer->newer = NULL;
    return OK;
}

int64_t trainer_own_samples(const Trainer *trainer) {
    int64_t from = trainer->origin > trainer->restarted ? trainer->origin : trainer->restarted;
    return trainer->samples > from ? trainer->samples - from : 0;
}

int64_t trainer_setbacks(const Trainer *trainer) {
    return trainer->watch.setbacks;
}

int64_t trainer_outliers(const Trainer *trainer) {
    return trainer->watch.outliers;
}

const char *trainer_setback_text(const Trainer *trainer) {
    return trainer->setback.message;
}

Status trainer_measure(Trainer *trainer, const Batch *batch, Metrics *out, Error *err) {
    return run_batch(trainer, batch, false, out, err);
}

static void exchange_values(Net *a, Net *b) {
    for (int p = 0; p < program_parameter_count(net_program(a)); p++) {
        float *x = net_values(a, p), *y = net_values(b, p);
        for (size_t k = 0; k < program_parameter(net_program(a), p)->count; k++) {
            float kept = x[k];
            x[k] = y[k];
            y[k] = kept;
        }
    }
}

Status trainer_measure_net(Trainer *trainer, Net *net, const Batch *batch, Metrics *out,
                           Error *err) {
    exchange_values(trainer->net, net);
    Status status = run_batch(trainer, batch, false, out, err);
    exchange_values(trainer->net, net);
    return status;
}

int64_t trainer_samples(const Trainer *trainer) {
    return trainer->samples;
}

const Net *trainer_net(const Trainer *trainer) {
    return trainer->net;
}

Status trainer_averaged_net(const Trainer *trainer, Net **out, Error *err) {
    return averaging_net(trainer->averaging, trainer->net, out, err);
}
