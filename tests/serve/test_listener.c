/* The headers of answers: versions, compression, what a page may load; and public paths. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/thread.h"
#include "serve/http/listener.h"
#include "serve/socket_client.h"

/* Requests whose answers come later, from tend(). */
static HttpRequest *late[4];
static int late_count, tends_to_wait;

static void answer(void *context, const char *path, HttpRequest *request, HttpAnswer *out) {
    (void)context;
    if (strcmp(path, "/late") == 0 && late_count < 4) {
        late[late_count++] = request;
        tends_to_wait = 2;
        return;
    }
    bool packed = strcmp(path, "/packed") == 0;
    *out = (HttpAnswer){.code = 200, .type = "text/plain"};
    if (packed) {
        out->encoding = "gzip";
        out->etag = "\"v1\"";
        out->cache = "no-cache";
    }
    strbuf_add(&out->body, packed ? "PACKED" : "open");
    char side[8];
    int length = http_request_argument(request, "side", side, sizeof side);
    if (length >= 0) strbuf_addf(&out->body, " side %s of %d", side, length);
}

static bool takes_post(void *context, const char *path) {
    (void)context;
    return strcmp(path, "/late") == 0;
}

static bool is_public(void *context, const char *path) {
    (void)context;
    return strcmp(path, "/packed") == 0;
}

static bool has_socket(void *context, const char *path) {
    (void)context, (void)path;
    return false;
}

static void tend(void *context) {
    (void)context;
    if (tends_to_wait-- > 0) return;
    for (; late_count > 0; late_count--) {
        HttpAnswer answer = {.code = 404, .type = "text/plain"};
        strbuf_add(&answer.body, "it comes late");
        http_request_answer(late[late_count - 1], &answer);
    }
}

static const ListenerSetup SETUP = {.address = "127.0.0.1",
                                    .ports = 1,
                                    .access = {.token = "0123456789abcdef"},
                                    .clients_max = 4,
                                    .message_bytes_max = 1000,
                                    .silent_seconds_max = 30,
                                    .handlers = {.answer = answer,
                                                 .takes_post = takes_post,
                                                 .is_public = is_public,
                                                 .has_socket = has_socket,
                                                 .tend = tend}};

static pid_t begin(int *port) {
    int ends[2];
    EXPECT_INT(0, pipe(ends));
    fflush(NULL);
    pid_t process = fork();
    if (!process) {
        Listener *listener;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        stop_install();
        if (listener_new(&SETUP, &listener, NULL)) exit(1);
        int free_port = listener_port(listener);
        if (write(ends[1], &free_port, sizeof free_port) != (ssize_t)sizeof free_port) exit(1);
        Status status = listener_run(listener, NULL);
        listener_free(listener);
        exit(status ? 1 : 0);
    }
    close(ends[1]);
    EXPECT_INT(sizeof *port, read(ends[0], port, sizeof *port));
    close(ends[0]);
    return process;
}

static void end(pid_t process) {
    int status;
    kill(process, SIGTERM);
    EXPECT_INT(process, waitpid(process, &status, 0));
    EXPECT_INT(0, status);
}

/* Asks for a path. The headers of the answer are in `got`, which the caller clears. */
static int ask(int port, const char *path, const char *headers, StrBuf *got) {
    SocketClient client = client_connect(port);
    char line[128], all[256];
    snprintf(line, sizeof line, "GET %s", path);
    snprintf(all, sizeof all, "Host: localhost:%d\r\n%s", port, headers);
    int code = client_request(&client, line, all);
    strbuf_reset(got);
    strbuf_add(got, client.got.text);
    client_end(&client);
    return code;
}

#define GZIP "Accept-Encoding: br, gzip\r\n"

