#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/thread.h"
#include "build_info.h"
#include "cli/commands.h"
#include "cli/engine_command.h"
#include "cli/net_run.h"
#include "eval/formats/net_file.h"
#include "protocol/analysis/analysis.h"
#include "search/tree/search_presets.h"

extern const char cmd_analysis_summary[];
int cmd_analysis(int argc, char **argv);
const char cmd_analysis_summary[] =
    "answers queries in KataGo's JSON about many positions at once, for KaTrain and others";

static const char DETAILS[] =
    "It reads one query per line on stdin and writes one answer per line on stdout;\n"
    "docs/ANALYSIS.md describes the fields.\n"
    "Programs that start KataGo may use its options: -model FILE, -human-model FILE, -config "
    "FILE,\n"
    "-override-config K=V,K=V, -analysis-threads N and -quit-without-waiting. Keys of its configs\n"
    "that have no meaning here are reported on stderr.\n"
    "  echo '{\"id\":\"a\",\"moves\":[[\"B\",\"D4\"]],\"rules\":\"chinese\",\"boardXSize\":19,"
    "\"boardYSize\":19}' |\n"
    "    aji analysis --net FILE --visits 100";

enum { DEFAULT_VISITS = 500 };

static const KatagoOption KATAGO_OPTIONS[] = {
    {"-model", "--net"},
    {"-human-model", "--human-net"},
    {"-analysis-threads", "--positions"},
    {"-quit-without-waiting", "--quit-without-waiting"},
    {"-config", KATAGO_CONFIG},
    {"-override-config", KATAGO_OVERRIDE},
    {0},
};

typedef struct {
    const char *net_path, *human_path;
    Path net_file;  /* after prepare(), `net_path` is its text */
    int visits;     /* -1 if not given */
    double seconds; /* -1 if not given */
    bool quits;     /* --quit-without-waiting */
    AnalysisEngineSettings engine;
    AnalysisSetup setup;
    Net *net, *human; /* `net` is NULL for the uniform evaluator; `human` may be NULL */
    EvaluationCache *cache;
    ModelFormat model_format;
    AnalysisModel models[2];
    NetRun run;
    /* [width][height]: whether warn_of_board() was already called for this board. */
    atomic_bool warned[BOARD_SIDE_MAX + 1][BOARD_SIDE_MAX + 1];
} Engine;

static NetEvaluatorSetup net_config(const Engine *c, const EvaluatorSpec *spec) {
    bool plain = c->engine.symmetry < 0 && !c->engine.randomize;
    NetEvaluatorSetup config = {.batch = search_settings_batch(c->setup.positions_at_once),
                                .buffer_width = spec->width,
                                .buffer_height = spec->height,
                                .precision = PRECISION_AUTO,
                                .symmetry = plain ? 0 : c->engine.symmetry,
                                .seed = (uint64_t)c->engine.seed,
                                .ownership = true,
                                .features = FEATURE_OPTIONS_DEFAULT};
    if (config.symmetry >= 0)
        config.precision = PRECISION_F32; /* a fixed symmetry is for comparing numbers */
    else
        config.symmetry = SYMMETRY_BY_POSITION; /* the same query has the same answer */
    search_settings_evaluator(spec->search, &config);
    return config;
}

static Status make_human(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    const Engine *c = context;
    NetEvaluatorSetup config = net_config(c, spec);
    return evaluator_net_new(c->human, &config, out, err);
}

/* Any thread may call this, because any may be the first that evaluates a board of this size. */
static void warn_of_board(Engine *c, int width, int height) {
    if (!atomic_exchange_explicit(&c->warned[width][height], true, memory_order_relaxed))
        net_run_warn(&c->run, "analysis", c->net_path, width, height);
}

static Status make_evaluator(void *context, const EvaluatorSpec *spec, Evaluator **out,
                             Error *err) {
    Engine *c = context;
    warn_of_board(c, spec->width, spec->height);
    NetEvaluatorSetup config = net_config(c, spec), usual = {0};
    if (!c->net) return evaluator_uniform_new(config.batch, out, err);
    search_settings_evaluator(&c->setup.search, &usual);
    Evaluator *inner;
    Status status = evaluator_net_new(c->net, &config, &inner, err);
    *out = inner;
    /* The key of the cache has the position and the options of a request, but not the settings of
     * the evaluator. So an evaluator whose settings a query changes must not use it. */
    bool same_profile = !c->model_format.metadata ||
                        strcmp(spec->search->human.profile, c->setup.search.human.profile) == 0;
    bool cached = same_profile && config.symmetries == usual.symmetries &&
                  config.policy_temperature == usual.policy_temperature;
    if (status || !c->cache || !cached) return status;
    status = evaluator_cached_exact_new(inner, c->cache, out, err);
    if (status) evaluator_free(inner);
    return status;
}

/* Divides the positions among the threads, and the memory of trees among the positions. */
static void divide_work(Engine *c) {
    int threads = c->engine.threads ? c->engine.threads : thread_processors(),
        positions = c->engine.positions ? c->engine.positions : threads;
    if (threads > positions) threads = positions;
    c->setup.threads = threads;
    c->setup.positions_at_once = (positions + threads - 1) / threads;
    int64_t *memory = &c->setup.search.tree_memory_mb;
    *memory /= (int64_t)threads * c->setup.positions_at_once;
    if (*memory < 1) *memory = 1;
}

static Status load_net(Engine *c, const char *path, Net **net, ModelFormat *model_format,
                       Error *err) {
    Status status = net_file_load(path, net, err);
    if (!status) status = model_format_of(*net, model_format, err);
    if (status) return status;
    const char *name = net_note(*net, "name");
    c->models[c->setup.model_count++] = (AnalysisModel){.path = path,
                                                        .name = name ? name : path,
                                                        .version = model_format->version,
                                                        .human = model_format->metadata,
                                                        .half_precision = "auto"};
    return OK;
}

