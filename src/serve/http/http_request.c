#include "serve/http/http_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/settings.h"
#include "serve/http/connection_private.h"
#include "serve/http/http_headers.h"
#include "serve/http/http_request_private.h"

/* Writes the headers of an answer, whose body follows when the client can take it. `host` has been
 * checked, or is NULL. Returns 0, or -1 to close the connection, as the functions below do. */
static int begin_answer(struct lws *wsi, Slot *slot, HttpAnswer *answer, const char *host) {
    size_t length = answer->body.length;
    listener_of(wsi)->counts.refused += answer->code >= 400;
    bool failed =
        strbuf_status(&answer->body, NULL) ||
        !http_headers_write(wsi, &(HttpHeaders){.code = answer->code,
                                                .type = answer->type,
                                                .length = length,
                                                .host = host,
                                                .encoding = answer->encoding,
                                                .etag = answer->etag,
                                                .cache = answer->cache ? answer->cache : "no-store",
                                                .connection = "close"});
    strbuf_clear(&slot->body);
    for (int i = 0; i < LWS_PRE && !failed; i++)
        strbuf_add_bytes(&slot->body, "", 1);
    if (!failed) strbuf_add_bytes(&slot->body, strbuf_text(&answer->body), length);
    failed = failed || strbuf_status(&slot->body, NULL);
    strbuf_clear(&answer->body);
    if (!failed) lws_callback_on_writable(wsi);
    return failed ? -1 : 0;
}

/* Writes the body, and closes the connection. */
static int end_answer(struct lws *wsi, Slot *slot) {
    if (!slot->body.text) return 0;
    size_t length = slot->body.length - LWS_PRE;
    (void)lws_write(wsi, (unsigned char *)slot->body.text + LWS_PRE, length, LWS_WRITE_HTTP_FINAL);
    strbuf_clear(&slot->body);
    return -1;
}

static void refuse(HttpAnswer *answer, int code, const char *message) {
    strbuf_clear(&answer->body);
    *answer = (HttpAnswer){.code = code, .type = "text/plain; charset=utf-8"};
    strbuf_addf(&answer->body, "%s\n", message);
}

/* Leaves out a body that the client already has, and refuses one that the client cannot read. */
static void fit_to_client(struct lws *wsi, HttpAnswer *answer) {
    char text[HEADER_MAX];
    const char *given = http_header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, text);
    if (answer->etag && given && strstr(given, answer->etag)) {
        strbuf_clear(&answer->body);
        answer->code = 304;
        return;
    }
    given = http_header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, text);
    if (answer->encoding && !(given && strstr(given, answer->encoding)))
        refuse(answer, 406,
               "This page is sent only in gzip encoding: ask for it with a browser, or with "
               "curl --compressed.");
}

/* Lets the handler answer, at once or later. In the second case the code of the answer stays 0. */
static void ask_handler(Listener *listener, struct lws *wsi, Slot *slot, const char *path,
                        HttpAnswer *answer) {
    HttpRequest *request;
    if (mem_new(1, sizeof *request, &request, NULL)) {
        refuse(answer, 503, "The server has no memory for an answer.");
        return;
    }
    *request = (HttpRequest){wsi, slot};
    slot->request = request;
    listener->setup.handlers.answer(listener->setup.context, path, request, answer);
    if (!answer->code) return;
    slot->request = NULL;
    free(request);
}

/* Begins to read the body of a POST, or refuses the POST. libwebsockets passes on a body only if
 * the request has a header with the length of the body. */
static void begin_body(Listener *listener, struct lws *wsi, Slot *slot, const char *path,
                       HttpAnswer *answer) {
    char text[HEADER_MAX];
    long long length = 0;
    const ListenerSetup *setup = &listener->setup;
    const char *given = http_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, text);
    if (!setup->handlers.takes_post(setup->context, path) || strlen(path) >= sizeof slot->path)
        refuse(answer, 405, "This address answers only GET.");
    else if (!given || parse_int(given, "length", 1, INT64_MAX, &length, NULL))
        refuse(answer, 411, "The request must have a body and say its length (Content-Length).");
    else if (length > setup->message_bytes_max)
        refuse(answer, 413, "The body of the request is too long.");
    slot->has_body = !answer->code;
    slot->begun = clock_seconds();
    if (slot->has_body) snprintf(slot->path, sizeof slot->path, "%s", path);
}

/* Sends the answer. If its code is 0, it comes later, and the limit of time for requests ends. */
static int send_answer(struct lws *wsi, Slot *slot, HttpAnswer *answer, bool is_checked) {
    char text[HEADER_MAX];
    if (!answer->code) {
        lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
        if (slot->request) connection_wait_for_input(wsi, false);
        return 0;
    }
    fit_to_client(wsi, answer);
    return begin_answer(wsi, slot, answer,
                        is_checked ? http_header(wsi, WSI_TOKEN_HOST, text) : NULL);
}

