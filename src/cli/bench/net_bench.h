/* net_bench.h - what `aji bench net` and `aji bench train` share: the net and the precisions that
 * they measure, the peak of the processor, and the output.
 * Threading: confined. */
#pragma once
#include "base/options/usage.h"
#include "cli/bench/op_shares.h"
#include "nn/infer/infer.h"

enum { NET_BENCH_REPEATS = 5, NET_BENCH_THREADS_MAX = 256, NET_BENCH_PRECISIONS_MAX = 3 };

/* The options of the two commands. */
typedef struct {
    const char *net; /* path; NULL means a net by `arch` with random weights */
    const char *arch;
    const char *precision; /* NULL means "auto" */
    int size, batch, threads;
    double seconds; /* for each precision */
    bool json, by_layer;
} NetBench;

/* Texts for the help of a command, one for each option, and the largest batch. */
typedef struct {
    const char *net, *batch, *threads, *precision;
    int batch_max;
} NetBenchHelp;
enum { NET_BENCH_OPTIONS = 10 };
/* Lists the options. The list ends with {0}. */
void net_bench_options(NetBench *bench, const NetBenchHelp *help, Option out[NET_BENCH_OPTIONS]);

/* How fast one precision is. */
typedef struct {
    Precision precision;
    double median, min;   /* evaluations or samples per second: median and minimum of the repeats */
    double peak;          /* what all threads together can do, GFLOP/s */
    double peak_fraction; /* fraction of the peak that the median reaches */
    uint64_t signature;   /* hash of the results */
    OpShares shares;      /* how the processor time is divided among the ops, measured in one more
                             repeat */
} NetSpeed;

/* The names under which a command prints its measurements. */
typedef struct {
    const char *name;   /* "evaluations" */
    const char *unit;   /* "1/s" */
    const char *one;    /* "an evaluation" */
    double flops;       /* operations of one evaluation or sample */
    int table_decimals; /* digits after the decimal point of the speeds in the table */
    bool backward;      /* ops have a backward pass, too */
} NetMeasure;

/* Loads the net of --net, or makes one of --arch with weights drawn from `rng`. ERR_ARGUMENT:
 * --arch cannot be read. Other errors are those of net_file_load(). */
MUST_USE Status net_bench_load(const NetBench *bench, Rng *rng, Net **out, Error *err);
/* Whether --precision is absent or "auto", so that each precision that is native to the processor
 * is measured. */
bool net_bench_is_auto(const NetBench *bench);
/* Lists the precisions to measure. If net_bench_is_auto(), they are f32 and, on a processor that
 * has bf16, also bf16. Otherwise it is the one precision that --precision names. ERR_ARGUMENT:
 * there is no such precision. */
MUST_USE Status net_bench_precisions(const NetBench *bench, Precision out[NET_BENCH_PRECISIONS_MAX],
                                     int *count, Error *err);
/* Measures the peak of all threads together and sets `peak` and `peak_fraction` of `speed`. `flops`
 * is the number of operations of one evaluation or sample. */
MUST_USE Status net_bench_compare(const NetBench *bench, double flops, NetSpeed *speed, Error *err);
/* Prints one JSON object if --json is given. Otherwise prints a table with one line per precision,
 * then one line per number, and then tables of the time by op. ERR_MEMORY. */
MUST_USE Status net_bench_print(const NetBench *bench, const NetMeasure *measure,
                                const NetSpeed *speeds, int count, Error *err);
