#include "serve/http/http_headers.h"

#include <stdio.h>
#include <string.h>

enum {
    TOKEN_MAX = 256,
    HEADERS_BYTES = 4096 /* for all headers of an answer */
};

const char *http_header(struct lws *wsi, enum lws_token_indexes token, char text[HEADER_MAX]) {
    if (lws_hdr_total_length(wsi, token) <= 0) return NULL;
    if (lws_hdr_copy(wsi, text, HEADER_MAX, token) < 0) *text = 0;
    return text;
}

const char *http_header_named(struct lws *wsi, const char *name, char text[HEADER_MAX]) {
    int length = (int)strlen(name);
    if (lws_hdr_custom_length(wsi, name, length) <= 0) return NULL;
    if (lws_hdr_custom_copy(wsi, text, HEADER_MAX, name, length) < 0) *text = 0;
    return text;
}

AccessAnswer http_headers_access(const AccessRules *rules, struct lws *wsi, const char *path) {
    static const char BEARER[] = "Bearer ";
    char host[HEADER_MAX], origin[HEADER_MAX], authorization[HEADER_MAX], argument[TOKEN_MAX],
        site[HEADER_MAX], mode[HEADER_MAX];
    AccessClaims claims = {.host = http_header(wsi, WSI_TOKEN_HOST, host),
                           .origin = http_header(wsi, WSI_TOKEN_ORIGIN, origin),
                           .token = lws_get_urlarg_by_name(wsi, "token=", argument, TOKEN_MAX),
                           .fetch_site = http_header_named(wsi, "sec-fetch-site:", site),
                           .fetch_mode = http_header_named(wsi, "sec-fetch-mode:", mode),
                           .path = path};
    const char *given = http_header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, authorization);
    if (given && strncmp(given, BEARER, sizeof BEARER - 1) == 0)
        claims.token = given + sizeof BEARER - 1;
    return access_check(rules, &claims);
}

bool http_headers_have_long_argument(struct lws *wsi) {
    int length;
    for (int i = 0; (length = lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, i)) > 0; i++) {
        if (length >= HEADER_MAX) return true;
    }
    return false;
}

/* Adds a header, whose name ends with ':'. Returns false if there is no room; a NULL value is left
 * out. */
static bool add_header(struct lws *wsi, const char *name, const char *value, unsigned char **at,
                       unsigned char *end) {
    return !value ||
           !lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                        (const unsigned char *)value, (int)strlen(value), at, end);
}

static const struct lws_protocol_vhost_options SECURITY_HEADERS[] = {
    {.next = SECURITY_HEADERS + 1, .name = "x-content-type-options:", .value = "nosniff"},
    {.next = SECURITY_HEADERS + 2, .name = "referrer-policy:", .value = "no-referrer"},
    {.next = SECURITY_HEADERS + 3, .name = "cross-origin-opener-policy:", .value = "same-origin"},
    {.name = "cross-origin-resource-policy:", .value = "same-origin"}};

/* Says what a page may load: only what this server has, and images that the page itself made (data:
 * and blob:). In old versions of Safari, 'self' does not cover WebSockets, whose scheme differs
 * from that of the page, so their addresses are named too. `host` has passed access_check(), or is
 * NULL. */
static bool add_content_policy(struct lws *wsi, const char *host, unsigned char **at,
                               unsigned char *end) {
    char policy[3 * HEADER_MAX], sockets[2 * HEADER_MAX + 16] = "";
    if (host) snprintf(sockets, sizeof sockets, " ws://%s wss://%s", host, host);
    snprintf(policy, sizeof policy,
             "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
             "connect-src 'self'%s; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
             sockets);
    return add_header(wsi, "content-security-policy:", policy, at, end);
}

const struct lws_protocol_vhost_options *http_headers_of_all(void) {
    return SECURITY_HEADERS;
}

bool http_headers_write(struct lws *wsi, const HttpHeaders *given) {
    unsigned char headers[LWS_PRE + HEADERS_BYTES], *begin = headers + LWS_PRE, *at = begin,
                                                    *end = headers + sizeof headers;
    return !lws_add_http_common_headers(wsi, (unsigned)given->code, given->type, given->length, &at,
                                        end) &&
           add_content_policy(wsi, given->host, &at, end) &&
           add_header(wsi, "content-encoding:", given->encoding, &at, end) &&
           add_header(wsi, "etag:", given->etag, &at, end) &&
           add_header(wsi, "cache-control:", given->cache, &at, end) &&
           add_header(wsi, "connection:", given->connection, &at, end) &&
           add_header(wsi, "x-accel-buffering:", given->buffering, &at, end) &&
           !lws_finalize_write_http_header(wsi, begin, &at, end);
}
