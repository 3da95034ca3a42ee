/* What a run costs in multiply-adds, how it ends when its budget of them is used, how many samples
 * it trains, and how its nets are gated. */
#define _GNU_SOURCE /* nftw */
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/thread.h"
#include "eval/net_of_words.h"
#include "run/cycle/cycle_private.h"
#include "run/store/run_totals.h"
#include "run/tiny_run.h"
#include "search/tree/search_presets.h"

/* Returns the multiply-adds of one evaluation on the tiny run's board. */
static double cost_of(const RunConfig *config) {
    Net *net = net_of_words(config->run.arch, 1);
    double cost = program_multiply_adds(net_program(net), 4, 4);
    net_free(net);
    return cost;
}

TEST(evaluations_count_once_and_training_three_times) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    double cost = cost_of(&config);
    EXPECT_TRUE(cost > 1000);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_selfplay(cycle, 100, err));
    EXPECT_TRUE(cycle_totals(cycle).evaluations > 0);
    EXPECT_NEAR(0, cycle_totals(cycle).multiply_adds, 0); /* random play has no net */
    EXPECT_OK(cycle_train(cycle, 64, err));
    EXPECT_NEAR(3 * 64 * cost, cycle_totals(cycle).multiply_adds, 1e-3);
    EXPECT_OK(cycle_accept(cycle, err));
    CycleTotals before = cycle_totals(cycle);
    EXPECT_OK(cycle_selfplay(cycle, 60, err));
    CycleTotals after = cycle_totals(cycle);
    EXPECT_TRUE(after.evaluations > before.evaluations);
    EXPECT_NEAR(cost * (double)(after.evaluations - before.evaluations),
                after.multiply_adds - before.multiply_adds, 1e-3);
    cycle_close(cycle);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_NEAR(after.multiply_adds, cycle_totals(cycle).multiply_adds, 1e-3);
    EXPECT_INT(after.evaluations, cycle_totals(cycle).evaluations);
    cycle_close(cycle);
    remove_folder(&run);
}

/* The run is open twice at the same time, as by two processes. Its cost is the sum of both. */
TEST(workers_add_up) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycles[2], *cycle;
    double spent = 0;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_accept(cycle, err));
    cycle_close(cycle);
    for (int i = 0; i < 2; i++) {
        config.run.seed = i + 1;
        EXPECT_OK(cycle_open(run.text, &config, NULL, &cycles[i], err));
    }
    for (int i = 0; i < 2; i++) {
        int64_t before = cycle_totals(cycles[i]).evaluations;
        EXPECT_OK(cycle_selfplay(cycles[i], 40, err));
        spent += (double)(cycle_totals(cycles[i]).evaluations - before) * cost_of(&config);
    }
    EXPECT_NEAR(spent, cycle_totals(cycles[1]).multiply_adds, 1e-3);
    for (int i = 0; i < 2; i++)
        cycle_close(cycles[i]);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_NEAR(spent, cycle_totals(cycle).multiply_adds, 1e-3);
    cycle_close(cycle);
    remove_folder(&run);
}

TEST(a_run_ends_with_its_compute) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    double cost = cost_of(&config), limit = 1500 * cost;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    cycle_limit_compute(cycle, limit, false);
    EXPECT_OK(cycle_run(cycle, 0, err));
    /* The run ends immediately, and exceeds the limit by no more than a batch. */
    double spent = cycle_totals(cycle).multiply_adds;
    EXPECT_TRUE(spent >= limit && spent <= limit + 3 * cost * config.loader.batch);
    EXPECT_TRUE(cycle_spent(cycle));
    /* The run ends after the net in progress. The cost that is noted for this net is the cost of
     * the whole run. */
    cycle_limit_compute(cycle, limit + 200 * cost, true);
    EXPECT_OK(cycle_run(cycle, 0, err));
    CycleTotals totals = cycle_totals(cycle);
    RunIndex *index;
    MetricPoint *points;
    int count;
    cycle_close(cycle);
    EXPECT_OK(run_index_open(path_in(run.text, "run.db").text, &index, err));
    EXPECT_OK(run_index_metric(index, COMPUTE_METRIC, &points, &count, err));
    EXPECT_INT(totals.net, count);
    EXPECT_NEAR(totals.multiply_adds, points[count - 1].value, 1e-3);
    EXPECT_INT(totals.samples, points[count - 1].samples);
    free(points);
    run_index_close(index);
    /* A later start with the same limit does nothing. */
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    cycle_limit_compute(cycle, limit, false);
    EXPECT_OK(cycle_run(cycle, 0, err));
    EXPECT_INT(totals.evaluations, cycle_totals(cycle).evaluations);
    cycle_close(cycle);
    remove_folder(&run);
}

