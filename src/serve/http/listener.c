#include "serve/http/listener.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/thread.h"
#include "serve/http/certificate.h"
#include "serve/http/connection_private.h"
#include "serve/http/http_headers.h"
#include "serve/http/http_request_private.h"

enum {
    READ_BYTES = 4096,  /* how much is read from a client at a time */
    PING_SECONDS = 30,  /* a client that is silent for this long gets a ping */
    HANGUP_SECONDS = 90 /* a client that is silent for this long is cut off */
};

static void close_left_streams(Listener *listener) {
    for (Connection *connection = listener->connections; connection; connection = connection->next)
        connection_close_left(connection);
}

static void tend(Listener *listener) {
    double now = clock_seconds();
    listener->setup.handlers.tend(listener->setup.context);
    for (Connection *connection = listener->connections; connection; connection = connection->next)
        connection_tend(connection, now);
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t count) {
    Slot *slot = user;
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP:
        return http_request_begin(listener_of(wsi), wsi, slot, in);
    case LWS_CALLBACK_HTTP_BODY:
        return http_request_receive_body(slot, in, count);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return http_request_end_body(listener_of(wsi), wsi, slot);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return slot->connection ? connection_continue_stream(slot->connection)
                                : http_request_continue(wsi, slot);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        if (slot) http_request_drop(slot);
        if (slot) connection_drop(listener_of(wsi), slot);
        return 0;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return http_request_check_socket(listener_of(wsi), wsi, slot);
    case LWS_CALLBACK_ESTABLISHED:
        return connection_open(listener_of(wsi), wsi, slot);
    case LWS_CALLBACK_RECEIVE:
        return slot->connection ? connection_receive(slot->connection, in, count) : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return slot->connection ? connection_send_next(slot->connection) : -1;
    case LWS_CALLBACK_CLOSED:
        connection_drop(listener_of(wsi), slot);
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
        .headers = http_headers_of_all(),
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
        listener->counts.wakeups++;
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
