/* Training that diverges returns to its last good state, and the run continues. Nets that are worse
 * than a guess are not accepted. */
#define _GNU_SOURCE /* nftw */
#include <math.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/file.h"
#include "run/cycle/cycle_private.h"
#include "run/stages/matches/stage_judge.h"
#include "run/stages/run_trainers.h"
#include "run/stages/trainer_begin.h"
#include "run/tiny_run.h"
#include "train/trainer_private.h"

static RunConfig on_5x5(int nets) {
    RunConfig config = tiny(nets);
    SettingsGroup groups[RUN_GROUPS];
    run_config_groups(&config, groups);
    EXPECT_OK(settings_assign(groups, "selfplay.sizes=5:1", err));
    config.run.rate_games = config.run.gate_games = 0;
    return config;
}

static void expect_said(const Folder *run, const char *file, const char *words, bool said) {
    Arena arena = {0};
    char *text;
    size_t length;
    EXPECT_OK(file_read(path_in(run->text, file).text, 1 << 22, &arena, &text, &length, err));
    if ((strstr(text, words) != NULL) != said)
        fail_msg("%s %s \"%s\"", file, said ? "lacks" : "says", words);
    arena_clear(&arena);
}

static double fact(const Cycle *cycle, const char *name) {
    return run_index_value(cycle->store.index, name);
}

/* The rate is about 800 times the usual one. */
TEST(a_run_whose_rate_is_absurd_goes_on) {
    Folder run = make_folder();
    RunConfig config = on_5x5(2);
    Cycle *cycle;
    StrBuf text = {0};
    char words[80];
    config.run.samples_per_row = 16;
    config.training.schedule.rate = 1e-2;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_run(cycle, 240, err));
    EXPECT_INT(2, cycle_totals(cycle).net);
    EXPECT_TRUE(net_is_finite(cycle->nets.net, NULL));
    double setbacks = fact(cycle, SETBACKS_FACT);
    EXPECT_TRUE(setbacks > 0);
    EXPECT_NEAR(trainer_setbacks(cycle->trainers.trainer), setbacks, 0);
    EXPECT_OK(cycle_finish(cycle, &text, err)); /* this writes the page */
    strbuf_clear(&text);
    cycle_close(cycle);
    expect_said(&run, "log.txt", "training went back: after ", true);
    snprintf(words, sizeof words, "went back to a good state, or began anew, %.0f times", setbacks);
    expect_said(&run, "report/index.html", words, true);
    remove_folder(&run);
}

TEST(a_healthy_run_reports_no_setbacks) {
    Folder run = make_folder();
    RunConfig config = on_5x5(2);
    Cycle *cycle;
    StrBuf text = {0};
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_run(cycle, 0, err));
    EXPECT_NEAR(0, fact(cycle, SETBACKS_FACT), 0);
    EXPECT_NEAR(0, fact(cycle, REFUSED_FACT), 0);
    /* Random play before the first net is so fast that its speed would flatten the curve. */
    MetricPoint *speeds, *losses;
    int speed_count, loss_count;
    EXPECT_OK(run_index_metric(cycle->store.index, "speed", &speeds, &speed_count, err));
    EXPECT_OK(run_index_metric(cycle->store.index, "loss", &losses, &loss_count, err));
    EXPECT_TRUE(speed_count > 0 && speed_count < loss_count);
    EXPECT_TRUE(speeds[0].value > 0 && speeds[0].samples > losses[0].samples);
    free(speeds);
    free(losses);
    EXPECT_OK(cycle_finish(cycle, &text, err));
    strbuf_clear(&text);
    cycle_close(cycle);
    expect_said(&run, "log.txt", "went back", false);
    expect_said(&run, "log.txt", "is refused", false);
    expect_said(&run, "report/index.html", "went back", false);
    expect_said(&run, "report/index.html", "were refused", false);
    remove_folder(&run);
}

static float *values_named(Cycle *cycle, const char *name) {
    Net *net = cycle->trainers.trainer->net;
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        if (strcmp(program_parameter(net_program(net), p)->name, name) == 0)
            return net_values(net, p);
    }
    fail_msg("no parameter %s", name);
    return NULL;
}

