#include "base/options.h"
#include "build_info.h"
#include "cli/commands.h"
#include "eval/meaning.h"
#include "eval/net_file.h"
#include "protocol/gtp.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern const char cmd_gtp_summary[];
int cmd_gtp(int argc, char **argv);
const char cmd_gtp_summary[] = "speaks the Go Text Protocol, for Sabaki, GoGui, other programs";

enum { LEAVES_AT_ONCE = 4, VISITS_USUAL = 200 };

typedef struct {
    const char *path, *human_path, *rules, *precision_text;
    Precision precision;
    int visits; /* -1: not given */
    int seed, size, tree_memory_mb;
    double seconds, komi;
    bool ponder;
    SessionSetup setup;
    Net *net, *human; /* NULL: the uniform evaluator; none */
} Engine;

static Status make_net(const Engine *engine, const Net *net, const EvaluatorWish *wish,
                       Evaluator **out, Error *err) {
    NetEvaluatorConfig config = {.batch = LEAVES_AT_ONCE,
                                 .buffer_width = wish->width,
                                 .buffer_height = wish->height,
                                 .precision =
                                     wish->symmetry < 0 ? engine->precision : PRECISION_F32,
                                 .symmetry = wish->symmetry,
                                 .seed = (uint64_t)engine->seed,
                                 .ownership = true,
                                 .features = FEATURE_OPTIONS_DEFAULT};
    search_settings_evaluator(wish->search, &config);
    if (wish->symmetry >= 0) config.symmetries = 0;
    return evaluator_net_new(net, &config, out, err);
}

static Status make_human(void *context, const EvaluatorWish *wish, Evaluator **out, Error *err) {
    const Engine *engine = context;
    return make_net(engine, engine->human, wish, out, err);
}

static Status make_evaluator(void *context, const EvaluatorWish *wish, Evaluator **out,
                             Error *err) {
    const Engine *engine = context;
    Evaluator *first = NULL, *human = NULL;
    *out = NULL;
    Status status = engine->net ? make_net(engine, engine->net, wish, &first, err)
                                : evaluator_uniform_new(LEAVES_AT_ONCE, &first, err);
    if (status || !engine->human || !*wish->search->human_profile) {
        *out = first;
        return status;
    }
    status = make_human(context, wish, &human, err);
    if (!status) status = evaluator_human_new(first, human, out, err);
    if (status) {
        evaluator_free(first);
        evaluator_free(human);
    }
    return status;
}

static Status load_human(Engine *engine, Error *err) {
    NetMeaning meaning;
    if (!engine->human_path) return OK;
    engine->setup.make_human = make_human;
    Status status = net_file_load(engine->human_path, &engine->human, err);
    if (!status) status = meaning_of(engine->human, &meaning, err);
    if (!status && !meaning.metadata)
        return fail(err, ERR_ARGUMENT,
                    "--human-net %s is no net of human play: nobody tells it who plays",
                    engine->human_path);
    return status;
}

/* What the options say, into the session's setup. */
static Status prepare(Engine *engine, Error *err) {
    SessionSetup *setup = &engine->setup;
    if (!engine->path)
        return fail(err, ERR_ARGUMENT, "--net FILE is needed (a net of a run: RUN/nets/*.aji)");
    if (!engine->visits && engine->seconds <= 0)
        return fail(err, ERR_ARGUMENT, "without --visits, --time is needed");
    if (rules_parse(engine->rules, &setup->rules, err)) return ERR_ARGUMENT;
    if (strcmp(engine->path, "uniform") != 0) {
        Status status = net_file_load(engine->path, &engine->net, err);
        if (status) return status;
        setup->net_name = engine->path;
    }
    if (precision_parse(engine->precision_text, &engine->precision, err)) return ERR_ARGUMENT;
    if (load_human(engine, err)) return ERR_ARGUMENT;
    setup->visits_without_clock = engine->visits < 0;
    setup->visits = engine->visits < 0 ? VISITS_USUAL : engine->visits;
    setup->seconds = engine->seconds;
    if (engine->ponder) setup->time.ponder = true;
    if (engine->tree_memory_mb) setup->search.tree_memory_mb = engine->tree_memory_mb;
    setup->rules.komi = (float)engine->komi;
    setup->make_evaluator = make_evaluator;
    setup->context = engine;
    setup->seed = (uint64_t)engine->seed;
    setup->width = setup->height = engine->size;
    return OK;
}

