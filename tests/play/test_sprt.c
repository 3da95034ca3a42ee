/* Sequential tests: likelihood ratios worked out by hand, and how often the tests err. */
#include "base/rng.h"
#include "play/match/elo.h"
#include "play/match/sprt.h"
#include "test.h"

static SprtSettings settings(double elo0, double elo1) {
    return (SprtSettings){elo0, elo1, 0.05, 0.1};
}

/* With only wins and losses, the mean s determines the distribution. The log likelihood ratio is
 *     wins ln(s1 / s0) + losses ln((1 - s1) / (1 - s0)) */
TEST(two_kinds_of_result_by_hand) {
    const double values[] = {0, 1}, weights[] = {40, 60};
    EXPECT_NEAR(60 * log(0.6 / 0.5) + 40 * log(0.4 / 0.5), sprt_ratio(values, weights, 2, 0.5, 0.6),
                1e-9);
    EXPECT_NEAR(60 * log(0.55 / 0.7) + 40 * log(0.45 / 0.3),
                sprt_ratio(values, weights, 2, 0.7, 0.55), 1e-9);
}

/* Searches for the maximum of the log likelihood of losses, draws and wins among the distributions
 * with this mean, and returns it. */
static double best_likelihood(const double weights[3], double mean) {
    double d = 2 * mean - 1, low = fmax(0, -d), high = (1 - d) / 2;
    for (int round = 0; round < 200; round++) {
        double at[2] = {low + (high - low) / 3, high - (high - low) / 3}, value[2];
        for (int i = 0; i < 2; i++)
            value[i] = weights[0] * log(at[i]) + weights[1] * log(1 - 2 * at[i] - d) +
                       weights[2] * log(at[i] + d);
        if (value[0] < value[1])
            low = at[0];
        else
            high = at[1];
    }
    double t = (low + high) / 2;
    return weights[0] * log(t) + weights[1] * log(1 - 2 * t - d) + weights[2] * log(t + d);
}

TEST(three_kinds_by_search) {
    const double values[] = {0, 0.5, 1}, weights[] = {30, 100, 50};
    const double means[] = {0.45, 0.5, 0.52, 0.6};
    for (int i = 0; i < 3; i++)
        EXPECT_NEAR(best_likelihood(weights, means[i + 1]) - best_likelihood(weights, means[i]),
                    sprt_ratio(values, weights, 3, means[i], means[i + 1]), 1e-6);
}

TEST(bounds_are_walds) {
    SprtSettings s = settings(0, 20);
    SprtAnswer none = sprt_pairs(&s, (int64_t[]){0, 0, 0, 0, 0});
    EXPECT_NEAR(log(0.1 / 0.95), none.lower, 1e-6);
    EXPECT_NEAR(log(0.9 / 0.05), none.upper, 1e-6);
    EXPECT_INT(SPRT_GOES_ON, none.state);
    EXPECT_NEAR(0, none.ratio, 0);
    EXPECT_INT(SPRT_ACCEPTS_1, sprt_pairs(&s, (int64_t[]){100, 0, 0, 0, 300}).state);
    EXPECT_INT(SPRT_ACCEPTS_0, sprt_pairs(&s, (int64_t[]){300, 0, 0, 0, 100}).state);
    EXPECT_INT(SPRT_GOES_ON, sprt_pairs(&s, (int64_t[]){5, 0, 0, 0, 6}).state);
}

/* If one color always wins an opening, each player gets one point of the pair. Many of these pairs
 * show that the players are nearly equal. They show this far more certainly than the same games
 * counted one by one. */
TEST(pairs_know_what_single_games_do_not) {
    SprtSettings s = settings(0, 40);
    const double values[] = {0, 1}, weights[] = {100, 100};
    SprtAnswer pairs = sprt_pairs(&s, (int64_t[]){2, 0, 96, 0, 2});
    double singles = sprt_ratio(values, weights, 2, elo_expected(0), elo_expected(40));
    EXPECT_INT(SPRT_ACCEPTS_0, pairs.state);
    EXPECT_TRUE(pairs.lower < singles && singles < 0); /* single games do not decide */
    EXPECT_TRUE(pairs.ratio < 4 * singles);
}

TEST(hypotheses_in_the_wrong_order_are_refused) {
    SprtSettings good = settings(-5, 5), same = settings(5, 5), turned = settings(5, -5);
    EXPECT_OK(sprt_check(&good, err));
    EXPECT_STATUS(ERR_ARGUMENT, sprt_check(&same, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, sprt_check(&turned, NULL));
}

/* Simulates `tests` sequential tests in which the true difference is `elo`. Returns how many accept
 * elo1. */
static int accepted(const SprtSettings *s, double elo, int tests, Rng *rng) {
    int count = 0;
    double win = elo_expected(elo);
    for (int t = 0; t < tests; t++) {
        int64_t counts[SPRT_OUTCOMES] = {0};
        SprtAnswer answer = {0};
        for (int pairs = 0; pairs < 5000 && answer.state == SPRT_GOES_ON; pairs++) {
            counts[2 * ((rng_uniform(rng) < win) + (rng_uniform(rng) < win))]++;
            answer = sprt_pairs(s, counts);
        }
        count += answer.state == SPRT_ACCEPTS_1;
    }
    return count;
}

TEST(errors_are_as_rare_as_asked) {
    enum { TESTS = 300 };
    SprtSettings s = settings(0, 100);
    Rng rng = rng_seeded(11);
    int wrong = accepted(&s, 0, TESTS, &rng), right = accepted(&s, 100, TESTS, &rng);
    EXPECT_TRUE(wrong < TESTS * 0.05 + 3 * sqrt(TESTS * 0.05));
    EXPECT_TRUE(TESTS - right < TESTS * 0.1 + 3 * sqrt(TESTS * 0.1));
    /* If no sequential test erred, sequential tests would play more games than they need. */
    EXPECT_TRUE(wrong > 0 && right < TESTS);
}

TEST_MAIN(RUN(two_kinds_of_result_by_hand), RUN(three_kinds_by_search), RUN(bounds_are_walds),
          RUN(pairs_know_what_single_games_do_not), RUN(hypotheses_in_the_wrong_order_are_refused),
          RUN(errors_are_as_rare_as_asked))
