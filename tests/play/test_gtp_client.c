/* GTP programs behind pipes: what they answer, how their end is reported, and that no process or
 * file of theirs is left. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "play/match/gtp_client.h"
#include "test.h"

static GtpClient *started(const char *command) {
    GtpClient *client;
    signal(SIGPIPE, SIG_IGN);
    EXPECT_OK(gtp_client_start(command, &client, err));
    return client;
}

/* Asks a program that does not answer, and returns the error. */
static void expect_fault(const char *command, double seconds, const char *part) {
    Error err = {0};
    GtpClient *client = started(command);
    if (!gtp_client_ask(client, seconds, NULL, &err, "name"))
        fail_msg("\"%s\" has answered", command);
    gtp_client_stop(client);
    EXPECT_CONTAINS(err.message, part);
}

TEST(answers_come_without_their_frame) {
    const char *answer;
    Error err = {0};
    GtpClient *client =
        started("while read -r a b; do case $a in say) printf 'so\n= %s\r\n\n' \"$b\";;"
                " no) printf '?7 not that\n\n';; quit) exit;; esac; done");
    EXPECT_STATUS(OK, gtp_client_ask(client, 60, &answer, &err, "say %s %d", "C", 3));
    EXPECT_TEXT("C 3", answer);
    EXPECT_STATUS(ERR_ILLEGAL, gtp_client_ask(client, 60, &answer, &err, "no"));
    EXPECT_CONTAINS(err.message, "not that");
    EXPECT_STATUS(OK, gtp_client_ask(client, 60, NULL, &err, "say"));
    gtp_client_stop(client);
    gtp_client_stop(NULL);
}

TEST(the_way_a_program_ended_is_reported) {
    expect_fault("exit 3", 60, "ended with code 3 (");
    expect_fault("kill -9 $$", 60, "ended by signal 9 (");
    expect_fault("/nowhere/engine", 60, "with code 127, which means that it was not found");
    expect_fault("sleep 60", 0.05, "does not answer in time");
}

/* The last output is reported whether the program ends before or after the question is sent. */
TEST(the_last_output_of_a_program_is_reported) {
    expect_fault("echo bye; exit 0", 60, "(its last output: \"bye\")");
    expect_fault("echo bye; read -r line; exit 0", 60, "(its last output: \"bye\")");
    Error err = {0};
    GtpClient *client = started("echo bye; exit 0");
    nanosleep(&(struct timespec){0, 300000000}, NULL);
    EXPECT_STATUS(ERR_IO, gtp_client_ask(client, 60, NULL, &err, "name"));
    EXPECT_CONTAINS(err.message, "(its last output: \"bye\")");
    gtp_client_stop(client);
}

TEST(an_end_some_time_after_the_output_was_closed_is_reported) {
    expect_fault("exec >&-; sleep 0.4; exit 5", 60, "with code 5");
}

TEST(what_a_program_has_started_ends_with_it) {
    int ends[2];
    EXPECT_INT(0, pipe(ends)); /* each process that is started inherits ends[1] */
    GtpClient *client = started("(trap '' HUP TERM; sleep 60; :) & read line");
    close(ends[1]);
    gtp_client_stop(client);
    struct pollfd last = {.fd = ends[0], .events = POLLIN};
    EXPECT_INT(1, poll(&last, 1, 20000));
    EXPECT_TRUE(last.revents & POLLHUP);
    close(ends[0]);
}

TEST(no_file_stays_open_where_a_program_cannot_be_started) {
    struct rlimit before, few;
    GtpClient *client;
    Error err = {0};
    int first = dup(0);
    close(first);
    EXPECT_INT(0, getrlimit(RLIMIT_NOFILE, &before));
    few = before;
    for (int room = 0; room < 4; room++) { /* with room for 2 or 3 files the second pipe fails */
        few.rlim_cur = (rlim_t)(first + room);
        EXPECT_INT(0, setrlimit(RLIMIT_NOFILE, &few));
        Status status = gtp_client_start("exit 0", &client, &err);
        EXPECT_INT(0, setrlimit(RLIMIT_NOFILE, &before));
        EXPECT_STATUS(ERR_IO, status);
        EXPECT_TRUE(client == NULL);
        EXPECT_CONTAINS(err.message, "no pipe for \"exit 0\": ");
        int next = dup(0);
        close(next);
        EXPECT_INT(first, next);
    }
}

TEST_MAIN(RUN(answers_come_without_their_frame), RUN(the_way_a_program_ended_is_reported),
          RUN(the_last_output_of_a_program_is_reported),
          RUN(an_end_some_time_after_the_output_was_closed_is_reported),
          RUN(what_a_program_has_started_ends_with_it),
          RUN(no_file_stays_open_where_a_program_cannot_be_started))
