/* Processes that play, train and gate in one run: how each uses what the others leave, what the
 * process that trains writes to the index, clocks that jump, and thousands of files. */
#define _GNU_SOURCE /* nftw */
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/clock.h"
#include "data/made_rows.h"
#include "run/cycle/candidates.h"
#include "run/cycle/cycle_private.h"
#include "run/store/run_lock.h"
#include "run/tiny_run.h"

/* Counts the calls of clock_gettime() and time() below. These return the system's time, except that
 * the time of day goes back by an hour at each call. */
static atomic_int asked;

int clock_gettime(clockid_t which, struct timespec *out) {
    long code = syscall(SYS_clock_gettime, which, out);
    if (which == CLOCK_REALTIME) out->tv_sec -= 3600L * (1 + atomic_fetch_add(&asked, 1));
    return (int)code;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}

static Cycle *open_as(CycleRole role, const Folder *run, const RunConfig *config) {
    Cycle *cycle;
    EXPECT_OK(cycle_open_as(role, run->text, config, NULL, &cycle, err));
    return cycle;
}

static int count_in(const Folder *run, const char *name, const char *ending) {
    Arena arena = {0};
    char **names;
    int count, found = 0;
    EXPECT_OK(directory_list(path_in(run->text, name).text, &arena, &names, &count, err));
    for (int i = 0; i < count; i++)
        found += path_has_ending(names[i], ending);
    arena_clear(&arena);
    return found;
}

static int64_t rows_in(const Folder *run) {
    RunDirectory directory;
    Arena arena = {0};
    char **paths;
    int count;
    int64_t total = 0;
    EXPECT_OK(run_directory_open(run->text, &directory, err));
    EXPECT_OK(run_directory_row_files(&directory, &arena, &paths, &count, err));
    for (int i = 0; i < count; i++) {
        Rows rows;
        EXPECT_OK(row_file_read(paths[i], &rows, err));
        total += (int64_t)rows.count;
        rows_clear(&rows);
    }
    arena_clear(&arena);
    return total;
}

static Status judge_newest(Cycle *cycle, bool *found, Error *err) {
    const GateParts parts = cycle_gate_parts(cycle);
    return candidate_gate(&parts, found, err);
}

/* The roles work one after the other, each as a process of its own would. Each uses what the others
 * left. The index, which only training writes, counts everything. */
TEST(each_takes_up_what_the_others_leave) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *plays = open_as(CYCLE_PLAYS, &run, &config);
    EXPECT_OK(cycle_work_selfplay(plays, 150, CYCLE_ONCE, err));
    CycleTotals played = cycle_totals(plays);
    EXPECT_TRUE(played.played >= 150);
    EXPECT_INT(rows_in(&run), played.played);
    EXPECT_FALSE(file_exists(path_in(run.text, "run.db").text));

    Cycle *trains = open_as(CYCLE_TRAINS, &run, &config);
    EXPECT_INT(played.played, cycle_totals(trains).rows);
    EXPECT_INT(played.games, cycle_totals(trains).games);
    EXPECT_INT(played.evaluations, cycle_totals(trains).evaluations);
    EXPECT_OK(cycle_work_train(trains, 64, CYCLE_ONCE, err));
    EXPECT_INT(64, cycle_totals(trains).samples);
    EXPECT_INT(1, count_in(&run, "candidates", ".aji"));

    Cycle *gates = open_as(CYCLE_GATES, &run, &config);
    EXPECT_OK(cycle_work_gate(gates, CYCLE_ONCE, err));
    EXPECT_INT(1, cycle_totals(gates).net);
    EXPECT_INT(64, cycle_totals(gates).samples);
    EXPECT_INT(0, count_in(&run, "candidates", ".aji"));
    cycle_close(gates);

    /* Still random play: a process looks for a newer net only after it has made its rows. */
    EXPECT_OK(cycle_work_selfplay(plays, 60, CYCLE_ONCE, err));
    EXPECT_INT(1, cycle_totals(plays).net);
    CycleTotals before = cycle_totals(plays);
    EXPECT_OK(cycle_work_selfplay(plays, 60, CYCLE_ONCE, err));
    played = cycle_totals(plays);
    EXPECT_TRUE(played.multiply_adds > before.multiply_adds);
    cycle_close(plays);

    EXPECT_OK(cycle_work_train(trains, 64, CYCLE_ONCE, err));
    CycleTotals totals = cycle_totals(trains);
    EXPECT_INT(1, totals.net);
    EXPECT_INT(rows_in(&run), totals.rows);
    EXPECT_INT(played.games, totals.games);
    EXPECT_INT(played.evaluations, totals.evaluations);
    double training = 3 * 128 * trains->clock.cost;
    EXPECT_NEAR(played.multiply_adds + training, totals.multiply_adds, 1);
    IndexedNet *nets;
    int count;
    EXPECT_OK(run_index_nets(trains->store.index, &nets, &count, err));
    EXPECT_INT(1, count);
    EXPECT_INT(64, nets[0].samples);
    EXPECT_TRUE(nets[0].rows >= 150);
    free(nets);
    cycle_close(trains);

    trains = open_as(CYCLE_TRAINS, &run, &config); /* nothing is counted twice */
    EXPECT_INT(totals.games, cycle_totals(trains).games);
    EXPECT_INT(totals.rows, cycle_totals(trains).rows);
    EXPECT_INT(totals.evaluations, cycle_totals(trains).evaluations);
    EXPECT_NEAR(totals.multiply_adds, cycle_totals(trains).multiply_adds, 1);
    cycle_close(trains);
    remove_folder(&run);
}