static double known_compute(const Folder *run) {
    RunIndex *index;
    EXPECT_OK(run_index_open(path_in(run->text, "run.db").text, &index, err));
    double known = run_index_value(index, COMPUTE_FACT);
    run_index_close(index);
    return known;
}

/* If self-play is killed, the compute of all but its last two seconds is known. */
TEST(a_kill_does_not_take_the_compute_of_self_play) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    int status;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_accept(cycle, err));
    cycle_close(cycle);
    EXPECT_NEAR(0, known_compute(&run), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (cycle_open(run.text, &config, NULL, &cycle, NULL)) _exit(1);
        _exit(cycle_selfplay(cycle, 1000000000, NULL) ? 2 : 0);
    }
    for (int i = 0; i < 600 && known_compute(&run) < 100 * cost_of(&config); i++)
        clock_sleep_ms(100);
    kill(child, SIGKILL);
    EXPECT_INT(child, waitpid(child, &status, 0));
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_TRUE(cycle_totals(cycle).multiply_adds >= 100 * cost_of(&config));
    EXPECT_TRUE(cycle_totals(cycle).rows > 0);
    double before = cycle_totals(cycle).multiply_adds;
    int64_t evaluations = cycle_totals(cycle).evaluations;
    EXPECT_OK(cycle_selfplay(cycle, 20, err)); /* the count continues */
    EXPECT_NEAR((double)(cycle_totals(cycle).evaluations - evaluations) * cost_of(&config),
                cycle_totals(cycle).multiply_adds - before, 1e-3);
    EXPECT_NEAR(cycle_totals(cycle).multiply_adds, known_compute(&run), 1e-3);
    cycle_close(cycle);
    remove_folder(&run);
}

/* Changes the index from outside, as another process or a person with a shell could. */
static void run_sql(const Folder *run, const char *sql) {
    sqlite3 *database;
    EXPECT_INT(SQLITE_OK, sqlite3_open(path_in(run->text, "run.db").text, &database));
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    EXPECT_INT(SQLITE_OK, sqlite3_close(database));
}

/* Reads the nets of the index and what the run had cost at each of them, from the first net to the
 * last. `nets` and `points` have room for 4. */
static int costs_of_nets(const Folder *run, IndexedNet *nets, MetricPoint *points, double *total) {
    RunIndex *index;
    IndexedNet *found;
    MetricPoint *costs;
    int count, known;
    EXPECT_OK(run_index_open(path_in(run->text, "run.db").text, &index, err));
    EXPECT_OK(run_index_nets(index, &found, &count, err));
    EXPECT_OK(run_index_metric(index, COMPUTE_METRIC, &costs, &known, err));
    EXPECT_TRUE(count == known && count <= 4);
    memcpy(nets, found, (size_t)count * sizeof *nets);
    for (int i = 0; i < count; i++) { /* points whose times were lost come in any order */
        for (int k = 0; k < count; k++) {
            if (costs[k].samples == nets[i].samples) points[i] = costs[k];
        }
    }
    *total = run_index_value(index, COMPUTE_FACT);
    free(found);
    free(costs);
    run_index_close(index);
    return count;
}

static void *let_go_soon(void *database) {
    clock_sleep_ms(300);
    sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    return NULL;
}

/* While another process holds the lock of the index, self-play continues without writing its
 * totals. At the end of a phase it waits until it can write them. */
