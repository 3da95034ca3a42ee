/* http_ops.h - answers of HTTP for scripts, from the requests that the page makes over its
 * WebSocket (page_socket.h). For example, GET /api/v1/runs/R/curves?names=loss is the request
 * {"op":"run.curves","run":"R","names":["loss"]}. docs/SERVER.md lists the addresses. Threading:
 * confined to one thread. */
#pragma once
#include "serve/http/listener.h"
#include "serve/page_socket.h"

typedef struct HttpOps HttpOps; /* requests of HTTP that wait for their answers */

/* `page` is the setup of a page, without its connection and the functions for it. ERR_MEMORY. */
MUST_USE Status http_ops_new(const PageSetup *page, HttpOps **out, Error *err);
/* Answers all that still wait, with an error. Call it before what the page's setup borrows is
 * freed. NULL is fine. */
void http_ops_free(HttpOps *ops);
/* Takes a request whose path is that of a request of a page. Returns false if it is not; the
 * request then belongs to the caller. */
bool http_ops_take(HttpOps *ops, const char *path, HttpRequest *request);
/* Frees what was answered. Call it after jobs_tend(). */
void http_ops_tend(HttpOps *ops);
