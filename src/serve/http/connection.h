/* connection.h - a WebSocket or a stream, as the handlers of a listener see it.
 * Threading: connection_send() and connection_unsent() may be called by any thread;
 * connection_close() is confined to the thread of listener_run(). */
#pragma once
#include "serve/http/listener_setup.h"

/* Queues a message of text, or a part of a stream, to be sent, without waiting for the client.
 * Returns false if the client reads too slowly (OUTBOX_BYTES_MAX) or there is no memory; the
 * connection will then be closed. */
bool connection_send(Connection *connection, const char *text, size_t length);
/* The bytes that wait to be sent. */
size_t connection_unsent(const Connection *connection);
/* Closes the connection soon; the thread of listener_run() calls it. What waits to be sent is not
 * sent. */
void connection_close(Connection *connection);
