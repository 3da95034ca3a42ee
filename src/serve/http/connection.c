#define _GNU_SOURCE /* POLLRDHUP */

#include "serve/http/connection.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "serve/http/connection_private.h"
#include "serve/http/http_headers.h"

bool connection_has_room(const Listener *listener) {
    return listener->clients < listener->setup.clients_max;
}

Connection *connection_new(Listener *listener, struct lws *wsi, Error *err) {
    Connection *connection;
    if (mem_new(1, sizeof *connection, &connection, err)) return NULL;
    connection->listener = listener;
    connection->wsi = wsi;
    connection->taken_at = clock_seconds();
    outbox_init(&connection->outbox);
    return connection;
}

void connection_add(Connection *connection, Slot *slot) {
    Listener *listener = connection->listener;
    connection->next = listener->connections;
    listener->connections = connection;
    listener->clients++;
    listener->counts.clients++;
    slot->connection = connection;
}

int connection_open(Listener *listener, struct lws *wsi, Slot *slot) {
    Error err = {0};
    Connection *connection = connection_new(listener, wsi, &err);
    if (connection && listener->setup.handlers.open(listener->setup.context, slot->path, connection,
                                                    &connection->session, &err)) {
        outbox_clear(&connection->outbox);
        free(connection);
        connection = NULL;
    }
    if (connection)
        connection_add(connection, slot);
    else
        log_warning("a client was turned away: %s", err.message);
    return connection ? 0 : 1;
}

void connection_drop(Listener *listener, Slot *slot) {
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

void connection_wait_for_input(struct lws *wsi, bool waits) {
    lws_rx_flow_control(wsi, waits);
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

int connection_receive(Connection *connection, const char *bytes, size_t count) {
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

int connection_send_next(Connection *connection) {
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

/* Writes the headers of a stream. Its body has no length, so it ends when the connection ends. */
static bool begin_stream(Connection *connection) {
    char text[HEADER_MAX];
    struct lws *wsi = connection->wsi;
    connection->has_begun =
        http_headers_write(wsi, &(HttpHeaders){.code = 200,
                                               .type = connection->stream_type,
                                               .length = LWS_ILLEGAL_HTTP_CONTENT_LEN,
                                               .host = http_header(wsi, WSI_TOKEN_HOST, text),
                                               .cache = "no-store",
                                               .buffering = "no"});
    if (connection->has_begun) lws_http_mark_sse(wsi); /* there is no limit of time */
    return connection->has_begun;
}

int connection_continue_stream(Connection *connection) {
    struct lws *wsi = connection->wsi;
    if (!connection->has_begun) {
        lws_callback_on_writable(wsi);
        return begin_stream(connection) ? 0 : -1;
    }
    if (connection_send_next(connection)) return -1;
    if (!outbox_bytes(&connection->outbox) && !lws_partial_buffered(wsi))
        connection_wait_for_input(wsi, false);
    return 0;
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

void connection_close_left(Connection *connection) {
    struct pollfd end = {.fd = lws_get_socket_fd(connection->wsi), .events = POLLRDHUP};
    if (connection->stream_type && !connection->is_cut_off && poll(&end, 1, 0) == 1)
        kill_connection(connection);
}

void connection_tend(Connection *connection, double now) {
    const double silent_max = connection->listener->setup.silent_seconds_max;
    char reason[96];
    if (connection->is_cut_off) return;
    if (connection->is_complete) handle_lines(connection);
    if (outbox_is_closed(&connection->outbox)) {
        snprintf(reason, sizeof reason,
                 "more than %d MiB of messages wait for the client, or memory is too small",
                 OUTBOX_BYTES_MAX >> 20);
        cut_off(connection, reason);
    } else if (!outbox_bytes(&connection->outbox)) {
        connection->taken_at = now;
    } else if (now - connection->taken_at > silent_max) {
        snprintf(reason, sizeof reason, "the client has read nothing for more than %g s",
                 silent_max);
        cut_off(connection, reason);
    } else {
        if (connection->stream_type) connection_wait_for_input(connection->wsi, true);
        lws_callback_on_writable(connection->wsi);
    }
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
