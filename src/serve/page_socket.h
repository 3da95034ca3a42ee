/* page_socket.h - the WebSocket of the page: each message is a JSON object. A request has "op" and
 * "id", its answer has the same "id", and messages that answer no request have "topic".
 * docs/SERVER.md lists the requests.
 * Threading: confined to one thread; the workers of the engine call only setup.send(). */
#pragma once
#include "serve/games/games.h"
#include "serve/http/rate_limit.h"
#include "serve/run_watch.h"
#include "serve/runs.h"

typedef struct {
    Engines *engines;     /* borrowed */
    Games *games;         /* borrowed */
    Jobs *jobs;           /* borrowed */
    const RunRoots *runs; /* borrowed; NULL: the server shows no runs */
    RateLimit *new_games; /* of all pages together; borrowed */
    RunWatch *watch;      /* borrowed */
    int visits_max;       /* of a search in a game */
    bool read_only;       /* refuse all requests about analyses and games */
    /* Describes the server, as GET /api/v1/server does. NULL: no memory. */
    json_t *(*describe)(const void *server);
    const void *server;
    /* Sends a message to the page. Any thread may call it. */
    bool (*send)(void *connection, const char *text, size_t length);
    size_t (*unsent)(const void *connection); /* bytes that the page has not taken yet */
    void *connection;
} PageSetup;

typedef struct PageSocket PageSocket;
/* Copies the setup. ERR_MEMORY. */
MUST_USE Status page_socket_open(const PageSetup *setup, PageSocket **out, Error *err);
/* Handles a message, which is one line. Returns false if there is no room for it now; it is then to
 * be passed again later. */
bool page_socket_line(PageSocket *socket, const char *line);
/* Ends the session. setup.send() is not called afterwards. Jobs of the page may still run, but they
 * do not use the socket. */
void page_socket_close(PageSocket *socket);
