/* Games of a run's nets against the anchor, a player outside of the run. */
#define _GNU_SOURCE /* nftw */
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "run/begun_run.h"
#include "run/rating/rate_pool.h"
#include "run/stages/matches/stage_anchor.h"

/* Begins a run and sets its working time to an hour. Then games against the anchor fit into the
 * part of the time that run.anchor_share allows. */
static Cycle *begin(const Folder *run, const RunConfig *config) {
    Cycle *cycle = begin_run(run, config);
    cycle->clock.seconds_before = 3600;
    return cycle;
}

/* Returns how many games of this net against the anchor the index has. */
static int games_of(const Cycle *cycle, int net) {
    EloGames *pairings;
    int count, games = 0;
    EXPECT_OK(run_index_pairings(cycle->store.index, &pairings, &count, err));
    for (int i = 0; i < count; i++) {
        if (pairings[i].first == net && pairings[i].second == ANCHOR_NUMBER)
            games += (int)(pairings[i].wins + pairings[i].draws + pairings[i].losses);
    }
    free(pairings);
    return games;
}

static RunConfig with_anchor(const char *anchor) {
    RunConfig config = tiny(3);
    snprintf(config.run.anchor, sizeof config.run.anchor, "%s", anchor);
    config.run.anchor_games = 6;
    return config;
}

TEST(auto_is_gnu_go_where_it_is_installed) {
    Folder folder = make_folder();
    PlayerSpec player;
    bool exists = true;
    EXPECT_OK(anchor_player("none", &player, &exists, err));
    EXPECT_FALSE(exists);
    EXPECT_INT(0, setenv("PATH", "/nowhere", 1));
    EXPECT_OK(anchor_player("auto", &player, &exists, err));
    EXPECT_TRUE(exists == (access("/usr/games/gnugo", X_OK) == 0));
    char path[128];
    snprintf(path, sizeof path, "/nowhere:%s", folder.text);
    EXPECT_INT(0, setenv("PATH", path, 1));
    Path program = path_in(folder.text, "gnugo");
    EXPECT_OK(file_write(program.text, "#!/bin/sh\n", 10, err));
    EXPECT_INT(0, chmod(program.text, 0700));
    EXPECT_OK(anchor_player("auto", &player, &exists, err));
    EXPECT_TRUE(exists && player.kind == PLAYER_GTP);
    EXPECT_TEXT("GNU Go level 10", player.name);
    EXPECT_CONTAINS(player.command, "gnugo --mode gtp --level 10 --chinese-rules");
    Error fault = {0};
    EXPECT_TRUE(anchor_player("net=a,visits=0", &player, &exists, &fault) && *fault.message);
    EXPECT_INT(0, setenv("PATH", "/usr/bin:/bin", 1));
    remove_folder(&folder);
}

TEST(a_rated_net_plays_the_anchor_once) {
    Folder run = make_folder();
    RunConfig config = with_anchor("name=dice,random");
    Cycle *cycle = begin(&run, &config);
    MetricPoint *points;
    RatePool pool = {0};
    int count;
    EXPECT_OK(cycle_rate(cycle, err));
    EXPECT_INT(6, games_of(cycle, 1));
    EXPECT_TRUE(run_index_value(cycle->store.index, ANCHOR_FACT) > 0);
    EXPECT_FALSE(net_match_is_unfinished(&cycle->store, "anchor"));
    EXPECT_OK(run_index_metric(cycle->store.index, "score.dice", &points, &count, err));
    EXPECT_INT(1, count);
    EXPECT_TRUE(points[0].value >= 0 && points[0].value <= 1);
    EXPECT_OK(cycle_rate(cycle, err));
    EXPECT_INT(6, games_of(cycle, 1));
    EXPECT_OK(rate_pool_add_directory(&pool, run.text, err));
    EXPECT_TRUE(rate_pool_find(&pool, "dice") >= 0); /* a name that other runs may have too */
    rate_pool_clear(&pool);
    free(points);
    cycle_close(cycle);
    remove_folder(&run);
}

TEST(games_with_the_anchor_take_only_a_part_of_the_time) {
    Folder run = make_folder();
    RunConfig config = with_anchor("name=dice,random");
    Cycle *cycle = begin(&run, &config);
    EXPECT_OK(run_index_set_value(cycle->store.index, ANCHOR_FACT, 71, err)); /* 72 s are allowed */
    cycle->plan.config.run.anchor_games = 600; /* estimated at 0.13 seconds for a game on 4x4 */
    EXPECT_OK(cycle_rate(cycle, err));
    EXPECT_INT(0, games_of(cycle, 1));
    cycle->plan.config.run.anchor_games = 6;
    EXPECT_OK(cycle_rate(cycle, err));
    EXPECT_INT(6, games_of(cycle, 1));
    cycle_close(cycle);
    remove_folder(&run);
}

TEST(another_anchor_begins_anew) {
    Folder run = make_folder();
    RunConfig config = with_anchor("name=dice,random");
    AnchorName name;
    Cycle *cycle = begin(&run, &config);
    EXPECT_OK(cycle_rate(cycle, err));
    snprintf(cycle->plan.config.run.anchor, sizeof cycle->plan.config.run.anchor,
             "net=uniform,visits=2,name=even");
    cycle->plan.config.run.anchor_games = 4;
    EXPECT_OK(cycle_rate(cycle, err));
    EXPECT_INT(4, games_of(cycle, 1));
    EXPECT_OK(run_index_anchor(cycle->store.index, &name, err));
    EXPECT_TEXT("even", name.text);
    cycle_close(cycle);
    remove_folder(&run);
}

/* One program ends immediately, one refuses the board, and one dies during its games. */
TEST(an_anchor_that_fails_does_not_stop_the_run) {
    static const char *const MODES[] = {"dumb", "small", "die"};
    signal(SIGPIPE, SIG_IGN); /* as the program does */
    for (size_t i = 0; i < sizeof MODES / sizeof *MODES; i++) {
        Folder run = make_folder();
        char anchor[128];
        snprintf(anchor, sizeof anchor, "name=bad,gtp:bash tests/cli/fake_engine.sh %s", MODES[i]);
        RunConfig config = with_anchor(anchor);
        Cycle *cycle = begin(&run, &config);
        EXPECT_OK(cycle_rate(cycle, err));
        EXPECT_TRUE(cycle->results.anchor_has_failed);
        EXPECT_INT(0, games_of(cycle, 1));
        EXPECT_INT(1, cycle->results.elo_net);
        cycle_close(cycle);
        remove_folder(&run);
    }
}

TEST_MAIN(RUN(auto_is_gnu_go_where_it_is_installed), RUN(a_rated_net_plays_the_anchor_once),
          RUN(games_with_the_anchor_take_only_a_part_of_the_time), RUN(another_anchor_begins_anew),
          RUN(an_anchor_that_fails_does_not_stop_the_run))
