/* Each loss by hand and, by finite differences, its slope at every output. */
#include "base/rng.h"
#include "eval/heads.h"
#include "test.h"
#include "train/objective.h"

enum { EDGE = 5, CELLS = EDGE * EDGE, ROWS = 3 };
static const size_t SIZES[SHARE_OUTPUTS] = {2 * CELLS, 2, 3, 6, CELLS, SCORE_BINS};

typedef struct {
    Batch batch;
    float *outputs[SHARE_OUTPUTS], *gradients[SHARE_OUTPUTS];
    ObjectiveShare share;
    ObjectiveConfig config;
} Fixture;

static void normalise(float *values, int count) {
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    for (int i = 0; i < count; i++)
        values[i] /= sum;
}

/* Row n has a board of 5 x 5, 4 x 5 or 3 x 5; what is off it is garbage that must not matter. */
static void fill_row(Batch *batch, int n, Rng *rng) {
    float *targets = batch->targets + n * ROW_GLOBAL_TARGETS;
    float *policy = batch->policy + (size_t)n * 2 * (CELLS + 1);
    for (int i = 0; i < CELLS; i++) {
        bool on = i % EDGE < EDGE - n;
        batch->mask[n * CELLS + i] = on;
        batch->ownership[n * CELLS + i] = (float)(2 * rng_uniform(rng) - 1);
        policy[i] = on ? (float)rng_uniform(rng) : 0;
        policy[CELLS + 1 + i] = on ? (float)rng_uniform(rng) : 0;
    }
    policy[CELLS] = policy[CELLS + 1 + CELLS] = 0.5f;
    normalise(policy, CELLS + 1);
    normalise(policy + CELLS + 1, CELLS + 1);
    for (int k = 0; k < 20; k += 4) {
        for (int i = 0; i < 3; i++)
            targets[k + i] = (float)rng_uniform(rng) + 0.1f;
        normalise(targets + k, 3);
        targets[k + 3] = (float)(20 * rng_uniform(rng) - 10);
    }
    targets[TARGET_SCORE] = 7.5f;
    targets[TARGET_LEAD] = -3;
    targets[TARGET_VARIANCE_TIME] = 12;
    for (int i = TARGET_WEIGHT; i <= TARGET_WEIGHT_LEAD; i++)
        targets[i] = 0.5f + 0.5f * (float)rng_uniform(rng);
    targets[TARGET_NO_TD] = targets[TARGET_NO_VALUE] = 0.25f;
    for (int i = 0; i < SCORE_BINS; i++)
        batch->score[n * SCORE_BINS + i] = i > 415 && i < 435 ? (float)rng_uniform(rng) : 0;
    normalise(batch->score + n * SCORE_BINS, SCORE_BINS);
}

static Fixture make(bool distribution) {
    Fixture f = {0};
    Rng rng = rng_seeded(7);
    EXPECT_OK(batch_init(&f.batch, ROWS, EDGE, err));
    f.batch.count = ROWS;
    for (int n = 0; n < ROWS; n++)
        fill_row(&f.batch, n, &rng);
    for (int i = 0; i < SHARE_OUTPUTS; i++) {
        if (i == SHARE_DISTRIBUTION && !distribution) continue;
        f.outputs[i] = calloc(ROWS * SIZES[i], sizeof(float));
        f.gradients[i] = calloc(ROWS * SIZES[i], sizeof(float));
        for (size_t k = 0; k < ROWS * SIZES[i]; k++)
            f.outputs[i][k] = (float)(2 * rng_uniform(&rng) - 1);
    }
    f.config = (ObjectiveConfig){.huber_delta = 12};
    return f;
}

static void clear(Fixture *f) {
    for (int i = 0; i < SHARE_OUTPUTS; i++) {
        free(f->outputs[i]);
        free(f->gradients[i]);
    }
    batch_clear(&f->batch);
}

