/* How a start treats what it finds in a run's directory: more rows than memory holds, damaged
 * files, another process at work, the files of earlier versions. */
#define _GNU_SOURCE /* nftw */
#include <sys/wait.h>

#include "base/clock.h"
#include "data/made_rows.h"
#include "run/cycle/cycle_private.h"
#include "run/tiny_run.h"

/* Writes a row file of 4x4 boards, as self-play with net 1 would. */
static void put_rows(const Folder *run, const char *name, size_t rows) {
    Path folder = path_in(run->text, "rows/000001");
    EXPECT_OK(directory_make(folder.text, err));
    made_file(path_in(run->text, name).text, 4, 4, 4, rows, rows);
}

TEST(rows_that_memory_drops_are_rows_of_the_run) {
    Folder run = make_folder();
    RunConfig config = tiny(1);
    Cycle *cycle;
    size_t each = ((size_t)config.loader.memory_mb << 20) / rows_bytes(4) * 2 / 3;
    put_rows(&run, "rows/000001/a.npz", each);
    put_rows(&run, "rows/000001/b.npz", each);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_INT(2 * each, cycle_totals(cycle).rows);
    cycle_close(cycle);
    config.window.min = 1000000; /* the window has both files, which are read in turns */
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_INT(2 * each, loader_rows(cycle->rows.loader));
    EXPECT_OK(cycle_train(cycle, 4 * config.loader.batch, err));
    EXPECT_INT(4 * config.loader.batch, cycle_totals(cycle).samples);
    EXPECT_INT(2 * each, loader_rows(cycle->rows.loader));
    cycle_close(cycle);
    remove_folder(&run);
}

/* The run has 800 rows of random play and 400 of net 1. The window holds all rows, but with
 * window.random_capped, rows of random play count only up to window.min, which is 200. */
TEST(random_play_makes_no_larger_window) {
    Folder run = make_folder();
    RunConfig config = tiny(1);
    Cycle *cycle;
    config.window = (WindowSettings){.min = 200, .alpha = 1, .beta = 1};
    EXPECT_OK(directory_make(path_in(run.text, "rows/000000").text, err));
    for (int i = 0; i < 6; i++) {
        char name[32];
        snprintf(name, sizeof name, "rows/00000%d/%c.npz", i > 3, 'a' + i);
        put_rows(&run, name, 200);
    }
    for (int capped = 0; capped < 2; capped++) {
        config.window.random_capped = capped;
        EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
        EXPECT_INT(1200, cycle_totals(cycle).rows);
        EXPECT_INT(capped ? 600 : 1200, loader_rows(cycle->rows.loader));
        cycle_close(cycle);
    }
    remove_folder(&run);
}

TEST(a_start_unpacks_only_the_files_of_the_window) {
    Folder run = make_folder();
    RunConfig config = tiny(1);
    Cycle *cycle;
    Path oldest = path_in(run.text, "rows/000001/a.npz"),
         newest = path_in(run.text, "rows/000001/d.npz");
    config.window.min = 100;
    put_rows(&run, "rows/000001/a.npz", 210);
    put_rows(&run, "rows/000001/b.npz", 220);
    put_rows(&run, "rows/000001/c.npz", 230);
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
        EXPECT_INT(i < 2 ? 660 : 900, cycle_totals(cycle).rows);
        EXPECT_OK(cycle_train(cycle, config.loader.batch, err));
        if (i == 1) { /* a file that comes later is found */
            put_rows(&run, "rows/000001/d.npz", 240);
            EXPECT_OK(cycle_selfplay(cycle, 0, err));
            EXPECT_TRUE(cycle_totals(cycle).rows >= 900);
        }
        cycle_close(cycle);
        if (i == 0) EXPECT_OK(file_write(oldest.text, "not read", 8, err));
    }
    EXPECT_TRUE(file_exists(oldest.text));
    EXPECT_OK(file_write(newest.text, "read", 4, err));
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_INT(900, cycle_totals(cycle).rows); /* as the index says */
    EXPECT_OK(cycle_train(cycle, config.loader.batch, err));
    EXPECT_TRUE(!file_exists(newest.text)); /* it was set aside */
    EXPECT_INT(660, cycle_totals(cycle).rows);
    cycle_close(cycle);
    remove_folder(&run);
}

