/* TLS: what a server answers over it, what harms it, and certificates and keys that it refuses. The
 * program `openssl` makes the certificates, and speaks TLS for the clients. */
#include "base/file.h"
#include "base/strbuf.h"
#include "serve/http/certificate.h"
#include "serve/serving.h"
#include "serve/small_run.h"

/* Certificates and keys, in a folder of their own. */
typedef struct {
    TestPath folder;
    Path certificate, key;
} Certificates;

static Path file_of(const Certificates *files, const char *name) {
    Path path;
    EXPECT_OK(path_join(&path, files->folder.text, name, err));
    return path;
}

/* Runs `openssl WORDS` in the folder. Returns whether it succeeds. */
static bool openssl(const Certificates *files, const char *words) {
    StrBuf line = {0};
    strbuf_addf(&line, "cd %s && openssl %s >openssl.log 2>&1", files->folder.text, words);
    bool done = system(line.text) == 0;
    strbuf_clear(&line);
    return done;
}

static void remove_files(const Certificates *files) {
    EXPECT_OK(directory_remove(files->folder.text, err));
}

/* Makes the certificate of localhost and its key. Returns false if there is no openssl. */
static bool make_files(Certificates *files, const char *name) {
    files->folder = test_path(name);
    EXPECT_OK(directory_make(files->folder.text, err));
    files->certificate = file_of(files, "cert.pem");
    files->key = file_of(files, "key.pem");
    if (openssl(files, "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
                       "-keyout key.pem -out cert.pem -days 2 -subj /CN=localhost "
                       "-addext subjectAltName=DNS:localhost"))
        return true;
    remove_files(files);
    return false;
}

static const char NO_OPENSSL[] = "the program openssl (package openssl) makes no certificate here";

/* Begins a server with TLS. All clients use TLS, until end() is called. */
static Serving begin(const Certificates *files, ListenerSetup setup) {
    setup.certificate = files->certificate.text;
    setup.key = files->key.text;
    client_trusts = files->certificate.text;
    return serving_begin_with(setup);
}

static void end(const Certificates *files, const Serving *serving) {
    client_trusts = NULL;
    serving_end(serving);
    remove_files(files);
}

TEST(pages_and_sockets_are_served_over_tls) {
    Certificates files;
    if (!make_files(&files, "tls")) SKIP(NO_OPENSSL);
    Serving serving = begin(&files, (ListenerSetup){.access = {.token = "0123456789abcdef"}});
    const int port = serving.port;
    char headers[400], origin[64];
    expect_page(port, "/healthz?token=0123456789abcdef", "ok\n");
    EXPECT_INT(401, page_code(port, "GET /healthz", "Host: localhost\r\n"));
    EXPECT_INT(403,
               page_code(port, "GET /healthz?token=0123456789abcdef", "Host: evil.example\r\n"));
    snprintf(origin, sizeof origin, "localhost:%d", port);
    snprintf(headers, sizeof headers,
             "Host: %s\r\nOrigin: https://%s\r\nAuthorization: Bearer 0123456789abcdef\r\n" UPGRADE,
             origin, origin);
    SocketClient client = client_connect(port);
    EXPECT_INT(101, client_request(&client, "GET /ws", headers));
    client_say(&client, "{\"op\":\"hello\",\"id\":\"h\"}");
    EXPECT_INT(FRAME_FINAL | FRAME_TEXT, client_hear(&client));
    EXPECT_CONTAINS(client.got.text, "\"name\":\"Aji\"");
    client_end(&client);
    EXPECT_INT(403, socket_code(port, "/ws?token=0123456789abcdef",
                                "Host: localhost\r\nOrigin: https://evil.example\r\n"));
    end(&files, &serving);
}

/* Each message and its answer has 40,000 bytes, so that TLS cuts it into several records. */
TEST(long_messages_arrive_whole) {
    Certificates files;
    if (!make_files(&files, "tls")) SKIP(NO_OPENSSL);
    Serving serving = begin(&files, (ListenerSetup){0});
    SocketClient client = client_open(serving.port);
    StrBuf line = {0};
    strbuf_add(&line, "{\"action\":\"query_version\",\"id\":\"");
    for (int i = 0; i < 40000; i++)
        strbuf_addf(&line, "%c", 'a' + i % 26);
    strbuf_add(&line, "\"}");
    for (int i = 0; i < 20; i++)
        EXPECT_TRUE(client_say(&client, line.text));
    for (int i = 0; i < 20; i++) {
        EXPECT_INT(FRAME_FINAL | FRAME_TEXT, client_hear(&client));
        EXPECT_TRUE(client.got.length > 40000);
        EXPECT_CONTAINS(client.got.text, "abcdefghijklmnopqrstuvwxyzabc");
    }
    strbuf_clear(&line);
    client_end(&client);
    end(&files, &serving);
}

