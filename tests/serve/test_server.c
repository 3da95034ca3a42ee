/* The server of `aji serve`, in a process of its own, with clients that behave well and badly. */
#include <fcntl.h>
#include <sys/time.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "serve/http/assets.h"
#include "serve/http_ops.h"
#include "serve/serving.h"
#include "serve/small_run.h"

static const char QUERY[] = "{\"id\":\"%s\",\"moves\":[[\"B\",\"C3\"]],\"rules\":\"chinese\","
                            "\"boardXSize\":5,\"boardYSize\":5}";

static void ask(SocketClient *client, const char *id) {
    char query[256];
    snprintf(query, sizeof query, QUERY, id);
    client_say(client, query);
}

/* The next frame must be an answer with this id and a search of 4 visits. */
static void expect_answer(SocketClient *client, const char *id) {
    char wanted[64];
    EXPECT_INT(FRAME_FINAL | FRAME_TEXT, client_hear(client));
    snprintf(wanted, sizeof wanted, "\"id\":\"%s\"", id);
    EXPECT_CONTAINS(client->got.text, wanted);
    EXPECT_CONTAINS(client->got.text, "\"visits\":4");
}

TEST(answers_go_to_the_client_that_asked) {
    Serving serving = serving_begin();
    SocketClient one = client_open(serving.port), two = client_open(serving.port);
    ask(&one, "a");
    expect_answer(&one, "a");
    ask(&two, "a");
    expect_answer(&two, "a");
    client_say(&one, "{\"id\":\"v\",\"action\":\"query_version\"}\n\n"
                     "{\"id\":\"m\",\"action\":\"query_models\"}\r\nnonsense");
    EXPECT_INT(FRAME_FINAL | FRAME_TEXT, client_hear(&one));
    EXPECT_CONTAINS(one.got.text, "\"version\":\"1.2\"");
    EXPECT_INT(FRAME_FINAL | FRAME_TEXT, client_hear(&one));
    EXPECT_CONTAINS(one.got.text, "\"id\":\"m\"");
    EXPECT_INT(FRAME_FINAL | FRAME_TEXT, client_hear(&one));
    EXPECT_CONTAINS(one.got.text, "error");
    client_end(&one);
    ask(&two, "b");
    expect_answer(&two, "b");
    client_end(&two);
    serving_end(&serving);
}

TEST(messages_may_come_in_parts_with_pings_between) {
    Serving serving = serving_begin();
    SocketClient client = client_open(serving.port);
    char query[256];
    int length = snprintf(query, sizeof query, QUERY, "parts");
    for (int i = 0; i < length; i++) {
        int first = (i ? FRAME_CONTINUED : FRAME_TEXT) | (i == length - 1 ? FRAME_FINAL : 0);
        client_send_frame(&client, first, query + i, 1);
        if (i == 5) client_send_frame(&client, FRAME_FINAL | FRAME_PING, "hm", 2);
    }
    EXPECT_INT(FRAME_FINAL | FRAME_PONG, client_hear(&client));
    EXPECT_TEXT("hm", client.got.text);
    expect_answer(&client, "parts");
    client_send_frame(&client, FRAME_FINAL | FRAME_CLOSE, "\x03\xe8", 2);
    EXPECT_INT(1000, client_hear_close(&client));
    client_end(&client);
    serving_end(&serving);
}

TEST(strangers_are_refused) {
    Serving serving = serving_begin_with((ListenerSetup){.access = {.token = "0123456789abcdef"}});
    int port = serving.port;
    static const char *const PATH = "/ws/analysis?token=0123456789abcdef";
    EXPECT_INT(101, socket_code(port, PATH, "Host: localhost\r\n"));
    EXPECT_INT(101, socket_code(port, "/ws/analysis",
                                "Host: localhost\r\nAuthorization: Bearer "
                                "0123456789abcdef\r\n"));
    EXPECT_INT(101, socket_code(port, PATH, "Host: 10.0.0.1:80\r\nOrigin: http://10.0.0.1:80\r\n"));
    EXPECT_INT(401, socket_code(port, "/ws/analysis", "Host: localhost\r\n"));
    EXPECT_INT(401, socket_code(port, "/ws/analysis?token=no", "Host: localhost\r\n"));
    EXPECT_INT(403, socket_code(port, PATH, "Host: evil.example\r\n"));
    EXPECT_INT(403, socket_code(port, PATH, "Host: localhost\r\nOrigin: http://evil.example\r\n"));
    EXPECT_INT(403, socket_code(port, PATH, "Host: localhost\r\nOrigin: null\r\n"));
    EXPECT_INT(404, socket_code(port, "/ws/other?token=0123456789abcdef", "Host: localhost\r\n"));
    EXPECT_TRUE(socket_code(port, PATH, "") != 101);
    serving_end(&serving);
}

