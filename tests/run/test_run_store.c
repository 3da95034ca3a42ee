/* How processes share the files of a run: the locks for training and for gating, and the totals in
 * the index. */
#define _GNU_SOURCE /* nftw */
#include <errno.h>
#include <sys/file.h>
#include <sys/syscall.h>

#include "data/made_rows.h"
#include "run/cycle/cycle_private.h"
#include "run/store/journal.h"
#include "run/store/run_totals.h"
#include "run/tiny_run.h"

static RunStore open_store(const Folder *run) {
    RunStore store;
    run_store_init(&store);
    EXPECT_OK(run_directory_open(run->text, &store.directory, err));
    return store;
}

TEST(one_trains_and_one_makes_nets) {
    Folder run = make_folder();
    RunStore first = open_store(&run), second = open_store(&run);
    Error fault;
    EXPECT_FALSE(run_store_trains(&first));
    EXPECT_OK(run_store_lock_training(&first, err));
    EXPECT_OK(run_store_lock_training(&first, err)); /* the process has the lock already */
    EXPECT_TRUE(run_store_trains(&first));
    EXPECT_FALSE(run_store_gates(&first));
    EXPECT_STATUS(ERR_IO, run_store_lock_training(&second, &fault));
    EXPECT_CONTAINS(fault.message, "trains on this run");
    EXPECT_FALSE(run_store_trains(&second));
    EXPECT_OK(run_store_lock_gating(&second, err));
    EXPECT_STATUS(ERR_IO, run_store_lock_gating(&first, &fault));
    EXPECT_CONTAINS(fault.message, "makes the nets of this run");
    run_store_unlock_training(&first);
    EXPECT_OK(run_store_lock_training(&second, err));
    run_store_close(&second);
    EXPECT_FALSE(run_store_trains(&second));
    EXPECT_FALSE(run_store_gates(&second));
    EXPECT_OK(run_store_lock_gating(&first, err));
    run_store_close(&first);
    remove_folder(&run);
}

/* The process that trains writes seconds and evaluations; all processes add their multiply-adds. */
TEST(totals_come_back_from_the_index) {
    Folder run = make_folder();
    RunStore store = open_store(&run), other = open_store(&run);
    RunClock clock = {0}, its_clock = {0};
    RunRows rows = {0};
    EXPECT_OK(run_totals_keep(&store, &clock, &rows, err)); /* does nothing without an index */
    EXPECT_OK(run_store_lock_training(&store, err));
    EXPECT_OK(run_totals_open(&store, &clock, &rows, err));
    EXPECT_OK(run_totals_open(&other, &its_clock, &rows, err));
    run_clock_start(&clock);
    clock.seconds_before = 50;
    run_clock_use_net(&clock, 4);
    run_clock_add_evaluations(&clock, 100);
    EXPECT_OK(run_totals_keep(&store, &clock, &rows, err));
    run_clock_use_net(&its_clock, 3);
    run_clock_add_evaluations(&its_clock, 10);
    EXPECT_OK(run_totals_keep(&other, &its_clock, &rows, err));
    EXPECT_NEAR(430, its_clock.multiply_adds, 0); /* 400 of the first process, 30 of its own */
    EXPECT_OK(run_index_set_value(other.index, GAMES_FACT, 12, err));
    EXPECT_OK(run_totals_keep(&store, &clock, &rows, err));
    EXPECT_NEAR(430, clock.multiply_adds, 0);
    EXPECT_INT(12, rows.games);
    run_store_close(&store);
    run_store_close(&other);

    RunClock again = {0};
    rows.games = 0;
    store = open_store(&run);
    EXPECT_OK(run_totals_open(&store, &again, &rows, err));
    EXPECT_NEAR(430, run_clock_multiply_adds(&again), 0);
    EXPECT_INT(100, run_clock_evaluations(&again));
    EXPECT_INT(12, rows.games);
    EXPECT_TRUE(again.seconds_before >= 50);
    run_store_close(&store);
    remove_folder(&run);
}

/* If this is not 0, flock() below fails with this errno, as on a file system without locks. */
static int failing_lock;

int flock(int file, int operation) {
    if (failing_lock) {
        errno = failing_lock;
        return -1;
    }
    return (int)syscall(SYS_flock, file, operation);
}

static void make_journal(const RunStore *store) {
    Path folder = path_in(store->directory.rows.text, "000001");
    EXPECT_OK(directory_make(folder.text, err));
    EXPECT_OK(file_write(path_in(folder.text, "w-0000.journal").text, "", 0, err));
}

