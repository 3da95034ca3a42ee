/* connection_private.h - how a listener opens, serves and closes its connections. A function that
 * returns `int` returns what libwebsockets expects for an event: 0, or -1 or 1 to close the
 * connection.
 * Threading: confined to the thread of listener_run(). */
#pragma once
#include "serve/http/connection.h"
#include "serve/http/listener_state.h"

bool connection_has_room(const Listener *listener); /* for one more connection */
/* Makes a connection that is not open yet. NULL: no memory. */
Connection *connection_new(Listener *listener, struct lws *wsi, Error *err);
/* From now on the connection is open, and the slot has it. */
void connection_add(Connection *connection, Slot *slot);
/* Opens a WebSocket that http_request_check_socket() has let in. */
int connection_open(Listener *listener, struct lws *wsi, Slot *slot);
/* Ends the session of the slot's connection, if it has one, and frees both. */
void connection_drop(Listener *listener, Slot *slot);

/* Takes a part of a message that a client has sent by its WebSocket. */
int connection_receive(Connection *connection, const char *bytes, size_t count);
/* The client can take something: sends one message, or a part of a stream. */
int connection_send_next(Connection *connection);
/* The same for a stream, which begins with its headers. */
int connection_continue_stream(Connection *connection);
/* Sets whether libwebsockets waits for input of a client whose request has been read. Until the
 * answer is sent, libwebsockets does not take such input. If it waited for it while there is
 * nothing to send, then whatever the client sends, or the end of the connection, would wake it up
 * again and again. While there is something to send, it has to wait, because otherwise it does not
 * send either. */
void connection_wait_for_input(struct lws *wsi, bool waits);

/* Handles lines that waited for room, sends what waits, and cuts off the client if it does not
 * read. */
void connection_tend(Connection *connection, double now);
/* Closes a stream whose client has closed the connection. libwebsockets would notice this only when
 * it writes, because after a request it does not read from the client. */
void connection_close_left(Connection *connection);