/* Two processes that play at the same time with the same settings use different names and play
 * different games. */
TEST(two_that_play_make_different_games) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycles[2];
    Arena arena = {0};
    char **paths, *first, *second;
    int count;
    size_t length;
    RunDirectory directory;
    for (int i = 0; i < 2; i++)
        cycles[i] = open_as(CYCLE_PLAYS, &run, &config);
    for (int i = 0; i < 2; i++)
        EXPECT_OK(cycle_work_selfplay(cycles[i], 50, CYCLE_ONCE, err));
    EXPECT_INT(rows_in(&run), cycle_totals(cycles[0]).played + cycle_totals(cycles[1]).played);
    for (int i = 0; i < 2; i++)
        cycle_close(cycles[i]);
    EXPECT_OK(run_directory_open(run.text, &directory, err));
    EXPECT_OK(run_directory_row_files(&directory, &arena, &paths, &count, err));
    EXPECT_INT(2, count);
    EXPECT_OK(file_read(paths[0], 1 << 28, &arena, &first, &length, err));
    size_t before = length;
    EXPECT_OK(file_read(paths[1], 1 << 28, &arena, &second, &length, err));
    EXPECT_TRUE(before != length || memcmp(first, second, length) != 0);
    arena_clear(&arena);
    remove_folder(&run);
}

/* A process that waited for the lock uses what others made meanwhile. */
TEST(a_process_that_waited_for_the_lock_uses_what_others_made) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *early = NULL, *other;
    EXPECT_OK(directory_make(path_in(run.text, "rows/000001").text, err));
    made_file(path_in(run.text, "rows/000001/a.npz").text, 4, 4, 4, 200, 1);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &early, err));
    other = open_as(CYCLE_TRAINS, &run, &config);
    EXPECT_OK(cycle_work_train(other, 96, CYCLE_ONCE, err));
    cycle_close(other);
    other = open_as(CYCLE_GATES, &run, &config);
    EXPECT_OK(cycle_work_gate(other, CYCLE_ONCE, err));
    cycle_close(other);
    EXPECT_OK(cycle_hold(early, err));
    EXPECT_INT(96, cycle_totals(early).samples);
    EXPECT_INT(1, cycle_totals(early).net);
    EXPECT_OK(cycle_train(early, 32, err));
    EXPECT_INT(128, cycle_totals(early).samples);
    EXPECT_OK(cycle_accept(early, err));
    EXPECT_INT(2, cycle_totals(early).net);
    EXPECT_INT(2, count_in(&run, "nets", ".aji"));
    cycle_close(early);
    remove_folder(&run);
}

