/* bench_search.c - `aji bench search`: the overhead of the search itself. It measures the time per
 * visit and the memory per node. The evaluator takes hardly any time, and its time is subtracted.
 * It says how many bytes of a node the distribution of values takes if the search keeps one.
 * It also measures how much faster several threads are on one tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/options/options.h"
#include "base/statistic.h"
#include "base/thread.h"
#include "cli/bench.h"
#include "cli/commands.h"
#include "eval/evaluators/evaluator.h"
#include "search/driver/driver.h"
#include "search/tree/search_presets.h"

enum { REPEATS = 5, CLOCK_CALLS = 2000, SPREADS = 3 };

/* How nodes can store a distribution of values (search.regret.spread), with the default number of
 * buckets. */
static const struct {
    const char *name;
    SpreadKind kind;
} SPREAD_KINDS[SPREADS] = {
    {"variance", SPREAD_VARIANCE}, {"categorical", SPREAD_CATEGORICAL}, {"net", SPREAD_NET}};

typedef struct {
    int size, threads, leaves;
    double visits;
    double seconds; /* for each number of threads; 0 means REPEATS searches */
    bool json, play, random;
} BenchSearch;

/* An evaluator that passes its calls on to another one and measures their processor time. */
typedef struct {
    Evaluator base;
    Evaluator *inner;
    double spent; /* seconds */
    int64_t calls;
    char padding[64]; /* keeps two threads off one cache line */
} Timed;

static Status timed_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                             Evaluation *out, Error *err) {
    Timed *timed = (Timed *)evaluator;
    double start = clock_thread_cpu_seconds();
    Status status = evaluator_evaluate(timed->inner, requests, count, out, err);
    timed->spent += clock_thread_cpu_seconds() - start;
    timed->calls++;
    return status;
}

static const EvaluatorClass TIMED = {"timed", timed_evaluate, NULL};

/* Searches on one tree by some threads. Their overhead is measured in processor time, so that other
 * programs on the machine do not count. */
typedef struct {
    const BenchSearch *bench;
    int threads;
    Timed timed[SEARCH_THREADS_MAX];
    Search *search;
    Driver *driver;
    double clock_us; /* time of one reading of the clock */
    int searches;
    uint64_t signature; /* of search number REPEATS + 1: at least so many searches are made */
} Bench;

typedef struct {
    double overhead_us; /* processor time per visit without the evaluator, divided by the number of
                           threads */
    double visit_us;    /* wall-clock time per visit */
    double node_bytes;
    uint64_t signature;
} Measured;

static double clock_cost_us(void) {
    double start = clock_thread_cpu_seconds();
    for (int i = 0; i < CLOCK_CALLS; i++)
        (void)clock_thread_cpu_seconds();
    return (clock_thread_cpu_seconds() - start) * 1e6 / CLOCK_CALLS;
}

static uint64_t signature_of(const Search *search) {
    Report *report;
    if (mem_new(1, sizeof *report, &report, NULL)) return 0;
    search_report(search, report);
    uint64_t hash = (uint64_t)report->visits;
    for (int i = 0; i < report->move_count; i++) {
        const MoveReport *move = &report->moves[i];
        hash = hash_mix(hash ^ ((uint64_t)move->point << 32 | (uint64_t)move->visits));
    }
    free(report);
    return hash;
}

/* Makes one search from the empty board. Writes its times, which Measured explains. */
static Status search_once(Bench *b, double *overhead_us, double *visit_us, Error *err) {
    Rules rules = rules_tromp_taylor();
    Position position = {0};
    Status status = position_init(&position, b->bench->size, b->bench->size, &rules, err);
    if (!status) status = search_set_position(b->search, &position, err);
    position_clear(&position);
    if (status) return status;
    search_begin(b->search, &(SearchLimits){.visits = (int64_t)b->bench->visits});
    for (int i = 0; i < b->threads; i++) {
        b->timed[i].spent = 0;
        b->timed[i].calls = 0;
    }
    double start = clock_seconds(), cpu = clock_process_cpu_seconds();
    status = driver_run(b->driver, b->search, &(DriverRun){0}, err);
    cpu = clock_process_cpu_seconds() - cpu;
    double wall = clock_seconds() - start, visits = (double)search_root_visits(b->search);
    /* Two readings of the clock measure the time of each call of the evaluator. This time contains
     * only one of the two readings. So the time of the other reading is subtracted from `cpu`
     * too. */
    for (int i = 0; i < b->threads; i++)
        cpu -= b->timed[i].spent + (double)b->timed[i].calls * b->clock_us * 1e-6;
    *visit_us = wall * 1e6 / visits;
    *overhead_us = cpu * 1e6 / visits / b->threads;
    if (++b->searches == REPEATS + 1) b->signature = signature_of(b->search);
    return status;
}

