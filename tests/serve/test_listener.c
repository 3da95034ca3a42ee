/* The headers of answers: versions, compression, what a page may load; public paths; streams. */
#include "base/clock.h"
#include "base/thread.h"
#include "serve/http/listener.h"
#include "serve/socket_client.h"

/* Requests whose answers come later, from tend(). */
static HttpRequest *late[4];
static int late_count, tends_to_wait;

/* Streams at /stream say "hello" and then what a request to /say wants; streams at /flood send more
 * and more. */
static Connection *streams[4];
static int stream_count, streams_closed;
static bool floods[4];

static void begin_stream(HttpRequest *request, bool is_flood, HttpAnswer *out) {
    Connection *connection =
        http_request_stream(request, "text/event-stream", &streams[stream_count], out);
    if (!connection) return;
    floods[stream_count] = is_flood;
    streams[stream_count++] = connection;
    EXPECT_TRUE(connection_send(connection, "hello\n", 6));
}

static void say(const HttpRequest *request, HttpAnswer *out) {
    char text[64];
    int length = http_request_header(request, "x-text:", text, sizeof text);
    for (int i = 0; i < stream_count; i++)
        if (streams[i]) (void)connection_send(streams[i], text, strlen(text));
    *out = (HttpAnswer){.code = 200, .type = "text/plain"};
    strbuf_addf(&out->body, "length %d, read %d, closed %d", length, (int)strlen(text),
                streams_closed);
}

static void close_session(void *session) {
    *(Connection **)session = NULL;
    streams_closed++;
}

static Listener *listener; /* of the process that begin() starts */

static void answer(void *context, const char *path, HttpRequest *request, HttpAnswer *out) {
    (void)context;
    if (strcmp(path, "/wakeups") == 0) {
        *out = (HttpAnswer){.code = 200, .type = "text/plain"};
        strbuf_addf(&out->body, "%lld", (long long)listener_counts(listener).wakeups);
        return;
    }
    if (strcmp(path, "/say") == 0) {
        say(request, out);
        return;
    }
    if ((strcmp(path, "/stream") == 0 || strcmp(path, "/flood") == 0) && stream_count < 4) {
        begin_stream(request, strcmp(path, "/flood") == 0, out);
        return;
    }
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
    static char part[1 << 18];
    (void)context;
    memset(part, 'x', sizeof part);
    for (int i = 0; i < stream_count; i++) {
        while (streams[i] && floods[i] && connection_unsent(streams[i]) < 1 << 20)
            (void)connection_send(streams[i], part, sizeof part);
    }
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
                                    .clients_max = 2,
                                    .message_bytes_max = 1000,
                                    .silent_seconds_max = 2,
                                    .handlers = {.answer = answer,
                                                 .takes_post = takes_post,
                                                 .is_public = is_public,
                                                 .has_socket = has_socket,
                                                 .close = close_session,
                                                 .tend = tend}};