/* Starts a process that trains a run and makes its nets. It keeps the locks for training and for
 * gating until `*let_go` is closed. */
static pid_t hold_run(const Folder *run, int *let_go) {
    int ready[2], over[2];
    char byte;
    EXPECT_INT(0, pipe(ready));
    EXPECT_INT(0, pipe(over));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        RunConfig config = tiny(2);
        Cycle *cycle;
        close(over[1]);
        if (cycle_open(run->text, &config, NULL, &cycle, NULL)) _exit(1);
        if (cycle_train(cycle, config.loader.batch, NULL)) _exit(2);
        if (cycle_accept(cycle, NULL)) _exit(3);
        if (write(ready[1], "+", 1) != 1) _exit(4);
        if (read(over[0], &byte, 1)) _exit(5); /* waits for the end of the pipe */
        _exit(0);
    }
    close(ready[1]);
    close(over[0]);
    EXPECT_INT(1, read(ready[0], &byte, 1));
    close(ready[0]);
    *let_go = over[1];
    return child;
}

static void expect_other(Status status, const Error *err, const char *what) {
    EXPECT_STATUS(ERR_IO, status);
    if (!strstr(err->message, what)) fail_msg("%s", err->message);
}

/* Checks that another process cannot open the run as the only one that trains. */
static void expect_held(const Folder *run) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        RunConfig config = tiny(2);
        Cycle *cycle;
        _exit(cycle_open_alone(run->text, &config, NULL, &cycle, NULL) == ERR_IO ? 0 : 1);
    }
    EXPECT_INT(child, waitpid(child, &status, 0));
    EXPECT_INT(0, status);
}

TEST(two_processes_do_not_do_the_same_work) {
    Folder run = make_folder();
    RunConfig config = tiny(2), old;
    SettingsGroup groups[RUN_GROUPS];
    Cycle *cycle;
    Error err = {0};
    int let_go, status;
    put_rows(&run, "rows/000001/a.npz", 200);
    pid_t child = hold_run(&run, &let_go);
    config.run.rate_games = 6;
    expect_other(cycle_open_alone(run.text, &config, NULL, &cycle, &err), &err,
                 "another process trains on this run");
    EXPECT_TRUE(cycle == NULL);
    EXPECT_STATUS(OK, cycle_open(run.text, &config, NULL, &cycle, &err));
    expect_other(cycle_run(cycle, 0, &err), &err, "another process trains on this run");
    expect_other(cycle_train(cycle, 64, &err), &err, "another process trains on this run");
    expect_other(cycle_accept(cycle, &err), &err, "another process makes the nets of this run");
    EXPECT_STATUS(OK, cycle_selfplay(cycle, 10, &err));
    EXPECT_INT(1, cycle_totals(cycle).net);
    cycle_close(cycle);
    run_config_groups(&old, groups);
    EXPECT_STATUS(OK, settings_load(groups, path_in(run.text, "run.cfg").text, &err));
    EXPECT_INT(4, old.run.rate_games); /* the settings of the other process hold */
    close(let_go);
    EXPECT_INT(child, waitpid(child, &status, 0));
    EXPECT_INT(0, status);
    EXPECT_STATUS(OK, cycle_open_alone(run.text, &config, NULL, &cycle, &err));
    EXPECT_STATUS(OK, settings_load(groups, path_in(run.text, "run.cfg").text, &err));
    EXPECT_INT(6, old.run.rate_games);
    expect_held(&run); /* the lock is still held after the settings were written */
    EXPECT_STATUS(OK, cycle_run(cycle, 0, &err));
    EXPECT_INT(2, cycle_totals(cycle).net);
    cycle_close(cycle);
    remove_folder(&run);
}

/* Starts a process that waits until the file `after` exists, unless `after` is NULL. Then it puts a
 * directory at `path` for a second, so that no file can be written there. */
