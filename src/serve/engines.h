/* engines.h - the nets of the server. Each has an engine of its own, which is made when it is first
 * used. At most `loaded_max` nets are in memory. If one more is needed, it replaces the net that
 * was used longest ago. A net that somebody waits for is not replaced.
 * Threading: confined to one thread, but the thread of the jobs calls setup.open(), and the workers
 * of an engine write to its clients. */
#pragma once
#include "base/file.h"
#include "base/json.h"
#include "protocol/analysis/analysis.h"
#include "serve/fault.h"
#include "serve/jobs.h"

enum {
    NET_ID_MAX = 128,    /* bytes of an id, with the final 0 */
    NET_TITLE_MAX = 128, /* bytes of a title, with the final 0 */
    ENGINE_RETRY_SECONDS = 5
};

/* A net that the server offers. */
typedef struct {
    char id[NET_ID_MAX];       /* for addresses and requests: letters, digits, '.', '_' and '-' */
    char title[NET_TITLE_MAX]; /* for people */
    Path file;                 /* or "uniform": an evaluator without a net, with equal priors */
    int width, height;         /* the board that it is meant for; 0: unknown */
    char boards[64];           /* the boards that its run plays, for people; "": unknown */
} ServedNet;

/* Writes the id of a net, which is NAME or, if the number is not negative, NAME.NUMBER. Characters
 * that an id must not have become '-'. */
void net_id_make(const char *name, int length, int number, char out[NET_ID_MAX]);

/* The engine of a net, and what else was loaded for it. */
typedef struct {
    Analysis *analysis;
    void *parts; /* for close() */
} EngineParts;

/* How nets become engines. */
typedef struct {
    /* Loads a net. The thread of the jobs may call it. */
    Status (*open)(void *context, const char *file, EngineParts *out, Error *err);
    void (*close)(void *context, EngineParts *parts);
    void *context;
} EngineSource;

typedef struct {
    const ServedNet *nets; /* at least one */
    int net_count;
    int loaded_max; /* at least 1 */
    EngineSource source;
    Jobs *jobs; /* borrowed */
    /* Finds a net that is not in the list. NULL: there are no others. */
    bool (*find)(void *context, const char *id, ServedNet *out);
    void *context;
} EnginesSetup;

typedef struct Engines Engines;
typedef struct Engine Engine; /* of a net; lives as long as the table */

/* Copies the setup and the list. ERR_MEMORY. */
MUST_USE Status engines_new(const EnginesSetup *setup, Engines **out, Error *err);
/* Call it after jobs_free(), and after engine_leave() for all clients. NULL is fine. */
void engines_free(Engines *engines);
/* The engine of the net with this id; NULL stands for the first net of the list. Returns NULL if
 * there is no such net or no memory. If the id of a net that is not in the list now belongs to
 * another file, because its run was made anew, the engine loads this file when it is next used,
 * but not before the engine has answered all its clients. */
Engine *engines_find(Engines *engines, const char *id);
/* The engine for a client that names no net: of the first net of the list that is meant for this
 * board or, if there is none, of the first net. */
Engine *engines_fitting(Engines *engines, int width, int height);
/* The nets of the list, for clients. NULL: no memory. */
json_t *engines_list(const Engines *engines);
int engines_loaded(const Engines *engines); /* how many are in memory */
/* The work of all engines, including engines that are not in memory any more. */
AnalysisWork engines_work(const Engines *engines);

const ServedNet *engine_net(const Engine *engine);
/* Loads the net at once, on this thread. The errors are those of open(). */
MUST_USE Status engine_load(Engine *engine, Error *err);

/* A client of the engine. Its owner sets `client` as for analysis_line(), and the rest to 0. */
typedef struct EngineClient {
    AnalysisClient client;
    struct EngineClient *next; /* of the same engine */
    Engine *engine;            /* the one that engine_line() was last called for, or NULL */
} EngineClient;

typedef enum {
    LINE_TAKEN,
    LINE_WAITS,  /* there is no room for it, or the net is being loaded: pass it again later */
    LINE_REFUSED /* the fault says why the engine cannot be used */
} LineAnswer;
/* Passes a line to the engine, which is loaded first if need be. A client must keep to one engine
 * until engine_leave(). */
LineAnswer engine_line(Engine *engine, EngineClient *client, const char *line, Fault *fault);
/* Carries out a terminate action at once, without an answer. */
void engine_stop(EngineClient *client, const char *line);
/* Drops all queries of the client. Nothing is written to it afterwards. */
void engine_leave(EngineClient *client);
