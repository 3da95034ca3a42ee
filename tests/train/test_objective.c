/* The losses of the objective, worked out by hand, and their gradients at the outputs of the net
 * against finite differences. */
#include "base/rng.h"
#include "eval/arch/heads.h"
#include "test.h"
#include "train/normalise.h"
#include "train/objective.h"

enum { EDGE = 5, CELLS = EDGE * EDGE, ROWS = 3 };
/* Other policies and heads are in test_q_values.c and test_auxiliary.c. */
enum { P = POLICY_OPTIMISTIC + 1, OUTPUTS = HEAD_SCORE_DISTRIBUTION + 1 };
static const size_t SIZES[OUTPUTS] = {P * CELLS, P, 3, 6, CELLS, SCORE_BINS};

typedef struct {
    Batch batch;
    float *outputs[OUTPUTS], *gradients[OUTPUTS];
    ObjectiveShard share;
    ObjectiveSettings config;
    int policies;
} Fixture;

/* Fills a row with random targets. The boards of the rows have 5 x 5, 4 x 5 and 3 x 5 points. The
 * ownership is random off the board, too, and must not matter there. */
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
    Fixture f = {.policies = P};
    Rng rng = rng_seeded(7);
    EXPECT_OK(batch_init(&f.batch, ROWS, EDGE, err));
    f.batch.count = ROWS;
    for (int n = 0; n < ROWS; n++)
        fill_row(&f.batch, n, &rng);
    for (int i = 0; i < OUTPUTS; i++) {
        if (i == HEAD_SCORE_DISTRIBUTION && !distribution) continue;
        f.outputs[i] = calloc(ROWS * SIZES[i], sizeof(float));
        f.gradients[i] = calloc(ROWS * SIZES[i], sizeof(float));
        for (size_t k = 0; k < ROWS * SIZES[i]; k++)
            f.outputs[i][k] = (float)(2 * rng_uniform(&rng) - 1);
    }
    f.config = (ObjectiveSettings){.huber_delta = 12};
    return f;
}

static void clear(Fixture *f) {
    for (int i = 0; i < OUTPUTS; i++) {
        free(f->outputs[i]);
        free(f->gradients[i]);
    }
    batch_clear(&f->batch);
}

static Metrics evaluate(Fixture *f) {
    Metrics sums = {0};
    f->share =
        (ObjectiveShard){.batch = &f->batch,
                         .count = ROWS,
                         .policies = model_format_policies(&MODEL_FORMAT_DEFAULT, f->policies)};
    for (int i = 0; i < OUTPUTS; i++) {
        f->share.outputs[i] = f->outputs[i];
        f->share.gradients[i] = f->gradients[i];
    }
    objective_evaluate(&f->config, &f->share, &sums);
    return sums;
}

/* For an output that goes through softplus, training uses softplus_slope(), which is at least 0.05,
 * in place of the true slope. Returns softplus_slope() divided by the true slope, or 1 for outputs
 * without softplus. */
static double floor_ratio(int output, size_t at, float raw) {
    if (output != HEAD_SCORE || at % 6 == 0 || at % 6 == 2) return 1;
    double x = at % 6 >= 4 ? 0.5 * (double)raw : (double)raw, s = 1 / (1 + exp(-x));
    return (0.05 + 0.95 * s) / s;
}

/* Outputs that a loss uses as constants, as a set of bits: bit i for number i of HEAD_SCORE, and
 * bit 6 for all of HEAD_VALUE. */
enum { LEARNS = 0, MEAN_GIVEN = 1 << 0, SCORES_GIVEN = (1 << 6) - 1, VALUE_GIVEN = 1 << 6 };

static bool is_given(int given, int output, size_t at) {
    return (output == HEAD_SCORE && (given >> at % 6 & 1)) ||
           (output == HEAD_VALUE && (given & VALUE_GIVEN));
}

/* Checks the gradients of all outputs. Those of the outputs in the set `given` must be 0, although
 * the loss depends on them. */
