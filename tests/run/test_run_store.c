/* The files of a run as processes share them: rights to work, and the index with the totals. */
#define _GNU_SOURCE /* nftw */
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
    EXPECT_OK(run_store_lock_training(&first, err)); /* it has the right already */
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

/* The process that trains keeps seconds and evaluations; multiply-adds are added up by all. */
TEST(totals_come_back_from_the_index) {
    Folder run = make_folder();
    RunStore store = open_store(&run), other = open_store(&run);
    RunClock clock = {0}, its_clock = {0};
    RunRows rows = {0};
    EXPECT_OK(run_totals_keep(&store, &clock, &rows, err)); /* without an index nothing is kept */
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
    EXPECT_NEAR(430, its_clock.multiply_adds, 0); /* it comes to know those of the first */
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

TEST_MAIN(RUN(one_trains_and_one_makes_nets), RUN(totals_come_back_from_the_index))
