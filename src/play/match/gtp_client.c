#define _GNU_SOURCE
#include "play/match/gtp_client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/thread.h"

enum {
    ANSWER_MAX = 1 << 20,
    LOOK_MS = 200, /* how often a wait looks whether it is to stop */
    END_MS = 1000, /* how long one that has closed its pipes may take to end */
    QUIT_MS = 200  /* and one that was told to quit */
};

struct GtpClient {
    pid_t process;
    int to, from;
    StrBuf input; /* read, not yet answered with */
    StrBuf answer;
};

/* Both pipes, or none. */
static bool open_pipes(int to[2], int from[2]) {
    if (pipe2(to, O_CLOEXEC)) return false;
    if (!pipe2(from, O_CLOEXEC)) return true;
    int error = errno;
    close(to[0]);
    close(to[1]);
    errno = error;
    return false;
}

/* In the child. */
static _Noreturn void become(const char *command, int in, int out) {
    setpgid(0, 0);
    dup2(in, 0);
    dup2(out, 1);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_IGN);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

Status gtp_client_start(const char *command, GtpClient **out, Error *err) {
    int to[2], from[2];
    *out = NULL;
    GtpClient *client;
    Status status = mem_new(1, sizeof *client, &client, err);
    if (status) return status;
    if (!open_pipes(to, from)) {
        status = fail(err, ERR_IO, "no pipe for \"%.80s\": %s", command, strerror(errno));
        free(client);
        return status;
    }
    pid_t process = fork();
    if (process == 0) become(command, to[0], from[1]);
    if (process < 0)
        status = fail(err, ERR_IO, "cannot start \"%.80s\": %s", command, strerror(errno));
    else
        setpgid(process, process); /* whichever of the two comes first */
    close(to[0]);
    close(from[1]);
    *client = (GtpClient){.process = process, .to = to[1], .from = from[0]};
    if (status) {
        close(to[1]);
        close(from[0]);
        free(client);
        return status;
    }
    *out = client;
    return OK;
}

/* Waits up to `ms` for its end; it stays to be reaped, so that its number is no other's.
 * si_pid is 0 where it has not ended. */
static siginfo_t await_end(const GtpClient *client, int ms) {
    siginfo_t info = {0};
    double until = clock_seconds() + ms * 1e-3;
    while (waitid(P_PID, (id_t)client->process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           !info.si_pid && clock_seconds() < until)
        clock_sleep_ms(5);
    return info;
}

void gtp_client_stop(GtpClient *client) {
    if (!client) return;
    (void)!write(client->to, "quit\n", 5);
    close(client->to);
    await_end(client, QUIT_MS);
    kill(-client->process, SIGKILL); /* what it has started too */
    kill(client->process, SIGKILL);
    while (waitpid(client->process, NULL, 0) < 0 && errno == EINTR) {
    }
    close(client->from);
    strbuf_clear(&client->input);
    strbuf_clear(&client->answer);
    free(client);
}

typedef struct {
    char text[104];
} Said;

/* The end of what a program wrote, in one line of plain characters. */
static Said said_last(const char *text) {
    Said said;
    size_t length = strlen(text), max = sizeof said.text - 1;
    while (length && (text[length - 1] == '\n' || text[length - 1] == ' '))
        length--;
    size_t from = length > max ? length - max : 0;
    for (size_t i = from; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        said.text[i - from] = c == '\n' || c == '\t' ? ' ' : c >= 32 && c < 127 ? (char)c : '?';
    }
    said.text[length - from] = 0;
    return said;
}

/* How it ended, as far as that is known soon; the process stays to be waited for. */
static Status ended(const GtpClient *client, const char *text, Error *err) {
    char how[64] = "";
    siginfo_t info = await_end(client, END_MS);
    if (info.si_pid && info.si_code != CLD_EXITED)
        snprintf(how, sizeof how, " by signal %d", info.si_status);
    else if (info.si_pid && (info.si_status == 126 || info.si_status == 127))
        snprintf(how, sizeof how, " with code %d: it cannot be run", info.si_status);
    else if (info.si_pid)
        snprintf(how, sizeof how, " with code %d", info.si_status);
    return fail(err, ERR_IO, "the program has ended%s (it said last: \"%s\")", how,
                said_last(text).text);
}

static Status send_all(GtpClient *client, const char *text, size_t count, Error *err) {
    while (count) {
        ssize_t sent = write(client->to, text, count);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return ended(client, strbuf_text(&client->input), err);
        text += sent;
        count -= (size_t)sent;
    }
    return OK;
}

/* Reads until an answer is whole: a line beginning with '=' or '?', up to an empty line. */
static Status receive(GtpClient *client, double until, const char **start, Error *err) {
    char buffer[4096];
    for (;;) {
        const char *text = strbuf_text(&client->input), *at = text;
        while (*at && *at != '=' && *at != '?') {
            at += strcspn(at, "\n");
            at += *at == '\n';
        }
        const char *end = *at ? strstr(at, "\n\n") : NULL;
        if (end) {
            *start = at;
            return OK;
        }
        if (client->input.length > ANSWER_MAX)
            return fail(err, ERR_SYNTAX, "the program answers without end (it said last: \"%s\")",
                        said_last(text).text);
        double left_ms = (until - clock_seconds()) * 1000;
        struct pollfd wait = {.fd = client->from, .events = POLLIN};
        int ready =
            left_ms > 0 ? poll(&wait, 1, left_ms < LOOK_MS ? (int)left_ms + 1 : LOOK_MS) : 0;
        if (ready <= 0 && stop_requested())
            return fail(err, ERR_STOPPED, "stopped while waiting for the program");
        if (ready <= 0 && left_ms > 0) continue;
        if (ready <= 0)
            return fail(err, ERR_IO, "the program does not answer in time (it said last: \"%s\")",
                        said_last(text).text);
        ssize_t got = read(client->from, buffer, sizeof buffer);
        if (got <= 0) return ended(client, text, err);
        for (ssize_t i = 0; i < got; i++) {
            if (buffer[i] != '\r' && buffer[i] != 0)
                strbuf_add_bytes(&client->input, &buffer[i], 1);
        }
    }
}

Status gtp_client_ask(GtpClient *client, double seconds, const char **answer, Error *err,
                      const char *format, ...) {
    StrBuf line = {0};
    char command[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    strbuf_reset(&client->input);
    strbuf_addf(&line, "%s\n", command);
    Status status = strbuf_status(&line, err);
    if (!status) status = send_all(client, line.text, line.length, err);
    strbuf_clear(&line);
    const char *start = NULL;
    if (!status) status = receive(client, clock_seconds() + seconds, &start, err);
    if (status) return status;
    size_t length = strcspn(start + 1, " \t\n"), blanks = strspn(start + 1 + length, " \t");
    const char *text = start + 1 + length + blanks, *end = strstr(start, "\n\n");
    strbuf_reset(&client->answer);
    if (text < end) strbuf_add_bytes(&client->answer, text, (size_t)(end - text));
    if (answer) *answer = strbuf_text(&client->answer);
    if (*start == '?')
        return fail(err, ERR_ILLEGAL, "the program refuses \"%.60s\": %s", command,
                    said_last(strbuf_text(&client->answer)).text);
    return strbuf_status(&client->answer, err);
}
