#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/options/options.h"
#include "base/thread.h"
#include "build_info.h"
#include "cli/commands.h"
#include "cli/engine/engine_command.h"
#include "cli/engine/level_option.h"
#include "cli/engine/net_run.h"
#include "cli/engine/session_net.h"
#include "cli/engine/start_settings.h"
#include "eval/features/metadata.h"
#include "eval/features/model_format.h"
#include "eval/formats/net_file.h"
#include "protocol/gtp/gtp.h"
#include "protocol/session/sgf_shapes.h"
#include "search/result/level.h"
#include "search/tree/search_presets.h"

extern const char cmd_gtp_summary[];
int cmd_gtp(int argc, char **argv);
const char cmd_gtp_summary[] =
    "plays by the Go Text Protocol (GTP), for Sabaki, GoGui and other programs";

static const char DETAILS[] =
    "A program that starts KataGo can also start this command, with KataGo's options: -model FILE, "
    "-human-model FILE, -config FILE and -override-config K=V,K=V. Keys of KataGo's configs that "
    "have no meaning here are reported on stderr, with the reason.";

enum { DEFAULT_VISITS = 200 };

static const KatagoOption KATAGO_OPTIONS[] = {
    {"-model", "--net"},
    {"-human-model", "--human-net"},
    {"-config", KATAGO_CONFIG},
    {"-override-config", KATAGO_OVERRIDE},
    {0},
};

typedef struct {
    const char *path, *human_path, *rules, *precision_text;
    Path net_file; /* after prepare(), `path` is its text */
    StartSettings start;
    MoveLimits limits;
    PlayThreads play_threads;
    ShapeSettings shape_settings;
    RepeatTable shapes;
    Precision precision;
    int visits; /* -1 if not given */
    int seed, size, tree_memory_mb;
    double seconds, komi, strength; /* `strength` is NaN if it is not given */
    const char *level;              /* NULL if it is not given */
    bool ponder;
    SessionSetup setup;
    Net *net, *human; /* `net` is NULL for the uniform evaluator; `human` may be NULL */
    ModelFormat model_format;
    NetRun run;
    struct {
        int width, height;
    } warned; /* the last board for which warn_of_board() was called */
} Engine;

static Status make_net(const Engine *engine, const Net *net, const EvaluatorSpec *spec,
                       Evaluator **out, Error *err) {
    NetEvaluatorSetup config = {.batch = search_settings_batch(1),
                                .buffer_width = spec->width,
                                .buffer_height = spec->height,
                                .precision = spec->symmetry < 0 ? engine->precision : PRECISION_F32,
                                .symmetry = spec->symmetry,
                                .seed = (uint64_t)engine->seed,
                                .ownership = true,
                                .features = FEATURE_OPTIONS_DEFAULT};
    search_settings_evaluator(spec->search, &config);
    if (spec->symmetry >= 0) config.symmetries = 0;
    Status status = evaluator_net_new(net, &config, out, err);
    const char *path = net == engine->human ? engine->human_path : engine->path;
    return status ? fail_within(err, status, "%.200s", path) : OK;
}

static Status make_human(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    const Engine *engine = context;
    return make_net(engine, engine->human, spec, out, err);
}

/* Each thread makes an evaluator for the board, but one warning is enough. */
static void warn_of_board(Engine *engine, int width, int height) {
    if (engine->warned.width == width && engine->warned.height == height) return;
    engine->warned.width = width;
    engine->warned.height = height;
    net_run_warn(&engine->run, "gtp", engine->path, width, height);
}

