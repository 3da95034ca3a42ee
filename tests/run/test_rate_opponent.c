/* Drawn opponents of a net that is to be rated. */
#define _GNU_SOURCE /* nftw */
#include "run/begun_run.h"
#include "run/stages/matches/rate_opponent.h"

enum { DRAWS = 20000 };

/* Net 9 has 400 Elo. Random play has 0 and is 400 away, net 1 is 200 away, net 2 is equal, and net
 * 3 is 200 away on the other side. The games say which of them net 9 has played. */
static const NetRating NETS[] = {{.number = 1, .random = {200, 10}},
                                 {.number = 2, .random = {400, 10}},
                                 {.number = 3, .random = {600, 10}},
                                 {.number = 9, .random = {400, 10}}};

static void count_draws(const EloGames *games, int game_count, double fractions[4]) {
    NetRating nets[4];
    memcpy(nets, NETS, sizeof nets);
    const NetRatings ratings = {.nets = nets, .count = 4};
    Rng rng = rng_seeded(1);
    for (int i = 0; i < 4; i++)
        fractions[i] = 0;
    for (int i = 0; i < DRAWS; i++) {
        int number = rate_opponent_draw(&ratings, 9, games, game_count, &rng);
        EXPECT_TRUE(number >= 0 && number <= 3);
        fractions[number] += 1.0 / DRAWS;
    }
}

/* Expected scores are 1 / (1 + 10^(-d / 400)): 10/11 for a difference of 400, 0.7597 for 200, and
 * 0.2403 for -200. */
TEST(opponents_come_in_proportion_to_the_variance) {
    const double far = 10.0 / 121, near = 0.7597 * 0.2403, equal = 0.25;
    double fractions[4], all = far + 2 * near + equal;
    count_draws(NULL, 0, fractions);
    EXPECT_NEAR(far / all, fractions[0], 0.015);
    EXPECT_NEAR(near / all, fractions[1], 0.015);
    EXPECT_NEAR(equal / all, fractions[2], 0.015);
    EXPECT_NEAR(near / all, fractions[3], 0.015);
    const EloGames games[] = {{9, 2, 1, 0, 1}, {3, 9, 1, 0, 1}, {3, 1, 5, 0, 5}};
    count_draws(games, 3, fractions);
    EXPECT_NEAR(far / (far + near), fractions[0], 0.015);
    EXPECT_NEAR(0, fractions[2] + fractions[3], 0);
}

TEST(no_opponent_is_drawn_without_a_rating_or_twice) {
    NetRating nets[4];
    memcpy(nets, NETS, sizeof nets);
    const NetRatings ratings = {.nets = nets, .count = 4};
    const EloGames all[] = {{9, 0, 1, 0, 0}, {9, 1, 1, 0, 0}, {9, 2, 1, 0, 0}, {9, 3, 1, 0, 0}};
    Rng rng = rng_seeded(1);
    EXPECT_INT(-1, rate_opponent_draw(&ratings, 8, NULL, 0, &rng));
    EXPECT_INT(-1, rate_opponent_draw(&ratings, 9, all, 4, &rng));
    EXPECT_INT(3, rate_opponent_draw(&ratings, 9, all, 3, &rng));
}

/* Returns how many opponents the net has played, and checks the number of games against each. */
static int opponents_of(const Cycle *cycle, int net, int games_each) {
    EloGames *games;
    int count, opponents = 0;
    EXPECT_OK(run_index_pairings(cycle->store.index, &games, &count, err));
    for (int i = 0; i < count; i++) {
        if (games[i].first != net) continue;
        opponents++;
        EXPECT_NEAR(games_each, games[i].wins + games[i].draws + games[i].losses, 0);
    }
    free(games);
    return opponents;
}

/* Nets 1 to 4 are rated. Each plays the net before it and two drawn opponents, as far as there are
 * so many. Another rating of the same net plays nothing. */
TEST(a_run_plays_drawn_opponents) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    snprintf(config.run.anchor, sizeof config.run.anchor, "none");
    config.run.rate_every = 1;
    config.run.rate_drawn = 2;
    config.run.gate_games = 0;
    Cycle *cycle = begin_run(&run, &config); /* to net 1 */
    for (int net = 1; net <= 4; net++) {
        if (net > 1) EXPECT_OK(cycle_accept(cycle, err));
        EXPECT_OK(cycle_rate(cycle, err));
        EXPECT_OK(cycle_rate(cycle, err));
        EXPECT_INT(net < 3 ? net : 3, opponents_of(cycle, net, config.run.rate_games));
        EXPECT_INT(net, cycle->results.elo_net);
    }
    cycle_close(cycle);
    remove_folder(&run);
}

TEST_MAIN(RUN(opponents_come_in_proportion_to_the_variance),
          RUN(no_opponent_is_drawn_without_a_rating_or_twice), RUN(a_run_plays_drawn_opponents))
