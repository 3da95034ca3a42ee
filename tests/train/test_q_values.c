/* The losses of the values of moves, worked out by hand, and their gradients against finite
 * differences. */
#include "base/rng.h"
#include "eval/arch/heads.h"
#include "test.h"
#include "train/objective.h"

enum { EDGE = 4, CELLS = EDGE * EDGE, MOVES = CELLS + 1, ROWS = 2, P = POLICY_CHANNELS_MAX };
static const size_t SIZES[HEAD_SCORE_DISTRIBUTION] = {P * CELLS, P, 3, 6, CELLS};

typedef struct {
    Batch batch;
    float *outputs[HEAD_COUNT], *gradients[HEAD_COUNT];
    ObjectiveSettings config;
} Fixture;

/* Fills a row in which about half of the moves have visits. Row 0 has a board of 4 x 4 points, and
 * row 1 one of 3 x 4. */
static void fill_row(Batch *batch, int n, Rng *rng) {
    float *targets = batch->targets + n * ROW_GLOBAL_TARGETS;
    for (int i = 0; i < MOVES; i++) {
        float *move = batch->q_values + (n * MOVES + i) * BATCH_Q_VALUES;
        bool on = i == CELLS || i % EDGE < EDGE - n;
        if (i < CELLS) batch->mask[n * CELLS + i] = on;
        if (!on || rng_below(rng, 2)) continue;
        move[0] = (float)(2 * rng_uniform(rng) - 1);
        move[1] = (float)(60 * rng_uniform(rng) - 30);
        move[2] = (float)(1 + rng_below(rng, 40));
    }
    for (int c = 0; c < 2; c++)
        batch->policy[(n * 2 + c) * MOVES + CELLS] = 1;
    batch->score[n * SCORE_BINS + SCORE_BINS_HALF] = 1;
    targets[TARGET_WEIGHT] = 0.5f + 0.5f * (float)rng_uniform(rng);
}

static Fixture make(void) {
    Fixture f = {.config = {.huber_delta = 12}};
    Rng rng = rng_seeded(3);
    EXPECT_OK(batch_init(&f.batch, ROWS, EDGE, err));
    EXPECT_OK(batch_add_q_values(&f.batch, err));
    for (int n = 0; n < ROWS; n++)
        fill_row(&f.batch, n, &rng);
    for (int i = 0; i < HEAD_SCORE_DISTRIBUTION; i++) {
        f.outputs[i] = calloc(ROWS * SIZES[i], sizeof(float));
        f.gradients[i] = calloc(ROWS * SIZES[i], sizeof(float));
        for (size_t k = 0; k < ROWS * SIZES[i]; k++)
            f.outputs[i][k] = (float)(2 * rng_uniform(&rng) - 1);
    }
    return f;
}

static void clear(Fixture *f) {
    for (int i = 0; i < HEAD_COUNT; i++) {
        free(f->outputs[i]);
        free(f->gradients[i]);
    }
    batch_clear(&f->batch);
}

static Metrics evaluate(Fixture *f, int rows) {
    Metrics sums = {0};
    ObjectiveShard share = {.batch = &f->batch,
                            .count = rows,
                            .policies = model_format_policies(&MODEL_FORMAT_DEFAULT, P)};
    memcpy(share.outputs, (const float *const *)(const void *)f->outputs, sizeof f->outputs);
    memcpy(share.gradients, f->gradients, sizeof f->gradients);
    objective_evaluate(&f->config, &share, &sums);
    return sums;
}

/* Checks the gradients of all policy outputs. Only moves with visits have a gradient, and only in
 * this channel. */
static void expect_slopes(Fixture *f, int channel) {
    const float STEP = 0.01f;
    int moved = 0;
    for (int n = 0; n < ROWS; n++) {
        for (int i = 0; i < MOVES * P; i++) {
            bool pass = i >= CELLS * P;
            int output = pass ? HEAD_PASS : HEAD_POLICY,
                at = pass ? n * P + i - CELLS * P : n * CELLS * P + i;
            evaluate(f, ROWS);
            float kept = f->outputs[output][at], slope = f->gradients[output][at];
            f->outputs[output][at] = kept + STEP;
            double more = evaluate(f, ROWS).loss;
            f->outputs[output][at] = kept - STEP;
            double less = evaluate(f, ROWS).loss;
            f->outputs[output][at] = kept;
            double wanted = (more - less) / (2 * (double)STEP);
            EXPECT_NEAR(wanted, slope, 2e-4 + 2e-3 * fabs(wanted));
            bool known = f->batch.q_values[(n * MOVES + i / P) * BATCH_Q_VALUES + 2] > 0;
            EXPECT_TRUE((fabsf(slope) > 1e-5f) == (known && i % P == channel));
            moved += fabs(wanted) > 1e-3;
        }
    }
    EXPECT_TRUE(moved > MOVES / 2);
}

TEST(slopes_of_values_of_moves) {
    Fixture f = make();
    f.config.q_winloss = 1;
    expect_slopes(&f, POLICY_Q_WINLOSS);
    clear(&f);
}

TEST(slopes_of_scores_of_moves) {
    Fixture f = make();
    f.config.q_score = 1;
    expect_slopes(&f, POLICY_Q_SCORE);
    clear(&f);
}

/* The loss of the scores of moves is in points, so score_area = 49 multiplies it by 49 / 16 on 16
 * points and by 49 / 12 on 12 points. The loss of win - loss does not change. */
