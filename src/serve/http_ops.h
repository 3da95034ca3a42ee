/* http_ops.h - answers the requests of HTTP that scripts make. Each of them stands for a request
 * that the page can make over its WebSocket (page/page_socket.h), and gets the same answer. For
 * example, GET /api/v1/runs/R/curves?names=loss is the request
 * {"op":"run.curves","run":"R","names":["loss"]}. With POST, the body has the members of the
 * request. docs/SERVER.md lists the addresses. Threading: confined to one thread; the workers of an
 * engine only leave their answer and call wake(). */
#pragma once
#include "serve/http/listener.h"
#include "serve/page/page_socket.h"

typedef struct HttpOps HttpOps; /* requests of HTTP that wait for their answers */

enum { EVAL_VISITS_MAX = 100 }; /* of a search that POST asks for; a WebSocket may ask for more */

/* `page` is the setup of a page, without its connection and the functions for it. wake() makes the
 * thread call http_ops_tend() soon; any thread may call it. ERR_MEMORY. */
MUST_USE Status http_ops_new(const PageSetup *page, void (*wake)(void *context), void *context,
                             HttpOps **out, Error *err);
/* Returns the status code of HTTP for the code of a fault, such as 404 for "no_net". It is 500 for
 * faults of the server, and for faults that no request of HTTP can cause. NULL is fine. */
int http_code(const char *fault);
/* Whether a path takes POST. */
bool http_ops_takes_post(const char *path);
/* Ends all that still wait; after listener_run() their clients get no answer. Call it before what
 * the page's setup borrows is freed. NULL is fine. */
void http_ops_free(HttpOps *ops);
/* Takes a request whose path is that of a request of a page, and answers it at once or later.
 * Returns false if the path is none of these, or takes only POST while this is GET, or the other
 * way round; the request then belongs to the caller. If too many requests wait, or memory runs out,
 * the answer is an error. */
bool http_ops_take(HttpOps *ops, const char *path, HttpRequest *request);
/* Sends the answers that have come, and frees what was answered. Call it after jobs_tend(). */
void http_ops_tend(HttpOps *ops);
