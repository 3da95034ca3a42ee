/* 1. The first line for an engine adds a job that loads the net (begin_loading()). Until the job is
 *    done, engine_line() returns LINE_WAITS, and its caller passes the line again later.
 * 2. end_loading() makes the engine ready, or notes why that is impossible. A failed engine refuses
 *    all lines for a while; the next line after that begins another attempt.
 * 3. If there are too many engines, make_room() unloads one. Its clients stay, but have nothing
 *    pending.
 * 4. A net that is not in the list may be replaced by another net with the same id. renew() sees
 *    this and unloads the old net. */
#include "serve/engines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"

/* Which file is at a path, and when it was written. All members are 0 if there is none. */
typedef struct {
    uint64_t device, inode;
    int64_t bytes, seconds, nanoseconds;
} FileStamp;

typedef enum { ENGINE_UNLOADED, ENGINE_LOADING, ENGINE_READY, ENGINE_FAILED } EngineState;

struct Engine {
    Engines *engines;
    Engine *next;
    ServedNet net;
    FileStamp stamp; /* of the file of a net that is not listed */
    bool listed;
    EngineState state;
    EngineParts parts;
    char failure[400]; /* why the net cannot be loaded */
    double failed_at;
    uint64_t used; /* engines->uses when it was last used */
    EngineClient *clients;
};

struct Engines {
    EnginesSetup setup;
    Engine *first, **end;
    uint64_t uses;
    int64_t searches; /* searches that unloaded engines have begun */
};