static Status make_evaluator(void *context, const EvaluatorSpec *spec, Evaluator **out,
                             Error *err) {
    Engine *engine = context;
    Evaluator *first = NULL, *human = NULL;
    *out = NULL;
    warn_of_board(engine, spec->width, spec->height);
    Status status = engine->net ? make_net(engine, engine->net, spec, &first, err)
                                : evaluator_uniform_new(search_settings_batch(1), &first, err);
    if (status || !engine->human || !*spec->search->human.profile) {
        *out = first;
        return status;
    }
    status = make_human(context, spec, &human, err);
    if (!status) status = evaluator_human_new(first, human, out, err);
    if (status) {
        evaluator_free(first);
        evaluator_free(human);
    }
    return status;
}

static Status load_human(Engine *engine, Error *err) {
    ModelFormat model_format;
    if (!engine->human_path) return OK;
    engine->setup.make_human = make_human;
    Status status = net_file_load(engine->human_path, &engine->human, err);
    if (!status) status = model_format_of(engine->human, &model_format, err);
    if (!status && !model_format.metadata)
        return fail(err, ERR_ARGUMENT,
                    "--human-net %s is not a human net: its policy is not conditioned on a "
                    "player's profile",
                    engine->human_path);
    return status;
}

static Status load_shapes(Engine *engine, Error *err) {
    int games;
    Status status = sgf_shapes_read(&engine->shape_settings, &engine->shapes, &games, err);
    if (status || engine->shape_settings.utility == 0) return status;
    fprintf(stderr, "aji gtp: read %zu local shapes of stones from %d games\n",
            engine->shapes.count, games);
    engine->setup.shapes = &engine->shapes;
    return OK;
}

/* Flags override settings. If flags and settings set no limit, and there is no clock,
 * DEFAULT_VISITS limits a move. */
static void set_limits(Engine *engine) {
    SessionSetup *setup = &engine->setup;
    int64_t visits = move_limits_visits(&engine->limits);
    if (!isnan(engine->strength)) visits = level_set(engine->strength, &setup->search);
    double seconds = move_limits_seconds(&engine->limits);
    setup->playouts = param_limit(engine->limits.max_playouts);
    setup->seconds = engine->seconds > 0 ? engine->seconds : seconds;
    bool limited = engine->visits >= 0 || visits || setup->playouts || setup->seconds > 0;
    setup->visits_without_clock = !limited;
    setup->visits = engine->visits >= 0 ? engine->visits : limited ? visits : DEFAULT_VISITS;
}

/* Sets board, rules and komi until the client sets them. Board and rules come from the options,
 * else from the config, else from net_run_start(). The komi comes from --komi, else from
 * net_run_komi(). */
static Status set_start(Engine *engine, Error *err) {
    SessionSetup *setup = &engine->setup;
    int size = engine->size ? engine->size : engine->start.board_size;
    setup->rules = net_run_start(&engine->run, BOARD_SIDE_MAX, &setup->width, &setup->height);
    if (size == 1) return fail(err, ERR_ARGUMENT, "start.board_size: 1 is not within 2 to 19");
    if (size) setup->width = setup->height = size;
    if (engine->rules ? rules_parse(engine->rules, &setup->rules, err)
                      : start_rules(&engine->start, &setup->rules, err))
        return ERR_ARGUMENT;
    setup->rules.komi = isnan(engine->komi)
                            ? net_run_komi(&engine->run, setup->width, setup->height)
                            : (float)engine->komi;
    return OK;
}

/* Sets the strength of --level. */
static Status set_level(Engine *engine, Error *err) {
    const SessionSetup *setup = &engine->setup;
    Level level;
    if (!engine->level) return OK;
    if (!isnan(engine->strength))
        return fail(err, ERR_ARGUMENT, "--level and --strength exclude each other");
    Status status = level_option_find("gtp", engine->path, engine->level, setup->width,
                                      setup->height, &setup->rules, &level, err);
    if (!status) engine->strength = level.strength;
    return status;
}

