#include "serve/analysis_socket.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { UNSENT_BYTES_MAX = 1 << 20 }; /* above it, a client gets no reports and no new searches */

typedef struct {
    EngineClient client;
    Engine *engine;
    Connection *connection;
} AnalysisSocket;

static bool write_answer(void *context, const char *line, size_t length) {
    return connection_send(context, line, length);
}

static size_t unread_bytes(const void *context) {
    return connection_unsent(context);
}

Status analysis_socket_open(Engine *engine, Connection *connection, void **session, Error *err) {
    AnalysisSocket *socket;
    Status status = mem_new(1, sizeof *socket, &socket, err);
    if (status) return status;
    socket->engine = engine;
    socket->connection = connection;
    socket->client.client = (AnalysisClient){.write = write_answer,
                                             .unread_bytes = unread_bytes,
                                             .unread_bytes_max = UNSENT_BYTES_MAX,
                                             .context = connection};
    *session = socket;
    return OK;
}

/* Answers a line that the engine cannot take, in the form of the protocol. */
static void refuse(const AnalysisSocket *socket, const char *line, const Fault *fault) {
    json_t *object = NULL, *answer = json_pack("{s:s}", "error", fault->message);
    if (!json_parse(line, strlen(line), &object, NULL) && answer) {
        json_t *id = json_object_get(object, "id");
        if (json_is_string(id)) json_object_set(answer, "id", id);
    }
    char *text = answer ? json_dumps(answer, JSON_COMPACT) : NULL;
    if (text) (void)connection_send(socket->connection, text, strlen(text));
    free(text);
    json_decref(answer);
    json_decref(object);
}

bool analysis_socket_line(void *session, const char *line) {
    AnalysisSocket *socket = session;
    Fault fault = {0};
    LineAnswer answer = engine_line(socket->engine, &socket->client, line, &fault);
    if (answer == LINE_REFUSED) refuse(socket, line, &fault);
    return answer != LINE_WAITS;
}

void analysis_socket_close(void *session) {
    AnalysisSocket *socket = session;
    engine_leave(&socket->client);
    free(socket);
}
