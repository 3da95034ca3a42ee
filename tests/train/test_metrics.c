/* Metrics beside the losses, worked out by hand:
 *   - fractions of rows as lczero-training's tfprocess.py and GoNN's train.py count them
 *   - the excess of the policy's loss over the entropy of the target, and the perplexity
 *   - the accuracy, squared error and logits of the value. */
#include "eval/arch/heads.h"
#include "test.h"
#include "train/objective.h"

enum { EDGE = 3, CELLS = EDGE * EDGE, MOVES = CELLS + 1, P = POLICY_REPLY + 1, ROWS = 6 };

typedef struct {
    Batch batch;
    float policy[ROWS][CELLS][P], pass[ROWS][P], value[ROWS][3], score[ROWS][6];
    float ownership[ROWS][CELLS];
    float gradients[HEAD_OWNERSHIP + 1][ROWS * CELLS * P];
    Metrics sums;
} Fixture;

/* Row n has the weight 2^n, so that a sum of weights shows which rows are in it. */
static Fixture *make(void) {
    Fixture *f = calloc(1, sizeof *f);
    EXPECT_OK(batch_init(&f->batch, ROWS, EDGE, err));
    f->batch.count = ROWS;
    for (int n = 0; n < ROWS; n++) {
        float *targets = f->batch.targets + n * ROW_GLOBAL_TARGETS;
        targets[TARGET_WEIGHT] = (float)(1 << n);
        targets[TARGET_WEIGHT_POLICY] = 1;
        targets[TARGET_FINAL] = 1;
        for (int i = 0; i < CELLS; i++)
            f->batch.mask[n * CELLS + i] = 1;
        f->batch.policy[n * 2 * MOVES] = 1; /* the best move is the first point */
    }
    return f;
}

static void clear(Fixture *f) {
    batch_clear(&f->batch);
    free(f);
}

static Metrics evaluate(Fixture *f) {
    const ObjectiveSettings config = {.huber_delta = 12};
    ObjectiveShard share = {.batch = &f->batch,
                            .count = ROWS,
                            .policies = model_format_policies(&MODEL_FORMAT_DEFAULT, P)};
    const float *const OUTPUTS[] = {&f->policy[0][0][0], &f->pass[0][0], &f->value[0][0],
                                    &f->score[0][0], &f->ownership[0][0]};
    Metrics sums = {0};
    for (int i = 0; i <= HEAD_OWNERSHIP; i++) {
        share.outputs[i] = OUTPUTS[i];
        share.gradients[i] = f->gradients[i];
    }
    objective_evaluate(&config, &share, &sums);
    return sums;
}

/* Lets the net give the probability `best` to the first point. Of the rest, each other point gets a
 * tenth, and the pass gets what is left. */
static void say_policy(Fixture *f, int row, double best) {
    double rest = (1 - best) / 10;
    for (int i = 0; i < CELLS; i++)
        f->policy[row][i][POLICY_OWN] = (float)log(i ? rest : best);
    f->pass[row][POLICY_OWN] = (float)log(1 - best - (CELLS - 1) * rest);
}

TEST(fractions_of_rows_by_the_probability_of_the_best_move) {
    static const double BEST[ROWS] = {0.009, 0.015, 0.03, 0.07, 0.14, 0.5};
    Fixture *f = make();
    for (int n = 0; n < ROWS; n++)
        say_policy(f, n, BEST[n]);
    f->batch.targets[5 * ROW_GLOBAL_TARGETS + TARGET_WEIGHT_POLICY] = 0.5f;
    Metrics sums = evaluate(f);
    EXPECT_NEAR(63, sums.rows, 0);
    EXPECT_NEAR(2 + 4 + 8 + 16 + 16, sums.policy_above_1, 1e-9);
    EXPECT_NEAR(4 + 8 + 16 + 16, sums.policy_above_2, 1e-9);
    EXPECT_NEAR(8 + 16 + 16, sums.policy_above_5, 1e-9);
    EXPECT_NEAR(16 + 16, sums.policy_above_10, 1e-9);
    EXPECT_NEAR(16, sums.policy_accuracy, 1e-9); /* in all other rows the pass has more */
    clear(f);
}

/* In row n the best move is the first point, and n other points have a higher probability. Points
 * with the same probability as the best move do not count: the last row has nine of them. */
TEST(the_best_move_among_the_first_four) {
    Fixture *f = make();
    for (int n = 0; n < ROWS; n++) {
        for (int i = 0; i < CELLS; i++)
            f->policy[n][i][POLICY_OWN] = n == ROWS - 1 ? 1 : i >= 1 && i <= n ? 2.5f : 1;
    }
    EXPECT_NEAR(1 + 2 + 4 + 8 + 32, evaluate(f).policy_top_4, 1e-9);
    f->batch.targets[3 * ROW_GLOBAL_TARGETS + TARGET_WEIGHT_POLICY] = 0.25f;
    EXPECT_NEAR(1 + 2 + 4 + 2 + 32, evaluate(f).policy_top_4, 1e-9);
    clear(f);
}

static const MetricField *field_named(const char *name) {
    for (const MetricField *field = METRIC_FIELDS; field->name; field++) {
        if (strcmp(field->name, name) == 0) return field;
    }
    fail_msg("there is no metric %s", name);
    return NULL;
}

/* The perplexity is e to the mean cross entropy. Means of several batches are taken of the cross
 * entropy, and not of the perplexity. */