TEST(scripts_read_runs_and_nets) {
    const TestPath root = test_path("runs");
    SmallRun run = small_run_make(root.text, "nine");
    runs_add_root(&serving_runs, root.text);
    Serving serving = serving_begin();
    const int port = serving.port;
    expect_page(port, "/api/v1/runs", "{\"runs\":[{\"id\":\"nine\"");
    expect_page(port, "/api/v1/runs/nine", "{\"state\":{");
    expect_page(port, "/api/v1/runs/nine", "123456");
    expect_page(port, "/api/v1/runs/nine/curves?names=loss,none&points=7", "\"loss\":{");
    expect_page(port, "/api/v1/runs/nine/files",
                "[{\"folder\":\"000003\",\"file\":\"w000-0000.sgfs\"");
    expect_page(port, "/api/v1/runs/nine/files/000003/w000-0000.sgfs", "\"result\":\"W+R\"");
    expect_page(port, "/api/v1/runs/nine/files/000003/w000-0000.sgfs/0.sgf",
                "(;FF[4]GM[1]SZ[5]PB[one]");
    expect_page(port, "/api/v1/games", "{\"games\":[]}");
    expect_page(port, "/api/v1/nets/uniform", "{\"facts\":{");
    expect_page(port, "/api/v1/nets/uniform/levels?width=9&height=9", "{\"levels\":[]");
    expect_refusal(port, "/api/v1/nets/uniform/levels?width=9", 400, "\"field\":\"height\"");
    expect_refusal(port, "/api/v1/nets/uniform/levels?width=9&height=x", 400, "bad_field");
    StrBuf long_name = {0};
    strbuf_add(&long_name, "/api/v1/runs/nine/curves?names=");
    for (int i = 0; i < 450; i++)
        strbuf_add(&long_name, "n");
    expect_refusal(port, long_name.text, 400, "\"field\":\"names\"");
    for (int i = 0; i < 150; i++)
        strbuf_add(&long_name, "n");
    expect_refusal(port, long_name.text, 414, "too long");
    strbuf_clear(&long_name);
    expect_refusal(port, "/api/v1/runs/nine/curves?names=%ff", 400, "\"field\":\"names\"");
    expect_refusal(port, "/api/v1/nets/none", 404, "\"code\":\"no_net\"");
    expect_refusal(port, "/api/v1/nets/%ff", 404, "not_found");
    expect_refusal(port, "/api/v1/runs/eight", 404, "\"code\":\"no_run\"");
    expect_refusal(port, "/api/v1/runs/nine/curves", 400, "\"field\":\"names\"");
    expect_refusal(port, "/api/v1/runs/nine/files/000003/w000-0000.sgfs/x.sgf", 400, "index");
    expect_refusal(port, "/api/v1/runs/nine/files/000003/run.cfg", 404, "\"code\":\"no_");
    expect_refusal(port, "/api/v1/runs/nine/", 404, "not_found");
    expect_refusal(port, "/api/v1/runs/nine/more", 404, "not_found");
    expect_refusal(port, "/api/v1/runs//files", 404, "");
    serving_end(&serving);
    serving_runs.count = 0;
    small_run_remove(&run);
    EXPECT_OK(directory_remove(root.text, err));
}

