/* The games of the gate: which score passes, when they end, and the visits, boards, temperatures and
 * resigning that the settings gate.* give them. */
#define _GNU_SOURCE /* nftw */
#include "run/begun_run.h"
#include "run/cycle/run_check.h"
#include "run/stages/matches/net_match.h"

typedef struct {
    bool accepted;
    int games, visits;
    double score;
} Decision;

/* Reads the last line of log.txt about a decision of the gate. */
static Decision last_decision(const Folder *run) {
    Arena arena = {0};
    char *text, *found = NULL;
    size_t length;
    Decision out = {0};
    EXPECT_OK(file_read(path_in(run->text, "log.txt").text, 1 << 20, &arena, &text, &length, err));
    for (char *at = text; (at = strstr(at, "gate: ")); at++)
        found = at;
    if (!found) fail_msg("log.txt has no decision of the gate");
    out.games = (int)strtol(found + strlen("gate: "), NULL, 10);
    out.visits = (int)strtol(strstr(found, "with ") + strlen("with "), NULL, 10);
    out.score = strtod(strstr(found, "score ") + strlen("score "), NULL);
    out.accepted = strstr(found, "accepted") != NULL;
    arena_clear(&arena);
    return out;
}

/* Lets a net with the weights of the first net play the gate's match of 20 games against it, in a
 * run without rows. Since the games have seeds, they are always the same. */
static Decision gated_with(RunConfig config) {
    Folder run = make_folder();
    Cycle *cycle;
    config.run.gate_games = 20;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_accept(cycle, err));
    EXPECT_OK(cycle_accept(cycle, err));
    int net = cycle_totals(cycle).net;
    cycle_close(cycle);
    Decision out = last_decision(&run);
    EXPECT_INT(out.accepted ? 2 : 1, net);
    remove_folder(&run);
    return out;
}

static Decision gated(double score, bool early_end, bool sequential) {
    RunConfig config = tiny(0);
    config.run.gate_score = score;
    config.gate.early_end = early_end;
    config.gate.sequential = sequential;
    config.sprt.elo0 = -1;
    config.sprt.elo1 = 1; /* 20 games cannot tell these apart */
    return gated_with(config);
}

/* The score is a multiple of 1/40, which three digits hold exactly. */
TEST(a_score_of_exactly_the_threshold_passes) {
    RunConfig config;
    run_config_defaults(&config);
    EXPECT_NEAR(0.5, config.run.gate_score, 0);
    Decision any = gated(0, false, false);
    EXPECT_TRUE(any.accepted && any.games == 20 && any.score > 0.1 && any.score < 0.9);
    EXPECT_TRUE(gated(any.score, false, false).accepted);
    EXPECT_FALSE(gated(any.score + 1e-9, false, false).accepted);
}

/* The end of the games changes no decision, neither for a score just reached nor for one just
 * missed. With a sequential test only this test ends the games. */
TEST(a_gate_ends_when_the_other_games_cannot_change_it) {
    Decision all = gated(0, true, false); /* a threshold of 0 decides nothing */
    EXPECT_INT(20, all.games);
    for (int i = -3; i <= 3; i++) {
        double threshold = all.score + 0.1 * i;
        if (threshold <= 0 || threshold > 1) continue;
        Decision decision = gated(threshold, true, false);
        EXPECT_INT(i <= 0, decision.accepted);
        if (i < -1 || i > 1) EXPECT_TRUE(decision.games < 20 && decision.games % 2 == 0);
    }
    EXPECT_INT(20, gated(1, true, true).games);
    EXPECT_TRUE(gated(1, true, false).games < 20);
}

TEST(visits_of_the_gate_change_in_steps) {
    RunConfig config = tiny(0);
    Error fault = {0};
    EXPECT_INT(4, gated_with(config).visits);
    snprintf(config.gate.steps, sizeof config.gate.steps, "3@0, 5@1");
    EXPECT_INT(3, gated_with(config).visits);
    Folder run = make_folder(); /* a run with 400 rows */
    config.run.gate_games = 2;
    Cycle *cycle = begin_run(&run, &config);
    EXPECT_OK(cycle_accept(cycle, err));
    cycle_close(cycle);
    EXPECT_INT(5, last_decision(&run).visits);
    remove_folder(&run);
    snprintf(config.gate.steps, sizeof config.gate.steps, "3@0, 2.5@9");
    EXPECT_STATUS(ERR_ARGUMENT, run_check_settings(&config, &fault));
    EXPECT_CONTAINS(fault.message, "gate.steps: \"2.5@9\"");
}

typedef struct {
    int games, with_sizes[6], resigned, komis;
    size_t letters; /* of all games */
} Kept;

