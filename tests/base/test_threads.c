/* Threads, and the log that all of them write to. */
#define _GNU_SOURCE /* pthread_setattr_default_np() */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "base/thread_team.h"
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

TEST(there_is_a_processor) {
    EXPECT_TRUE(thread_processors() >= 1);
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

/* An unfinished last line, whose writer was killed or found no room, is ended before the next
 * one. */
TEST(torn_lines_of_a_log_get_an_end) {
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

TEST(a_team_works_again_and_again) {
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

/* The same signal twice at the same time, and again later. */
TEST(a_second_wish_ends_a_process_but_not_an_echo) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        stop_install();
        raise(SIGTERM);
        raise(SIGTERM);
        if (!stop_requested()) _exit(1);
        clock_sleep_ms(400);
        raise(SIGTERM);
        _exit(2);
    }
    int state;
    EXPECT_INT(child, waitpid(child, &state, 0));
    EXPECT_TRUE(WIFSIGNALED(state));
    EXPECT_INT(SIGTERM, WTERMSIG(state));
}

TEST_MAIN(RUN(a_second_wish_ends_a_process_but_not_an_echo), RUN(every_index_runs_once),
          RUN(a_team_works_again_and_again), RUN(stacks_are_large_whatever_the_default),
          RUN(there_is_a_processor), RUN(stopping_is_remembered), RUN(log_lines_stay_whole),
          RUN(logs_go_on_and_need_a_folder), RUN(torn_lines_of_a_log_get_an_end))
