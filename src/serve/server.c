#include "serve/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "serve/analysis_socket.h"
#include "serve/event_stream.h"
#include "serve/games/games.h"
#include "serve/http/assets.h"
#include "serve/http_ops.h"
#include "serve/page/page_socket.h"

/* How often all pages together may begin a game: ..._AT_ONCE games at once, and then ..._PER_SECOND
 * games per second (rate_limit.h). */
static const double NEW_GAMES_PER_SECOND = 5, NEW_GAMES_AT_ONCE = 200;

struct Server {
    ServerSetup setup;
    Listener *listener;
    Jobs *jobs;
    Engines *engines;
    Games *games;
    HttpOps *http_ops;
    RunWatch watch;
    EventStreams streams;
    RateLimit new_games;
    double started; /* in clock_seconds() */
};

static const char JSON[] = "application/json", SGF[] = "application/x-go-sgf; charset=utf-8",
                  GAMES_PATH[] = "/api/v1/games/", RUNS_PATH[] = "/api/v1/runs/",
                  NET_SOCKETS[] = "/ws/analysis/";

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
    const ServedNet *net = engine_net(engines_find(server->engines, NULL));
    json_t *object = json_pack("{s:{s:s,s:s,s:s},s:i,s:{s:s,s:s,s:s},s:i,s:i,s:i,s:{s:i,s:i,s:i}}",
                               "program", "name", "Aji", "version", setup->version, "revision",
                               setup->revision, "protocol", 1, "net", "name", net->title, "id",
                               net->id, "file", net->file.text, "nets", setup->net_count, "threads",
                               setup->threads, "clients", listener_clients(server->listener),
                               "limits", "clients", setup->listener.clients_max, "message_bytes",
                               setup->listener.message_bytes_max, "nets", setup->nets_max);
    if (object && setup->read_only) json_object_set_new(object, "read_only", json_true());
    if (object && setup->visits_max) {
        json_t *limits = json_object_get(object, "limits");
        json_object_set_new(limits, "visits", json_integer(setup->visits_max));
        json_object_set_new(limits, "strength", json_real(game_strength_max(setup->visits_max)));
    }
    return object;
}

/* Answers with an object, or with an error if it is NULL, and frees it. */
static void answer_json(json_t *object, HttpAnswer *out) {
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    *out = (HttpAnswer){.code = text ? 200 : http_code("no_memory"), .type = JSON};
    strbuf_add(&out->body, text ? text : "{\"error\":{\"code\":\"no_memory\"}}");
    strbuf_add(&out->body, "\n");
    free(text);
    json_decref(object);
}

static void answer_server(const Server *server, HttpAnswer *out) {
    answer_json(describe(server), out);
}

static void answer_nets(const Server *server, HttpAnswer *out) {
    answer_json(json_pack("{s:o}", "nets", engines_list(server->engines)), out);
}

/* Adds a number in Prometheus' text form ("Exposition formats" in its documentation). */
static void add_metric(StrBuf *out, const char *name, const char *type, const char *help,
                       double value) {
    strbuf_addf(out, "# HELP aji_%s %s\n# TYPE aji_%s %s\naji_%s %.15g\n", name, help, name, type,
                name, value);
}

