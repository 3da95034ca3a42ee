#include "train/trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "eval/features/gonn_planes.h"
#include "train/renorm.h"
#include "train/trainer_private.h"

/* The trainer keeps a running mean of the fraction of points that nobody owns at the end of a game.
 * These are its initial value and its decay per batch. */
static const double UNOWNED_INITIAL = 0.005, UNOWNED_DECAY = 0.998;

static bool has_batch_norm(const Program *program) {
    for (int i = 0; i < program_op_count(program); i++) {
        if (program_op(program, i)->kind == OP_BATCH_NORM) return true;
    }
    return false;
}

static Precision precision_of(const TrainerSettings *settings) {
    bool bf16 = settings->precision == TRAINER_BF16 ||
                (settings->precision == TRAINER_AUTO && backend_has_bf16());
    return bf16 ? PRECISION_BF16 : PRECISION_F32;
}

static int max_conv_channels(const Program *program) {
    int max = 1;
    for (int i = 0; i < program_op_count(program); i++) {
        const Op *op = program_op(program, i);
        if (op->kind == OP_CONV && op->channels > max) max = op->channels;
    }
    return max;
}

/* Returns the largest number of boards of one pass through the net, so that their activations stay
 * in the nearest caches. With AMX, a pass of a net with attention has about PASS_CELLS cells. */
static int max_pass(const Program *program, int cells) {
    enum { PASS_CELLS = 400 };
    int channels = max_conv_channels(program);
    bool by_cells = backend_isa() >= ISA_AMX && program_has_kind(program, OP_ATTENTION);
    int max = by_cells ? PASS_CELLS / cells : channels * channels / 3 / cells;
    return max > 1 ? max : 1;
}

/* Returns the number of boards of one pass through the net. Our own bf16 kernels run the rows of a
 * thread in short passes. But each pass adds to the gradients of the weights. If the passes were
 * very short, these additions would take more time than the caches save. Other kernels and nets
 * with batch norm (`whole`) run all rows at once. */
static int pass_size(const Trainer *trainer, bool whole) {
    const TrainerSetup *setup = &trainer->setup;
    int rows = (setup->batch + trainer->threads - 1) / trainer->threads,
        max = max_pass(net_program(trainer->net), setup->length * setup->length);
    if (whole || precision_of(&setup->training.trainer) != PRECISION_BF16 || !backend_has_bf16())
        return rows;
    for (int size = max; size > max / 2; size--) {
        if (rows % size == 0) return size;
    }
    int passes = (rows + max - 1) / max;
    return (rows + passes - 1) / passes;
}

