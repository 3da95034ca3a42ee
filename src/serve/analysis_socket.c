#include "serve/analysis_socket.h"

#include <stdlib.h>

#include "base/memory.h"

enum { UNSENT_BYTES_MAX = 1 << 20 }; /* above it, a client gets no reports and no new searches */

typedef struct {
    AnalysisClient client;
    Analysis *analysis;
} AnalysisSocket;

static bool write_answer(void *context, const char *line, size_t length) {
    return connection_send(context, line, length);
}

static size_t unread_bytes(const void *context) {
    return connection_unsent(context);
}

Status analysis_socket_open(Analysis *analysis, Connection *connection, void **session,
                            Error *err) {
    AnalysisSocket *socket;
    Status status = mem_new(1, sizeof *socket, &socket, err);
    if (status) return status;
    socket->analysis = analysis;
    socket->client = (AnalysisClient){.write = write_answer,
                                      .unread_bytes = unread_bytes,
                                      .unread_bytes_max = UNSENT_BYTES_MAX,
                                      .context = connection};
    *session = socket;
    return OK;
}

bool analysis_socket_line(void *session, const char *line) {
    AnalysisSocket *socket = session;
    if (analysis_has_room(socket->analysis, &socket->client)) {
        analysis_line(socket->analysis, &socket->client, line);
        return true;
    }
    (void)analysis_line_ahead(socket->analysis, &socket->client, line);
    return false;
}

void analysis_socket_close(void *session) {
    AnalysisSocket *socket = session;
    analysis_leave(socket->analysis, &socket->client);
    free(socket);
}
