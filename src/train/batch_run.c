#include "train/batch_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/thread_team.h"
#include "eval/features/gonn_planes.h"
#include "train/renorm.h"

/* The rows of a batch that one thread learns from, and its results. */
typedef struct {
    Learn *learn;
    Net *replica;     /* with batch norm, the thread's own net, for its statistics; else NULL */
    int first, count; /* rows of the batch */
    Metrics sums;
    SquareSum *squares; /* of the values of each op; NULL if they are not measured */
    Status status;
    Error error;
} BatchShard;

struct BatchRun {
    BatchRunSetup setup;
    ThreadTeam *team;
    BatchShard *shards;   /* one for each thread */
    int pass;             /* maximum boards of one pass through the net */
    float **gradients;    /* of each parameter; NULL if it is not trained */
    double *mean_squares; /* batch_run_mean_squares(); NULL if they are not measured */
    BatchCall call;       /* the batch in progress, or the last one */
};

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
static int pass_size(const BatchRun *run, bool whole) {
    const BatchRunSetup *setup = &run->setup;
    int rows = (setup->batch + run->setup.threads - 1) / run->setup.threads,
        max = max_pass(net_program(run->setup.net), setup->length * setup->length);
    if (whole || precision_of(&setup->training->trainer) != PRECISION_BF16 || !backend_has_bf16())
        return rows;
    for (int size = max; size > max / 2; size--) {
        if (rows % size == 0) return size;
    }
    int passes = (rows + max - 1) / max;
    return (rows + passes - 1) / passes;
}

static Status make_shards(BatchRun *run, Error *err) {
    const BatchRunSetup *setup = &run->setup;
    bool replicas = has_batch_norm(net_program(run->setup.net));
    LearnSetup learn = {.batch = pass_size(run, replicas),
                        .height = setup->length,
                        .width = setup->length,
                        .precision = precision_of(&setup->training->trainer)};
    run->pass = learn.batch;
    Status status = mem_new((size_t)run->setup.threads, sizeof *run->shards, &run->shards, err);
    for (int i = 0; i < run->setup.threads && !status; i++) {
        BatchShard *shard = &run->shards[i];
        if (replicas) status = net_copy(run->setup.net, &shard->replica, err);
        if (!status)
            status =
                learn_new(replicas ? shard->replica : run->setup.net, &learn, &shard->learn, err);
    }
    if (status == ERR_MEMORY)
        status = fail_within(err, status,
                             "training in batches of %d rows on boards of %dx%d takes too much "
                             "memory; set loader.batch or trainer.threads lower",
                             setup->batch, setup->length, setup->length);
    return status;
}

static Status make_gradients(BatchRun *run, Error *err) {
    const Program *program = net_program(run->setup.net);
    size_t count = (size_t)program_parameter_count(program);
    Status status = mem_new(count, sizeof *run->gradients, &run->gradients, err);
    for (size_t i = 0; i < count && !status; i++) {
        const ParameterSpec *spec = program_parameter(program, (int)i);
        if (spec->trained)
            status = mem_new_aligned(spec->count, sizeof(float), &run->gradients[i], err);
    }
    return status;
}

/* Makes room for the mean squares of the values of all ops. */
static Status make_squares(BatchRun *run, Error *err) {
    size_t count = (size_t)program_op_count(net_program(run->setup.net));
    Status status = mem_new(count, sizeof *run->mean_squares, &run->mean_squares, err);
    for (size_t i = 0; i < count && !status; i++)
        run->mean_squares[i] = (double)NAN;
    for (int t = 0; t < run->setup.threads && !status; t++)
        status = mem_new(count, sizeof *run->shards[t].squares, &run->shards[t].squares, err);
    return status;
}

Status batch_run_new(const BatchRunSetup *setup, BatchRun **out, Error *err) {
    BatchRun *run;
    *out = NULL;
    Status status = mem_new(1, sizeof *run, &run, err);
    if (status) return status;
    run->setup = *setup;
    status = make_gradients(run, err);
    if (!status) status = make_shards(run, err);
    if (!status && setup->training->trainer.activations) status = make_squares(run, err);
    if (!status) status = thread_team_new(setup->threads, &run->team, err);
    if (status)
        batch_run_free(run);
    else
        *out = run;
    return status;
}

void batch_run_free(BatchRun *run) {
    if (!run) return;
    thread_team_free(run->team);
    for (int i = 0; run->shards && i < run->setup.threads; i++) {
        learn_free(run->shards[i].learn);
        net_free(run->shards[i].replica);
        free(run->shards[i].squares);
    }
    int parameters = program_parameter_count(net_program(run->setup.net));
    for (int i = 0; run->gradients && i < parameters; i++)
        free(run->gradients[i]);
    free(run->gradients);
    free(run->shards);
    free(run->mean_squares);
    free(run);
}