int http_request_begin(Listener *listener, struct lws *wsi, Slot *slot, const char *path) {
    const ListenerHandlers *handlers = &listener->setup.handlers;
    void *context = listener->setup.context;
    HttpAnswer answer = {0};
    AccessAnswer access = http_headers_access(&listener->setup.access, wsi, path);
    listener->counts.requests++;
    if (access.code == 401 && handlers->is_public(context, path)) access = (AccessAnswer){0};
    listener->counts.access_refused += access.code != 0;
    if (access.code)
        refuse(&answer, access.code, access.message);
    else if (http_headers_have_long_argument(wsi))
        refuse(&answer, 414, "An argument of the address is too long.");
    else if (handlers->has_socket(context, path))
        refuse(&answer, 426, "This address is for WebSockets.");
    else if (lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0)
        begin_body(listener, wsi, slot, path, &answer);
    else if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0)
        ask_handler(listener, wsi, slot, path, &answer);
    else
        refuse(&answer, 405, "This server answers only GET and POST.");
    return slot->has_body ? 0 : send_answer(wsi, slot, &answer, !access.code);
}

int http_request_receive_body(Slot *slot, const char *bytes, size_t count) {
    if (slot->has_body && clock_seconds() - slot->begun > REQUEST_SECONDS_MAX) return -1;
    if (slot->has_body) strbuf_add_bytes(&slot->received, bytes, count);
    return 0;
}

int http_request_end_body(Listener *listener, struct lws *wsi, Slot *slot) {
    HttpAnswer answer = {0};
    if (!slot->has_body) return 0; /* the request is refused already */
    slot->has_body = false;
    if (strbuf_status(&slot->received, NULL))
        refuse(&answer, 503, "The server has no memory for the request.");
    else if (strlen(strbuf_text(&slot->received)) < slot->received.length)
        refuse(&answer, 400, "The body of the request has the character 0.");
    else
        ask_handler(listener, wsi, slot, slot->path, &answer);
    strbuf_clear(&slot->received);
    return send_answer(wsi, slot, &answer, true);
}

static const char TOO_MANY[] = "This server has as many clients as it may have. Start it with a "
                               "higher --max-clients.";

int http_request_check_socket(Listener *listener, struct lws *wsi, Slot *slot) {
    int length = lws_hdr_copy(wsi, slot->path, sizeof slot->path, WSI_TOKEN_GET_URI);
    AccessAnswer access =
        http_headers_access(&listener->setup.access, wsi, length > 0 ? slot->path : NULL);
    listener->counts.access_refused += access.code != 0;
    if (!access.code &&
        (length <= 0 || !listener->setup.handlers.has_socket(listener->setup.context, slot->path)))
        access = (AccessAnswer){404, "There is no WebSocket at this path."};
    if (!access.code && !connection_has_room(listener)) access = (AccessAnswer){503, TOO_MANY};
    if (!access.code) return 0;
    HttpAnswer answer = {0};
    refuse(&answer, access.code, access.message);
    if (begin_answer(wsi, slot, &answer, NULL) == 0) (void)end_answer(wsi, slot);
    return 1;
}

int http_request_continue(struct lws *wsi, Slot *slot) {
    char text[HEADER_MAX];
    if (!slot->late.code) return end_answer(wsi, slot);
    HttpAnswer answer = slot->late;
    slot->late = (HttpAnswer){0};
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, REQUEST_SECONDS_MAX);
    fit_to_client(wsi, &answer);
    return begin_answer(wsi, slot, &answer, http_header(wsi, WSI_TOKEN_HOST, text));
}

void http_request_drop(Slot *slot) {
    if (slot->request) slot->request->wsi = NULL;
    slot->request = NULL;
    strbuf_clear(&slot->late.body);
    slot->late = (HttpAnswer){0};
    strbuf_clear(&slot->body);
    strbuf_clear(&slot->received);
}

const char *http_request_body(const HttpRequest *request) {
    const StrBuf *received = &request->slot->received;
    return received->length ? strbuf_text(received) : NULL;
}

int http_request_argument(const HttpRequest *request, const char *name, char *out, size_t size) {
    char key[64], value[HEADER_MAX];
    snprintf(key, sizeof key, "%s=", name);
    const char *found = lws_get_urlarg_by_name(request->wsi, key, value, sizeof value);
    *out = 0;
    if (!found) return -1;
    size_t length = strlen(found);
    if (length < size) memcpy(out, found, length + 1);
    return (int)length;
}

int http_request_header(const HttpRequest *request, const char *name, char *out, size_t size) {
    char value[HEADER_MAX];
    const char *found = http_header_named(request->wsi, name, value);
    *out = 0;
    if (!found) return -1;
    size_t length = strlen(found);
    if (length < size) memcpy(out, found, length + 1);
    return (int)length;
}

void http_request_answer(HttpRequest *request, HttpAnswer *answer) {
    if (request->wsi) {
        request->slot->request = NULL;
        request->slot->late = *answer;
        connection_wait_for_input(request->wsi, true);
        lws_callback_on_writable(request->wsi);
    } else {
        strbuf_clear(&answer->body);
    }
    *answer = (HttpAnswer){0};
    free(request);
}

Connection *http_request_stream(HttpRequest *request, const char *type, void *session,
                                HttpAnswer *refusal) {
    Listener *listener = listener_of(request->wsi);
    Connection *connection =
        connection_has_room(listener) ? connection_new(listener, request->wsi, NULL) : NULL;
    if (!connection) {
        refuse(refusal, 503,
               connection_has_room(listener) ? "The server has no memory for an answer."
                                             : TOO_MANY);
        return NULL;
    }
    connection->stream_type = type;
    connection->session = session;
    request->slot->request = NULL;
    connection_add(connection, request->slot);
    lws_callback_on_writable(request->wsi);
    free(request);
    return connection;
}