static void expect_slopes(Fixture *f, int given) {
    int moved = 0;
    for (int i = 0; i < OUTPUTS; i++) {
        /* one of many bins changes the loss little, so a small step would be lost in rounding */
        const float STEP = i == HEAD_SCORE_DISTRIBUTION ? 0.08f : 0.02f;
        for (size_t k = 0; f->outputs[i] && k < ROWS * SIZES[i]; k++) {
            if (i == HEAD_SCORE_DISTRIBUTION && (k % SCORE_BINS < 400 || k % SCORE_BINS > 440))
                continue;
            evaluate(f);
            float kept = f->outputs[i][k], slope = f->gradients[i][k];
            f->outputs[i][k] = kept + STEP;
            double more = evaluate(f).loss;
            f->outputs[i][k] = kept - STEP;
            double less = evaluate(f).loss;
            f->outputs[i][k] = kept;
            double wanted = is_given(given, i, k) ? 0 : (more - less) / (2 * (double)STEP);
            wanted *= floor_ratio(i, k, kept);
            EXPECT_NEAR(wanted, slope, 3e-4 + 4e-3 * fabs(wanted));
            moved += fabs(wanted) > 1e-3;
        }
    }
    EXPECT_TRUE(moved >= ROWS); /* the loss does something */
}

#define SLOPES(test, distribution, field, given)                                                   \
    TEST(test) {                                                                                   \
        Fixture f = make(distribution);                                                            \
        f.config.field = 1;                                                                        \
        expect_slopes(&f, given);                                                                  \
        clear(&f);                                                                                 \
    }
SLOPES(slopes_of_policy, false, policy, LEARNS)
TEST(slopes_of_policies_among_legal_moves) {
    Fixture f = make(false);
    Rng rng = rng_seeded(5);
    for (int n = 0; n < ROWS; n++) {
        float *policy = f.batch.policy + (size_t)n * 2 * (CELLS + 1);
        for (int i = 0; i < CELLS; i++) {
            int at = n * CELLS + i;
            float *planes = f.batch.planes + at * FEATURE_PLANES;
            planes[0] = f.batch.mask[at];
            /* Planes 1 and 2 are stones. A point that has only plane 3 is free. */
            planes[1 + rng_below(&rng, 3)] = f.batch.mask[at];
            if (i % 2) policy[i] = 0;
        }
        normalise(policy, CELLS + 1);
    }
    f.config.policy_legal = true;
    f.config.policy = 1;
    f.config.policy_l2 = 0.5;
    f.config.soft_policy = 0.25;
    expect_slopes(&f, LEARNS);
    int silent = 0;
    for (int at = 0; at < ROWS * CELLS; at++)
        silent += f.batch.mask[at] > 0 && f.gradients[HEAD_POLICY][at * P] == 0;
    EXPECT_TRUE(silent >= 10);
    clear(&f);
}
SLOPES(slopes_of_the_reply, false, opponent_policy, LEARNS)
SLOPES(slopes_of_the_soft_policy, false, soft_policy, LEARNS)
SLOPES(slopes_of_the_soft_reply, false, soft_opponent_policy, LEARNS)
SLOPES(slopes_of_value, false, value, LEARNS)
TEST(slopes_of_a_value_blended_with_the_search) {
    Fixture f = make(false);
    f.config.value = 1;
    f.config.value_l2 = 0.5;
    f.config.value_q = 0.6;
    expect_slopes(&f, LEARNS);
    clear(&f);
}
SLOPES(slopes_of_later_values, false, td_value, LEARNS)
SLOPES(slopes_of_ownership, false, ownership, LEARNS)
SLOPES(slopes_of_the_distribution, true, score_pdf, LEARNS)
SLOPES(slopes_of_the_distribution_function, true, score_cdf, LEARNS)
SLOPES(slopes_of_the_score, false, score_mean, LEARNS)
SLOPES(slopes_of_the_lead, false, lead, LEARNS)
SLOPES(slopes_of_the_deviation, false, score_stdev, MEAN_GIVEN)
SLOPES(slopes_of_a_distributions_deviation, true, score_stdev, LEARNS)
SLOPES(slopes_of_a_distributions_mean, true, score_mean_self, LEARNS)
SLOPES(slopes_of_variance_time, false, var_time, LEARNS)
SLOPES(slopes_of_shortterm_errors, false, shortterm_error, VALUE_GIVEN | MEAN_GIVEN)
SLOPES(slopes_of_the_long_optimistic_policy, false, long_optimistic_policy, SCORES_GIVEN)
SLOPES(slopes_of_the_optimistic_policy, false, optimistic_policy, SCORES_GIVEN | VALUE_GIVEN)

