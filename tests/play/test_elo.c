/* Ratings, compared with closed formulas. */
#include "base/statistic.h"
#include "play/match/elo.h"
#include "test.h"

#define UNIT (400 / log(10))            /* Elo of one natural unit */
static const double NEARLY_NONE = 1e-7; /* prior games */

TEST(two_players_by_their_odds) {
    const EloGames games = {0, 1, 30, 0, 10};
    EloRating r[2];
    EXPECT_OK(elo_rate(&(EloSetup){.games = &games,
                                   .game_count = 1,
                                   .players = 2,
                                   .anchor = 1,
                                   .prior_games = NEARLY_NONE},
                       r, err));
    EXPECT_NEAR(400 * log10(3), r[0].elo, 1e-3);
    EXPECT_NEAR(0, r[1].elo, 0);
    EXPECT_NEAR(UNIT / sqrt(40 * 0.75 * 0.25), r[0].deviation, 1e-3);
    EXPECT_NEAR(0, r[1].deviation, 1e-6);
}

TEST(a_chain_adds_up) {
    const EloGames games[] = {{0, 1, 20, 0, 10}, {2, 1, 8, 0, 32}};
    EloRating r[3];
    EXPECT_OK(elo_rate(
        &(EloSetup){.games = games, .game_count = 2, .players = 3, .prior_games = NEARLY_NONE}, r,
        err));
    double one = 400 * log10(2), two = 400 * log10(4);
    EXPECT_NEAR(-one, r[1].elo, 1e-3);
    EXPECT_NEAR(-one - two, r[2].elo, 1e-3);
    double variance = 1 / (30.0 * 2 / 9) + 1 / (40 * 0.16);
    EXPECT_NEAR(UNIT * sqrt(variance), r[2].deviation, 1e-2);
}

TEST(the_order_of_a_pair_does_not_matter) {
    const EloGames games[] = {{0, 1, 7, 0, 3}, {1, 0, 2, 0, 8}, {1, 2, 5, 0, 5}};
    const EloGames turned[] = {{1, 0, 5, 0, 15}, {2, 1, 5, 0, 5}};
    EloRating a[3], b[3];
    EXPECT_OK(elo_rate(
        &(EloSetup){.games = games, .game_count = 3, .players = 3, .prior_games = 0.5}, a, err));
    EXPECT_OK(elo_rate(
        &(EloSetup){.games = turned, .game_count = 2, .players = 3, .prior_games = 0.5}, b, err));
    for (int i = 0; i < 3; i++) {
        EXPECT_NEAR(a[i].elo, b[i].elo, 1e-6);
        EXPECT_NEAR(a[i].deviation, b[i].deviation, 1e-6);
    }
}

/* Each player has g prior draws against a player of rating 0. If one of two players wins all n
 * games, the ratings are t and -t (in natural units) where
 *     n (1 - s(2t)) = g (s(t) - 1/2)
 * with the logistic function s. */
TEST(a_clean_sweep_stays_finite) {
    const EloGames games = {0, 1, 10, 0, 0};
    const double prior = 2;
    EloRating r[2];
    EXPECT_OK(elo_rate(
        &(EloSetup){
            .games = &games, .game_count = 1, .players = 2, .anchor = 1, .prior_games = prior},
        r, err));
    double t = r[0].elo / UNIT / 2;
    EXPECT_NEAR(prior * (1 / (1 + exp(-t)) - 0.5), 10 * (1 - 1 / (1 + exp(-2 * t))), 1e-6);
    EXPECT_TRUE(r[0].elo > 200 && r[0].elo < 800);
}

TEST(strangers_have_no_known_difference) {
    const EloGames games = {0, 1, 5, 0, 5};
    EloRating r[3];
    EXPECT_OK(elo_rate(
        &(EloSetup){.games = &games, .game_count = 1, .players = 3, .prior_games = 0.5}, r, err));
    EXPECT_NEAR(0, r[2].elo, 1e-6);
    EXPECT_TRUE(r[2].deviation > 3 * r[1].deviation);
}

/* Players 0 and 1 have met, and players 2 and 3. Player 4 has met nobody, and the pairing of 0 and
 * 5 has no game. */
