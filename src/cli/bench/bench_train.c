/* bench_train.c - `aji bench train`: samples per second through forward, losses, backward and the
 * optimiser's step. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/options/options.h"
#include "base/statistic.h"
#include "base/thread.h"
#include "cli/bench.h"
#include "cli/bench/net_bench.h"
#include "cli/commands.h"
#include "train/trainer.h"

static void fill_row(Batch *batch, int n, Rng *rng) {
    size_t cells = (size_t)(batch->length * batch->length), at = (size_t)n;
    float *planes = batch->planes + at * cells * FEATURE_PLANES;
    float *targets = batch->targets + at * ROW_GLOBAL_TARGETS;
    for (size_t i = 0; i < cells; i++) {
        for (int plane = 0; plane < FEATURE_PLANES; plane++)
            planes[i * FEATURE_PLANES + (size_t)plane] = plane == 0 || rng_below(rng, 10) == 0;
        batch->mask[at * cells + i] = 1;
        batch->ownership[at * cells + i] = (float)(rng_below(rng, 3) - 1);
        for (int c = 0; c < ROW_POINT_COLUMNS; c++)
            batch->points[c][at * cells + i] = (float)(1 + i % 3); /* valid in every column */
    }
    for (size_t channel = 0; channel < 2; channel++)
        batch->policy[(at * 2 + channel) * (cells + 1) + (size_t)rng_below(rng, (int)cells)] = 1;
    batch->score[at * SCORE_BINS + SCORE_BINS_HALF + (size_t)rng_below(rng, 20)] = 1;
    bool won = rng_below(rng, 2);
    for (int i = 0; i < 20; i += 4) {
        targets[i] = won;
        targets[i + 1] = !won;
    }
    targets[TARGET_SCORE] = (float)(rng_below(rng, 41) - 20);
    for (int i = TARGET_WEIGHT; i <= TARGET_WEIGHT_REPLY; i++)
        targets[i] = 1;
}

static uint64_t net_signature(const Net *net) {
    uint64_t hash = 0;
    for (int i = 0; i < program_parameter_count(net_program(net)); i++)
        hash = hash_bytes(net_values_const(net, i),
                          program_parameter(net_program(net), i)->count * sizeof(float), hash);
    return hash;
}

static Status run_steps(const NetBench *bench, Trainer *trainer, const Batch *batch, NetSpeed *out,
                        Error *err) {
    double rates[NET_BENCH_REPEATS];
    Metrics metrics;
    Status status = trainer_step(trainer, batch, &metrics, err); /* warm-up */
    out->signature = net_signature(trainer_net(trainer));
    out->min = 1e30;
    for (int r = 0; r < NET_BENCH_REPEATS && !status; r++) {
        double start = clock_seconds(), spent = 0;
        int64_t samples = 0;
        while (!status && spent < bench->seconds / NET_BENCH_REPEATS) {
            status = trainer_step(trainer, batch, &metrics, err);
            samples += batch->count;
            spent = clock_seconds() - start;
        }
        rates[r] = (double)samples / spent;
        if (rates[r] < out->min) out->min = rates[r];
    }
    if (!status) out->median = median(rates, NET_BENCH_REPEATS);
    return status;
}

/* Measures how the processor time of some more steps is divided among the ops. */
static Status measure_ops(const NetBench *bench, Trainer *trainer, const Batch *batch,
                          OpShares *out, Error *err) {
    const Net *net = trainer_net(trainer);
    int count = program_op_count(net_program(net));
    OpTime *times = NULL;
    Metrics metrics;
    Status status = trainer_time_ops(trainer, err);
    if (!status) status = mem_new((size_t)count, sizeof *times, &times, err);
    double start = clock_seconds(), worked = clock_process_cpu_seconds();
    while (!status && clock_seconds() - start < bench->seconds / NET_BENCH_REPEATS)
        status = trainer_step(trainer, batch, &metrics, err);
    worked = clock_process_cpu_seconds() - worked;
    if (!status) {
        trainer_op_times(trainer, times);
        status = op_shares_init(net, times, count, worked, out, err);
    }
    free(times);
    return status;
}

/* The multiplies and adds of a training sample. The forward pass takes as many of them as an
 * evaluation. The gradients of the weights take this number again, and so do the gradients of the
 * activations. */