void net_id_make(const char *name, int length, int number, char out[NET_ID_MAX]) {
    static const char GOOD[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    char end[16] = "";
    if (number >= 0) snprintf(end, sizeof end, ".%d", number);
    int max = NET_ID_MAX - 16;
    snprintf(out, NET_ID_MAX, "%.*s%s", length < max ? length : max, name, end);
    for (char *at = out; *at; at++) {
        if (!strchr(GOOD, *at)) *at = '-';
    }
}

static FileStamp stamp_file(const char *path) {
    struct stat info;
    if (stat(path, &info)) return (FileStamp){0};
    return (FileStamp){(uint64_t)info.st_dev, (uint64_t)info.st_ino, (int64_t)info.st_size,
                       (int64_t)info.st_mtim.tv_sec, (int64_t)info.st_mtim.tv_nsec};
}

static bool same_stamp(const FileStamp *a, const FileStamp *b) {
    return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes &&
           a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

static Status add(Engines *engines, const ServedNet *net, bool listed, Engine **out, Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (status) return status;
    Engine *engine = *out;
    engine->engines = engines;
    engine->net = *net;
    engine->stamp = listed ? (FileStamp){0} : stamp_file(net->file.text);
    engine->listed = listed;
    *engines->end = engine;
    engines->end = &engine->next;
    return OK;
}

Status engines_new(const EnginesSetup *setup, Engines **out, Error *err) {
    Engines *engines;
    Engine *engine;
    *out = NULL;
    Status status = mem_new(1, sizeof *engines, &engines, err);
    if (status) return status;
    engines->setup = *setup;
    engines->end = &engines->first;
    for (int i = 0; i < setup->net_count && !status; i++)
        status = add(engines, &setup->nets[i], true, &engine, err);
    if (status)
        engines_free(engines);
    else
        *out = engines;
    return status;
}

static void unload(Engine *engine) {
    const EngineSource *source = &engine->engines->setup.source;
    for (EngineClient *client = engine->clients; client; client = client->next)
        analysis_leave(engine->parts.analysis, &client->client);
    engine->engines->searches += analysis_work(engine->parts.analysis).searches;
    source->close(source->context, &engine->parts);
    engine->parts = (EngineParts){0};
    engine->state = ENGINE_UNLOADED;
}

void engines_free(Engines *engines) {
    if (!engines) return;
    for (Engine *engine = engines->first, *next; engine; engine = next) {
        next = engine->next;
        if (engine->state == ENGINE_READY) unload(engine);
        free(engine);
    }
    free(engines);
}

static bool is_idle(const Engine *engine) {
    for (const EngineClient *client = engine->clients; client; client = client->next) {
        if (analysis_pending(engine->parts.analysis, &client->client)) return false;
    }
    return true;
}

/* If another file now belongs to the id of a net that is not listed, takes this file. Returns false
 * if the net is not there any more, neither as a file nor in memory. */
static bool renew(Engine *engine) {
    const EnginesSetup *setup = &engine->engines->setup;
    FileStamp stamp = stamp_file(engine->net.file.text);
    ServedNet net;
    bool busy =
        engine->state == ENGINE_LOADING || (engine->state == ENGINE_READY && !is_idle(engine));
    if (busy || (stamp.inode && same_stamp(&stamp, &engine->stamp))) return true;
    if (!setup->find(setup->context, engine->net.id, &net)) return engine->state == ENGINE_READY;
    stamp = stamp_file(net.file.text);
    if (same_stamp(&stamp, &engine->stamp) && strcmp(net.file.text, engine->net.file.text) == 0)
        return true;
    if (engine->state == ENGINE_READY) unload(engine);
    engine->state = ENGINE_UNLOADED;
    engine->net = net;
    engine->stamp = stamp;
    return true;
}

Engine *engines_find(Engines *engines, const char *id) {
    const EnginesSetup *setup = &engines->setup;
    ServedNet net;
    if (!id) return engines->first;
    for (Engine *engine = engines->first; engine; engine = engine->next) {
        if (strcmp(engine->net.id, id) == 0) return engine->listed || renew(engine) ? engine : NULL;
    }
    Engine *engine = NULL;
    bool found = setup->find && setup->find(setup->context, id, &net);
    if (found && add(engines, &net, false, &engine, NULL)) engine = NULL;
    return engine;
}

Engine *engines_fitting(Engines *engines, int width, int height) {
    for (Engine *engine = engines->first; engine; engine = engine->next) {
        const ServedNet *net = &engine->net;
        if (engine->listed && net->width == width && net->height == height) return engine;
    }
    return engines->first;
}

static json_t *describe(const Engine *engine) {
    const ServedNet *net = &engine->net;
    json_t *object = json_pack("{s:s,s:s,s:s,s:b}", "id", net->id, "name", net->title, "file",
                               net->file.text, "loaded", engine->state == ENGINE_READY);
    if (object && net->width)
        json_object_set_new(object, "board", json_pack("[i,i]", net->width, net->height));
    if (object && *net->boards) json_object_set_new(object, "boards", json_string(net->boards));
    return object;
}

json_t *engines_list(const Engines *engines) {
    json_t *list = json_array();
    for (const Engine *engine = engines->first; engine; engine = engine->next) {
        if (engine->listed) json_array_append_new(list, describe(engine));
    }
    return list;
}

int engines_loaded(const Engines *engines) {
    int count = 0;
    for (const Engine *engine = engines->first; engine; engine = engine->next)
        count += engine->state == ENGINE_READY;
    return count;
}

AnalysisWork engines_work(const Engines *engines) {
    AnalysisWork sum = {.searches = engines->searches};
    for (const Engine *engine = engines->first; engine; engine = engine->next) {
        if (engine->state != ENGINE_READY) continue;
        AnalysisWork work = analysis_work(engine->parts.analysis);
        sum.waiting += work.waiting;
        sum.searches += work.searches;
    }
    return sum;
}

const ServedNet *engine_net(const Engine *engine) {
    return &engine->net;
}

/* If the maximum number of engines is in memory, unloads the engine that was used longest ago.
 * Returns false if all are in use. */
static bool make_room(Engines *engines) {
    Engine *oldest = NULL;
    int count = 0;
    for (Engine *engine = engines->first; engine; engine = engine->next) {
        count += engine->state == ENGINE_READY || engine->state == ENGINE_LOADING;
        if (engine->state == ENGINE_READY && (!oldest || engine->used < oldest->used) &&
            is_idle(engine))
            oldest = engine;
    }
    if (count < engines->setup.loaded_max) return true;
    if (oldest) unload(oldest);
    return oldest != NULL;
}

static void note_loaded(Engine *engine, Status status, const Error *err) {
    engine->state = status ? ENGINE_FAILED : ENGINE_READY;
    if (!status) return;
    engine->failed_at = clock_seconds();
    snprintf(engine->failure, sizeof engine->failure, "The net %.100s cannot be used: %.250s",
             engine->net.id, err->message);
}

Status engine_load(Engine *engine, Error *err) {
    const EngineSource *source = &engine->engines->setup.source;
    Error own = {0};
    engine->used = ++engine->engines->uses;
    if (engine->state == ENGINE_READY) return OK;
    Status status = source->open(source->context, engine->net.file.text, &engine->parts, &own);
    note_loaded(engine, status, &own);
    return status ? fail(err, status, "%s", own.message) : OK;
}

typedef struct {
    Engine *engine;
    EngineParts parts;
    Status status;
    Error err;
} Loading;

static void load(void *argument) {
    Loading *loading = argument;
    const EngineSource *source = &loading->engine->engines->setup.source;
    loading->status = source->open(source->context, loading->engine->net.file.text, &loading->parts,
                                   &loading->err);
}

static void end_loading(void *argument, bool done) {
    Loading *loading = argument;
    if (done) {
        loading->engine->parts = loading->parts;
        note_loaded(loading->engine, loading->status, &loading->err);
    } else {
        loading->engine->state = ENGINE_UNLOADED;
    }
    free(loading);
}

static bool begin_loading(Engine *engine, Fault *fault) {
    Engines *engines = engine->engines;
    Loading *loading;
    if (!make_room(engines))
        return fault_set(
            fault, "nets_busy", "net",
            "The server has as many nets in memory as it may have, and all of them are in "
            "use. Try again later, or start the server with a higher --max-nets.");
    if (mem_new(1, sizeof *loading, &loading, NULL))
        return fault_set(fault, "no_memory", NULL, "The server has no memory for this net.");
    loading->engine = engine;
    if (jobs_put(engines->setup.jobs, &(Job){load, end_loading, loading}, NULL)) {
        free(loading);
        return fault_set(fault, "no_memory", NULL, "The server has no memory for this net.");
    }
    engine->state = ENGINE_LOADING;
    return true;
}

/* Makes the client one of the engine. */
static void enter(Engine *engine, EngineClient *client) {
    if (client->engine) return;
    client->engine = engine;
    client->next = engine->clients;
    engine->clients = client;
}

LineAnswer engine_line(Engine *engine, EngineClient *client, const char *line, Fault *fault) {
    bool failed_now = engine->state == ENGINE_FAILED &&
                      clock_seconds() - engine->failed_at < ENGINE_RETRY_SECONDS;
    engine->used = ++engine->engines->uses;
    if (failed_now) {
        fault_set(fault, "bad_net", "net", "%s", engine->failure);
        return LINE_REFUSED;
    }
    if (engine->state == ENGINE_LOADING) return LINE_WAITS;
    if (engine->state != ENGINE_READY)
        return begin_loading(engine, fault) ? LINE_WAITS : LINE_REFUSED;
    enter(engine, client);
    if (!analysis_has_room(engine->parts.analysis, &client->client)) {
        (void)analysis_line_ahead(engine->parts.analysis, &client->client, line);
        return LINE_WAITS;
    }
    analysis_line(engine->parts.analysis, &client->client, line);
    return LINE_TAKEN;
}

void engine_stop(EngineClient *client, const char *line) {
    const Engine *engine = client->engine;
    if (engine && engine->state == ENGINE_READY)
        (void)analysis_line_ahead(engine->parts.analysis, &client->client, line);
}

void engine_leave(EngineClient *client) {
    Engine *engine = client->engine;
    if (!engine) return;
    if (engine->state == ENGINE_READY) analysis_leave(engine->parts.analysis, &client->client);
    EngineClient **at = &engine->clients;
    while (*at != client)
        at = &(*at)->next;
    *at = client->next;
    client->engine = NULL;
    client->next = NULL;
}