TEST(a_candidate_is_judged_once_and_the_newest_alone) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    config.run.gate_score = 1; /* only the first net passes */
    config.run.gate_games = 40;
    config.run.samples_max = 1; /* at least the 200 samples of a cycle are trained nevertheless */
    EXPECT_OK(directory_make(path_in(run.text, "rows/000001").text, err));
    made_file(path_in(run.text, "rows/000001/a.npz").text, 4, 4, 4, 200, 1);
    Cycle *trains = open_as(CYCLE_TRAINS, &run, &config);
    for (int i = 1; i <= 2; i++) {
        EXPECT_OK(cycle_work_train(trains, 400, CYCLE_ONCE, err)); /* makes several trainings */
        EXPECT_INT(1, count_in(&run, "candidates", ".aji"));
        Cycle *gates = open_as(CYCLE_GATES, &run, &config);
        EXPECT_OK(cycle_work_gate(gates, CYCLE_ONCE, err));
        EXPECT_INT(1, cycle_totals(gates).net);
        EXPECT_INT(384, cycle_totals(gates).samples);
        EXPECT_INT(i - 1, count_in(&run, "rejected", ".aji"));
        EXPECT_INT(0, count_in(&run, "candidates", ".aji"));
        bool found;
        EXPECT_OK(judge_newest(gates, &found, err));
        EXPECT_FALSE(found);
        cycle_close(gates);
    }
    EXPECT_OK(file_write(path_in(run.text, "candidates/000000099999-bad.aji").text, "bad", 3, err));
    Cycle *gates = open_as(CYCLE_GATES, &run, &config);
    bool found;
    EXPECT_OK(judge_newest(gates, &found, err));
    EXPECT_TRUE(file_exists(path_in(run.text, "candidates/000000099999-bad.aji.bad").text));
    EXPECT_INT(1, count_in(&run, "nets", ".aji"));
    cycle_close(gates);
    cycle_close(trains);
    remove_folder(&run);
}

static int trainings_of(const Folder *run) {
    Arena arena = {0};
    char *text;
    size_t length;
    int count = 0;
    EXPECT_OK(file_read(path_in(run->text, "report/metrics.csv").text, 1 << 20, &arena, &text,
                        &length, err));
    for (const char *at = text; (at = strstr(at, "\ntrain,")); at++)
        count++;
    arena_clear(&arena);
    return count;
}

/* 1200 samples wait, six times those of a cycle, and 600 of them are requested. With batches of 32
 * this is one training of 576 samples, or two if a net is made after 300. */
TEST(one_training_takes_all_that_waits) {
    static const int64_t MAX[] = {500000, 300};
    for (int i = 0; i < 2; i++) {
        Folder run = make_folder();
        RunConfig config = tiny(0);
        config.run.samples_max = MAX[i];
        EXPECT_OK(directory_make(path_in(run.text, "rows/000001").text, err));
        made_file(path_in(run.text, "rows/000001/a.npz").text, 4, 4, 4, 600, 1);
        Cycle *trains = open_as(CYCLE_TRAINS, &run, &config);
        EXPECT_OK(cycle_work_train(trains, 600, 300, err));
        EXPECT_INT(576, cycle_totals(trains).samples);
        EXPECT_INT(i + 1, trainings_of(&run));
        cycle_close(trains);
        remove_folder(&run);
    }
}

/* A match that would take minutes stops when the time is over. The candidate waits for the next
 * start. */
