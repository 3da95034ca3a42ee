#include "serve/page/page_socket.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "serve/page/page_analysis.h"
#include "serve/page/page_games.h"
#include "serve/page/page_runs.h"

/* How often a page may begin a game: ..._AT_ONCE games at once, and then ..._PER_SECOND games per
 * second (rate_limit.h). */
static const double PAGE_GAMES_PER_SECOND = 0.5, PAGE_GAMES_AT_ONCE = 20;

static json_t *op_hello(PageRequest *request) {
    const PageSetup *setup = &request->socket->setup;
    return json_pack("{s:b,s:o}", "ok", true, "server", setup->describe(setup->server));
}

static json_t *op_nets(PageRequest *request) {
    return json_pack("{s:o}", "nets", engines_list(request->socket->setup.engines));
}

static const PageOp OWN_OPS[] = {{"hello", op_hello}, {"nets", op_nets}, {0}};

static const struct {
    const PageOp *ops;
    bool of_games; /* about analyses or games: a server that is read-only refuses them */
} TABLES[] = {
    {OWN_OPS, false}, {PAGE_RUN_OPS, false}, {PAGE_ANALYSIS_OPS, true}, {PAGE_GAME_OPS, true}};

/* Finds a request by its name. NULL: there is none. */
static const PageOp *find_op(const char *name, bool *of_games) {
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++) {
        *of_games = TABLES[i].of_games;
        for (const PageOp *op = TABLES[i].ops; op->name; op++)
            if (strcmp(name, op->name) == 0) return op;
    }
    return NULL;
}

static json_t *run_op(PageRequest *request) {
    const char *name = page_request_text(request, "op");
    bool of_games = false;
    if (!name) return NULL;
    const PageOp *op = find_op(name, &of_games);
    if (op && !(of_games && request->socket->setup.read_only)) return op->run(request);
    if (op)
        fault_set(&request->fault, "read_only", NULL,
                  "This server only shows runs: it was started with --read-only.");
    else
        fault_set(&request->fault, "unknown_op", "op",
                  "This server does not know this request. The page may be newer than the server.");
    return NULL;
}

bool page_socket_line(PageSocket *socket, const char *line) {
    json_t *object;
    Error err = {0};
    PageRequest request = {.socket = socket};
    if (json_parse(line, strlen(line), &object, &err)) {
        fault_set(&request.fault, "bad_json", NULL, "The message is not JSON: %s", err.message);
        page_refuse(socket, NULL, &request.fault);
        return true;
    }
    request.object = object;
    request.id = json_string_value(json_object_get(object, "id"));
    if (request.id && strlen(request.id) > PAGE_ID_BYTES_MAX) request.id = NULL;
    if (!request.id)
        fault_set(&request.fault, "bad_field", "id",
                  "The member must be a text of at most %d bytes.", (int)PAGE_ID_BYTES_MAX);
    json_t *answer = request.id ? run_op(&request) : NULL;
    if (answer) json_object_set_new(answer, "id", json_string(request.id));
    if (request.fault.code)
        page_refuse(socket, request.id, &request.fault);
    else if (!request.has_no_room && !request.answers_later)
        page_send(socket, answer);
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
    page_analysis_leave(socket);
    for (PageJob *job = socket->jobs; job; job = job->next)
        job->socket = NULL;
    run_watch_leave(socket->setup.watch, &socket->watcher);
    games_leave(socket->setup.games, &socket->viewer);
    free(socket);
}
