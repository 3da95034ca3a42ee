/* bench_selfplay.c - `aji bench selfplay`: how many evaluations, moves and games self-play makes.
 * As in a run, workers on all processors share one net and one cache. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/options/options.h"
#include "base/plural.h"
#include "base/statistic.h"
#include "base/thread.h"
#include "cli/bench.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "eval/arch/arch.h"
#include "play/selfplay/selfplay.h"
#include "play/selfplay/selfplay_net.h"
#include "run/store/run_config.h"
#include "run/store/size_rules.h"

enum { REPEATS = 5, THREADS_MAX = 256 };

typedef struct {
    RunConfig config;
    SettingsGroup groups[RUN_GROUPS];
    const char *net, *arch, *precision;
    int size, threads;
    double seconds, warmup;
    bool json;
} BenchSelfplay;

typedef struct {
    SelfplayWorker *worker;
    Evaluator *evaluator;
    int64_t games, moves;
    double evaluations; /* per second, in the last window */
    Error error;
} Player;

typedef struct {
    Player *players;
    EvaluationCache *cache;
    Net *net, *player_net;
    double window; /* seconds of one measurement */
} Workers;

typedef struct {
    double evaluations, min; /* per second: median and minimum of the windows */
    double games, moves;     /* finished games per hour; mean moves of such a game */
    bool int8;               /* the net runs in int8 */
    double hits;             /* fraction of evaluations that came from the cache */
} Measured;

static void on_game(void *context, GameRecord *record) {
    Player *player = context;
    player->games++;
    player->moves += (int64_t)record->turn_count;
}

static void play_window(void *argument, int index) {
    const Workers *workers = argument;
    Player *player = &workers->players[index];
    int64_t before = player->evaluator->evaluations;
    double start = clock_seconds(), spent = 0;
    while (spent < workers->window) {
        if (selfplay_worker_step(player->worker, &player->error)) return;
        spent = clock_seconds() - start;
    }
    player->evaluations = (double)(player->evaluator->evaluations - before) / spent;
}

static Status make_player(const BenchSelfplay *bench, const Workers *workers, int index, int side,
                          Error *err) {
    Player *player = &workers->players[index];
    const SelfplayEvaluatorSetup config = {.net = workers->player_net ? workers->player_net
                                                                      : workers->net,
                                           .cache = workers->cache,
                                           .precision = (Precision)bench->config.run.precision,
                                           .batch = bench->config.selfplay.games_at_once,
                                           .board_size = side,
                                           .seed = (uint64_t)index + 1,
                                           .search = &bench->config.search};
    const SelfplayWorkerSetup setup = {.settings = &bench->config.selfplay,
                                       .rows = -1,
                                       .search = &bench->config.search,
                                       .surprise = &bench->config.surprise,
                                       .seed = (uint64_t)index + 1,
                                       .on_game = on_game,
                                       .context = player};
    Status status = selfplay_evaluator_new(&config, &player->evaluator, err);
    return status ? status
                  : selfplay_worker_new(&setup, player->evaluator, "bench", &player->worker, err);
}

static Status play(const BenchSelfplay *bench, Workers *workers, double window, Error *err) {
    workers->window = window;
    Status status = thread_parallel(bench->threads, play_window, workers, err);
    for (int t = 0; t < bench->threads && !status; t++) {
        const Error *fault = &workers->players[t].error;
        if (fault->status) status = fail(err, fault->status, "%s", fault->message);
    }
    return status;
}