static pid_t block_for_a_while(const Path *path, const Path *after) {
    Path inside;
    EXPECT_OK(path_join(&inside, path->text, "inside", err));
    fflush(NULL);
    pid_t child = fork();
    if (child) return child;
    while (after && !file_exists(after->text))
        clock_sleep_ms(1);
    if (directory_make(inside.text, NULL)) _exit(1);
    clock_sleep_ms(1000);
    _exit(remove(inside.text) || remove(path->text) ? 2 : 0);
}

TEST(a_failed_write_is_tried_again_also_if_the_error_is_null) {
    Folder run = make_folder();
    RunConfig config = tiny(2);
    Cycle *cycle;
    Path rows = path_in(run.text, "rows/000000/w000-0000.npz"),
         journal = path_in(run.text, "rows/000000/w000-0000.journal"),
         checkpoint = path_in(run.text, "train/checkpoint-000000000032.aji");
    int status;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    pid_t child = block_for_a_while(&rows, &journal);
    EXPECT_INT(OK, cycle_selfplay(cycle, 500, NULL));
    EXPECT_INT(child, waitpid(child, &status, 0));
    EXPECT_INT(0, status);
    EXPECT_TRUE(cycle_totals(cycle).rows >= 500);
    Path inside;
    EXPECT_OK(path_join(&inside, checkpoint.text, "inside", err));
    EXPECT_OK(directory_make(inside.text, err));
    child = block_for_a_while(&checkpoint, NULL);
    EXPECT_INT(OK, cycle_train(cycle, config.loader.batch, NULL));
    EXPECT_INT(child, waitpid(child, &status, 0));
    EXPECT_INT(0, status);
    EXPECT_TRUE(file_exists(checkpoint.text));
    cycle_close(cycle);
    remove_folder(&run);
}

/* Opens the run, trains this many batches and closes it, which leaves a checkpoint. */
static void train_run(const Folder *run, const RunConfig *config, int batches) {
    Cycle *cycle;
    EXPECT_OK(cycle_open(run->text, config, NULL, &cycle, err));
    EXPECT_OK(cycle_train(cycle, batches * config->loader.batch, err));
    cycle_close(cycle);
}

TEST(checkpoints_set_aside_do_not_push_out_good_ones) {
    Folder run = make_folder();
    RunConfig config = tiny(2);
    config.run.keep_checkpoints = 2;
    put_rows(&run, "rows/000001/a.npz", 200);
    EXPECT_OK(directory_make(path_in(run.text, "train").text, err));
    for (int i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "train/checkpoint-%012d.aji.bad", 900000 + i);
        EXPECT_OK(file_write(path_in(run.text, name).text, "bad", 3, err));
    }
    for (int i = 1; i <= 3; i++)
        train_run(&run, &config, 1);
    EXPECT_TRUE(!file_exists(path_in(run.text, "train/checkpoint-000000000032.aji").text));
    EXPECT_TRUE(file_exists(path_in(run.text, "train/checkpoint-000000000064.aji").text));
    EXPECT_TRUE(file_exists(path_in(run.text, "train/checkpoint-000000000096.aji").text));
    EXPECT_TRUE(file_exists(path_in(run.text, "train/checkpoint-000000900000.aji.bad").text));
    remove_folder(&run);
}

TEST(only_a_checkpoint_that_is_no_checkpoint_is_set_aside) {
    Folder run = make_folder();
    RunConfig config = tiny(2);
    Cycle *cycle;
    put_rows(&run, "rows/000001/a.npz", 200);
    train_run(&run, &config, 1);
    train_run(&run, &config, 1);
    Path newest = path_in(run.text, "train/checkpoint-000000000064.aji"),
         unread = path_in(run.text, "train/checkpoint-000000000096.aji");
    EXPECT_INT(0, truncate(newest.text, file_bytes(newest.text) - 9));
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_INT(32, cycle_totals(cycle).samples);
    cycle_close(cycle);
    EXPECT_TRUE(file_exists(path_in(run.text, "train/checkpoint-000000000064.aji.bad").text));
    EXPECT_OK(directory_make(unread.text, err)); /* it exists but cannot be read */
    EXPECT_STATUS(ERR_IO, cycle_open(run.text, &config, NULL, &cycle, NULL));
    EXPECT_TRUE(file_exists(unread.text));
    config.training.optimiser.kind = OPTIMISER_SGD;
    EXPECT_STATUS(ERR_ARGUMENT, cycle_open(run.text, &config, NULL, &cycle, NULL));
    EXPECT_TRUE(file_exists(path_in(run.text, "train/checkpoint-000000000032.aji").text));
    remove_folder(&run);
}

