/* Threads, and the log that all of them write to. */
#define _GNU_SOURCE /* pthread_setattr_default_np() */
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "base/thread_team.h"
#include "memory_limit.h"
#include "scratch.h"

enum { WORKERS = 4 };

static void count_index(void *argument, int index) {
    atomic_fetch_add((atomic_int *)argument + index, 1);
}

TEST(every_index_runs_once) {
    atomic_int counts[9] = {0};
    for (int count = 0; count <= 8; count++)
        EXPECT_OK(thread_parallel(count, count_index, counts, err));
    for (int i = 0; i < 9; i++)
        EXPECT_INT(8 - i, counts[i]);
}

/* Writes into a large part of the stack, page by page. */
static void *use_stack(void *argument) {
    volatile char deep[THREAD_STACK_BYTES - (1 << 20)];
    for (size_t i = 0; i < sizeof deep; i += 4096)
        deep[i] = 1;
    atomic_fetch_add((atomic_int *)argument, deep[4096]);
    return NULL;
}

TEST(stacks_are_large_whatever_the_default) {
    pthread_attr_t small;
    pthread_t thread;
    atomic_int done = 0;
    EXPECT_INT(0, pthread_attr_init(&small));
    EXPECT_INT(0, pthread_attr_setstacksize(&small, 1 << 20));
    EXPECT_INT(0, pthread_setattr_default_np(&small));
    EXPECT_OK(thread_start(&thread, use_stack, &done, err));
    pthread_join(thread, NULL);
    EXPECT_INT(1, done);
    pthread_attr_destroy(&small);
}

TEST(processors_are_those_that_the_process_may_use) {
    cpu_set_t all, one;
    int first = 0;
    EXPECT_INT(0, sched_getaffinity(0, sizeof all, &all));
    EXPECT_TRUE(thread_processors() <= CPU_COUNT(&all)); /* fewer if a cgroup has a quota */
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    EXPECT_INT(0, sched_setaffinity(0, sizeof one, &one));
    EXPECT_INT(1, thread_processors());
    EXPECT_INT(0, sched_setaffinity(0, sizeof all, &all));
}

/* The memory of the child process is limited to that of six stacks, which is too little for 64
 * threads. */
TEST(either_all_threads_work_or_none) {
    if (SANITIZED) SKIP("a sanitizer's allocator would end the process");
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        static atomic_int counts[64];
        if (!limit_memory(6 * (size_t)THREAD_STACK_BYTES)) _exit(1);
        if (thread_parallel(64, count_index, counts, NULL) != ERR_MEMORY) _exit(2);
        for (int i = 0; i < 64; i++)
            if (counts[i]) _exit(3);
        _exit(0);
    }
    int state;
    EXPECT_INT(child, waitpid(child, &state, 0));
    EXPECT_TRUE(WIFEXITED(state));
    EXPECT_INT(0, WEXITSTATUS(state));
}

TEST(stopping_is_remembered) {
    EXPECT_FALSE(stop_requested());
    stop_request();
    EXPECT_TRUE(stop_requested());
}

static void log_lines(void *argument, int index) {
    (void)argument;
    for (int i = 0; i < 200; i++)
        log_info("worker %d, line %d, %s", index, i, "written whole or not at all");
}

TEST(log_lines_stay_whole) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "log.txt");
    log_to_stderr(LOG_ERROR);
    EXPECT_OK(log_open(path.text, err));
    EXPECT_OK(thread_parallel(WORKERS, log_lines, NULL, err));
    log_warning("%s", "the last");
    log_close();
    log_error("%.0s%s", "", "shown on stderr, not in the file");
    Arena arena = {0};
    char *text;
    size_t length;
    int lines = 0;
    EXPECT_OK(file_read(path.text, 1 << 20, &arena, &text, &length, err));
    for (char *line = text; *line; line += strcspn(line, "\n") + 1) {
        if (lines++ == WORKERS * 200) break;
        int worker, number;
        EXPECT_INT(2,
                   sscanf(line + 19, " info: worker %d, line %d, written whole", &worker, &number));
    }
    EXPECT_INT(WORKERS * 200 + 1, lines);
    EXPECT_CONTAINS(text, " warning: the last\n");
    EXPECT_TRUE(!strstr(text, "stderr"));
    arena_clear(&arena);
    scratch_remove(&scratch);
}

TEST(logs_go_on_and_need_a_folder) {
    Scratch scratch = scratch_new();
    Path path = scratch_file(&scratch, "log.txt", "before\n", 7);
    Error err = {0};
    EXPECT_STATUS(ERR_IO, log_open("/nowhere/log.txt", &err));
    EXPECT_CONTAINS(err.message, "/nowhere/log.txt");
    EXPECT_STATUS(OK, log_open(path.text, &err));
    log_close();
    log_close();
    expect_file(path.text, "before\n");
    scratch_remove(&scratch);
}

/* A log may end with an unfinished line, because its writer was killed or because there was no
 * room. The unfinished line gets an end before the next line is written. */