static void answer_metrics(const Server *server, HttpAnswer *out) {
    const ServerSetup *setup = &server->setup;
    const ListenerCounts counts = listener_counts(server->listener);
    const AnalysisWork work = engines_work(server->engines);
    const struct {
        const char *name, *type, *help;
        double value;
    } METRICS[] = {
        {"uptime_seconds", "gauge", "Time since the server started.",
         clock_seconds() - server->started},
        {"clients", "gauge", "WebSockets and streams of events that are open.",
         listener_clients(server->listener)},
        {"clients_max", "gauge", "WebSockets and streams that may be open at a time.",
         setup->listener.clients_max},
        {"clients_total", "counter", "WebSockets and streams that were opened.",
         (double)counts.clients},
        {"clients_cut_off_total", "counter", "Clients that were cut off because they did not read.",
         (double)counts.cut_off},
        {"http_requests_total", "counter", "Requests of HTTP.", (double)counts.requests},
        {"access_refused_total", "counter",
         "Requests, also for WebSockets, of clients that may not use the server (codes 400, 401 "
         "and 403).",
         (double)counts.access_refused},
        {"refused_total", "counter",
         "All requests, also for WebSockets, that were answered with a code from 400 on.",
         (double)counts.refused},
        {"messages_received_total", "counter", "Messages of clients.", (double)counts.messages_in},
        {"messages_sent_total", "counter",
         "Messages of WebSockets and parts of streams to clients.", (double)counts.messages_out},
        {"received_bytes_total", "counter", "Bytes of messages of clients.",
         (double)counts.bytes_in},
        {"sent_bytes_total", "counter", "Bytes of messages and streams to clients.",
         (double)counts.bytes_out},
        {"wakeups_total", "counter",
         "Times that the thread of the server woke up: because a client did something, because "
         "there was something to send, or because a second had passed.",
         (double)counts.wakeups},
        {"nets", "gauge", "Nets that the server was given.", setup->net_count},
        {"nets_loaded", "gauge", "Nets that are in memory.", engines_loaded(server->engines)},
        {"positions_waiting", "gauge", "Positions that wait for a search.", work.waiting},
        {"searches_total", "counter", "Searches that have begun.", (double)work.searches},
        {"games", "gauge", "Games in memory.", games_count(server->games)}};
    *out = (HttpAnswer){.code = 200, .type = "text/plain; version=0.0.4; charset=utf-8"};
    strbuf_addf(&out->body,
                "# HELP aji_build_info The version of the program.\n# TYPE aji_build_info gauge\n"
                "aji_build_info{version=\"%s\",revision=\"%s\"} 1\n",
                setup->version, setup->revision);
    for (size_t i = 0; i < sizeof METRICS / sizeof *METRICS; i++)
        add_metric(&out->body, METRICS[i].name, METRICS[i].type, METRICS[i].help, METRICS[i].value);
}

static const struct {
    const char *path;
    void (*answer)(const Server *server, HttpAnswer *out);
} ROUTES[] = {{"/", answer_page},
              {"/healthz", answer_health},
              {"/metrics", answer_metrics},
              {"/api/v1/server", answer_server},
              {"/api/v1/nets", answer_nets}};

/* Answers the path of a game, which is GAME.sgf below GAMES_PATH. Returns false if there is no such
 * game. */
static bool answer_game(Server *server, const char *path, HttpAnswer *out) {
    char name[GAME_NAME_LENGTH + 1];
    if (server->setup.read_only) return false;
    if (strlen(path) != GAME_NAME_LENGTH + 4 || !path_has_ending(path, ".sgf")) return false;
    memcpy(name, path, GAME_NAME_LENGTH);
    name[GAME_NAME_LENGTH] = 0;
    *out = (HttpAnswer){.code = 200, .type = SGF};
    if (games_write(server->games, name, &out->body)) return true;
    strbuf_clear(&out->body);
    *out = (HttpAnswer){0};
    return false;
}

/* What a server does with a kind of WebSocket. */
typedef struct {
    Status (*open)(Server *server, const char *path, Connection *connection, void **session,
                   Error *err);
    bool (*line)(void *session, const char *line);
    void (*close)(void *session);
} SocketKind;

/* A WebSocket of any kind, or a stream of events. */
typedef struct {
    const SocketKind *kind;
    void *session; /* of this kind */
} Socket;

static void close_stream(void *session) {
    event_stream_close(session);
}

static const SocketKind EVENT_STREAM = {.close = close_stream};

static void answer_fault(const Fault *fault, int code, HttpAnswer *out) {
    answer_json(json_pack("{s:o}", "error", fault_json(fault)), out);
    if (out->code == 200) out->code = code;
}

/* Makes a stream of the run, without its connection. NULL: the fault is set, or there is no
 * memory. */
static EventStream *make_stream(Server *server, const char *id, const HttpRequest *request,
                                Fault *fault) {
    static const char HEADER[] = "Last-Event-ID";
    char text[sizeof(EventCursorText)];
    EventCursor last;
    EventStream *stream;
    Path folder;
    bool has_last = http_request_header(request, "last-event-id:", text, sizeof text) >= 0;
    if (!server->setup.runs || !runs_find(server->setup.runs, id, &folder))
        fault_set(fault, "no_run", "run", "This server shows no run %.100s.", id);
    else if (has_last && !event_cursor_parse(text, &last))
        fault_set(fault, "bad_field", HEADER,
                  "The header Last-Event-ID is not the id of an event of this server. Without the "
                  "header, the stream begins with the present; with the id 0, it begins with all "
                  "that the files of the run have.");
    else if (!event_stream_new(&server->streams, id, folder.text, has_last ? &last : NULL, &stream,
                               NULL))
        return stream;
    return NULL;
}

