/* The runs of an experiment: their order, kills at any moment, a run that diverges, and settings
 * that may not change. */
#define _GNU_SOURCE /* nftw */
#include <signal.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/log.h"
#include "run/experiment/experiment_private.h"
#include "run/tiny_run.h"

static const char TINY[] =
    "experiment.seeds = 1\nexperiment.slices = 2\nexperiment.moments = 2\nexperiment.games = 2\n"
    "experiment.link_games = 0\nexperiment.visits = 2\nselfplay.sizes = \"4:1\"\n"
    "selfplay.komi.mean = 1\nselfplay.full_visits = 8\nselfplay.cheap_visits = 4\n"
    "selfplay.games_at_once = 4\nselfplay.ramp_rows = 0\nrun.arch = \"b1c8-fixup-nodist\"\n"
    "run.threads = 1\nrun.rows_first = 100\nrun.rows_cycle = 60\nrun.samples_per_row = 2\n"
    "run.cache_mb = 1\nrun.disk_reserve_mb = 0\nloader.batch = 32\nloader.memory_mb = 16\n"
    "window.least = 200\naveraging.period_samples = 64\nsearch.tree_memory_mb = 4\n";

/* Loads a tiny experiment in `folder`, with the lines `more` added to its file. */
static Experiment load(const Folder *folder, const char *more) {
    Experiment experiment;
    StrBuf text = {0};
    strbuf_addf(&text, "%s%s", TINY, more);
    Path path = path_in(folder->text, "e.cfg");
    EXPECT_OK(file_write(path.text, text.text, text.length, err));
    EXPECT_OK(experiment_load(path.text, &experiment, err));
    experiment.directory = folder->text;
    strbuf_clear(&text);
    return experiment;
}

static ExperimentRun read_run(const Experiment *experiment, int arm, int seed) {
    ExperimentRun run;
    EXPECT_OK(experiment_run_path(experiment, arm, seed, &run, err));
    EXPECT_OK(experiment_read_run(&run, err));
    return run;
}

/* In each slice every run works once: seed after seed, each time beginning with another arm. */
TEST(all_runs_take_their_turn_before_any_takes_the_next) {
    const Experiment experiment = {.settings = {.seeds = 4, .slices = 5}, .arm_count = 3};
    int last_first = -1;
    for (int slice = 0; slice < 5; slice++) {
        int had[3][4] = {{0}};
        for (int i = 0; i < 12; i++) {
            ExperimentSlice turn = experiment_slice(&experiment, 12 * slice + i);
            EXPECT_INT(slice, turn.slice);
            EXPECT_INT(i / 3, turn.seed);
            EXPECT_INT(0, had[turn.arm][turn.seed]++);
            if (i % 3) continue;
            EXPECT_TRUE(turn.arm != last_first);
            last_first = turn.arm;
        }
    }
}

/* The newest net that cost at most the given compute is chosen, not the nearest one. A net whose
 * cost is unknown is not chosen. */
TEST(nets_are_chosen_by_what_they_cost) {
    const IndexedNet nets[] = {{.number = 1, .samples = 10},
                               {.number = 2, .samples = 20},
                               {.number = 3, .samples = 30},
                               {.number = 5, .samples = 50}};
    const MetricPoint points[] = {{50, 4, 500}, {10, 1, 100}, {20, 2, 200}};
    static const struct {
        double max;
        int number;
    } CASES[] = {{99, 0}, {100, 1}, {199, 1}, {200, 2}, {499, 2}, {500, 5}, {1e30, 5}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        double compute;
        const IndexedNet *net = experiment_net_at(nets, 4, points, 3, CASES[i].max, &compute);
        EXPECT_INT(CASES[i].number, net ? net->number : 0);
        EXPECT_NEAR(net ? 10 * (double)net->samples : 0, compute, 0);
    }
}

/* Lets a child process learn for this time, then kills it. Returns false if it ended by itself. */
static bool learn_and_kill(Experiment *experiment, int milliseconds) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        log_to_stderr(LOG_ERROR);
        _exit(experiment_learn(experiment, NULL) ? 3 : 0);
    }
    for (int slept = 0; slept < milliseconds; slept += 10) {
        if (waitpid(child, &status, WNOHANG) == child) {
            EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
            return false;
        }
        clock_sleep_ms(10);
    }
    kill(child, SIGKILL);
    EXPECT_INT(child, waitpid(child, &status, 0));
    return true;
}

