#include "serve/server.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "serve/analysis_socket.h"
#include "serve/assets.h"
#include "serve/games.h"
#include "serve/page_socket.h"

struct Server {
    ServerSetup setup;
    Listener *listener;
    Games *games;
};

static const char JSON[] = "application/json", SGF[] = "application/x-go-sgf; charset=utf-8",
                  GAMES_PATH[] = "/api/v1/games/";

static const char PAGE[] =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Aji</title>\n"
    "<h1>Aji is running</h1>\n"
    "<p>This program was built without its page. <code>./aji serve</code> installs the packages "
    "<code>nodejs</code> and <code>npm</code> and builds the page with them.</p>\n"
    "<p>Programs can analyse games here with KataGo's protocol, over a WebSocket at "
    "<code>/ws/analysis</code>.</p>\n"
    "<p><a href=\"/api/v1/server\">/api/v1/server</a> shows the net, the limits and the number of "
    "clients.</p>\n</html>\n";

static void answer_page(const Server *server, HttpAnswer *out) {
    (void)server;
    *out = (HttpAnswer){.code = 200, .type = "text/html; charset=utf-8"};
    strbuf_add(&out->body, PAGE);
}

static void answer_health(const Server *server, HttpAnswer *out) {
    (void)server;
    *out = (HttpAnswer){.code = 200, .type = "text/plain; charset=utf-8"};
    strbuf_add(&out->body, "ok\n");
}

static json_t *describe(const void *context) {
    const Server *server = context;
    const ServerSetup *setup = &server->setup;
    return json_pack(
        "{s:{s:s,s:s,s:s},s:i,s:{s:s},s:i,s:i,s:{s:i,s:i}}", "program", "name", "Aji", "version",
        setup->version, "revision", setup->revision, "protocol", 1, "net", "name", setup->net,
        "threads", setup->threads, "clients", listener_clients(server->listener), "limits",
        "clients", setup->listener.clients_max, "message_bytes", setup->listener.message_bytes_max);
}

static void answer_server(const Server *server, HttpAnswer *out) {
    json_t *object = describe(server);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    *out = (HttpAnswer){.code = text ? 200 : 500, .type = JSON};
    strbuf_add(&out->body, text ? text : "{\"error\":{\"code\":\"no_memory\"}}");
    strbuf_add(&out->body, "\n");
    free(text);
    json_decref(object);
}

static const struct {
    const char *path;
    void (*answer)(const Server *server, HttpAnswer *out);
} ROUTES[] = {{"/", answer_page}, {"/healthz", answer_health}, {"/api/v1/server", answer_server}};

/* Answers the path of a game, which is GAME.sgf below GAMES_PATH. Returns false if there is no such
 * game. */
static bool answer_game(Server *server, const char *path, HttpAnswer *out) {
    char name[GAME_NAME_LENGTH + 1];
    Fault fault = {0};
    if (strlen(path) != GAME_NAME_LENGTH + 4 || !path_has_ending(path, ".sgf")) return false;
    memcpy(name, path, GAME_NAME_LENGTH);
    name[GAME_NAME_LENGTH] = 0;
    GameEntry *entry = games_find(server->games, name, &fault);
    if (!entry) return false;
    *out = (HttpAnswer){.code = 200, .type = SGF};
    return !game_write(games_game(entry), &out->body, NULL);
}

static void answer(void *context, const char *path, HttpAnswer *out) {
    size_t prefix = sizeof GAMES_PATH - 1;
    if (assets_answer(path, out)) return;
    for (size_t i = 0; i < sizeof ROUTES / sizeof *ROUTES; i++) {
        if (strcmp(path, ROUTES[i].path) != 0) continue;
        ROUTES[i].answer(context, out);
        return;
    }
    if (strncmp(path, GAMES_PATH, prefix) == 0 && answer_game(context, path + prefix, out)) return;
    strbuf_clear(&out->body);
    *out = (HttpAnswer){.code = 404, .type = JSON};
    strbuf_add(&out->body, "{\"error\":{\"code\":\"not_found\",\"message\":\"There is nothing at "
                           "this path. GET / says what there is.\"}}\n");
}

static bool is_public(void *context, const char *path) {
    (void)context;
    return assets_have(path);
}