/* Sends a body with POST, in two parts. Expects this code and these words in the answer. */
static void expect_post(int port, const char *path, const char *headers, const char *body, int code,
                        const char *words) {
    SocketClient client = client_connect(port);
    StrBuf request = {0};
    size_t half = strlen(body) / 2;
    strbuf_addf(&request, "POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n",
                path, headers, (int)strlen(body));
    client_send(&client, request.text, request.length);
    client_send(&client, body, half);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    client_send(&client, body + half, strlen(body) - half);
    strbuf_clear(&request);
    while (!strstr(strbuf_text(&client.got), "\r\n\r\n") && client_read(&client, 1)) {
    }
    int got = 0;
    EXPECT_INT(1, sscanf(strbuf_text(&client.got), "HTTP/1.%*d %d", &got));
    EXPECT_INT(code, got);
    client_read_body(&client);
    EXPECT_CONTAINS(client.got.text, words);
    client_end(&client);
}

TEST(scripts_let_the_engine_search_and_begin_games) {
    static const char EVAL[] = "/api/v1/eval", GAMES[] = "/api/v1/games";
    static const char ONE_MOVE[] = "{\"rules\":\"tromp-taylor\",\"boardXSize\":5,\"boardYSize\":5,"
                                   "\"moves\":[[\"B\",\"C3\"]],\"maxVisits\":%s}";
    char body[256];
    Serving serving = serving_begin();
    const int port = serving.port;
    snprintf(body, sizeof body, ONE_MOVE, "9,\"reportDuringSearchEvery\":0.001");
    expect_post(port, EVAL, "", body, 200, "\"visits\":9");
    expect_post(port, "/api/v1/eval?net=deep", "", body, 200, "\"isDuringSearch\":false");
    expect_post(port, "/api/v1/eval?net=", "", body, 400, "net is empty");
    expect_post(port, "/api/v1/eval?net=none", "", body, 404, "\"code\":\"no_net\"");
    snprintf(body, sizeof body, ONE_MOVE, "9");
    expect_post(port, "/api/v1/eval?net=deep", "", body, 200,
                "\"warnings\":[{\"field\":\"maxVisits\",\"warning\":\"A search has at most 5");
    expect_post(port, EVAL, "", "{\"action\":\"clear_cache\"}", 400, "\"field\":\"action\"");
    expect_refusal(port, EVAL, 405,
                   "\"code\":\"bad_method\",\"message\":\"This address answers only POST");
    snprintf(body, sizeof body, ONE_MOVE, "101");
    expect_post(port, EVAL, "", body, 400, "\"field\":\"maxVisits\"");
    snprintf(body, sizeof body, ONE_MOVE, "9,\"analyzeTurns\":[0,1]");
    expect_post(port, EVAL, "", body, 400, "\"field\":\"analyzeTurns\"");
    snprintf(body, sizeof body, ONE_MOVE, "-1");
    expect_post(port, EVAL, "", body, 400, "{\"error\":{\"code\":\"bad_query\",\"message\":\"");
    expect_post(port, EVAL, "", "{\"moves\":", 400, "\"code\":\"bad_json\"");
    expect_post(port, EVAL, "", "[1]", 400, "must be a JSON object");
    expect_post(port, "/api/v1/runs", "", "{}", 405, "only GET");
    expect_post(port, EVAL, "Origin: http://elsewhere.example\r\n", "{}", 403, "");
    expect_post(port, GAMES, "", "{\"width\":5}", 400, "\"code\":\"bad_field\"");
    expect_post(port, GAMES, "",
                "{\"op\":\"hello\",\"id\":\"x\",\"width\":5,\"height\":5,\"komi\":0.5,"
                "\"rules\":\"chinese\",\"color\":\"B\",\"visits\":4}",
                200, "\"game\":\"");
    expect_page(port, GAMES, "\"width\":5");
    serving_end(&serving);
}

TEST(a_read_only_server_only_shows_runs) {
    serving_read_only = true;
    Serving serving = serving_begin();
    serving_read_only = false;
    const int port = serving.port;
    expect_page(port, "/api/v1/server", "\"read_only\":true");
    expect_page(port, "/api/v1/runs", "\"runs\":[");
    expect_page(port, "/api/v1/nets", "\"loaded\":false");
    expect_refusal(port, "/api/v1/games", 403, "\"code\":\"read_only\"");
    expect_post(port, "/api/v1/games", "", "{\"width\":5}", 403, "--read-only");
    expect_post(port, "/api/v1/eval", "", "{\"moves\":[]}", 403, "\"code\":\"read_only\"");
    EXPECT_INT(404, socket_code(port, "/ws/analysis", "Host: localhost\r\n"));
    EXPECT_INT(404, socket_code(port, "/ws/analysis/deep", "Host: localhost\r\n"));
    EXPECT_INT(101, socket_code(port, "/ws", "Host: localhost\r\n"));
    serving_end(&serving);
}