TEST(a_file_is_sent_once_and_to_clients_that_can_read_it) {
    int port;
    StrBuf got = {0};
    pid_t process = begin(&port);
    EXPECT_INT(200, ask(port, "/packed", GZIP, &got));
    EXPECT_CONTAINS(got.text, "content-encoding: gzip\r\n");
    EXPECT_CONTAINS(got.text, "etag: \"v1\"\r\n");
    EXPECT_CONTAINS(got.text, "cache-control: no-cache\r\n");
    EXPECT_CONTAINS(got.text, "content-length: 6\r\n");
    EXPECT_INT(304, ask(port, "/packed", GZIP "If-None-Match: \"v0\", \"v1\"\r\n", &got));
    EXPECT_CONTAINS(got.text, "content-length: 0\r\n");
    EXPECT_INT(200, ask(port, "/packed", GZIP "If-None-Match: \"v0\"\r\n", &got));
    EXPECT_INT(406, ask(port, "/packed", "", &got));
    EXPECT_TRUE(strstr(got.text, "content-encoding") == NULL);
    strbuf_clear(&got);
    end(process);
}

TEST(every_answer_says_what_a_page_may_load) {
    int port;
    StrBuf got = {0};
    char sockets[64];
    pid_t process = begin(&port);
    snprintf(sockets, sizeof sockets, "connect-src 'self' ws://localhost:%d wss://", port);
    EXPECT_INT(200, ask(port, "/packed", GZIP, &got));
    EXPECT_CONTAINS(got.text, sockets);
    EXPECT_INT(200, ask(port, "/other?token=0123456789abcdef", "", &got));
    EXPECT_CONTAINS(got.text, sockets);
    EXPECT_CONTAINS(got.text, "cache-control: no-store\r\n");
    static const char *const REFUSED[] = {"", UPGRADE};
    for (int i = 0; i < 2; i++) {
        EXPECT_INT(401, ask(port, "/other", REFUSED[i], &got));
        EXPECT_CONTAINS(got.text, "content-security-policy: default-src 'none'; ");
        EXPECT_CONTAINS(got.text, "connect-src 'self'; ");
        EXPECT_CONTAINS(got.text, "frame-ancestors 'none'");
        EXPECT_CONTAINS(got.text, "x-content-type-options: nosniff\r\n");
        EXPECT_CONTAINS(got.text, "referrer-policy: no-referrer\r\n");
        EXPECT_CONTAINS(got.text, "cross-origin-opener-policy: same-origin\r\n");
        EXPECT_CONTAINS(got.text, "cross-origin-resource-policy: same-origin\r\n");
    }
    strbuf_clear(&got);
    end(process);
}

/* A client that leaves before its answer comes does no harm. */
TEST(an_answer_may_come_later) {
    int port;
    StrBuf got = {0};
    pid_t process = begin(&port);
    static const char TOKEN[] = "Authorization: Bearer 0123456789abcdef\r\n";
    char headers[128];
    snprintf(headers, sizeof headers, "Host: localhost:%d\r\n%s", port, TOKEN);
    for (int i = 0; i < 3; i++) {
        SocketClient gone = client_connect(port), client = client_connect(port);
        StrBuf request = {0};
        strbuf_addf(&request, "GET /late HTTP/1.1\r\n%s\r\n", headers);
        client_send(&gone, request.text, request.length);
        strbuf_clear(&request);
        client_end(&gone);
        EXPECT_INT(404, client_request(&client, "GET /late", headers));
        EXPECT_CONTAINS(client.got.text, "content-security-policy: default-src 'none'; ");
        client_read_body(&client);
        EXPECT_TEXT("it comes late", client.got.text);
        EXPECT_FALSE(client_read(&client, 1));
        client_end(&client);
    }
    EXPECT_INT(200, ask(port, "/other?side=9", TOKEN, &got));
    EXPECT_CONTAINS(got.text, "content-length: 16\r\n"); /* the body is "open side 9 of 1" */
    /* An argument of 8 bytes is too long for its buffer and is read as an empty text. */
    EXPECT_INT(200, ask(port, "/other?side=12345678", TOKEN, &got));
    EXPECT_CONTAINS(got.text, "content-length: 15\r\n"); /* "open side  of 8" */
    strbuf_clear(&got);
    end(process);
}

TEST_MAIN(RUN(a_file_is_sent_once_and_to_clients_that_can_read_it),
          RUN(every_answer_says_what_a_page_may_load), RUN(an_answer_may_come_later))
