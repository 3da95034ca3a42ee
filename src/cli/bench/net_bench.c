#include "cli/bench/net_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/plural.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "eval/arch/arch.h"

void net_bench_options(NetBench *bench, const NetBenchHelp *help, Option out[NET_BENCH_OPTIONS]) {
    const Option all[NET_BENCH_OPTIONS] = {
        {"net", OPTION_TEXT, &bench->net, 0, 0, "FILE", help->net},
        {"arch", OPTION_TEXT, &bench->arch, 0, 0, "TEXT",
         "architecture of a random net, for example b4c32 (default b6c96)"},
        {"size", OPTION_INT, &bench->size, 2, 19, "N", "board size (default 9)"},
        {"batch", OPTION_INT, &bench->batch, 1, help->batch_max, "N", help->batch},
        {"threads", OPTION_INT, &bench->threads, 1, NET_BENCH_THREADS_MAX, "N", help->threads},
        {"seconds", OPTION_NUMBER, &bench->seconds, 0.1, 3600, "S",
         "seconds that each precision is measured (default 5)"},
        {"precision", OPTION_TEXT, &bench->precision, 0, 0, "P", help->precision},
        {"layers", OPTION_FLAG, &bench->by_layer, 0, 0, NULL,
         "print the fraction of the time that each layer takes, too"},
        {"json", OPTION_FLAG, &bench->json, 0, 0, NULL, "print one JSON object; it has the layers"},
        {0}};
    memcpy(out, all, sizeof all);
}

Status net_bench_load(const NetBench *bench, Rng *rng, Net **out, Error *err) {
    if (bench->net) return net_run_load("bench net", bench->net, out, err);
    Status status = arch_build_text(bench->arch, rng, out, err);
    return status == ERR_SYNTAX ? ERR_ARGUMENT : status; /* --arch is at fault, not a file */
}

bool net_bench_is_auto(const NetBench *bench) {
    return !bench->precision || strcmp(bench->precision, "auto") == 0;
}

Status net_bench_precisions(const NetBench *bench, Precision out[NET_BENCH_PRECISIONS_MAX],
                            int *count, Error *err) {
    *count = 1;
    if (!net_bench_is_auto(bench)) {
        if (!precision_parse(bench->precision, &out[0], err)) return OK;
        return fail_within(err, ERR_ARGUMENT, "--precision");
    }
    out[0] = PRECISION_F32;
    if (backend_has_bf16()) out[(*count)++] = PRECISION_BF16;
    return OK;
}

typedef struct {
    Precision precision;
    double gflops[NET_BENCH_THREADS_MAX];
    Error errors[NET_BENCH_THREADS_MAX];
} Peaks;

static void measure_peak(void *argument, int thread) {
    Peaks *peaks = argument;
    if (infer_measure_peak(peaks->precision, 0.3, &peaks->gflops[thread], &peaks->errors[thread]))
        peaks->gflops[thread] = 0;
}

Status net_bench_compare(const NetBench *bench, double flops, NetSpeed *speed, Error *err) {
    Peaks *peaks;
    Status status = mem_new(1, sizeof *peaks, &peaks, err);
    if (status) return status;
    peaks->precision = speed->precision;
    speed->peak = 0;
    status = thread_parallel(bench->threads, measure_peak, peaks, err);
    for (int t = 0; t < bench->threads && !status; t++) {
        speed->peak += peaks->gflops[t];
        if (peaks->errors[t].status)
            status = fail(err, peaks->errors[t].status, "%s", peaks->errors[t].message);
    }
    free(peaks);
    if (!status) speed->peak_fraction = speed->median * flops * 1e-9 / speed->peak;
    return status;
}

static uint64_t mixed_signature(const NetSpeed *speeds, int count) {
    uint64_t mixed = 0;
    for (int i = 0; i < count; i++)
        mixed = hash_mix(mixed ^ speeds[i].signature);
    return mixed;
}

/* Adds a number under the key "NAME.PRECISION" or "NAME.PRECISION.minimum". */
static void add_number(json_t *object, const char *name, Precision precision, const char *suffix,
                       double value) {
    char key[64];
    snprintf(key, sizeof key, "%s.%s%s", name, precision_name(precision), suffix);
    json_object_set_new(object, key, json_real(value));
}

static Status print_json(const NetMeasure *measure, const NetSpeed *speeds, int count, Error *err) {
    json_t *object = json_object(), *times = json_object();
    char hash[24];
    for (int i = 0; i < count; i++) {
        const NetSpeed *s = &speeds[i];
        add_number(object, measure->name, s->precision, "", s->median);
        add_number(object, measure->name, s->precision, ".minimum", s->min);
        add_number(object, "peak", s->precision, "", s->peak);
        add_number(object, "peak_fraction", s->precision, "", s->peak_fraction);
        json_object_set_new(times, precision_name(s->precision),
                            op_shares_json(&s->shares, measure->backward));
    }
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)mixed_signature(speeds, count));
    json_object_set_new(object, "signature", json_string(hash));
    json_object_set_new(object, "time", times);
    return command_json(object, 6, err);
}

static void print_text(const NetBench *bench, const NetMeasure *measure, const NetSpeed *speeds,
                       int count) {
    printf("%s, %dx%d, batch %d, %d thread%s, %.1f MFLOP for %s\n",
           bench->net ? bench->net : bench->arch, bench->size, bench->size, bench->batch,
           bench->threads, plural_ending(bench->threads), measure->flops * 1e-6, measure->one);
    printf("%-10s %14s %14s %14s %8s\n", "precision", "median 1/s", "minimum 1/s", "peak GFLOP/s",
           "of peak");
    for (int i = 0; i < count; i++)
        printf("%-10s %14.*f %14.*f %14.0f %7.1f%%\n", precision_name(speeds[i].precision),
               measure->table_decimals, speeds[i].median, measure->table_decimals, speeds[i].min,
               speeds[i].peak, 100 * speeds[i].peak_fraction);
    for (int i = 0; i < count; i++) {
        const char *precision = precision_name(speeds[i].precision);
        printf("%s.%s %.1f %s\n", measure->name, precision, speeds[i].median, measure->unit);
        printf("%s.%s.minimum %.1f %s\n", measure->name, precision, speeds[i].min, measure->unit);
        printf("peak.%s %.1f GFLOP/s\n", precision, speeds[i].peak);
        printf("peak_fraction.%s %.4f 1\n", precision, speeds[i].peak_fraction);
    }
    printf("signature %016llx hash\n", (unsigned long long)mixed_signature(speeds, count));
}

static void print_shares(const NetBench *bench, const NetMeasure *measure, const NetSpeed *speed) {
    char heading[64];
    snprintf(heading, sizeof heading, "time of ops, %s", precision_name(speed->precision));
    printf("\n");
    op_shares_print(&speed->shares, heading, false, measure->backward);
    if (!bench->by_layer) return;
    printf("\n");
    op_shares_print(&speed->shares, heading, true, measure->backward);
}

Status net_bench_print(const NetBench *bench, const NetMeasure *measure, const NetSpeed *speeds,
                       int count, Error *err) {
    if (bench->json) return print_json(measure, speeds, count, err);
    print_text(bench, measure, speeds, count);
    for (int i = 0; i < count; i++)
        print_shares(bench, measure, &speeds[i]);
    return OK;
}
