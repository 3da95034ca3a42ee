#define _GNU_SOURCE /* POLLRDHUP */

/* This file is long because it holds everything that calls libwebsockets: answers, sockets,
 * streams, and the loop that serves them. */

#include "serve/http/listener.h"

#include <libwebsockets.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/thread.h"
#include "serve/http/certificate.h"
#include "serve/http/outbox.h"

enum {
    PATH_MAX_BYTES = 256,
    HEADER_MAX = 512,
    TOKEN_MAX = 256,
    HEADERS_BYTES = 4096, /* for all headers of an answer */
    READ_BYTES = 4096,    /* how much is read from a client at a time */
    PING_SECONDS = 30,    /* a client that is silent for this long gets a ping */
    HANGUP_SECONDS = 90,  /* a client that is silent for this long is cut off */
    /* how long a client may take for the headers of a request, for its body, or for taking the
     * answer */
    REQUEST_SECONDS_MAX = 20
};
_Static_assert(OUTBOX_HEADROOM >= LWS_PRE, "libwebsockets needs more room before a message");

struct Connection {
    Connection *next; /* in listener->connections */
    Listener *listener;
    struct lws *wsi;
    const char *stream_type; /* the content type of a stream; NULL: it is a WebSocket */
    bool has_begun;          /* the headers of the stream are written */
    void *session;
    Outbox outbox;
    double taken_at;  /* the last time at which the client took a message or no message waited */
    StrBuf message;   /* the message that is being read, or whose lines are not all handled */
    size_t handled;   /* bytes of the message whose lines are handled */
    bool is_complete; /* the whole message has arrived */
    bool is_held;     /* nothing is read until the client's line has been accepted */
    bool is_cut_off;  /* the connection is being closed */
};

struct Listener {
    ListenerSetup setup;
    struct lws_context *context;
    struct lws_vhost *host;
    lws_sorted_usec_list_t timer;
    Connection *connections;
    int clients;
    ListenerCounts counts;
};

/* What libwebsockets keeps for each request or WebSocket. When the request or WebSocket begins, all
 * bytes of this are 0. */
typedef struct {
    char path[PATH_MAX_BYTES]; /* of a WebSocket, or of a request whose body is being read */
    Connection *connection;    /* of a WebSocket or a stream that is open */
    HttpRequest *request;      /* one that is not answered yet */
    bool has_body;             /* the body of a POST is being read */
    double begun;              /* the time at which the reading of the body began */
    StrBuf received;           /* the part of the body that has come */
    /* an answer whose headers are not written yet; its code is 0 if there is none */
    HttpAnswer late;
    StrBuf body; /* of an answer; LWS_PRE bytes come before it */
} Slot;

struct HttpRequest {
    struct lws *wsi; /* NULL once the client has gone */
    Slot *slot;
};

static Listener *listener_of(struct lws *wsi) {
    return lws_context_user(lws_get_context(wsi));
}

/* Copies a header. Returns NULL if the request does not have it; a header that is too long is
 * "". */
static const char *header(struct lws *wsi, enum lws_token_indexes token, char text[HEADER_MAX]) {
    if (lws_hdr_total_length(wsi, token) <= 0) return NULL;
    if (lws_hdr_copy(wsi, text, HEADER_MAX, token) < 0) *text = 0;
    return text;
}

/* Copies a header that libwebsockets does not know. `name` has small letters and ends with ":". */
static const char *other_header(struct lws *wsi, const char *name, char text[HEADER_MAX]) {
    int length = (int)strlen(name);
    if (lws_hdr_custom_length(wsi, name, length) <= 0) return NULL;
    if (lws_hdr_custom_copy(wsi, text, HEADER_MAX, name, length) < 0) *text = 0;
    return text;
}

