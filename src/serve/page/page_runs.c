#include "serve/page/page_runs.h"

#include "serve/net_facts.h"
#include "serve/run_games.h"
#include "serve/run_view.h"

/* An integer of the request, which was checked when it came. */
static json_int_t member_integer(const PageJob *job, const char *key) {
    return json_integer_value(json_object_get(job->request, key));
}

static const char *member_text(const PageJob *job, const char *key) {
    return json_string_value(json_object_get(job->request, key));
}

static json_t *read_facts(const PageJob *job, Fault *fault) {
    json_t *facts;
    Error err = {0};
    if (!net_facts_read(job->file.text, &facts, &err)) return json_pack("{s:o}", "facts", facts);
    fault_set(fault, "bad_net", "net", "The net cannot be read: %s", err.message);
    return NULL;
}

static json_t *op_net_facts(PageRequest *request) {
    const Engine *engine = page_request_engine(request, 0, 0);
    if (!engine) return NULL;
    return page_request_defer(request, &engine_net(engine)->file, read_facts);
}

/* Reads the rules that the request may name. Returns false, with a fault, if they are unknown. */
static bool read_rules(const json_t *request, Rules *rules, Fault *fault) {
    const json_t *name = json_object_get(request, "rules");
    const char *text = json_string_value(name);
    return !name || (text && !rules_parse_with_komi(text, rules, NULL)) ||
           fault_set(fault, "bad_field", "rules",
                     "These rules are unknown. Write chinese, japanese or tromp-taylor.");
}

static json_t *read_levels(const PageJob *job, Fault *fault) {
    Rules rules;
    if (!read_rules(job->request, &rules, fault)) return NULL;
    return net_facts_levels(job->file.text, (int)member_integer(job, "width"),
                            (int)member_integer(job, "height"),
                            json_object_get(job->request, "rules") ? &rules : NULL);
}

static json_t *op_net_levels(PageRequest *request) {
    int width = 0, height = 0;
    if (!page_request_integer(request, "width", true, 2, BOARD_SIDE_MAX, &width) ||
        !page_request_integer(request, "height", true, 2, BOARD_SIDE_MAX, &height))
        return NULL;
    const Engine *engine = page_request_engine(request, width, height);
    if (!engine) return NULL;
    return page_request_defer(request, &engine_net(engine)->file, read_levels);
}

static json_t *read_runs(const PageJob *job, Fault *fault) {
    static const RunRoots NONE = {.count = 0};
    (void)fault;
    return json_pack("{s:o}", "runs", runs_list(job->runs ? job->runs : &NONE));
}

static json_t *op_run_list(PageRequest *request) {
    return page_request_defer(request, NULL, read_runs);
}

/* Finds the folder of the run that the request names. Returns false, with a fault, if there is
 * none. */
static bool get_run(PageRequest *request, Path *out) {
    const RunRoots *runs = request->socket->setup.runs;
    const char *id = page_request_text(request, "run");
    if (!id) return false;
    return (runs && runs_find(runs, id, out)) ||
           fault_set(&request->fault, "no_run", "run", "This server shows no run %.100s.", id);
}

static json_t *read_run_state(const PageJob *job, Fault *fault) {
    json_t *state = run_view_state(job->file.text, fault);
    return state ? json_pack("{s:o}", "state", state) : NULL;
}

static json_t *op_run_state(PageRequest *request) {
    Path folder;
    return get_run(request, &folder) ? page_request_defer(request, &folder, read_run_state) : NULL;
}

static json_t *read_run_curves(const PageJob *job, Fault *fault) {
    json_int_t points = member_integer(job, "points");
    return run_view_curves(job->file.text, json_object_get(job->request, "names"),
                           points ? (int)points : 600, fault);
}

static json_t *op_run_curves(PageRequest *request) {
    Path folder;
    int points = 0;
    if (!get_run(request, &folder) ||
        !page_request_integer(request, "points", false, 1, RUN_CURVE_POINTS_MAX, &points))
        return NULL;
    if (!json_is_array(json_object_get(request->object, "names"))) {
        fault_set(&request->fault, "bad_field", "names", "The member must be a list of texts.");
        return NULL;
    }
    return page_request_defer(request, &folder, read_run_curves);
}

static json_t *read_run_files(const PageJob *job, Fault *fault) {
    (void)fault;
    return json_pack("{s:o}", "files", run_games_files(job->file.text));
}

static json_t *op_run_files(PageRequest *request) {
    Path folder;
    return get_run(request, &folder) ? page_request_defer(request, &folder, read_run_files) : NULL;
}

static json_t *read_run_games(const PageJob *job, Fault *fault) {
    return run_games_list(job->file.text, member_text(job, "folder"), member_text(job, "file"),
                          fault);
}

static json_t *op_run_games(PageRequest *request) {
    Path folder;
    if (!get_run(request, &folder) || !page_request_text(request, "folder") ||
        !page_request_text(request, "file"))
        return NULL;
    return page_request_defer(request, &folder, read_run_games);
}

static json_t *read_run_game(const PageJob *job, Fault *fault) {
    return run_games_sgf(job->file.text, member_text(job, "folder"), member_text(job, "file"),
                         (int)member_integer(job, "index"), fault);
}

static json_t *op_run_game(PageRequest *request) {
    Path folder;
    int index = 0;
    if (!get_run(request, &folder) || !page_request_text(request, "folder") ||
        !page_request_text(request, "file") ||
        !page_request_integer(request, "index", true, 0, RUN_GAMES_MAX, &index))
        return NULL;
    return page_request_defer(request, &folder, read_run_game);
}

/* Watches a run, or the list of runs, or nothing if `run` is null. */
static json_t *op_run_watch(PageRequest *request) {
    PageSocket *socket = request->socket;
    Path folder;
    if (json_is_true(json_object_get(request->object, "list"))) {
        run_watch_join_list(socket->setup.watch, &socket->watcher);
        return page_ok();
    }
    if (json_is_null(json_object_get(request->object, "run"))) {
        run_watch_leave(socket->setup.watch, &socket->watcher);
        return page_ok();
    }
    if (!get_run(request, &folder)) return NULL;
    run_watch_join(socket->setup.watch, &socket->watcher,
                   json_string_value(json_object_get(request->object, "run")), folder.text);
    return page_ok();
}

const PageOp PAGE_RUN_OPS[] = {{"net.facts", op_net_facts},   {"net.levels", op_net_levels},
                               {"run.list", op_run_list},     {"run.state", op_run_state},
                               {"run.curves", op_run_curves}, {"run.files", op_run_files},
                               {"run.games", op_run_games},   {"run.game", op_run_game},
                               {"run.watch", op_run_watch},   {0}};