TEST(the_code_of_http_says_who_is_to_blame) {
    static const struct {
        const char *fault;
        int code;
    } CASES[] = {{"bad_field", 400}, {"bad_json", 400},  {"no_game", 404},
                 {"too_often", 429}, {"nets_busy", 503}, {"too_many_games", 503},
                 {"bad_net", 500},   {"no_name", 500},   {NULL, 500}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        EXPECT_INT(CASES[i].code, http_code(CASES[i].fault));
}

TEST(a_post_needs_a_body_of_known_length) {
    Serving serving = serving_begin();
    static const struct {
        const char *headers;
        int code;
    } REQUESTS[] = {{"", 411},
                    {"Content-Length: 0\r\n", 411},
                    {"Content-Length: x\r\n", 411},
                    {"Transfer-Encoding: chunked\r\n", 411},
                    {"Content-Length: 99999999999\r\n", 413}};
    for (size_t i = 0; i < sizeof REQUESTS / sizeof *REQUESTS; i++) {
        SocketClient client = client_connect(serving.port);
        char headers[128];
        snprintf(headers, sizeof headers, "Host: localhost\r\n%s", REQUESTS[i].headers);
        EXPECT_INT(REQUESTS[i].code, client_request(&client, "POST /api/v1/eval", headers));
        client_end(&client);
    }
    SocketClient gone = client_connect(serving.port); /* it leaves in the middle of its body */
    static const char PART[] = "POST /api/v1/eval HTTP/1.1\r\nHost: localhost\r\n"
                               "Content-Length: 100\r\n\r\n{\"moves\"";
    client_send(&gone, PART, sizeof PART - 1);
    client_end(&gone);
    expect_page(serving.port, "/healthz", "ok\n");
    serving_end(&serving);
}

TEST(pages_are_answered_and_other_paths_are_not) {
    Serving serving = serving_begin();
    SocketClient client = client_open(serving.port);
    expect_page(serving.port, "/healthz", "ok\n");
    expect_page(serving.port, "/api/v1/server", "\"clients\":1,\"limits\":{\"clients\":8,");
    expect_page(serving.port, "/api/v1/server", "\"visits\":100000");
    expect_page(serving.port, "/api/v1/nets",
                "{\"nets\":[{\"id\":\"uniform\",\"name\":\"Uniform\",\"file\":\"uniform\","
                "\"loaded\":true,\"board\":[9,9]},{\"id\":\"deep\",\"name\":\"Deep\","
                "\"file\":\"deep\",\"loaded\":false}");
    if (!assets_have("/")) expect_page(serving.port, "/", "nodejs");
    client_end(&client);
    static const char *const NOWHERE[] = {"GET /../../etc/passwd", "GET /%2e%2e/%2e%2e/etc/passwd",
                                          "GET //etc/passwd",      "GET /healthz/",
                                          "GET /healthz%00",       "GET /x?a=/../.."};
    for (size_t i = 0; i < sizeof NOWHERE / sizeof *NOWHERE; i++) {
        int code = page_code(serving.port, NOWHERE[i], "Host: localhost\r\n");
        if (code == 200) fail_msg("%s is answered", NOWHERE[i]);
    }
    expect_page(serving.port, "/metrics",
                "# TYPE aji_clients_total counter\naji_clients_total 1\n");
    expect_page(serving.port, "/metrics", "aji_build_info{version=\"1.2\",revision=\"abc\"} 1\n");
    expect_page(serving.port, "/metrics", "\naji_nets_loaded 1\n");
    EXPECT_INT(403, page_code(serving.port, "GET /", "Host: evil.example\r\n"));
    EXPECT_INT(403, page_code(serving.port, "GET /healthz",
                              "Host: localhost\r\nSec-Fetch-Site: cross-site\r\n"));
    EXPECT_INT(200, page_code(serving.port, "GET /healthz",
                              "Host: localhost\r\nSec-Fetch-Site: same-origin\r\n"));
    EXPECT_INT(426, page_code(serving.port, "GET /ws/analysis", "Host: localhost\r\n"));
    EXPECT_INT(405, page_code(serving.port, "POST /", "Host: localhost\r\nContent-Length: 0\r\n"));
    EXPECT_INT(200, page_code(serving.port, "GET /healthz", "Host: localhost\r\n"));
    serving_end(&serving);
}

TEST(refusals_are_counted) {
    Serving serving = serving_begin();
    const int port = serving.port;
    EXPECT_INT(403, page_code(port, "GET /", "Host: evil.example\r\n"));
    EXPECT_INT(403, socket_code(port, "/ws", "Host: evil.example\r\n"));
    EXPECT_INT(404, page_code(port, "GET /nowhere", "Host: localhost\r\n"));
    EXPECT_INT(404, socket_code(port, "/ws/none", "Host: localhost\r\n"));
    EXPECT_INT(404, page_code(port, "GET /api/v1/runs/none", "Host: localhost\r\n"));
    EXPECT_INT(405, page_code(port, "GET /api/v1/eval", "Host: localhost\r\n"));
    EXPECT_INT(411, page_code(port, "POST /api/v1/eval", "Host: localhost\r\n"));
    EXPECT_INT(200, page_code(port, "GET /healthz", "Host: localhost\r\n"));
    expect_page(port, "/metrics", "\naji_access_refused_total 2\n");
    expect_page(port, "/metrics", "\naji_refused_total 7\n");
    serving_end(&serving);
}

TEST(frames_that_the_standard_forbids_end_the_connection) {
    static char big[1 << 17];
    Serving serving = serving_begin();
    const struct {
        int first, reason;
        const char *bytes;
        size_t count;
    } bad[] = {{FRAME_FINAL | FRAME_TEXT, 1009, big, sizeof big},
               {FRAME_FINAL | FRAME_BINARY, 1003, "abc", 3},
               {FRAME_FINAL | FRAME_TEXT, 1007, "a\xff\xfe", 3},
               {FRAME_FINAL | FRAME_TEXT, 1007, "a\0b", 3},
               {FRAME_FINAL | 3, 1002, "abc", 3}, /* a kind that does not exist */
               {FRAME_FINAL | 0x40 | FRAME_TEXT, 1002, "abc", 3}};
    memset(big, ' ', sizeof big);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        SocketClient client = client_open(serving.port);
        client_send_frame(&client, bad[i].first, bad[i].bytes, bad[i].count);
        int reason = client_hear_close(&client);
        if (reason != bad[i].reason)
            fail_msg("frame %d: closed with %d, wanted %d", (int)i, reason, bad[i].reason);
        client_end(&client);
    }
    SocketClient client = client_open(serving.port);
    ask(&client, "still there");
    expect_answer(&client, "still there");
    client_end(&client);
    serving_end(&serving);
}