static double flops_of(const Net *net, const NetBench *bench) {
    return 2 * 3 * program_multiply_adds(net_program(net), bench->size, bench->size);
}

static Status measure(const NetBench *bench, const Net *net, const Batch *batch, NetSpeed *out,
                      Error *err) {
    TrainerSetup setup = {.batch = bench->batch, .length = bench->size};
    training_settings_defaults(&setup.training);
    setup.training.trainer.threads = bench->threads;
    setup.training.trainer.precision =
        out->precision == PRECISION_BF16 ? TRAINER_BF16 : TRAINER_F32;
    setup.training.schedule.rate = 1e-6; /* many steps on one batch must not diverge */
    Net *copy;
    Trainer *trainer;
    Status status = net_copy(net, &copy, err);
    if (!status) status = trainer_new(&setup, copy, &trainer, err);
    if (status) return status;
    status = run_steps(bench, trainer, batch, out, err);
    if (!status) status = measure_ops(bench, trainer, batch, &out->shares, err);
    trainer_free(trainer);
    return status ? status : net_bench_compare(bench, flops_of(net, bench), out, err);
}

static Status run(const NetBench *bench, Error *err) {
    Rng rng = rng_seeded(1);
    Net *net = NULL;
    Batch batch = {0};
    NetSpeed speeds[NET_BENCH_PRECISIONS_MAX];
    Precision precisions[NET_BENCH_PRECISIONS_MAX];
    int wanted, done = 0;
    Status status = net_bench_precisions(bench, precisions, &wanted, err);
    for (int i = 0; i < wanted && !status; i++) {
        if (precisions[i] == PRECISION_INT8)
            status = fail(err, ERR_ARGUMENT, "training has no int8; use f32, bf16 or auto");
    }
    if (!status) status = net_bench_load(bench, &rng, &net, err);
    if (!status) status = batch_init(&batch, bench->batch, bench->size, err);
    if (!status) status = batch_add_boards(&batch, err); /* some nets learn more targets */
    if (!status) status = batch_add_q_values(&batch, err);
    if (!status) status = batch_add_players(&batch, err); /* some nets read who played */
    if (!status) status = batch_add_points(&batch, (1u << ROW_POINT_COLUMNS) - 1, err);
    for (int n = 0; n < bench->batch && !status; n++)
        fill_row(&batch, n, &rng);
    for (; done < wanted && !status; done++) {
        speeds[done] = (NetSpeed){.precision = precisions[done]};
        status = measure(bench, net, &batch, &speeds[done], err);
    }
    if (!status)
        status = net_bench_print(bench,
                                 &(NetMeasure){.name = "training",
                                               .unit = "samples/s",
                                               .one = "a sample",
                                               .flops = flops_of(net, bench),
                                               .table_decimals = 1,
                                               .backward = true},
                                 speeds, done, err);
    for (int i = 0; i < done; i++)
        op_shares_clear(&speeds[i].shares);
    batch_clear(&batch);
    net_free(net);
    return status;
}

int bench_train(int argc, char **argv) {
    NetBench bench = {
        .arch = "b6c96", .size = 9, .batch = 64, .threads = thread_processors(), .seconds = 5};
    const NetBenchHelp help = {
        .net = "net to train (default: one of --arch with random weights)",
        .batch = "rows in a batch, which all threads share (default 64)",
        .batch_max = 65536,
        .threads = "threads that share a batch (default: one per processor)",
        .precision = "f32, bf16, or auto, which measures each that is native to this processor "
                     "(default auto)"};
    Option options[NET_BENCH_OPTIONS];
    net_bench_options(&bench, &help, options);
    const CommandUsage usage = {
        .name = "bench train",
        .synopsis = "aji bench train [--net FILE | --arch TEXT] [--size N] [--batch N]",
        .summary = "measures how fast training is on this machine, also as a fraction of the peak",
        .details =
            "The tables of the time say which fraction of the processor time each kind of op took, "
            "forward and backward, and with which code. If a chain of ops runs in one pass over "
            "memory, its time counts as time of the first op of the chain. The rest is mainly the "
            "time of the losses and of the optimiser's step.",
        .options = options};
    const char *words[1];
    int word_count = 0;
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &word_count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    return command_end(usage.name, run(&bench, &err), &err);
}
