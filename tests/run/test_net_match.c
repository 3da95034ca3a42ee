/* Matches between nets of a run: a match that was stopped or killed continues with its games. */
#define _GNU_SOURCE /* nftw */
#include <signal.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "run/begun_run.h"
#include "run/stages/matches/net_match.h"

static NetMatchSetup match_of(const Cycle *cycle, const char *phase, int games) {
    return (NetMatchSetup){.plan = &cycle->plan,
                           .store = &cycle->store,
                           .screen = &cycle->screen,
                           .phase = phase,
                           .first = cycle->nets.net,
                           .games = games,
                           .visits = 4};
}

TEST(a_match_plays_only_the_missing_games) {
    Folder run = make_folder();
    RunConfig config = tiny(3);
    Cycle *cycle = begin_run(&run, &config);
    EXPECT_OK(cycle_train(cycle, 64, err));
    NetMatchSetup setup = match_of(cycle, "rating", 6);
    MatchResult first, again, more;
    EXPECT_FALSE(net_match_is_unfinished(&cycle->store, "rating"));
    EXPECT_OK(net_match_play(&setup, &first, err));
    EXPECT_TRUE(first.games == 6 && first.evaluations > 0);
    EXPECT_TRUE(net_match_is_unfinished(&cycle->store, "rating")); /* the result was not used */
    EXPECT_FALSE(net_match_is_unfinished(&cycle->store, "gating"));
    EXPECT_OK(net_match_play(&setup, &again, err));
    EXPECT_NEAR(0, again.evaluations, 0);
    EXPECT_TRUE(again.games == 6 && again.wins[0] == first.wins[0] &&
                again.wins[1] == first.wins[1] && again.draws == first.draws);
    setup.games = 8;
    EXPECT_OK(net_match_play(&setup, &more, err));
    EXPECT_INT(8, more.games);
    EXPECT_TRUE(more.evaluations > 0 && more.evaluations < first.evaluations);
    net_match_forget(&cycle->store, "rating");
    EXPECT_FALSE(net_match_is_unfinished(&cycle->store, "rating"));
    cycle_close(cycle);
    remove_folder(&run);
}

TEST(games_of_other_settings_or_nets_are_not_used) {
    Folder run = make_folder();
    RunConfig config = tiny(3);
    Cycle *cycle = begin_run(&run, &config);
    EXPECT_OK(cycle_train(cycle, 64, err));
    NetMatchSetup setup = match_of(cycle, "gating", 4);
    MatchResult result;
    EXPECT_OK(net_match_play(&setup, &result, err));
    setup.visits = 5;
    EXPECT_OK(net_match_play(&setup, &result, err));
    EXPECT_TRUE(result.games == 4 && result.evaluations > 0);
    EXPECT_OK(cycle_accept(cycle, err)); /* another net, by a match of its own */
    EXPECT_FALSE(net_match_is_unfinished(&cycle->store, "gating"));
    setup.first = cycle->nets.net;
    EXPECT_OK(net_match_play(&setup, &result, err));
    EXPECT_TRUE(result.games == 4 && result.evaluations > 0);
    cycle_close(cycle);
    remove_folder(&run);
}

/* Counts the games that RUN/matches has of an unfinished match, and copies the first one's SGF to
 * `sgf` unless that is NULL. */
static int games_kept(const Folder *run, char sgf[4096]) {
    Arena arena = {0};
    char **folders, **names;
    int count, games = 0;
    Path matches = path_in(run->text, "matches");
    EXPECT_OK(directory_list(matches.text, &arena, &folders, &count, err));
    if (count)
        EXPECT_OK(
            directory_list(path_in(matches.text, folders[0]).text, &arena, &names, &games, err));
    if (games && sgf) {
        char *text;
        size_t length;
        Path file = path_in(path_in(matches.text, folders[0]).text, names[0]);
        EXPECT_OK(file_read(file.text, 1 << 20, &arena, &text, &length, err));
        snprintf(sgf, 4096, "%s", text);
    }
    arena_clear(&arena);
    return games;
}

/* Starts a process that gates the trained net or, if `rates` is true, rates the newest net. Kills
 * it as soon as ten games of its match are kept, and returns how many are kept then. */
static int kill_in_match(const Folder *run, const RunConfig *config, bool rates) {
    Cycle *cycle;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (cycle_open(run->text, config, NULL, &cycle, NULL)) _exit(1);
        _exit(rates ? cycle_rate(cycle, NULL) : cycle_accept(cycle, NULL));
    }
    for (int i = 0; i < 60000 && games_kept(run, NULL) < 10; i++)
        clock_sleep_ms(10);
    EXPECT_INT(0, kill(child, SIGKILL));
    EXPECT_INT(child, waitpid(child, NULL, 0));
    return games_kept(run, NULL);
}