static AccessAnswer check_access(Listener *listener, struct lws *wsi, const char *path) {
    static const char BEARER[] = "Bearer ";
    char host[HEADER_MAX], origin[HEADER_MAX], authorization[HEADER_MAX], argument[TOKEN_MAX],
        site[HEADER_MAX], mode[HEADER_MAX];
    AccessClaims claims = {.host = header(wsi, WSI_TOKEN_HOST, host),
                           .origin = header(wsi, WSI_TOKEN_ORIGIN, origin),
                           .token = lws_get_urlarg_by_name(wsi, "token=", argument, TOKEN_MAX),
                           .fetch_site = other_header(wsi, "sec-fetch-site:", site),
                           .fetch_mode = other_header(wsi, "sec-fetch-mode:", mode),
                           .path = path};
    const char *given = header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, authorization);
    if (given && strncmp(given, BEARER, sizeof BEARER - 1) == 0)
        claims.token = given + sizeof BEARER - 1;
    return access_check(&listener->setup.access, &claims);
}

/* Adds a header, whose name ends with ':'. Returns false if there is no room; a NULL value is left
 * out. */
static bool add_header(struct lws *wsi, const char *name, const char *value, unsigned char **at,
                       unsigned char *end) {
    return !value ||
           !lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                        (const unsigned char *)value, (int)strlen(value), at, end);
}

/* The headers of every answer, also of those that libwebsockets gives by itself. */
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

/* Writes the headers of an answer, whose body follows when the client can take it. `host` has been
 * checked, or is NULL. Returns what on_event() returns: 0, or -1 to close the connection. */
static int begin_answer(struct lws *wsi, Slot *slot, HttpAnswer *answer, const char *host) {
    unsigned char headers[LWS_PRE + HEADERS_BYTES], *begin = headers + LWS_PRE, *at = begin,
                                                    *end = headers + sizeof headers;
    size_t length = answer->body.length;
    listener_of(wsi)->counts.refused += answer->code >= 400;
    bool failed =
        strbuf_status(&answer->body, NULL) ||
        lws_add_http_common_headers(wsi, (unsigned)answer->code, answer->type, length, &at, end) ||
        !add_content_policy(wsi, host, &at, end) ||
        !add_header(wsi, "content-encoding:", answer->encoding, &at, end) ||
        !add_header(wsi, "etag:", answer->etag, &at, end) ||
        !add_header(wsi, "cache-control:", answer->cache ? answer->cache : "no-store", &at, end) ||
        !add_header(wsi, "connection:", "close", &at, end) ||
        lws_finalize_write_http_header(wsi, begin, &at, end);
    strbuf_clear(&slot->body);
    for (int i = 0; i < LWS_PRE && !failed; i++)
        strbuf_add_bytes(&slot->body, "", 1);
    if (!failed) strbuf_add_bytes(&slot->body, strbuf_text(&answer->body), length);
    failed = failed || strbuf_status(&slot->body, NULL);
    strbuf_clear(&answer->body);
    if (!failed) lws_callback_on_writable(wsi);
    return failed ? -1 : 0;
}

/* Writes the body, and closes the connection. Returns what on_event() returns. */
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
    const char *given = header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, text);
    if (answer->etag && given && strstr(given, answer->etag)) {
        strbuf_clear(&answer->body);
        answer->code = 304;
        return;
    }
    given = header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, text);
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
    const char *given = header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, text);
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

/* Returns what on_event() returns. A client that is too slow is cut off. */
static int receive_body(Slot *slot, const char *bytes, size_t count) {
    if (slot->has_body && clock_seconds() - slot->begun > REQUEST_SECONDS_MAX) return -1;
    if (slot->has_body) strbuf_add_bytes(&slot->received, bytes, count);
    return 0;
}

/* Sets whether libwebsockets waits for input of a client whose request has been read. Until the
 * answer is sent, libwebsockets does not take such input. If it waited for it while there is
 * nothing to send, then whatever the client sends, or the end of the connection, would wake it up
 * again and again. While there is something to send, it has to wait, because otherwise it does not
 * send either. */
static void wait_for_input(struct lws *wsi, bool waits) {
    lws_rx_flow_control(wsi, waits);
}

