#include "serve/page_socket.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "serve/net_facts.h"
#include "serve/run_games.h"
#include "serve/run_view.h"

enum {
    UNSENT_BYTES_MAX = 1 << 20, /* above it, a page gets no reports and no new searches */
    ID_BYTES_MAX = 200,
    PAGE_JOBS_MAX = 100 /* requests of a page that wait for the thread of the jobs */
};

/* How often a page may begin a game: ..._AT_ONCE games at once, and then ..._PER_SECOND games per
 * second (rate_limit.h). */
static const double PAGE_GAMES_PER_SECOND = 0.5, PAGE_GAMES_AT_ONCE = 20;

/* The page as a client of one engine. */
typedef struct PageEngine {
    struct PageEngine *next;
    const Engine *engine;
    EngineClient client;
} PageEngine;

/* A request that the thread of the jobs answers. */
typedef struct PageJob {
    struct PageJob *next; /* of the same socket */
    PageSocket *socket;   /* NULL once it is closed */
    char id[ID_BYTES_MAX + 1];
    Path file;       /* of a net, or the folder of a run */
    json_t *request; /* a copy */
    const RunRoots *runs;
    json_t *(*work)(const struct PageJob *job, Fault *fault);
    json_t *answer; /* without the id; NULL: the fault is set, or there is no memory */
    Fault fault;
} PageJob;

struct PageSocket {
    PageSetup setup;
    PageJob *jobs; /* those that are not answered yet */
    int job_count;
    PageEngine *engines; /* those that the page has used */
    GameViewer viewer;
    RunWatcher watcher;
    RateLimit new_games;
};

typedef struct {
    PageSocket *socket;
    const json_t *object;
    const char *id;
    Fault fault;
    bool has_no_room;   /* the request must be passed again later */
    bool answers_later; /* the engine will answer it */
} Request;

/* Sends the object, or an error if it is NULL, and frees it. The result of setup.send() does not
 * matter: if it is false, the connection is closed anyway. */
static void send_object(PageSocket *socket, json_t *object) {
    static const char NO_MEMORY[] =
        "{\"id\":null,\"error\":{\"code\":\"no_memory\",\"message\":\"The server has no memory for "
        "an answer.\"}}";
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    const char *sent = text ? text : NO_MEMORY;
    (void)socket->setup.send(socket->setup.connection, sent, strlen(sent));
    free(text);
    json_decref(object);
}

static json_t *ok(void) {
    return json_pack("{s:b}", "ok", true);
}

/* Reads a member that must be a text. If it is not, sets the fault and returns NULL. */
static const char *get_text(Request *request, const char *field) {
    const char *text = json_string_value(json_object_get(request->object, field));
    if (!text) fault_set(&request->fault, "bad_field", field, "The member must be a text.");
    return text;
}

/* Reads a member that must be an integer within the bounds. If the member is missing, this is a
 * fault if it is `wanted`; otherwise `*out` stays. */
static bool get_integer(Request *request, const char *field, bool wanted, int min, int max,
                        int *out) {
    const json_t *value = json_object_get(request->object, field);
    if (!value && !wanted) return true;
    json_int_t integer = json_integer_value(value);
    if (!json_is_integer(value) || integer < min || integer > max)
        return fault_set(&request->fault, "bad_field", field,
                         "The member must be an integer from %d to %d.", min, max);
    *out = (int)integer;
    return true;
}

/* Finds the game of the request, and lets the page watch it from now on. */
static GameEntry *get_game(Request *request) {
    PageSocket *socket = request->socket;
    const char *name = get_text(request, "game");
    GameEntry *entry = name ? games_find(socket->setup.games, name, &request->fault) : NULL;
    return entry && games_watch(entry, &socket->viewer, &request->fault) ? entry : NULL;
}

static json_t *op_hello(Request *request) {
    const PageSetup *setup = &request->socket->setup;
    return json_pack("{s:b,s:o}", "ok", true, "server", setup->describe(setup->server));
}

/* AnalysisClient.write. */
static bool write_answer(void *context, const char *line, size_t length) {
    PageSocket *socket = context;
    StrBuf text = {0};
    strbuf_add(&text, "{\"answer\":");
    strbuf_add_bytes(&text, line, length);
    strbuf_add(&text, "}");
    bool accepted = !strbuf_status(&text, NULL) &&
                    socket->setup.send(socket->setup.connection, text.text, text.length);
    strbuf_clear(&text);
    return accepted;
}

