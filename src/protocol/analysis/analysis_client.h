/* analysis_client.h - a client of the analysis engine, who sends queries and reads answers. The
 * caller sets `write` and `context`, sets the rest to 0, and passes the client to analysis_line().
 * Threading: the analysis engine guards a client, see its fields. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Ids of queries belong to one client: several clients may use the same ones. */
typedef struct {
    /* Writes one answer, a line without its end. The engine makes one call at a time. false: the
     * client does not read any more. */
    bool (*write)(void *context, const char *line, size_t length);
    void *context;
    atomic_bool broken; /* `write` has returned false; the engine sets it */
    int pending; /* positions whose last answer is still to come; guarded by the engine's lock */
} AnalysisClient;

bool analysis_client_is_broken(const AnalysisClient *client);
/* Writes one line unless the client is broken. `text` NULL (there was no memory for it) breaks the
 * client. One thread at a time. */
void analysis_client_put(AnalysisClient *client, const char *text);