/* Makes the net certain that no game has a result. */
static void spoil_value(Cycle *cycle) {
    values_named(cycle, "value.v3bias.bias")[2] = 60;
}

/* Makes the net certain of one move, which is no better than any other. */
static void spoil_policy(Cycle *cycle) {
    float *moves = values_named(cycle, "policy.p2.weight"),
          *pass = values_named(cycle, "policy.pass.weight");
    for (int i = 0; i < 32; i++)
        moves[i] *= -1000;
    for (int i = 0; i < 96; i++)
        pass[i] *= -1000;
}

/* Opens a run, plays 200 rows and trains this many samples. */
static Cycle *begin(const Folder *run, const RunConfig *config, int64_t samples) {
    Cycle *cycle;
    EXPECT_OK(cycle_open(run->text, config, NULL, &cycle, err));
    EXPECT_OK(cycle_selfplay(cycle, 200, err));
    EXPECT_OK(cycle_train(cycle, samples, err));
    return cycle;
}

/* Checks that a spoiled net is refused. After so few samples, the averaged net is the net
 * itself. */
static void expect_refused(void (*spoil)(Cycle *)) {
    Folder run = make_folder();
    RunConfig config = on_5x5(1);
    Cycle *cycle = begin(&run, &config, 32);
    StrBuf text = {0};
    EXPECT_FALSE(cycle->trainers.ignorant);
    spoil(cycle);
    EXPECT_OK(cycle_train(cycle, 32, err));
    EXPECT_TRUE(cycle->trainers.ignorant);
    EXPECT_NEAR(1, fact(cycle, REFUSED_FACT), 0);
    EXPECT_OK(cycle_finish(cycle, &text, err));
    strbuf_clear(&text);
    cycle_close(cycle);
    expect_said(&run, "log.txt", "the net of 64 samples is refused: ", true);
    expect_said(&run, "report/index.html", "1 nets were refused", true);
    remove_folder(&run);
}

TEST(a_net_whose_values_are_worse_than_ignorance_is_refused) {
    expect_refused(spoil_value);
}

TEST(a_net_whose_policy_is_worse_than_ignorance_is_refused) {
    expect_refused(spoil_policy);
}

/* A net with nearly random weights has about the losses of a guess. */
TEST(a_net_that_is_just_beginning_is_not_refused) {
    Folder run = make_folder();
    RunConfig config = on_5x5(1);
    Cycle *cycle = begin(&run, &config, 32);
    EXPECT_FALSE(cycle->trainers.ignorant);
    EXPECT_NEAR(0, fact(cycle, REFUSED_FACT), 0);
    cycle_close(cycle);
    remove_folder(&run);
}

/* A run does not accept a refused net, and a process that only trains does not offer it to the
 * gate. The rate is so small that the net stays as it is. */
TEST(a_refused_net_is_not_accepted) {
    Folder run = make_folder();
    RunConfig config = on_5x5(1);
    config.training.schedule.rate = 1e-12;
    config.training.divergence.loss = config.training.divergence.first_loss =
        0; /* never return to a good state */
    Cycle *cycle = begin(&run, &config, 32);
    Arena arena = {0};
    char **names;
    int count;
    spoil_value(cycle);
    double cost = program_multiply_adds(net_program(trainer_net(cycle->trainers.trainer)), 5, 5);
    cycle_limit_compute(cycle, 3 * 1000 * cost, false); /* 1000 samples */
    EXPECT_OK(cycle_run(cycle, 0, err));
    EXPECT_INT(0, cycle_totals(cycle).net);
    EXPECT_TRUE(fact(cycle, REFUSED_FACT) > 0);
    cycle_close(cycle);
    EXPECT_OK(cycle_open_as(CYCLE_TRAINS, run.text, &config, NULL, &cycle, err));
    spoil_value(cycle);
    double refused = fact(cycle, REFUSED_FACT);
    EXPECT_OK(cycle_work_train(cycle, 32, CYCLE_ONCE, err));
    EXPECT_NEAR(refused + 1, fact(cycle, REFUSED_FACT), 0);
    cycle_close(cycle);
    EXPECT_OK(directory_list(path_in(run.text, "nets").text, &arena, &names, &count, err));
    EXPECT_INT(0, count);
    EXPECT_OK(directory_list(path_in(run.text, "candidates").text, &arena, &names, &count, err));
    EXPECT_INT(0, count);
    arena_clear(&arena);
    remove_folder(&run);
}

