/* server.h - what the server of `aji serve` answers at each address:
 *   GET /                the page (assets.h), or a note that the program was built without it
 *   GET /healthz         "ok"
 *   GET /api/v1/server   program, net, limits and present clients, as JSON
 *   GET /api/v1/games/GAME.sgf   a game of the page, as SGF
 *   /ws/analysis         a WebSocket with KataGo's protocol of analysis
 *   /ws                  the WebSocket of the page (page_socket.h)
 * Threading: confined. */
#pragma once
#include "protocol/analysis/analysis.h"
#include "search/result/resign.h"
#include "search/tree/search_settings.h"
#include "serve/listener.h"

typedef struct {
    Analysis *analysis;             /* borrowed */
    const char *version, *revision; /* of this program */
    const char *net;                /* its name, for clients */
    int threads;                    /* that search */
    const char *games;              /* the folder of the games of the page */
    const SearchSettings *search;   /* by which moves in games are chosen; borrowed */
    const ResignSettings *resign;   /* when the engine resigns in games; borrowed */
    /* Where it listens, who may use it, and its limits. The handlers and the context are not
     * read. */
    ListenerSetup listener;
} ServerSetup;

typedef struct Server Server;
/* Begins to listen. Copies the setup. ERR_IO: the address cannot be used, no port is free, or the
 * system has no random numbers. */
MUST_USE Status server_new(const ServerSetup *setup, Server **out, Error *err);
int server_port(const Server *server);
const char *server_library_version(void); /* of libwebsockets, such as "4.1.6" */
/* Serves until stop_requested(). */
MUST_USE Status server_run(Server *server, Error *err);
void server_free(Server *server); /* NULL is fine; call it before analysis_free() */
