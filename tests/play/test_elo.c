/* Ratings against closed forms. */
#include "play/elo.h"
#include "test.h"

#define UNIT (400 / log(10))            /* Elo of one natural unit */
static const double NEARLY_NONE = 1e-7; /* prior games */

TEST(two_players_by_their_odds) {
    const EloPairing games = {0, 1, 30, 10};
    EloRating r[2];
    EXPECT_OK(elo_fit(&games, 1, 2, 1, NEARLY_NONE, r, err));
    EXPECT_NEAR(400 * log10(3), r[0].elo, 1e-3);
    EXPECT_NEAR(0, r[1].elo, 0);
    EXPECT_NEAR(UNIT / sqrt(40 * 0.75 * 0.25), r[0].deviation, 1e-3);
    EXPECT_NEAR(0, r[1].deviation, 1e-6);
}

TEST(a_chain_adds_up) {
    const EloPairing games[] = {{0, 1, 20, 10}, {2, 1, 8, 32}};
    EloRating r[3];
    EXPECT_OK(elo_fit(games, 2, 3, 0, NEARLY_NONE, r, err));
    double one = 400 * log10(2), two = 400 * log10(4);
    EXPECT_NEAR(-one, r[1].elo, 1e-3);
    EXPECT_NEAR(-one - two, r[2].elo, 1e-3);
    double variance = 1 / (30.0 * 2 / 9) + 1 / (40 * 0.16);
    EXPECT_NEAR(UNIT * sqrt(variance), r[2].deviation, 1e-2);
}

TEST(the_order_of_a_pair_does_not_matter) {
    const EloPairing games[] = {{0, 1, 7, 3}, {1, 0, 2, 8}, {1, 2, 5, 5}};
    const EloPairing turned[] = {{1, 0, 5, 15}, {2, 1, 5, 5}};
    EloRating a[3], b[3];
    EXPECT_OK(elo_fit(games, 3, 3, 0, 0.5, a, err));
    EXPECT_OK(elo_fit(turned, 2, 3, 0, 0.5, b, err));
    for (int i = 0; i < 3; i++) {
        EXPECT_NEAR(a[i].elo, b[i].elo, 1e-6);
        EXPECT_NEAR(a[i].deviation, b[i].deviation, 1e-6);
    }
}

/* With g prior draws each against 0 the top of a sweep of n games is where
 * n (1 - s(2t)) = g (s(t) - 1/2), s the logistic function, the players at t and -t. */
TEST(a_clean_sweep_stays_finite) {
    const EloPairing games = {0, 1, 10, 0};
    const double prior = 2;
    EloRating r[2];
    EXPECT_OK(elo_fit(&games, 1, 2, 1, prior, r, err));
    double t = r[0].elo / UNIT / 2;
    EXPECT_NEAR(prior * (1 / (1 + exp(-t)) - 0.5), 10 * (1 - 1 / (1 + exp(-2 * t))), 1e-6);
    EXPECT_TRUE(r[0].elo > 200 && r[0].elo < 800);
}

TEST(strangers_have_no_known_difference) {
    const EloPairing games = {0, 1, 5, 5};
    EloRating r[3];
    EXPECT_OK(elo_fit(&games, 1, 3, 0, 0.5, r, err));
    EXPECT_NEAR(0, r[2].elo, 1e-6);
    EXPECT_TRUE(r[2].deviation > 3 * r[1].deviation);
}

TEST(players_that_are_not_there_are_refused) {
    const EloPairing games[] = {{0, 3, 1, 1}, {-1, 0, 1, 1}};
    EloRating r[3];
    EXPECT_STATUS(ERR_ARGUMENT, elo_fit(&games[0], 1, 3, 0, 0.5, r, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, elo_fit(&games[1], 1, 3, 0, 0.5, r, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, elo_fit(games, 0, 3, 3, 0.5, r, NULL));
}

TEST(scores_and_differences) {
    EXPECT_NEAR(0.5, elo_expected(0), 1e-12);
    EXPECT_NEAR(10.0 / 11, elo_expected(400), 1e-12);
    EXPECT_NEAR(100, elo_of_score(elo_expected(100)), 1e-9);
    EXPECT_NEAR(0.5, elo_superiority(0, 30), 1e-12);
    EXPECT_NEAR(0.975, elo_superiority(1.959964 * 30, 30), 1e-6);
}

TEST_MAIN(RUN(two_players_by_their_odds), RUN(a_chain_adds_up),
          RUN(the_order_of_a_pair_does_not_matter), RUN(a_clean_sweep_stays_finite),
          RUN(strangers_have_no_known_difference), RUN(players_that_are_not_there_are_refused),
          RUN(scores_and_differences))