/* Sends the answer. If its code is 0, it comes later, and the limit of time for requests ends. */
static int send_answer(struct lws *wsi, Slot *slot, HttpAnswer *answer, bool is_checked) {
    char text[HEADER_MAX];
    if (!answer->code) {
        lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
        if (slot->request) wait_for_input(wsi, false);
        return 0;
    }
    fit_to_client(wsi, answer);
    return begin_answer(wsi, slot, answer, is_checked ? header(wsi, WSI_TOKEN_HOST, text) : NULL);
}

/* Answers a POST whose body has come. */
static int answer_post(Listener *listener, struct lws *wsi, Slot *slot) {
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

/* Whether an argument of the query part is so long that libwebsockets does not find it. */
static bool has_long_argument(struct lws *wsi) {
    int length;
    for (int i = 0; (length = lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, i)) > 0; i++) {
        if (length >= HEADER_MAX) return true;
    }
    return false;
}

static int answer_request(Listener *listener, struct lws *wsi, Slot *slot, const char *path) {
    const ListenerHandlers *handlers = &listener->setup.handlers;
    void *context = listener->setup.context;
    HttpAnswer answer = {0};
    AccessAnswer access = check_access(listener, wsi, path);
    listener->counts.requests++;
    if (access.code == 401 && handlers->is_public(context, path)) access = (AccessAnswer){0};
    listener->counts.access_refused += access.code != 0;
    if (access.code)
        refuse(&answer, access.code, access.message);
    else if (has_long_argument(wsi))
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
    const char *found = other_header(request->wsi, name, value);
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
        wait_for_input(request->wsi, true);
        lws_callback_on_writable(request->wsi);
    } else {
        strbuf_clear(&answer->body);
    }
    *answer = (HttpAnswer){0};
    free(request);
}

static const char TOO_MANY[] = "This server has as many clients as it may have. Start it with a "
                               "higher --max-clients.";

static bool has_room(const Listener *listener) {
    return listener->clients < listener->setup.clients_max;
}

/* Decides whether a WebSocket may be opened. Returns 0 if it may; otherwise answers why not. */
static int check_socket(Listener *listener, struct lws *wsi, Slot *slot) {
    int length = lws_hdr_copy(wsi, slot->path, sizeof slot->path, WSI_TOKEN_GET_URI);
    AccessAnswer access = check_access(listener, wsi, length > 0 ? slot->path : NULL);
    listener->counts.access_refused += access.code != 0;
    if (!access.code &&
        (length <= 0 || !listener->setup.handlers.has_socket(listener->setup.context, slot->path)))
        access = (AccessAnswer){404, "There is no WebSocket at this path."};
    if (!access.code && !has_room(listener)) access = (AccessAnswer){503, TOO_MANY};
    if (!access.code) return 0;
    HttpAnswer answer = {0};
    refuse(&answer, access.code, access.message);
    if (begin_answer(wsi, slot, &answer, NULL) == 0) (void)end_answer(wsi, slot);
    return 1;
}

/* Adds a connection that is not open yet. NULL: no memory. */
static Connection *new_connection(Listener *listener, struct lws *wsi, Error *err) {
    Connection *connection;
    if (mem_new(1, sizeof *connection, &connection, err)) return NULL;
    connection->listener = listener;
    connection->wsi = wsi;
    connection->taken_at = clock_seconds();
    outbox_init(&connection->outbox);
    return connection;
}

static void add_connection(Connection *connection, Slot *slot) {
    Listener *listener = connection->listener;
    connection->next = listener->connections;
    listener->connections = connection;
    listener->clients++;
    listener->counts.clients++;
    slot->connection = connection;
}

static int open_connection(Listener *listener, struct lws *wsi, Slot *slot) {
    Error err = {0};
    Connection *connection = new_connection(listener, wsi, &err);
    if (connection && listener->setup.handlers.open(listener->setup.context, slot->path, connection,
                                                    &connection->session, &err)) {
        outbox_clear(&connection->outbox);
        free(connection);
        connection = NULL;
    }
    if (connection)
        add_connection(connection, slot);
    else
        log_warning("a client was turned away: %s", err.message);
    return connection ? 0 : 1;
}