#define SLOPES_BY_AREA(test, distribution, field, given)                                           \
    TEST(test) {                                                                                   \
        Fixture f = make(distribution);                                                            \
        f.config.score_area = 49;                                                                  \
        f.config.field = 1;                                                                        \
        expect_slopes(&f, given);                                                                  \
        clear(&f);                                                                                 \
    }
SLOPES_BY_AREA(slopes_of_the_distribution_function_by_area, true, score_cdf, LEARNS)
SLOPES_BY_AREA(slopes_of_the_score_by_area, false, score_mean, LEARNS)
SLOPES_BY_AREA(slopes_of_the_lead_by_area, false, lead, LEARNS)
SLOPES_BY_AREA(slopes_of_the_deviation_by_area, false, score_stdev, MEAN_GIVEN)
SLOPES_BY_AREA(slopes_of_a_distributions_deviation_by_area, true, score_stdev, LEARNS)
SLOPES_BY_AREA(slopes_of_a_distributions_mean_by_area, true, score_mean_self, LEARNS)
SLOPES_BY_AREA(slopes_of_variance_time_by_area, false, var_time, LEARNS)

/* The weight of the score's short-term error relative to that of the value (KataGo). */
static const double SCORE_ERROR_SHARE = 1e-5;

/* The gradients of the score's short-term errors are so small that finite differences show them
 * only with a large weight of the loss. */
TEST(slopes_of_shortterm_errors_by_area) {
    Fixture f = make(false);
    f.config.score_area = 49;
    f.config.shortterm_error = (0.01 / SCORE_ERROR_SHARE);
    for (int n = 0; n < ROWS; n++) { /* makes the loss of the value's error 0 */
        float *to = f.batch.targets + n * ROW_GLOBAL_TARGETS + TARGET_TD_SHORT;
        to[0] = to[1] = 0;
        for (int i = 0; i < 3; i++)
            f.outputs[HEAD_VALUE][3 * n + i] = 0;
        f.outputs[HEAD_SCORE][6 * n + 4] = -40;
    }
    expect_slopes(&f, VALUE_GIVEN | MEAN_GIVEN | 1 << 4);
    clear(&f);
}

/* Returns whether `field` is the weight of a loss in points or turns, which score_area changes. */
static bool counts_points(const char *field) {
    static const char *const FIELDS[] = {"score_cdf", "score_mean", "score_stdev",
                                         "lead",      "var_time",   "score_mean_self"};
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
        if (strcmp(field, FIELDS[i]) == 0) return true;
    }
    return false;
}

/* Returns the metrics of this row alone, with this score_area. */
static Metrics evaluate_row_alone(Fixture *f, int row, float area) {
    float kept[ROWS];
    f->config.score_area = (double)area;
    for (int n = 0; n < ROWS; n++) {
        float *weight = f->batch.targets + n * ROW_GLOBAL_TARGETS + TARGET_WEIGHT;
        kept[n] = *weight;
        if (n != row) *weight = 0;
    }
    Metrics sums = evaluate(f);
    for (int n = 0; n < ROWS; n++)
        f->batch.targets[n * ROW_GLOBAL_TARGETS + TARGET_WEIGHT] = kept[n];
    return sums;
}

static void expect_weights_by_area(const SettingsField *field, bool distribution) {
    Fixture f = make(distribution);
    const SettingsGroup groups[] = {{"objective", OBJECTIVE_FIELDS, &f.config}, {0}};
    EXPECT_OK(settings_set(groups, field->name, "1", err));
    for (int n = 0; n < ROWS; n++) {
        double times = 49.0 / (EDGE * (EDGE - n));
        Metrics plain = evaluate_row_alone(&f, n, 0), by_area = evaluate_row_alone(&f, n, 49);
        double wanted = counts_points(field->name) ? times * plain.loss : plain.loss;
        if (strcmp(field->name, "shortterm_error") == 0)
            wanted =
                plain.shortterm_winloss + times * times * SCORE_ERROR_SHARE * plain.shortterm_score;
        bool is_there = distribution || (strcmp(field->name, "score_cdf") != 0 &&
                                         strcmp(field->name, "score_mean_self") != 0);
        if (counts_points(field->name)) EXPECT_INT(is_there, plain.loss > 0);
        EXPECT_NEAR(wanted, by_area.loss, 1e-6 * fabs(wanted));
        /* The metrics do not depend on score_area. */
        EXPECT_NEAR(plain.score_mean, by_area.score_mean, 0);
        EXPECT_NEAR(plain.score_stdev, by_area.score_stdev, 0);
        EXPECT_NEAR(plain.score_cdf, by_area.score_cdf, 0);
        EXPECT_NEAR(plain.lead, by_area.lead, 0);
        EXPECT_NEAR(plain.var_time, by_area.var_time, 0);
        EXPECT_NEAR(plain.shortterm_score, by_area.shortterm_score, 0);
    }
    clear(&f);
}

