#include "serve/http_ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/settings.h"

enum { SEGMENT_MAX = 160, ARGUMENT_MAX = 400, WAITING_MAX = 100 };

/* In a path, {NAME} stands for a text and {NAME#} for an integer. In the query part, NAME# is an
 * integer and NAME* a list of texts separated by commas. All these requests are answered on the
 * thread of the listener, and none of them makes the page send other messages. */
static const struct {
    const char *path, *query, *op;
} ROUTES[] = {{"/api/v1/games", "", "game.list"},
              {"/api/v1/nets/{net}", "", "net.facts"},
              {"/api/v1/nets/{net}/levels", "width# height#", "net.levels"},
              {"/api/v1/runs", "", "run.list"},
              {"/api/v1/runs/{run}", "", "run.state"},
              {"/api/v1/runs/{run}/curves", "names* points#", "run.curves"},
              {"/api/v1/runs/{run}/files", "", "run.files"},
              {"/api/v1/runs/{run}/files/{folder}/{file}", "", "run.games"},
              {"/api/v1/runs/{run}/files/{folder}/{file}/{index#}.sgf", "", "run.game"}};

/* A request of HTTP, which is a page with one request. */
typedef struct HttpOp {
    struct HttpOp *next;
    HttpRequest *request; /* NULL once it is answered */
    PageSocket *socket;
} HttpOp;

struct HttpOps {
    PageSetup page;
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

/* Matches one placeholder, without its braces, with the beginning of a path. Adds the member.
 * Returns the rest of the path, or NULL if nothing matches or the text is not UTF-8. */
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

/* Adds the members that are in the query part. */
static void read_query(const char *names, const HttpRequest *request, json_t *object) {
    char key[32], value[ARGUMENT_MAX];
    for (const char *at = names; *at; at += *at == ' ') {
        int length = (int)strcspn(at, " ");
        bool is_list = at[length - 1] == '*';
        snprintf(key, sizeof key, "%.*s", length - 1, at);
        at += length;
        if (!http_request_argument(request, key, value, sizeof value)) continue;
        if (is_list)
            add_list(object, key, value);
        else
            (void)add_integer(object, key, value);
    }
}

/* The code of HTTP for the code of a fault. */
static int http_code(const char *fault) {
    static const struct {
        const char *fault;
        int code;
    } CODES[] = {{"bad_field", 400}, {"no_run", 404},  {"no_net", 404},
                 {"no_game", 404},   {"no_file", 404}, {"too_many_requests", 503}};
    for (size_t i = 0; fault && i < sizeof CODES / sizeof *CODES; i++) {
        if (strcmp(fault, CODES[i].fault) == 0) return CODES[i].code;
    }
    return 500;
}

/* PageSetup.send, here only for the thread of the listener. The only message of such a page is the
 * answer of its request. It is sent without its id. An answer with a game is the game itself. */
static bool send_answer(void *connection, const char *text, size_t length) {
    static const char SGF[] = "application/x-go-sgf; charset=utf-8", JSON[] = "application/json";
    HttpOp *op = connection;
    HttpAnswer answer = {.code = 200, .type = JSON};
    if (!op->request) return true;
    json_t *object = json_loadb(text, length, 0, NULL), *error = json_object_get(object, "error");
    const char *sgf = json_string_value(json_object_get(object, "sgf"));
    if (object) json_object_del(object, "id");
    char *body = sgf || !object ? NULL : json_dumps(object, JSON_COMPACT);
    if ((!sgf && !body) || error)
        answer.code = http_code(json_string_value(json_object_get(error, "code")));
    if (sgf) answer.type = SGF;
    strbuf_add(&answer.body, sgf ? sgf : body ? body : "{\"error\":{\"code\":\"no_memory\"}}");
    strbuf_add(&answer.body, "\n");
    http_request_answer(op->request, &answer);
    op->request = NULL;
    free(body);
    json_decref(object);
    return true;
}

static size_t unsent(const void *connection) {
    (void)connection;
    return 0;
}

Status http_ops_new(const PageSetup *page, HttpOps **out, Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (status) return status;
    (*out)->page = *page;
    (*out)->page.send = send_answer;
    (*out)->page.unsent = unsent;
    return OK;
}

static void refuse(HttpRequest *request, const char *code, const char *message) {
    HttpAnswer answer = {.code = 503, .type = "application/json"};
    strbuf_addf(&answer.body, "{\"error\":{\"code\":\"%s\",\"message\":\"%s\"}}\n", code, message);
    http_request_answer(request, &answer);
}

static void close_op(HttpOp *op) {
    if (op->request) refuse(op->request, "stopping", "The server ends.");
    if (op->socket) page_socket_close(op->socket);
    free(op);
}

void http_ops_free(HttpOps *ops) {
    if (!ops) return;
    for (HttpOp *op = ops->first, *next; op; op = next) {
        next = op->next;
        close_op(op);
    }
    free(ops);
}

void http_ops_tend(HttpOps *ops) {
    for (HttpOp **at = &ops->first; *at;) {
        HttpOp *op = *at;
        if (op->request) {
            at = &op->next;
            continue;
        }
        *at = op->next;
        ops->count--;
        close_op(op);
    }
}

/* Makes the request of a page. NULL: the path is none of ROUTES, or there is no memory. */
static json_t *make_request(const char *path, const HttpRequest *request) {
    for (size_t i = 0; i < sizeof ROUTES / sizeof *ROUTES; i++) {
        json_t *object = json_pack("{s:s,s:s}", "op", ROUTES[i].op, "id", "");
        if (object && match_path(ROUTES[i].path, path, object)) {
            read_query(ROUTES[i].query, request, object);
            return object;
        }
        json_decref(object);
    }
    return NULL;
}

/* Answers the request, now or later. `line` is the request of a page. */
static void begin_op(HttpOps *ops, const char *line, HttpRequest *request) {
    static const char NO_MEMORY[] = "The server has no memory for an answer.";
    HttpOp *op = NULL;
    if (ops->count >= WAITING_MAX) {
        refuse(request, "too_many_requests", "The server has too many requests. Try again later.");
        return;
    }
    if (!line || mem_new(1, sizeof *op, &op, NULL)) {
        refuse(request, "no_memory", NO_MEMORY);
        return;
    }
    op->request = request;
    op->next = ops->first;
    ops->first = op;
    ops->count++;
    PageSetup page = ops->page;
    page.connection = op;
    bool taken = !page_socket_open(&page, &op->socket, NULL) && page_socket_line(op->socket, line);
    if (taken || !op->request) return;
    refuse(op->request, "no_memory", NO_MEMORY);
    op->request = NULL;
}

bool http_ops_take(HttpOps *ops, const char *path, HttpRequest *request) {
    json_t *object = make_request(path, request);
    if (!object) return false;
    char *line = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    begin_op(ops, line, request);
    free(line);
    return true;
}
