#include "cli/engine/analysis_nets.h"

#include <string.h>

#include "base/thread.h"
#include "build_info.h"
#include "cli/engine/session_net.h"
#include "eval/formats/net_file.h"
#include "search/tree/search_presets.h"

enum { DEFAULT_VISITS = 500 };

void analysis_nets_defaults(AnalysisNets *c, const char *command) {
    c->command = command;
    c->visits = -1;
    c->seconds = -1;
    settings_defaults(ANALYSIS_FIELDS, &c->setup.analysis);
    settings_defaults(ANALYSIS_ENGINE_FIELDS, &c->engine);
    move_limits_set(&c->setup.analysis.limits, DEFAULT_VISITS, 0);
    search_preset_begin(SEARCH_PRESET_ANALYSIS, &c->setup.search);
}

void analysis_nets_groups(AnalysisNets *c, SettingsGroup out[ANALYSIS_GROUPS]) {
    const SettingsGroup groups[] = {{"search", SEARCH_FIELDS, &c->setup.search},
                                    {"analysis", ANALYSIS_FIELDS, &c->setup.analysis},
                                    {"limits", MOVE_LIMIT_FIELDS, &c->setup.analysis.limits},
                                    {"engine", ANALYSIS_ENGINE_FIELDS, &c->engine},
                                    {0}};
    memcpy(out, groups, sizeof groups);
}

void analysis_nets_options(AnalysisNets *c, Option out[ANALYSIS_OPTIONS]) {
    const Option options[] = {
        {"net", OPTION_TEXT, &c->net_path, 0, 0, "FILE",
         "net: a file (.aji, KataGo's .bin.gz), the folder of a run, which stands for its best "
         "net, or \"uniform\"; without --net, the first argument names the net. If no "
         "net is named, Aji takes the net for the largest board from its folders of nets"},
        {"human-net", OPTION_TEXT, &c->human_path, 0, 0, "FILE",
         "second net that imitates people, for human policies and priors"},
        {"visits", OPTION_INT, &c->visits, 0, 1e9, "N",
         "visits of a position whose query sets none; 0: use only the time (default 500)"},
        {"time", OPTION_DURATION, &c->seconds, 0, 0, "TIME",
         "time of a position, such as 5s or 0.5 (seconds; default: no limit)"},
        {"threads", OPTION_INT, &c->engine.threads, 1, 4096, "N",
         "threads that search (default: one per processor)"},
        {"positions", OPTION_INT, &c->engine.positions, 0, 65536, "N",
         "positions searched at once, by all threads (default: one per thread)"},
    };
    memcpy(out, options, sizeof options);
}

static NetEvaluatorSetup net_config(const AnalysisNets *c, const EvaluatorSpec *spec) {
    bool plain = c->engine.symmetry < 0 && !c->engine.randomize;
    NetEvaluatorSetup config = {.batch = search_settings_batch(analysis_setup_places(&c->setup)),
                                .buffer_width = spec->width,
                                .buffer_height = spec->height,
                                .precision = PRECISION_AUTO,
                                .symmetry = plain ? 0 : c->engine.symmetry,
                                .seed = (uint64_t)c->engine.seed,
                                .ownership = true,
                                .features = FEATURE_OPTIONS_DEFAULT};
    if (config.symmetry >= 0)
        config.precision = PRECISION_F32; /* whoever fixes the symmetry compares numbers */
    else
        config.symmetry = SYMMETRY_BY_POSITION; /* the same query has the same answer */
    search_settings_evaluator(spec->search, &config);
    return config;
}

static Status make_human(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    const AnalysisNets *c = context;
    NetEvaluatorSetup config = net_config(c, spec);
    return evaluator_net_new(c->human, &config, out, err);
}

/* Any thread may call this, because any may be the first that evaluates a board of this size. */
static void warn_of_board(AnalysisNets *c, int width, int height) {
    if (!atomic_exchange_explicit(&c->warned[width][height], true, memory_order_relaxed))
        net_run_warn(&c->run, c->command, c->net_path, width, height);
}

static Status make_evaluator(void *context, const EvaluatorSpec *spec, Evaluator **out,
                             Error *err) {
    AnalysisNets *c = context;
    warn_of_board(c, spec->width, spec->height);
    NetEvaluatorSetup config = net_config(c, spec), usual = {0};
    if (!c->net) return evaluator_uniform_new(config.batch, out, err);
    search_settings_evaluator(&c->setup.search, &usual);
    Evaluator *inner;
    Status status = evaluator_net_new(c->net, &config, &inner, err);
    *out = inner;
    /* The key of the cache has the position and the options of a request, but not the settings of
     * the evaluator. So an evaluator whose settings a query changes must not use the cache. */
    bool same_profile = !c->model_format.metadata ||
                        strcmp(spec->search->human.profile, c->setup.search.human.profile) == 0;
    bool cached = same_profile && config.symmetries == usual.symmetries &&
                  config.policy_temperature == usual.policy_temperature;
    if (status || !c->cache || !cached) return status;
    return evaluator_cached_exact_new(inner, c->cache, out, err); /* takes `inner` */
}

int analysis_nets_threads(const AnalysisNets *c) {
    int threads = c->engine.threads ? c->engine.threads : thread_processors();
    bool fewer = c->engine.positions && c->engine.positions < threads;
    return fewer ? c->engine.positions : threads;
}

/* Divides the positions among the threads, and the memory of trees among the positions. */
static void divide_work(AnalysisNets *c) {
    int threads = analysis_nets_threads(c),
        positions = c->engine.positions ? c->engine.positions : threads;
    c->setup.threads = threads;
    c->setup.positions_at_once = (positions + threads - 1) / threads;
    int64_t *memory = &c->setup.search.tree_memory_mb;
    *memory /= (int64_t)threads * analysis_setup_places(&c->setup);
    if (*memory < 1) *memory = 1;
}

static Status load_net(AnalysisNets *c, const char *path, Net **net, ModelFormat *model_format,
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

static Status load_nets(AnalysisNets *c, Error *err) {
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

Status analysis_nets_load(AnalysisNets *c, Error *err) {
    MoveLimits *limits = &c->setup.analysis.limits;
    if (c->visits >= 0 || c->seconds >= 0)
        move_limits_set(limits, c->visits >= 0 ? c->visits : move_limits_visits(limits),
                        c->seconds >= 0 ? c->seconds : move_limits_seconds(limits));
    if (!move_limits_visits(limits) && move_limits_seconds(limits) <= 0 &&
        !param_limit(limits->max_playouts))
        return fail(err, ERR_ARGUMENT,
                    "searches have no limit: they need visits (--visits), a time (--time) or "
                    "limits.max_playouts");
    divide_work(c);
    Status found = OK;
    if (!c->net_path)
        found = session_net_default(c->command, 0, 0, &c->net_file, err);
    else if (c->net_path != c->net_file.text)
        found = net_run_file(c->command, c->net_path, &c->net_file, err);
    if (found) return found;
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

void analysis_nets_clear(AnalysisNets *c) {
    evaluation_cache_free(c->cache);
    net_free(c->net);
    net_free(c->human);
}