Connection *http_request_stream(HttpRequest *request, const char *type, void *session,
                                HttpAnswer *refusal) {
    Listener *listener = listener_of(request->wsi);
    Connection *connection =
        has_room(listener) ? new_connection(listener, request->wsi, NULL) : NULL;
    if (!connection) {
        refuse(refusal, 503,
               has_room(listener) ? "The server has no memory for an answer." : TOO_MANY);
        return NULL;
    }
    connection->stream_type = type;
    connection->session = session;
    request->slot->request = NULL;
    add_connection(connection, request->slot);
    lws_callback_on_writable(request->wsi);
    free(request);
    return connection;
}

static void close_connection(Listener *listener, Slot *slot) {
    Connection *connection = slot->connection;
    if (!connection) return;
    Connection **at = &listener->connections;
    while (*at != connection)
        at = &(*at)->next;
    *at = connection->next;
    listener->clients--;
    listener->setup.handlers.close(connection->session);
    outbox_clear(&connection->outbox);
    strbuf_clear(&connection->message);
    free(connection);
    slot->connection = NULL;
}

/* Passes on the lines of the message. If there is no room for a line, the rest waits for a later
 * call, and nothing is read from the client until all lines are accepted. */
static void handle_lines(Connection *connection) {
    StrBuf *message = &connection->message;
    bool taken = true;
    while (connection->handled < message->length && taken) {
        char *line = message->text + connection->handled, *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) : strlen(line);
        char kept = line[length];
        line[length] = 0;
        taken = strspn(line, " \t\r") == length ||
                connection->listener->setup.handlers.line(connection->session, line);
        line[length] = kept;
        if (taken) connection->handled += length + 1;
    }
    if (taken) {
        strbuf_clear(message);
        connection->handled = 0;
        connection->is_complete = false;
    }
    if (connection->is_held == taken) lws_rx_flow_control(connection->wsi, taken);
    connection->is_held = !taken;
}

/* Closes the connection because of what the client sent. `code` is a status code of RFC 6455,
 * section 7.4.1. */
static int refuse_message(Connection *connection, enum lws_close_status code, const char *reason) {
    lws_close_reason(connection->wsi, code, (unsigned char *)(uintptr_t)reason, strlen(reason));
    connection->is_cut_off = true;
    return -1;
}

static int receive(Connection *connection, const char *bytes, size_t count) {
    StrBuf *message = &connection->message;
    connection->listener->counts.bytes_in += (int64_t)count;
    if (lws_frame_is_binary(connection->wsi))
        return refuse_message(connection, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE,
                              "a message that is not text");
    if (message->length + count > (size_t)connection->listener->setup.message_bytes_max)
        return refuse_message(connection, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "too long a message");
    if (memchr(bytes, 0, count))
        return refuse_message(connection, LWS_CLOSE_STATUS_INVALID_PAYLOAD,
                              "a message with the character 0");
    strbuf_add_bytes(message, bytes, count);
    if (strbuf_status(message, NULL))
        return refuse_message(connection, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "no memory");
    if (lws_remaining_packet_payload(connection->wsi) == 0 &&
        lws_is_final_fragment(connection->wsi)) {
        connection->is_complete = true;
        connection->listener->counts.messages_in++;
        handle_lines(connection);
    }
    return 0;
}

/* Sends one message, or a part of a stream. Returns what on_event() returns. */
static int send_next(Connection *connection) {
    OutboxMessage *message = outbox_take(&connection->outbox);
    connection->taken_at = clock_seconds();
    if (!message) return 0;
    connection->listener->counts.bytes_out += (int64_t)message->length;
    connection->listener->counts.messages_out++;
    int length = (int)message->length,
        written =
            lws_write(connection->wsi, (unsigned char *)message->bytes + OUTBOX_HEADROOM,
                      message->length, connection->stream_type ? LWS_WRITE_HTTP : LWS_WRITE_TEXT);
    free(message);
    if (written < length) return -1;
    if (outbox_bytes(&connection->outbox)) lws_callback_on_writable(connection->wsi);
    return 0;
}