static bool is_said(const Folder *run, const char *words) {
    Arena arena = {0};
    char *text;
    size_t length;
    EXPECT_OK(file_read(path_in(run->text, "log.txt").text, 1 << 20, &arena, &text, &length, err));
    bool said = strstr(text, words) != NULL;
    arena_clear(&arena);
    return said;
}

/* If after the kill the gate wants only as many games as are kept, the next start plays none. */
TEST(a_killed_gate_is_decided_by_the_games_that_it_has) {
    Folder run = make_folder();
    RunConfig config = tiny(2);
    config.run.gate_games = 20000; /* far more than it plays until it is killed */
    char words[64];
    Cycle *cycle = begin_run(&run, &config);
    EXPECT_OK(cycle_train(cycle, 64, err));
    cycle_close(cycle);
    int games = kill_in_match(&run, &config, false);
    EXPECT_TRUE(games >= 10);
    config.run.gate_games = games;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_run(cycle, 0, err)); /* to net 2, which the gate accepts immediately */
    EXPECT_INT(2, cycle_totals(cycle).net);
    cycle_close(cycle);
    snprintf(words, sizeof words, "gate: %d games", games);
    EXPECT_TRUE(is_said(&run, words));
    EXPECT_INT(0, games_kept(&run, NULL));
    remove_folder(&run);
}

TEST(a_killed_rating_goes_on) {
    Folder run = make_folder();
    RunConfig config = tiny(1);
    config.run.rate_games = 20000;
    EloGames *pairings;
    int count;
    Cycle *cycle = begin_run(&run, &config);
    EXPECT_OK(cycle_train(cycle, 64, err));
    cycle_close(cycle);
    int games = kill_in_match(&run, &config, true);
    EXPECT_TRUE(games >= 10);
    config.run.rate_games = games;
    config.run.nets = 2;
    config.run.rate_every = 5; /* so that net 2 is not rated */
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_run(cycle, 0, err));
    EXPECT_OK(run_index_pairings(cycle->store.index, &pairings, &count, err));
    EXPECT_INT(1, count);
    EXPECT_TRUE(pairings[0].first == 1 && pairings[0].second == 0);
    EXPECT_NEAR(games, pairings[0].wins + pairings[0].draws + pairings[0].losses, 0);
    EXPECT_INT(0, games_kept(&run, NULL));
    free(pairings);
    cycle_close(cycle);
    remove_folder(&run);
}

/* A run that rates every second net also rates its last net, here net 3, by games against net 2. */
TEST(the_last_net_plays_the_rated_one_before) {
    Folder run = make_folder();
    RunConfig config = tiny(3);
    Cycle *cycle = begin_run(&run, &config);
    EXPECT_OK(cycle_train(cycle, 64, err));
    EloGames *pairings;
    int count, games = 0;
    EXPECT_INT(2, config.run.rate_every);
    EXPECT_OK(cycle_accept(cycle, err));
    EXPECT_OK(cycle_rate(cycle, err));
    EXPECT_INT(2, cycle->results.elo_net);
    EXPECT_OK(cycle_train(cycle, 64, err));
    EXPECT_OK(cycle_accept(cycle, err));
    EXPECT_OK(cycle_rate(cycle, err));
    EXPECT_OK(run_index_pairings(cycle->store.index, &pairings, &count, err));
    for (int i = 0; i < count; i++)
        games += pairings[i].first == 3 && pairings[i].second == 2;
    EXPECT_INT(1, games);
    EXPECT_INT(3, cycle->results.elo_net);
    free(pairings);
    cycle_close(cycle);
    remove_folder(&run);
}

/* A net that learned under territory scoring cannot be judged by area scoring. */
TEST(a_match_has_the_rules_of_the_self_play) {
    Folder run = make_folder();
    RunConfig config = tiny(3);
    char sgf[4096] = "";
    snprintf(config.selfplay.ko_rules, sizeof config.selfplay.ko_rules, "SIMPLE");
    snprintf(config.selfplay.scoring_rules, sizeof config.selfplay.scoring_rules, "TERRITORY");
    snprintf(config.selfplay.tax_rules, sizeof config.selfplay.tax_rules, "SEKI");
    snprintf(config.selfplay.suicide_rules, sizeof config.selfplay.suicide_rules, "false");
    Cycle *cycle = begin_run(&run, &config);
    NetMatchSetup setup = match_of(cycle, "rating", 1);
    MatchResult result;
    EXPECT_OK(net_match_play(&setup, &result, err));
    EXPECT_INT(1, games_kept(&run, sgf));
    EXPECT_CONTAINS(sgf, "scoreTERRITORYtaxSEKIsui0");
    cycle_close(cycle);
    remove_folder(&run);
}

TEST_MAIN(RUN(a_match_plays_only_the_missing_games),
          RUN(games_of_other_settings_or_nets_are_not_used),
          RUN(a_killed_gate_is_decided_by_the_games_that_it_has), RUN(a_killed_rating_goes_on),
          RUN(the_last_net_plays_the_rated_one_before), RUN(a_match_has_the_rules_of_the_self_play))