/* Answers RUN/events below RUNS_PATH. Returns false if the path has another form. */
static bool answer_events(Server *server, const char *path, HttpRequest *request, HttpAnswer *out) {
    char id[NET_ID_MAX];
    size_t length = strcspn(path, "/");
    Socket *socket = NULL;
    Connection *connection = NULL;
    Fault fault = {0};
    if (!length || length >= sizeof id || strcmp(path + length, "/events") != 0) return false;
    snprintf(id, sizeof id, "%.*s", (int)length, path);
    EventStream *stream = make_stream(server, id, request, &fault);
    if (stream && !mem_new(1, sizeof *socket, &socket, NULL)) {
        *socket = (Socket){&EVENT_STREAM, stream};
        connection = http_request_stream(request, "text/event-stream", socket, out);
    }
    if (connection) {
        event_stream_begin(stream, connection);
        return true;
    }
    event_stream_close(stream);
    free(socket);
    if (!fault.code && !out->code)
        fault_set(&fault, "no_memory", NULL, "The server has no memory for a stream.");
    if (fault.code) answer_fault(&fault, http_code(fault.code), out);
    return true;
}

/* Answers GET of a path that is not that of a request of the page (http_ops.h). Returns false if
 * there is no such path. */
static bool answer_get(Server *server, const char *path, HttpRequest *request, HttpAnswer *out) {
    size_t games = sizeof GAMES_PATH - 1, runs = sizeof RUNS_PATH - 1;
    if (assets_answer(path, out)) return true;
    for (size_t i = 0; i < sizeof ROUTES / sizeof *ROUTES; i++) {
        if (strcmp(path, ROUTES[i].path) != 0) continue;
        ROUTES[i].answer(server, out);
        return true;
    }
    if (strncmp(path, GAMES_PATH, games) == 0) return answer_game(server, path + games, out);
    return strncmp(path, RUNS_PATH, runs) == 0 && answer_events(server, path + runs, request, out);
}

static void answer(void *context, const char *path, HttpRequest *request, HttpAnswer *out) {
    Server *server = context;
    Fault fault = {0};
    bool is_post = http_request_body(request) != NULL;
    if (!is_post && answer_get(server, path, request, out)) return;
    if (http_ops_take(server->http_ops, path, request)) return;
    if (!is_post && http_ops_takes_post(path)) {
        fault_set(&fault, "bad_method", NULL, "This address answers only POST.");
        answer_fault(&fault, 405, out);
    } else {
        fault_set(&fault, "not_found", NULL,
                  "There is nothing at this path. GET / says what there is.");
        answer_fault(&fault, 404, out);
    }
}

static bool takes_post(void *context, const char *path) {
    (void)context;
    return http_ops_takes_post(path);
}

static bool is_public(void *context, const char *path) {
    (void)context;
    return assets_have(path);
}

/* The engine of a WebSocket of analysis. NULL: no such WebSocket is at this path, the path names a
 * net that the server does not have, or the server is read-only. */
static Engine *find_engine(const Server *server, const char *path) {
    size_t prefix = sizeof NET_SOCKETS - 1;
    if (server->setup.read_only) return NULL;
    if (strcmp(path, "/ws/analysis") == 0) return engines_find(server->engines, NULL);
    return strncmp(path, NET_SOCKETS, prefix) == 0 ? engines_find(server->engines, path + prefix)
                                                   : NULL;
}

static Status open_analysis(Server *server, const char *path, Connection *connection,
                            void **session, Error *err) {
    return analysis_socket_open(find_engine(server, path), connection, session, err);
}

static bool send_to_page(void *connection, const char *text, size_t length) {
    return connection_send(connection, text, length);
}

static size_t unsent_to_page(const void *connection) {
    return connection_unsent(connection);
}

/* The setup of a page, without its connection. */
static PageSetup page_setup(Server *server) {
    return (PageSetup){.engines = server->engines,
                       .games = server->games,
                       .jobs = server->jobs,
                       .runs = server->setup.runs,
                       .watch = &server->watch,
                       .new_games = &server->new_games,
                       .read_only = server->setup.read_only,
                       .visits_max =
                           server->setup.visits_max ? server->setup.visits_max : SERVED_VISITS_MAX,
                       .describe = describe,
                       .server = server};
}