/* Writes the headers of a stream. Its body has no length, so it ends when the connection ends.
 * Proxies are asked to pass on each part at once ("X-Accel-Buffering", nginx). */
static bool begin_stream(Connection *connection) {
    unsigned char headers[LWS_PRE + HEADERS_BYTES], *begin = headers + LWS_PRE, *at = begin,
                                                    *end = headers + sizeof headers;
    char text[HEADER_MAX];
    struct lws *wsi = connection->wsi;
    bool failed = lws_add_http_common_headers(wsi, 200, connection->stream_type,
                                              LWS_ILLEGAL_HTTP_CONTENT_LEN, &at, end) ||
                  !add_content_policy(wsi, header(wsi, WSI_TOKEN_HOST, text), &at, end) ||
                  !add_header(wsi, "cache-control:", "no-store", &at, end) ||
                  !add_header(wsi, "x-accel-buffering:", "no", &at, end) ||
                  lws_finalize_write_http_header(wsi, begin, &at, end);
    connection->has_begun = !failed;
    if (!failed) lws_http_mark_sse(wsi); /* there is no limit of time */
    return !failed;
}

/* Writes the headers of a stream, or its next part. Returns what on_event() returns. */
static int continue_stream(Connection *connection) {
    struct lws *wsi = connection->wsi;
    if (!connection->has_begun) {
        lws_callback_on_writable(wsi);
        return begin_stream(connection) ? 0 : -1;
    }
    if (send_next(connection)) return -1;
    if (!outbox_bytes(&connection->outbox) && !lws_partial_buffered(wsi))
        wait_for_input(wsi, false);
    return 0;
}

/* The client can take something: the headers of an answer that came late, the body, or a part of a
 * stream. */
static int continue_answer(struct lws *wsi, Slot *slot) {
    char text[HEADER_MAX];
    if (slot->connection) return continue_stream(slot->connection);
    if (!slot->late.code) return end_answer(wsi, slot);
    HttpAnswer answer = slot->late;
    slot->late = (HttpAnswer){0};
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, REQUEST_SECONDS_MAX);
    fit_to_client(wsi, &answer);
    return begin_answer(wsi, slot, &answer, header(wsi, WSI_TOKEN_HOST, text));
}

static void drop_answer(Slot *slot) {
    if (slot->request) slot->request->wsi = NULL;
    slot->request = NULL;
    strbuf_clear(&slot->late.body);
    slot->late = (HttpAnswer){0};
    strbuf_clear(&slot->body);
    strbuf_clear(&slot->received);
}

/* Closes the connection soon, without a closing frame. */
static void kill_connection(Connection *connection) {
    connection->is_cut_off = true;
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC);
}

/* Closes the connection of a client that would not read a closing frame. */
static void cut_off(Connection *connection, const char *reason) {
    log_warning("a client was cut off: %s", reason);
    connection->listener->counts.cut_off++;
    kill_connection(connection);
}

/* Closes the streams whose clients have closed the connection. libwebsockets would notice this only
 * when it writes, because after a request it does not read from the client. */
static void close_left_streams(Listener *listener) {
    for (Connection *connection = listener->connections; connection;
         connection = connection->next) {
        struct pollfd end = {.fd = lws_get_socket_fd(connection->wsi), .events = POLLRDHUP};
        if (connection->stream_type && !connection->is_cut_off && poll(&end, 1, 0) == 1)
            kill_connection(connection);
    }
}

/* For each connection: handles lines that waited for room, sends what waits, and cuts off the
 * client if it does not read. */