static Status serve(const Engine *engine, Error *err) {
    Gtp *gtp;
    Status status = gtp_new(&engine->setup, BUILD_VERSION, &gtp, err);
    if (status) return status;
    if (engine->net)
        fprintf(stderr, "aji gtp: %s, %lld numbers; ready\n", engine->path,
                (long long)net_parameter_total(engine->net));
    status = gtp_serve(gtp, STDIN_FILENO, stdout, err);
    gtp_free(gtp);
    return status;
}

int cmd_gtp(int argc, char **argv) {
    Engine engine = {.rules = "tromp-taylor",
                     .precision_text = "auto",
                     .visits = -1,
                     .seed = 1,
                     .size = 19,
                     .komi = 7.5,
                     .setup = {.leaves_at_once = 1}};
    const SettingsGroup groups[] = {{"search", SEARCH_FIELDS, &engine.setup.search},
                                    {"time", TIME_FIELDS, &engine.setup.time},
                                    {"resign", RESIGN_FIELDS, &engine.setup.resign},
                                    {0}};
    search_settings_people(&engine.setup.search);
    settings_defaults(TIME_FIELDS, &engine.setup.time);
    settings_defaults(RESIGN_FIELDS, &engine.setup.resign);
    const Option options[] = {
        {"net", OPTION_TEXT, &engine.path, 0, 0, "FILE",
         "the net (.aji, or KataGo's .bin.gz), or uniform"},
        {"human-net", OPTION_TEXT, &engine.human_path, 0, 0, "FILE",
         "a second net, of human play, for the settings search.human_*"},
        {"visits", OPTION_INT, &engine.visits, 0, 1e9, "N",
         "visits of a move; 0: by time only; default 200 where the client tells of no clock"},
        {"time", OPTION_DURATION, &engine.seconds, 0, 0, "TIME",
         "of a move, as in 5s or 0.5; default: no limit"},
        {"threads", OPTION_INT, &engine.setup.threads, 1, SEARCH_THREADS_MOST, "N",
         "threads on the tree; default 1"},
        {"ponder", OPTION_FLAG, &engine.ponder, 0, 0, NULL, "think while the opponent does"},
        {"tree-memory", OPTION_INT, &engine.tree_memory_mb, 1, 1 << 24, "MB",
         "memory that the tree may take; default 4096"},
        {"size", OPTION_INT, &engine.size, 2, 19, "N",
         "board before the first boardsize; default 19"},
        {"rules", OPTION_TEXT, &engine.rules, 0, 0, "RULES", "default tromp-taylor"},
        {"komi", OPTION_NUMBER, &engine.komi, -400, 400, "K", "default 7.5"},
        {"seed", OPTION_INT, &engine.seed, 0, 2e9, "N", "of choices among equal moves; default 1"},
        {"precision", OPTION_TEXT, &engine.precision_text, 0, 0, "P",
         "f32, bf16, int8 (of a net that `aji net quantize` made) or auto: the fastest that the "
         "processor has and the net's report lets pass; default auto"},
        {0},
    };
    const CommandUsage usage = {
        .name = "gtp",
        .synopsis = "aji gtp --net FILE [--visits N] [--time TIME] [--threads N] [--ponder]",
        .summary = cmd_gtp_summary,
        .options = options,
        .settings = groups};
    OptionsResult parsed = options_parse(&usage, argc, argv, NULL, NULL);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    Status status = prepare(&engine, &err);
    if (!status) status = serve(&engine, &err);
    net_free(engine.net);
    net_free(engine.human);
    return command_end(usage.name, status, &err);
}