static Status make_shards(Trainer *trainer, Error *err) {
    const TrainerSetup *setup = &trainer->setup;
    bool replicas = has_batch_norm(net_program(trainer->net));
    LearnSetup learn = {.batch = pass_size(trainer, replicas),
                        .height = setup->length,
                        .width = setup->length,
                        .precision = precision_of(&setup->training.trainer)};
    trainer->pass = learn.batch;
    Status status =
        mem_new((size_t)trainer->threads, sizeof *trainer->shards, &trainer->shards, err);
    for (int i = 0; i < trainer->threads && !status; i++) {
        BatchShard *shard = &trainer->shards[i];
        if (replicas) status = net_copy(trainer->net, &shard->replica, err);
        if (!status)
            status =
                learn_new(replicas ? shard->replica : trainer->net, &learn, &shard->learn, err);
    }
    if (status == ERR_MEMORY)
        status = fail_within(err, status,
                             "training in batches of %d rows on boards of %dx%d takes too much "
                             "memory; set loader.batch or trainer.threads lower",
                             setup->batch, setup->length, setup->length);
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

/* Makes room for the mean squares of the values of all ops. */
static Status make_squares(Trainer *trainer, Error *err) {
    size_t count = (size_t)program_op_count(net_program(trainer->net));
    Status status = mem_new(count, sizeof *trainer->activations, &trainer->activations, err);
    for (size_t i = 0; i < count && !status; i++)
        trainer->activations[i] = (double)NAN;
    for (int t = 0; t < trainer->threads && !status; t++)
        status =
            mem_new(count, sizeof *trainer->shards[t].squares, &trainer->shards[t].squares, err);
    return status;
}

/* The present weights of the net become the latent weights, and the net gets restricted weights. */
static void restrict_weights(Trainer *trainer) {
    if (!trainer->latent) return;
    latent_weights_enter(trainer->latent, trainer->net);
    latent_weights_leave(trainer->latent, trainer->net);
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
    if (!status) status = make_gradients(trainer, err);
    if (!status) status = make_shards(trainer, err);
    const TrainerSettings *settings = &setup->training.trainer;
    if (!status && settings->lookahead.steps > 0)
        status = lookahead_new(trainer->net, settings->lookahead.steps,
                               settings->lookahead.fraction, &trainer->lookahead, err);
    if (!status)
        status = latent_weights_new(trainer->net, &settings->sparsity, &trainer->latent, err);
    if (!status && settings->update_ratios)
        status = update_ratios_new(trainer->net, &trainer->ratios, err);
    if (!status && settings->activations) status = make_squares(trainer, err);
    restrict_weights(trainer);
    trainer->unowned = UNOWNED_INITIAL;
    divergence_init(&trainer->divergence, &setup->training.divergence);
    if (!status) status = thread_team_new(trainer->threads, &trainer->team, err);
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
    thread_team_free(trainer->team);
    for (int i = 0; trainer->shards && i < trainer->threads; i++) {
        learn_free(trainer->shards[i].learn);
        net_free(trainer->shards[i].replica);
        free(trainer->shards[i].squares);
    }
    for (int i = 0; trainer->gradients && i < program_parameter_count(net_program(trainer->net));
         i++)
        free(trainer->gradients[i]);
    free(trainer->gradients);
    free(trainer->shards);
    averaging_free(trainer->averaging);
    lookahead_free(trainer->lookahead);
    latent_weights_free(trainer->latent);
    update_ratios_free(trainer->ratios);
    free(trainer->activations);
    optimiser_free(trainer->optimiser);
    tensor_file_free(trainer->good_state);
    tensor_file_free(trainer->newer_state);
    net_free(trainer->net);
    free(trainer);
}

/* Consecutive rows of the batch that run through the net together. */
typedef struct {
    int first, count;
} Pass;

static void write_inputs(const Trainer *trainer, BatchShard *shard, Pass pass) {
    const Batch *batch = trainer->batch;
    size_t cells = (size_t)(batch->length * batch->length), first = (size_t)pass.first,
           count = (size_t)pass.count;
    memcpy(learn_input(shard->learn, trainer->heads.planes),
           batch->planes + first * cells * FEATURE_PLANES,
           count * cells * FEATURE_PLANES * sizeof(float));
    memcpy(learn_input(shard->learn, trainer->heads.globals),
           batch->globals + first * FEATURE_GLOBALS, count * FEATURE_GLOBALS * sizeof(float));
    if (trainer->heads.metadata >= 0)
        memcpy(learn_input(shard->learn, trainer->heads.metadata),
               batch->players + first * METADATA_COUNT, count * METADATA_COUNT * sizeof(float));
    for (size_t k = 0; trainer->heads.gonn >= 0 && k < count; k++)
        gonn_planes_encode(
            batch->planes + (first + k) * cells * FEATURE_PLANES, batch->length, batch->length,
            learn_input(shard->learn, trainer->heads.gonn) + k * cells * GONN_PLANES);
}

static void evaluate_losses(const Trainer *trainer, BatchShard *shard, Pass pass) {
    const HeadIndex *heads = &trainer->heads;
    ObjectiveShard loss = {.batch = trainer->batch,
                           .first = pass.first,
                           .count = pass.count,
                           .policies = heads->policies,
                           .seki_weight = objective_seki_weight(trainer->unowned),
                           .rows = trainer->rows ? trainer->rows + pass.first : NULL};
    for (int i = 0; i < HEAD_COUNT; i++) {
        if (heads->output[i] < 0) continue;
        loss.outputs[i] = learn_output(shard->learn, heads->output[i]);
        loss.gradients[i] = learn_output_gradient(shard->learn, heads->output[i]);
    }
    objective_evaluate(&trainer->setup.training.objective, &loss, &shard->sums);
}

static void add_squares(const Trainer *trainer, BatchShard *shard) {
    for (int i = 0; i < program_op_count(net_program(trainer->net)); i++) {
        SquareSum pass = learn_square_sum(shard->learn, i);
        shard->squares[i].sum += pass.sum;
        shard->squares[i].count += pass.count;
    }
}

static void run_pass(const Trainer *trainer, BatchShard *shard, Pass pass) {
    write_inputs(trainer, shard, pass);
    learn_seed(shard->learn, hash_mix(trainer->setup.seed) ^ (uint64_t)trainer->samples,
               pass.first);
    shard->status = learn_forward(shard->learn, pass.count, trainer->learning, &shard->error);
    if (shard->status) return;
    evaluate_losses(trainer, shard, pass);
    if (trainer->learning && shard->squares) add_squares(trainer, shard);
    if (trainer->learning) shard->status = learn_backward(shard->learn, &shard->error);
}

static void run_shard(void *argument, int index) {
    Trainer *trainer = argument;
    BatchShard *shard = &trainer->shards[index];
    shard->sums = (Metrics){0};
    shard->status = OK;
    if (shard->count <= 0) return;
    if (shard->replica) {
        const TrainerSettings *settings = &trainer->setup.training.trainer;
        RenormLimits final = {settings->renorm.rmax, settings->renorm.dmax},
                     limits = renorm_limits(final, settings->renorm.samples,
                                            trainer->samples - trainer->origin);
        net_copy_values(shard->replica, trainer->net);
        learn_limit_renorm(shard->learn, limits.r, limits.d);
    }
    if (trainer->learning) learn_clear_gradients(shard->learn);
    if (trainer->learning && shard->squares)
        memset(shard->squares, 0,
               (size_t)program_op_count(net_program(trainer->net)) * sizeof *shard->squares);
    for (int done = 0; done < shard->count && !shard->status; done += trainer->pass) {
        int left = shard->count - done;
        learn_keep_weights(shard->learn, done > 0);
        run_pass(trainer, shard,
                 (Pass){shard->first + done, left < trainer->pass ? left : trainer->pass});
    }
}

static Status run_batch(Trainer *trainer, const Batch *batch, bool learning, Metrics *out,
                        Error *err) {
    const TrainerSetup *setup = &trainer->setup;
    if (batch->count < 1 || batch->count > setup->batch || batch->length != setup->length)
        return fail(err, ERR_ARGUMENT,
                    "a batch of %d boards of size %d, at most %d of size %d are wanted",
                    batch->count, batch->length, setup->batch, setup->length);
    if (heads_need_boards(&trainer->heads) && !batch->boards)
        return fail(err, ERR_ARGUMENT,
                    "the batch lacks the boards and values that the heads of the net learn");
    unsigned columns = objective_point_columns(&trainer->heads);
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        if (columns >> c & 1 && !batch->points[c])
            return fail(err, ERR_ARGUMENT, "the batch lacks %s, which the net learns",
                        ROW_POINT_CLASSES[c].name);
    }
    if (trainer->heads.policies.at[POLICY_Q_SCORE] >= 0 && !batch->q_values)
        return fail(err, ERR_ARGUMENT, "the batch lacks the values of moves that the net learns");
    trainer->batch = batch;
    trainer->learning = learning;
    int rows = (batch->count + trainer->threads - 1) / trainer->threads;
    for (int i = 0; i < trainer->threads; i++) {
        BatchShard *shard = &trainer->shards[i];
        shard->first = i * rows;
        shard->count = batch->count - shard->first < rows ? batch->count - shard->first : rows;
    }
    thread_team_run(trainer->team, run_shard, trainer);
    *out = (Metrics){0};
    for (int i = 0; i < trainer->threads; i++) {
        const BatchShard *shard = &trainer->shards[i];
        if (shard->status) return fail(err, shard->status, "%s", shard->error.message);
        metrics_add(out, &shard->sums);
    }
    metrics_divide(out);
    return OK;
}

