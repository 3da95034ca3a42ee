#include "serve/server.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "serve/analysis_socket.h"
#include "serve/assets.h"

struct Server {
    ServerSetup setup;
    Listener *listener;
};

static const char ANALYSIS_PATH[] = "/ws/analysis", JSON[] = "application/json";

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

static void answer_server(const Server *server, HttpAnswer *out) {
    const ServerSetup *setup = &server->setup;
    json_t *object = json_pack(
        "{s:{s:s,s:s,s:s},s:i,s:{s:s},s:i,s:i,s:{s:i,s:i}}", "program", "name", "Aji", "version",
        setup->version, "revision", setup->revision, "protocol", 1, "net", "name", setup->net,
        "threads", setup->threads, "clients", listener_clients(server->listener), "limits",
        "clients", setup->listener.clients_max, "message_bytes", setup->listener.message_bytes_max);
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

static void answer(void *context, const char *path, HttpAnswer *out) {
    if (assets_answer(path, out)) return;
    for (size_t i = 0; i < sizeof ROUTES / sizeof *ROUTES; i++) {
        if (strcmp(path, ROUTES[i].path) != 0) continue;
        ROUTES[i].answer(context, out);
        return;
    }
    *out = (HttpAnswer){.code = 404, .type = JSON};
    strbuf_add(&out->body, "{\"error\":{\"code\":\"not_found\",\"message\":\"There is nothing at "
                           "this path. GET / says what there is.\"}}\n");
}

static bool is_public(void *context, const char *path) {
    (void)context;
    return assets_have(path);
}

static bool has_socket(void *context, const char *path) {
    (void)context;
    return strcmp(path, ANALYSIS_PATH) == 0;
}

static Status open_socket(void *context, Connection *connection, void **session, Error *err) {
    const Server *server = context;
    return analysis_socket_open(server->setup.analysis, connection, session, err);
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
                                                         .line = analysis_socket_line,
                                                         .close = analysis_socket_close};
    server->setup.listener.context = server;
    status = listener_new(&server->setup.listener, &server->listener, err);
    if (status) {
        server_free(server);
        server = NULL;
    }
    *out = server;
    return status;
}

int server_port(const Server *server) {
    return listener_port(server->listener);
}

Status server_run(Server *server, Error *err) {
    return listener_run(server->listener, err);
}

void server_free(Server *server) {
    if (!server) return;
    listener_free(server->listener);
    free(server);
}