/* Searches again and again for bench->seconds / REPEATS seconds, but at least once. Writes the mean
 * times of a search. */
static Status search_often(Bench *b, double *overhead_us, double *visit_us, Error *err) {
    double start = clock_seconds(), overhead, visit;
    int count = 0;
    Status status;
    *overhead_us = *visit_us = 0;
    do {
        status = search_once(b, &overhead, &visit, err);
        if (status) return status;
        *overhead_us += overhead;
        *visit_us += visit;
        count++;
    } while (clock_seconds() - start < b->bench->seconds / REPEATS);
    *overhead_us /= count;
    *visit_us /= count;
    return OK;
}

static Status make(Bench *b, Error *err) {
    SearchSettings settings;
    Evaluator *evaluators[SEARCH_THREADS_MAX];
    Status status = OK;
    if (b->bench->play)
        search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    else
        search_preset_begin(SEARCH_PRESET_SELFPLAY, &settings);
    settings.tree_memory_mb = 4096;
    settings.leaves = b->bench->leaves;
    for (int i = 0; i < b->threads && !status; i++) {
        Timed *timed = &b->timed[i];
        timed->base = (Evaluator){&TIMED, b->bench->leaves, 0, false};
        evaluators[i] = &timed->base;
        status = b->bench->random ? evaluator_random_new(b->bench->leaves, 1, &timed->inner, err)
                                  : evaluator_uniform_new(b->bench->leaves, &timed->inner, err);
    }
    if (!status) status = search_new(&settings, 1, &b->search, err);
    if (!status) status = driver_new_threads(evaluators, b->threads, &b->driver, err);
    return status;
}

static Status measure(const BenchSearch *bench, int threads, Measured *out, Error *err) {
    double overheads[REPEATS], visits[REPEATS], ignored;
    int64_t nodes = 0;
    Bench *b;
    Status status = mem_new(1, sizeof *b, &b, err);
    if (status) return status;
    b->bench = bench;
    b->threads = threads;
    b->clock_us = clock_cost_us();
    status = make(b, err);
    if (!status) status = search_once(b, &ignored, &ignored, err);
    for (int i = 0; i < REPEATS && !status; i++)
        status = search_often(b, &overheads[i], &visits[i], err);
    if (!status) {
        size_t bytes = search_node_bytes(b->search, &nodes);
        *out = (Measured){.node_bytes = (double)bytes / (double)nodes,
                          .overhead_us = median(overheads, REPEATS),
                          .visit_us = median(visits, REPEATS),
                          .signature = b->signature};
    }
    driver_free(b->driver);
    search_free(b->search);
    for (int i = 0; i < threads; i++)
        evaluator_free(b->timed[i].inner);
    free(b);
    return status;
}

/* Finds how many bytes of a node each kind of distribution takes. */
static Status find_spread_bytes(size_t bytes[SPREADS], Error *err) {
    SearchSettings settings;
    Status status = OK;
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &settings);
    settings.regret.rule = REGRET_STRONG;
    settings.tree_memory_mb = 1;
    for (int i = 0; i < SPREADS && !status; i++) {
        Search *search;
        settings.regret.spread = SPREAD_KINDS[i].kind;
        status = search_new(&settings, 1, &search, err);
        if (status) break;
        bytes[i] = search_method_bytes(search);
        search_free(search);
    }
    return status;
}

/* The overhead of one thread divided by that of several. */
static double speedup(const Measured measured[2]) {
    return measured[0].overhead_us / measured[1].overhead_us;
}

