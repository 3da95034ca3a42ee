/* Streams of the news of a run, with clients that return, leave, and do not read. */
#include "base/clock.h"
#include "serve/serving.h"
#include "serve/small_run.h"

typedef struct {
    TestPath root;
    SmallRun run;
    Serving serving;
} Fixture;

static Fixture begin(ListenerSetup setup) {
    Fixture fixture = {.root = test_path("streams")};
    fixture.run = small_run_make(fixture.root.text, "nine");
    runs_add_root(&serving_runs, fixture.root.text);
    fixture.serving = serving_begin_with(setup);
    serving_runs.count = 0;
    return fixture;
}

static void end(const Fixture *fixture) {
    serving_end(&fixture->serving);
    small_run_remove(&fixture->run);
    EXPECT_OK(directory_remove(fixture->root.text, err));
}

static const char EVENTS[] = "GET /api/v1/runs/nine/events";

/* Begins a stream after the event with this id; NULL: with the present. */
static SocketClient open_stream(int port, const char *last_id) {
    SocketClient client = client_connect(port);
    char headers[256];
    snprintf(headers, sizeof headers, "Host: localhost\r\n%s%s%s", last_id ? "Last-Event-ID: " : "",
             last_id ? last_id : "", last_id ? "\r\n" : "");
    EXPECT_INT(200, client_request(&client, EVENTS, headers));
    EXPECT_CONTAINS(client.got.text, "content-type: text/event-stream\r\n");
    EXPECT_CONTAINS(client.got.text, "cache-control: no-store\r\n");
    EXPECT_TRUE(strstr(client.got.text, "content-length") == NULL);
    return client;
}

/* Reads until an empty line. The text is then in `got`. Returns false if the stream ends. */
static bool next_text(SocketClient *client) {
    strbuf_reset(&client->got);
    while (client_read(client, 1)) {
        size_t length = client->got.length;
        if (length >= 2 && memcmp(client->got.text + length - 2, "\n\n", 2) == 0) return true;
    }
    return false;
}

/* Reads until an event of this kind, and expects these words in it. Copies its id. */
static void expect_event(SocketClient *client, const char *kind, const char *words, char id[128]) {
    char first[64];
    snprintf(first, sizeof first, "event: %s\n", kind);
    do {
        if (!next_text(client)) fail_msg("the stream ends without %s", kind);
    } while (strncmp(client->got.text, first, strlen(first)) != 0);
    EXPECT_CONTAINS(client->got.text, words);
    const char *at = strstr(client->got.text, "\nid: ");
    EXPECT_TRUE(at && sscanf(at, "\nid: %127s\n", id) == 1);
}

static void add_metric(const Fixture *fixture, int samples, double value) {
    Path path;
    RunIndex *index;
    EXPECT_OK(path_join(&path, fixture->run.folder.text, "run.db", err));
    EXPECT_OK(run_index_open(path.text, &index, err));
    EXPECT_OK(run_index_add_metric(index, "loss", samples, samples, value, err));
    run_index_close(index);
}

TEST(a_client_that_returns_gets_what_it_has_missed) {
    Fixture fixture = begin((ListenerSetup){0});
    const int port = fixture.serving.port;
    char id[128];
    SocketClient client = open_stream(port, NULL);
    expect_event(&client, "state", "\"name\":\"nine\"", id);
    add_metric(&fixture, 5000, 0.25);
    expect_event(&client, "metric",
                 "data: {\"name\":\"loss\",\"samples\":5000,\"seconds\":5000.0,\"value\":0.25}\n",
                 id);
    client_end(&client);
    add_metric(&fixture, 6000, 0.125);
    client = open_stream(port, id);
    expect_event(&client, "metric", "\"samples\":6000", id);
    client_end(&client);
    client = open_stream(port, "0");
    expect_event(&client, "net", "\"number\":1", id);
    expect_event(&client, "metric", "\"samples\":0", id);
    expect_event(&client, "game", "\"result\":\"B+3\"", id);
    client_end(&client);
    end(&fixture);
}