/* A net that is still no better than a guess after 10,000 samples of its own begins anew: from the
 * newest accepted net if that has learned something, otherwise from random weights. */
static void expect_begun_anew(int64_t samples, bool accepted, bool from_accepted) {
    Folder run = make_folder();
    RunConfig config = on_5x5(0);
    Cycle *cycle = begin(&run, &config, samples);
    if (accepted) EXPECT_OK(cycle_accept(cycle, err));
    Net *first;
    EXPECT_OK(trainer_begin_net(&cycle->plan, cycle->trainers.trainer,
                                from_accepted ? &cycle->store.directory : NULL, &first, err));
    NetHash wanted = net_hash(first);
    if (from_accepted) EXPECT_TEXT(net_hash(cycle->nets.net).text, wanted.text);
    cycle->trainers.trainer->samples += 20000;
    spoil_value(cycle);
    EXPECT_OK(cycle_train(cycle, 32, err));
    EXPECT_TRUE(cycle->trainers.ignorant);
    EXPECT_TEXT(wanted.text, net_hash(trainer_net(cycle->trainers.trainer)).text);
    EXPECT_INT(samples + 20032, trainer_samples(cycle->trainers.trainer));
    EXPECT_INT(0, trainer_own_samples(cycle->trainers.trainer));
    EXPECT_INT(1, trainer_setbacks(cycle->trainers.trainer));
    net_free(first);
    cycle_close(cycle);
    expect_said(&run, "log.txt", "training begins anew", true);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err)); /* also after a new start */
    EXPECT_TEXT(wanted.text, net_hash(trainer_net(cycle->trainers.trainer)).text);
    EXPECT_INT(samples + 20032, trainer_samples(cycle->trainers.trainer));
    cycle_close(cycle);
    remove_folder(&run);
}

TEST(an_old_net_that_knows_nothing_begins_anew) {
    expect_begun_anew(32, false, false);
    expect_begun_anew(32, true, false); /* the accepted net knows nothing either */
    expect_begun_anew(9600, true, true);
}

/* The losses of a step that was undone do not enter the means that are shown and kept. */
TEST(means_do_not_hold_what_is_not_finite) {
    Folder run = make_folder();
    RunConfig config = on_5x5(1);
    Cycle *cycle = begin(&run, &config, 128);
    values_named(cycle, "value.v3bias.bias")[0] = NAN;
    EXPECT_OK(cycle_train(cycle, 128, err));
    EXPECT_INT(1, trainer_setbacks(cycle->trainers.trainer));
    EXPECT_TRUE(isfinite(cycle->results.metrics.loss) &&
                isfinite(cycle->results.metrics.gradient_norm));
    cycle_close(cycle);
    expect_said(&run, "report/metrics.csv", "nan", false);
    remove_folder(&run);
}

/* A net is judged before it is offered, even if the time of the work is over. */
TEST(a_net_is_judged_even_if_the_time_is_over) {
    Folder run = make_folder();
    RunConfig config = on_5x5(1);
    Cycle *cycle = begin(&run, &config, 32);
    spoil_value(cycle);
    cycle->clock.deadline = 1; /* in the past */
    EXPECT_TRUE(run_clock_must_stop(&cycle->clock));
    const JudgeParts parts = {&cycle->plan, &cycle->store,    &cycle->clock,
                              &cycle->rows, &cycle->trainers, &cycle->results};
    EXPECT_OK(stage_judge(&parts, err));
    EXPECT_TRUE(cycle->trainers.ignorant);
    cycle_close(cycle);
    remove_folder(&run);
}

/* If no batch was learned from, for example because work had to stop at once, the curves get no
 * point. */