/* Consecutive rows of the batch that run through the net together. */
typedef struct {
    int first, count;
} Pass;

static void write_inputs(const BatchRun *run, BatchShard *shard, Pass pass) {
    const Batch *batch = run->call.batch;
    size_t cells = (size_t)(batch->length * batch->length), first = (size_t)pass.first,
           count = (size_t)pass.count;
    memcpy(learn_input(shard->learn, run->setup.heads->planes),
           batch->planes + first * cells * FEATURE_PLANES,
           count * cells * FEATURE_PLANES * sizeof(float));
    memcpy(learn_input(shard->learn, run->setup.heads->globals),
           batch->globals + first * FEATURE_GLOBALS, count * FEATURE_GLOBALS * sizeof(float));
    if (run->setup.heads->metadata >= 0)
        memcpy(learn_input(shard->learn, run->setup.heads->metadata),
               batch->players + first * METADATA_COUNT, count * METADATA_COUNT * sizeof(float));
    for (size_t k = 0; run->setup.heads->gonn >= 0 && k < count; k++)
        gonn_planes_encode(
            batch->planes + (first + k) * cells * FEATURE_PLANES, batch->length, batch->length,
            learn_input(shard->learn, run->setup.heads->gonn) + k * cells * GONN_PLANES);
}

static void evaluate_losses(const BatchRun *run, BatchShard *shard, Pass pass) {
    const HeadIndex *heads = run->setup.heads;
    ObjectiveShard loss = {.batch = run->call.batch,
                           .first = pass.first,
                           .count = pass.count,
                           .policies = heads->policies,
                           .seki_weight = objective_seki_weight(run->call.unowned),
                           .rows = run->call.rows ? run->call.rows + pass.first : NULL};
    for (int i = 0; i < HEAD_COUNT; i++) {
        if (heads->output[i] < 0) continue;
        loss.outputs[i] = learn_output(shard->learn, heads->output[i]);
        loss.gradients[i] = learn_output_gradient(shard->learn, heads->output[i]);
    }
    objective_evaluate(&run->setup.training->objective, &loss, &shard->sums);
}

static void add_squares(const BatchRun *run, BatchShard *shard) {
    for (int i = 0; i < program_op_count(net_program(run->setup.net)); i++) {
        SquareSum pass = learn_square_sum(shard->learn, i);
        shard->squares[i].sum += pass.sum;
        shard->squares[i].count += pass.count;
    }
}

static void run_pass(const BatchRun *run, BatchShard *shard, Pass pass) {
    write_inputs(run, shard, pass);
    learn_seed(shard->learn, hash_mix(run->setup.seed) ^ (uint64_t)run->call.samples, pass.first);
    shard->status = learn_forward(shard->learn, pass.count, run->call.learning, &shard->error);
    if (shard->status) return;
    evaluate_losses(run, shard, pass);
    if (run->call.learning && shard->squares) add_squares(run, shard);
    if (run->call.learning) shard->status = learn_backward(shard->learn, &shard->error);
}

static void run_shard(void *argument, int index) {
    BatchRun *run = argument;
    BatchShard *shard = &run->shards[index];
    shard->sums = (Metrics){0};
    shard->status = OK;
    if (shard->count <= 0) return;
    if (shard->replica) {
        const TrainerSettings *settings = &run->setup.training->trainer;
        RenormLimits final = {settings->renorm.rmax, settings->renorm.dmax},
                     limits = renorm_limits(final, settings->renorm.samples, run->call.age);
        net_copy_values(shard->replica, run->setup.net);
        learn_limit_renorm(shard->learn, limits.r, limits.d);
    }
    if (run->call.learning) learn_clear_gradients(shard->learn);
    if (run->call.learning && shard->squares)
        memset(shard->squares, 0,
               (size_t)program_op_count(net_program(run->setup.net)) * sizeof *shard->squares);
    for (int done = 0; done < shard->count && !shard->status; done += run->pass) {
        int left = shard->count - done;
        learn_keep_weights(shard->learn, done > 0);
        run_pass(run, shard, (Pass){shard->first + done, left < run->pass ? left : run->pass});
    }
}