static size_t unread_bytes(const void *context) {
    const PageSocket *socket = context;
    return socket->setup.unsent(socket->setup.connection);
}

/* Finds the page among the clients of the engine, or makes it one. NULL: no memory. */
static EngineClient *get_client(PageSocket *socket, const Engine *engine) {
    PageEngine *used;
    for (used = socket->engines; used; used = used->next) {
        if (used->engine == engine) return &used->client;
    }
    if (mem_new(1, sizeof *used, &used, NULL)) return NULL;
    used->engine = engine;
    used->client.client = (AnalysisClient){.write = write_answer,
                                           .unread_bytes = unread_bytes,
                                           .unread_bytes_max = UNSENT_BYTES_MAX,
                                           .context = socket};
    used->next = socket->engines;
    socket->engines = used;
    return &used->client;
}

/* Finds the net that the request names, or the first one. */
static Engine *get_engine(Request *request) {
    const json_t *net = json_object_get(request->object, "net");
    const char *id = net && !json_is_null(net) ? get_text(request, "net") : NULL;
    if (request->fault.code) return NULL;
    if (id && !*id) {
        fault_set(&request->fault, "bad_field", "net",
                  "net is empty: give the id of a net, or leave net out for the first one.");
        return NULL;
    }
    Engine *engine = engines_find(request->socket->setup.engines, id);
    if (!engine) fault_set(&request->fault, "no_net", "net", "This server has no net %.100s.", id);
    return engine;
}

static void refuse(PageSocket *socket, const char *id, const Fault *fault);

static void run_job(void *argument) {
    PageJob *job = argument;
    job->answer = job->work(job, &job->fault);
}

/* Answers the request, if the page is still there. */
static void end_job(void *argument, bool done) {
    PageJob *job = argument;
    PageSocket *socket = job->socket;
    if (socket) {
        PageJob **at = &socket->jobs;
        while (*at != job)
            at = &(*at)->next;
        *at = job->next;
        socket->job_count--;
    }
    if (socket && done && job->fault.code) {
        refuse(socket, job->id, &job->fault);
    } else if (socket && done) {
        if (job->answer) json_object_set_new(job->answer, "id", json_string(job->id));
        send_object(socket, job->answer);
        job->answer = NULL;
    }
    json_decref(job->request);
    json_decref(job->answer);
    free(job);
}

/* Lets the thread of the jobs answer the request. `file` may be NULL. */
static json_t *defer(Request *request, const Path *file,
                     json_t *(*work)(const PageJob *job, Fault *fault)) {
    PageSocket *socket = request->socket;
    PageJob *own;
    if (socket->job_count == PAGE_JOBS_MAX) {
        fault_set(&request->fault, "too_many_requests", NULL,
                  "The server has too many requests of this page that wait for the disk.");
        return NULL;
    }
    if (mem_new(1, sizeof *own, &own, NULL)) return NULL;
    *own = (PageJob){.socket = socket,
                     .file = file ? *file : (Path){""},
                     .request = json_deep_copy(request->object),
                     .runs = socket->setup.runs,
                     .work = work};
    snprintf(own->id, sizeof own->id, "%s", request->id);
    if (!own->request || jobs_put(socket->setup.jobs, &(Job){run_job, end_job, own}, NULL)) {
        json_decref(own->request);
        free(own);
        return NULL;
    }
    own->next = socket->jobs;
    socket->jobs = own;
    socket->job_count++;
    request->answers_later = true;
    return NULL;
}

/* An integer of the request, which was checked when it came. */
static json_int_t member_integer(const PageJob *job, const char *key) {
    return json_integer_value(json_object_get(job->request, key));
}

static json_t *read_facts(const PageJob *job, Fault *fault) {
    json_t *facts;
    Error err = {0};
    if (!net_facts_read(job->file.text, &facts, &err)) return json_pack("{s:o}", "facts", facts);
    fault_set(fault, "bad_net", "net", "The net cannot be read: %s", err.message);
    return NULL;
}

static json_t *op_net_facts(Request *request) {
    const Engine *engine = get_engine(request);
    if (!engine) return NULL;
    return defer(request, &engine_net(engine)->file, read_facts);
}

static json_t *read_levels(const PageJob *job, Fault *fault) {
    (void)fault;
    return net_facts_levels(job->file.text, (int)member_integer(job, "width"),
                            (int)member_integer(job, "height"));
}