TEST(events_are_streamed_over_tls) {
    Certificates files;
    if (!make_files(&files, "tls")) SKIP(NO_OPENSSL);
    const TestPath root = test_path("runs");
    SmallRun run = small_run_make(root.text, "nine");
    runs_add_root(&serving_runs, root.text);
    Serving serving = begin(&files, (ListenerSetup){0});
    serving_runs.count = 0;
    SocketClient client = client_connect(serving.port);
    EXPECT_INT(200, client_request(&client, "GET /api/v1/runs/nine/events",
                                   "Host: localhost\r\nLast-Event-ID: 0\r\n"));
    strbuf_reset(&client.got);
    while (!strstr(strbuf_text(&client.got), "\"result\":\"W+R\""))
        EXPECT_TRUE(client_read(&client, 1));
    EXPECT_CONTAINS(client.got.text, "event: state\nid: ");
    EXPECT_CONTAINS(client.got.text, "event: metric\nid: ");
    client_end(&client);
    end(&files, &serving);
    small_run_remove(&run);
    EXPECT_OK(directory_remove(root.text, err));
}

TEST(bytes_that_are_not_tls_harm_nobody) {
    static const char *const BYTES[] = {"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
                                        "",
                                        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03",
                                        "\x16\x03\x01\xff\xff",
                                        "\x80\x2e\x01\x03\x01",
                                        "\x15\x03\x03\x00\x02\x02\x28"};
    static char noise[100000];
    Certificates files;
    if (!make_files(&files, "tls")) SKIP(NO_OPENSSL);
    Serving serving = begin(&files, (ListenerSetup){0});
    SocketClient silent[6];
    for (int i = 0; i < 6; i++) { /* they stay connected, and say no more */
        silent[i] = client_connect_plain(serving.port);
        client_send(&silent[i], BYTES[i], strlen(BYTES[i]));
        expect_page(serving.port, "/healthz", "ok\n");
    }
    for (int i = 0; i < 6; i++)
        client_end(&silent[i]);
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)(i * i % 251);
    SocketClient loud = client_connect_plain(serving.port);
    while (client_send(&loud, noise, sizeof noise)) /* until the server closes the connection */
        continue;
    client_end(&loud);
    SocketClient plain = client_connect_plain(serving.port);
    EXPECT_INT(0, client_request(&plain, "GET /healthz", "Host: localhost\r\n"));
    client_end(&plain);
    expect_page(serving.port, "/healthz", "ok\n");
    end(&files, &serving);
}

/* Expects that the files are refused with a message that has these words. */
static void expect_refused(const Certificates *files, const char *certificate, const char *key,
                           Status wanted, const char *words) {
    Error fallen = {0};
    const Path one = file_of(files, certificate), two = file_of(files, key);
    EXPECT_STATUS(wanted, certificate_check(one.text, two.text, &fallen));
    EXPECT_CONTAINS(fallen.message, words);
    EXPECT_TRUE(strstr(fallen.message, one.text) || strstr(fallen.message, two.text));
    ListenerSetup setup = {.address = "127.0.0.1",
                           .ports = 1,
                           .clients_max = 1,
                           .certificate = one.text,
                           .key = two.text};
    Listener *listener;
    EXPECT_STATUS(wanted, listener_new(&setup, &listener, NULL));
    EXPECT_TRUE(listener == NULL);
}

/* Copies a file. In the copy, the line `number` (the first one is 0) is replaced by `with`; if `with`
 * is NULL, the copy ends before this line. */
static void damage(const Certificates *files, const char *name, const char *copy, int number,
                   const char *with) {
    Arena arena = {0};
    char *text, *at;
    size_t length;
    StrBuf out = {0};
    EXPECT_OK(file_read(file_of(files, name).text, 1 << 20, &arena, &text, &length, err));
    at = text;
    for (int i = 0; i < number; i++)
        at = strchr(at, '\n') + 1;
    strbuf_add_bytes(&out, text, (size_t)(at - text));
    if (with) strbuf_addf(&out, "%s%s", with, strchr(at, '\n'));
    EXPECT_OK(file_write(file_of(files, copy).text, strbuf_text(&out), out.length, err));
    strbuf_clear(&out);
    arena_clear(&arena);
}

