/* listener_setup.h - what a listener is told when it begins: where it listens, who may enter, and
 * which functions answer its requests and handle its messages. */
#pragma once
#include "base/error.h"
#include "base/strbuf.h"
#include "serve/http/access.h"
#include <stdint.h>

typedef struct Listener Listener;
typedef struct Connection Connection;   /* a WebSocket or a stream */
typedef struct HttpRequest HttpRequest; /* a request of HTTP that is not answered yet */

/* An answer to a request. Its texts are constants. */
typedef struct {
    int code;             /* of HTTP, such as 200 */
    const char *type;     /* the content type */
    const char *encoding; /* "gzip", or NULL; clients that do not accept it get 406 instead */
    const char *etag;     /* the version of the body, quoted, or NULL; a client that has this
                             version gets 304 */
    const char *cache;    /* Cache-Control; NULL: "no-store" */
    StrBuf body;
} HttpAnswer;

typedef struct {
    /* Answers GET or POST of a path, which begins with '/' and has no query part. `out` is {0}
     * before. If out->code is 0 afterwards, the request has become a stream, or its answer is that
     * of http_request_answer(), which is called at once or later. Else the request ends here. */
    void (*answer)(void *context, const char *path, HttpRequest *request, HttpAnswer *out);
    /* Whether a path takes POST: answer() is then also called for a request that has a body. */
    bool (*takes_post)(void *context, const char *path);
    /* Whether a path may be asked for without the token. */
    bool (*is_public)(void *context, const char *path);
    /* Whether the path is that of a WebSocket. */
    bool (*has_socket)(void *context, const char *path);
    /* Begins to serve a WebSocket at this path. `*session` is passed to the next two functions. */
    Status (*open)(void *context, const char *path, Connection *connection, void **session,
                   Error *err);
    /* Handles one line of a message, given without its end of line. Returns false if there is no
     * room for it now. The same line is then passed again later, and nothing more is read from the
     * client until the line is accepted. */
    bool (*line)(void *session, const char *line);
    /* Ends the session of a WebSocket or a stream and frees it. No other thread may use its
     * connection afterwards. */
    void (*close)(void *session);
    /* Called soon after listener_wake(), and now and then without it. */
    void (*tend)(void *context);
} ListenerHandlers;

typedef struct {
    const char *address; /* to listen on, in numbers, such as "127.0.0.1" */
    int port;            /* the first port to try; 0: any free one */
    int ports;           /* how many ports are tried, one after the other */
    AccessRules access;  /* its texts are borrowed */
    /* The files of the certificate and of its private key, in PEM form; borrowed. If both are NULL,
     * connections are not encrypted; otherwise all are. */
    const char *certificate, *key;
    int clients_max;       /* WebSockets and streams at a time; more are refused */
    int message_bytes_max; /* of a WebSocket's message, and of the body of a request */
    /* A client is cut off if messages wait for it and it takes none for this long. */
    double silent_seconds_max;
    ListenerHandlers handlers;
    void *context;
} ListenerSetup;

/* What has happened since the start. */
typedef struct {
    int64_t requests;         /* of HTTP, without those for WebSockets */
    int64_t refused;          /* requests, also for WebSockets, answered with a code from 400 on */
    int64_t access_refused;   /* those of them that access_check() refused */
    int64_t clients, cut_off; /* WebSockets and streams: opened, and cut off */
    int64_t messages_in, messages_out, bytes_in, bytes_out; /* of WebSockets and streams */
    int64_t wakeups; /* how often listener_run() had waited and went on */
} ListenerCounts;
