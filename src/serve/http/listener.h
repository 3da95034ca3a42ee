/* listener.h - a server of HTTP/1.1, of WebSockets (RFC 6455) and of streams, which are answers of
 * HTTP without an end. It leaves requests and messages to the functions in ListenerHandlers, which
 * listener_run() calls on its thread. The library for all this is libwebsockets; no header that
 * other files of serve include needs it.
 * Threading: confined to the thread of listener_run(), except for listener_wake(). */
#pragma once
#include "serve/http/connection.h"
#include "serve/http/http_request.h"
#include "serve/http/listener_setup.h"

/* Begins to listen. Copies the setup. ERR_IO: the address cannot be used, no port is free, a file
 * cannot be read, or libwebsockets cannot start. ERR_SYNTAX, ERR_ARGUMENT, ERR_UNSUPPORTED: the
 * certificate and the key cannot be used, or libwebsockets was built without TLS. ERR_MEMORY. */
MUST_USE Status listener_new(const ListenerSetup *setup, Listener **out, Error *err);
int listener_port(const Listener *listener);
const char *listener_library_version(void);     /* of libwebsockets, such as "4.1.6" */
int listener_clients(const Listener *listener); /* WebSockets and streams that are open */
ListenerCounts listener_counts(const Listener *listener);
/* Serves until stop_requested(). Connections stay open until listener_free(). ERR_IO: the server
 * cannot wait for clients. */
MUST_USE Status listener_run(Listener *listener, Error *err);
void listener_free(Listener *listener); /* closes all connections; NULL is fine */
/* Makes listener_run() call the handler `tend` soon. Any thread may call it. */
void listener_wake(Listener *listener);
