/* analysis_client.h - who sends queries to the analysis engine and reads its answers. The caller
 * sets `write` and `context`, clears the rest, and passes the client to analysis_line().
 * Threading: the analysis engine guards a client, see its fields. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Several clients may use the same ids for their queries. */
typedef struct {
    /* Takes one whole line without its end. The engine makes one call at a time. false: nobody
     * reads any more. */
    bool (*write)(void *context, const char *line, size_t length);
    void *context;
    atomic_bool broken; /* `write` has returned false; the engine sets it */
    int pending;        /* positions without a last answer; guarded by the engine's lock */
} AnalysisClient;

bool analysis_client_is_broken(const AnalysisClient *client);
/* Writes one line unless the client is broken. `text` NULL, for want of memory, breaks the client.
 * One thread at a time. */
void analysis_client_put(AnalysisClient *client, const char *text);
