/* server.h - what the server of `aji serve` answers at each address:
 *   GET /                the page (assets.h), or a note that the program was built without it
 *   GET /healthz         "ok"
 *   GET /metrics         numbers for Prometheus
 *   GET /api/v1/server   program, net, limits and present clients, as JSON
 *   GET /api/v1/nets     the nets, as JSON
 *   GET /api/v1/games/GAME.sgf   a game of the page, as SGF
 *   GET /api/v1/runs/RUN/events   the news of a run, as a stream without an end (event_stream.h)
 *   /ws/analysis         a WebSocket with KataGo's protocol of analysis and the first net
 *   /ws/analysis/NET     the same with another net, which its id names
 *   /ws                  the WebSocket of the page (page_socket.h)
 * Threading: confined. */
#pragma once
#include "search/result/resign.h"
#include "search/tree/search_settings.h"
#include "serve/engines.h"
#include "serve/http/listener.h"
#include "serve/runs.h"

typedef struct {
    const ServedNet *nets;          /* the first is loaded at once */
    int net_count;                  /* at least 1 */
    int nets_max;                   /* that are in memory at a time; at least 1 */
    EngineSource source;            /* how the nets are loaded */
    const char *version, *revision; /* of this program */
    int threads;                    /* of an engine */
    int visits_max;                 /* of a search, as the engines bound it; 0: no bound */
    bool read_only;                 /* only runs are shown: no net is loaded, no game is played */
    const RunRoots *runs;           /* where runs are looked for; borrowed; NULL: there are none */
    const char *games;              /* the folder of the games of the page */
    const SearchSettings *search;   /* by which moves in games are chosen; borrowed */
    const ResignSettings *resign;   /* when the engine resigns in games; borrowed */
    double keep_alive_seconds;      /* how long a stream of events may be silent */
    /* Where it listens, who may use it, and its limits. The handlers and the context are not
     * read. */
    ListenerSetup listener;
} ServerSetup;

typedef struct Server Server;
/* Loads the first net, unless the server is read-only, and begins to listen. Copies the setup and
 * the nets. ERR_IO: the address cannot be used, no port is free, or the system has no random
 * numbers. Other errors are those of source.open(). */
MUST_USE Status server_new(const ServerSetup *setup, Server **out, Error *err);
int server_port(const Server *server);
const char *server_library_version(void); /* of libwebsockets, such as "4.1.6" */
/* Serves until stop_requested(). */
MUST_USE Status server_run(Server *server, Error *err);
void server_free(Server *server); /* NULL is fine */