TEST(games_of_a_net_that_is_gone_are_left_out_of_the_ratings) {
    Folder run = make_folder();
    RunConfig config = tiny(2);
    Cycle *cycle;
    RunIndex *index;
    IndexedNet *nets;
    StrBuf text = {0};
    int count;
    put_rows(&run, "rows/000001/a.npz", 200);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_accept(cycle, err));
    EXPECT_OK(run_index_open(path_in(run.text, "run.db").text, &index, err));
    EXPECT_OK(run_index_add_games(index, &(EloGames){1, 0, 30, 0, 10}, "rating", err));
    EXPECT_OK(run_index_add_games(index, &(EloGames){90, 1, 3, 0, 1}, "rating", err));
    EXPECT_OK(run_index_add_games(index, &(EloGames){1, 91, 3, 0, 1}, "rating", err));
    EXPECT_OK(cycle_finish(cycle, &text, err));
    EXPECT_OK(run_index_nets(index, &nets, &count, err));
    EXPECT_INT(1, count);
    EXPECT_NEAR(150, nets[0].elo, 40); /* from 30 wins and 10 losses */
    free(nets);
    strbuf_clear(&text);
    run_index_close(index);
    cycle_close(cycle);
    remove_folder(&run);
}

TEST(training_that_always_diverges_ends_the_run) {
    Folder run = make_folder();
    RunConfig config = tiny(2);
    Cycle *cycle;
    Error err = {0};
    put_rows(&run, "rows/000001/a.npz", 200);
    config.training.schedule.rate = 1e30;
    EXPECT_STATUS(OK, cycle_open(run.text, &config, NULL, &cycle, &err));
    EXPECT_STATUS(ERR_ARGUMENT, cycle_run(cycle, 0, &err));
    EXPECT_CONTAINS(err.message, "not finite");
    EXPECT_INT(0, cycle_totals(cycle).net);
    cycle_close(cycle);
    remove_folder(&run);
}

/* Works until two nets have been rejected. */
static void work_until_rejected(Cycle *cycle, const Folder *run) {
    int rejected = 0;
    for (int i = 0; i < 30 && rejected < 2; i++) {
        Arena arena = {0};
        char **names;
        EXPECT_OK(cycle_run(cycle, 2, err));
        EXPECT_OK(
            directory_list(path_in(run->text, "rejected").text, &arena, &names, &rejected, err));
        arena_clear(&arena);
    }
    EXPECT_TRUE(rejected >= 2);
}

/* If run.cfg was written before these settings existed, the run continues to train as before. */
TEST(a_run_of_an_earlier_version_keeps_its_training) {
    static const char OLD[] = "run.arch = \"b4c32-fixup-nodist\"\nschedule.rate = 0\n"
                              "optimiser.kind = muon\noptimiser.muon_factor = 2\n",
                      NEW[] = "run.arch = \"b4c32-fixup-nodist\"\nschedule.rate = 0\n"
                              "trainer.clip_median = 4\nobjective.score_area = 49\n";
    Folder run = make_folder();
    RunConfig config;
    EXPECT_OK(file_write(path_in(run.text, "run.cfg").text, OLD, strlen(OLD), err));
    EXPECT_OK(run_config_load(run.text, &config, err));
    EXPECT_NEAR(0, config.training.objective.score_area, 0);
    EXPECT_NEAR(0, config.training.trainer.clip_median, 0);
    EXPECT_NEAR(8e-6, config.training.schedule.rate, 1e-12);
    EXPECT_NEAR(2, config.training.optimiser.muon.factor, 0);
    EXPECT_OK(file_write(path_in(run.text, "run.cfg").text, NEW, strlen(NEW), err));
    EXPECT_OK(run_config_load(run.text, &config, err));
    EXPECT_NEAR(49, config.training.objective.score_area, 0);
    EXPECT_NEAR(4, config.training.trainer.clip_median, 0);
    EXPECT_NEAR(0, config.training.schedule.rate, 0); /* 0 means the usual rate of the net */
    remove_folder(&run);
}