static Status open_page(Server *server, const char *path, Connection *connection, void **session,
                        Error *err) {
    PageSocket *socket;
    PageSetup setup = page_setup(server);
    (void)path;
    setup.send = send_to_page;
    setup.unsent = unsent_to_page;
    setup.connection = connection;
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

static const SocketKind ANALYSIS_SOCKET = {open_analysis, analysis_socket_line,
                                           analysis_socket_close},
                        PAGE_SOCKET = {open_page, page_line, close_page};

/* The kind of the WebSocket at a path, or NULL if there is none. */
static const SocketKind *find_kind(const Server *server, const char *path) {
    if (strcmp(path, "/ws") == 0) return &PAGE_SOCKET;
    return find_engine(server, path) ? &ANALYSIS_SOCKET : NULL;
}

static bool has_socket(void *context, const char *path) {
    return find_kind(context, path) != NULL;
}

static Status open_socket(void *context, const char *path, Connection *connection, void **session,
                          Error *err) {
    Socket *socket;
    Status status = mem_new(1, sizeof *socket, &socket, err);
    if (status) return status;
    socket->kind = find_kind(context, path);
    status = socket->kind->open(context, path, connection, &socket->session, err);
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
    Server *server = context;
    jobs_tend(server->jobs);
    http_ops_tend(server->http_ops);
    games_tend(server->games);
    run_watch_tend(&server->watch);
    event_streams_tend(&server->streams);
}

static void wake(void *context) {
    const Server *server = context;
    listener_wake(server->listener);
}

/* EnginesSetup.find: the nets of the runs. */
static bool find_net(void *context, const char *id, ServedNet *out) {
    const Server *server = context;
    return server->setup.runs && runs_find_net(server->setup.runs, id, out);
}

/* Makes the table of engines, and loads the first net if clients may use it. */
static Status begin_engines(Server *server, Error *err) {
    const ServerSetup *setup = &server->setup;
    Status status = jobs_new(&(JobsSetup){wake, server}, &server->jobs, err);
    if (!status)
        status = engines_new(&(EnginesSetup){.nets = setup->nets,
                                             .net_count = setup->net_count,
                                             .loaded_max = setup->nets_max,
                                             .source = setup->source,
                                             .jobs = server->jobs,
                                             .find = find_net,
                                             .context = server},
                             &server->engines, err);
    if (status || setup->read_only) return status;
    return engine_load(engines_find(server->engines, NULL), err);
}

static Status begin_games(Server *server, Error *err) {
    const ServerSetup *setup = &server->setup;
    return games_new(&(GamesSetup){.engines = server->engines,
                                   .search = setup->search,
                                   .resign = setup->resign,
                                   .folder = setup->games,
                                   .wake = wake,
                                   .context = server},
                     &server->games, err);
}

Status server_new(const ServerSetup *setup, Server **out, Error *err) {
    Server *server;
    Status status = mem_new(1, sizeof *server, &server, err);
    if (status) return status;
    server->setup = *setup;
    server->started = clock_seconds();
    server->new_games = (RateLimit){NEW_GAMES_PER_SECOND, NEW_GAMES_AT_ONCE, 0, 0};
    server->setup.listener.handlers = (ListenerHandlers){.answer = answer,
                                                         .takes_post = takes_post,
                                                         .is_public = is_public,
                                                         .has_socket = has_socket,
                                                         .open = open_socket,
                                                         .line = socket_line,
                                                         .close = close_socket,
                                                         .tend = tend};
    server->setup.listener.context = server;
    server->watch = (RunWatch){.runs = server->setup.runs};
    status = begin_engines(server, err);
    server->streams = (EventStreams){.watch = &server->watch,
                                     .jobs = server->jobs,
                                     .keep_alive_seconds = setup->keep_alive_seconds};
    if (!status) status = begin_games(server, err);
    const PageSetup page = page_setup(server);
    if (!status) status = http_ops_new(&page, wake, server, &server->http_ops, err);
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
    http_ops_free(server->http_ops);
    jobs_free(server->jobs);
    listener_free(server->listener);
    games_free(server->games);
    engines_free(server->engines);
    free(server);
}
