#include "serve/http_ops.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/settings.h"

enum { SEGMENT_MAX = 160, ARGUMENT_MAX = 400, WAITING_MAX = 100 };

/* In a path, {NAME} stands for a text and {NAME#} for an integer. In the query part, NAME# is an
 * integer, NAME* a list of texts separated by commas, and NAME a text. A route whose `body` is not
 * NULL is for POST. The body of such a POST is an object. If `body` is a name, the object becomes
 * the member of this name in the request of the page. If `body` is "", the members of the object
 * become members of the request of the page. */
static const struct {
    const char *path, *query, *op, *body;
} ROUTES[] = {{"/api/v1/eval", "net", "analysis", "query"},
              {"/api/v1/games", "", "game.new", ""},
              {"/api/v1/games", "", "game.list", NULL},
              {"/api/v1/nets/{net}", "", "net.facts", NULL},
              {"/api/v1/nets/{net}/levels", "width# height# rules", "net.levels", NULL},
              {"/api/v1/runs", "", "run.list", NULL},
              {"/api/v1/runs/{run}", "", "run.state", NULL},
              {"/api/v1/runs/{run}/curves", "names* points#", "run.curves", NULL},
              {"/api/v1/runs/{run}/files", "", "run.files", NULL},
              {"/api/v1/runs/{run}/files/{folder}/{file}", "", "run.games", NULL},
              {"/api/v1/runs/{run}/files/{folder}/{file}/{index#}.sgf", "", "run.game", NULL}};

/* A request of HTTP. It has a PageSocket of its own, as a page would that makes only one
 * request. */
typedef struct HttpOp {
    struct HttpOp *next;
    HttpOps *ops;
    HttpRequest *request; /* NULL once it is answered */
    PageSocket *socket;
    char *line; /* the request in the form of the page; NULL once the socket has taken it */
    /* Guarded by ops->lock. */
    bool is_answered; /* the socket has answered */
    json_t *answer;   /* NULL: there was no memory for it */
    json_t *warnings; /* a list of the engine's warnings; NULL: there are none */
} HttpOp;

struct HttpOps {
    PageSetup page;
    void (*wake)(void *context);
    void *context;
    pthread_mutex_t lock;
    HttpOp *first;
    int count; /* also of those whose clients have gone: their work goes on */
};

/* Adds a member that is an integer, or a text if the text is no integer, which the request then
 * refuses. */
static bool add_integer(json_t *object, const char *name, const char *text) {
    long long value;
    bool is_integer = !parse_int(text, name, INT64_MIN, INT64_MAX, &value, NULL);
    return !json_object_set_new(object, name, is_integer ? json_integer(value) : json_string(text));
}

/* Matches one placeholder with the beginning of a path. `name` is the text between the braces of
 * the placeholder, and `stop` is the character after the closing brace. Adds the member. Returns
 * the rest of the path, or NULL if nothing matches or the text is not UTF-8. */
static const char *match_member(const char *name, int name_length, const char *path, char stop,
                                json_t *object) {
    char key[32], value[SEGMENT_MAX];
    bool is_integer = name[name_length - 1] == '#';
    size_t length = strcspn(path, stop == '.' ? "./" : "/");
    if (!length || length >= sizeof value) return NULL;
    snprintf(key, sizeof key, "%.*s", name_length - is_integer, name);
    snprintf(value, sizeof value, "%.*s", (int)length, path);
    bool added = is_integer ? add_integer(object, key, value)
                            : !json_object_set_new(object, key, json_string(value));
    return added ? path + length : NULL;
}