static Metrics evaluate(Fixture *f) {
    Metrics sums = {0};
    f->share = (ObjectiveShare){.batch = &f->batch, .first = 0, .count = ROWS};
    for (int i = 0; i < SHARE_OUTPUTS; i++) {
        f->share.outputs[i] = f->outputs[i];
        f->share.gradients[i] = f->gradients[i];
    }
    objective_evaluate(&f->config, &f->share, &sums);
    return sums;
}

/* The slope that backward takes in place of softplus's own, over that: it has a floor. */
static double floor_ratio(int output, size_t at, float raw) {
    if (output != SHARE_SCORE || at % 6 == 0 || at % 6 == 2) return 1;
    double x = at % 6 >= 4 ? 0.5 * (double)raw : (double)raw, s = 1 / (1 + exp(-x));
    return (0.05 + 0.95 * s) / s;
}

/* `detached`: an output that the loss uses as a target, whose slope is to be 0. */
static void expect_slopes(Fixture *f, int detached, int detached_at) {
    int moved = 0;
    for (int i = 0; i < SHARE_OUTPUTS; i++) {
        /* a bin of many moves little, and the loss of all is a large number */
        const float STEP = i == SHARE_DISTRIBUTION ? 0.08f : 0.02f;
        for (size_t k = 0; f->outputs[i] && k < ROWS * SIZES[i]; k++) {
            if (i == SHARE_DISTRIBUTION && (k % SCORE_BINS < 400 || k % SCORE_BINS > 440)) continue;
            bool is_target = i == detached && (detached_at < 0 || (int)(k % 6) == detached_at);
            evaluate(f);
            float kept = f->outputs[i][k], slope = f->gradients[i][k];
            f->outputs[i][k] = kept + STEP;
            double more = evaluate(f).loss;
            f->outputs[i][k] = kept - STEP;
            double less = evaluate(f).loss;
            f->outputs[i][k] = kept;
            double wanted = is_target ? 0 : (more - less) / (2 * (double)STEP);
            wanted *= floor_ratio(i, k, kept);
            EXPECT_NEAR(wanted, slope, 3e-4 + 4e-3 * fabs(wanted));
            moved += fabs(wanted) > 1e-3;
        }
    }
    EXPECT_TRUE(moved >= ROWS); /* the loss does something */
}

#define SLOPES(test, distribution, field, detached, at)                                            \
    TEST(test) {                                                                                   \
        Fixture f = make(distribution);                                                            \
        f.config.field = 1;                                                                        \
        expect_slopes(&f, detached, at);                                                           \
        clear(&f);                                                                                 \
    }
SLOPES(slopes_of_policy, false, policy, -1, 0)
SLOPES(slopes_of_the_reply, false, opponent_policy, -1, 0)
SLOPES(slopes_of_value, false, value, -1, 0)
SLOPES(slopes_of_later_values, false, td_value, -1, 0)
SLOPES(slopes_of_ownership, false, ownership, -1, 0)
SLOPES(slopes_of_the_distribution, true, score_pdf, -1, 0)
SLOPES(slopes_of_its_cumulation, true, score_cdf, -1, 0)
SLOPES(slopes_of_the_score, false, score_mean, -1, 0)
SLOPES(slopes_of_the_lead, false, lead, -1, 0)
SLOPES(slopes_of_the_deviation, false, score_stdev, SHARE_SCORE, 0)
SLOPES(slopes_of_a_distributions_deviation, true, score_stdev, -1, 0)
SLOPES(slopes_of_variance_time, false, var_time, -1, 0)

TEST(short_term_errors_move_only_themselves) {
    Fixture f = make(false);
    f.config.shortterm_error = 1;
    evaluate(&f);
    for (int n = 0; n < ROWS; n++) {
        for (int i = 0; i < 3; i++)
            EXPECT_NEAR(0, f.gradients[SHARE_VALUE][3 * n + i], 0);
        for (int i = 0; i < 4; i++)
            EXPECT_NEAR(0, f.gradients[SHARE_SCORE][6 * n + i], 0);
        EXPECT_TRUE(fabsf(f.gradients[SHARE_SCORE][6 * n + 4]) > 1e-6f);
    }
    clear(&f);
}