/* The boards have 25, 20 and 15 points. */
TEST(losses_in_points_weigh_by_the_area) {
    for (const SettingsField *field = OBJECTIVE_FIELDS; field->name; field++) {
        if (field->type != FIELD_TYPE_DOUBLE || strcmp(field->name, "score_area") == 0 ||
            strcmp(field->name, "huber_delta") == 0)
            continue;
        expect_weights_by_area(field, false);
        expect_weights_by_area(field, true);
    }
}

/* A score is the area times a mean over the board. With score_area = 49, the gradient with respect
 * to this mean is on every board the same as on a board of 49 points. */
TEST(slopes_of_a_mean_over_the_board_are_alike_on_all) {
    Fixture f = make(false);
    double slopes[ROWS];
    f.config.score_mean = 1;
    f.config.score_area = 49;
    for (int n = 0; n < ROWS; n++) {
        float *targets = f.batch.targets + n * ROW_GLOBAL_TARGETS;
        targets[TARGET_WEIGHT] = targets[TARGET_WEIGHT_BOARD] = 1;
        targets[TARGET_SCORE] = 300; /* far off, where the loss is linear */
    }
    evaluate(&f);
    for (int n = 0; n < ROWS; n++) /* d loss / d mean = d loss / d score * area */
        slopes[n] = (double)f.gradients[HEAD_SCORE][6 * n] * (EDGE * (EDGE - n));
    EXPECT_NEAR(49 * -12 * SCORE_MULTIPLIERS.mean, slopes[0], 1e-2);
    for (int n = 1; n < ROWS; n++)
        EXPECT_NEAR(slopes[0], slopes[n], 1e-3 * fabs(slopes[0]));
    clear(&f);
}

TEST(short_term_errors_have_gradients_only_for_themselves) {
    Fixture f = make(false);
    f.config.shortterm_error = 1;
    evaluate(&f);
    for (int n = 0; n < ROWS; n++) {
        for (int i = 0; i < 3; i++)
            EXPECT_NEAR(0, f.gradients[HEAD_VALUE][3 * n + i], 0);
        for (int i = 0; i < 4; i++)
            EXPECT_NEAR(0, f.gradients[HEAD_SCORE][6 * n + i], 0);
        EXPECT_TRUE(fabsf(f.gradients[HEAD_SCORE][6 * n + 4]) > 1e-6f);
    }
    clear(&f);
}

static double logistic(double x) {
    return 1 / (1 + exp(-x));
}

static double within01(double x) {
    return fmin(fmax(x, 0), 1);
}

/* With all outputs 0, the net predicts an even game and the score 0 with a standard deviation of 20
 * log 2 points. It expects errors of sqrt(0.25) log 2 in the value and sqrt(150) log 2 in the
 * score. It gives all moves the same probability. */
