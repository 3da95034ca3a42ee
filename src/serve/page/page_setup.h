/* page_setup.h - what the WebSocket of a page is told when it is opened: what it may use, and how
 * it sends messages. */
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