static Status measure(const BenchSelfplay *bench, Workers *workers, Measured *out, Error *err) {
    double rates[REPEATS] = {0};
    int64_t games = 0, moves = 0;
    Status status = play(bench, workers, bench->warmup, err);
    for (int t = 0; t < bench->threads; t++) {
        games -= workers->players[t].games;
        moves -= workers->players[t].moves;
    }
    int64_t hits = evaluation_cache_hits(workers->cache),
            lookups = evaluation_cache_lookups(workers->cache);
    double start = clock_seconds();
    for (int r = 0; r < REPEATS && !status; r++) {
        status = play(bench, workers, bench->seconds / REPEATS, err);
        for (int t = 0; t < bench->threads; t++)
            rates[r] += workers->players[t].evaluations;
    }
    double seconds = clock_seconds() - start;
    for (int t = 0; t < bench->threads; t++) {
        games += workers->players[t].games;
        moves += workers->players[t].moves;
    }
    hits = evaluation_cache_hits(workers->cache) - hits;
    lookups = evaluation_cache_lookups(workers->cache) - lookups;
    out->evaluations = median(rates, REPEATS);
    out->min = rates[0]; /* median() has sorted them */
    out->games = (double)games * 3600 / seconds;
    out->moves = games ? (double)moves / (double)games : 0;
    out->hits = lookups ? (double)hits / (double)lookups : 0;
    return status;
}

static void print_results(const BenchSelfplay *bench, const Measured *m) {
    if (bench->json) {
        printf("{\"evaluations\": %.1f, \"evaluations.minimum\": %.1f, \"games\": %.1f, \"moves\": "
               "%.1f, \"cached\": %.4f}\n",
               m->evaluations, m->min, m->games, m->moves, m->hits);
        return;
    }
    printf(
        "%s, %s, full searches of %d visits, cheap searches of %d visits, %d thread%s of %d games, "
        "%s\n",
        bench->net ? bench->net : bench->arch, bench->config.selfplay.sizes,
        bench->config.selfplay.full.visits, bench->config.selfplay.cheap.visits, bench->threads,
        plural_ending(bench->threads), bench->config.selfplay.games_at_once,
        m->int8 ? "int8" : precision_name((Precision)bench->config.run.precision));
    printf("%14s %14s %14s %14s %10s\n", "median 1/s", "minimum 1/s", "games 1/h", "moves a game",
           "cached");
    printf("%14.0f %14.0f %14.0f %14.1f %9.1f%%\n", m->evaluations, m->min, m->games, m->moves,
           100 * m->hits);
    printf("evaluations %.1f 1/s\nevaluations.minimum %.1f 1/s\ngames %.1f 1/h\n", m->evaluations,
           m->min, m->games);
}

static Status load_net(const BenchSelfplay *bench, Workers *workers, Measured *out, Error *err) {
    Rng rng = rng_seeded(1);
    Comparison report = {0};
    Precision precision = (Precision)bench->config.run.precision;
    Status status = bench->net ? net_run_load("bench selfplay", bench->net, &workers->net, err)
                               : arch_build_text(bench->arch, &rng, &workers->net, err);
    if (status == ERR_SYNTAX && !bench->net)
        status = ERR_ARGUMENT; /* --arch is at fault, not a file */
    const SelfplayNetSetup setup = {.precision = precision,
                                    .settings = &bench->config.selfplay,
                                    .threads = bench->threads,
                                    .seed = 1};
    if (!status)
        status = selfplay_net_new(workers->net, &setup, &report, &workers->player_net, err);
    out->int8 = selfplay_net_is_int8(workers->player_net, precision, &report);
    return status;
}

/* Applies the file of settings and --size. */
static Status read_settings(BenchSelfplay *bench, const char *file, Error *err) {
    char text[64];
    Status status = file ? settings_load(bench->groups, file, err) : OK;
    if (status || !bench->size) return status;
    snprintf(text, sizeof text, "selfplay.sizes=%d:1", bench->size);
    return settings_assign(bench->groups, text, err);
}

static Status apply_precision(BenchSelfplay *bench, Error *err) {
    if (bench->precision) {
        Precision precision;
        if (precision_parse(bench->precision, &precision, err))
            return fail_within(err, ERR_ARGUMENT, "--precision");
        bench->config.run.precision = (int)precision;
    }
    return OK;
}