TEST(optimistic_policies_follow_what_was_better_than_expected) {
    Fixture f = make(false);
    double by_end = 0, by_next = 0;
    for (int i = 0; i < OUTPUTS; i++)
        if (f.outputs[i]) memset(f.outputs[i], 0, ROWS * SIZES[i] * sizeof(float));
    f.batch.targets[TARGET_TD_SHORT + 3] = 40; /* far more points than expected */
    for (int n = 0; n < ROWS; n++) {
        const float *t = f.batch.targets + n * ROW_GLOBAL_TARGETS, *next = t + TARGET_TD_SHORT;
        double w = (double)(t[TARGET_WEIGHT] * t[TARGET_WEIGHT_POLICY] * t[TARGET_WEIGHT_BOARD]);
        double win = (double)t[TARGET_FINAL] + 0.5 * (double)t[TARGET_FINAL + 2], two = log(2);
        double end = 7.5 / sqrt(400 * two * two + 0.25);
        double value = (double)(next[0] - next[1]) / sqrt(0.25 * two * two + 1e-4);
        double score = (double)next[3] / sqrt(150 * two * two + 0.25);
        double loss = w * log(1 + EDGE * (EDGE - n));
        by_end += loss * within01(win * win + logistic(3 * (end - 1.5)));
        by_next += loss * within01(logistic(3 * (value - 1.5)) + logistic(3 * (score - 1.5)));
    }
    f.config = (ObjectiveSettings){.long_optimistic_policy = 1};
    EXPECT_NEAR(by_end, evaluate(&f).loss, 1e-5);
    f.config = (ObjectiveSettings){.optimistic_policy = 3};
    EXPECT_NEAR(3 * by_next, evaluate(&f).loss, 1e-5);
    for (int i = 0; i < OUTPUTS; i++) {
        for (size_t k = 0; f.gradients[i] && k < ROWS * SIZES[i]; k++) {
            bool mine = (i == HEAD_POLICY || i == HEAD_PASS) && k % P == POLICY_OPTIMISTIC;
            if (!mine) EXPECT_NEAR(0, f.gradients[i][k], 0);
        }
    }
    EXPECT_TRUE(by_next > 0.1 && fabsf(f.gradients[HEAD_PASS][POLICY_OPTIMISTIC]) > 1e-3f);
    clear(&f);
}

/* The soft target is proportional to the 4th root of the target: 81, 16 and 1 become 3, 2 and 1. */
TEST(soft_targets_are_flatter) {
    Fixture f = make(false);
    float *target = f.batch.policy + 2 * 2 * (CELLS + 1); /* the row of 3 x 5 points */
    memset(target, 0, (CELLS + 1) * sizeof *target);
    for (int i = 0; i < CELLS; i++)
        target[i] = f.batch.mask[2 * CELLS + i] / 112;
    target[0] = 81.0f / 112, target[CELLS] = 16.0f / 112;
    target[1] = 2.0f / 112; /* the other 13 points have 1 / 112 each */
    f.config = (ObjectiveSettings){.soft_policy = 1};
    for (int i = 0; i < OUTPUTS; i++)
        if (f.outputs[i]) memset(f.outputs[i], 0, ROWS * SIZES[i] * sizeof(float));
    evaluate(&f);
    const float *t = f.batch.targets + 2 * ROW_GLOBAL_TARGETS;
    double w = (double)(t[TARGET_WEIGHT] * t[TARGET_WEIGHT_POLICY]),
           sum = 3 + 2 + 13 + pow(2, 0.25);
    const float *slope = f.gradients[HEAD_POLICY] + 2 * P * CELLS;
    EXPECT_NEAR(w * (1.0 / 16 - 3 / sum), slope[POLICY_SOFT], 1e-4);
    EXPECT_NEAR(w * (1.0 / 16 - pow(2, 0.25) / sum), slope[P + POLICY_SOFT], 1e-4);
    EXPECT_NEAR(w * (1.0 / 16 - 2 / sum), f.gradients[HEAD_PASS][2 * P + POLICY_SOFT], 1e-4);
    clear(&f);
}

TEST(nets_with_fewer_policies_learn_only_these) {
    Fixture f = make(false);
    f.config = (ObjectiveSettings){
        .policy = 1, .opponent_policy = 1, .soft_policy = 1, .optimistic_policy = 1};
    f.policies = 2;
    Metrics sums = evaluate(&f);
    EXPECT_TRUE(sums.policy > 0 && sums.opponent_policy > 0);
    EXPECT_NEAR(0, sums.soft_policy, 0);
    EXPECT_NEAR(0, sums.optimistic_policy, 0);
    expect_slopes(&f, LEARNS);
    clear(&f);
}

