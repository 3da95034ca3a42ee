/* listener.h - a server of HTTP/1.1, of WebSockets (RFC 6455) and of streams, which are answers of
 * HTTP without an end. It leaves requests and messages to the functions in ListenerHandlers, which
 * listener_run() calls on its thread. Only listener.c uses libwebsockets. Threading: confined to the
 * thread of listener_run(), except for connection_send(), connection_unsent() and
 * listener_wake(). */
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
     * before. If out->code is 0 afterwards, the request has become a stream, or its answer is that of
     * http_request_answer(), which is called at once or later. Else the request ends here. */
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

/* Begins to listen. Copies the setup. ERR_IO: the address cannot be used, no port is free, a file
 * cannot be read, or libwebsockets cannot start. ERR_SYNTAX, ERR_ARGUMENT, ERR_UNSUPPORTED: the
 * certificate and the key cannot be used, or libwebsockets was built without TLS. ERR_MEMORY. */
MUST_USE Status listener_new(const ListenerSetup *setup, Listener **out, Error *err);
int listener_port(const Listener *listener);
const char *listener_library_version(void);     /* of libwebsockets, such as "4.1.6" */
int listener_clients(const Listener *listener); /* WebSockets and streams that are open */
/* What has happened since the start. */
typedef struct {
    int64_t requests;         /* of HTTP, without those for WebSockets */
    int64_t refused;          /* requests, also for WebSockets, answered with a code from 400 on */
    int64_t access_refused;   /* those of them that access_check() refused */
    int64_t clients, cut_off; /* WebSockets and streams: opened, and cut off */
    int64_t messages_in, messages_out, bytes_in, bytes_out; /* of WebSockets and streams */
} ListenerCounts;
ListenerCounts listener_counts(const Listener *listener);
/* Serves until stop_requested(). Connections stay open until listener_free(). ERR_IO: the server
 * cannot wait for clients. */
MUST_USE Status listener_run(Listener *listener, Error *err);
void listener_free(Listener *listener); /* closes all connections; NULL is fine */
/* Makes listener_run() call the handler `tend` soon. Any thread may call it. */
void listener_wake(Listener *listener);

/* Copies an argument of the query part, such as "9" for the name "width" in ?width=9. Returns its
 * length, or -1 if there is none. If it is longer than `size` - 1 bytes, `out` gets "". Only the
 * handler `answer` may call it. */
int http_request_argument(const HttpRequest *request, const char *name, char *out, size_t size);
/* The body of a POST, which is not empty and has no character 0; NULL for GET. Only the handler
 * `answer` may call it. */
const char *http_request_body(const HttpRequest *request);
/* Copies a header, whose `name` is in small letters and ends with ':'. Returns its length, or -1 if
 * there is none. If it is longer than `size` - 1 bytes or than 511 bytes, `out` gets "". Only the
 * handler `answer` may call it. */
int http_request_header(const HttpRequest *request, const char *name, char *out, size_t size);
/* Answers the request and frees it. Empties the answer. If the client has gone, nothing is sent. */
void http_request_answer(HttpRequest *request, HttpAnswer *answer);
/* Turns the request into a stream and frees it: the code of the answer is 200, and its body, of
 * this content type, is all that connection_send() sends from now on. In the end the handler
 * `close` gets the session. If there are too many clients or too little memory, sets `*refusal` to
 * an answer in plain text and returns NULL; the request then still has to be answered. Only the
 * handler `answer` may call it. */
Connection *http_request_stream(HttpRequest *request, const char *type, void *session,
                                HttpAnswer *refusal);

/* Queues a message of text, or a part of a stream, to be sent, without waiting for the client.
 * Returns false if the client reads too slowly (OUTBOX_BYTES_MAX) or there is no memory; the
 * connection will then be closed. */
bool connection_send(Connection *connection, const char *text, size_t length);
/* The bytes that wait to be sent. */
size_t connection_unsent(const Connection *connection);
/* Closes the connection soon; the thread of listener_run() calls it. What waits to be sent is not
 * sent. */
void connection_close(Connection *connection);