TEST(perplexity_belongs_to_the_mean_loss) {
    static const double BEST[ROWS] = {0.9, 0.5, 0.4, 0.3, 0.2, 0.1};
    const MetricField *perplexity = field_named("policy.perplexity");
    Fixture *f = make();
    double product = 1, weights = 63;
    for (int n = 0; n < ROWS; n++) {
        say_policy(f, n, BEST[n]);
        product *= pow(BEST[n], -(1 << n) / weights); /* a weighted geometric mean of 1 / p */
    }
    Metrics sums = evaluate(f), mean = {0}, other = {.rows = 1, .policy = log(8)};
    metrics_divide(&sums);
    EXPECT_NEAR(product, metrics_value(&sums, perplexity), 1e-4);
    metrics_smooth(&mean, &sums, 0.5);
    metrics_smooth(&mean, &other, 0.5);
    EXPECT_NEAR(sqrt(product * 8), metrics_value(&mean, perplexity), 1e-4);
    clear(f);
}

/* The logit of a win minus that of a loss is n in row n. The logit of no result does not matter.
 * The metric is the square root of the mean of the squares. */
TEST(the_size_of_the_values_logits) {
    const MetricField *rms = field_named("value.logit_rms");
    Fixture *f = make();
    double squares = 0;
    for (int n = 0; n < ROWS; n++) {
        f->value[n][0] = (float)(1 + n);
        f->value[n][1] = 1;
        f->value[n][2] = (float)-n;
        squares += (1 << n) * n * n;
    }
    Metrics sums = evaluate(f), mean = {0}, other = {.rows = 1, .value_logit_squared = 9};
    metrics_divide(&sums);
    EXPECT_NEAR(sqrt(squares / 63), metrics_value(&sums, rms), 1e-9);
    metrics_smooth(&mean, &sums, 0.25);
    metrics_smooth(&mean, &other, 0.25);
    EXPECT_NEAR(sqrt(0.75 * squares / 63 + 0.25 * 9), metrics_value(&mean, rms), 1e-9);
    clear(f);
}

/* The targets give 3/4 and 1/4 to two moves. The loss minus the entropy of the target is the
 * Kullback-Leibler divergence. */
TEST(the_policy_loss_over_the_targets_entropy) {
    Fixture *f = make();
    double divergence = 0;
    for (int n = 0; n < ROWS; n++) {
        float *target = f->batch.policy + n * 2 * MOVES;
        double best = 0.1 * (n + 1), second = (1 - best) / 10;
        say_policy(f, n, best);
        target[0] = 0.75f;
        target[1] = 0.25f;
        divergence += (1 << n) * (0.75 * log(0.75 / best) + 0.25 * log(0.25 / second));
    }
    Metrics sums = evaluate(f);
    EXPECT_NEAR(divergence, sums.policy_over_entropy, 1e-4);
    EXPECT_NEAR(sums.policy - sums.policy_entropy_target, sums.policy_over_entropy, 1e-9);
    clear(f);
}

/* The predicted probabilities of win, loss and no result, the outcome, and whether the most likely
 * prediction is the outcome. In the second row the net expects a loss, and in the fourth row no
 * result, but both games are won. The last row is a draw, which is half a win and half a loss. */
static const struct {
    float said[3], came[3];
    bool found;
} VALUES[ROWS] = {
    {{0.6f, 0.3f, 0.1f}, {1, 0, 0}, true}, {{0.3f, 0.6f, 0.1f}, {1, 0, 0}, false},
    {{0.2f, 0.3f, 0.5f}, {0, 0, 1}, true}, {{0.3f, 0.2f, 0.5f}, {1, 0, 0}, false},
    {{0.2f, 0.7f, 0.1f}, {0, 1, 0}, true}, {{0.5f, 0.3f, 0.2f}, {0.5f, 0.5f, 0}, true}};

TEST(the_most_likely_outcome_and_the_squared_error) {
    Fixture *f = make();
    double found = 0, squared = 0;
    for (int n = 0; n < ROWS; n++) {
        const float *said = VALUES[n].said, *came = VALUES[n].came;
        double away = (double)(said[0] - said[1] - (came[0] - came[1]));
        for (int i = 0; i < 3; i++) {
            f->value[n][i] = logf(said[i]);
            f->batch.targets[n * ROW_GLOBAL_TARGETS + TARGET_FINAL + i] = came[i];
        }
        found += VALUES[n].found * (1 << n);
        squared += away * away / 4 * (1 << n);
    }
    EXPECT_NEAR(1 + 4 + 16 + 32, found, 0);
    EXPECT_NEAR(found, evaluate(f).value_accuracy, 1e-9);
    EXPECT_NEAR(squared, evaluate(f).value_squared, 1e-5);
    f->batch.targets[4 * ROW_GLOBAL_TARGETS + TARGET_NO_VALUE] = 1;
    EXPECT_NEAR(1 + 4 + 32, evaluate(f).value_accuracy, 1e-9);
    clear(f);
}

TEST_MAIN(RUN(fractions_of_rows_by_the_probability_of_the_best_move),
          RUN(the_best_move_among_the_first_four), RUN(perplexity_belongs_to_the_mean_loss),
          RUN(the_size_of_the_values_logits), RUN(the_policy_loss_over_the_targets_entropy),
          RUN(the_most_likely_outcome_and_the_squared_error))