/* Counts the games of the match that the run has kept. */
static Kept count_kept(const Folder *run) {
    Arena arena = {0};
    char **folders, **names, *text;
    int count;
    size_t length;
    Kept out = {0};
    char komis[20][16];
    Path matches = path_in(run->text, "matches");
    EXPECT_OK(directory_list(matches.text, &arena, &folders, &count, err));
    EXPECT_INT(1, count);
    Path folder = path_in(matches.text, folders[0]);
    EXPECT_OK(directory_list(folder.text, &arena, &names, &out.games, err));
    for (int i = 0; i < out.games && i < 20; i++) {
        EXPECT_OK(
            file_read(path_in(folder.text, names[i]).text, 1 << 20, &arena, &text, &length, err));
        out.with_sizes[atoi(strstr(text, "SZ[") + 3)]++;
        out.resigned += strstr(text, "+R]") != NULL;
        out.letters += length;
        int same = 0;
        snprintf(komis[i], sizeof *komis, "%.8s", strstr(text, "KM["));
        while (strcmp(komis[same], komis[i]) != 0)
            same++;
        out.komis += same == i;
    }
    arena_clear(&arena);
    return out;
}

/* Plays 20 games between two nets with the same weights, for the gate with these settings or, if
 * `as_rating` is true, for a rating. */
static Kept played(const RunConfig *config, bool as_rating) {
    Folder run = make_folder();
    MatchResult result;
    Cycle *cycle = begin_run(&run, config);
    const NetMatchSetup setup = {.plan = &cycle->plan,
                                 .store = &cycle->store,
                                 .screen = &cycle->screen,
                                 .phase = "gating",
                                 .first = cycle->nets.net,
                                 .second = cycle->nets.net,
                                 .games = 20,
                                 .visits = 4,
                                 .gate = as_rating ? NULL : &config->gate,
                                 .rows = 500};
    EXPECT_OK(net_match_play(&setup, &result, err));
    EXPECT_INT(20, result.games);
    Kept out = count_kept(&run);
    cycle_close(cycle);
    remove_folder(&run);
    return out;
}

/* Boards of 3x3 come later in this run. */
TEST(boards_and_komi_are_drawn_as_in_self_play) {
    RunConfig config = tiny(0);
    snprintf(config.selfplay.sizes, sizeof config.selfplay.sizes, "4:1, 5:1, 3:1@1000");
    config.selfplay.komi.stdev = 20;
    config.selfplay.komi.auto_mean = true; /* a match then draws around komi.mean */
    Kept same = played(&config, false);
    EXPECT_TRUE(same.with_sizes[5] == 20 && same.komis == 1);
    config.gate.draw = true;
    Kept drawn = played(&config, false);
    EXPECT_INT(0, drawn.with_sizes[3]);
    EXPECT_TRUE(drawn.with_sizes[4] > 0 && drawn.with_sizes[5] > 0);
    EXPECT_INT(20, drawn.with_sizes[4] + drawn.with_sizes[5]);
    EXPECT_TRUE(drawn.komis > 2 && drawn.komis <= 10); /* the games of a pair have the same */
    EXPECT_INT(20, played(&config, true).with_sizes[5]);
}

/* With a threshold of 0 each net resigns at once unless it finds itself ahead. */
TEST(nets_resign_by_the_settings_of_the_gate) {
    RunConfig config = tiny(0);
    config.gate.resign_threshold = 0;
    EXPECT_INT(0, played(&config, false).resigned);
    config.gate.resign_turns = 1;
    EXPECT_INT(20, played(&config, false).resigned);
    EXPECT_INT(0, played(&config, true).resigned);
    config.gate.resign_threshold = -1; /* no net is as sure as this */
    EXPECT_INT(0, played(&config, false).resigned);
}

/* A temperature far above 1 draws moves in proportion to nearly equal weights, so that other games
 * come from it. */
TEST(moves_have_the_temperatures_of_the_gate) {
    RunConfig config = tiny(0);
    Kept usual = played(&config, false);
    EXPECT_TRUE(usual.letters == played(&config, true).letters);
    config.gate.temperature_early = 5;
    Kept early = played(&config, false);
    EXPECT_FALSE(early.letters == usual.letters);
    EXPECT_TRUE(usual.letters == played(&config, true).letters);
    config.gate.temperature_early = 0.1;
    config.gate.temperature = 5;
    Kept late = played(&config, false);
    EXPECT_FALSE(late.letters == usual.letters || late.letters == early.letters);
}

TEST_MAIN(RUN(a_score_of_exactly_the_threshold_passes),
          RUN(a_gate_ends_when_the_other_games_cannot_change_it),
          RUN(visits_of_the_gate_change_in_steps), RUN(boards_and_komi_are_drawn_as_in_self_play),
          RUN(nets_resign_by_the_settings_of_the_gate),
          RUN(moves_have_the_temperatures_of_the_gate))