/* Computes the mean squares over the batch from the sums of all threads. */
static void average_squares(Trainer *trainer) {
    for (int i = 0; i < program_op_count(net_program(trainer->net)); i++) {
        SquareSum all = {0};
        for (int t = 0; t < trainer->threads; t++) {
            if (trainer->shards[t].count <= 0) continue;
            all.sum += trainer->shards[t].squares[i].sum;
            all.count += trainer->shards[t].squares[i].count;
        }
        trainer->activations[i] = all.count > 0 ? all.sum / all.count : (double)NAN;
    }
}

/* Computes the mean gradients over the batch from the gradients of all threads. The order of the
 * threads is fixed, so the result does not depend on which thread finished first. If batches are
 * accumulated, the means are added to those of the pending batches. */
static void sum_gradients(Trainer *trainer) {
    const Program *program = net_program(trainer->net);
    float scale = 1 / (float)trainer->batch->count;
    bool adds = trainer->pending_batches > 0;
    for (int p = 0; p < program_parameter_count(program); p++) {
        float *to = trainer->gradients[p];
        size_t count = to ? program_parameter(program, p)->count : 0;
        for (int i = 0; i < trainer->threads && count; i++) {
            if (trainer->shards[i].count <= 0) continue;
            const float *from = learn_gradient(trainer->shards[i].learn, p);
            for (size_t k = 0; k < count && i == 0 && !adds; k++)
                to[k] = scale * from[k];
            for (size_t k = 0; k < count && (i > 0 || adds); k++)
                to[k] += scale * from[k];
        }
    }
}