/* In a net without the pass, the other moves share the probability of the pass. */
TEST(nets_without_the_pass_learn_the_other_moves) {
    Fixture f = make(false);
    f.config = (ObjectiveSettings){.policy = 1,
                                   .opponent_policy = 0.3,
                                   .soft_policy = 0.5,
                                   .policy_l2 = 0.5,
                                   .policy_best = 0.2};
    free(f.outputs[HEAD_PASS]);
    free(f.gradients[HEAD_PASS]);
    f.outputs[HEAD_PASS] = f.gradients[HEAD_PASS] = NULL;
    expect_slopes(&f, LEARNS);
    f.config = (ObjectiveSettings){.policy = 1};
    memset(f.outputs[HEAD_POLICY], 0, ROWS * SIZES[HEAD_POLICY] * sizeof(float));
    double policy = 0, entropy = 0, uniform = 0;
    for (int n = 0; n < ROWS; n++) {
        const float *t = f.batch.targets + n * ROW_GLOBAL_TARGETS;
        float *moves = f.batch.policy + (size_t)n * 2 * (CELLS + 1);
        double w = (double)(t[TARGET_WEIGHT] * t[TARGET_WEIGHT_POLICY]), points = EDGE * (EDGE - n);
        memset(moves, 0, (CELLS + 1) * sizeof *moves);
        moves[CELLS] = n == 2 ? 1 : 0.5f; /* all of the last row's target is the pass */
        moves[0] = n == 2 ? 0 : 0.125f;
        moves[EDGE] = n == 2 ? 0 : 0.375f;
        policy += n == 2 ? 0 : w * log(points);
        entropy += n == 2 ? 0 : w * (-0.25 * log(0.25) - 0.75 * log(0.75));
        uniform += n == 2 ? 0 : w * log(points);
    }
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(policy, sums.policy, 1e-5);
    EXPECT_NEAR(policy, sums.loss, 1e-5);
    EXPECT_NEAR(entropy, sums.policy_entropy_target, 1e-5);
    EXPECT_NEAR(uniform, sums.policy_uniform, 1e-5);
    for (size_t k = 0; k < SIZES[HEAD_POLICY]; k++)
        EXPECT_NEAR(0, f.gradients[HEAD_POLICY][2 * SIZES[HEAD_POLICY] + k], 0);
    clear(&f);
}

/* If several moves are the best of the policy, the first of them counts. */
TEST(the_best_move_without_the_pass) {
    Fixture f = make(false);
    double right = 0;
    free(f.outputs[HEAD_PASS]);
    free(f.gradients[HEAD_PASS]);
    f.outputs[HEAD_PASS] = f.gradients[HEAD_PASS] = NULL;
    memset(f.outputs[HEAD_POLICY], 0, ROWS * SIZES[HEAD_POLICY] * sizeof(float));
    for (int n = 0; n < ROWS; n++) {
        const float *t = f.batch.targets + n * ROW_GLOBAL_TARGETS;
        float *moves = f.batch.policy + (size_t)n * 2 * (CELLS + 1);
        memset(moves, 0, (CELLS + 1) * sizeof *moves);
        moves[n == 1 ? EDGE : 0] = 1;
        if (n != 1) right += (double)(t[TARGET_WEIGHT] * t[TARGET_WEIGHT_POLICY]);
    }
    EXPECT_NEAR(right, evaluate(&f).policy_accuracy, 1e-6);
    clear(&f);
}

/* A net without the value has no loss of the value. The other losses are as before. */
TEST(nets_without_the_value_learn_the_rest) {
    Fixture f = make(false);
    f.config = (ObjectiveSettings){.policy = 1, .ownership = 1, .value = 1, .td_value = 1};
    Metrics all = evaluate(&f);
    free(f.outputs[HEAD_VALUE]);
    free(f.gradients[HEAD_VALUE]);
    f.outputs[HEAD_VALUE] = f.gradients[HEAD_VALUE] = NULL;
    Metrics sums = evaluate(&f);
    EXPECT_TRUE(all.value > 0 && all.td_value > 0);
    EXPECT_NEAR(0, sums.value, 0);
    EXPECT_NEAR(all.loss - all.value - all.td_value, sums.loss, 1e-4);
    EXPECT_NEAR(all.policy, sums.policy, 0);
    expect_slopes(&f, LEARNS);
    clear(&f);
}