static json_t *op_net_levels(Request *request) {
    const Engine *engine = get_engine(request);
    int side = 0;
    if (!engine || !get_integer(request, "width", true, 2, BOARD_SIDE_MAX, &side) ||
        !get_integer(request, "height", true, 2, BOARD_SIDE_MAX, &side))
        return NULL;
    return defer(request, &engine_net(engine)->file, read_levels);
}

static json_t *read_runs(const PageJob *job, Fault *fault) {
    static const RunRoots NONE = {.count = 0};
    (void)fault;
    return json_pack("{s:o}", "runs", runs_list(job->runs ? job->runs : &NONE));
}

static json_t *op_run_list(Request *request) {
    return defer(request, NULL, read_runs);
}

/* Finds the folder of the run that the request names. Returns false, with a fault, if there is
 * none. */
static bool get_run(Request *request, Path *out) {
    const RunRoots *runs = request->socket->setup.runs;
    const char *id = get_text(request, "run");
    if (!id) return false;
    return (runs && runs_find(runs, id, out)) ||
           fault_set(&request->fault, "no_run", "run", "This server shows no run %.100s.", id);
}

static json_t *read_run_state(const PageJob *job, Fault *fault) {
    json_t *state = run_view_state(job->file.text, fault);
    return state ? json_pack("{s:o}", "state", state) : NULL;
}

static json_t *op_run_state(Request *request) {
    Path folder;
    return get_run(request, &folder) ? defer(request, &folder, read_run_state) : NULL;
}

static json_t *read_run_curves(const PageJob *job, Fault *fault) {
    json_int_t points = member_integer(job, "points");
    return run_view_curves(job->file.text, json_object_get(job->request, "names"),
                           points ? (int)points : 600, fault);
}

static json_t *op_run_curves(Request *request) {
    Path folder;
    int points = 0;
    if (!get_run(request, &folder) ||
        !get_integer(request, "points", false, 1, RUN_CURVE_POINTS_MAX, &points))
        return NULL;
    if (!json_is_array(json_object_get(request->object, "names"))) {
        fault_set(&request->fault, "bad_field", "names", "The member must be a list of texts.");
        return NULL;
    }
    return defer(request, &folder, read_run_curves);
}

static json_t *read_run_files(const PageJob *job, Fault *fault) {
    (void)fault;
    return json_pack("{s:o}", "files", run_games_files(job->file.text));
}

static json_t *op_run_files(Request *request) {
    Path folder;
    return get_run(request, &folder) ? defer(request, &folder, read_run_files) : NULL;
}

static const char *member_text(const PageJob *job, const char *key) {
    return json_string_value(json_object_get(job->request, key));
}

static json_t *read_run_games(const PageJob *job, Fault *fault) {
    return run_games_list(job->file.text, member_text(job, "folder"), member_text(job, "file"),
                          fault);
}

static json_t *op_run_games(Request *request) {
    Path folder;
    if (!get_run(request, &folder) || !get_text(request, "folder") || !get_text(request, "file"))
        return NULL;
    return defer(request, &folder, read_run_games);
}

static json_t *read_run_game(const PageJob *job, Fault *fault) {
    return run_games_sgf(job->file.text, member_text(job, "folder"), member_text(job, "file"),
                         (int)member_integer(job, "index"), fault);
}

static json_t *op_run_game(Request *request) {
    Path folder;
    int index = 0;
    if (!get_run(request, &folder) || !get_text(request, "folder") || !get_text(request, "file") ||
        !get_integer(request, "index", true, 0, RUN_GAMES_MAX, &index))
        return NULL;
    return defer(request, &folder, read_run_game);
}

/* Watches a run, or none if the member is null. */
static json_t *op_run_watch(Request *request) {
    PageSocket *socket = request->socket;
    Path folder;
    if (json_is_null(json_object_get(request->object, "run"))) {
        run_watch_leave(socket->setup.watch, &socket->watcher);
        return ok();
    }
    if (!get_run(request, &folder)) return NULL;
    run_watch_join(socket->setup.watch, &socket->watcher,
                   json_string_value(json_object_get(request->object, "run")), folder.text);
    return ok();
}

static json_t *op_nets(Request *request) {
    return json_pack("{s:o}", "nets", engines_list(request->socket->setup.engines));
}