TEST(a_training_without_a_batch_leaves_the_curves_as_they_are) {
    Folder run = make_folder();
    RunConfig config = on_5x5(1);
    Cycle *cycle = begin(&run, &config, 0);
    EXPECT_OK(cycle_train(cycle, config.loader.batch - 1, err));
    EXPECT_INT(0, cycle_totals(cycle).samples);
    EXPECT_FALSE(file_exists(path_in(run.text, "report/metrics.csv").text));
    EXPECT_OK(cycle_train(cycle, config.loader.batch, err));
    EXPECT_TRUE(file_exists(path_in(run.text, "report/metrics.csv").text));
    cycle_close(cycle);
    remove_folder(&run);
}

/* If the last step of a training overflows, no later batch of it would show this. */
TEST(a_last_step_that_overflows_is_taken_back) {
    Folder run = make_folder();
    RunConfig config = on_5x5(1);
    Cycle *cycle = begin(&run, &config, 640);
    Trainer *trainer = cycle->trainers.trainer;
    int64_t samples = trainer_samples(trainer);
    double rate = trainer->schedule.config.rate;
    trainer->schedule.config.rate = 3e38;
    EXPECT_OK(cycle_train(cycle, 32, err));
    EXPECT_INT(1, trainer_setbacks(trainer));
    EXPECT_TRUE(trainer_samples(trainer) <= samples);
    EXPECT_TRUE(net_is_finite(trainer_net(trainer), NULL));
    trainer->schedule.config.rate = rate;
    EXPECT_OK(cycle_train(cycle, 64, err));
    cycle_close(cycle);
    expect_said(&run, "log.txt", "training went back: after ", true);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err)); /* there is a checkpoint */
    EXPECT_TRUE(trainer_samples(cycle->trainers.trainer) > 0);
    cycle_close(cycle);
    remove_folder(&run);
}

static int64_t newest_checkpoint(const Folder *run) {
    Arena arena = {0};
    char **names;
    int count;
    int64_t samples = -1;
    EXPECT_OK(directory_list(path_in(run->text, "train").text, &arena, &names, &count, err));
    for (int i = 0; i < count; i++) {
        if (strncmp(names[i], "checkpoint-", 11) == 0) samples = strtoll(names[i] + 11, NULL, 10);
    }
    arena_clear(&arena);
    return samples;
}

/* A process is killed in the middle of a training that would take hours. */
TEST(a_kill_costs_only_the_samples_since_the_last_checkpoint) {
    Folder run = make_folder();
    RunConfig config = on_5x5(1);
    config.run.checkpoint_seconds = 1;
    cycle_close(begin(&run, &config, 32));
    int64_t before = newest_checkpoint(&run), now = before;
    Cycle *cycle;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        bool opened = !cycle_open(run.text, &config, NULL, &cycle, NULL);
        _exit(opened && !cycle_train(cycle, (int64_t)1 << 40, NULL) ? 0 : 1);
    }
    for (int i = 0; i < 600 && now <= before; i++) {
        clock_sleep_ms(100);
        now = newest_checkpoint(&run);
    }
    EXPECT_INT(0, kill(child, SIGKILL));
    EXPECT_INT(child, waitpid(child, NULL, 0));
    EXPECT_TRUE(now > before);
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_TRUE(trainer_samples(cycle->trainers.trainer) >= now);
    cycle_close(cycle);
    remove_folder(&run);
}

TEST_MAIN(RUN(means_do_not_hold_what_is_not_finite), RUN(a_net_is_judged_even_if_the_time_is_over),
          RUN(a_run_whose_rate_is_absurd_goes_on), RUN(a_healthy_run_reports_no_setbacks),
          RUN(a_net_whose_values_are_worse_than_ignorance_is_refused),
          RUN(a_net_whose_policy_is_worse_than_ignorance_is_refused),
          RUN(a_net_that_is_just_beginning_is_not_refused), RUN(a_refused_net_is_not_accepted),
          RUN(an_old_net_that_knows_nothing_begins_anew),
          RUN(a_training_without_a_batch_leaves_the_curves_as_they_are),
          RUN(a_last_step_that_overflows_is_taken_back),
          RUN(a_kill_costs_only_the_samples_since_the_last_checkpoint))