static Status open_analysis(const Server *server, Connection *connection, void **session,
                            Error *err) {
    return analysis_socket_open(server->setup.analysis, connection, session, err);
}

static bool send_to_page(void *connection, const char *text, size_t length) {
    return connection_send(connection, text, length);
}

static size_t unsent_to_page(const void *connection) {
    return connection_unsent(connection);
}

static Status open_page(const Server *server, Connection *connection, void **session, Error *err) {
    PageSocket *socket;
    const PageSetup setup = {.analysis = server->setup.analysis,
                             .games = server->games,
                             .describe = describe,
                             .server = server,
                             .send = send_to_page,
                             .unsent = unsent_to_page,
                             .connection = connection};
    Status status = page_socket_open(&setup, &socket, err);
    *session = socket;
    return status;
}

static bool page_line(void *session, const char *line) {
    return page_socket_line(session, line);
}

static void close_page(void *session) {
    page_socket_close(session);
}

typedef struct {
    const char *path;
    Status (*open)(const Server *server, Connection *connection, void **session, Error *err);
    bool (*line)(void *session, const char *line);
    void (*close)(void *session);
} SocketKind;

static const SocketKind SOCKETS[] = {
    {"/ws/analysis", open_analysis, analysis_socket_line, analysis_socket_close},
    {"/ws", open_page, page_line, close_page}};

static const SocketKind *find_kind(const char *path) {
    for (size_t i = 0; i < sizeof SOCKETS / sizeof *SOCKETS; i++) {
        if (strcmp(path, SOCKETS[i].path) == 0) return &SOCKETS[i];
    }
    return NULL;
}

static bool has_socket(void *context, const char *path) {
    (void)context;
    return find_kind(path) != NULL;
}

/* A WebSocket of any kind. */
typedef struct {
    const SocketKind *kind;
    void *session; /* of this kind */
} Socket;

static Status open_socket(void *context, const char *path, Connection *connection, void **session,
                          Error *err) {
    Socket *socket;
    Status status = mem_new(1, sizeof *socket, &socket, err);
    if (status) return status;
    socket->kind = find_kind(path);
    status = socket->kind->open(context, connection, &socket->session, err);
    if (status) {
        free(socket);
        socket = NULL;
    }
    *session = socket;
    return status;
}

static bool socket_line(void *session, const char *line) {
    const Socket *socket = session;
    return socket->kind->line(socket->session, line);
}

static void close_socket(void *session) {
    Socket *socket = session;
    socket->kind->close(socket->session);
    free(socket);
}

static void tend(void *context) {
    const Server *server = context;
    games_tend(server->games);
}

static void wake(void *context) {
    const Server *server = context;
    listener_wake(server->listener);
}

static Status begin_games(Server *server, Error *err) {
    const ServerSetup *setup = &server->setup;
    return games_new(&(GamesSetup){.analysis = setup->analysis,
                                   .search = setup->search,
                                   .resign = setup->resign,
                                   .folder = setup->games,
                                   .engine = setup->net,
                                   .wake = wake,
                                   .context = server},
                     &server->games, err);
}

Status server_new(const ServerSetup *setup, Server **out, Error *err) {
    Server *server;
    Status status = mem_new(1, sizeof *server, &server, err);
    if (status) return status;
    server->setup = *setup;
    server->setup.listener.handlers = (ListenerHandlers){.answer = answer,
                                                         .is_public = is_public,
                                                         .has_socket = has_socket,
                                                         .open = open_socket,
                                                         .line = socket_line,
                                                         .close = close_socket,
                                                         .tend = tend};
    server->setup.listener.context = server;
    status = begin_games(server, err);
    if (!status) status = listener_new(&server->setup.listener, &server->listener, err);
    if (status) {
        server_free(server);
        server = NULL;
    }
    *out = server;
    return status;
}

const char *server_library_version(void) {
    return listener_library_version();
}

int server_port(const Server *server) {
    return listener_port(server->listener);
}

Status server_run(Server *server, Error *err) {
    return listener_run(server->listener, err);
}

void server_free(Server *server) {
    if (!server) return;
    if (server->games) games_stop(server->games); /* no worker wakes the listener any more */
    listener_free(server->listener);
    games_free(server->games);
    free(server);
}