TEST(what_no_games_connect_is_not_known) {
    const EloGames games[] = {{0, 1, 5, 0, 5}, {3, 2, 0, 4, 0}, {0, 5, 0, 0, 0}};
    const double none = HUGE_VAL, fixed[] = {none, 100, 200, none, none, none};
    const EloGames pairing = {0, 1, 5, 0, 5};
    EloSetup setup = {
        .games = games, .game_count = 3, .players = 6, .anchor = 1, .prior_games = 0.5};
    EloFit fit;
    EloRating r[3];
    EXPECT_OK(elo_fit_new(&setup, &fit, err));
    EXPECT_INT(0, fit.group[0]);
    EXPECT_INT(0, fit.group[1]);
    EXPECT_TRUE(elo_fit_connects(&fit, 2, 3));
    EXPECT_FALSE(elo_fit_connects(&fit, 1, 2));
    EXPECT_FALSE(elo_fit_connects(&fit, 0, 5));
    EXPECT_TRUE(fit.group[2] != 0 && fit.group[4] != 0 && fit.group[4] != fit.group[5]);
    elo_fit_clear(&fit);
    setup.fixed = fixed; /* players with fixed ratings are connected with each other */
    EXPECT_OK(elo_fit_new(&setup, &fit, err));
    EXPECT_INT(0, fit.group[0]);
    EXPECT_INT(0, fit.group[3]);
    EXPECT_TRUE(fit.group[4] != 0);
    elo_fit_clear(&fit);
    EXPECT_OK(elo_rate(
        &(EloSetup){.games = &pairing, .game_count = 1, .players = 3, .prior_games = 0.5}, r, err));
    EXPECT_TRUE(r[0].known && r[1].known && !r[2].known);
}

/* After 10 wins in 10 games, Wilson's interval reaches from 1 / (1 + 1.96^2 / 10) to 1. In Elo its
 * lower end is 400 log10(10 / 1.96^2) = 166, and it has no upper end. */
TEST(the_interval_of_a_clean_sweep_has_one_end) {
    Interval won = wilson_interval(10, 10, 1.96), lost = wilson_interval(0, 10, 1.96),
             half = wilson_interval(5, 10, 1.96);
    EXPECT_TRUE(won.high == 1 && lost.low == 0);
    EXPECT_TEXT("over +166", elo_interval_text(1, won.low, won.high).text);
    EXPECT_TEXT("under -166", elo_interval_text(0, lost.low, lost.high).text);
    Interval two = wilson_interval(2, 2, 1.96), none = wilson_interval(0, 2, 1.96);
    EXPECT_TEXT("unknown after so few games", elo_interval_text(1, two.low, two.high).text);
    EXPECT_TEXT("unknown after so few games", elo_interval_text(0, none.low, none.high).text);
    EXPECT_CONTAINS(elo_interval_text(0.5, half.low, half.high).text, "+0 (-");
    for (int trials = 1; trials < 2000; trials++)
        EXPECT_TRUE(wilson_interval(trials, trials, 1.96).high == 1);
}

TEST(players_that_are_not_there_are_refused) {
    const EloGames games[] = {{0, 3, 1, 0, 1}, {-1, 0, 1, 0, 1}};
    EloRating r[3];
    EXPECT_STATUS(
        ERR_ARGUMENT,
        elo_rate(&(EloSetup){.games = &games[0], .game_count = 1, .players = 3, .prior_games = 0.5},
                 r, NULL));
    EXPECT_STATUS(
        ERR_ARGUMENT,
        elo_rate(&(EloSetup){.games = &games[1], .game_count = 1, .players = 3, .prior_games = 0.5},
                 r, NULL));
    EXPECT_STATUS(
        ERR_ARGUMENT,
        elo_rate(
            &(EloSetup){
                .games = games, .game_count = 0, .players = 3, .anchor = 3, .prior_games = 0.5},
            r, NULL));
}

TEST(scores_and_differences) {
    EXPECT_NEAR(0.5, elo_expected(0), 1e-12);
    EXPECT_NEAR(10.0 / 11, elo_expected(400), 1e-12);
    EXPECT_NEAR(100, elo_of_score(elo_expected(100)), 1e-9);
    EXPECT_NEAR(0.5, elo_superiority(0, 30), 1e-12);
    EXPECT_NEAR(0.975, elo_superiority(1.959964 * 30, 30), 1e-6);
}

static EloFit fitted(const EloGames *games, int count, int players, const double *fixed) {
    EloFit fit;
    EXPECT_OK(elo_fit_new(&(EloSetup){.games = games,
                                      .game_count = count,
                                      .players = players,
                                      .fixed = fixed,
                                      .prior_games = NEARLY_NONE},
                          &fit, err));
    return fit;
}

/* Players 1 and 2 have both met player 0, but not each other. The differences from player 0 are
 * independent and have the variances of their own games. For the difference of 1 and 2 these
 * variances add up. */