/* Whether the path has the form of the pattern. Adds the members that are in the path. */
static bool match_path(const char *pattern, const char *path, json_t *object) {
    while (*pattern && path && *path) {
        if (*pattern == '{') {
            int length = (int)strcspn(pattern + 1, "}");
            path = match_member(pattern + 1, length, path, pattern[length + 2], object);
            pattern += length + 2;
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    return path && !*pattern && !*path;
}

static void add_list(json_t *object, const char *name, const char *text) {
    json_t *list = json_array();
    for (const char *at = text; list && *at; at += *at == ',') {
        size_t length = strcspn(at, ",");
        json_array_append_new(list, json_stringn(at, length));
        at += length;
    }
    json_object_set_new(object, name, list);
}

/* Adds the members that are in the query part. A member that is too long or not UTF-8 becomes
 * `false`, which every request refuses. */
static void read_query(const char *names, const HttpRequest *request, json_t *object) {
    char key[32], value[ARGUMENT_MAX];
    for (const char *at = names; *at; at += *at == ' ') {
        int length = (int)strcspn(at, " ");
        char kind = at[length - 1];
        snprintf(key, sizeof key, "%.*s", length - (kind == '*' || kind == '#'), at);
        at += length;
        int bytes = http_request_argument(request, key, value, sizeof value);
        if (bytes < 0) continue;
        json_t *text = bytes < ARGUMENT_MAX ? json_string(value) : NULL;
        if (!text)
            json_object_set_new(object, key, json_false());
        else if (kind == '*')
            add_list(object, key, value);
        else if (kind == '#')
            (void)add_integer(object, key, value);
        else
            json_object_set(object, key, text);
        json_decref(text);
    }
}

int http_code(const char *fault) {
    static const struct {
        const char *fault;
        int code;
    } CODES[] = {{"bad_field", 400},     {"bad_query", 400},
                 {"bad_json", 400},      {"read_only", 403},
                 {"no_level", 404},      {"no_run", 404},
                 {"no_net", 404},        {"no_game", 404},
                 {"too_often", 429},     {"too_many_requests", 503},
                 {"nets_busy", 503},     {"no_memory", 503},
                 {"too_many_games", 503}};
    for (size_t i = 0; fault && i < sizeof CODES / sizeof *CODES; i++) {
        if (strcmp(fault, CODES[i].fault) == 0) return CODES[i].code;
    }
    return 500;
}

/* Whether the message is the answer of the request. Other messages are the warnings of a search,
 * what a search has found so far, and news of a game. */
static bool is_final(const json_t *message) {
    const json_t *answer = json_object_get(message, "answer");
    return !json_object_get(message, "topic") && !json_object_get(answer, "warning") &&
           !json_is_true(json_object_get(answer, "isDuringSearch"));
}

/* PageSetup.send. Any thread calls it. */
static bool keep_answer(void *connection, const char *text, size_t length) {
    HttpOp *op = connection;
    HttpOps *ops = op->ops;
    json_t *message = json_loadb(text, length, 0, NULL);
    bool is_kept = !message || is_final(message);
    json_t *warning = json_object_get(message, "answer");
    pthread_mutex_lock(&ops->lock);
    if (json_object_get(warning, "warning")) {
        if (!op->warnings) op->warnings = json_array();
        json_object_del(warning, "id");
        json_array_append(op->warnings, warning);
    }
    is_kept = is_kept && !op->is_answered;
    if (is_kept) {
        op->answer = message;
        op->is_answered = true;
    }
    pthread_mutex_unlock(&ops->lock);
    if (is_kept)
        ops->wake(ops->context);
    else
        json_decref(message);
    return true;
}

/* An answer of the engine, or its error in the form of the server's errors. The result is a new
 * reference; NULL: no memory. */
static json_t *engine_answer(json_t *answer) {
    json_t *error = json_object_get(answer, "error"), *field = json_object_get(answer, "field");
    if (!error) return json_incref(answer);
    json_t *object = json_pack("{s:{s:s,s:O}}", "error", "code", "bad_query", "message", error);
    if (object && field) json_object_set(json_object_get(object, "error"), "field", field);
    return object;
}

/* Answers the request of HTTP with the message of the socket, without the id of the message. Frees
 * the message. If the message has a game in SGF, the answer is only the SGF. A message of NULL
 * means that there was no memory for the message. */
static void send_answer(HttpOp *op, json_t *message) {
    static const char SGF[] = "application/x-go-sgf; charset=utf-8", JSON[] = "application/json";
    json_t *inner = json_object_get(message, "answer"),
           *object = inner ? engine_answer(inner) : json_incref(message),
           *error = json_object_get(object, "error");
    const char *sgf = json_string_value(json_object_get(object, "sgf"));
    HttpAnswer answer = {.code = 200, .type = sgf ? SGF : JSON};
    if (object) json_object_del(object, "id");
    if (object && op->warnings) json_object_set(object, "warnings", op->warnings);
    char *body = sgf || !object ? NULL : json_dumps(object, JSON_COMPACT);
    if (!sgf && !body)
        answer.code = http_code("no_memory");
    else if (error)
        answer.code = http_code(json_string_value(json_object_get(error, "code")));
    strbuf_add(&answer.body, sgf ? sgf : body ? body : "{\"error\":{\"code\":\"no_memory\"}}");
    strbuf_add(&answer.body, "\n");
    http_request_answer(op->request, &answer);
    op->request = NULL;
    free(body);
    json_decref(object);
    json_decref(message);
}

static size_t unsent(const void *connection) {
    (void)connection;
    return 0;
}

Status http_ops_new(const PageSetup *page, void (*wake)(void *context), void *context,
                    HttpOps **out, Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (status) return status;
    (*out)->page = *page;
    (*out)->page.send = keep_answer;
    (*out)->page.unsent = unsent;
    (*out)->wake = wake;
    (*out)->context = context;
    pthread_mutex_init(&(*out)->lock, NULL);
    return OK;
}

static void refuse(HttpRequest *request, int code, const char *name, const char *field,
                   const char *message) {
    HttpAnswer answer = {.code = code, .type = "application/json"};
    json_t *error = json_pack("{s:{s:s,s:s}}", "error", "code", name, "message", message);
    if (error && field)
        json_object_set_new(json_object_get(error, "error"), "field", json_string(field));
    char *text = error ? json_dumps(error, JSON_COMPACT) : NULL;
    strbuf_addf(&answer.body, "%s\n", text ? text : "{\"error\":{\"code\":\"no_memory\"}}");
    http_request_answer(request, &answer);
    free(text);
    json_decref(error);
}

static void close_op(HttpOp *op) {
    if (op->request) refuse(op->request, 503, "stopping", NULL, "The server ends.");
    if (op->socket) page_socket_close(op->socket); /* afterwards keep_answer() is not called */
    json_decref(op->answer);
    json_decref(op->warnings);
    free(op->line);
    free(op);
}

void http_ops_free(HttpOps *ops) {
    if (!ops) return;
    for (HttpOp *op = ops->first, *next; op; op = next) {
        next = op->next;
        close_op(op);
    }
    pthread_mutex_destroy(&ops->lock);
    free(ops);
}

/* Passes the request to the socket, if this was not done yet and the socket has room. Answers the
 * client, if the socket has answered. */
static void go_on(HttpOps *ops, HttpOp *op) {
    if (op->line && page_socket_line(op->socket, op->line)) {
        free(op->line);
        op->line = NULL;
    }
    pthread_mutex_lock(&ops->lock);
    bool is_answered = op->is_answered;
    json_t *answer = op->answer;
    op->answer = NULL;
    pthread_mutex_unlock(&ops->lock);
    if (is_answered) send_answer(op, answer);
}

void http_ops_tend(HttpOps *ops) {
    for (HttpOp **at = &ops->first; *at;) {
        HttpOp *op = *at;
        if (op->request) go_on(ops, op);
        if (op->request) {
            at = &op->next;
            continue;
        }
        *at = op->next;
        ops->count--;
        close_op(op);
    }
}

/* Finds the route of a path. Returns its index in ROUTES, or -1 if the path is none of them. Sets
 * `*out` to the request of a page, which lacks the body and the members from the query part so far.
 * If there is no memory for it, sets `*out` to NULL and returns any route. */
static int find_route(const char *path, bool has_body, json_t **out) {
    for (size_t i = 0; i < sizeof ROUTES / sizeof *ROUTES; i++) {
        if (has_body != (ROUTES[i].body != NULL)) continue;
        *out = json_pack("{s:s,s:s}", "op", ROUTES[i].op, "id", "");
        if (!*out || match_path(ROUTES[i].path, path, *out)) return (int)i;
        json_decref(*out);
    }
    *out = NULL;
    return -1;
}

bool http_ops_takes_post(const char *path) {
    json_t *object;
    bool takes_post = find_route(path, true, &object) >= 0;
    json_decref(object);
    return takes_post;
}

/* Limits a query of one position to EVAL_VISITS_MAX visits. Returns the field that asks for more,
 * or NULL. */
static const char *limit_query(json_t *query) {
    json_t *visits = json_object_get(query, "maxVisits");
    if (!visits) json_object_set_new(query, "maxVisits", json_integer(EVAL_VISITS_MAX));
    if (json_integer_value(visits) > EVAL_VISITS_MAX) return "maxVisits";
    if (json_object_get(query, "action")) return "action";
    return json_array_size(json_object_get(query, "analyzeTurns")) > 1 ? "analyzeTurns" : NULL;
}

/* Adds the body of a POST to the request of the page. If it cannot, refuses the request and returns
 * false. */
static bool add_body(json_t *object, const char *member, HttpRequest *request) {
    json_t *body = NULL;
    Error err = {0};
    const char *text = http_request_body(request), *field = NULL;
    if (json_parse(text, strlen(text), &body, &err)) {
        refuse(request, 400, "bad_json", NULL, err.message);
    } else if (!json_is_object(body)) {
        refuse(request, 400, "bad_json", NULL, "The body must be a JSON object.");
    } else if (*member && (field = limit_query(body))) {
        refuse(request, 400, "bad_field", field,
               "This address searches one position, with at most 100 visits. A WebSocket at "
               "/ws/analysis may ask for more.");
    } else {
        if (*member)
            json_object_set(object, member, body);
        else
            json_object_update_missing(object, body);
        json_decref(body);
        return true;
    }
    json_decref(body);
    return false;
}

/* Answers the request, now or later. `line` is the request of a page, and is freed in the end. */
static void begin_op(HttpOps *ops, char *line, HttpRequest *request) {
    static const char NO_MEMORY[] = "The server has no memory for an answer.";
    HttpOp *op = NULL;
    if (ops->count >= WAITING_MAX) {
        refuse(request, 503, "too_many_requests", NULL,
               "The server has too many requests. Try again later.");
        free(line);
        return;
    }
    if (!line || mem_new(1, sizeof *op, &op, NULL)) {
        refuse(request, 503, "no_memory", NULL, NO_MEMORY);
        free(line);
        return;
    }
    *op = (HttpOp){.next = ops->first, .ops = ops, .request = request, .line = line};
    ops->first = op;
    ops->count++;
    PageSetup page = ops->page;
    page.connection = op;
    if (!page_socket_open(&page, &op->socket, NULL)) {
        go_on(ops, op);
    } else {
        refuse(request, 503, "no_memory", NULL, NO_MEMORY);
        op->request = NULL;
    }
}

bool http_ops_take(HttpOps *ops, const char *path, HttpRequest *request) {
    json_t *object;
    int route = find_route(path, http_request_body(request) != NULL, &object);
    if (route < 0) return false;
    const char *body = ROUTES[route].body;
    if (object) read_query(ROUTES[route].query, request, object);
    if (!object)
        begin_op(ops, NULL, request); /* which answers that there is no memory */
    else if (!body || add_body(object, body, request))
        begin_op(ops, json_dumps(object, JSON_COMPACT), request);
    json_decref(object);
    return true;
}