TEST(a_gate_keeps_to_its_time) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    config.run.gate_games = 20000;
    EXPECT_OK(directory_make(path_in(run.text, "rows/000001").text, err));
    made_file(path_in(run.text, "rows/000001/a.npz").text, 4, 4, 4, 200, 1);
    Cycle *trains = open_as(CYCLE_TRAINS, &run, &config),
          *gates = open_as(CYCLE_GATES, &run, &config);
    EXPECT_OK(cycle_work_train(trains, 128, CYCLE_ONCE, err));
    EXPECT_OK(cycle_work_gate(gates, CYCLE_ONCE, err)); /* the first net has no opponent */
    EXPECT_INT(1, cycle_totals(gates).net);
    EXPECT_OK(cycle_work_train(trains, 128, CYCLE_ONCE, err));
    cycle_close(trains);
    EXPECT_INT(1, count_in(&run, "candidates", ".aji"));
    EXPECT_OK(cycle_work_gate(gates, 0.3, err));
    EXPECT_INT(1, cycle_totals(gates).net);
    cycle_close(gates);
    EXPECT_INT(1, count_in(&run, "candidates", ".aji"));
    EXPECT_INT(0, count_in(&run, "rejected", ".aji"));
    remove_folder(&run);
}

TEST(a_second_coordinator_is_refused) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *second;
    Error fault = {0};
    EXPECT_OK(directory_make(path_in(run.text, "rows/000001").text, err));
    made_file(path_in(run.text, "rows/000001/a.npz").text, 4, 4, 4, 200, 1);
    Cycle *first = open_as(CYCLE_TRAINS, &run, &config);
    EXPECT_STATUS(ERR_IO, cycle_open_as(CYCLE_TRAINS, run.text, &config, NULL, &second, &fault));
    EXPECT_CONTAINS(fault.message, "another process trains on this run (process ");
    EXPECT_STATUS(OK, cycle_open(run.text, &config, NULL, &second, &fault));
    EXPECT_STATUS(ERR_IO, cycle_run(second, 0, &fault));
    EXPECT_CONTAINS(fault.message, "another process trains on this run");
    cycle_close(second);
    Cycle *gates = open_as(CYCLE_GATES, &run, &config);
    EXPECT_STATUS(ERR_IO, cycle_open_as(CYCLE_GATES, run.text, &config, NULL, &second, &fault));
    EXPECT_CONTAINS(fault.message, "another process makes the nets of this run (process ");
    Cycle *plays = open_as(CYCLE_PLAYS, &run, &config); /* any number may play */
    cycle_close(plays);
    cycle_close(gates);
    cycle_close(first);
    remove_folder(&run);
}

/* Files have times in the future and the past, and the time of day goes back. The work depends on
 * none of these times. */
TEST(clocks_that_jump_stall_nothing) {
    Folder run = make_folder();
    RunConfig config = tiny(2);
    Cycle *cycle;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_selfplay(cycle, 100, err));
    cycle_close(cycle);
    const struct timespec future[2] = {{4000000000, 0}, {4000000000, 0}},
                          past[2] = {{1, 0}, {1, 0}};
    static const char *const NAMES[] = {"rows", "rows/000000", "rows/000000/w000-0000.npz",
                                        "nets", "train",       "run.cfg"};
    for (int i = 0; i < 6; i++)
        EXPECT_INT(0,
                   utimensat(AT_FDCWD, path_in(run.text, NAMES[i]).text, i % 2 ? past : future, 0));
    double before = clock_seconds();
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_run(cycle, 300, err)); /* working time, which is monotonic */
    EXPECT_INT(2, cycle_totals(cycle).net);
    EXPECT_TRUE(run_clock_seconds(&cycle->clock) >= 0 && clock_seconds() >= before);
    EXPECT_TRUE(atomic_load(&asked) > 0); /* the log and the curves use the time of day */
    cycle_close(cycle);
    remove_folder(&run);
}

/* A start does not open files that the index has counted. The files of this test are not even row
 * files. */