/* A number of /metrics, such as "aji_clients". */
static double metric(int port, const char *name) {
    char start[64];
    snprintf(start, sizeof start, "\n%s ", name);
    SocketClient client = client_connect(port);
    EXPECT_INT(200, client_request(&client, "GET /metrics", "Host: localhost\r\n"));
    client_read_body(&client);
    const char *line = strstr(client.got.text, start);
    EXPECT_TRUE(line != NULL);
    double value = strtod(line + strlen(start), NULL);
    client_end(&client);
    return value;
}

/* The server wakes up once a second, and to look for news. If it woke up again and again without a
 * reason, there would be many thousands of times. */
TEST(a_silent_stream_is_kept_alive_and_costs_nothing) {
    Fixture fixture = begin((ListenerSetup){0});
    char id[128];
    SocketClient client = open_stream(fixture.serving.port, NULL);
    expect_event(&client, "state", "", id);
    clock_sleep_ms(300);
    const double before = metric(fixture.serving.port, "aji_wakeups_total");
    EXPECT_TRUE(next_text(&client));
    EXPECT_INT(0, strncmp(client.got.text, ": ", 2));
    EXPECT_TRUE(next_text(&client));
    EXPECT_INT(0, strncmp(client.got.text, ": ", 2));
    const double times = metric(fixture.serving.port, "aji_wakeups_total") - before;
    if (times > 500) fail_msg("the server woke up %g times", times);
    client_end(&client);
    end(&fixture);
}

static int code_of(int port, const char *line, const char *headers) {
    SocketClient client = client_connect(port);
    int code = client_request(&client, line, headers);
    client_end(&client);
    return code;
}

TEST(a_stream_is_a_client_with_the_same_rules) {
    Fixture fixture = begin((ListenerSetup){.clients_max = 2});
    const int port = fixture.serving.port;
    char id[128];
    EXPECT_INT(403, code_of(port, EVENTS, "Host: evil.example\r\n"));
    EXPECT_INT(403, code_of(port, EVENTS, "Host: localhost\r\nOrigin: http://evil.example\r\n"));
    EXPECT_INT(403, code_of(port, EVENTS, "Host: localhost\r\nSec-Fetch-Site: cross-site\r\n"));
    EXPECT_INT(405, code_of(port, "POST /api/v1/runs/nine/events",
                            "Host: localhost\r\nContent-Length: 2\r\n"));
    expect_refusal(port, "/api/v1/runs/eight/events", 404, "\"code\":\"no_run\"");
    expect_refusal(port, "/api/v1/runs/%ff/events", 404, "no_run");
    expect_refusal(port, "/api/v1/runs/nine/events/", 404, "not_found");
    SocketClient client = open_stream(port, NULL), socket = client_open_at(port, "/ws");
    expect_event(&client, "state", "", id);
    expect_page(port, "/api/v1/server", "\"clients\":2");
    expect_refusal(port, "/api/v1/runs/nine/events", 503, "--max-clients");
    EXPECT_INT(503, socket_code(port, "/ws", "Host: localhost\r\n"));
    client_end(&client);
    for (int i = 0; code_of(port, EVENTS, "Host: localhost\r\n") != 200; i++) {
        EXPECT_TRUE(i < 500); /* until the server knows that the client has left */
        clock_sleep_ms(20);
    }
    client_end(&socket);
    end(&fixture);
}

TEST(a_stream_needs_the_token) {
    Fixture fixture = begin((ListenerSetup){.access = {.token = "0123456789abcdef"}});
    const int port = fixture.serving.port;
    EXPECT_INT(401, code_of(port, EVENTS, "Host: localhost\r\n"));
    EXPECT_INT(200, code_of(port, "GET /api/v1/runs/nine/events?token=0123456789abcdef",
                            "Host: localhost\r\n"));
    end(&fixture);
}