TEST(self_play_does_not_wait_for_the_index) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    sqlite3 *other;
    pthread_t thread;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_hold(cycle, err));
    cycle->clock.multiply_adds = 1000;
    EXPECT_INT(SQLITE_OK, sqlite3_open(path_in(run.text, "run.db").text, &other));
    EXPECT_INT(SQLITE_OK, sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL));
    double before = clock_seconds();
    run_totals_keep_meanwhile(&cycle->store, &cycle->clock);
    EXPECT_TRUE(clock_seconds() < before + 3); /* waiting for the index would take 10 s */
    EXPECT_NEAR(0, run_index_value(cycle->store.index, COMPUTE_FACT), 0);
    EXPECT_OK(thread_start(&thread, let_go_soon, other, err));
    EXPECT_OK(cycle_keep_totals(cycle, err));
    EXPECT_NEAR(1000, run_index_value(cycle->store.index, COMPUTE_FACT), 0);
    pthread_join(thread, NULL);
    cycle->clock.multiply_adds = 3000;
    cycle->clock.next_keep = 0;
    run_totals_keep_meanwhile(&cycle->store, &cycle->clock);
    EXPECT_NEAR(3000, run_index_value(cycle->store.index, COMPUTE_FACT), 0);
    EXPECT_INT(SQLITE_OK, sqlite3_close(other));
    cycle_close(cycle);
    remove_folder(&run);
}

/* If the newest net, or everything, is missing in the index, the next start reads nets and their
 * costs from the files of the nets. */
TEST(a_net_keeps_its_compute) {
    static const char *const LOST[] = {
        "DELETE FROM nets WHERE number = 3; DELETE FROM metrics WHERE name = 'compute' AND samples "
        "= (SELECT MAX(samples) FROM metrics WHERE name = 'compute')",
        "DELETE FROM nets; DELETE FROM metrics; DELETE FROM facts; DELETE FROM pairings"};
    Folder run = make_folder();
    RunConfig config = tiny(3);
    IndexedNet nets[4], again[4];
    MetricPoint points[4], found[4];
    double total, known;
    EXPECT_OK(run_whole(run.text, &config, false, err));
    EXPECT_INT(3, costs_of_nets(&run, nets, points, &total));
    EXPECT_TRUE(points[0].value > 0 && points[1].value > points[0].value);
    EXPECT_NEAR(total, points[2].value, 1e-3);
    for (int i = 0; i < 2; i++) {
        run_sql(&run, LOST[i]);
        EXPECT_OK(run_whole(run.text, &config, false, err));
        EXPECT_INT(3, costs_of_nets(&run, again, found, &known));
        EXPECT_NEAR(total, known, 1e-3);
        for (int k = 0; k < 3; k++) {
            EXPECT_TEXT(nets[k].file, again[k].file);
            EXPECT_INT(nets[k].samples, again[k].samples);
            EXPECT_NEAR(points[k].value, found[k].value, 1e-3);
        }
    }
    remove_folder(&run);
}

/* A net is in the index with its cost or not at all. */
TEST(a_net_without_its_compute_is_not_in_the_index) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    RunIndex *index;
    IndexedNet *nets;
    int count;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_selfplay(cycle, 100, err));
    EXPECT_OK(cycle_train(cycle, 32, err));
    run_sql(&run, "CREATE TRIGGER refuse BEFORE INSERT ON metrics WHEN NEW.name = 'compute' BEGIN "
                  "SELECT RAISE(FAIL, 'no'); END");
    EXPECT_STATUS(ERR_IO, cycle_accept(cycle, NULL));
    cycle_close(cycle);
    EXPECT_OK(run_index_open(path_in(run.text, "run.db").text, &index, err));
    EXPECT_OK(run_index_nets(index, &nets, &count, err));
    EXPECT_INT(0, count);
    free(nets);
    run_index_close(index);
    remove_folder(&run);
}

/* Training uses run.samples_per_row samples for every row, except for a remainder of less than a
 * batch. */
