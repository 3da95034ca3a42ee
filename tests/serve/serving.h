/* serving.h - a server as `aji serve` makes it, in a process of its own, with nets that know
 * nothing; and clients that ask it for pages. */
#pragma once
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/log.h"
#include "base/thread.h"
#include "eval/evaluators/evaluator.h"
#include "search/tree/search_presets.h"
#include "serve/server.h"
#include "serve/socket_client.h"
#include "test_path.h"

typedef struct {
    pid_t process;
    int port;
} Serving;

static char serving_games[sizeof(TestPath)]; /* for all servers of this process */
static RunRoots serving_runs;

static bool serving_read_only; /* ServerSetup.read_only of the next server */

static inline Status serving_make_evaluator(void *context, const EvaluatorSpec *spec,
                                            Evaluator **out, Error *err) {
    (void)context, (void)spec;
    return evaluator_uniform_new(8, out, err);
}

static inline Status serving_open_net(void *context, const char *file, EngineParts *out,
                                      Error *err) {
    AnalysisSetup setup = {.make_evaluator = serving_make_evaluator,
                           .version = "1.2",
                           .revision = "abc",
                           .visits_max = strcmp(file, "deep") == 0 ? 5 : 0,
                           .threads = 2,
                           .positions_at_once = 1};
    (void)context;
    *out = (EngineParts){0};
    if (strcmp(file, "bad") == 0) return (fail)(err, ERR_IO, "there is no bad net");
    settings_defaults(ANALYSIS_FIELDS, &setup.analysis);
    move_limits_set(&setup.analysis.limits, strcmp(file, "deep") == 0 ? 7 : 4, 0);
    search_preset_begin(SEARCH_PRESET_ANALYSIS, &setup.search);
    return analysis_new(&setup, &out->analysis, err);
}

static inline void serving_close_net(void *context, EngineParts *parts) {
    (void)context;
    analysis_free(parts->analysis);
}

/* Serves until SIGTERM. Writes the port to `port_to`, the end of a pipe. Returns the exit code. */
static inline int serving_run(const ListenerSetup *listener, int port_to) {
    static const ServedNet NETS[] = {
        {.id = "uniform", .title = "Uniform", .file = {"uniform"}, .width = 9, .height = 9},
        {.id = "deep", .title = "Deep", .file = {"deep"}},
        {.id = "bad", .title = "Bad", .file = {"bad"}}};
    Server *server;
    SearchSettings search;
    ResignSettings resign;
    search_preset_begin(SEARCH_PRESET_ANALYSIS, &search);
    settings_defaults(RESIGN_FIELDS, &resign);
    stop_install();
    log_to_stderr(LOG_ERROR);
    const ServerSetup setup = {.nets = NETS,
                               .net_count = 3,
                               .nets_max = 1,
                               .source = {serving_open_net, serving_close_net, NULL},
                               .version = "1.2",
                               .revision = "abc",
                               .threads = 2,
                               .visits_max = 100000,
                               .read_only = serving_read_only,
                               .games = serving_games,
                               .runs = &serving_runs,
                               .search = &search,
                               .resign = &resign,
                               .keep_alive_seconds = 1,
                               .listener = *listener};
    if (server_new(&setup, &server, NULL)) return 2;
    int port = server_port(server);
    if (write(port_to, &port, sizeof port) != (ssize_t)sizeof port) return 3;
    Status status = server_run(server, NULL);
    server_free(server);
    return status ? 4 : 0;
}

static inline Serving serving_begin_with(ListenerSetup listener) {
    Serving serving = {0};
    int ends[2];
    snprintf(serving_games, sizeof serving_games, "%s", test_path("games").text);
    listener.address = "127.0.0.1";
    if (!listener.ports) listener.ports = 1;
    if (!listener.clients_max) listener.clients_max = 8;
    if (!listener.message_bytes_max) listener.message_bytes_max = 1 << 16;
    if (listener.silent_seconds_max <= 0) listener.silent_seconds_max = 30;
    EXPECT_INT(0, pipe(ends));
    fflush(NULL);
    serving.process = fork();
    EXPECT_TRUE(serving.process >= 0);
    if (!serving.process) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* if a test fails, the server ends with this process */
        exit(serving_run(&listener, ends[1]));
    }
    close(ends[1]);
    EXPECT_INT(sizeof serving.port, read(ends[0], &serving.port, sizeof serving.port));
    close(ends[0]);
    return serving;
}

static inline Serving serving_begin(void) {
    return serving_begin_with((ListenerSetup){0});
}

/* Stops the server, which must exit with 0. */
static inline void serving_end(const Serving *serving) {
    int status;
    kill(serving->process, SIGTERM);
    EXPECT_INT(serving->process, waitpid(serving->process, &status, 0));
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_INT(0, WEXITSTATUS(status));
}

/* Asks for a WebSocket. Returns the code of the answer. */
static inline int socket_code(int port, const char *path, const char *headers) {
    SocketClient client = client_connect(port);
    char line[256], all[1024];
    snprintf(line, sizeof line, "GET %s", path);
    snprintf(all, sizeof all, "%s" UPGRADE, headers);
    int code = client_request(&client, line, all);
    client_end(&client);
    return code;
}

/* Asks for a page. Returns the code of the answer. */
static inline int page_code(int port, const char *line, const char *host) {
    SocketClient client = client_connect(port);
    int code = client_request(&client, line, host);
    client_end(&client);
    return code;
}

/* Asks for a path, and expects a body with these words. */
static inline void expect_page(int port, const char *path, const char *words) {
    SocketClient client = client_connect(port);
    char line[128];
    snprintf(line, sizeof line, "GET %s", path);
    EXPECT_INT(200, client_request(&client, line, "Host: localhost\r\n"));
    EXPECT_CONTAINS(client.got.text, "content-security-policy: default-src 'none'");
    client_read_body(&client);
    EXPECT_CONTAINS(client.got.text, words);
    EXPECT_FALSE(client_read(&client, 1)); /* the server closes the connection */
    client_end(&client);
}

static inline void expect_refusal(int port, const char *path, int code, const char *words) {
    SocketClient client = client_connect(port);
    char line[800];
    snprintf(line, sizeof line, "GET %s", path);
    EXPECT_INT(code, client_request(&client, line, "Host: localhost\r\n"));
    client_read_body(&client);
    EXPECT_CONTAINS(client.got.text, words);
    client_end(&client);
}