TEST(each_difference_has_its_own_interval) {
    const EloGames games[] = {{0, 1, 20, 0, 10}, {2, 0, 8, 0, 32}};
    EloFit fit = fitted(games, 2, 3, NULL);
    double first = UNIT * UNIT / (30.0 * 2 / 9), second = UNIT * UNIT / (40 * 0.16);
    EXPECT_NEAR(sqrt(first), elo_fit_deviation(&fit, 0, 1), 1e-2);
    EXPECT_NEAR(sqrt(second), elo_fit_deviation(&fit, 2, 0), 1e-2);
    EXPECT_NEAR(sqrt(first + second), elo_fit_deviation(&fit, 1, 2), 1e-2);
    EXPECT_NEAR(0, elo_fit_deviation(&fit, 2, 2), 0);
    double gap = fit.elo[1] - fit.elo[2];
    EXPECT_NEAR(0.5 * erfc(-gap / sqrt(2 * (first + second))), elo_fit_superiority(&fit, 1, 2),
                1e-4);
    EXPECT_NEAR(1, elo_fit_superiority(&fit, 1, 2) + elo_fit_superiority(&fit, 2, 1), 1e-12);
    const double weights[] = {1, -0.5, -0.5}; /* against the mean of the other two */
    EXPECT_NEAR(sqrt(first + second) / 2, elo_fit_contrast_deviation(&fit, weights), 1e-2);
    elo_fit_clear(&fit);
}

/* Davidson 1970. For two players the fit is exact, with the difference d in natural units:
 *     wins : losses = e^d : 1     draws = nu sqrt(wins * losses)
 * Between equals d and nu are independent, and the second derivative of the log likelihood in d is
 *     -n (1 - draws / n) / 4 */
TEST(draws_by_davidson) {
    const EloGames games = {0, 1, 40, 40, 10}, equals = {0, 1, 20, 60, 20};
    const EloGames many = {0, 1, 40e3, 40e3, 10e3}; /* so that the prior of nu is small */
    EloFit fit = fitted(&many, 1, 2, NULL);
    EXPECT_NEAR(400 * log10(4), fit.elo[0] - fit.elo[1], 1e-2);
    EXPECT_NEAR(2, fit.draw, 1e-3);
    elo_fit_clear(&fit);
    fit = fitted(&equals, 1, 2, NULL);
    EXPECT_NEAR(0, fit.elo[0] - fit.elo[1], 1e-6);
    EXPECT_NEAR(UNIT / sqrt(100 * 0.4 / 4), elo_fit_deviation(&fit, 0, 1), 0.2);
    elo_fit_clear(&fit);
    /* With drawn games the interval is narrower than with the same points without draws. */
    const EloGames split = {0, 1, 60, 0, 30};
    fit = fitted(&games, 1, 2, NULL);
    EloFit plain = fitted(&split, 1, 2, NULL);
    EXPECT_TRUE(elo_fit_deviation(&fit, 0, 1) < 0.95 * elo_fit_deviation(&plain, 0, 1) *
                                                    (fit.elo[0] - fit.elo[1]) /
                                                    (plain.elo[0] - plain.elo[1]));
    EXPECT_NEAR(0, plain.draw, 0);
    elo_fit_clear(&fit);
    elo_fit_clear(&plain);
}

/* Players with fixed ratings keep them, and the others are rated on their scale. */
TEST(fixed_ratings_are_the_scale) {
    const double fixed[] = {1000, HUGE_VAL, 1200};
    const EloGames games[] = {{1, 0, 30, 0, 10}, {0, 2, 40, 0, 1}};
    EloFit fit = fitted(games, 2, 3, fixed);
    EXPECT_NEAR(1000, fit.elo[0], 1e-9);
    EXPECT_NEAR(1200, fit.elo[2], 1e-9);
    EXPECT_NEAR(1000 + 400 * log10(3), fit.elo[1], 1e-3);
    EXPECT_NEAR(UNIT / sqrt(40 * 0.75 * 0.25), elo_fit_deviation_anchor(&fit, 1), 1e-3);
    EXPECT_NEAR(0, elo_fit_deviation_anchor(&fit, 2), 0);
    elo_fit_clear(&fit);
}

TEST(the_anchor_has_the_rating_it_is_given) {
    const EloGames games = {0, 1, 30, 0, 10};
    EloFit fit;
    EXPECT_OK(elo_fit_new(&(EloSetup){.games = &games,
                                      .game_count = 1,
                                      .players = 2,
                                      .anchor = 1,
                                      .anchor_elo = 500,
                                      .prior_games = NEARLY_NONE},
                          &fit, err));
    EXPECT_NEAR(500, fit.elo[1], 0);
    EXPECT_NEAR(500 + 400 * log10(3), fit.elo[0], 1e-3);
    elo_fit_clear(&fit);
}

TEST_MAIN(RUN(what_no_games_connect_is_not_known), RUN(the_interval_of_a_clean_sweep_has_one_end),
          RUN(each_difference_has_its_own_interval), RUN(draws_by_davidson),
          RUN(fixed_ratings_are_the_scale), RUN(the_anchor_has_the_rating_it_is_given),
          RUN(two_players_by_their_odds), RUN(a_chain_adds_up),
          RUN(the_order_of_a_pair_does_not_matter), RUN(a_clean_sweep_stays_finite),
          RUN(strangers_have_no_known_difference), RUN(players_that_are_not_there_are_refused),
          RUN(scores_and_differences))