static pid_t begin(int *port) {
    int ends[2];
    EXPECT_INT(0, pipe(ends));
    fflush(NULL);
    pid_t process = fork();
    if (!process) {
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

#define TOKEN_HEADERS "Host: localhost\r\nAuthorization: Bearer 0123456789abcdef\r\n"

/* Begins a stream, and reads its first part. */
static SocketClient open_stream(int port, const char *line) {
    SocketClient client = client_connect(port);
    EXPECT_INT(200, client_request(&client, line, TOKEN_HEADERS));
    EXPECT_CONTAINS(client.got.text, "content-type: text/event-stream\r\n");
    EXPECT_CONTAINS(client.got.text, "cache-control: no-store\r\n");
    EXPECT_CONTAINS(client.got.text, "content-security-policy: default-src 'none'; ");
    EXPECT_TRUE(strstr(client.got.text, "content-length") == NULL);
    strbuf_reset(&client.got);
    EXPECT_TRUE(client_read(&client, 6));
    EXPECT_TEXT("hello\n", client.got.text);
    strbuf_reset(&client.got);
    return client;
}

/* Lets all streams send a text. Expects these words in the answer. */
static void say_to_all(int port, const char *text, const char *words) {
    SocketClient client = client_connect(port);
    char headers[1024];
    snprintf(headers, sizeof headers, TOKEN_HEADERS "X-Text: %s\r\n", text);
    EXPECT_INT(200, client_request(&client, "GET /say", headers));
    client_read_body(&client);
    EXPECT_CONTAINS(client.got.text, words);
    client_end(&client);
}

/* Waits until the server has closed so many streams. */
static void wait_for_closed(int port, int wanted) {
    char words[32];
    snprintf(words, sizeof words, "closed %d", wanted);
    for (int i = 0;; i++) {
        SocketClient client = client_connect(port);
        EXPECT_INT(200, client_request(&client, "GET /say", TOKEN_HEADERS));
        client_read_body(&client);
        bool done = strstr(client.got.text, words) != NULL;
        client_end(&client);
        if (done) return;
        if (i > 500) fail_msg("the server has not closed %d streams", wanted);
        clock_sleep_ms(20);
    }
}

TEST(a_stream_has_no_end) {
    int port;
    pid_t process = begin(&port);
    SocketClient one = open_stream(port, "GET /stream"), two = open_stream(port, "GET /stream");
    SocketClient third = client_connect(port);
    EXPECT_INT(503, client_request(&third, "GET /stream", TOKEN_HEADERS));
    client_read_body(&third);
    EXPECT_CONTAINS(third.got.text, "--max-clients");
    client_end(&third);
    SocketClient stranger = client_connect(port);
    EXPECT_INT(401, client_request(&stranger, "GET /stream", "Host: localhost\r\n"));
    client_end(&stranger);
    say_to_all(port, "news", "length 4, read 4, closed 0");
    EXPECT_TRUE(client_read(&one, 4) && client_read(&two, 4));
    EXPECT_TEXT("news", one.got.text);
    EXPECT_TEXT("news", two.got.text);
    client_end(&one);
    wait_for_closed(port, 1);
    SocketClient last = open_stream(port, "GET /stream"); /* there is room again */
    client_end(&last);
    client_end(&two);
    wait_for_closed(port, 3);
    end(process);
}

/* say() has room for a text of 63 bytes, and the listener for one of 511 bytes. */
TEST(a_long_header_is_read_as_an_empty_text) {
    int port;
    char text[601];
    pid_t process = begin(&port);
    memset(text, 'a', sizeof text);
    text[600] = 0;
    say_to_all(port, text, ", read 0,");
    text[511] = 0;
    say_to_all(port, text, "length 511, read 0,");
    text[64] = 0;
    say_to_all(port, text, "length 64, read 0,");
    text[63] = 0;
    say_to_all(port, text, "length 63, read 63,");
    end(process);
}

/* How often the listener has woken up so far. */
static long wakeups(int port) {
    SocketClient client = client_connect(port);
    EXPECT_INT(200, client_request(&client, "GET /wakeups", TOKEN_HEADERS));
    client_read_body(&client);
    long count = strtol(client.got.text, NULL, 10);
    EXPECT_TRUE(count > 0);
    client_end(&client);
    return count;
}

/* Neither a stream in which nothing happens nor the bytes that its client sends wake up the
 * listener, which has a timer of one second. If less than a millisecond is left until the timer,
 * libwebsockets does not sleep, and this may count a few thousand times. If the bytes that nobody
 * reads woke up the listener again and again, there would be hundreds of thousands of times. */
TEST(an_idle_stream_does_not_wake_up_the_listener) {
    int port;
    pid_t process = begin(&port);
    SocketClient client = open_stream(port, "GET /stream");
    static char bytes[10000];
    memset(bytes, 'y', sizeof bytes);
    client_send(&client, bytes, sizeof bytes);
    clock_sleep_ms(200);
    const long before = wakeups(port);
    clock_sleep_ms(1500);
    const long times = wakeups(port) - before;
    if (times > 50000) fail_msg("the listener woke up %ld times", times);
    say_to_all(port, "news", "length 4");
    client_end(&client);
    wait_for_closed(port, 1);
    end(process);
}

TEST(a_stream_whose_client_does_not_read_is_cut_off) {
    int port;
    pid_t process = begin(&port);
    SocketClient client = client_connect(port);
    EXPECT_INT(200, client_request(&client, "GET /flood", TOKEN_HEADERS));
    wait_for_closed(port, 1);
    client_end(&client);
    end(process);
}

TEST(a_stream_arrives_whole) {
    int port;
    pid_t process = begin(&port);
    SocketClient client = open_stream(port, "GET /flood");
    EXPECT_TRUE(client_read(&client, 5 << 20));
    EXPECT_INT(5 << 20, strspn(client.got.text, "x"));
    client_end(&client);
    wait_for_closed(port, 1);
    end(process);
}

TEST_MAIN(RUN(a_file_is_sent_once_and_to_clients_that_can_read_it),
          RUN(every_answer_says_what_a_page_may_load), RUN(an_answer_may_come_later),
          RUN(a_stream_has_no_end), RUN(a_long_header_is_read_as_an_empty_text),
          RUN(an_idle_stream_does_not_wake_up_the_listener),
          RUN(a_stream_whose_client_does_not_read_is_cut_off), RUN(a_stream_arrives_whole))