static json_t *op_analysis(Request *request) {
    PageSocket *socket = request->socket;
    Engine *engine = get_engine(request);
    if (!engine) return NULL;
    json_t *query = json_object_get(request->object, "query");
    if (!json_is_object(query)) {
        fault_set(&request->fault, "bad_field", "query",
                  "The member must be a query of KataGo's analysis engine, without id.");
        return NULL;
    }
    EngineClient *client = get_client(socket, engine);
    json_object_set_new(query, "id", json_string(request->id));
    char *line = client ? json_dumps(query, JSON_COMPACT) : NULL;
    LineAnswer answer = line ? engine_line(engine, client, line, &request->fault) : LINE_REFUSED;
    request->has_no_room = answer == LINE_WAITS;
    request->answers_later = answer == LINE_TAKEN;
    free(line);
    return NULL;
}

static json_t *op_analysis_stop(Request *request) {
    PageSocket *socket = request->socket;
    const char *target = get_text(request, "target");
    if (!target) return NULL;
    json_t *action =
        json_pack("{s:s,s:s,s:s}", "id", "", "action", "terminate", "terminateId", target);
    char *line = action ? json_dumps(action, JSON_COMPACT) : NULL;
    /* The line ends the searches as the action "terminate" of the protocol does, but the engine
     * does not answer the line. */
    for (PageEngine *used = socket->engines; used && line; used = used->next)
        engine_stop(&used->client, line);
    free(line);
    json_decref(action);
    return ok();
}

/* Finds a level of the net. A number from 0 to 1 in the request is a strength. A text is the number
 * or the rank of a level that was measured on this board. Returns false, with a fault, if there is
 * none.
 */
static bool read_level(Request *request, const Engine *engine, int width, int height,
                       GameLevel *out) {
    const json_t *value = json_object_get(request->object, "level");
    const char *file = engine_net(engine)->file.text;
    Error err = {0};
    *out = (GameLevel){.is_set = true};
    if (json_is_string(value)) {
        Status status = net_facts_find_level(file, width, height, json_string_value(value),
                                             &out->strength, out->label, sizeof out->label, &err);
        if (status) return fault_set(&request->fault, "no_level", "level", "%s", err.message);
    } else {
        out->strength = json_number_value(value);
        if (!json_is_number(value) || !(out->strength >= 0 && out->strength <= 1))
            return fault_set(&request->fault, "bad_field", "level",
                             "The member must be the name of a level, or a number from 0 to 1.");
        snprintf(out->label, sizeof out->label, "strength %.2f", out->strength);
    }
    int visits = game_level_visits(out), max = request->socket->setup.visits_max;
    return visits <= max ||
           fault_set(&request->fault, "bad_field", "level",
                     "This level needs %d visits, but the server allows %d.", visits, max);
}

static bool has_level(const Request *request) {
    const json_t *level = json_object_get(request->object, "level");
    return level && !json_is_null(level);
}

static bool read_setup(Request *request, GameSetup *setup) {
    const json_t *komi = json_object_get(request->object, "komi");
    Engine *engine = get_engine(request);
    int visits_max = request->socket->setup.visits_max;
    if (!engine) return false;
    *setup = (GameSetup){.komi = (double)NAN,
                         .visits = visits_max < 100 ? visits_max : 100,
                         .net = engine_net(engine)->id};
    if (!get_integer(request, "width", true, 2, BOARD_SIDE_MAX, &setup->width) ||
        !get_integer(request, "height", true, 2, BOARD_SIDE_MAX, &setup->height) ||
        !get_integer(request, "handicap", false, 0, 9, &setup->handicap) ||
        !get_integer(request, "visits", false, 1, visits_max, &setup->visits))
        return false;
    if (has_level(request) &&
        !read_level(request, engine, setup->width, setup->height, &setup->level))
        return false;
    if (json_is_number(komi))
        setup->komi = json_number_value(komi);
    else if (komi && !json_is_null(komi))
        return fault_set(&request->fault, "bad_field", "komi",
                         "The member must be a number, or null for the usual komi.");
    setup->rules = get_text(request, "rules");
    const char *color = setup->rules ? get_text(request, "color") : NULL;
    if (!color) return false;
    if (strcmp(color, "B") != 0 && strcmp(color, "W") != 0)
        return fault_set(&request->fault, "bad_field", "color", "The member must be B or W.");
    setup->person = *color == 'B' ? COLOR_BLACK : COLOR_WHITE;
    return true;
}

