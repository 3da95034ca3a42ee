/* bench_train.c - `aji bench train`: samples a second through forward, losses, backward and the
 * step. */
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
#include "nn/infer/infer.h"
#include "train/trainer.h"

enum { REPEATS = 5, THREADS_MAX = 256 };

typedef struct {
    const char *net, *arch, *precision;
    int size, batch, threads;
    double seconds;
    bool json;
} BenchTrain;

typedef struct {
    Precision precision;
    double median, min, peak, share;
    uint64_t signature;
} Measured;

static void fill_row(Batch *batch, int n, Rng *rng) {
    size_t cells = (size_t)(batch->length * batch->length), at = (size_t)n;
    float *planes = batch->planes + at * cells * FEATURE_PLANES;
    float *targets = batch->targets + at * ROW_GLOBAL_TARGETS;
    for (size_t i = 0; i < cells; i++) {
        for (int plane = 0; plane < FEATURE_PLANES; plane++)
            planes[i * FEATURE_PLANES + (size_t)plane] = plane == 0 || rng_below(rng, 10) == 0;
        batch->mask[at * cells + i] = 1;
        batch->ownership[at * cells + i] = (float)(rng_below(rng, 3) - 1);
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

static Status run_steps(const BenchTrain *bench, Trainer *trainer, const Batch *batch,
                        Measured *out, Error *err) {
    double rates[REPEATS];
    Metrics metrics;
    Status status = trainer_step(trainer, batch, &metrics, err); /* warm-up */
    out->signature = net_signature(trainer_net(trainer));
    out->min = 1e30;
    for (int r = 0; r < REPEATS && !status; r++) {
        double start = clock_seconds(), spent = 0;
        int64_t samples = 0;
        while (!status && spent < bench->seconds / REPEATS) {
            status = trainer_step(trainer, batch, &metrics, err);
            samples += batch->count;
            spent = clock_seconds() - start;
        }
        rates[r] = (double)samples / spent;
        if (rates[r] < out->min) out->min = rates[r];
    }
    if (!status) out->median = median(rates, REPEATS);
    return status;
}

typedef struct {
    Precision precision;
    double peaks[THREADS_MAX];
    Error errors[THREADS_MAX];
} Peak;

static void run_peak(void *argument, int index) {
    Peak *peak = argument;
    if (infer_measure_peak(peak->precision, 0.3, &peak->peaks[index], &peak->errors[index]))
        peak->peaks[index] = 0;
}

/* Forward and both halves of backward: three times the products of an evaluation. */
static Status find_share(const BenchTrain *bench, const Program *program, Measured *out,
                         Error *err) {
    Peak *peak;
    Status status = mem_new(1, sizeof *peak, &peak, err);
    if (status) return status;
    peak->precision = out->precision;
    status = thread_parallel(bench->threads, run_peak, peak, err);
    for (int i = 0; i < bench->threads && !status; i++) {
        out->peak += peak->peaks[i];
        if (peak->errors[i].status)
            status = fail(err, peak->errors[i].status, "%s", peak->errors[i].message);
    }
    free(peak);
    double products = 3 * program_multiply_adds(program, bench->size, bench->size);
    if (!status) out->share = out->median * 2 * products * 1e-9 / out->peak;
    return status;
}

static Status measure(const BenchTrain *bench, const Net *net, const Batch *batch, Measured *out,
                      Error *err) {
    TrainerSetup setup = {.batch = bench->batch, .length = bench->size};
    settings_defaults(TRAINER_FIELDS, &setup.trainer);
    settings_defaults(OBJECTIVE_FIELDS, &setup.objective);
    settings_defaults(OPTIMISER_FIELDS, &setup.optimiser);
    settings_defaults(SCHEDULE_FIELDS, &setup.schedule);
    settings_defaults(AVERAGING_FIELDS, &setup.averaging);
    settings_defaults(DIVERGENCE_FIELDS, &setup.divergence);
    setup.trainer.threads = bench->threads;
    setup.trainer.precision = out->precision == PRECISION_BF16 ? TRAINER_BF16 : TRAINER_F32;
    setup.schedule.rate = 1e-6; /* the same batch again and again must not run away */
    Net *copy;
    Trainer *trainer;
    Status status = net_copy(net, &copy, err);
    if (!status) status = trainer_new(&setup, copy, &trainer, err);
    if (status) return status;
    status = run_steps(bench, trainer, batch, out, err);
    trainer_free(trainer);
    return status ? status : find_share(bench, net_program(net), out, err);
}

static void print_results(const BenchTrain *bench, const Net *net, const Measured *measured,
                          int count) {
    double flops = 6 * program_multiply_adds(net_program(net), bench->size, bench->size);
    uint64_t mixed = 0;
    printf("%s, %dx%d, batch %d, %d thread%s, %.1f MFLOP a sample\n",
           bench->net ? bench->net : bench->arch, bench->size, bench->size, bench->batch,
           bench->threads, bench->threads == 1 ? "" : "s", flops * 1e-6);
    printf("%-10s %14s %14s %14s %8s\n", "precision", "median 1/s", "minimum 1/s", "peak GFLOP/s",
           "share");
    for (int i = 0; i < count; i++)
        printf("%-10s %14.1f %14.1f %14.0f %7.1f%%\n", precision_name(measured[i].precision),
               measured[i].median, measured[i].min, measured[i].peak, 100 * measured[i].share);
    for (int i = 0; i < count; i++) {
        const char *name = precision_name(measured[i].precision);
        printf("training.%s %.1f samples/s\n", name, measured[i].median);
        printf("training.%s.minimum %.1f samples/s\n", name, measured[i].min);
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
        printf("\"training.%s\": %.1f, \"training.%s.minimum\": %.1f, \"peak.%s\": %.1f, "
               "\"share.%s\": %.4f, ",
               name, m->median, name, m->min, name, m->peak, name, m->share);
        mixed = hash_mix(mixed ^ m->signature);
    }
    printf("\"signature\": \"%016llx\"}\n", (unsigned long long)mixed);
}

static Status run(const BenchTrain *bench, Error *err) {
    Rng rng = rng_seeded(1);
    Net *net = NULL;
    Batch batch = {0};
    Measured measured[2] = {{.precision = PRECISION_F32}, {.precision = PRECISION_BF16}};
    int count = backend_has_bf16() ? 2 : 1, done = 0;
    Status status = OK;
    if (bench->precision && strcmp(bench->precision, "auto") != 0) {
        if (precision_parse(bench->precision, &measured[0].precision, err))
            return fail_within(err, ERR_ARGUMENT, "--precision");
        count = 1;
    }
    if (!status)
        status = bench->net ? net_load(bench->net, &net, err)
                            : arch_build_text(bench->arch, &rng, &net, err);
    if (status == ERR_SYNTAX && !bench->net) status = ERR_ARGUMENT; /* of --arch, not of a file */
    if (!status) status = batch_init(&batch, bench->batch, bench->size, err);
    if (!status) status = batch_add_boards(&batch, err); /* for nets that learn more */
    if (!status) status = batch_add_q_values(&batch, err);
    for (int n = 0; n < bench->batch && !status; n++)
        fill_row(&batch, n, &rng);
    for (; done < count && !status; done++)
        status = measure(bench, net, &batch, &measured[done], err);
    if (!status && bench->json)
        print_json(measured, done);
    else if (!status)
        print_results(bench, net, measured, done);
    batch_clear(&batch);
    net_free(net);
    return status;
}

int bench_train(int argc, char **argv) {
    BenchTrain bench = {
        .arch = "b6c96", .size = 9, .batch = 64, .threads = thread_processors(), .seconds = 5};
    const Option options[] = {
        {"net", OPTION_TEXT, &bench.net, 0, 0, "FILE",
         "the net to train; without it, --arch with random weights"},
        {"arch", OPTION_TEXT, &bench.arch, 0, 0, "TEXT", "a net in words, such as b4c32"},
        {"size", OPTION_INT, &bench.size, 2, 19, "N", "board size"},
        {"batch", OPTION_INT, &bench.batch, 1, 65536, "N", "rows a step, all threads together"},
        {"threads", OPTION_INT, &bench.threads, 1, THREADS_MAX, "N",
         "threads that share a batch; default: the processors"},
        {"seconds", OPTION_NUMBER, &bench.seconds, 0.1, 3600, "S", "of measuring, each precision"},
        {"precision", OPTION_TEXT, &bench.precision, 0, 0, "P",
         "f32, bf16 or auto: all that are native"},
        {"json", OPTION_FLAG, &bench.json, 0, 0, NULL, "all numbers as one JSON object"},
        {0}};
    const CommandUsage usage = {
        .name = "bench train",
        .synopsis = "aji bench train [--net FILE | --arch TEXT] [--size N] [--batch N]",
        .summary = "speed of training on this machine, with the share of the peak",
        .options = options};
    const char *words[1];
    int word_count = 0;
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &word_count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    return command_end(usage.name, run(&bench, &err), &err);
}
