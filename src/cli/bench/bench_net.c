/* bench_net.c - `aji bench net`: evaluations per second, and how near they come to the peak of the
 * processor. */
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
#include "nn/infer/infer_quantisation.h"

/* The executors of all threads, which work at the same time. */
typedef struct {
    Infer *infers[NET_BENCH_THREADS_MAX];
    double evaluations[NET_BENCH_THREADS_MAX]; /* per second, of each thread */
    double worked[NET_BENCH_THREADS_MAX];      /* processor time in the last repeat, seconds */
    Error errors[NET_BENCH_THREADS_MAX];
    int batch;
    double seconds; /* of one repeat */
} Workers;

static void evaluate_for_a_while(void *argument, int thread) {
    Workers *workers = argument;
    double start = clock_seconds(), spent = 0.0, worked = clock_thread_cpu_seconds();
    int64_t runs = 0;
    while (spent < workers->seconds) {
        if (infer_run(workers->infers[thread], workers->batch, &workers->errors[thread])) return;
        runs++;
        spent = clock_seconds() - start;
    }
    workers->worked[thread] = clock_thread_cpu_seconds() - worked;
    workers->evaluations[thread] = (double)(runs * workers->batch) / spent;
}

/* Sets the whole mask to 1. Also sets about one in ten of the other inputs to 1, as stones on a
 * board would. */
static void fill_inputs(Infer *infer, const Net *net, const NetBench *bench) {
    Rng rng = rng_seeded(1);
    const Program *program = net_program(net);
    Value mask = -1;
    int mask_channel = 0;
    program_mask_source(program, &mask, &mask_channel);
    for (int i = 0; i < program_input_count(program); i++) {
        Value value = program_input_value(program, i);
        const Op *op = program_op(program, value);
        size_t rows = (size_t)program_rows(op->shape, op->rows, bench->size, bench->size);
        float *to = infer_input(infer, i);
        for (size_t k = 0; k < (size_t)bench->batch * rows * (size_t)op->channels; k++) {
            bool on = (value == mask && (int)(k % (size_t)op->channels) == mask_channel) ||
                      rng_below(&rng, 10) == 0;
            to[k] = on ? 1.0f : 0.0f;
        }
    }
}

static uint64_t signature(const Infer *infer, const Net *net, const NetBench *bench) {
    const Program *program = net_program(net);
    uint64_t hash = 0;
    for (int i = 0; i < program_output_count(program); i++) {
        const Op *op = program_op(program, program_output_value(program, i));
        size_t rows = (size_t)bench->batch *
                      (size_t)program_rows(op->shape, op->rows, bench->size, bench->size);
        hash =
            hash_bytes(infer_output(infer, i), rows * (size_t)op->channels * sizeof(float), hash);
    }
    return hash;
}

static Status first_error(const Workers *workers, int threads, Error *err) {
    for (int t = 0; t < threads; t++) {
        if (workers->errors[t].status)
            return fail(err, workers->errors[t].status, "%s", workers->errors[t].message);
    }
    return OK;
}

static Status make_workers(Workers *workers, const Net *net, const NetBench *bench,
                           Precision precision, Error *err) {
    Status status = OK;
    for (int t = 0; !status && t < bench->threads; t++) {
        const InferSetup setup = {.batch = bench->batch,
                                  .height = bench->size,
                                  .width = bench->size,
                                  .precision = precision};
        status = infer_new(net, &setup, &workers->infers[t], err);
        if (!status) fill_inputs(workers->infers[t], net, bench);
        if (!status) status = infer_run(workers->infers[t], bench->batch, err); /* warm-up */
    }
    return status;
}

static Status measure_speed(Workers *workers, const NetBench *bench, NetSpeed *out, Error *err) {
    double rates[NET_BENCH_REPEATS] = {0};
    Status status = OK;
    out->min = 1e30;
    for (int r = 0; !status && r < NET_BENCH_REPEATS; r++) {
        status = thread_parallel(bench->threads, evaluate_for_a_while, workers, err);
        if (!status) status = first_error(workers, bench->threads, err);
        for (int t = 0; t < bench->threads; t++)
            rates[r] += workers->evaluations[t];
        if (rates[r] < out->min) out->min = rates[r];
    }
    if (!status) out->median = median(rates, NET_BENCH_REPEATS);
    return status;
}