/* Loads the nets and shapes, and fills in the session's setup from the options. */
static Status prepare(Engine *engine, Error *err) {
    SessionSetup *setup = &engine->setup;
    int size = engine->size ? engine->size : engine->start.board_size;
    Status status = engine->path ? net_run_file("gtp", engine->path, &engine->net_file, err)
                                 : session_net_default("gtp", size > 1 ? size : 0,
                                                       size > 1 ? size : 0, &engine->net_file, err);
    if (status) return status;
    engine->path = engine->net_file.text;
    engine->run = net_run_find(engine->path);
    if (set_start(engine, err) || set_level(engine, err)) return ERR_ARGUMENT;
    set_limits(engine);
    if (!setup->visits && !setup->playouts && setup->seconds <= 0)
        return fail(err, ERR_ARGUMENT, "--visits 0 needs a limit of time: --time");
    if (precision_parse(engine->precision_text, &engine->precision, err))
        return fail_within(err, ERR_ARGUMENT, "--precision");
    if (strcmp(engine->path, "uniform") != 0) {
        status = net_file_load(engine->path, &engine->net, err);
        if (!status) status = model_format_of(engine->net, &engine->model_format, err);
        if (status) return status;
        setup->net_name = engine->path;
        setup->net_title = net_note(engine->net, "name");
        setup->model_format = &engine->model_format;
    }
    status = load_human(engine, err);
    if (!status) status = load_shapes(engine, err);
    if (status) return status;
    if (!setup->threads) setup->threads = engine->play_threads.threads;
    GameMetadata player;
    if (*setup->search.human.profile && metadata_profile(setup->search.human.profile, &player, err))
        return fail_within(err, ERR_ARGUMENT, "search.human.profile");
    if (*setup->search.human.profile && !session_has_human_policy(setup))
        log_warning(
            "search.human.profile has no effect: there is no net of human play (--human-net)");
    if (engine->ponder) setup->time.ponder = true;
    if (engine->tree_memory_mb) setup->search.tree_memory_mb = engine->tree_memory_mb;
    setup->make_evaluator = make_evaluator;
    setup->context = engine;
    setup->seed = (uint64_t)engine->seed;
    return OK;
}

static Status serve(const Engine *engine, Error *err) {
    Gtp *gtp;
    Status status = gtp_new(&engine->setup, BUILD_VERSION, &gtp, err);
    if (status) return status;
    if (engine->net)
        fprintf(stderr, "aji gtp: %s with %lld parameters; %dx%d, komi %g; ready\n", engine->path,
                (long long)net_parameter_total(engine->net), engine->setup.width,
                engine->setup.height, (double)engine->setup.rules.komi);
    status = gtp_serve(gtp, STDIN_FILENO, stdout, err);
    gtp_free(gtp);
    return !status && stop_requested() ? fail(err, ERR_STOPPED, "stopped") : status;
}

static Status run(Engine *engine, Error *err) {
    Status status = prepare(engine, err);
    if (!status) status = serve(engine, err);
    net_free(engine->net);
    net_free(engine->human);
    repeats_free(&engine->shapes);
    return status;
}

static const Engine DEFAULT_ENGINE = {.precision_text = "auto",
                                      .visits = -1,
                                      .seed = 1,
                                      .komi = (double)NAN,
                                      .strength = (double)NAN};

/* Sets the defaults of all settings. The first group is that of the search. */
static void set_defaults(const SettingsGroup *groups) {
    search_preset_begin(SEARCH_PRESET_PEOPLE, groups->target);
    for (const SettingsGroup *group = groups + 1; group->fields; group++)
        settings_defaults(group->fields, group->target);
}

enum { GTP_OPTIONS = 15 };