static json_t *op_game_komi(Request *request) {
    GameSetup setup = {0};
    double komi;
    if (!get_integer(request, "width", true, 2, BOARD_SIDE_MAX, &setup.width) ||
        !get_integer(request, "height", true, 2, BOARD_SIDE_MAX, &setup.height) ||
        !get_integer(request, "handicap", false, 0, 9, &setup.handicap))
        return NULL;
    setup.rules = get_text(request, "rules");
    if (!setup.rules || !game_usual_komi(&setup, &komi, &request->fault)) return NULL;
    return json_pack("{s:f}", "komi", komi);
}

static json_t *game_answer(const GameEntry *entry) {
    return json_pack("{s:s,s:o}", "game", games_name(entry), "state", games_state(entry));
}

static json_t *op_game_new(Request *request) {
    PageSocket *socket = request->socket;
    GameSetup setup;
    double now = clock_seconds();
    if (!read_setup(request, &setup)) return NULL;
    if (!rate_limit_take(&socket->new_games, now) ||
        !rate_limit_take(socket->setup.new_games, now)) {
        fault_set(&request->fault, "too_often", NULL,
                  "Too many games have just begun. Wait a few seconds.");
        return NULL;
    }
    GameEntry *entry = games_begin(socket->setup.games, &setup, &socket->viewer, &request->fault);
    return entry ? game_answer(entry) : NULL;
}

static json_t *op_game_open(Request *request) {
    GameEntry *entry = get_game(request);
    if (!entry) return NULL;
    if (game_retry(games_game(entry))) games_changed(request->socket->setup.games, entry, true);
    return game_answer(entry);
}

static json_t *op_game_list(Request *request) {
    return json_pack("{s:o}", "games", games_list(request->socket->setup.games));
}

/* If the change was made, saves the game and tells all who watch it. */
static json_t *end_change(Request *request, GameEntry *entry, bool made) {
    if (!made) return NULL;
    games_changed(request->socket->setup.games, entry, true);
    return ok();
}

/* Finds the game of a request that says how many moves the page has seen. If there are more or
 * fewer, the page gets the state, and `*late` becomes true. */
static GameEntry *get_game_at(Request *request, bool *late) {
    GameEntry *entry = get_game(request);
    int at = 0;
    *late = false;
    if (!entry || !get_integer(request, "at", true, 0, SERVED_MOVES_MAX, &at)) return NULL;
    *late = at != game_moves(games_game(entry));
    if (*late) games_show(entry, &request->socket->viewer);
    return entry;
}

static json_t *op_game_play(Request *request) {
    bool late;
    GameEntry *entry = get_game_at(request, &late);
    if (late) return ok();
    const char *move = entry ? get_text(request, "move") : NULL;
    if (!move) return NULL;
    return end_change(request, entry, game_play(games_game(entry), move, &request->fault));
}

static json_t *op_game_undo(Request *request) {
    bool late;
    GameEntry *entry = get_game_at(request, &late);
    if (late) return ok();
    if (!entry) return NULL;
    return end_change(request, entry, game_undo(games_game(entry), &request->fault));
}

static json_t *op_game_resign(Request *request) {
    GameEntry *entry = get_game(request);
    if (!entry) return NULL;
    return end_change(request, entry, game_resign(games_game(entry), &request->fault));
}

static json_t *op_game_settings(Request *request) {
    GameEntry *entry = get_game(request);
    int visits = 0, width, height;
    GameLevel level;
    if (!entry) return NULL;
    if (has_level(request)) {
        game_size(games_game(entry), &width, &height);
        if (!read_level(request, games_engine(entry), width, height, &level)) return NULL;
        game_set_level(games_game(entry), &level);
    } else if (get_integer(request, "visits", true, 1, request->socket->setup.visits_max,
                           &visits)) {
        game_set_visits(games_game(entry), visits);
    } else {
        return NULL;
    }
    games_changed(request->socket->setup.games, entry, false); /* its search goes on */
    return ok();
}

static json_t *op_game_score(Request *request) {
    GameEntry *entry = get_game(request);
    const json_t *dead = json_object_get(request->object, "dead"),
                 *agree = json_object_get(request->object, "agree");
    if (!entry) return NULL;
    Game *game = games_game(entry);
    if (dead && !json_is_array(dead))
        fault_set(&request->fault, "bad_field", "dead", "The member must be a list of points.");
    else if (agree && !json_is_boolean(agree))
        fault_set(&request->fault, "bad_field", "agree", "The member must be true or false.");
    if (request->fault.code) return NULL;
    bool made = (!dead || game_mark_dead(game, dead, &request->fault)) &&
                (!json_is_true(agree) || game_agree(game, &request->fault));
    return end_change(request, entry, made);
}