/* Returns whether the batch has the right size and all that the heads learn. */
static Status check_batch(const BatchRunSetup *setup, const Batch *batch, Error *err) {
    if (batch->count < 1 || batch->count > setup->batch || batch->length != setup->length)
        return fail(err, ERR_ARGUMENT,
                    "a batch of %d boards of size %d, at most %d of size %d are wanted",
                    batch->count, batch->length, setup->batch, setup->length);
    if (heads_need_boards(setup->heads) && !batch->boards)
        return fail(err, ERR_ARGUMENT,
                    "the batch lacks the boards and values that the heads of the net learn");
    unsigned columns = objective_point_columns(setup->heads);
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        if (columns >> c & 1 && !batch->points[c])
            return fail(err, ERR_ARGUMENT, "the batch lacks %s, which the net learns",
                        ROW_POINT_CLASSES[c].name);
    }
    if (setup->heads->policies.at[POLICY_Q_SCORE] >= 0 && !batch->q_values)
        return fail(err, ERR_ARGUMENT, "the batch lacks the values of moves that the net learns");
    return OK;
}

/* Computes the mean squares over the batch from the sums of all threads. */
static void average_squares(BatchRun *run) {
    for (int i = 0; i < program_op_count(net_program(run->setup.net)); i++) {
        SquareSum all = {0};
        for (int t = 0; t < run->setup.threads; t++) {
            if (run->shards[t].count <= 0) continue;
            all.sum += run->shards[t].squares[i].sum;
            all.count += run->shards[t].squares[i].count;
        }
        run->mean_squares[i] = all.count > 0 ? all.sum / all.count : (double)NAN;
    }
}

Status batch_run(BatchRun *run, const BatchCall *call, Metrics *out, Error *err) {
    Status status = check_batch(&run->setup, call->batch, err);
    if (status) return status;
    run->call = *call;
    int count = call->batch->count, rows = (count + run->setup.threads - 1) / run->setup.threads;
    for (int i = 0; i < run->setup.threads; i++) {
        BatchShard *shard = &run->shards[i];
        shard->first = i * rows;
        shard->count = count - shard->first < rows ? count - shard->first : rows;
    }
    thread_team_run(run->team, run_shard, run);
    *out = (Metrics){0};
    for (int i = 0; i < run->setup.threads; i++) {
        const BatchShard *shard = &run->shards[i];
        if (shard->status) return fail(err, shard->status, "%s", shard->error.message);
        metrics_add(out, &shard->sums);
    }
    metrics_divide(out);
    if (call->learning && run->mean_squares) average_squares(run);
    return OK;
}

float *const *batch_run_sum_gradients(BatchRun *run, bool adds) {
    const Program *program = net_program(run->setup.net);
    float scale = 1 / (float)run->call.batch->count;
    for (int p = 0; p < program_parameter_count(program); p++) {
        float *to = run->gradients[p];
        size_t count = to ? program_parameter(program, p)->count : 0;
        for (int i = 0; i < run->setup.threads && count; i++) {
            if (run->shards[i].count <= 0) continue;
            const float *from = learn_gradient(run->shards[i].learn, p);
            for (size_t k = 0; k < count && i == 0 && !adds; k++)
                to[k] = scale * from[k];
            for (size_t k = 0; k < count && (i > 0 || adds); k++)
                to[k] += scale * from[k];
        }
    }
    return run->gradients;
}

float *const *batch_run_gradients(const BatchRun *run) {
    return run->gradients;
}

const double *batch_run_mean_squares(const BatchRun *run) {
    return run->mean_squares;
}

static void average_shards(BatchRun *run, int parameter) {
    size_t count = program_parameter(net_program(run->setup.net), parameter)->count;
    float *to = net_values(run->setup.net, parameter), scale = 1 / (float)run->call.batch->count;
    memset(to, 0, count * sizeof *to);
    for (int i = 0; i < run->setup.threads; i++) {
        const BatchShard *shard = &run->shards[i];
        const float *from = net_values_const(shard->replica, parameter);
        for (size_t k = 0; k < count && shard->count > 0; k++)
            to[k] += scale * (float)shard->count * from[k];
    }
}

void batch_run_merge_statistics(BatchRun *run) {
    const Program *program = net_program(run->setup.net);
    if (!run->shards[0].replica) return;
    for (int i = 0; i < program_op_count(program); i++) {
        const Op *op = program_op(program, i);
        for (int k = 2; k < 4 && op->kind == OP_BATCH_NORM; k++)
            average_shards(run, op->parameters[k]);
    }
}

int batch_run_pass(const BatchRun *run) {
    return run->pass;
}

Learn *batch_run_learn(const BatchRun *run, int thread) {
    return run->shards[thread].learn;
}
