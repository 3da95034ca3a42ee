/* aji bench search - what the tree costs: time a visit and memory a node with an evaluator that
 * costs next to nothing, whose own time is measured apart and taken out. */
#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/statistic.h"
#include "base/thread.h"
#include "cli/bench.h"
#include "eval/evaluator.h"
#include "search/driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 5, MOST_THREADS = 256 };

typedef struct {
    int size, threads;
    double visits;
    bool json, play, random;
} BenchSearch;

/* An evaluator that asks another and keeps its clock. */
typedef struct {
    Evaluator base;
    Evaluator *inner;
    int64_t spent_ns;
} Timed;

static Status timed_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                             Evaluation *out, Error *err) {
    Timed *timed = (Timed *)evaluator;
    int64_t start = clock_now_ns();
    Status status = evaluator_evaluate(timed->inner, requests, count, out, err);
    timed->spent_ns += clock_now_ns() - start;
    return status;
}

static const EvaluatorClass TIMED = {"timed", timed_evaluate, NULL};

typedef struct {
    const BenchSearch *bench;
    double overhead_us, visit_us; /* medians */
    double node_bytes;
    uint64_t signature;
    Status status;
    Error err;
} Measured;

/* One search from the empty board; visits of the root and time without the evaluator. */
static Status search_once(const BenchSearch *bench, Search *search, Driver *driver, Timed *timed,
                          double *overhead_us, double *visit_us, Error *err) {
    Rules rules = rules_tromp_taylor();
    Position position = {0};
    Status status = position_init(&position, bench->size, bench->size, &rules, err);
    if (!status) status = search_set_position(search, &position, err);
    position_clear(&position);
    if (status) return status;
    search_begin(search, &(SearchLimits){.visits = (int64_t)bench->visits});
    timed->spent_ns = 0;
    int64_t start = clock_now_ns();
    status = driver_run(driver, search, &(DriverRun){.leaves_at_once = 1}, err);
    int64_t spent = clock_now_ns() - start;
    double visits = (double)search_root_visits(search);
    *visit_us = (double)spent * 1e-3 / visits;
    *overhead_us = (double)(spent - timed->spent_ns) * 1e-3 / visits;
    return status;
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

static Status measure(Measured *out, Error *err) {
    const BenchSearch *bench = out->bench;
    Timed timed = {.base = {&TIMED, 1, 0}};
    SearchSettings settings;
    Search *search = NULL;
    Driver *driver = NULL;
    double overheads[REPEATS], visits[REPEATS], ignored;
    int64_t nodes = 0;
    if (bench->play)
        search_settings_play(&settings);
    else
        search_settings_selfplay(&settings);
    settings.tree_memory_mb = 4096;
    Status status = bench->random ? evaluator_random_new(1, 1, &timed.inner, err)
                                  : evaluator_uniform_new(1, &timed.inner, err);
    if (!status) status = search_new(&settings, 1, &search, err);
    if (!status) status = driver_new(&timed.base, &driver, err);
    if (!status) status = search_once(bench, search, driver, &timed, &ignored, &ignored, err);
    for (int i = 0; i < REPEATS && !status; i++)
        status = search_once(bench, search, driver, &timed, &overheads[i], &visits[i], err);
    if (!status) {
        size_t bytes = search_node_bytes(search, &nodes);
        out->node_bytes = (double)bytes / (double)nodes;
        out->overhead_us = median(overheads, REPEATS);
        out->visit_us = median(visits, REPEATS);
        out->signature = signature_of(search);
    }
    driver_free(driver);
    search_free(search);
    evaluator_free(timed.inner);
    return status;
}

static void measure_one(void *context, int index) {
    Measured *measured = (Measured *)context + index;
    measured->status = measure(measured, &measured->err);
}

/* The mean over `threads` searches at once, each on a thread of its own. */
static Status measure_threads(const BenchSearch *bench, int threads, Measured *out, Error *err) {
    Measured *all;
    Status status = mem_new((size_t)threads, sizeof *all, &all, err);
    if (status) return status;
    for (int i = 0; i < threads; i++)
        all[i].bench = bench;
    status = thread_parallel(threads, measure_one, all, err);
    *out =
        (Measured){.bench = bench, .node_bytes = all[0].node_bytes, .signature = all[0].signature};
    for (int i = 0; i < threads && !status; i++) {
        if (all[i].status) status = fail(err, all[i].status, "%s", all[i].err.message);
        out->overhead_us += all[i].overhead_us / threads;
        out->visit_us += all[i].visit_us / threads;
    }
    free(all);
    return status;
}

static Status run(const BenchSearch *bench, Error *err) {
    int counts[2] = {1, bench->threads}, used = bench->threads > 1 ? 2 : 1;
    Measured measured[2];
    for (int i = 0; i < used; i++) {
        Status status = measure_threads(bench, counts[i], &measured[i], err);
        if (status) return status;
    }
    if (bench->json) {
        printf("{");
        for (int i = 0; i < used; i++)
            printf("\"overhead.%d\": %.3f, ", counts[i], measured[i].overhead_us);
        printf("\"node\": %.1f, \"signature\": \"%016llx\"}\n", measured[0].node_bytes,
               (unsigned long long)measured[0].signature);
        return OK;
    }
    printf("search on %dx%d, %.0f visits, settings of %s, %s evaluator\n", bench->size, bench->size,
           bench->visits, bench->play ? "play" : "self-play", bench->random ? "random" : "uniform");
    printf("%-8s %18s %18s %12s\n", "threads", "overhead us/visit", "in all us/visit",
           "node bytes");
    for (int i = 0; i < used; i++)
        printf("%-8d %18.3f %18.3f %12.1f\n", counts[i], measured[i].overhead_us,
               measured[i].visit_us, measured[i].node_bytes);
    for (int i = 0; i < used; i++)
        printf("overhead.%d %.3f us\n", counts[i], measured[i].overhead_us);
    printf("node %.1f bytes\n", measured[0].node_bytes);
    printf("signature %016llx hash\n", (unsigned long long)measured[0].signature);
    return OK;
}

int bench_search(int argc, char **argv) {
    BenchSearch bench = {.size = 9, .threads = thread_processors(), .visits = 800};
    const Option options[] = {
        {"size", OPTION_INT, &bench.size, 2, 19, "N", "board size"},
        {"visits", OPTION_NUMBER, &bench.visits, 2, 1e7, "N", "of each search"},
        {"threads", OPTION_INT, &bench.threads, 1, MOST_THREADS, "N",
         "searches at once, each on its own thread; default: the processors"},
        {"play", OPTION_FLAG, &bench.play, 0, 0, NULL, "settings of play instead of self-play"},
        {"random", OPTION_FLAG, &bench.random, 0, 0, NULL,
         "random priors instead of equal ones: a deeper tree"},
        {"json", OPTION_FLAG, &bench.json, 0, 0, NULL, "all numbers as one JSON object"},
        {0}};
    const CommandUsage usage = {
        .name = "bench search",
        .synopsis = "aji bench search [--size N] [--visits N] [--threads N] [--play] [--random]",
        .summary = "time a visit and memory a node of the search, net cost taken out",
        .options = options};
    const char *words[1];
    int word_count = 0;
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &word_count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    if (!run(&bench, &err)) return 0;
    fprintf(stderr, "aji bench search: %s\n", err.message);
    return 1;
}