static json_t *op_game_continue(Request *request) {
    GameEntry *entry = get_game(request);
    if (!entry) return NULL;
    return end_change(request, entry, game_continue(games_game(entry), &request->fault));
}

/* Each returns the answer without its id. It returns NULL if the fault is set, if there is nothing
 * to answer yet, or if there is no memory. */
static const struct {
    const char *name;
    bool of_games; /* about analyses or games: a server that is read-only refuses it */
    json_t *(*run)(Request *request);
} OPS[] = {{"hello", false, op_hello},
           {"nets", false, op_nets},
           {"net.facts", false, op_net_facts},
           {"net.levels", false, op_net_levels},
           {"run.list", false, op_run_list},
           {"run.state", false, op_run_state},
           {"run.curves", false, op_run_curves},
           {"run.files", false, op_run_files},
           {"run.games", false, op_run_games},
           {"run.game", false, op_run_game},
           {"run.watch", false, op_run_watch},
           {"analysis", true, op_analysis},
           {"analysis.stop", true, op_analysis_stop},
           {"game.komi", true, op_game_komi},
           {"game.new", true, op_game_new},
           {"game.open", true, op_game_open},
           {"game.list", true, op_game_list},
           {"game.play", true, op_game_play},
           {"game.undo", true, op_game_undo},
           {"game.resign", true, op_game_resign},
           {"game.settings", true, op_game_settings},
           {"game.score", true, op_game_score},
           {"game.continue", true, op_game_continue}};

static json_t *run_op(Request *request) {
    const char *name = get_text(request, "op");
    for (size_t i = 0; name && i < sizeof OPS / sizeof *OPS; i++) {
        if (strcmp(name, OPS[i].name) != 0) continue;
        if (!request->socket->setup.read_only || !OPS[i].of_games) return OPS[i].run(request);
        fault_set(&request->fault, "read_only", NULL,
                  "This server only shows runs: it was started with --read-only.");
        return NULL;
    }
    if (name)
        fault_set(&request->fault, "unknown_op", "op",
                  "This server does not know this request. The page may be newer than the server.");
    return NULL;
}

static void refuse(PageSocket *socket, const char *id, const Fault *fault) {
    json_t *answer = json_pack("{s:o}", "error", fault_json(fault));
    if (answer) json_object_set_new(answer, "id", id ? json_string(id) : json_null());
    send_object(socket, answer);
}

bool page_socket_line(PageSocket *socket, const char *line) {
    json_t *object;
    Error err = {0};
    Request request = {.socket = socket};
    if (json_parse(line, strlen(line), &object, &err)) {
        fault_set(&request.fault, "bad_json", NULL, "The message is not JSON: %s", err.message);
        refuse(socket, NULL, &request.fault);
        return true;
    }
    request.object = object;
    request.id = json_string_value(json_object_get(object, "id"));
    if (request.id && strlen(request.id) > ID_BYTES_MAX) request.id = NULL;
    if (!request.id)
        fault_set(&request.fault, "bad_field", "id",
                  "The member must be a text of at most %d bytes.", (int)ID_BYTES_MAX);
    json_t *answer = request.id ? run_op(&request) : NULL;
    if (answer) json_object_set_new(answer, "id", json_string(request.id));
    if (request.fault.code)
        refuse(socket, request.id, &request.fault);
    else if (!request.has_no_room && !request.answers_later)
        send_object(socket, answer);
    json_decref(object);
    return !request.has_no_room;
}

Status page_socket_open(const PageSetup *setup, PageSocket **out, Error *err) {
    PageSocket *socket;
    *out = NULL;
    Status status = mem_new(1, sizeof *socket, &socket, err);
    if (status) return status;
    socket->setup = *setup;
    socket->new_games = (RateLimit){PAGE_GAMES_PER_SECOND, PAGE_GAMES_AT_ONCE, 0, 0};
    socket->watcher = (RunWatcher){.send = setup->send, .context = setup->connection};
    socket->viewer = (GameViewer){.send = setup->send, .context = setup->connection};
    *out = socket;
    return OK;
}

void page_socket_close(PageSocket *socket) {
    for (PageEngine *used = socket->engines, *next; used; used = next) {
        next = used->next;
        engine_leave(&used->client);
        free(used);
    }
    for (PageJob *job = socket->jobs; job; job = job->next)
        job->socket = NULL;
    run_watch_leave(socket->setup.watch, &socket->watcher);
    games_leave(socket->setup.games, &socket->viewer);
    free(socket);
}