static void gtp_options(Engine *engine, Option options[GTP_OPTIONS]) {
    const Option all[GTP_OPTIONS] = {
        {"net", OPTION_TEXT, &engine->path, 0, 0, "FILE",
         "net: a file (.aji, KataGo's .bin.gz), the folder of a run, which stands for its best "
         "net, or \"uniform\"; without --net, the first argument names the net. If "
         "no net is named, Aji takes one from its folders of nets: for the board of --size or "
         "start.board_size, or else for the largest board"},
        {"human-net", OPTION_TEXT, &engine->human_path, 0, 0, "FILE",
         "second net that imitates people, for the settings search.human.*"},
        {"visits", OPTION_INT, &engine->visits, 0, 1e9, "N",
         "visits of a move; 0: use only the time (default 200, unless --time, limits.* or a clock "
         "sets a limit)"},
        {"time", OPTION_DURATION, &engine->seconds, 0, 0, "TIME",
         "time of a move, such as 5s or 0.5 (seconds; default: no limit)"},
        {"strength", OPTION_NUMBER, &engine->strength, 0, 1, "S",
         "strength from 0 (weakest) to 1: the lower it is, the more points the engine's moves may "
         "lose; sets the visits and search.level.* (default: full strength)"},
        {"level", OPTION_TEXT, &engine->level, 0, 0, "LEVEL",
         "play at a level that aji calibrate measured on the board with which the program starts: "
         "the number of the level (1 is the weakest) or its rank, such as 9k"},
        {"threads", OPTION_INT, &engine->setup.threads, 1, SEARCH_THREADS_MAX, "N",
         "threads that search the tree (default 1)"},
        {"ponder", OPTION_FLAG, &engine->ponder, 0, 0, NULL, "search while the opponent thinks"},
        {"tree-memory", OPTION_INT, &engine->tree_memory_mb, 1, 1 << 24, "MB",
         "memory limit of the tree in MB (default 4096)"},
        {"size", OPTION_INT, &engine->size, 2, 19, "N",
         "board size until the first boardsize command (default: that of the net's run, or 19)"},
        {"rules", OPTION_TEXT, &engine->rules, 0, 0, "RULES",
         "rules until the client sets them (default: those of the net's run, or tromp-taylor)"},
        {"komi", OPTION_NUMBER, &engine->komi, -400, 400, "K",
         "komi until the client sets it (default: that of the net's run, or 7.5)"},
        {"seed", OPTION_INT, &engine->seed, 0, 2e9, "N",
         "seed of random choices among moves (default 1)"},
        {"precision", OPTION_TEXT, &engine->precision_text, 0, 0, "P",
         "arithmetic of the net: f32, bf16, int8 (needs a net from `aji net quantize`) or auto. "
         "auto is the fastest arithmetic that is native to the processor and that the report of "
         "`aji net quantize` in the net's file calls accurate enough (default auto)"},
        {0},
    };
    memcpy(options, all, sizeof all);
}

int cmd_gtp(int argc, char **argv) {
    Engine engine = DEFAULT_ENGINE;
    const SettingsGroup groups[] = {{"search", SEARCH_FIELDS, &engine.setup.search},
                                    {"time", TIME_FIELDS, &engine.setup.time},
                                    {"resign", RESIGN_FIELDS, &engine.setup.resign},
                                    {"gtp", GTP_FIELDS, &engine.setup.gtp},
                                    {"limits", MOVE_LIMIT_FIELDS, &engine.limits},
                                    {"play", PLAY_THREADS_FIELDS, &engine.play_threads},
                                    {"start", START_FIELDS, &engine.start},
                                    {"shapes", SHAPE_FIELDS, &engine.shape_settings},
                                    {0}};
    set_defaults(groups);
    Option options[GTP_OPTIONS];
    gtp_options(&engine, options);
    const CommandUsage usage = {
        .name = "gtp",
        .synopsis = "aji gtp [NET] [--visits N] [--time TIME] [--threads N] [--ponder]",
        .summary = cmd_gtp_summary,
        .details = DETAILS,
        .options = options,
        .settings = groups,
        .max_words = 1};
    Error err = {0};
    int code = engine_command_parse(&usage, KATAGO_OPTIONS, argc, argv, &engine.path);
    if (code >= 0) return code;
    return command_end(usage.name, run(&engine, &err), &err);
}
