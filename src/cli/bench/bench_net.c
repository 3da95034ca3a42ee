/* bench_net.c - `aji bench net`: evaluations a second, and the share of what the processor can do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/statistic.h"
#include "base/thread.h"
#include "cli/bench.h"
#include "cli/commands.h"
#include "eval/arch/arch.h"
#include "eval/formats/net_file.h"
#include "nn/infer/infer.h"
#include "nn/infer/infer_scales.h"

enum { REPEATS = 5, THREADS_MAX = 256 };

typedef struct {
    const char *net, *arch, *precision;
    int size, batch, threads;
    double seconds;
    bool json;
} BenchNet;

typedef struct {
    Infer *infers[THREADS_MAX];
    double evaluations[THREADS_MAX], peaks[THREADS_MAX];
    Error errors[THREADS_MAX];
    int batch;
    double seconds;
    Precision precision;
} Race;

typedef struct {
    Precision precision;
    double median, min, peak, share;
    uint64_t signature;
} Measured;

static void run_for_a_while(void *argument, int index) {
    Race *race = argument;
    double start = clock_seconds(), spent = 0.0;
    int64_t runs = 0;
    while (spent < race->seconds) {
        if (infer_run(race->infers[index], race->batch, &race->errors[index])) return;
        runs++;
        spent = clock_seconds() - start;
    }
    race->evaluations[index] = (double)(runs * race->batch) / spent;
}

static void run_peak(void *argument, int index) {
    Race *race = argument;
    if (infer_measure_peak(race->precision, 0.3, &race->peaks[index], &race->errors[index]))
        race->peaks[index] = 0.0;
}

/* Every tenth number on, as stones on a board would be; masks full. */
static void fill_inputs(Infer *infer, const Net *net, const BenchNet *bench) {
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

static uint64_t signature(const Infer *infer, const Net *net, const BenchNet *bench) {
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

static Status first_error(const Race *race, int threads, Error *err) {
    for (int t = 0; t < threads; t++) {
        if (race->errors[t].status)
            return fail(err, race->errors[t].status, "%s", race->errors[t].message);
    }
    return OK;
}

static Status race_all(Race *race, const Net *net, const BenchNet *bench, Measured *out,
                       Error *err) {
    double rates[REPEATS] = {0};
    Status status = OK;
    for (int t = 0; !status && t < bench->threads; t++) {
        const InferConfig config = {.batch = bench->batch,
                                    .height = bench->size,
                                    .width = bench->size,
                                    .precision = race->precision};
        status = infer_new(net, &config, &race->infers[t], err);
        if (!status) fill_inputs(race->infers[t], net, bench);
        if (!status) status = infer_run(race->infers[t], bench->batch, err);
    }
    out->min = 1e30;
    for (int r = 0; !status && r < REPEATS; r++) {
        status = thread_parallel(bench->threads, run_for_a_while, race, err);
        if (!status) status = first_error(race, bench->threads, err);
        for (int t = 0; t < bench->threads; t++)
            rates[r] += race->evaluations[t];
        if (rates[r] < out->min) out->min = rates[r];
    }
    if (!status) status = thread_parallel(bench->threads, run_peak, race, err);
    if (!status) status = first_error(race, bench->threads, err);
    if (status) return status;
    for (int t = 0; t < bench->threads; t++)
        out->peak += race->peaks[t];
    out->precision = race->precision;
    out->signature = signature(race->infers[0], net, bench);
    out->median = median(rates, REPEATS);
    out->share = out->median * 2.0 *
                 program_multiply_adds(net_program(net), bench->size, bench->size) * 1e-9 /
                 out->peak;
    return OK;
}

static Status measure(const Net *net, const BenchNet *bench, Precision precision, Measured *out,
                      Error *err) {
    Race *race = NULL;
    Status status = mem_new(1, sizeof *race, &race, err);
    if (status) return status;
    race->batch = bench->batch;
    race->seconds = bench->seconds / REPEATS;
    race->precision = precision;
    *out = (Measured){0};
    status = race_all(race, net, bench, out, err);
    for (int t = 0; t < bench->threads; t++)
        infer_free(race->infers[t]);
    free(race);
    return status;
}

static void print_results(const BenchNet *bench, const Net *net, const Measured *measured,
                          int count) {
    double flops = 2.0 * program_multiply_adds(net_program(net), bench->size, bench->size);
    uint64_t mixed = 0;
    printf("%s, %dx%d, batch %d, %d thread%s, %.1f MFLOP an evaluation\n",
           bench->net ? bench->net : bench->arch, bench->size, bench->size, bench->batch,
           bench->threads, bench->threads == 1 ? "" : "s", flops * 1e-6);
    printf("%-10s %14s %14s %14s %8s\n", "precision", "median 1/s", "minimum 1/s", "peak GFLOP/s",
           "share");
    for (int i = 0; i < count; i++) {
        const Measured *m = &measured[i];
        printf("%-10s %14.0f %14.0f %14.0f %7.1f%%\n", precision_name(m->precision), m->median,
               m->min, m->peak, 100.0 * m->share);
    }
    for (int i = 0; i < count; i++) {
        const char *name = precision_name(measured[i].precision);
        printf("evaluations.%s %.1f 1/s\n", name, measured[i].median);
        printf("evaluations.%s.minimum %.1f 1/s\n", name, measured[i].min);
        printf("peak.%s %.1f GFLOP/s\n", name, measured[i].peak);
        printf("share.%s %.4f 1\n", name, measured[i].share);
        mixed = hash_mix(mixed ^ measured[i].signature);
    }
    printf("signature %016llx hash\n", (unsigned long long)mixed);
}

static void print_json(const Measured *measured, int count) {
    uint64_t mixed = 0;
    printf("{");
    for (int i = 0; i < count; i++) {
        const Measured *m = &measured[i];
        const char *name = precision_name(m->precision);
        printf("\"evaluations.%s\": %.1f, \"evaluations.%s.minimum\": %.1f, \"peak.%s\": %.1f, "
               "\"share.%s\": %.4f, ",
               name, m->median, name, m->min, name, m->peak, name, m->share);
        mixed = hash_mix(mixed ^ m->signature);
    }
    printf("\"signature\": \"%016llx\"}\n", (unsigned long long)mixed);
}

static Status run(const BenchNet *bench, Error *err) {
    Rng rng = rng_seeded(1);
    Net *net = NULL;
    Measured measured[3];
    int count = 0;
    Precision wanted[3] = {PRECISION_F32, PRECISION_BF16};
    int wanted_count = backend_has_bf16() ? 2 : 1;
    Status status = OK;
    if (bench->precision && strcmp(bench->precision, "auto") != 0) {
        status = precision_parse(bench->precision, &wanted[0], err);
        if (status) return fail_within(err, ERR_ARGUMENT, "--precision");
        wanted_count = 1;
    }
    if (!status)
        status = bench->net ? net_file_load(bench->net, &net, err)
                            : arch_build_text(bench->arch, &rng, &net, err);
    if (status == ERR_SYNTAX && !bench->net) status = ERR_ARGUMENT; /* of --arch, not of a file */
    if (!status && !(bench->precision && strcmp(bench->precision, "auto") != 0) &&
        backend_isa() >= ISA_AVX512_VNNI && net_note(net, SCALES_NOTE))
        wanted[wanted_count++] = PRECISION_INT8;
    for (; !status && count < wanted_count; count++)
        status = measure(net, bench, wanted[count], &measured[count], err);
    if (!status && bench->json)
        print_json(measured, count);
    else if (!status)
        print_results(bench, net, measured, count);
    net_free(net);
    return status;
}

int bench_net(int argc, char **argv) {
    BenchNet bench = {
        .arch = "b6c96", .size = 9, .batch = 32, .threads = thread_processors(), .seconds = 5.0};
    const Option options[] = {
        {"net", OPTION_TEXT, &bench.net, 0, 0, "FILE",
         "the net to run; without it, --arch with random weights"},
        {"arch", OPTION_TEXT, &bench.arch, 0, 0, "TEXT", "a net in words, such as b4c32"},
        {"size", OPTION_INT, &bench.size, 2, 19, "N", "board size"},
        {"batch", OPTION_INT, &bench.batch, 1, 4096, "N", "positions a call, each thread"},
        {"threads", OPTION_INT, &bench.threads, 1, THREADS_MAX, "N",
         "executors at once, with memory for a batch each; default: the processors"},
        {"seconds", OPTION_NUMBER, &bench.seconds, 0.1, 3600, "S", "of measuring, each precision"},
        {"precision", OPTION_TEXT, &bench.precision, 0, 0, "P",
         "f32, bf16, int8 (of a net that `aji net quantize` made) or auto: all that are native"},
        {"json", OPTION_FLAG, &bench.json, 0, 0, NULL, "all numbers as one JSON object"},
        {0}};
    const CommandUsage usage = {
        .name = "bench net",
        .synopsis = "aji bench net [--net FILE | --arch TEXT] [--size N] [--batch N]",
        .summary = "speed of a net on this machine, with the share of the peak",
        .options = options};
    const char *words[1];
    int word_count = 0;
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &word_count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    return command_end(usage.name, run(&bench, &err), &err);
}
