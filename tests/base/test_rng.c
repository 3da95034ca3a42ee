/* The published sequence, generators that are split off, and the shapes of the distributions. */
#include "base/error.h" /* before cmocka defines a macro fail() */
#include "base/rng.h"
#include "base/statistic.h"
#include "test.h"

TEST(the_sequence_is_xoshiro256_starstar) {
    /* Worked out by hand from Blackman and Vigna 2018, for a state of 1, 2, 3, 4. */
    static const uint64_t WANTED[] = {11520,
                                      0,
                                      1509978240,
                                      1215971899390074240u,
                                      1216172134540287360u,
                                      607988272756665600u,
                                      16172922978634559625u,
                                      8476171486693032832u};
    Rng rng = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof WANTED / sizeof *WANTED; i++)
        EXPECT_TRUE(rng_next(&rng) == WANTED[i]);
}

TEST(a_seed_fills_the_state_by_splitmix64) {
    Rng rng = rng_seeded(1234567);
    EXPECT_TRUE(rng.state[0] == 6457827717110365317u);
    EXPECT_TRUE(rng.state[1] == 3203168211198807973u);
    EXPECT_TRUE(rng.state[2] == 9817491932198370423u);
    Rng zero = rng_seeded(0); /* an all-zero state would never change */
    EXPECT_TRUE(zero.state[0] || zero.state[1] || zero.state[2] || zero.state[3]);
}

TEST(a_copy_gives_the_same_numbers) {
    Rng rng = rng_seeded(5), copy;
    rng_next(&rng);
    copy = rng;
    for (int i = 0; i < 100; i++)
        EXPECT_TRUE(rng_next(&rng) == rng_next(&copy));
}

TEST(streams_differ_and_repeat) {
    uint64_t first[64];
    for (uint64_t stream = 0; stream < 64; stream++) {
        Rng parent = rng_seeded(9), again = rng_seeded(9);
        Rng child = rng_split(&parent, stream), same = rng_split(&again, stream);
        first[stream] = rng_next(&child);
        EXPECT_TRUE(first[stream] == rng_next(&same));
        for (uint64_t k = 0; k < stream; k++)
            EXPECT_TRUE(first[k] != first[stream]);
    }
    Rng parent = rng_seeded(9);
    Rng one = rng_split(&parent, 3), two = rng_split(&parent, 3); /* a split changes the parent */
    EXPECT_TRUE(rng_next(&one) != rng_next(&two));
}

TEST(whole_numbers_are_uniform) {
    static const int BOUNDS[] = {1, 2, 3, 7, 100};
    Rng rng = rng_seeded(11);
    for (size_t b = 0; b < sizeof BOUNDS / sizeof *BOUNDS; b++) {
        int counts[100] = {0}, draws = 2000 * BOUNDS[b];
        for (int i = 0; i < draws; i++) {
            int value = rng_below(&rng, BOUNDS[b]);
            EXPECT_TRUE(value >= 0 && value < BOUNDS[b]);
            counts[value]++;
        }
        for (int i = 0; i < BOUNDS[b]; i++) /* 6 standard deviations, each sqrt(2000) */
            EXPECT_NEAR(2000, counts[i], 270);
    }
    for (int i = 0; i < 1000; i++)
        EXPECT_TRUE(rng_below(&rng, INT32_MAX) >= 0);
}

enum { DRAWS = 100000 };

/* Returns the mean and the deviation of DRAWS draws. */
static RunningMean many(double (*draw)(Rng *rng, double value), double value) {
    RunningMean mean = {0};
    Rng rng = rng_seeded(13);
    for (int i = 0; i < DRAWS; i++)
        running_mean_add(&mean, draw(&rng, value));
    return mean;
}

static double draw_uniform(Rng *rng, double unused) {
    (void)unused;
    double x = rng_uniform(rng);
    EXPECT_TRUE(x >= 0 && x < 1);
    return x;
}

static double draw_normal(Rng *rng, double unused) {
    (void)unused;
    return rng_normal(rng);
}

static double draw_truncated(Rng *rng, double limit) {
    double x = rng_normal_truncated(rng, limit);
    EXPECT_TRUE(fabs(x) <= limit);
    return x;
}

static double draw_exponential(Rng *rng, double unused) {
    (void)unused;
    double x = rng_exponential(rng);
    EXPECT_TRUE(x >= 0 && isfinite(x));
    return x;
}

static double draw_gamma(Rng *rng, double shape) {
    double x = rng_gamma(rng, shape);
    EXPECT_TRUE(x >= 0 && isfinite(x));
    return x;
}

