/* analysis_client.h - a client of the analysis engine, which sends queries and reads answers. The
 * program sets `write`, `context` and, to limit what the client leaves unread, the two members
 * about unread bytes. It sets the rest to 0, and passes the client to analysis_line().
 * Threading: the analysis engine guards a client; see its fields. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Each client has query ids of its own: two clients may use the same id. */
typedef struct {
    /* Writes one answer, which is a line without its end. Must not wait until the client reads,
     * since workers would then wait too, instead of searching for other clients. Returns false if
     * the client does not read any more. The engine makes one call at a time. */
    bool (*write)(void *context, const char *line, size_t length);
    /* Returns the number of bytes that were given to `write` and that the client has not taken yet.
     * May be NULL, which means 0. */
    size_t (*unread_bytes)(const void *context);
    /* The client is behind, and no search begins for it, if it has more unread bytes than this. 0
     * means CLIENT_UNREAD_BYTES_MAX. */
    size_t unread_bytes_max;
    void *context;
    atomic_bool broken; /* `write` has returned false; the engine sets it */
    int pending; /* positions whose last answer is still to come; guarded by the engine's lock */
    size_t query_bytes; /* memory of the queries of these positions; guarded by the engine's lock */
} AnalysisClient;

enum {
    CLIENT_QUERY_BYTES_MAX = 64 << 20, /* above it, no more of the client's lines are read */
    CLIENT_UNREAD_BYTES_MAX = 64 << 20
};

/* Whether the client is behind with reading its answers. Then no search is begun for it, and no
 * report is sent to it. */
bool analysis_client_is_behind(const AnalysisClient *client);
/* Whether the client has left more than twice its `unread_bytes_max` unread, so that no more of its
 * lines are read. */
bool analysis_client_is_far_behind(const AnalysisClient *client);
bool analysis_client_is_broken(const AnalysisClient *client);
/* Writes one line unless the client is broken. If `text` is NULL, because there was no memory for
 * it, the client becomes broken. Only one thread at a time may call this. */
void analysis_client_put(AnalysisClient *client, const char *text);
