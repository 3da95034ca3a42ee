#define _GNU_SOURCE
#include "play/match/gtp_client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
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
    POLL_MS = 200,  /* how often a wait checks for stop_requested() */
    EXIT_MS = 1000, /* wait for the exit of a program that has closed its pipes */
    QUIT_MS = 200   /* wait for the exit of a program after the command quit */
};

struct GtpClient {
    pid_t process;
    int to, from;  /* pipes to and from the program */
    StrBuf output; /* what the program has written since the last command */
    StrBuf answer;
};

/* Opens both pipes or, on failure, none. */
static bool open_pipes(int to[2], int from[2]) {
    if (pipe2(to, O_CLOEXEC)) return false;
    if (!pipe2(from, O_CLOEXEC)) return true;
    int error = errno;
    close(to[0]);
    close(to[1]);
    errno = error;
    return false;
}

/* Whether the first word of a command is the plain name of a program, without quotes and
 * variables. */
static bool begins_plainly(const char *command, size_t length) {
    static const char PLAIN[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
    return length && strspn(command, PLAIN) >= length;
}

/* Sets what the new process has: the pipes as standard input and output, a process group of its
 * own, and the usual effect of SIGPIPE. Returns 0 or an error number. The caller destroys both
 * objects, also after a failure. */
static int set_up_spawn(posix_spawn_file_actions_t *files, posix_spawnattr_t *attributes, int in,
                        int out) {
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    int error = posix_spawn_file_actions_adddup2(files, in, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(files, out, 1);
    if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &usual);
    if (!error)
        error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    return error;
}

/* Starts a process that runs the command. It ignores SIGINT, and its PATH gets the folder in which
 * Debian keeps games. If the program is missing, the process exits with code 127 before the shell
 * prints its own message. posix_spawn(), unlike fork(), copies nothing of this process, which may
 * have gigabytes of search trees. Returns 0 or an error number. */
static int spawn_command(const char *command, int in, int out, pid_t *process) {
    static const char SCRIPT[] = "trap '' INT\n"
                                 "PATH=$PATH:/usr/games; export PATH\n"
                                 "[ -z \"$1\" ] || command -v \"$1\" >/dev/null 2>&1 || exit 127\n"
                                 "exec /bin/sh -c \"$0\"";
    char text[sizeof SCRIPT], copy[4096], program[256] = "", sh[] = "sh", option[] = "-c";
    char *const arguments[] = {sh, option, text, copy, program, NULL};
    size_t length = strcspn(command, " ");
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    if (strlen(command) >= sizeof copy) return E2BIG;
    memcpy(text, SCRIPT, sizeof SCRIPT);
    memcpy(copy, command, strlen(command) + 1);
    if (length < sizeof program && begins_plainly(command, length))
        memcpy(program, command, length);
    int error = posix_spawn_file_actions_init(&files);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = set_up_spawn(&files, &attributes, in, out);
        if (!error)
            error = posix_spawn(process, "/bin/sh", &files, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return error;
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
    pid_t process = 0;
    int error = spawn_command(command, to[0], from[1], &process);
    if (error) status = fail(err, ERR_IO, "cannot start \"%.80s\": %s", command, strerror(error));
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

/* Waits at most `ms` milliseconds for the exit of the process. Does not reap it, so that its id
 * stays reserved. If the process has not exited, si_pid of the result is 0. */
static siginfo_t wait_for_exit(const GtpClient *client, int ms) {
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
    wait_for_exit(client, QUIT_MS);
    kill(-client->process, SIGKILL); /* includes the processes that it has started */
    kill(client->process, SIGKILL);
    while (waitpid(client->process, NULL, 0) < 0 && errno == EINTR) {
    }
    close(client->from);
    strbuf_clear(&client->output);
    strbuf_clear(&client->answer);
    free(client);
}

typedef struct {
    char text[104];
} OutputTail;

/* Returns the end of a program's output, in one line of printable characters. */
static OutputTail output_tail(const char *text) {
    OutputTail tail;
    size_t length = strlen(text), max = sizeof tail.text - 1;
    while (length && (text[length - 1] == '\n' || text[length - 1] == ' '))
        length--;
    size_t from = length > max ? length - max : 0;
    for (size_t i = from; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        tail.text[i - from] = c == '\n' || c == '\t' ? ' ' : c >= 32 && c < 127 ? (char)c : '?';
    }
    tail.text[length - from] = 0;
    return tail;
}

static void add_output(GtpClient *client, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != '\r' && bytes[i] != 0) strbuf_add_bytes(&client->output, &bytes[i], 1);
    }
}

/* Reads what the program wrote before it ended. Does not wait for more. */
static void read_rest(GtpClient *client) {
    char buffer[4096];
    struct pollfd wait = {.fd = client->from, .events = POLLIN};
    while (client->output.length <= ANSWER_MAX && poll(&wait, 1, 0) > 0) {
        ssize_t got = read(client->from, buffer, sizeof buffer);
        if (got <= 0) return;
        add_output(client, buffer, (size_t)got);
    }
}

/* Called when the program has closed a pipe. Always returns ERR_IO. If the program exits within
 * EXIT_MS, the message says how. The process is not reaped. */
static Status report_exit(GtpClient *client, Error *err) {
    char manner[96] = "";
    read_rest(client);
    siginfo_t info = wait_for_exit(client, EXIT_MS);
    if (info.si_pid && info.si_code != CLD_EXITED)
        snprintf(manner, sizeof manner, " by signal %d", info.si_status);
    else if (info.si_pid && (info.si_status == 126 || info.si_status == 127))
        snprintf(manner, sizeof manner,
                 " with code %d, which means that it was not found or cannot be run",
                 info.si_status);
    else if (info.si_pid)
        snprintf(manner, sizeof manner, " with code %d", info.si_status);
    return fail(err, ERR_IO, "the program has ended%s (its last output: \"%s\")", manner,
                output_tail(strbuf_text(&client->output)).text);
}

static Status send_all(GtpClient *client, const char *text, size_t count, Error *err) {
    while (count) {
        ssize_t sent = write(client->to, text, count);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return report_exit(client, err);
        text += sent;
        count -= (size_t)sent;
    }
    return OK;
}

/* Reads until the output holds a whole answer, which goes from a line that begins with '=' or '?'
 * to an empty line. Sets `*start` to the beginning of the answer. */
static Status receive_answer(GtpClient *client, double until, const char **start, Error *err) {
    char buffer[4096];
    for (;;) {
        const char *text = strbuf_text(&client->output), *at = text;
        while (*at && *at != '=' && *at != '?') {
            at += strcspn(at, "\n");
            at += *at == '\n';
        }
        const char *end = *at ? strstr(at, "\n\n") : NULL;
        if (end) {
            *start = at;
            return OK;
        }
        if (client->output.length > ANSWER_MAX)
            return fail(err, ERR_SYNTAX,
                        "the program answers without end (its last output: \"%s\")",
                        output_tail(text).text);
        double remaining_ms = (until - clock_seconds()) * 1000;
        struct pollfd wait = {.fd = client->from, .events = POLLIN};
        int ready = remaining_ms > 0
                        ? poll(&wait, 1, remaining_ms < POLL_MS ? (int)remaining_ms + 1 : POLL_MS)
                        : 0;
        if (ready <= 0 && stop_requested())
            return fail(err, ERR_STOPPED, "stopped while waiting for the program");
        if (ready <= 0 && remaining_ms > 0) continue;
        if (ready <= 0)
            return fail(err, ERR_IO,
                        "the program does not answer in time (its last output: \"%s\")",
                        output_tail(text).text);
        ssize_t got = read(client->from, buffer, sizeof buffer);
        if (got <= 0) return report_exit(client, err);
        add_output(client, buffer, (size_t)got);
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
    strbuf_reset(&client->output);
    strbuf_addf(&line, "%s\n", command);
    Status status = strbuf_status(&line, err);
    if (!status) status = send_all(client, line.text, line.length, err);
    strbuf_clear(&line);
    const char *start = NULL;
    if (!status) status = receive_answer(client, clock_seconds() + seconds, &start, err);
    if (status) return status;
    size_t length = strcspn(start + 1, " \t\n"), blanks = strspn(start + 1 + length, " \t");
    const char *text = start + 1 + length + blanks, *end = strstr(start, "\n\n");
    strbuf_reset(&client->answer);
    if (text < end) strbuf_add_bytes(&client->answer, text, (size_t)(end - text));
    if (answer) *answer = strbuf_text(&client->answer);
    if (*start == '?')
        return fail(err, ERR_ILLEGAL, "the program refuses \"%.60s\": %s", command,
                    output_tail(strbuf_text(&client->answer)).text);
    return strbuf_status(&client->answer, err);
}