TEST(each_net_has_a_socket_of_its_own) {
    Serving serving = serving_begin();
    SocketClient first = client_open_at(serving.port, "/ws/analysis/uniform"),
                 deep = client_open_at(serving.port, "/ws/analysis/deep"),
                 bad = client_open_at(serving.port, "/ws/analysis/bad");
    ask(&deep, "d");
    EXPECT_INT(FRAME_FINAL | FRAME_TEXT, client_hear(&deep));
    EXPECT_CONTAINS(deep.got.text, "\"visits\":5"); /* bounded */
    client_say(&deep, "{\"id\":\"w\",\"moves\":[],\"rules\":\"chinese\",\"boardXSize\":5,"
                      "\"boardYSize\":5,\"maxVisits\":8}");
    EXPECT_INT(FRAME_FINAL | FRAME_TEXT, client_hear(&deep));
    EXPECT_CONTAINS(deep.got.text, "\"warning\":\"A search has at most 5 visits here\"");
    EXPECT_INT(FRAME_FINAL | FRAME_TEXT, client_hear(&deep));
    EXPECT_CONTAINS(deep.got.text, "\"visits\":5");
    ask(&first, "f"); /* only one net is in memory at a time */
    expect_answer(&first, "f");
    expect_page(serving.port, "/metrics", "\naji_searches_total 3\n"); /* of both nets */
    ask(&bad, "b");
    EXPECT_INT(FRAME_FINAL | FRAME_TEXT, client_hear(&bad));
    EXPECT_CONTAINS(bad.got.text, "there is no bad net");
    EXPECT_CONTAINS(bad.got.text, "\"id\":\"b\"");
    EXPECT_INT(404, socket_code(serving.port, "/ws/analysis/none", "Host: localhost\r\n"));
    EXPECT_INT(404, socket_code(serving.port, "/ws/analysis/", "Host: localhost\r\n"));
    EXPECT_INT(404, page_code(serving.port, "GET /ws/analysis/none", "Host: localhost\r\n"));
    client_end(&first);
    client_end(&deep);
    client_end(&bad);
    serving_end(&serving);
}