static Status load_nets(Engine *c, Error *err) {
    ModelFormat model_format;
    c->setup.models = c->models;
    if (strcmp(c->net_path, "uniform") != 0) {
        Status status = load_net(c, c->net_path, &c->net, &c->model_format, err);
        if (status) return status;
        c->setup.model_format = &c->model_format;
    }
    if (!c->human_path) return OK;
    c->setup.make_human = make_human;
    Status status = load_net(c, c->human_path, &c->human, &model_format, err);
    if (status || model_format.metadata) return status;
    return fail(err, ERR_ARGUMENT,
                "--human-net %s is not a net of human play: it is not conditioned on players",
                c->human_path);
}

static Status prepare(Engine *c, Error *err) {
    MoveLimits *limits = &c->setup.analysis.limits;
    if (!c->net_path)
        return fail(err, ERR_ARGUMENT,
                    "a net is missing: aji analysis FILE, or a run's folder for its best net");
    if (c->visits >= 0 || c->seconds >= 0)
        move_limits_set(limits, c->visits >= 0 ? c->visits : move_limits_visits(limits),
                        c->seconds >= 0 ? c->seconds : move_limits_seconds(limits));
    if (!move_limits_visits(limits) && move_limits_seconds(limits) <= 0)
        return fail(err, ERR_ARGUMENT, "--visits 0 needs a limit of time: --time");
    divide_work(c);
    if (net_run_file("analysis", c->net_path, &c->net_file, err)) return ERR_ARGUMENT;
    c->net_path = c->net_file.text;
    c->run = net_run_find(c->net_path);
    c->setup.make_evaluator = make_evaluator;
    c->setup.context = c;
    c->setup.version = BUILD_VERSION;
    c->setup.revision = BUILD_REVISION;
    c->setup.seed = c->engine.seed;
    c->setup.warn_unused = c->engine.warn_unused;
    Status status = OK;
    if (c->engine.cache_mb) status = evaluation_cache_new(c->engine.cache_mb << 20, &c->cache, err);
    c->setup.cache = c->cache;
    return status ? status : load_nets(c, err);
}

static Status serve(Engine *c, Error *err) {
    Analysis *analysis;
    Status status = analysis_new(&c->setup, &analysis, err);
    if (status) return status;
    fprintf(stderr, "aji analysis: %s, %d thread%s with %d position%s each; ready\n", c->net_path,
            c->setup.threads, c->setup.threads == 1 ? "" : "s", c->setup.positions_at_once,
            c->setup.positions_at_once == 1 ? "" : "s");
    status = analysis_serve(analysis, STDIN_FILENO, STDOUT_FILENO, !c->quits, err);
    analysis_free(analysis);
    return status;
}

int cmd_analysis(int argc, char **argv) {
    Engine c = {.visits = -1, .seconds = -1};
    const SettingsGroup groups[] = {{"search", SEARCH_FIELDS, &c.setup.search},
                                    {"analysis", ANALYSIS_FIELDS, &c.setup.analysis},
                                    {"limits", MOVE_LIMIT_FIELDS, &c.setup.analysis.limits},
                                    {"engine", ANALYSIS_ENGINE_FIELDS, &c.engine},
                                    {0}};
    const Option options[] = {
        {"net", OPTION_TEXT, &c.net_path, 0, 0, "FILE",
         "net (.aji, KataGo's .bin.gz, or the folder of a run, for its best net) or "
         "\"uniform\"; without --net, the first argument"},
        {"human-net", OPTION_TEXT, &c.human_path, 0, 0, "FILE",
         "second net that imitates people, for human policies and priors"},
        {"visits", OPTION_INT, &c.visits, 0, 1e9, "N",
         "visits of a position whose query sets none; 0: use time only (default 500)"},
        {"time", OPTION_DURATION, &c.seconds, 0, 0, "TIME",
         "time of a position, such as 5s or 0.5 (default: no limit)"},
        {"threads", OPTION_INT, &c.engine.threads, 1, 4096, "N",
         "threads that search (default: one per processor)"},
        {"positions", OPTION_INT, &c.engine.positions, 0, 65536, "N",
         "positions searched at once, by all threads (default: one per thread)"},
        {"quit-without-waiting", OPTION_FLAG, &c.quits, 0, 0, NULL,
         "at the end of the input, drop the queries that are not finished"},
        {0},
    };
    const CommandUsage usage = {.name = "analysis",
                                .synopsis = "aji analysis NET [--visits N] [--threads N]",
                                .summary = cmd_analysis_summary,
                                .details = DETAILS,
                                .options = options,
                                .settings = groups,
                                .max_words = 1};
    Error err = {0};
    settings_defaults(ANALYSIS_FIELDS, &c.setup.analysis);
    settings_defaults(ANALYSIS_ENGINE_FIELDS, &c.engine);
    move_limits_set(&c.setup.analysis.limits, DEFAULT_VISITS, 0);
    search_preset_begin(SEARCH_PRESET_ANALYSIS, &c.setup.search);
    int code = engine_command_parse(&usage, KATAGO_OPTIONS, argc, argv, &c.net_path);
    if (code >= 0) return code;
    Status status = prepare(&c, &err);
    if (!status) status = serve(&c, &err);
    if (status && status != ERR_STOPPED) fprintf(stderr, "aji analysis: %s\n", err.message);
    evaluation_cache_free(c.cache);
    net_free(c.net);
    net_free(c.human);
    return command_code(status);
}