static void tend(Listener *listener) {
    double now = clock_seconds();
    char reason[96];
    listener->setup.handlers.tend(listener->setup.context);
    for (Connection *connection = listener->connections; connection;
         connection = connection->next) {
        if (connection->is_cut_off) continue;
        if (connection->is_complete) handle_lines(connection);
        if (outbox_is_closed(&connection->outbox)) {
            snprintf(reason, sizeof reason,
                     "more than %d MiB of messages wait for the client, or memory is too small",
                     OUTBOX_BYTES_MAX >> 20);
            cut_off(connection, reason);
        } else if (!outbox_bytes(&connection->outbox)) {
            connection->taken_at = now;
        } else if (now - connection->taken_at > listener->setup.silent_seconds_max) {
            snprintf(reason, sizeof reason, "the client has read nothing for more than %g s",
                     listener->setup.silent_seconds_max);
            cut_off(connection, reason);
        } else {
            if (connection->stream_type) wait_for_input(connection->wsi, true);
            lws_callback_on_writable(connection->wsi);
        }
    }
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t count) {
    Slot *slot = user;
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP:
        return answer_request(listener_of(wsi), wsi, slot, in);
    case LWS_CALLBACK_HTTP_BODY:
        return receive_body(slot, in, count);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return answer_post(listener_of(wsi), wsi, slot);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return continue_answer(wsi, slot);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        if (slot) drop_answer(slot);
        if (slot) close_connection(listener_of(wsi), slot);
        return 0;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return check_socket(listener_of(wsi), wsi, slot);
    case LWS_CALLBACK_ESTABLISHED:
        return open_connection(listener_of(wsi), wsi, slot);
    case LWS_CALLBACK_RECEIVE:
        return slot->connection ? receive(slot->connection, in, count) : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return slot->connection ? send_next(slot->connection) : -1;
    case LWS_CALLBACK_CLOSED:
        close_connection(listener_of(wsi), slot);
        return 0;
    /* This is the event after connection_send() or listener_wake(). */
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        tend(listener_of(wsi));
        return 0;
    default:
        return lws_callback_http_dummy(wsi, reason, user, in, count);
    }
}

static const struct lws_protocols PROTOCOLS[] = {{.name = "http", /* also serves WebSockets */
                                                  .callback = on_event,
                                                  .per_session_data_size = sizeof(Slot),
                                                  .rx_buffer_size = READ_BYTES},
                                                 {0}};

static void log_library(int level, const char *line) {
    (void)level;
    log_line(LOG_DEBUG, "libwebsockets: %.*s", (int)strcspn(line, "\n"), line);
}

static const lws_retry_bo_t RETRY = {.secs_since_valid_ping = PING_SECONDS,
                                     .secs_since_valid_hangup = HANGUP_SECONDS};

static struct lws_context_creation_info creation_info(Listener *listener) {
    const ListenerSetup *setup = &listener->setup;
    struct lws_context_creation_info info = {
        .iface = setup->address,
        .protocols = PROTOCOLS,
        .gid = -1,
        .uid = -1,
        .user = listener,
        .timeout_secs = REQUEST_SECONDS_MAX,
        .keepalive_timeout = REQUEST_SECONDS_MAX,
        .fd_limit_per_thread = (unsigned)(2 * setup->clients_max + 32),
        .retry_and_idle_policy = &RETRY,
        .vhost_name = "aji",
        .headers = SECURITY_HEADERS,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_VALIDATE_UTF8 |
                   LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND};
#ifdef LWS_WITH_TLS
    if (setup->certificate) {
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
        info.ssl_cert_filepath = setup->certificate;
        info.ssl_private_key_filepath = setup->key;
        info.ssl_private_key_password = ""; /* so that nobody is asked for one */
        info.alpn = "http/1.1";             /* HTTP/2 has no header Host */
#ifdef SSL_OP_NO_TLSv1_1
        info.ssl_options_set = SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1; /* RFC 8996 */
#endif
    }
#endif
    return info;
}

/* Checks that the certificate and the key can be used. libwebsockets does not say why it could not
 * make a host, so this makes one that does not listen. */