TEST(losses_by_hand) {
    Fixture f = make(true);
    double weight = 0, policy = 0, value = 0, ownership = 0, pdf = 0, mean = 0;
    for (int i = 0; i < OUTPUTS; i++)
        memset(f.outputs[i], 0, ROWS * SIZES[i] * sizeof(float));
    f.config = (ObjectiveSettings){.policy = 2, .huber_delta = 5};
    Metrics sums = evaluate(&f);
    for (int n = 0; n < ROWS; n++) {
        const float *t = f.batch.targets + n * ROW_GLOBAL_TARGETS;
        double w = (double)t[TARGET_WEIGHT], board = w * (double)t[TARGET_WEIGHT_BOARD];
        weight += w;
        /* the policy gives all moves the same probability */
        policy += w * (double)t[TARGET_WEIGHT_POLICY] * log(1 + EDGE * (EDGE - n));
        value += w * (1 - (double)t[TARGET_NO_VALUE]) * log(3);
        ownership += board * log(2);
        pdf += board * log(SCORE_BINS);
        mean += board * (0.5 * 25 + 5 * 2.5); /* the error is 7.5; the loss is linear from 5 on */
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

/* All logits are 0 except that of the pass, which is 1. On a board of n points, the pass has the
 * probability p = e / (e + n), and each point q = 1 / (e + n). */
TEST(metrics_of_the_policy_by_hand) {
    Fixture f = make(false);
    double above = 0, search = 0, entropy = 0, uniform = 0, weights = 0;
    for (int i = 0; i < OUTPUTS; i++)
        if (f.outputs[i]) memset(f.outputs[i], 0, ROWS * SIZES[i] * sizeof(float));
    for (int n = 0; n < ROWS; n++) {
        const float *t = f.batch.targets + n * ROW_GLOBAL_TARGETS;
        float *policy = f.batch.policy + (size_t)n * 2 * (CELLS + 1);
        double points = EDGE * (EDGE - n), p = exp(1) / (exp(1) + points), q = p / exp(1),
               w = (double)(t[TARGET_WEIGHT] * t[TARGET_WEIGHT_POLICY]);
        memset(policy, 0, (CELLS + 1) * sizeof *policy);
        policy[n ? 0 : CELLS] = 1; /* the best move of the first row is the pass, else a point */
        f.outputs[HEAD_PASS][n * P] = 1;
        above += w * ((n ? q : p) > 0.05);
        search += w / ((n ? q : p) + 0.003);
        entropy += w * (-p * log(p) - points * q * log(q));
        uniform += w * (-(log(p) + points * log(q)) / (points + 1));
        weights += (double)t[TARGET_WEIGHT];
    }
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(weights, sums.rows, 1e-6);
    EXPECT_NEAR(above, sums.policy_above_5, 1e-5);
    EXPECT_NEAR(search, sums.search_policy, 1e-3);
    EXPECT_NEAR(entropy, sums.policy_entropy, 1e-4);
    EXPECT_NEAR(uniform, sums.policy_uniform, 1e-4);
    EXPECT_TRUE(sums.policy_above_1 >= sums.policy_above_2 &&
                sums.policy_above_5 >= sums.policy_above_10);
    clear(&f);
}

TEST(smooth_means_follow_the_metrics) {
    Metrics mean = {0}, now = {.rows = 256, .loss = 4, .policy_above_2 = 0.5, .learning_rate = 3};
    metrics_smooth(&mean, &now, 0.1);
    EXPECT_NEAR(4, mean.loss, 0);
    now.loss = 6;
    now.policy_above_2 = 1;
    metrics_smooth(&mean, &now, 0.1);
    EXPECT_NEAR(4.2, mean.loss, 1e-12);
    EXPECT_NEAR(0.55, mean.policy_above_2, 1e-12);
    EXPECT_NEAR(3, mean.learning_rate, 0);
}

TEST(what_is_off_the_board_does_not_matter) {
    Fixture f = make(true);
    settings_defaults(OBJECTIVE_FIELDS, &f.config);
    double before = evaluate(&f).loss;
    for (int i = 0; i < CELLS; i++) {
        if (f.batch.mask[CELLS + i] != 0) continue;
        for (int k = 0; k < P; k++)
            f.outputs[HEAD_POLICY][P * (CELLS + i) + k] = 50;
        f.outputs[HEAD_OWNERSHIP][CELLS + i] = 50;
        for (int k = 0; k < P; k++)
            EXPECT_NEAR(0, f.gradients[HEAD_POLICY][P * (CELLS + i) + k], 0);
        EXPECT_NEAR(0, f.gradients[HEAD_OWNERSHIP][CELLS + i], 0);
    }
    EXPECT_NEAR(before, evaluate(&f).loss, 0);
    clear(&f);
}

/* KataGo's nets of version 12 have two policies: the policy of the mover's move and the optimistic
 * policy. Their gradients must be those of the same two policies in our own nets, and the other
 * policies are not learned. */
TEST(policies_of_katagos_nets_learn_their_own_targets) {
    ModelFormat katago = {.version = 12};
    Fixture f = make(false);
    float policy[ROWS * CELLS * 2], pass[ROWS * 2];
    float slopes[ROWS * CELLS * 2], pass_slopes[ROWS * 2];
    const int OURS[] = {POLICY_OWN, POLICY_OPTIMISTIC};
    f.config.policy = f.config.opponent_policy = f.config.soft_policy = 1;
    f.config.optimistic_policy = 0.5;
    evaluate(&f);
    for (int i = 0; i < ROWS * CELLS * 2; i++)
        policy[i] = f.outputs[HEAD_POLICY][i / 2 * P + OURS[i % 2]];
    for (int i = 0; i < ROWS * 2; i++)
        pass[i] = f.outputs[HEAD_PASS][i / 2 * P + OURS[i % 2]];
    ObjectiveShard shard = f.share;
    shard.policies = model_format_policies(&katago, 2);
    shard.outputs[HEAD_POLICY] = policy;
    shard.outputs[HEAD_PASS] = pass;
    shard.gradients[HEAD_POLICY] = slopes;
    shard.gradients[HEAD_PASS] = pass_slopes;
    Metrics sums = {0};
    objective_evaluate(&f.config, &shard, &sums);
    EXPECT_NEAR(0, sums.opponent_policy + sums.soft_policy, 0);
    for (int i = 0; i < ROWS * CELLS * 2; i++) {
        float ours = f.gradients[HEAD_POLICY][i / 2 * P + OURS[i % 2]];
        EXPECT_NEAR(ours, slopes[i], 1e-7);
    }
    for (int i = 0; i < ROWS * 2; i++)
        EXPECT_NEAR(f.gradients[HEAD_PASS][i / 2 * P + OURS[i % 2]], pass_slopes[i], 1e-7);
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

TEST_MAIN(RUN(slopes_of_policy), RUN(slopes_of_policies_among_legal_moves),
          RUN(slopes_of_the_reply), RUN(slopes_of_the_soft_policy), RUN(slopes_of_the_soft_reply),
          RUN(optimistic_policies_follow_what_was_better_than_expected),
          RUN(soft_targets_are_flatter), RUN(nets_with_fewer_policies_learn_only_these),
          RUN(nets_without_the_pass_learn_the_other_moves), RUN(the_best_move_without_the_pass),
          RUN(nets_without_the_value_learn_the_rest), RUN(slopes_of_value),
          RUN(slopes_of_a_value_blended_with_the_search), RUN(slopes_of_later_values),
          RUN(slopes_of_ownership), RUN(slopes_of_the_distribution),
          RUN(slopes_of_the_distribution_function), RUN(slopes_of_the_score),
          RUN(slopes_of_the_lead), RUN(slopes_of_the_deviation),
          RUN(slopes_of_a_distributions_deviation), RUN(slopes_of_a_distributions_mean),
          RUN(slopes_of_a_distributions_mean_by_area), RUN(slopes_of_variance_time),
          RUN(slopes_of_shortterm_errors), RUN(slopes_of_the_long_optimistic_policy),
          RUN(slopes_of_the_optimistic_policy), RUN(slopes_of_the_distribution_function_by_area),
          RUN(slopes_of_the_score_by_area), RUN(slopes_of_the_lead_by_area),
          RUN(slopes_of_the_deviation_by_area), RUN(slopes_of_a_distributions_deviation_by_area),
          RUN(slopes_of_variance_time_by_area), RUN(slopes_of_shortterm_errors_by_area),
          RUN(losses_in_points_weigh_by_the_area),
          RUN(slopes_of_a_mean_over_the_board_are_alike_on_all),
          RUN(short_term_errors_have_gradients_only_for_themselves), RUN(losses_by_hand),
          RUN(metrics_of_the_policy_by_hand), RUN(smooth_means_follow_the_metrics),
          RUN(what_is_off_the_board_does_not_matter),
          RUN(policies_of_katagos_nets_learn_their_own_targets), RUN(sums_become_means))