TEST(only_so_many_clients_are_served) {
    Serving serving = serving_begin_with((ListenerSetup){.clients_max = 2});
    SocketClient one = client_open(serving.port), two = client_open(serving.port);
    EXPECT_INT(503, socket_code(serving.port, "/ws/analysis", "Host: localhost\r\n"));
    client_end(&one);
    int code = 503;
    for (int i = 0; i < 100 && code == 503; i++) { /* until the server knows that one has left */
        clock_sleep_ms(20);
        code = socket_code(serving.port, "/ws/analysis", "Host: localhost\r\n");
    }
    EXPECT_INT(101, code);
    ask(&two, "a");
    expect_answer(&two, "a");
    client_end(&two);
    serving_end(&serving);
}

/* Sends actions, whose answers have 8,000 bytes, and reads nothing. Returns when the server has
 * taken nothing for half a second, or has cut off the client. */
static void flood(SocketClient *client) {
    StrBuf line = {0};
    strbuf_add(&line, "{\"action\":\"query_version\",\"id\":\"");
    for (int i = 0; i < 8000; i++)
        strbuf_add(&line, "x");
    strbuf_add(&line, "\"}");
    struct timeval patience = {.tv_usec = 500000};
    setsockopt(client->socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    int sent = 0;
    while (client_say(client, line.text))
        sent++;
    EXPECT_TRUE(sent > 100 && sent < 5000);
    strbuf_clear(&line);
}

static bool was_cut_off(const SocketClient *client) {
    struct pollfd ready = {.fd = client->socket};
    return poll(&ready, 1, 0) == 1 && ready.revents & (POLLHUP | POLLERR);
}

TEST(a_client_that_does_not_read_is_cut_off_and_harms_nobody) {
    Serving serving = serving_begin_with((ListenerSetup){.silent_seconds_max = 1});
    SocketClient deaf = client_open(serving.port), other = client_open(serving.port);
    flood(&deaf);
    double began = clock_seconds();
    for (int i = 0; !was_cut_off(&deaf); i++) {
        if (clock_seconds() - began > 20) fail_msg("the client is still connected");
        ask(&other, "a");
        expect_answer(&other, "a");
        clock_sleep_ms(10);
    }
    ask(&other, "b");
    expect_answer(&other, "b");
    client_end(&deaf);
    client_end(&other);
    serving_end(&serving);
}

TEST(the_next_port_is_tried) {
    Serving first = serving_begin(),
            second = serving_begin_with((ListenerSetup){.port = first.port, .ports = 10});
    EXPECT_TRUE(second.port > first.port && second.port < first.port + 10);
    ListenerSetup taken = {
        .address = "127.0.0.1", .port = first.port, .ports = 1, .clients_max = 1};
    static const ServedNet BAD = {.id = "bad", .title = "Bad", .file = {"bad"}},
                           GOOD = {.id = "good", .title = "Good", .file = {"good"}};
    ServerSetup setup = {.nets = &GOOD,
                         .net_count = 1,
                         .nets_max = 1,
                         .source = {serving_open_net, serving_close_net, NULL},
                         .games = "games",
                         .listener = taken};
    Server *server;
    EXPECT_STATUS(ERR_IO, server_new(&setup, &server, NULL));
    EXPECT_TRUE(server == NULL);
    setup.listener.address = "192.0.2.1"; /* for documentation (RFC 5737); no machine has it */
    EXPECT_STATUS(ERR_IO, server_new(&setup, &server, NULL));
    Error fallen = {0};
    setup.nets = &BAD; /* the first net is loaded at once */
    EXPECT_STATUS(ERR_IO, server_new(&setup, &server, &fallen));
    EXPECT_CONTAINS(fallen.message, "there is no bad net");
    serving_end(&first);
    serving_end(&second);
}

/* The next message, which is JSON. The caller owns it. */
static json_t *hear_object(SocketClient *client) {
    json_t *message;
    EXPECT_INT(FRAME_FINAL | FRAME_TEXT, client_hear(client));
    EXPECT_OK(json_parse(client->got.text, client->got.length, &message, err));
    return message;
}

/* Waits for the state of a game whose engine does not think. The caller owns it. */
static json_t *hear_state(SocketClient *client) {
    for (;;) {
        json_t *message = hear_object(client), *state = json_object_get(message, "state");
        if (json_object_get(message, "error")) fail_msg("%s", client->got.text);
        bool found = json_is_false(json_object_get(state, "thinking"));
        if (found) json_incref(state);
        json_decref(message);
        if (found) return state;
    }
}

static const char *state_text(const json_t *state, const char *key) {
    const char *text = json_string_value(json_object_get(state, key));
    return text ? text : "";
}

static __attribute__((format(printf, 3, 4))) void request(SocketClient *client, const char *game,
                                                          const char *format, ...) {
    char text[512], members[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(members, sizeof members, format, arguments);
    va_end(arguments);
    snprintf(text, sizeof text, "{\"id\":\"r\",\"game\":\"%s\",%s}", game, members);
    EXPECT_TRUE(client_say(client, text));
}

/* Plays a person's move: the first empty point where a stone would have a liberty, or a pass if
 * there is none or `passes`. */
static void play_somewhere(SocketClient *client, const char *game, const json_t *state,
                           bool passes) {
    const char *board = state_text(state, "board");
    char move[16] = "pass";
    for (int i = 0; i < 25 && !passes; i++) {
        bool free = (i % 5 < 4 && board[i + 1] == '.') || (i % 5 && board[i - 1] == '.') ||
                    (i < 20 && board[i + 5] == '.') || (i >= 5 && board[i - 5] == '.');
        if (board[i] != '.' || !free) continue;
        snprintf(move, sizeof move, "%c%d", "ABCDE"[i % 5], 5 - i / 5);
        break;
    }
    request(client, game, "\"op\":\"game.play\",\"move\":\"%s\",\"at\":%d", move,
            (int)json_array_size(json_object_get(state, "moves")));
}

static void remove_games(void) {
    Arena arena = {0};
    char **names;
    int count;
    EXPECT_OK(directory_list(serving_games, &arena, &names, &count, err));
    EXPECT_TRUE(count > 0);
    arena_clear(&arena);
    EXPECT_OK(directory_remove(serving_games, err));
}

TEST(a_game_is_played_to_its_agreed_end) {
    Serving serving = serving_begin();
    SocketClient client = client_open_at(serving.port, "/ws"),
                 other = client_open_at(serving.port, "/ws");
    char game[64], path[128], result[16];
    EXPECT_TRUE(client_say(&client, "{\"op\":\"game.new\",\"id\":\"g\",\"width\":5,\"height\":5,"
                                    "\"rules\":\"chinese\",\"komi\":0.5,\"color\":\"B\","
                                    "\"visits\":4}"));
    json_t *answer = hear_object(&client), *state = json_incref(json_object_get(answer, "state"));
    snprintf(game, sizeof game, "%s", state_text(answer, "game"));
    json_decref(answer);
    request(&other, game, "\"op\":\"game.open\"");
    for (int turn = 0; strcmp(state_text(state, "phase"), "play") == 0; turn++) {
        EXPECT_TRUE(turn < 200);
        play_somewhere(&client, game, state, turn > 8);
        json_decref(state);
        state = hear_state(&client);
    }
    while (json_is_true(json_object_get(state, "thinking"))) { /* the engine proposes dead stones */
        json_decref(state);
        state = hear_state(&client);
    }
    EXPECT_TEXT("score", state_text(state, "phase"));
    const json_t *points = json_object_get(state, "points");
    double lead = json_number_value(json_object_get(points, "B")) -
                  json_number_value(json_object_get(points, "W"));
    snprintf(result, sizeof result, "%c+%.1f", lead > 0 ? 'B' : 'W', fabs(lead));
    json_decref(state);
    request(&client, game, "\"op\":\"game.score\",\"agree\":true");
    state = hear_state(&client);
    EXPECT_TEXT("over", state_text(state, "phase"));
    EXPECT_TEXT(result, state_text(state, "result"));
    json_t *seen = NULL; /* the other page has seen the same end */
    while (strcmp(state_text(seen, "phase"), "over") != 0) {
        json_decref(seen);
        seen = hear_state(&other);
    }
    EXPECT_TRUE(json_equal(state, seen));
    json_decref(state);
    json_decref(seen);
    snprintf(path, sizeof path, "/api/v1/games/%s.sgf", game);
    expect_page(serving.port, path, result);
    client_end(&client);
    client_end(&other);
    serving_end(&serving);
    remove_games();
}

TEST(games_are_found_by_their_names_alone) {
    Serving serving = serving_begin();
    static const char *const NOWHERE[] = {
        "GET /api/v1/games/", "GET /api/v1/games/x.sgf",
        "GET /api/v1/games/0123456789abcdef0123456789abcdef.sgf",
        "GET /api/v1/games/..%2f..%2f..%2f..%2f..%2fetc%2fpas.sgf",
        "GET /api/v1/games/0123456789abcdef0123456789abcdef"};
    for (size_t i = 0; i < sizeof NOWHERE / sizeof *NOWHERE; i++)
        EXPECT_INT(404, page_code(serving.port, NOWHERE[i], "Host: localhost\r\n"));
    EXPECT_INT(426, page_code(serving.port, "GET /ws", "Host: localhost\r\n"));
    EXPECT_INT(403, socket_code(serving.port, "/ws",
                                "Host: localhost\r\nOrigin: http://evil.example\r\n"));
    serving_end(&serving);
}

TEST(a_page_that_leaves_while_the_engine_thinks_harms_nobody) {
    Serving serving = serving_begin();
    for (int i = 0; i < 10; i++) {
        SocketClient client = client_open_at(serving.port, "/ws");
        client_say(&client, "{\"op\":\"game.new\",\"id\":\"g\",\"width\":9,\"height\":9,"
                            "\"rules\":\"chinese\",\"color\":\"W\",\"visits\":100000}");
        client_say(&client, "{\"op\":\"analysis\",\"id\":\"a\",\"query\":{\"moves\":[],"
                            "\"rules\":\"chinese\",\"boardXSize\":9,\"boardYSize\":9,"
                            "\"maxVisits\":100000,\"reportDuringSearchEvery\":0.01}}");
        if (i % 2) json_decref(hear_object(&client));
        client_end(&client);
    }
    expect_page(serving.port, "/healthz", "ok\n");
    serving_end(&serving); /* while the engine thinks */
    remove_games();
}

TEST_MAIN(RUN(answers_go_to_the_client_that_asked),
          RUN(messages_may_come_in_parts_with_pings_between), RUN(strangers_are_refused),
          RUN(scripts_read_runs_and_nets), RUN(scripts_let_the_engine_search_and_begin_games),
          RUN(a_read_only_server_only_shows_runs), RUN(the_code_of_http_says_who_is_to_blame),
          RUN(a_post_needs_a_body_of_known_length), RUN(pages_are_answered_and_other_paths_are_not),
          RUN(refusals_are_counted), RUN(frames_that_the_standard_forbids_end_the_connection),
          RUN(each_net_has_a_socket_of_its_own), RUN(only_so_many_clients_are_served),
          RUN(a_client_that_does_not_read_is_cut_off_and_harms_nobody), RUN(the_next_port_is_tried),
          RUN(a_game_is_played_to_its_agreed_end), RUN(games_are_found_by_their_names_alone),
          RUN(a_page_that_leaves_while_the_engine_thinks_harms_nobody))