TEST(losses_by_hand) {
    Fixture f = make(true);
    double weight = 0, policy = 0, value = 0, ownership = 0, pdf = 0, mean = 0;
    for (int i = 0; i < SHARE_OUTPUTS; i++)
        memset(f.outputs[i], 0, ROWS * SIZES[i] * sizeof(float));
    f.config = (ObjectiveConfig){.policy = 2, .huber_delta = 5};
    Metrics sums = evaluate(&f);
    for (int n = 0; n < ROWS; n++) {
        const float *t = f.batch.targets + n * ROW_GLOBAL_TARGETS;
        double w = (double)t[TARGET_WEIGHT], board = w * (double)t[TARGET_WEIGHT_BOARD];
        weight += w;
        policy += w * (double)t[TARGET_WEIGHT_POLICY] * log(1 + EDGE * (EDGE - n)); /* all equal */
        value += w * (1 - (double)t[TARGET_NO_VALUE]) * log(3);
        ownership += board * log(2);
        pdf += board * log(SCORE_BINS);
        mean += board * (0.5 * 25 + 5 * 2.5); /* Huber: 7.5 off, linear from 5 */
    }
    EXPECT_NEAR(weight, sums.rows, 1e-5);
    EXPECT_NEAR(policy, sums.policy, 1e-4);
    EXPECT_NEAR(2 * policy, sums.loss, 1e-4); /* the only loss with a weight */
    EXPECT_NEAR(value, sums.value, 1e-4);
    EXPECT_NEAR(ownership, sums.ownership, 1e-4);
    EXPECT_NEAR(pdf, sums.score_pdf, 1e-4);
    EXPECT_NEAR(mean, sums.score_mean, 1e-4);
    clear(&f);
}

TEST(what_is_off_the_board_does_not_matter) {
    Fixture f = make(true);
    settings_defaults(OBJECTIVE_FIELDS, &f.config);
    double before = evaluate(&f).loss;
    for (int i = 0; i < CELLS; i++) {
        if (f.batch.mask[CELLS + i] != 0) continue;
        f.outputs[SHARE_POLICY][2 * (CELLS + i)] = 50;
        f.outputs[SHARE_OWNERSHIP][CELLS + i] = 50;
        EXPECT_NEAR(0, f.gradients[SHARE_POLICY][2 * (CELLS + i)], 0);
        EXPECT_NEAR(0, f.gradients[SHARE_OWNERSHIP][CELLS + i], 0);
    }
    EXPECT_NEAR(before, evaluate(&f).loss, 0);
    clear(&f);
}

TEST(sums_become_means) {
    Metrics sums = {.rows = 3, .loss = 6, .shortterm_score = 12, .gradient_norm = 5};
    Metrics more = {.rows = 1, .loss = 2, .gradient_norm = 7};
    metrics_add(&sums, &more);
    metrics_divide(&sums);
    EXPECT_NEAR(4, sums.rows, 0);
    EXPECT_NEAR(2, sums.loss, 1e-12);
    EXPECT_NEAR(3, sums.shortterm_score, 1e-12);
    EXPECT_NEAR(5, sums.gradient_norm, 0);
}

TEST_MAIN(RUN(slopes_of_policy), RUN(slopes_of_the_reply), RUN(slopes_of_value),
          RUN(slopes_of_later_values), RUN(slopes_of_ownership), RUN(slopes_of_the_distribution),
          RUN(slopes_of_its_cumulation), RUN(slopes_of_the_score), RUN(slopes_of_the_lead),
          RUN(slopes_of_the_deviation), RUN(slopes_of_a_distributions_deviation),
          RUN(slopes_of_variance_time), RUN(short_term_errors_move_only_themselves),
          RUN(losses_by_hand), RUN(what_is_off_the_board_does_not_matter), RUN(sums_become_means))
