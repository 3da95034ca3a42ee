/* http_request_private.h - how a listener reads and answers requests of HTTP. A function that
 * returns `int` returns what libwebsockets expects for an event: 0, or -1 or 1 to close the
 * connection.
 * Threading: confined to the thread of listener_run(). */
#pragma once
#include "serve/http/http_request.h"
#include "serve/http/listener_state.h"

/* The headers of a request have come: answers it, or begins to read the body of a POST. */
int http_request_begin(Listener *listener, struct lws *wsi, Slot *slot, const char *path);
/* Takes a part of the body of a POST. A client that is too slow is cut off. */
int http_request_receive_body(Slot *slot, const char *bytes, size_t count);
/* Answers a POST whose body has come. */
int http_request_end_body(Listener *listener, struct lws *wsi, Slot *slot);
/* Decides whether a WebSocket may be opened. Returns 0 if it may; otherwise answers why not. */
int http_request_check_socket(Listener *listener, struct lws *wsi, Slot *slot);
/* The client can take something: the headers of an answer that came late, or the body. */
int http_request_continue(struct lws *wsi, Slot *slot);
/* The client has gone, or has got its answer: frees what the slot still holds. */
void http_request_drop(Slot *slot);