TEST(all_runs_come_to_their_compute_whatever_kills_hit_them) {
    Folder folder = make_folder();
    Experiment experiment = load(&folder, "experiment.compute = 4e8\n[full]\n[plain]\nrun.arch = "
                                          "\"b1c8-fixup-nodist-nogo\"\n");
    StrBuf report = {0};
    Error error = {0};
    int kills = 0;
    while (kills < 20 && learn_and_kill(&experiment, 200 + 150 * kills))
        kills++;
    EXPECT_OK(experiment_learn(&experiment, err)); /* nothing is left to do */
    print_message("%d kills\n", kills);
    EXPECT_TRUE(kills > 1);
    for (int arm = 0; arm < 2; arm++) {
        ExperimentRun run = read_run(&experiment, arm, 0);
        EXPECT_TRUE(run.compute >= 4e8 && run.compute < 4.4e8 && run.nets > 0 && !*run.failed);
    }
    EXPECT_OK(experiment_report(&experiment, &report, err));
    EXPECT_CONTAINS(strbuf_text(&report), "plain-s1");
    EXPECT_TRUE(!strstr(strbuf_text(&report), "no net has reached the last moment"));
    EXPECT_TRUE(!strstr(strbuf_text(&report), "failed"));
    strbuf_clear(&report);
    /* The seed of an arm that has begun may not change. */
    experiment.arms[1].config.run.seed++;
    EXPECT_STATUS(ERR_ARGUMENT, experiment_learn(&experiment, &error));
    EXPECT_CONTAINS(error.message, "plain-s1 was begun with other settings (run.seed 1, not 2)");
    experiment_clear(&experiment);
    remove_folder(&folder);
}

/* Training of the run "wild" diverges. Again and again the run returns to its last good state. But
 * its learning rate stays the same, so it diverges again. */
TEST(a_run_that_diverges_does_not_end_the_others) {
    Folder folder = make_folder();
    Experiment experiment =
        load(&folder,
             "experiment.compute = 6e8\n[full]\n[wild]\noptimiser.kind = sgd\nschedule.rate = 1\n"
             "optimiser.momentum = 0.999\noptimiser.weight_decay = 1\ndivergence.setback_rate = 1\n"
             "divergence.gradient = 0\ndivergence.loss = 0\ndivergence.first_loss = 0\n[plain]\n"
             "run.arch = \"b1c8-fixup-nodist-nogo\"\n");
    StrBuf report = {0};
    EXPECT_OK(experiment_learn(&experiment, err));
    ExperimentRun wild = read_run(&experiment, 1, 0);
    EXPECT_CONTAINS(wild.failed, "not finite");
    EXPECT_TRUE(wild.compute < 6e8);
    EXPECT_TRUE(read_run(&experiment, 0, 0).compute >= 6e8);
    EXPECT_TRUE(read_run(&experiment, 2, 0).compute >= 6e8);
    EXPECT_OK(experiment_learn(&experiment, err)); /* a later start leaves "wild" alone */
    EXPECT_NEAR(wild.seconds, read_run(&experiment, 1, 0).seconds, 0);
    EXPECT_OK(experiment_report(&experiment, &report, err));
    EXPECT_CONTAINS(strbuf_text(&report), "wild-s1 has failed after");
    EXPECT_CONTAINS(strbuf_text(&report), "not finite");
    /* If the file that says that "wild" has failed is removed, the run is tried again. */
    EXPECT_OK(file_remove(path_in(wild.directory.text, FAILED_FILE).text, err));
    EXPECT_OK(experiment_learn(&experiment, err));
    EXPECT_TRUE(read_run(&experiment, 1, 0).seconds > wild.seconds);
    EXPECT_CONTAINS(read_run(&experiment, 1, 0).failed, "not finite");
    strbuf_clear(&report);
    experiment_clear(&experiment);
    remove_folder(&folder);
}

TEST_MAIN(RUN(all_runs_take_their_turn_before_any_takes_the_next),
          RUN(nets_are_chosen_by_what_they_cost),
          RUN(all_runs_come_to_their_compute_whatever_kills_hit_them),
          RUN(a_run_that_diverges_does_not_end_the_others))
