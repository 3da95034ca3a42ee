/* socket_client.h - a client of WebSockets (RFC 6455) for tests, which can also send what the
 * standard forbids. For TLS, it speaks through the program `openssl`. */
#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "test.h"

enum {
    FRAME_CONTINUED = 0,
    FRAME_TEXT = 1,
    FRAME_BINARY = 2,
    FRAME_CLOSE = 8,
    FRAME_PING = 9,
    FRAME_PONG = 10,
    FRAME_FINAL = 0x80,
    CLIENT_WAIT_MS = 20000
};

typedef struct {
    int socket;
    pid_t program; /* which does TLS; 0: none */
    StrBuf got;    /* the text of the last frame or answer */
} SocketClient;

/* If this names the file of a certificate, all new clients use TLS and trust only this
 * certificate. */
static const char *client_trusts;

/* Connects without TLS. */
static inline SocketClient client_connect_plain(int port) {
    SocketClient client = {.socket = socket(AF_INET, SOCK_STREAM, 0)};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    EXPECT_INT(0, connect(client.socket, (struct sockaddr *)&address, sizeof address));
    return client;
}

/* Starts `openssl s_client`, whose standard input and output are the other end of the socket. */
static inline SocketClient client_connect_tls(int port) {
    SocketClient client = {0};
    int ends[2];
    char address[32];
    snprintf(address, sizeof address, "127.0.0.1:%d", port);
    EXPECT_INT(0, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    /* Otherwise the program of a later client would keep this end open. */
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    client.socket = ends[0];
    client.program = fork();
    EXPECT_TRUE(client.program >= 0);
    if (!client.program) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int nowhere = open("/dev/null", O_WRONLY);
        if (dup2(ends[1], 0) < 0 || dup2(ends[1], 1) < 0 || dup2(nowhere, 2) < 0) _exit(1);
        close(ends[1]);
        execlp("openssl", "openssl", "s_client", "-quiet", "-verify_return_error", "-CAfile",
               client_trusts, "-verify_hostname", "localhost", "-servername", "localhost",
               "-connect", address, (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    return client;
}

static inline SocketClient client_connect(int port) {
    return client_trusts ? client_connect_tls(port) : client_connect_plain(port);
}

static inline void client_end(SocketClient *client) {
    close(client->socket);
    if (client->program) {
        kill(client->program, SIGKILL);
        waitpid(client->program, NULL, 0);
    }
    strbuf_clear(&client->got);
}

/* Sends all bytes. Returns false if the server does not take them all. */
static inline bool client_send(SocketClient *client, const void *bytes, size_t count) {
    const char *at = bytes;
    while (count) {
        ssize_t sent = send(client->socket, at, count, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        at += sent;
        count -= (size_t)sent;
    }
    return true;
}

/* Reads exactly `count` bytes to the end of `got`. Returns false if the connection ends before. */
static inline bool client_read(SocketClient *client, size_t count) {
    char part[4096];
    while (count) {
        struct pollfd ready = {.fd = client->socket, .events = POLLIN};
        if (poll(&ready, 1, CLIENT_WAIT_MS) != 1) fail_msg("the server is silent");
        ssize_t got = recv(client->socket, part, count < sizeof part ? count : sizeof part, 0);
        if (got <= 0) return false;
        strbuf_add_bytes(&client->got, part, (size_t)got);
        count -= (size_t)got;
    }
    return true;
}

/* Sends a request. `line` is its first line without the version, such as "GET /", and each of the
 * headers ends with "\r\n". Returns the code of the answer, or 0 if the server closes the
 * connection without one. Reads the headers of the answer. */
static inline int client_request(SocketClient *client, const char *line, const char *headers) {
    StrBuf request = {0};
    int code = 0;
    strbuf_addf(&request, "%s HTTP/1.1\r\n%s\r\n", line, headers);
    client_send(client, request.text, request.length);
    strbuf_clear(&request);
    strbuf_reset(&client->got);
    while (!strstr(strbuf_text(&client->got), "\r\n\r\n")) {
        if (!client_read(client, 1)) return 0;
    }
    return sscanf(client->got.text, "HTTP/1.%*d %d", &code) == 1 ? code : 0;
}

/* Reads the body of an answer, and puts it into `got` in place of the headers. */
static inline void client_read_body(SocketClient *client) {
    int length = 0;
    const char *at = strstr(strbuf_text(&client->got), "content-length: ");
    EXPECT_TRUE(at && sscanf(at, "content-length: %d", &length) == 1);
    strbuf_reset(&client->got);
    EXPECT_TRUE(client_read(client, (size_t)length));
}

#define UPGRADE                                                                                    \
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"                   \
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

/* Opens a WebSocket at this path. The accept key of this nonce is from RFC 6455, section 1.3. */
static inline SocketClient client_open_at(int port, const char *path) {
    SocketClient client = client_connect(port);
    char line[128];
    snprintf(line, sizeof line, "GET %s", path);
    EXPECT_INT(101, client_request(&client, line, "Host: localhost\r\n" UPGRADE));
    EXPECT_CONTAINS(client.got.text, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    return client;
}

/* Opens a WebSocket of the analysis. */
static inline SocketClient client_open(int port) {
    return client_open_at(port, "/ws/analysis");
}

/* Sends one frame. `first` is its first byte: the kind and FRAME_FINAL. Returns false if the server
 * does not take all of it. */
static inline bool client_send_frame(SocketClient *client, int first, const char *bytes,
                                     size_t count) {
    static const unsigned char MASK[4] = {1, 0x82, 0x37, 0xff};
    unsigned char header[14] = {(unsigned char)first};
    size_t at = 2;
    if (count < 126) {
        header[1] = (unsigned char)(0x80 | (int)count);
    } else {
        int bytes_of_length = count < 65536 ? 2 : 8;
        header[1] = (unsigned char)(0x80 | (count < 65536 ? 126 : 127));
        for (int i = bytes_of_length - 1; i >= 0; i--)
            header[at++] = (unsigned char)(count >> 8 * i);
    }
    memcpy(header + at, MASK, sizeof MASK);
    bool good = client_send(client, header, at + sizeof MASK);
    char *sent = malloc(count + 1);
    for (size_t i = 0; i < count; i++)
        sent[i] = (char)(bytes[i] ^ MASK[i % 4]);
    good = good && client_send(client, sent, count);
    free(sent);
    return good;
}

static inline bool client_say(SocketClient *client, const char *text) {
    return client_send_frame(client, FRAME_FINAL | FRAME_TEXT, text, strlen(text));
}

/* Reads a frame, whose text is then in `got`. Returns its first byte, or 0 if the connection has
 * ended. */
static inline int client_hear(SocketClient *client) {
    strbuf_reset(&client->got);
    if (!client_read(client, 2)) return 0;
    int first = (unsigned char)client->got.text[0];
    size_t length = (unsigned char)client->got.text[1], more = length == 126   ? 2
                                                               : length == 127 ? 8
                                                                               : 0;
    strbuf_reset(&client->got);
    if (!client_read(client, more)) return 0;
    if (more) length = 0;
    for (size_t i = 0; i < more; i++)
        length = length << 8 | (unsigned char)client->got.text[i];
    strbuf_reset(&client->got);
    return client_read(client, length) ? first : 0;
}

/* Reads frames until the server closes the connection. Returns its status code (RFC 6455, section
 * 7.4.1), or 0 if it gives none. */
static inline int client_hear_close(SocketClient *client) {
    for (int first; (first = client_hear(client));) {
        if (first == (FRAME_FINAL | FRAME_CLOSE))
            return client->got.length < 2 ? 0
                                          : (unsigned char)client->got.text[0] << 8 |
                                                (unsigned char)client->got.text[1];
    }
    return 0;
}