/* Measures how the processor time of one more repeat is divided among the ops. */
static Status measure_ops(Workers *workers, const Net *net, const NetBench *bench, OpShares *out,
                          Error *err) {
    double seconds = 0;
    int count = 0;
    OpTime *sums = NULL;
    Status status = OK;
    for (int t = 0; t < bench->threads && !status; t++)
        status = infer_time_ops(workers->infers[t], err);
    if (!status) status = thread_parallel(bench->threads, evaluate_for_a_while, workers, err);
    if (!status) status = first_error(workers, bench->threads, err);
    if (!status) (void)infer_op_times(workers->infers[0], &count);
    if (!status) status = mem_new((size_t)count, sizeof *sums, &sums, err);
    for (int t = 0; t < bench->threads && !status; t++) {
        const OpTime *times = infer_op_times(workers->infers[t], &count);
        for (int i = 0; i < count; i++) {
            sums[i].op = times[i].op;
            sums[i].code = times[i].code;
            sums[i].forward_seconds += times[i].forward_seconds;
        }
        seconds += workers->worked[t];
    }
    if (!status) status = op_shares_init(net, sums, count, seconds, out, err);
    free(sums);
    return status;
}

static double flops_of(const Net *net, const NetBench *bench) {
    return 2 * program_multiply_adds(net_program(net), bench->size, bench->size);
}

static Status measure(const Net *net, const NetBench *bench, Precision precision, NetSpeed *out,
                      Error *err) {
    Workers *workers = NULL;
    Status status = mem_new(1, sizeof *workers, &workers, err);
    if (status) return status;
    workers->batch = bench->batch;
    workers->seconds = bench->seconds / NET_BENCH_REPEATS;
    status = make_workers(workers, net, bench, precision, err);
    if (!status) status = measure_speed(workers, bench, out, err);
    if (!status) out->signature = signature(workers->infers[0], net, bench);
    if (!status) status = measure_ops(workers, net, bench, &out->shares, err);
    for (int t = 0; t < bench->threads; t++)
        infer_free(workers->infers[t]);
    free(workers);
    return status ? status : net_bench_compare(bench, flops_of(net, bench), out, err);
}

static Status run(const NetBench *bench, Error *err) {
    Rng rng = rng_seeded(1);
    Net *net = NULL;
    NetSpeed speeds[NET_BENCH_PRECISIONS_MAX];
    Precision precisions[NET_BENCH_PRECISIONS_MAX];
    int wanted, done = 0;
    Status status = net_bench_precisions(bench, precisions, &wanted, err);
    if (!status) status = net_bench_load(bench, &rng, &net, err);
    if (!status && net_bench_is_auto(bench) && backend_isa() >= ISA_AVX512_VNNI &&
        net_note(net, QUANTISATION_NOTE))
        precisions[wanted++] = PRECISION_INT8;
    for (; !status && done < wanted; done++) {
        speeds[done] = (NetSpeed){.precision = precisions[done]};
        status = measure(net, bench, precisions[done], &speeds[done], err);
    }
    if (!status)
        status = net_bench_print(bench,
                                 &(NetMeasure){.name = "evaluations",
                                               .unit = "1/s",
                                               .one = "an evaluation",
                                               .flops = flops_of(net, bench)},
                                 speeds, done, err);
    for (int i = 0; i < done; i++)
        op_shares_clear(&speeds[i].shares);
    net_free(net);
    return status;
}

int bench_net(int argc, char **argv) {
    NetBench bench = {
        .arch = "b6c96", .size = 9, .batch = 32, .threads = thread_processors(), .seconds = 5.0};
    const NetBenchHelp help = {
        .net = "net to run (default: one of --arch with random weights)",
        .batch = "positions in a batch of each thread (default 32)",
        .batch_max = 4096,
        .threads = "threads, each with an executor of its own (default: one per processor)",
        .precision = "f32, bf16, int8 (needs a net from `aji net quantize`), or auto, which "
                     "measures each that is native to this processor (default auto)"};
    Option options[NET_BENCH_OPTIONS];
    net_bench_options(&bench, &help, options);
    const CommandUsage usage = {
        .name = "bench net",
        .synopsis = "aji bench net [--net FILE | --arch TEXT] [--size N] [--batch N]",
        .summary = "measures how fast a net is on this machine, also as a fraction of the peak",
        .details =
            "The tables of the time say which fraction of the processor time each kind of op took, "
            "and with which code. If an activation, bias, mask or residual runs together with a "
            "convolution, its time counts as time of the convolution. The rest is the time for "
            "reading masks and copying results.",
        .options = options};
    const char *words[1];
    int word_count = 0;
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &word_count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    return command_end(usage.name, run(&bench, &err), &err);
}
