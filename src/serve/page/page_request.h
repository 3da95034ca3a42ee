/* page_request.h - a request of the page: reads its members, and answers it, at once or later on
 * the thread of the jobs. Threading: confined. */
#pragma once
#include "serve/page/page_setup.h"

enum { PAGE_ID_BYTES_MAX = 200 };

/* The page as a client of one engine. */
typedef struct PageEngine {
    struct PageEngine *next;
    const Engine *engine;
    EngineClient client;
} PageEngine;

/* A request that the thread of the jobs answers. */
typedef struct PageJob {
    struct PageJob *next; /* of the same socket */
    PageSocket *socket;   /* NULL once it is closed */
    char id[PAGE_ID_BYTES_MAX + 1];
    Path file;       /* of a net, or the folder of a run */
    json_t *request; /* a copy */
    const RunRoots *runs;
    json_t *(*work)(const struct PageJob *job, Fault *fault);
    json_t *answer; /* without the id; NULL: the fault is set, or there is no memory */
    Fault fault;
} PageJob;

struct PageSocket {
    PageSetup setup;
    PageJob *jobs; /* those that are not answered yet */
    int job_count;
    PageEngine *engines; /* those that the page has used */
    GameViewer viewer;
    RunWatcher watcher;
    RateLimit new_games;
};

typedef struct {
    PageSocket *socket;
    const json_t *object;
    const char *id;
    Fault fault;
    bool has_no_room;   /* the request must be passed again later */
    bool answers_later; /* the engine will answer it */
} PageRequest;

/* A kind of request. `run` returns the answer without its id. It returns NULL if the fault is set,
 * if there is nothing to answer yet, or if there is no memory. */
typedef struct {
    const char *name;
    json_t *(*run)(PageRequest *request);
} PageOp;

/* Reads a member that must be a text. If it is not, sets the fault and returns NULL. */
const char *page_request_text(PageRequest *request, const char *field);
/* Reads a member that must be an integer within the bounds. If the member is missing, this is a
 * fault if it is `wanted`; otherwise `*out` stays. */
bool page_request_integer(PageRequest *request, const char *field, bool wanted, int min, int max,
                          int *out);
/* Finds the net that the request names or, if it names none, the net that fits this board. (The
 * sides are 0 if the request is about no board.) If there is no such net, sets the fault and
 * returns NULL. */
Engine *page_request_engine(PageRequest *request, int width, int height);

json_t *page_ok(void); /* an answer that says only that the request was carried out */
/* Lets the thread of the jobs answer the request, with what `work` returns. `file`, which may be
 * NULL, is copied. Returns NULL. */
json_t *page_request_defer(PageRequest *request, const Path *file,
                           json_t *(*work)(const PageJob *job, Fault *fault));
/* Sends the object, or an error if it is NULL, and frees it. */
void page_send(PageSocket *socket, json_t *object);
/* Sends an error as the answer to the request with this id, which may be NULL. */
void page_refuse(PageSocket *socket, const char *id, const Fault *fault);