TEST(a_wrong_id_is_refused) {
    static const char *const WRONG[] = {"x", "-1", "m1.2.3-n4.5-g6.7", "m1.2.3-n4.5-g6.7.8;"};
    Fixture fixture = begin((ListenerSetup){0});
    char headers[1024], id[601];
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        SocketClient client = client_connect(fixture.serving.port);
        snprintf(headers, sizeof headers, "Host: localhost\r\nLast-Event-ID: %s\r\n", WRONG[i]);
        EXPECT_INT(400, client_request(&client, EVENTS, headers));
        client_read_body(&client);
        EXPECT_CONTAINS(client.got.text, "\"field\":\"Last-Event-ID\"");
        client_end(&client);
    }
    memset(id, '0', sizeof id);
    id[600] = 0;
    snprintf(headers, sizeof headers, "Host: localhost\r\nLast-Event-ID: %s\r\n", id);
    EXPECT_INT(400, code_of(fixture.serving.port, EVENTS, headers));
    end(&fixture);
}

enum { FILES = 70, GAMES_OF_FILE = 1000 };

/* Adds games whose events have about 20 MB, more than what the buffers of the system take. */
static void add_many_games(const Fixture *fixture) {
    StrBuf text = {0};
    for (int i = 0; i < GAMES_OF_FILE; i++)
        strbuf_add(&text, "(;FF[4]GM[1]SZ[5]PB[one]PW[two]RU[Chinese]KM[7]RE[B+3];B[cc])\n");
    for (int i = 0; i < FILES; i++) {
        char name[64];
        snprintf(name, sizeof name, "games/000003/w001-%04d.sgfs", i);
        small_run_file(&fixture->run, name, text.text);
    }
    strbuf_clear(&text);
}

TEST(a_client_that_does_not_read_is_cut_off) {
    Fixture fixture = begin((ListenerSetup){.silent_seconds_max = 1});
    const int port = fixture.serving.port;
    add_many_games(&fixture);
    clock_sleep_ms(1100); /* games are sent when their file is a second old */
    SocketClient client = open_stream(port, "0");
    double began = clock_seconds();
    for (bool is_there = true; is_there;) {
        if (clock_seconds() - began > 60) fail_msg("the client is still connected");
        is_there = metric(port, "aji_clients_cut_off_total") < 1;
        clock_sleep_ms(50);
    }
    client_end(&client);
    end(&fixture);
}

/* Reads a stream of many bytes until the last game. Counts the events of games. */
static int count_games(SocketClient *client) {
    static char part[1 << 16];
    char index[64], file[64];
    int count = 0;
    snprintf(index, sizeof index, "{\"index\":%d,", GAMES_OF_FILE - 1);
    snprintf(file, sizeof file, "\"file\":\"w001-%04d.sgfs\"", FILES - 1);
    StrBuf line = {0};
    for (bool is_last = false; !is_last;) {
        struct pollfd ready = {.fd = client->socket, .events = POLLIN};
        if (poll(&ready, 1, CLIENT_WAIT_MS) != 1) fail_msg("the server is silent");
        ssize_t got = recv(client->socket, part, sizeof part, 0);
        if (got <= 0) fail_msg("the stream ends after %d games", count);
        for (ssize_t i = 0; i < got; i++) {
            strbuf_add_bytes(&line, part + i, 1);
            if (part[i] != '\n') continue;
            count += strcmp(line.text, "event: game\n") == 0;
            is_last = is_last || (strstr(line.text, index) && strstr(line.text, file));
            strbuf_reset(&line);
        }
    }
    strbuf_clear(&line);
    return count;
}

TEST(a_client_that_reads_slowly_gets_all_news) {
    Fixture fixture = begin((ListenerSetup){0});
    add_many_games(&fixture);
    clock_sleep_ms(1100);
    SocketClient client = open_stream(fixture.serving.port, "0");
    clock_sleep_ms(1000); /* it reads nothing at first */
    EXPECT_INT(2 + FILES * GAMES_OF_FILE, count_games(&client));
    client_end(&client);
    end(&fixture);
}

TEST_MAIN(RUN(a_client_that_returns_gets_what_it_has_missed),
          RUN(a_silent_stream_is_kept_alive_and_costs_nothing),
          RUN(a_stream_is_a_client_with_the_same_rules), RUN(a_stream_needs_the_token),
          RUN(a_wrong_id_is_refused), RUN(a_client_that_does_not_read_is_cut_off),
          RUN(a_client_that_reads_slowly_gets_all_news))