static Status check_certificate(Listener *listener, Error *err) {
    const ListenerSetup *setup = &listener->setup;
    if (!setup->certificate) return OK;
#ifndef LWS_WITH_TLS
    return fail(err, ERR_UNSUPPORTED,
                "the libwebsockets of this program was built without TLS; another server, such as "
                "nginx, can do TLS in front of this one");
#endif
    Status status = certificate_check(setup->certificate, setup->key, err);
    if (status) return status;
    struct lws_context_creation_info info = creation_info(listener);
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
    info.vhost_name = "check";
    struct lws_vhost *host = lws_create_vhost(listener->context, &info);
    if (!host)
        return fail(err, ERR_ARGUMENT,
                    "libwebsockets refuses the certificate in %s or the private key in %s; perhaps "
                    "the key is too short to be safe, or a later certificate of the file is "
                    "damaged",
                    setup->certificate, setup->key);
    lws_vhost_destroy(host);
    return OK;
}

/* Listens on the first port that is free. */
static Status find_port(Listener *listener, Error *err) {
    const ListenerSetup *setup = &listener->setup;
    struct lws_context_creation_info info = creation_info(listener);
    for (int i = 0; i < setup->ports && !listener->host; i++) {
        info.port = setup->port + i;
        listener->host = lws_create_vhost(listener->context, &info);
    }
    if (listener->host) return OK;
    if (setup->ports > 1)
        return fail(err, ERR_IO,
                    "cannot listen on %s: other programs use the ports %d to %d, or this machine "
                    "does not have the address",
                    setup->address, setup->port, setup->port + setup->ports - 1);
    return fail(err, ERR_IO,
                "cannot listen on %s, port %d: another program uses the port, or this machine does "
                "not have the address",
                setup->address, setup->port);
}

Status listener_new(const ListenerSetup *setup, Listener **out, Error *err) {
    Listener *listener;
    Status status = mem_new(1, sizeof *listener, &listener, err);
    if (status) return status;
    listener->setup = *setup;
    lws_set_log_level(LLL_ERR | LLL_WARN, log_library);
    struct lws_context_creation_info info = creation_info(listener);
    listener->context = lws_create_context(&info);
    status = listener->context ? check_certificate(listener, err)
                               : fail(err, ERR_IO, "libwebsockets cannot start");
    if (!status) status = find_port(listener, err);
    if (status) {
        listener_free(listener);
        listener = NULL;
    }
    *out = listener;
    return status;
}

const char *listener_library_version(void) {
    return LWS_LIBRARY_VERSION;
}

int listener_port(const Listener *listener) {
    return lws_get_vhost_listen_port(listener->host);
}

int listener_clients(const Listener *listener) {
    return listener->clients;
}

ListenerCounts listener_counts(const Listener *listener) {
    return listener->counts;
}

/* Runs once a second, to notice clients that do not read or have left, and to wake up
 * listener_run(), which then checks the stop flag. */
static void on_timer(lws_sorted_usec_list_t *timer) {
    Listener *listener = lws_container_of(timer, Listener, timer);
    close_left_streams(listener);
    tend(listener);
    lws_sul_schedule(listener->context, 0, timer, on_timer, LWS_US_PER_SEC);
}

Status listener_run(Listener *listener, Error *err) {
    lws_sul_schedule(listener->context, 0, &listener->timer, on_timer, LWS_US_PER_SEC);
    while (!stop_requested()) {
        if (lws_service(listener->context, 0) < 0)
            return fail(err, ERR_IO, "the server cannot wait for clients");
    }
    return OK;
}

void listener_free(Listener *listener) {
    if (!listener) return;
    if (listener->context) {
        lws_sul_cancel(&listener->timer);
        lws_context_destroy(listener->context);
    }
    free(listener);
}

void listener_wake(Listener *listener) {
    lws_cancel_service(listener->context);
}

bool connection_send(Connection *connection, const char *text, size_t length) {
    bool accepted = outbox_put(&connection->outbox, text, length);
    lws_cancel_service(connection->listener->context);
    return accepted;
}

size_t connection_unsent(const Connection *connection) {
    return outbox_bytes(&connection->outbox);
}

void connection_close(Connection *connection) {
    if (!connection->is_cut_off) kill_connection(connection);
}