TEST(wrong_files_are_refused_by_name) {
    Certificates files;
    if (!make_files(&files, "tls")) SKIP(NO_OPENSSL);
    EXPECT_TRUE(openssl(&files, "genpkey -algorithm ed25519 -out other.pem"));
    EXPECT_TRUE(openssl(&files, "ecparam -name prime256v1 -genkey -noout -out second.pem"));
    EXPECT_TRUE(openssl(&files, "pkey -in key.pem -aes128 -passout pass:abcd -out secret.pem"));
    EXPECT_TRUE(openssl(&files, "pkey -in key.pem -aes128 -traditional -passout pass:abcd "
                                "-out older.pem"));
    EXPECT_TRUE(openssl(&files, "x509 -in cert.pem -outform DER -out cert.der"));
    damage(&files, "cert.pem", "cut.pem", 3, NULL);
    damage(&files, "cert.pem", "bent.pem", 1, "QQQQ");
    damage(&files, "key.pem", "bent_key.pem", 1, "QQQQ");
    EXPECT_OK(certificate_check(files.certificate.text, files.key.text, err));
    static const struct {
        const char *certificate, *key;
        Status status;
        const char *words;
    } CASES[] = {{"none.pem", "key.pem", ERR_IO, "none.pem: No such file"},
                 {"cert.pem", "none.pem", ERR_IO, "none.pem: No such file"},
                 {"cert.pem", "other.pem", ERR_ARGUMENT, "does not belong to the certificate"},
                 {"cert.pem", "second.pem", ERR_ARGUMENT, "does not belong to the certificate"},
                 {"cert.pem", "secret.pem", ERR_UNSUPPORTED, "secret.pem is encrypted"},
                 {"cert.pem", "older.pem", ERR_UNSUPPORTED, "older.pem is encrypted"},
                 {"cert.pem", "bent_key.pem", ERR_SYNTAX, "bent_key.pem is damaged"},
                 {"cert.pem", "cert.pem", ERR_SYNTAX, "cert.pem has no private key"},
                 {"key.pem", "key.pem", ERR_SYNTAX, "key.pem has no certificate"},
                 {"cert.der", "key.pem", ERR_SYNTAX, "cert.der has no certificate in PEM form"},
                 {"cut.pem", "key.pem", ERR_SYNTAX, "cut.pem is damaged"},
                 {"bent.pem", "key.pem", ERR_SYNTAX, "bent.pem is damaged"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        expect_refused(&files, CASES[i].certificate, CASES[i].key, CASES[i].status, CASES[i].words);
    remove_files(&files);
}

TEST(an_expired_certificate_gives_a_warning) {
    Certificates files;
    Arena arena = {0};
    char *text;
    size_t length;
    if (!make_files(&files, "tls")) SKIP(NO_OPENSSL);
    const Path log = file_of(&files, "log"), old = file_of(&files, "old.pem");
    EXPECT_TRUE(openssl(&files, "req -new -key key.pem -subj /CN=localhost -out request.pem"));
    EXPECT_TRUE(
        openssl(&files, "x509 -req -in request.pem -signkey key.pem -days -1 -out old.pem"));
    EXPECT_OK(log_open(log.text, err));
    EXPECT_OK(certificate_check(files.certificate.text, files.key.text, err));
    EXPECT_OK(certificate_check(old.text, files.key.text, err));
    log_close();
    EXPECT_OK(file_read(log.text, 1 << 20, &arena, &text, &length, err));
    EXPECT_CONTAINS(text, "old.pem has expired");
    EXPECT_TRUE(strstr(text, "cert.pem") == NULL);
    arena_clear(&arena);
    remove_files(&files);
}

/* libwebsockets reads all certificates of the file, but certificate_check() only the first. */
TEST(a_damaged_certificate_of_an_authority_is_refused) {
    Certificates files;
    Arena arena = {0};
    char *one, *two;
    size_t length;
    StrBuf chain = {0};
    Listener *listener;
    Error fallen = {0};
    if (!make_files(&files, "tls")) SKIP(NO_OPENSSL);
    damage(&files, "cert.pem", "bent.pem", 1, "QQQQ");
    EXPECT_OK(file_read(files.certificate.text, 1 << 20, &arena, &one, &length, err));
    EXPECT_OK(file_read(file_of(&files, "bent.pem").text, 1 << 20, &arena, &two, &length, err));
    strbuf_addf(&chain, "%s%s", one, two);
    const Path path = file_of(&files, "chain.pem");
    EXPECT_OK(file_write(path.text, chain.text, chain.length, err));
    ListenerSetup setup = {.address = "127.0.0.1",
                           .ports = 1,
                           .clients_max = 1,
                           .certificate = path.text,
                           .key = files.key.text};
    EXPECT_STATUS(ERR_ARGUMENT, listener_new(&setup, &listener, &fallen));
    EXPECT_CONTAINS(fallen.message, "chain.pem");
    strbuf_clear(&chain);
    arena_clear(&arena);
    remove_files(&files);
}

TEST_MAIN(RUN(pages_and_sockets_are_served_over_tls), RUN(long_messages_arrive_whole),
          RUN(events_are_streamed_over_tls), RUN(bytes_that_are_not_tls_harm_nobody),
          RUN(wrong_files_are_refused_by_name), RUN(an_expired_certificate_gives_a_warning),
          RUN(a_damaged_certificate_of_an_authority_is_refused))