TEST(each_row_has_its_samples) {
    static const float EACH[] = {0.7f, 3};
    for (int i = 0; i < 2; i++) {
        Folder run = make_folder();
        RunConfig config = tiny(2);
        Cycle *cycle;
        config.run.samples_per_row = (double)EACH[i];
        config.run.rate_games = config.run.gate_games = 0;
        EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
        EXPECT_OK(cycle_run(cycle, 0, err));
        CycleTotals totals = cycle_totals(cycle);
        double owed = (double)totals.rows * (double)EACH[i] - (double)totals.samples;
        EXPECT_TRUE(totals.rows >= 200);
        EXPECT_TRUE(owed >= 0 && owed < config.loader.batch);
        cycle_close(cycle);
        remove_folder(&run);
    }
}

/* Makes the first net, and lets a second net with the same weights play the gate's match against
 * it. Returns the number of the newest net: 2 if the gate accepted the second net, 1 if not. */
static int gated(float elo0, float elo1, float score, bool sequential) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    config.run.gate_games = 40;
    config.run.gate_score = (double)score;
    config.gate.sequential = sequential;
    config.sprt.elo0 = (double)elo0;
    config.sprt.elo1 = (double)elo1;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_accept(cycle, err));
    EXPECT_OK(cycle_accept(cycle, err));
    int net = cycle_totals(cycle).net;
    cycle_close(cycle);
    remove_folder(&run);
    return net;
}

TEST(a_sequential_gate_decides_before_the_score) {
    EXPECT_INT(1, gated(-1900, -900, 1, false)); /* equal nets do not score 100% */
    EXPECT_INT(2, gated(-1900, -900, 1, true));
    EXPECT_INT(2, gated(900, 1900, 0, false));
    EXPECT_INT(1, gated(900, 1900, 0, true));
    Folder run = make_folder();
    RunConfig config = tiny(0);
    Cycle *cycle;
    config.gate.sequential = true;
    config.sprt.elo0 = config.sprt.elo1;
    EXPECT_STATUS(ERR_ARGUMENT, cycle_open(run.text, &config, NULL, &cycle, NULL));
    remove_folder(&run);
}

TEST(nets_play_with_the_runs_own_search_where_it_says_so) {
    RunConfig config = tiny(0);
    SearchSettings play;
    search_preset_begin(SEARCH_PRESET_PLAY, &play);
    config.search.gumbel.on = true;
    config.search.gumbel.considered = 5;
    config.search.gumbel.min_visits = 0;
    config.search.forced_playouts = 2;
    SearchSettings search = run_config_match_search(&config);
    EXPECT_FALSE(search.gumbel.on);
    EXPECT_NEAR(play.c_puct, search.c_puct, 0);
    EXPECT_NEAR(play.c_puct_log, search.c_puct_log, 0);
    EXPECT_NEAR(0.1, search.temperature_early, 1e-6);
    config.gate.search = GATE_SEARCH_RUN;
    search = run_config_match_search(&config);
    EXPECT_TRUE(search.gumbel.on);
    EXPECT_INT(5, search.gumbel.considered);
    EXPECT_INT(2, search.gumbel.min_visits);
    EXPECT_NEAR(config.search.c_puct, search.c_puct, 0);
    EXPECT_TRUE(config.search.noise.on && !search.noise.on);
    EXPECT_NEAR(0, search.forced_playouts + search.gumbel.scale, 0);
    EXPECT_NEAR(0.1, search.temperature, 1e-6);
}

TEST_MAIN(RUN(evaluations_count_once_and_training_three_times), RUN(workers_add_up),
          RUN(a_run_ends_with_its_compute), RUN(each_row_has_its_samples),
          RUN(a_kill_does_not_take_the_compute_of_self_play),
          RUN(self_play_does_not_wait_for_the_index), RUN(a_net_keeps_its_compute),
          RUN(a_net_without_its_compute_is_not_in_the_index),
          RUN(a_sequential_gate_decides_before_the_score),
          RUN(nets_play_with_the_runs_own_search_where_it_says_so))