TEST(scores_teach_leads_only_where_leads_are_not_searched_for) {
    RunConfig config = tiny(1);
    EXPECT_INT(LEAD_FROM_SCORE_BY_FILE, run_lead_from_score(&config));
    config.selfplay.lead.probability = 0.05;
    EXPECT_INT(LEAD_FROM_SCORE_NEVER, run_lead_from_score(&config));
    config.loader.lead_from_score = LEAD_FROM_SCORE_ALWAYS;
    EXPECT_INT(LEAD_FROM_SCORE_ALWAYS, run_lead_from_score(&config));
}

TEST(a_net_is_rated_once) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    RunIndex *index;
    EloGames *pairings;
    int count;
    config.run.gate_score = 1.5; /* only the first net passes */
    config.run.rate_every = 1;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    work_until_rejected(cycle, &run);
    EXPECT_INT(1, cycle_totals(cycle).net);
    EXPECT_OK(run_index_open(path_in(run.text, "run.db").text, &index, err));
    EXPECT_OK(run_index_pairings(index, &pairings, &count, err));
    EXPECT_TRUE(count > 0);
    for (int i = 0; i < count; i++)
        EXPECT_TRUE(pairings[i].wins + pairings[i].draws + pairings[i].losses <=
                    config.run.rate_games);
    free(pairings);
    run_index_close(index);
    cycle_close(cycle);
    remove_folder(&run);
}

TEST(nets_play_at_the_nearest_possible_komi) {
    Folder run = make_folder();
    RunConfig config = tiny(2);
    Cycle *cycle;
    config.selfplay.komi.mean = 1.25;
    EXPECT_NEAR(1.5, run_config_komi(&config), 0);
    config.selfplay.komi.mean = -0.2;
    EXPECT_NEAR(0, run_config_komi(&config), 0);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_accept(cycle, err));
    EXPECT_OK(cycle_accept(cycle, err)); /* after a match against net 1 */
    EXPECT_INT(2, cycle_totals(cycle).net);
    cycle_close(cycle);
    remove_folder(&run);
}

/* If the index is lost, the next start finds the nets again from their files. */
TEST(a_lost_index_gets_the_nets_from_their_files) {
    Folder run = make_folder();
    RunConfig config = tiny(2);
    Cycle *cycle;
    IndexedNet *nets;
    int count;
    for (int start = 0; start < 2; start++) {
        EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
        EXPECT_OK(cycle_run(cycle, 0, err));
        EXPECT_OK(run_index_nets(cycle->store.index, &nets, &count, err));
        EXPECT_INT(2, count);
        for (int i = 0; i < count; i++) {
            EXPECT_INT(i + 1, nets[i].number);
            EXPECT_CONTAINS(nets[i].file, ".aji");
            EXPECT_TRUE(nets[i].samples > 0 && nets[i].rows >= 100); /* from the net's file */
            EXPECT_INT(start, nets[i].seconds == 0);                 /* a lost time stays 0 */
        }
        free(nets);
        cycle_close(cycle);
        EXPECT_OK(file_remove(path_in(run.text, "run.db").text, err));
    }
    remove_folder(&run);
}

TEST_MAIN(RUN(rows_that_memory_drops_are_rows_of_the_run), RUN(random_play_makes_no_larger_window),
          RUN(a_start_unpacks_only_the_files_of_the_window),
          RUN(two_processes_do_not_do_the_same_work),
          RUN(a_failed_write_is_tried_again_also_if_the_error_is_null),
          RUN(checkpoints_set_aside_do_not_push_out_good_ones),
          RUN(only_a_checkpoint_that_is_no_checkpoint_is_set_aside),
          RUN(games_of_a_net_that_is_gone_are_left_out_of_the_ratings),
          RUN(training_that_always_diverges_ends_the_run),
          RUN(a_run_of_an_earlier_version_keeps_its_training),
          RUN(scores_teach_leads_only_where_leads_are_not_searched_for), RUN(a_net_is_rated_once),
          RUN(nets_play_at_the_nearest_possible_komi),
          RUN(a_lost_index_gets_the_nets_from_their_files))