static void average_shards(Trainer *trainer, int parameter) {
    size_t count = program_parameter(net_program(trainer->net), parameter)->count;
    float *to = net_values(trainer->net, parameter), scale = 1 / (float)trainer->batch->count;
    memset(to, 0, count * sizeof *to);
    for (int i = 0; i < trainer->threads; i++) {
        const BatchShard *shard = &trainer->shards[i];
        const float *from = net_values_const(shard->replica, parameter);
        for (size_t k = 0; k < count && shard->count > 0; k++)
            to[k] += scale * (float)shard->count * from[k];
    }
}

/* Sets the running statistics of batch norm to the mean of the statistics of all threads, weighted
 * by rows. */
static void merge_statistics(Trainer *trainer) {
    const Program *program = net_program(trainer->net);
    if (!trainer->shards[0].replica) return;
    for (int i = 0; i < program_op_count(program); i++) {
        const Op *op = program_op(program, i);
        for (int k = 2; k < 4 && op->kind == OP_BATCH_NORM; k++)
            average_shards(trainer, op->parameters[k]);
    }
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
        sum_gradients(trainer);
        double norm = optimiser_norm(trainer->optimiser, trainer->gradients);
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
    double rate = out->learning_rate *
                  schedule_batch_factor(&trainer->schedule, trainer->pending_rows,
                                        trainer->setup.training.optimiser.kind != OPTIMISER_SGD);
    float scale = 1 / (float)trainer->pending_batches;
    for (int p = 0; trainer->pending_batches > 1 && p < program_parameter_count(program); p++) {
        size_t count = trainer->gradients[p] ? program_parameter(program, p)->count : 0;
        for (size_t k = 0; k < count; k++)
            trainer->gradients[p][k] *= scale;
    }
    trainer->pending_batches = trainer->pending_rows = 0;
    if (trainer->lookahead) rate /= trainer->setup.training.trainer.lookahead.fraction;
    optimiser_set_rate_fraction(trainer->optimiser,
                                out->learning_rate / trainer->schedule.config.rate);
    optimiser_limit_norm(trainer->optimiser, trainer->setup.training.trainer.clip_median *
                                                 divergence_norm(&trainer->divergence));
    if (trainer->latent) {
        latent_weights_add_gradients(trainer->latent, trainer->net, trainer->gradients);
        latent_weights_enter(trainer->latent, trainer->net);
    }
    Status status =
        optimiser_step(trainer->optimiser, trainer->gradients, rate, &out->gradient_norm, err);
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
    if (trainer->activations) average_squares(trainer);
    if (!isfinite(out->loss)) return set_back(trainer, "the loss is not finite", err);
    sum_gradients(trainer);
    out->learning_rate = schedule_rate(&trainer->schedule, trainer->samples - trainer->origin) *
                         divergence_rate(&trainer->divergence, trainer->samples);
    merge_statistics(trainer);
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
    trainer->rows = rows;
    Status status = run_batch(trainer, batch, false, out, err);
    trainer->rows = NULL;
    return status;
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
        status = learn_time_ops(trainer->shards[t].learn, err);
    return status;
}

void trainer_op_times(const Trainer *trainer, OpTime *out) {
    int count = program_op_count(net_program(trainer->net));
    for (int t = 0; t < trainer->threads; t++) {
        const OpTime *times = learn_op_times(trainer->shards[t].learn);
        for (int i = 0; i < count; i++) {
            if (t == 0) out[i] = (OpTime){.op = i, .code = times[i].code};
            out[i].forward_seconds += times[i].forward_seconds;
            out[i].backward_seconds += times[i].backward_seconds;
        }
    }
}

const double *trainer_activations(const Trainer *trainer) {
    return trainer->activations;
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