static void print_all(const BenchSearch *bench, const int *counts, const Measured *measured,
                      int used, const size_t spread_bytes[SPREADS]) {
    printf("search on %dx%d, %.0f visits, settings of %s, %s evaluator, one tree, leaves at once: "
           "%d\n",
           bench->size, bench->size, bench->visits, bench->play ? "play" : "self-play",
           bench->random ? "random" : "uniform", bench->leaves);
    printf("%-8s %18s %18s %12s\n", "threads", "overhead ns/visit", "wall ns/visit", "node bytes");
    for (int i = 0; i < used; i++)
        printf("%-8d %18.0f %18.0f %12.1f\n", counts[i], measured[i].overhead_us * 1e3,
               measured[i].visit_us * 1e3, measured[i].node_bytes);
    for (int i = 0; i < used; i++)
        printf("overhead.%d %.3f us\n", counts[i], measured[i].overhead_us);
    if (used > 1) printf("speedup.%d %.2f times\n", counts[1], speedup(measured));
    printf("node %.1f bytes\n", measured[0].node_bytes);
    for (int i = 0; i < SPREADS; i++)
        printf("distribution.%s %zu bytes\n", SPREAD_KINDS[i].name, spread_bytes[i]);
    printf("signature %016llx hash\n", (unsigned long long)measured[0].signature);
}

static Status run(const BenchSearch *bench, Error *err) {
    int counts[2] = {1, bench->threads}, used = bench->threads > 1 ? 2 : 1;
    Measured measured[2];
    size_t spread_bytes[SPREADS];
    Status status = find_spread_bytes(spread_bytes, err);
    for (int i = 0; i < used && !status; i++)
        status = measure(bench, counts[i], &measured[i], err);
    if (status) return status;
    if (!bench->json) {
        print_all(bench, counts, measured, used, spread_bytes);
        return OK;
    }
    printf("{");
    for (int i = 0; i < used; i++)
        printf("\"overhead.%d\": %.3f, \"visit.%d\": %.3f, ", counts[i], measured[i].overhead_us,
               counts[i], measured[i].visit_us);
    if (used > 1) printf("\"speedup.%d\": %.2f, ", counts[1], speedup(measured));
    for (int i = 0; i < SPREADS; i++)
        printf("\"distribution.%s\": %zu, ", SPREAD_KINDS[i].name, spread_bytes[i]);
    printf("\"node\": %.1f, \"signature\": \"%016llx\"}\n", measured[0].node_bytes,
           (unsigned long long)measured[0].signature);
    return OK;
}

int bench_search(int argc, char **argv) {
    BenchSearch bench = {.size = 9, .threads = thread_processors(), .leaves = 1, .visits = 800};
    const Option options[] = {
        {"size", OPTION_INT, &bench.size, 2, 19, "N", "board size (default 9)"},
        {"visits", OPTION_NUMBER, &bench.visits, 2, 1e7, "N",
         "visits of each search (default 800)"},
        {"threads", OPTION_INT, &bench.threads, 1, SEARCH_THREADS_MAX, "N",
         "threads on one tree, compared with one thread (default: one per processor)"},
        {"leaves", OPTION_INT, &bench.leaves, 1, SEARCH_LEAVES_MAX, "N",
         "leaves that a thread evaluates at once in large trees: search.leaves (default 1)"},
        {"seconds", OPTION_NUMBER, &bench.seconds, 0.001, 3600, "S",
         "seconds that each number of threads is measured (default: 5 searches)"},
        {"play", OPTION_FLAG, &bench.play, 0, 0, NULL,
         "use the settings of play instead of those of self-play"},
        {"random", OPTION_FLAG, &bench.random, 0, 0, NULL,
         "use random priors instead of equal ones, which makes a deeper tree"},
        {"json", OPTION_FLAG, &bench.json, 0, 0, NULL, "print one JSON object"},
        {0}};
    const CommandUsage usage = {
        .name = "bench search",
        .synopsis = "aji bench search [--size N] [--visits N] [--threads N] [--play] [--random]",
        .summary = "measures time per visit and memory per node of the search, without the time of "
                   "the net",
        .options = options};
    const char *words[1];
    int word_count = 0;
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &word_count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    return command_end(usage.name, run(&bench, &err), &err);
}
