/* listener_state.h - what the files that call libwebsockets share: the state of a listener, of its
 * connections and of its requests. Threading: confined to the thread of listener_run(). */
#pragma once
#include "serve/http/listener_setup.h"
#include "serve/http/outbox.h"
#include <libwebsockets.h>

enum {
    PATH_MAX_BYTES = 256, /* a longer path is none of a WebSocket, and takes no POST */
    /* how long a client may take for the headers of a request, for its body, or for taking the
     * answer */
    REQUEST_SECONDS_MAX = 20
};
_Static_assert(OUTBOX_HEADROOM >= LWS_PRE, "libwebsockets needs more room before a message");

struct Connection {
    Connection *next; /* in listener->connections */
    Listener *listener;
    struct lws *wsi;
    const char *stream_type; /* the content type of a stream; NULL: it is a WebSocket */
    bool has_begun;          /* the headers of the stream are written */
    void *session;
    Outbox outbox;
    double taken_at;  /* the last time at which the client took a message or no message waited */
    StrBuf message;   /* the message that is being read, or whose lines are not all handled */
    size_t handled;   /* bytes of the message whose lines are handled */
    bool is_complete; /* the whole message has arrived */
    bool is_held;     /* nothing is read until the client's line has been accepted */
    bool is_cut_off;  /* the connection is being closed */
};

struct Listener {
    ListenerSetup setup;
    struct lws_context *context;
    struct lws_vhost *host;
    lws_sorted_usec_list_t timer;
    Connection *connections;
    int clients;
    ListenerCounts counts;
};

/* What libwebsockets keeps for each request or WebSocket. When the request or WebSocket begins, all
 * bytes of this are 0. */
typedef struct {
    char path[PATH_MAX_BYTES]; /* of a WebSocket, or of a request whose body is being read */
    Connection *connection;    /* of a WebSocket or a stream that is open */
    HttpRequest *request;      /* one that is not answered yet */
    bool has_body;             /* the body of a POST is being read */
    double begun;              /* the time at which the reading of the body began */
    StrBuf received;           /* the part of the body that has come */
    /* an answer whose headers are not written yet; its code is 0 if there is none */
    HttpAnswer late;
    StrBuf body; /* of an answer; LWS_PRE bytes come before it */
} Slot;

struct HttpRequest {
    struct lws *wsi; /* NULL once the client has gone */
    Slot *slot;
};

static inline Listener *listener_of(struct lws *wsi) {
    return lws_context_user(lws_get_context(wsi));
}