TEST(unfinished_lines_of_a_log_get_an_end) {
    struct rlimit before, small;
    Scratch scratch = scratch_new();
    Path path = scratch_file(&scratch, "log.txt", "befo", 4);
    Arena arena = {0};
    char *text;
    size_t length;
    EXPECT_OK(log_open(path.text, err));
    log_info("one");
    EXPECT_INT(0, getrlimit(RLIMIT_FSIZE, &before));
    small = before;
    small.rlim_cur = (rlim_t)file_bytes(path.text) + 30;
    signal(SIGXFSZ, SIG_IGN);
    EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &small));
    log_info("two, which is longer than thirty bytes");
    EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &before));
    signal(SIGXFSZ, SIG_DFL);
    log_info("three");
    log_close();
    EXPECT_OK(file_read(path.text, 1 << 10, &arena, &text, &length, err));
    char *first = strchr(text, '\n'), *second = strchr(first + 1, '\n'),
         *third = strchr(second + 1, '\n');
    EXPECT_TRUE(strncmp(text, "befo\n2", 6) == 0); /* the year begins a line */
    EXPECT_TRUE(strncmp(second - 4, " one", 4) == 0);
    EXPECT_INT(30, third - second - 1);
    EXPECT_CONTAINS(third, " info: three\n");
    arena_clear(&arena);
    scratch_remove(&scratch);
}

static void count_one(void *argument, int index) {
    ((int *)argument)[index]++;
}

TEST(a_team_can_run_many_times) {
    for (int count = 1; count <= WORKERS; count++) {
        ThreadTeam *team;
        int runs[WORKERS] = {0};
        EXPECT_OK(thread_team_new(count, &team, err));
        for (int round = 1; round <= 200; round++) {
            thread_team_run(team, count_one, runs);
            for (int i = 0; i < WORKERS; i++)
                EXPECT_INT(i < count ? round : 0, runs[i]);
        }
        thread_team_free(team);
    }
    thread_team_free(NULL);
}

/* Starts a child process that calls stop_install() as the program does, calls stop_request() if
 * `requested`, and sends itself SIGTERM twice without a pause. If the child survives this, it
 * writes a byte into a pipe. `*survived` says whether the byte came. With `later` the child then
 * sends itself SIGTERM once more after 0.4 s. Returns the state of the child as waitpid() gives
 * it. */
static int end_of_signalled(bool requested, bool later, bool *survived) {
    int ends[2];
    char byte;
    EXPECT_INT(0, pipe(ends));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        stop_install();
        if (requested) stop_request();
        raise(SIGTERM);
        raise(SIGTERM);
        if (!stop_requested() || write(ends[1], "", 1) != 1) _exit(1);
        if (!later) _exit(0);
        clock_sleep_ms(400);
        raise(SIGTERM);
        _exit(2);
    }
    int state;
    close(ends[1]);
    EXPECT_INT(child, waitpid(child, &state, 0));
    *survived = read(ends[0], &byte, 1) == 1;
    close(ends[0]);
    return state;
}

TEST(a_second_signal_soon_after_the_first_is_no_second_request) {
    bool survived;
    int state = end_of_signalled(false, false, &survived);
    EXPECT_TRUE(survived);
    EXPECT_TRUE(WIFEXITED(state));
    EXPECT_INT(0, WEXITSTATUS(state));
}

TEST(a_signal_after_a_request_of_the_program_itself_is_the_first_one) {
    bool survived;
    int state = end_of_signalled(true, false, &survived);
    EXPECT_TRUE(survived);
    EXPECT_TRUE(WIFEXITED(state));
}

TEST(a_signal_some_time_after_the_first_ends_the_process) {
    bool survived;
    int state = end_of_signalled(false, true, &survived);
    EXPECT_TRUE(survived);
    EXPECT_TRUE(WIFSIGNALED(state));
    EXPECT_INT(SIGTERM, WTERMSIG(state));
}

/* Programs that are started, such as other players, do not inherit the log. */
TEST(the_log_is_closed_in_programs_that_are_started) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "log.txt");
    int found = 0;
    EXPECT_OK(log_open(path.text, err));
    for (int descriptor = 3; descriptor < 100; descriptor++) {
        char name[64], target[PATH_MAX] = "";
        snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
        if (readlink(name, target, sizeof target - 1) < 0 || strcmp(target, path.text)) continue;
        found++;
        EXPECT_INT(FD_CLOEXEC, fcntl(descriptor, F_GETFD));
    }
    EXPECT_INT(1, found);
    log_close();
    scratch_remove(&scratch);
}

TEST_MAIN(RUN(a_second_signal_soon_after_the_first_is_no_second_request),
          RUN(a_signal_after_a_request_of_the_program_itself_is_the_first_one),
          RUN(a_signal_some_time_after_the_first_ends_the_process), RUN(every_index_runs_once),
          RUN(either_all_threads_work_or_none), RUN(a_team_can_run_many_times),
          RUN(stacks_are_large_whatever_the_default),
          RUN(processors_are_those_that_the_process_may_use), RUN(stopping_is_remembered),
          RUN(log_lines_stay_whole), RUN(logs_go_on_and_need_a_folder),
          RUN(unfinished_lines_of_a_log_get_an_end),
          RUN(the_log_is_closed_in_programs_that_are_started))