TEST(a_start_opens_no_file_that_it_knows) {
    enum { FOLDERS = 10, FILES = 1000, ROWS = 100 };
    Folder run = make_folder();
    RunConfig config = tiny(0);
    RunIndex *index;
    EXPECT_OK(run_index_open(path_in(run.text, "run.db").text, &index, err));
    EXPECT_OK(run_index_begin(index, err));
    for (int i = 0; i < FOLDERS * FILES; i++) {
        char name[64];
        snprintf(name, sizeof name, "rows/%06d", i / FILES);
        if (i % FILES == 0) EXPECT_OK(directory_make(path_in(run.text, name).text, err));
        snprintf(name, sizeof name, "rows/%06d/w000-%04d.npz", i / FILES, i % FILES);
        FILE *stream = fopen(path_in(run.text, name).text, "wb");
        EXPECT_TRUE(stream && fputc('x', stream) == 'x' && !fclose(stream));
        EXPECT_OK(run_index_set_value(index, name, ROWS, err));
    }
    EXPECT_OK(run_index_end(index, OK, err));
    run_index_close(index);
    static const CycleRole ROLES[] = {CYCLE_WHOLE, CYCLE_TRAINS, CYCLE_PLAYS, CYCLE_GATES};
    for (int i = 0; i < 4; i++) {
        Cycle *cycle = open_as(ROLES[i], &run, &config);
        if (cycle->rows.loader) {
            EXPECT_INT(FOLDERS * FILES * ROWS, cycle_totals(cycle).rows);
            int64_t window = window_rows(&config.window, FOLDERS * FILES * ROWS);
            EXPECT_TRUE(loader_rows(cycle->rows.loader) >= window);
            EXPECT_TRUE(loader_rows(cycle->rows.loader) < window + ROWS);
        }
        cycle_close(cycle);
    }
    EXPECT_INT(FILES, count_in(&run, "rows/000000", ".npz")); /* no file was set aside */
    EXPECT_INT(FILES, count_in(&run, "rows/000009", ".npz"));
    remove_folder(&run);
}

typedef struct {
    const Folder *run;
    RunLock training;
} Beginner;

static void *begin_run(void *argument) {
    Beginner *beginner = argument;
    RunConfig config = tiny(1);
    SettingsGroup groups[RUN_GROUPS];
    StrBuf text = {0};
    config.run.rate_games = 7;
    run_config_groups(&config, groups);
    settings_write(groups, &text);
    clock_sleep_ms(300);
    EXPECT_OK(
        file_write(path_in(beginner->run->text, "run.cfg").text, text.text, text.length, err));
    run_lock_release(&beginner->training);
    strbuf_clear(&text);
    return NULL;
}

/* If two processes begin a run at the same time, the settings of the first hold. The second must
 * not wait for a process that gates. While it waited, it would hold the lock for training, and `aji
 * train` would be refused. */
TEST(two_that_begin_a_run_use_the_settings_of_the_first) {
    Folder run = make_folder();
    RunConfig config = tiny(1);
    Beginner beginner = {.run = &run};
    pthread_t thread;
    Arena arena = {0};
    char *said;
    size_t length;
    RunLock gating;
    EXPECT_OK(run_lock_acquire(run.text, "train.lock", "begins", &beginner.training, err));
    EXPECT_OK(run_lock_acquire(run.text, "nets.lock", "gates", &gating, err));
    EXPECT_INT(0, pthread_create(&thread, NULL, begin_run, &beginner));
    cycle_close(open_as(CYCLE_PLAYS, &run, &config));
    EXPECT_INT(0, pthread_join(thread, NULL));
    EXPECT_OK(file_read(path_in(run.text, "log.txt").text, 1 << 16, &arena, &said, &length, err));
    EXPECT_TRUE(strstr(said, "are not kept") == NULL);
    EXPECT_OK(run_config_load(run.text, &config, err));
    EXPECT_INT(7, config.run.rate_games);
    run_lock_release(&gating);
    arena_clear(&arena);
    remove_folder(&run);
}

TEST_MAIN(RUN(each_takes_up_what_the_others_leave), RUN(two_that_play_make_different_games),
          RUN(a_process_that_waited_for_the_lock_uses_what_others_made),
          RUN(a_candidate_is_judged_once_and_the_newest_alone),
          RUN(one_training_takes_all_that_waits), RUN(a_gate_keeps_to_its_time),
          RUN(a_second_coordinator_is_refused),
          RUN(two_that_begin_a_run_use_the_settings_of_the_first),
          RUN(clocks_that_jump_stall_nothing), RUN(a_start_opens_no_file_that_it_knows))