TEST(scores_of_moves_weigh_by_the_area) {
    Fixture f = make();
    f.config.q_score = 1;
    f.config.score_area = 49;
    expect_slopes(&f, POLICY_Q_SCORE);
    for (int row = 0; row < ROWS; row++) {
        Fixture alone = make();
        alone.batch.targets[(1 - row) * ROW_GLOBAL_TARGETS + TARGET_WEIGHT] = 0;
        alone.config.q_score = 1;
        Metrics plain = evaluate(&alone, ROWS);
        alone.config.score_area = 49;
        Metrics by_area = evaluate(&alone, ROWS);
        double wanted = plain.loss * 49 / (EDGE * (EDGE - row));
        EXPECT_TRUE(plain.loss > 0);
        EXPECT_NEAR(wanted, by_area.loss, 1e-6 * wanted);
        EXPECT_NEAR(plain.q_score, by_area.q_score, 0); /* the metric does not change */
        alone.config.q_score = 0;
        alone.config.q_winloss = 1;
        double wins = evaluate(&alone, ROWS).loss;
        alone.config.score_area = 0;
        EXPECT_NEAR(evaluate(&alone, ROWS).loss, wins, 0);
        clear(&alone);
    }
    clear(&f);
}

/* Makes one row of weight 1 on a board of 4 x 4, with all outputs 0. Two moves have visits. Point 5
 * has 9 visits, a win probability of 3/4 and a score of 6. The pass has 16 visits, and loses by 20
 * points. */
static Fixture plain(void) {
    Fixture f = make();
    for (int i = 0; i < HEAD_SCORE_DISTRIBUTION; i++)
        memset(f.outputs[i], 0, ROWS * SIZES[i] * sizeof(float));
    memset(f.batch.q_values, 0, ROWS * MOVES * BATCH_Q_VALUES * sizeof(float));
    memcpy(f.batch.q_values + 5 * BATCH_Q_VALUES, (float[]){0.5f, 6, 9}, 3 * sizeof(float));
    memcpy(f.batch.q_values + CELLS * BATCH_Q_VALUES, (float[]){-1, -20, 16}, 3 * sizeof(float));
    f.batch.targets[TARGET_WEIGHT] = 1;
    return f;
}

TEST(values_of_moves_by_hand) {
    Fixture f = plain();
    double point = log(2) + 0.75 * log(0.75) + 0.25 * log(0.25), pass = log(2);
    f.config.q_winloss = 2;
    Metrics sums = evaluate(&f, 1);
    EXPECT_NEAR((3 * point + 4 * pass) / 8, sums.q_winloss, 1e-6);
    EXPECT_NEAR(2 * sums.q_winloss, sums.loss, 1e-9);
    EXPECT_NEAR(2 * 3 * -0.5 / 8, f.gradients[HEAD_POLICY][5 * P + POLICY_Q_WINLOSS], 1e-6);
    EXPECT_NEAR(2 * 4 * 1.0 / 8, f.gradients[HEAD_PASS][POLICY_Q_WINLOSS], 1e-6);
    f.outputs[HEAD_POLICY][5 * P + POLICY_Q_WINLOSS] = (float)atanh(0.5);
    f.outputs[HEAD_PASS][POLICY_Q_WINLOSS] = -20;
    EXPECT_NEAR(0, evaluate(&f, 1).q_winloss, 1e-6); /* the predictions are right */
    clear(&f);
}

/* The Huber loss is linear from 12 points on. An error of 6 points gives 6^2 / 2 = 18, and one of
 * 20 points gives 12^2 / 2 + 12 * 8 = 168. */
TEST(scores_of_moves_by_hand) {
    Fixture f = plain();
    f.config.q_score = 0.5;
    Metrics sums = evaluate(&f, 1);
    EXPECT_NEAR((9 * 18.0 + 16 * 168.0) / 8, sums.q_score, 1e-4);
    EXPECT_NEAR(0.5 * sums.q_score, sums.loss, 1e-6);
    EXPECT_NEAR(0.5 * 20 * 16 * 12.0 / 8, f.gradients[HEAD_PASS][POLICY_Q_SCORE], 1e-3);
    f.outputs[HEAD_POLICY][5 * P + POLICY_Q_SCORE] = 6 / 20.0f;
    f.outputs[HEAD_PASS][POLICY_Q_SCORE] = -1;
    EXPECT_NEAR(0, evaluate(&f, 1).q_score, 1e-6);
    clear(&f);
}

TEST(rows_without_values_of_moves_have_no_loss) {
    Fixture f = make();
    memset(f.batch.q_values, 0, ROWS * MOVES * BATCH_Q_VALUES * sizeof(float));
    f.config.q_winloss = f.config.q_score = 1;
    Metrics sums = evaluate(&f, ROWS);
    EXPECT_NEAR(0, sums.loss, 0);
    for (int k = 0; k < ROWS * CELLS * P; k++)
        EXPECT_NEAR(0, f.gradients[HEAD_POLICY][k], 0);
    clear(&f);
}

TEST_MAIN(RUN(slopes_of_values_of_moves), RUN(slopes_of_scores_of_moves),
          RUN(scores_of_moves_weigh_by_the_area), RUN(values_of_moves_by_hand),
          RUN(scores_of_moves_by_hand), RUN(rows_without_values_of_moves_have_no_loss))
