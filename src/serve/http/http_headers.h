/* http_headers.h - reads the headers of requests, decides by them who may enter, and writes the
 * headers of answers. Threading: confined to the thread of listener_run(). */
#pragma once
#include "serve/http/access.h"
#include <libwebsockets.h>

enum { HEADER_MAX = 512 };

/* Copies a header. Returns NULL if the request does not have it; a header that is too long is
 * "". */
const char *http_header(struct lws *wsi, enum lws_token_indexes token, char text[HEADER_MAX]);
/* The same for a header that libwebsockets does not know. `name` has small letters and ends with
 * ":". */
const char *http_header_named(struct lws *wsi, const char *name, char text[HEADER_MAX]);
/* Decides whether the client that sent this request may enter. `path`: see AccessClaims. */
AccessAnswer http_headers_access(const AccessRules *rules, struct lws *wsi, const char *path);
/* Whether an argument of the query part is so long that libwebsockets does not find it. */
bool http_headers_have_long_argument(struct lws *wsi);

/* The headers of an answer. A text that is NULL is left out. */
typedef struct {
    int code;
    const char *type;
    uint64_t length;  /* of the body; LWS_ILLEGAL_HTTP_CONTENT_LEN: it has none */
    const char *host; /* of the request, once it has passed http_headers_access(); or NULL */
    const char *encoding, *etag, *cache, *connection;
    const char *buffering; /* asks a proxy to pass on each part at once (nginx) */
} HttpHeaders;

/* Writes these headers and what the page may load. Returns false if there is no room for them. */
bool http_headers_write(struct lws *wsi, const HttpHeaders *given);
/* The headers of every answer, also of those that libwebsockets gives by itself. */
const struct lws_protocol_vhost_options *http_headers_of_all(void);