static Status run(BenchSelfplay *bench, Error *err) {
    Workers workers = {0};
    Measured measured = {0};
    int side; /* of the largest board */
    Status status = apply_precision(bench, err);
    if (!status) status = selfplay_max_board_size(&bench->config.selfplay, &side, err);
    if (status) return status;
    status = load_net(bench, &workers, &measured, err);
    if (!status)
        status = mem_new((size_t)bench->threads, sizeof *workers.players, &workers.players, err);
    if (!status)
        status = evaluation_cache_new(bench->config.run.cache_mb << 20, &workers.cache, err);
    for (int t = 0; t < bench->threads && !status; t++)
        status = make_player(bench, &workers, t, side, err);
    if (!status) status = measure(bench, &workers, &measured, err);
    if (!status) print_results(bench, &measured);
    for (int t = 0; workers.players && t < bench->threads; t++) {
        selfplay_worker_free(workers.players[t].worker);
        evaluator_free(workers.players[t].evaluator);
    }
    free(workers.players);
    evaluation_cache_free(workers.cache);
    net_free(workers.player_net);
    net_free(workers.net);
    return status;
}

int bench_selfplay(int argc, char **argv) {
    static BenchSelfplay bench;
    bench = (BenchSelfplay){
        .arch = "b4c32-fixup-nodist", .threads = thread_processors(), .seconds = 10, .warmup = 5};
    run_config_defaults(&bench.config);
    run_config_groups(&bench.config, bench.groups);
    const Option options[] = {
        {"net", OPTION_TEXT, &bench.net, 0, 0, "FILE",
         "net that plays (default: one of --arch with random weights)"},
        {"arch", OPTION_TEXT, &bench.arch, 0, 0, "TEXT",
         "architecture of a random net (default b4c32-fixup-nodist)"},
        {"size", OPTION_INT, &bench.size, 2, 19, "N",
         "board size, instead of selfplay.sizes (default 7)"},
        {"threads", OPTION_INT, &bench.threads, 1, THREADS_MAX, "N",
         "threads, each with a worker (default: one per processor)"},
        {"seconds", OPTION_NUMBER, &bench.seconds, 0.1, 86400, "S",
         "seconds of measuring (default 10); only games that end in this time count"},
        {"warmup", OPTION_NUMBER, &bench.warmup, 0, 86400, "S",
         "seconds of play before measuring, because all games begin at once (default 5)"},
        {"precision", OPTION_TEXT, &bench.precision, 0, 0, "P",
         "f32, bf16, int8 or auto, instead of run.precision"},
        {"json", OPTION_FLAG, &bench.json, 0, 0, NULL, "print one JSON object"},
        {0}};
    const CommandUsage usage = {
        .name = "bench selfplay",
        .synopsis =
            "aji bench selfplay [FILE.cfg] [--net FILE | --arch TEXT] [--size N] [--set KEY=VALUE]",
        .summary = "measures self-play as in a run, but without training",
        .options = options,
        .settings = bench.groups,
        .max_words = 1};
    const char *words[1];
    int word_count = 0;
    Error err = {0};
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &word_count);
    /* The call of options_parse() above has found FILE.cfg and --help. The loop reads FILE.cfg and
     * the options twice more, as for a new run. Its first pass finds the board sizes. Then
     * size_rules_defaults() sets the defaults that depend on the board sizes, and the second pass
     * overrides these defaults. */
    for (int pass = 0; pass < 2 && parsed == OPTIONS_RUN; pass++) {
        Status status = pass ? size_rules_defaults(&bench.config, &err) : OK;
        if (!status) status = read_settings(&bench, word_count ? words[0] : NULL, &err);
        if (status) {
            fprintf(stderr, "aji bench selfplay: %s\n", err.message);
            return 2;
        }
        parsed = options_parse(&usage, argc, argv, words, &word_count);
    }
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    return command_end(usage.name, run(&bench, &err), &err);
}