/* Expects that the mean and the deviation of the draws, `got`, differ from `mean` and `deviation`
 * by less than four standard errors. The standard error of the deviation depends on `excess`, the
 * excess kurtosis of the distribution. */
static void expect_moments(RunningMean got, double mean, double deviation, double excess) {
    EXPECT_NEAR(mean, got.mean, 4 * deviation / sqrt(DRAWS));
    EXPECT_NEAR(deviation, running_mean_deviation(&got),
                2 * deviation * sqrt((2 + excess) / DRAWS));
}

TEST(distributions_have_their_moments) {
    expect_moments(many(draw_uniform, 0), 0.5, sqrt(1.0 / 12), -1.2);
    expect_moments(many(draw_normal, 0), 0, 1, 0);
    expect_moments(many(draw_truncated, 2), 0, 0.87962566103423978, 0);
    expect_moments(many(draw_exponential, 0), 1, 1, 6);
    static const double SHAPES[] = {0.03, 0.5, 1, 2.5, 20};
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++)
        expect_moments(many(draw_gamma, SHAPES[i]), SHAPES[i], sqrt(SHAPES[i]), 6 / SHAPES[i]);
}

TEST(picks_are_proportional) {
    static const double WEIGHTS[] = {0, 1, 0, 3, 6, 0};
    int counts[6] = {0};
    Rng rng = rng_seeded(17);
    for (int i = 0; i < 10000; i++)
        counts[rng_pick(&rng, WEIGHTS, 6)]++;
    EXPECT_INT(0, counts[0] + counts[2] + counts[5]);
    EXPECT_NEAR(1000, counts[1], 180);
    EXPECT_NEAR(3000, counts[3], 280);
    EXPECT_NEAR(6000, counts[4], 300);
}

TEST(picking_from_nothing_is_reported) {
    static const double NONE[] = {0, 0}, BROKEN[] = {1, (double)NAN};
    Rng rng = rng_seeded(17);
    EXPECT_INT(-1, rng_pick(&rng, NONE, 2));
    EXPECT_INT(-1, rng_pick(&rng, NONE, 0));
    EXPECT_INT(-1, rng_pick(&rng, BROKEN, 2));
}

TEST(shuffles_reach_every_order) {
    int counts[6] = {0};
    Rng rng = rng_seeded(19);
    for (int i = 0; i < 6000; i++) {
        int items[3] = {0, 1, 2};
        rng_shuffle(&rng, items, 3, sizeof *items);
        EXPECT_INT(7, (1 << items[0]) | (1 << items[1]) | (1 << items[2]));
        counts[2 * items[0] + (items[1] > items[2])]++;
    }
    for (int i = 0; i < 6; i++)
        EXPECT_NEAR(1000, counts[i], 180);
    rng_shuffle(&rng, counts, 0, sizeof *counts);
    rng_shuffle(&rng, counts, 1, sizeof *counts);
}

/* rng_shuffle() goes from the last item to the second. It exchanges each item with an item that is
 * drawn from the items before it and the item itself. */
TEST(items_of_any_size_are_shuffled_alike) {
    struct {
        unsigned char bytes[3];
    } items[50];
    int numbers[50], by_hand[50];
    Rng one = rng_seeded(23), other = rng_seeded(23), hand = rng_seeded(23);
    for (int i = 0; i < 50; i++) {
        memset(items[i].bytes, i, sizeof items[i].bytes);
        numbers[i] = by_hand[i] = i;
    }
    rng_shuffle(&one, items, 50, sizeof *items);
    rng_shuffle(&other, numbers, 50, sizeof *numbers);
    for (int i = 49; i > 0; i--) {
        int k = (int)(rng_next(&hand) % (uint64_t)(i + 1)), kept = by_hand[i];
        by_hand[i] = by_hand[k];
        by_hand[k] = kept;
    }
    for (int i = 0; i < 50; i++) {
        EXPECT_INT(by_hand[i], numbers[i]);
        for (int k = 0; k < 3; k++)
            EXPECT_INT(by_hand[i], items[i].bytes[k]);
    }
}

TEST_MAIN(RUN(the_sequence_is_xoshiro256_starstar), RUN(a_seed_fills_the_state_by_splitmix64),
          RUN(a_copy_gives_the_same_numbers), RUN(streams_differ_and_repeat),
          RUN(whole_numbers_are_uniform), RUN(distributions_have_their_moments),
          RUN(picks_are_proportional), RUN(picking_from_nothing_is_reported),
          RUN(shuffles_reach_every_order), RUN(items_of_any_size_are_shuffled_alike))