TEST(a_file_system_without_locks_is_refused) {
    static const int ERRORS[] = {ENOLCK, ENOSYS, EOPNOTSUPP};
    for (int i = 0; i < 3; i++) {
        Folder run = make_folder();
        RunStore store = open_store(&run);
        RunConfig config = tiny(1);
        Journal *journal;
        Cycle *cycle;
        Error fault;
        int games;
        make_journal(&store);
        failing_lock = ERRORS[i];
        EXPECT_STATUS(ERR_UNSUPPORTED, run_store_lock_training(&store, &fault));
        EXPECT_CONTAINS(fault.message, strerror(ERRORS[i]));
        EXPECT_CONTAINS(fault.message, "A run needs a file system with locks");
        EXPECT_FALSE(run_store_trains(&store));
        EXPECT_STATUS(ERR_UNSUPPORTED, journal_recover(&store.directory, &games, &fault));
        EXPECT_TRUE(file_exists(path_in(run.text, "rows/000001/w-0000.journal").text));
        EXPECT_STATUS(ERR_UNSUPPORTED, journal_open(&store.directory, 1, "v", 4, &journal, &fault));
        EXPECT_FALSE(file_exists(path_in(run.text, "rows/000001/v-0000.journal").text));
        EXPECT_STATUS(ERR_UNSUPPORTED,
                      cycle_open_as(CYCLE_PLAYS, run.text, &config, NULL, &cycle, &fault));
        EXPECT_STATUS(ERR_UNSUPPORTED, cycle_open(run.text, &config, NULL, &cycle, &fault));
        failing_lock = 0;
        run_store_close(&store);
        remove_folder(&run);
    }
}

/* A file server may give the lock to another process if this one does not answer for long. */
TEST(a_lock_that_is_lost_is_noticed) {
    Folder run = make_folder();
    RunStore first = open_store(&run), second = open_store(&run);
    Error fault;
    EXPECT_OK(run_store_check_locks(&first, err)); /* it holds no lock yet */
    EXPECT_OK(run_store_lock_training(&first, err));
    EXPECT_OK(run_store_lock_gating(&first, err));
    EXPECT_OK(run_store_check_locks(&first, err));
    EXPECT_INT(0, flock(first.training.file, LOCK_UN));
    EXPECT_OK(run_store_lock_training(&second, err));
    EXPECT_STATUS(ERR_IO, run_store_check_locks(&first, &fault));
    EXPECT_CONTAINS(fault.message, "this process has lost the lock");
    run_store_close(&second); /* the lock is free, but another process has had it */
    EXPECT_STATUS(ERR_IO, run_store_check_locks(&first, &fault));
    run_store_unlock_training(&first);
    EXPECT_OK(run_store_check_locks(&first, err));
    EXPECT_OK(file_remove(path_in(run.text, "nets.lock").text, err));
    EXPECT_STATUS(ERR_IO, run_store_check_locks(&first, &fault));
    run_store_close(&first);
    remove_folder(&run);
}

/* A process that trains and has lost its lock writes nothing any more. */
TEST(a_trainer_without_its_lock_writes_nothing) {
    Folder run = make_folder();
    RunConfig config = tiny(1);
    RunStore thief = open_store(&run);
    Cycle *cycle;
    Error fault;
    Arena arena = {0};
    char **names;
    int count;
    EXPECT_OK(directory_make(path_in(run.text, "rows/000000").text, err));
    made_file(path_in(run.text, "rows/000000/a.npz").text, 4, 4, 4, 300, 1);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_train(cycle, 64, err));
    EXPECT_INT(0, flock(cycle->store.training.file, LOCK_UN));
    EXPECT_OK(run_store_lock_training(&thief, err));
    EXPECT_STATUS(ERR_IO, cycle_train(cycle, 64, &fault));
    EXPECT_CONTAINS(fault.message, "this process has lost the lock");
    EXPECT_STATUS(ERR_IO, cycle_accept(cycle, &fault));
    cycle_close(cycle);
    EXPECT_OK(directory_list(path_in(run.text, "nets").text, &arena, &names, &count, err));
    EXPECT_INT(0, count);
    EXPECT_OK(directory_list(path_in(run.text, "train").text, &arena, &names, &count, err));
    int checkpoints = 0;
    for (int i = 0; i < count; i++)
        checkpoints += strncmp(names[i], "checkpoint-", 11) == 0;
    EXPECT_INT(1, checkpoints); /* that of the first training */
    arena_clear(&arena);
    run_store_close(&thief);
    remove_folder(&run);
}

TEST_MAIN(RUN(one_trains_and_one_makes_nets), RUN(totals_come_back_from_the_index),
          RUN(a_file_system_without_locks_is_refused), RUN(a_lock_that_is_lost_is_noticed),
          RUN(a_trainer_without_its_lock_writes_nothing))
