/* The losses of auxiliary heads, worked out by hand, and their gradients against finite
 * differences. */
#include "base/rng.h"
#include "eval/evaluators/prune_outputs.h"
#include "eval/net_of_words.h"
#include "test.h"
#include "train/objective.h"

enum { EDGE = 4, CELLS = EDGE * EDGE, ROWS = 2, FIRST = HEAD_TD, P = POLICY_OPTIMISTIC + 1 };
/* Returns how many outputs a head has for one row. */
static size_t size_of(int head) {
    return head_elements((HeadId)head, P, CELLS);
}

typedef struct {
    Batch batch;
    float *outputs[HEAD_COUNT], *gradients[HEAD_COUNT];
    ObjectiveSettings config;
    double seki_weight;
} Fixture;

/* Fills a row with random targets. Row 0 has a board of 4 x 4 points, and row 1 one of 3 x 4. */
static void fill_row(Batch *batch, int n, Rng *rng) {
    float *targets = batch->targets + n * ROW_GLOBAL_TARGETS;
    for (int i = 0; i < CELLS; i++) {
        batch->mask[n * CELLS + i] = i % EDGE < EDGE - n;
        batch->ownership[n * CELLS + i] = (float)(rng_below(rng, 3) - 1);
        batch->planes[(n * CELLS + i) * FEATURE_PLANES + 14] = i % 3 == 0;
        for (int plane = 0; plane < 3; plane++)
            batch->boards[(n * CELLS + i) * 4 + plane] = (float)(rng_below(rng, 3) - 1);
        batch->boards[(n * CELLS + i) * 4 + 3] = (float)(2 * rng_uniform(rng) - 1);
    }
    for (int c = 0; c < 2; c++)
        batch->policy[(n * 2 + c) * (CELLS + 1) + CELLS] = 1;
    batch->score[n * SCORE_BINS + SCORE_BINS_HALF] = 1;
    for (int k = 0; k < 20; k += 4) {
        float p = (float)rng_uniform(rng);
        targets[k] = 0.9f * p;
        targets[k + 1] = 0.9f * (1 - p);
        targets[k + 2] = 0.1f;
        targets[k + 3] = (float)(20 * rng_uniform(rng) - 10);
    }
    for (int i = TARGET_WEIGHT; i <= TARGET_WEIGHT_LEAD; i++)
        targets[i] = 0.5f + 0.5f * (float)rng_uniform(rng);
    targets[TARGET_WEIGHT_FUTURE] = 0.6f;
    targets[TARGET_WEIGHT_SCORING] = 0.7f;
    targets[TARGET_NO_TD] = 0.25f;
    for (int i = 0; i < CELLS; i++) {
        batch->points[ROW_NEXT_OCCUPANT][n * CELLS + i] = (float)((7 * i + n) % NEXT_OCCUPANTS);
        batch->points[ROW_TIME_ON_BOARD][n * CELLS + i] =
            (float)(i % 5 == 4 ? TIME_ON_BOARD_ALWAYS : i % 5);
        batch->points[ROW_SAME_CHAIN][n * CELLS + i] = (float)(SAME_CHAIN_NONE + i * i % 7 % 4);
    }
    for (int i = 0; i < LATER_MOVES - n; i++)
        targets[TARGET_LATER_MOVES + i] = (float)(2 + 4 * i);
    targets[TARGET_ROOT_VARIANCE_COUNT] = (float)(ROOT_VARIANCES - n); /* the last is not known */
    for (int i = 0; i < ROOT_VARIANCES; i++)
        targets[TARGET_ROOT_VARIANCES + i] = 0.25f * (float)i;
    targets[TARGET_MOVES_LEFT] = n ? 16 : 45; /* the Huber loss is quadratic at 16, linear at 45 */
}

static Fixture make(void) {
    Fixture f = {.seki_weight = 2};
    Rng rng = rng_seeded(9);
    EXPECT_OK(batch_init(&f.batch, ROWS, EDGE, err));
    EXPECT_OK(batch_add_boards(&f.batch, err));
    EXPECT_OK(batch_add_points(&f.batch, (1 << ROW_POINT_COLUMNS) - 1, err));
    for (int n = 0; n < ROWS; n++)
        fill_row(&f.batch, n, &rng);
    for (int i = 0; i < HEAD_COUNT; i++) {
        f.outputs[i] = calloc(ROWS * size_of(i), sizeof(float));
        f.gradients[i] = calloc(ROWS * size_of(i), sizeof(float));
        for (size_t k = 0; i >= FIRST && k < ROWS * size_of(i); k++)
            f.outputs[i][k] = (float)(2 * rng_uniform(&rng) - 1);
    }
    f.config = (ObjectiveSettings){.huber_delta = 12};
    return f;
}

static void clear(Fixture *f) {
    for (int i = 0; i < HEAD_COUNT; i++) {
        free(f->outputs[i]);
        free(f->gradients[i]);
    }
    batch_clear(&f->batch);
}

static Metrics evaluate(Fixture *f) {
    Metrics sums = {0};
    ObjectiveShard share = {.batch = &f->batch,
                            .count = ROWS,
                            .policies = model_format_policies(&MODEL_FORMAT_DEFAULT, P),
                            .seki_weight = f->seki_weight};
    memcpy(share.outputs, (const float *const *)(const void *)f->outputs, sizeof f->outputs);
    memcpy(share.gradients, f->gradients, sizeof f->gradients);
    objective_evaluate(&f->config, &share, &sums);
    return sums;
}

/* For an output that goes through softplus, training uses softplus_slope(), which is at least 0.05,
 * in place of the true slope. Returns softplus_slope() divided by the true slope, or 1 for heads
 * without softplus. */
static double floor_ratio(int head, float x) {
    double s = 1 / (1 + exp(-(double)x));
    return head == HEAD_MOVES_LEFT ? (0.05 + 0.95 * s) / s : 1;
}

/* Checks the gradients of all outputs of the auxiliary heads. `given` is -1 or a head whose outputs
 * the loss uses as constants, so that they must get no gradient. */
static void expect_slopes(Fixture *f, int given) {
    const float STEP = 0.01f;
    int moved = 0;
    for (int i = FIRST; i < HEAD_COUNT; i++) {
        for (size_t k = 0; k < ROWS * size_of(i); k++) {
            evaluate(f);
            float kept = f->outputs[i][k], slope = f->gradients[i][k];
            f->outputs[i][k] = kept + STEP;
            double more = evaluate(f).loss;
            f->outputs[i][k] = kept - STEP;
            double less = evaluate(f).loss;
            f->outputs[i][k] = kept;
            double wanted = i == given ? 0 : (more - less) / (2 * (double)STEP);
            wanted *= floor_ratio(i, kept);
            EXPECT_NEAR(wanted, slope, 2e-4 + 2e-3 * fabs(wanted));
            moved += fabs(wanted) > 1e-4;
        }
    }
    EXPECT_TRUE(moved >= ROWS);
}

#define SLOPES(test, field, given)                                                                 \
    TEST(test) {                                                                                   \
        Fixture f = make();                                                                        \
        f.config.field = 1;                                                                        \
        expect_slopes(&f, given);                                                                  \
        clear(&f);                                                                                 \
    }
SLOPES(slopes_of_long_values, td_long, -1)
SLOPES(slopes_of_middle_values, td_middle, -1)
SLOPES(slopes_of_short_values, td_short, -1)
SLOPES(slopes_of_later_scores, td_score, -1)
SLOPES(slopes_of_future_boards, future, -1)
SLOPES(slopes_of_seki, seki, -1)
SLOPES(slopes_of_scoring, scoring, -1)
SLOPES(slopes_of_search_values, search_values, -1)
SLOPES(slopes_of_value_errors, td_value_error, HEAD_TD)
SLOPES(slopes_of_score_errors, td_score_error, HEAD_TD)
SLOPES(slopes_of_moves_left, moves_left, -1)
SLOPES(slopes_of_score_scale, score_scale, -1)
SLOPES(slopes_of_ladders, ladders, -1)
SLOPES(slopes_of_value_buckets, value_buckets, -1)
SLOPES(slopes_of_later_moves, later_moves, -1)
SLOPES(slopes_of_root_variances, root_variance, -1)
SLOPES(slopes_of_the_error_of_the_value, value_error, -1)
SLOPES(slopes_of_next_occupants, next_occupant, -1)
SLOPES(slopes_of_times_on_board, time_on_board, -1)
SLOPES(slopes_of_chains, same_chain, -1)

/* The same with score_area = 49. The boards have 16 and 12 points. */
#define SLOPES_BY_AREA(test, field, given)                                                         \
    TEST(test) {                                                                                   \
        Fixture f = make();                                                                        \
        f.config.score_area = 49;                                                                  \
        f.config.field = 1;                                                                        \
        expect_slopes(&f, given);                                                                  \
        clear(&f);                                                                                 \
    }
SLOPES_BY_AREA(slopes_of_later_scores_by_area, td_score, -1)
SLOPES_BY_AREA(slopes_of_score_errors_by_area, td_score_error, HEAD_TD)
SLOPES_BY_AREA(slopes_of_moves_left_by_area, moves_left, -1)

/* Checks that score_area = 49 multiplies the loss of one row by (49 / points of its board)^power,
 * and leaves the metrics as they are. */
static void expect_weight_by_area(const char *loss, double power, int row) {
    Fixture f = make();
    const SettingsGroup groups[] = {{"objective", OBJECTIVE_FIELDS, &f.config}, {0}};
    EXPECT_OK(settings_set(groups, loss, "1", err));
    f.batch.targets[(1 - row) * ROW_GLOBAL_TARGETS + TARGET_WEIGHT] = 0;
    Metrics plain = evaluate(&f);
    f.config.score_area = 49;
    Metrics by_area = evaluate(&f);
    double wanted = plain.loss * pow(49.0 / (EDGE * (EDGE - row)), power);
    EXPECT_TRUE(plain.loss > 0);
    EXPECT_NEAR(wanted, by_area.loss, 1e-6 * wanted);
    EXPECT_NEAR(plain.td_score, by_area.td_score, 0);
    EXPECT_NEAR(plain.td_score_error, by_area.td_score_error, 0);
    EXPECT_NEAR(plain.moves_left, by_area.moves_left, 0);
    clear(&f);
}

/* The power is 1 for losses in points or turns (later scores, moves left) and 2 for losses in
 * squared points (errors of later scores). For the other losses it is 0. */
TEST(losses_of_later_scores_weigh_by_the_area) {
    static const struct {
        const char *loss;
        double power;
    } LOSSES[] = {
        {"td_score", 1},      {"td_score_error", 2}, {"td_long", 0},       {"td_middle", 0},
        {"td_short", 0},      {"td_value_error", 0}, {"future", 0},        {"seki", 0},
        {"scoring", 0},       {"search_values", 0},  {"moves_left", 1},    {"ladders", 0},
        {"value_buckets", 0}, {"later_moves", 0},    {"root_variance", 0}, {"value_error", 0},
        {"next_occupant", 0}, {"time_on_board", 0},  {"same_chain", 0}};
    for (size_t i = 0; i < sizeof LOSSES / sizeof *LOSSES; i++) {
        for (int row = 0; row < ROWS; row++)
            expect_weight_by_area(LOSSES[i].loss, LOSSES[i].power, row);
    }
}

/* Makes one row of weight 1 on a board of 4 x 4; the other row has the weight 0. All outputs are
 * 0. */
static Fixture plain(void) {
    Fixture f = make();
    for (int i = 0; i < HEAD_COUNT; i++)
        memset(f.outputs[i], 0, ROWS * size_of(i) * sizeof(float));
    float *targets = f.batch.targets;
    memset(targets, 0, 2 * ROW_GLOBAL_TARGETS * sizeof *targets);
    targets[TARGET_WEIGHT] = targets[TARGET_WEIGHT_BOARD] = 1;
    targets[TARGET_WEIGHT_FUTURE] = targets[TARGET_WEIGHT_SCORING] = 1;
    return f;
}

TEST(later_values_by_hand) {
    Fixture f = plain();
    float *to = f.batch.targets + TARGET_TD_MIDDLE;
    to[0] = 0.5f;
    to[1] = 0.5f;
    to[3] = 18; /* the Huber loss is linear from 12 on: 12^2 / 2 + 12 * 6 = 144 */
    f.batch.targets[TARGET_TD_LONG] = f.batch.targets[TARGET_TD_SHORT] = 1;
    f.config = (ObjectiveSettings){.td_middle = 3, .td_long = 1, .td_score = 0.5};
    EXPECT_NEAR(3 * (log(3) - log(2)) + log(3) + 0.5 * 144, evaluate(&f).loss, 1e-4);
    clear(&f);
}

/* For the short horizon, the net predicts a win - loss of 1/2 - 1/4 and a score of 2 points. The
 * later searches find a win - loss of 1 and 3 points. The net's predictions of the end of the game,
 * which are both 0, are not used. */
TEST(shortterm_errors_are_those_of_the_short_horizon) {
    Fixture f = plain();
    float *said = f.outputs[HEAD_TD], *to = f.batch.targets + TARGET_TD_SHORT;
    double value = log(2) * log(2) * 0.25, score = log(2) * log(2) * 150;
    said[6] = logf(2);
    said[11] = 0.1f;
    to[0] = 1;
    to[3] = 3;
    f.config = (ObjectiveSettings){.shortterm_error = 2};
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(0.5 * 0.16 + 0.4 * (0.75 * 0.75 - value - 0.4), sums.shortterm_winloss, 1e-5);
    EXPECT_NEAR(0.5 * (score - 1) * (score - 1), sums.shortterm_score, 0.05);
    EXPECT_NEAR(2 * sums.shortterm_winloss + 2e-5 * sums.shortterm_score, sums.loss, 1e-6);
    for (int i = 0; i < TD_CHANNELS; i++)
        EXPECT_NEAR(0, f.gradients[HEAD_TD][i], 0);
    clear(&f);
}

/* The net predicts that all 16 points will be empty. In 8 turns, 6 points have stones. In 32 turns,
 * all points have stones of the mover. */
TEST(future_boards_by_hand) {
    Fixture f = plain();
    for (int i = 0; i < CELLS; i++) {
        f.batch.boards[4 * i + 1] = i < 6 ? -1 : 0;
        f.batch.boards[4 * i + 2] = 1;
    }
    f.config = (ObjectiveSettings){.future = 2};
    EXPECT_NEAR(2 * (6 + 0.25 * 16) / 4, evaluate(&f).loss, 1e-5);
    clear(&f);
}

TEST(scoring_by_hand) {
    Fixture f = plain();
    for (int i = 0; i < CELLS; i++)
        f.batch.boards[4 * i + 3] = i < 8 ? 1 : -0.5f; /* mean square 0.625 */
    f.config = (ObjectiveSettings){.scoring = 1};
    EXPECT_NEAR(4 * (sqrt(0.625 / 2 + 1) - 1), evaluate(&f).loss, 1e-5);
    clear(&f);
}

TEST(seki_by_hand) {
    Fixture f = plain();
    for (int i = 0; i < CELLS; i++)
        f.batch.ownership[i] = i < 4 ? 0 : 1;
    f.config = (ObjectiveSettings){.seki = 1};
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(2 * (log(3) + 0.5 * log(2)), sums.loss, 1e-5); /* seki_weight is 2 */
    EXPECT_NEAR(0.25, sums.unowned, 1e-6);
    /* The end of the second row's game is not known, so its points count as owned. */
    f.batch.targets[ROW_GLOBAL_TARGETS + TARGET_WEIGHT] = 1;
    memset(f.batch.ownership + CELLS, 0, CELLS * sizeof(float));
    EXPECT_NEAR(0.25, evaluate(&f).unowned, 1e-6);
    EXPECT_NEAR(4, objective_seki_weight(0.005), 1e-9);
    EXPECT_NEAR(8, objective_seki_weight(0), 1e-9);
    clear(&f);
}

/* The row has only the mean of the search's values: win - loss = 0.5. If the center of bucket i is
 * at i, this value is at 51 * 3/4 - 1/2 = 37.75. So a quarter of the target is in bucket 37, and
 * the rest in bucket 38. With the value -1, the whole target is in bucket 0. */
TEST(search_values_by_hand) {
    Fixture f = plain();
    f.batch.targets[TARGET_SEARCH] = 0.75f;
    f.batch.targets[TARGET_SEARCH + 1] = 0.25f;
    f.config = (ObjectiveSettings){.search_values = 1};
    EXPECT_NEAR(log(51) + 0.25 * log(0.25) + 0.75 * log(0.75), evaluate(&f).loss, 1e-5);
    EXPECT_NEAR(1.0 / 51 - 0.25, f.gradients[HEAD_SEARCH_VALUES][37], 1e-6);
    EXPECT_NEAR(1.0 / 51 - 0.75, f.gradients[HEAD_SEARCH_VALUES][38], 1e-6);
    EXPECT_NEAR(1.0 / 51, f.gradients[HEAD_SEARCH_VALUES][36], 1e-6);
    f.batch.targets[TARGET_SEARCH] = 0;
    f.batch.targets[TARGET_SEARCH + 1] = 1;
    EXPECT_NEAR(log(51), evaluate(&f).loss, 1e-5);
    EXPECT_NEAR(1.0 / 51 - 1, f.gradients[HEAD_SEARCH_VALUES][0], 1e-6);
    clear(&f);
}

/* The head of the categorical value learns the same target, with a weight of its own. */
TEST(value_buckets_by_hand) {
    Fixture f = plain();
    f.batch.targets[TARGET_SEARCH] = 1;
    f.batch.search_values[4] = 0.75f;
    f.batch.search_values[50] = 0.25f;
    f.config = (ObjectiveSettings){.value_buckets = 2};
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(log(51) + 0.75 * log(0.75) + 0.25 * log(0.25), sums.value_buckets, 1e-5);
    EXPECT_NEAR(2 * sums.value_buckets, sums.loss, 1e-9);
    EXPECT_NEAR(2 * (1.0 / 51 - 0.75), f.gradients[HEAD_VALUE_BUCKETS][4], 1e-6);
    EXPECT_NEAR(0, f.gradients[HEAD_SEARCH_VALUES][4], 0);
    clear(&f);
}

/* The search finds win - loss = 1/2, and the game is lost. Half of the target is the distribution
 * of the search's values, which is bucket 4 here. The other half is a single bucket. It belongs to
 * one of three values: to the result -1, to the search's 1/2, or to the mean -1/4 of the two.
 * Bucket i begins at the value
 *     2 i / 51 - 1 */
TEST(the_categorical_value_may_learn_one_bucket) {
    static const struct {
        double q;
        int bucket;
    } CASES[] = {{0, 0}, {1, 38}, {0.5, 19}};
    Fixture f = plain();
    f.batch.targets[TARGET_SEARCH] = 0.75f;
    f.batch.targets[TARGET_SEARCH + 1] = 0.25f;
    f.batch.targets[TARGET_FINAL + 1] = 1;
    f.batch.search_values[4] = 1;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        f.config = (ObjectiveSettings){
            .value_buckets = 2, .value_buckets_single = 0.5, .value_buckets_q = CASES[i].q};
        memset(f.gradients[HEAD_VALUE_BUCKETS], 0, VALUE_BUCKETS * sizeof(float));
        Metrics sums = evaluate(&f);
        EXPECT_NEAR(log(51) + log(0.5), sums.value_buckets, 1e-5);
        EXPECT_NEAR(2 * sums.value_buckets, sums.loss, 1e-9);
        EXPECT_NEAR(2 * (1.0 / 51 - 0.5), f.gradients[HEAD_VALUE_BUCKETS][4], 1e-6);
        EXPECT_NEAR(2 * (1.0 / 51 - 0.5), f.gradients[HEAD_VALUE_BUCKETS][CASES[i].bucket], 1e-6);
        f.batch.targets[TARGET_NO_VALUE] = 1; /* the result is not known */
        EXPECT_NEAR(CASES[i].q < 1 ? 0 : sums.loss, evaluate(&f).loss, 1e-9);
        f.batch.targets[TARGET_NO_VALUE] = 0;
    }
    f.batch.targets[TARGET_FINAL] = 1; /* a win is in the last bucket */
    f.batch.targets[TARGET_FINAL + 1] = 0;
    f.config = (ObjectiveSettings){.value_buckets = 1, .value_buckets_single = 1};
    memset(f.gradients[HEAD_VALUE_BUCKETS], 0, VALUE_BUCKETS * sizeof(float));
    EXPECT_NEAR(log(51), evaluate(&f).loss, 1e-5);
    EXPECT_NEAR(1.0 / 51 - 1, f.gradients[HEAD_VALUE_BUCKETS][50], 1e-6);
    EXPECT_NEAR(1.0 / 51, f.gradients[HEAD_VALUE_BUCKETS][4], 1e-6);
    f.config.search_values = 1; /* the auxiliary head learns only the search's distribution */
    f.config.value_buckets = 0;
    EXPECT_NEAR(log(51), evaluate(&f).loss, 1e-5);
    EXPECT_NEAR(1.0 / 51 - 1, f.gradients[HEAD_SEARCH_VALUES][4], 1e-6);
    clear(&f);
}

TEST(slopes_of_value_buckets_with_one_bucket) {
    Fixture f = make();
    f.config.value_buckets = 1;
    f.config.value_buckets_single = 0.75;
    f.config.value_buckets_q = 0.25;
    expect_slopes(&f, -1);
    clear(&f);
}

/* If the row has the distribution of the search's values, that is the target, and their mean is not
 * used. Here 3/4 is in bucket 4, and 1/4 in bucket 50. */
TEST(spread_search_values_by_hand) {
    Fixture f = plain();
    f.batch.targets[TARGET_SEARCH] = 1;
    f.batch.search_values[4] = 0.75f;
    f.batch.search_values[50] = 0.25f;
    f.config = (ObjectiveSettings){.search_values = 2};
    EXPECT_NEAR(2 * (log(51) + 0.75 * log(0.75) + 0.25 * log(0.25)), evaluate(&f).loss, 1e-5);
    EXPECT_NEAR(2 * (1.0 / 51 - 0.75), f.gradients[HEAD_SEARCH_VALUES][4], 1e-6);
    EXPECT_NEAR(2 * (1.0 / 51 - 0.25), f.gradients[HEAD_SEARCH_VALUES][50], 1e-6);
    EXPECT_NEAR(2.0 / 51, f.gradients[HEAD_SEARCH_VALUES][49], 1e-6);
    clear(&f);
}

/* For all three horizons, the net predicts win - loss = 0 and the squared error 2. Later searches
 * find 1, 0 and -1/2, so the squared errors are 1, 0 and 1/4. These differ from 2 by 1, 2 and 7/4.
 * The Huber loss is linear from 1 on. */
TEST(errors_of_later_values_by_hand) {
    Fixture f = plain();
    float *to = f.batch.targets;
    to[TARGET_TD_LONG] = 1;
    to[TARGET_TD_MIDDLE] = to[TARGET_TD_MIDDLE + 1] = 0.5f;
    to[TARGET_TD_SHORT] = 0.25f;
    to[TARGET_TD_SHORT + 1] = 0.75f;
    to[TARGET_NO_TD] = 0.25f;
    f.config = (ObjectiveSettings){.td_value_error = 2};
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(0.75 * (0.5 + 1.5 + 1.25) / 3, sums.td_value_error, 1e-6);
    EXPECT_NEAR(2 * sums.td_value_error, sums.loss, 1e-9);
    for (int h = 0; h < TD_HORIZONS; h++)
        EXPECT_NEAR(2 * 0.75 * 4 * 0.25 / 3, f.gradients[HEAD_TD_ERRORS][h], 1e-6);
    clear(&f);
}

/* The predicted scores are wrong by 10, 5 and 30 points. The net predicts the squared errors 50, 25
 * and 300: 100 times the absolute values of the outputs, two of which are below 0. */
TEST(errors_of_later_scores_by_hand) {
    static const float OFF[TD_HORIZONS] = {10, -5, 30}, SAID[TD_HORIZONS] = {-0.5f, -0.25f, 3};
    Fixture f = plain();
    f.batch.targets[TARGET_WEIGHT_BOARD] = 0.5f;
    for (int h = 0; h < TD_HORIZONS; h++) {
        f.outputs[HEAD_TD][9 + h] = 0.1f; /* 2 points */
        f.batch.targets[TARGET_TD_LONG + 4 * h + 3] = 2 + OFF[h];
        f.outputs[HEAD_TD_ERRORS][TD_HORIZONS + h] = SAID[h];
    }
    f.config = (ObjectiveSettings){.td_score_error = 4};
    Metrics sums = evaluate(&f);
    const float *slopes = f.gradients[HEAD_TD_ERRORS] + TD_HORIZONS;
    EXPECT_NEAR(0.5 * (0.125 + 0 + 5.5) / 3, sums.td_score_error, 1e-5);
    EXPECT_NEAR(4 * sums.td_score_error, sums.loss, 1e-9);
    EXPECT_NEAR(4 * 0.5 * 0.5 / 3, slopes[0], 1e-5);
    EXPECT_NEAR(0, slopes[1], 1e-5);
    EXPECT_NEAR(4 * 0.5 * -1 / 3, slopes[2], 1e-5);
    clear(&f);
}

/* The weight of the optimistic policy depends on z of each horizon. z is the amount by which
 * win - loss of the later searches exceeds the prediction 0, divided by the root of the expected
 * squared error. The target is the pass, and the policy gives the same probability to all 17
 * moves. */
TEST(a_policy_optimistic_about_all_horizons_by_hand) {
    Fixture f = plain();
    float *to = f.batch.targets, *errors = f.outputs[HEAD_TD_ERRORS];
    double z[TD_HORIZONS] = {-0.5 / sqrt(2), 1 / sqrt(2), 0.8 / sqrt(0.4)};
    to[TARGET_TD_LONG + 1] = 0.5f;
    to[TARGET_TD_MIDDLE] = 1;
    to[TARGET_TD_SHORT] = 0.8f;
    to[TARGET_WEIGHT_POLICY] = 0.5f;
    to[TARGET_NO_TD] = 0.25f;
    errors[2] = (float)-log(9); /* 4 / (1 + 9) */
    f.config = (ObjectiveSettings){.horizon_optimistic_policy = 3};
    double all = 4.0 / 7 * (3 * z[2] + 1.5 * z[1] + 0.75 * z[0]) / 3,
           weight = 0.5 * 0.75 / (1 + exp(-3 * (all - 1)));
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(weight * log(17), sums.horizon_optimistic_policy, 1e-5);
    EXPECT_NEAR(3 * sums.horizon_optimistic_policy, sums.loss, 1e-6);
    EXPECT_NEAR(3 * weight * (1.0 / 17 - 1), f.gradients[HEAD_PASS][POLICY_OPTIMISTIC], 1e-5);
    for (int i = 0; i < HEAD_COUNT; i++) {
        for (size_t k = 0; k < size_of(i); k++) {
            bool mine = (i == HEAD_POLICY || i == HEAD_PASS) && k % P == POLICY_OPTIMISTIC;
            if (!mine) EXPECT_NEAR(0, f.gradients[i][k], 0);
        }
    }
    clear(&f);
}

#define LOG2 0.69314718055994531

/* The head predicts 20 log 2 = 13.9 turns. The loss is a Huber loss of the error in units of 20
 * turns, which is linear from 10 turns on. */
TEST(moves_left_by_hand) {
    static const struct {
        float turns;
        double off, loss, slope; /* off: absolute error in units of 20 turns */
    } CASES[] = {{20, 1 - LOG2, 0.5 * (1 - LOG2) * (1 - LOG2), LOG2 - 1},
                 {1, LOG2 - 0.05, 0.125 + 0.5 * (LOG2 - 0.55), 0.5},
                 {60, 3 - LOG2, 0.125 + 0.5 * (2.5 - LOG2), -0.5},
                 {0, 0, 0, 0}}; /* not known */
    Fixture f = plain();
    f.config = (ObjectiveSettings){.moves_left = 3};
    f.batch.targets[TARGET_WEIGHT] = 0.5f;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        f.batch.targets[TARGET_MOVES_LEFT] = CASES[i].turns;
        Metrics sums = evaluate(&f);
        EXPECT_NEAR(0.5 * CASES[i].loss, sums.moves_left, 1e-6);
        EXPECT_NEAR(0.5 * 20 * CASES[i].off, sums.moves_left_error, 1e-5);
        EXPECT_NEAR(3 * sums.moves_left, sums.loss, 1e-9);
        /* softplus_slope(0) is 0.05 + 0.95 / 2 */
        EXPECT_NEAR(3 * 0.5 * 0.525 * CASES[i].slope, f.gradients[HEAD_MOVES_LEFT][0], 1e-6);
    }
    clear(&f);
}

/* The net multiplies the logits of the score distribution by a factor, which is softplus(output).
 * If the output is 0, the factor is log 2, and the slope of the factor is 1/2. */
TEST(score_scale_by_hand) {
    Fixture f = plain();
    f.config = (ObjectiveSettings){.score_scale = 3};
    f.batch.targets[TARGET_WEIGHT] = 0.5f;
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(0.5 * LOG2 * LOG2, sums.score_scale, 1e-6);
    EXPECT_NEAR(3 * sums.score_scale, sums.loss, 1e-9);
    EXPECT_NEAR(3 * 0.5 * 2 * LOG2 * 0.5, f.gradients[HEAD_SCORE_SCALE][0], 1e-6);
    clear(&f);
}

/* All 16 points are equally likely for each later move, except for the third. There the point that
 * was played is three times as likely as any other. The fourth move is not known, or lies beyond
 * the board. */
TEST(later_moves_by_hand) {
    Fixture f = plain();
    float *moves = f.batch.targets + TARGET_LATER_MOVES;
    f.config = (ObjectiveSettings){.later_moves = 2};
    f.batch.targets[TARGET_WEIGHT] = 0.5f;
    moves[0] = 1;
    moves[1] = 16;
    moves[2] = 5;
    f.outputs[HEAD_LATER_MOVES][4 * LATER_MOVES + 2] = logf(3);
    for (int how = 0; how < 2; how++) {
        moves[3] = how ? 17 : 0;
        Metrics sums = evaluate(&f);
        EXPECT_NEAR(0.5 * (2 * log(16) + log(18) - log(3)) / 4, sums.later_moves, 1e-6);
        EXPECT_NEAR(2 * sums.later_moves, sums.loss, 1e-9);
        EXPECT_NEAR(2 * 0.5 / 4 * (3.0 / 18 - 1),
                    f.gradients[HEAD_LATER_MOVES][4 * LATER_MOVES + 2], 1e-6);
        EXPECT_NEAR(2 * 0.5 / 4 / 16, f.gradients[HEAD_LATER_MOVES][4 * LATER_MOVES], 1e-6);
        EXPECT_NEAR(0, f.gradients[HEAD_LATER_MOVES][4 * LATER_MOVES + 3], 0);
    }
    clear(&f);
}

/* The head says log 2 = 0.693 for each change. A change that the row does not know adds nothing to
 * the loss. Rows of older versions know none. */
TEST(root_variances_by_hand) {
    static const float SQUARES[ROOT_VARIANCES] = {0.25f, 0.04f, 0, 1};
    for (int known = 0; known <= ROOT_VARIANCES; known++) {
        Fixture f = plain();
        double wanted = 0;
        f.config = (ObjectiveSettings){.root_variance = 3};
        f.batch.targets[TARGET_WEIGHT] = 0.5f;
        f.batch.targets[TARGET_ROOT_VARIANCE_COUNT] = (float)known;
        memcpy(f.batch.targets + TARGET_ROOT_VARIANCES, SQUARES, sizeof SQUARES);
        Metrics sums = evaluate(&f);
        for (int i = 0; i < ROOT_VARIANCES; i++) {
            double error = i < known ? LOG2 - (double)SQUARES[i] : 0;
            wanted += error * error;
            EXPECT_NEAR(3 * 0.5 * 2 * error * 0.5, f.gradients[HEAD_ROOT_VARIANCE][i], 1e-6);
        }
        EXPECT_NEAR(0.5 * wanted, sums.root_variance, 1e-6);
        EXPECT_NEAR(3 * sums.root_variance, sums.loss, 1e-9);
        clear(&f);
    }
}

/* The value head says 0, and the search 0.6 - 0.2. The game was lost. The head of the error expects
 * a squared error of 3/4. */
TEST(the_error_of_the_value_by_hand) {
    static const struct {
        double q, no_search, no_result, target, weight;
    } CASES[] = {{1, 0, 1, 0.4, 1},
                 {1, 0.25, 0, 0.4, 0.75},
                 {0, 1, 0, -1, 1},
                 {0, 0, 1, 0, 0},
                 {0.5, 0, 0, -0.3, 1}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Fixture f = plain();
        float *targets = f.batch.targets;
        f.config = (ObjectiveSettings){.value_error = 3, .value_error_q = CASES[i].q};
        targets[TARGET_WEIGHT] = 0.5f;
        targets[TARGET_SEARCH] = 0.6f;
        targets[TARGET_SEARCH + 1] = 0.2f;
        targets[TARGET_FINAL + 1] = 1;
        targets[TARGET_NO_TD] = (float)CASES[i].no_search;
        targets[TARGET_NO_VALUE] = (float)CASES[i].no_result;
        f.outputs[HEAD_VALUE_ERROR][0] = logf(3);
        Metrics sums = evaluate(&f);
        double error = 0.75 - CASES[i].target * CASES[i].target, w = 0.5 * CASES[i].weight;
        EXPECT_NEAR(w * error * error, sums.value_error, 1e-6);
        EXPECT_NEAR(3 * sums.value_error, sums.loss, 1e-9);
        EXPECT_NEAR(3 * w * 2 * error * 0.75 * 0.25, f.gradients[HEAD_VALUE_ERROR][0], 1e-6);
        for (int k = 0; k < 3; k++)
            EXPECT_NEAR(0, f.gradients[HEAD_VALUE][k], 0);
        clear(&f);
    }
}

/* Two stones on 4 x 4 points can be captured. The net gives each of them the probability 1/4, and
 * the other 14 points 1/2. */
TEST(ladders_by_hand) {
    Fixture f = plain();
    f.config = (ObjectiveSettings){.ladders = 3};
    f.batch.targets[TARGET_WEIGHT] = 0.5f;
    for (int i = 0; i < CELLS; i++)
        f.batch.planes[i * FEATURE_PLANES + 14] = i == 3 || i == 7;
    f.outputs[HEAD_LADDERS][3] = f.outputs[HEAD_LADDERS][7] = (float)-log(3);
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(0.5 * (2 * 2 + 14) * LOG2 / 16, sums.ladders, 1e-6);
    EXPECT_NEAR(3 * sums.ladders, sums.loss, 1e-9);
    EXPECT_NEAR(3 * 0.5 * -0.75 / 16, f.gradients[HEAD_LADDERS][3], 1e-6);
    EXPECT_NEAR(3 * 0.5 * 0.5 / 16, f.gradients[HEAD_LADDERS][4], 1e-6);
    clear(&f);
}

/* On 4 x 4 points the mover plays on point 3 next, the opponent on point 5, and nobody on point 7.
 * Of the others nothing is known. The net gives the probability 1/2 to the mover on point 3, and
 * 1/3 to each case on the other points. */
TEST(next_occupants_by_hand) {
    Fixture f = plain();
    float *wanted = f.batch.points[ROW_NEXT_OCCUPANT];
    f.config = (ObjectiveSettings){.next_occupant = 3};
    f.batch.targets[TARGET_WEIGHT] = 0.5f;
    memset(wanted, 0, CELLS * sizeof *wanted);
    wanted[3] = NEXT_OCCUPANT_MOVER;
    wanted[5] = NEXT_OCCUPANT_OPPONENT;
    wanted[7] = NEXT_OCCUPANT_NOBODY;
    f.outputs[HEAD_NEXT_OCCUPANT][3 * 3] = logf(2);
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(0.5 * (log(2) + 2 * log(3)) / 16, sums.next_occupant, 1e-6);
    EXPECT_NEAR(3 * sums.next_occupant, sums.loss, 1e-9);
    const double slopes[3][3] = {
        {-1.0 / 2, 1.0 / 4, 1.0 / 4}, {1.0 / 3, -2.0 / 3, 1.0 / 3}, {1.0 / 3, 1.0 / 3, -2.0 / 3}};
    for (int cell = 0; cell < CELLS; cell++) {
        for (int i = 0; i < 3; i++) {
            double slope = cell == 3 || cell == 5 || cell == 7 ? slopes[(cell - 3) / 2][i] : 0;
            EXPECT_NEAR(3 * 0.5 * slope / 16, f.gradients[HEAD_NEXT_OCCUPANT][3 * cell + i], 1e-7);
        }
    }
    clear(&f);
}

/* In the slow definition, p is the probability that the net gives to what happened on a point. The
 * loss is the mean of -log p over the points of the board. A point of which nothing is known adds
 * 0. */
TEST(next_occupants_by_a_slow_definition) {
    Fixture f = make();
    double wanted = 0;
    f.config.next_occupant = 2;
    for (int i = 0; i < ROWS * CELLS; i++) {
        int n = i / CELLS, cell = i % CELLS;
        double sum = 0, weight = (double)f.batch.targets[n * ROW_GLOBAL_TARGETS + TARGET_WEIGHT];
        const float *y = f.outputs[HEAD_NEXT_OCCUPANT] + 3 * i;
        for (int k = 0; k < 3; k++)
            sum += exp((double)y[k]);
        bool on_board = cell % EDGE < EDGE - n;
        int points = EDGE * (EDGE - n), happened = (int)f.batch.points[ROW_NEXT_OCCUPANT][i];
        if (on_board && happened)
            wanted -= weight * log(exp((double)y[happened - 1]) / sum) / points;
    }
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(wanted, sums.next_occupant, 1e-9);
    EXPECT_NEAR(2 * wanted, sums.loss, 1e-9);
    clear(&f);
}

/* On a board of A points, the target of a stone that stays for t moves is 1 - 2^(-8 t / A). Here A
 * is 16. So the targets of three stones that stay for 2, 4 and all moves are 1/2, 3/4 and 1. The
 * net says 3/4 for each of the three stones. Of the other points nothing is known. */
TEST(times_on_board_by_hand) {
    Fixture f = plain();
    float *wanted = f.batch.points[ROW_TIME_ON_BOARD];
    f.config = (ObjectiveSettings){.time_on_board = 3};
    f.batch.targets[TARGET_WEIGHT] = 0.5f;
    memset(wanted, 0, CELLS * sizeof *wanted);
    wanted[3] = 2;
    wanted[5] = 4;
    wanted[7] = TIME_ON_BOARD_ALWAYS;
    for (int i = 0; i < CELLS; i++)
        f.outputs[HEAD_TIME_ON_BOARD][i] = logf(3);
    Metrics sums = evaluate(&f);
    double first = 0.5 * log(4.0 / 3) + 0.5 * log(4) - LOG2, second = 0, third = log(4.0 / 3);
    EXPECT_NEAR(0.5 * (first + second + third) / 16, sums.time_on_board, 1e-7);
    EXPECT_NEAR(3 * sums.time_on_board, sums.loss, 1e-9);
    for (int i = 0; i < CELLS; i++) {
        double slope = i == 3 ? 0.25 : i == 7 ? -0.25 : 0;
        EXPECT_NEAR(3 * 0.5 * slope / 16, f.gradients[HEAD_TIME_ON_BOARD][i], 1e-7);
    }
    clear(&f);
}

/* The slow definition: at each move a clock rings with the probability 1 - 2^(-8 / points). The
 * target is the probability that the clock rings before the stone is removed. The loss is the KL
 * divergence of the net's probability from that of the target. */
TEST(times_on_board_by_a_slow_definition) {
    Fixture f = make();
    double wanted = 0;
    f.config.time_on_board = 2;
    for (int i = 0; i < ROWS * CELLS; i++) {
        int n = i / CELLS, cell = i % CELLS, points = EDGE * (EDGE - n);
        double weight = (double)f.batch.targets[n * ROW_GLOBAL_TARGETS + TARGET_WEIGHT],
               time = (double)f.batch.points[ROW_TIME_ON_BOARD][i],
               p = 1 / (1 + exp(-(double)f.outputs[HEAD_TIME_ON_BOARD][i])), left = 1;
        if (cell % EDGE >= EDGE - n || time == 0) continue;
        for (int move = 0; move < time && left > 1e-9; move++)
            left *= pow(0.5, 8.0 / points);
        double stays = 1 - left;
        wanted += weight * stays * log(stays / p) / points;
        wanted += weight * left * log(left / (1 - p)) / points;
    }
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(wanted, sums.time_on_board, 1e-6);
    EXPECT_NEAR(2 * wanted, sums.loss, 2e-6);
    clear(&f);
}

/* On 4 x 4 points there are 120 pairs. At the end of the game, points 0, 1 and 2 belong to one
 * chain, and points 8 and 9 to another chain, so four pairs belong together. The key of point 0 is
 * (4, 0, ...), that of point 1 is (log 3, 0, ...), and that of point 9 is (-log 3, 0, ...). The
 * products of keys are divided by 4. So the net gives the probabilities 3/4 to (0, 1) and 1/4 to
 * (0, 9). It gives nearly 1/2 to (1, 9), because the logit of this pair is -(log 3)^2 / 4. All
 * other pairs have 1/2. */
TEST(chains_by_hand) {
    Fixture f = plain();
    enum { PAIRS = 120, CHANNELS = SAME_CHAIN_CHANNELS };
    float *chains = f.batch.points[ROW_SAME_CHAIN], *y = f.outputs[HEAD_SAME_CHAIN],
          *dy = f.gradients[HEAD_SAME_CHAIN];
    f.config = (ObjectiveSettings){.same_chain = 3};
    f.batch.targets[TARGET_WEIGHT] = 0.5f;
    for (int i = 0; i < CELLS; i++)
        chains[i] = i < 3 ? 2 : i == 8 || i == 9 ? 40 : SAME_CHAIN_NONE;
    y[0 * CHANNELS] = 4;
    y[1 * CHANNELS] = logf(3);
    y[9 * CHANNELS] = -logf(3);
    double z = log(3) * log(3) / 4, p = 1 / (1 + exp(z)); /* of the pair (1, 9) */
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(0.5 * (117 * LOG2 + 2 * log(4.0 / 3) - log(1 - p)) / PAIRS, sums.same_chain, 1e-6);
    EXPECT_NEAR(3 * sums.same_chain, sums.loss, 1e-9);
    double scale = 3 * 0.5 / PAIRS;
    /* The key of point 0 gets its gradients from the pairs with points 1 and 9. */
    EXPECT_NEAR(scale / 4 * (log(3) * (0.75 - 1) - log(3) * 0.25), dy[0], 1e-7);
    /* The offset of point 2 gets its gradient from its 15 pairs, two of which belong together. */
    EXPECT_NEAR(scale * (15 * 0.5 - 2), dy[2 * CHANNELS + SAME_CHAIN_KEYS], 1e-7);
    EXPECT_NEAR(scale * (13 * 0.5 + 0.25 + p - 1), dy[9 * CHANNELS + SAME_CHAIN_KEYS], 1e-7);
    for (int i = 0; i < CELLS; i++)
        chains[i] = 0; /* not known */
    EXPECT_NEAR(0, evaluate(&f).loss, 0);
    clear(&f);
}

/* In the slow definition, p is the probability that the net gives to what is true of a pair of
 * points. The loss is the mean of -log p over all ordered pairs of different points. */
TEST(chains_by_a_slow_definition) {
    Fixture f = make();
    double wanted = 0;
    f.config.same_chain = 2;
    for (int i = 0; i < ROWS * CELLS * CELLS; i++) {
        int n = i / (CELLS * CELLS), a = i / CELLS % CELLS, b = i % CELLS;
        int points = EDGE * (EDGE - n), last = EDGE - n;
        const float *y = f.outputs[HEAD_SAME_CHAIN] + n * CELLS * SAME_CHAIN_CHANNELS,
                    *chains = f.batch.points[ROW_SAME_CHAIN] + n * CELLS;
        double weight = (double)f.batch.targets[n * ROW_GLOBAL_TARGETS + TARGET_WEIGHT], z = 0;
        if (a == b || a % EDGE >= last || b % EDGE >= last) continue;
        for (int k = 0; k < 16; k++)
            z += (double)y[a * 17 + k] * (double)y[b * 17 + k] / 4;
        z += (double)y[a * 17 + 16] + (double)y[b * 17 + 16];
        bool same = chains[a] == chains[b] && chains[a] > SAME_CHAIN_NONE;
        wanted += weight * log(1 + exp(same ? -z : z)) / (points * (points - 1));
    }
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(wanted, sums.same_chain, 1e-6);
    EXPECT_NEAR(2 * wanted, sums.loss, 2e-6);
    clear(&f);
}

TEST(only_nets_that_name_moves_left_have_it) {
    static const char *const ARCHS[] = {"b1c8", "b1c8-auxiliary-errors", "b1c8-moves_left",
                                        "b1c8,heads=moves_left"};
    for (int i = 0; i < 4; i++) {
        Net *net = net_of_words(ARCHS[i], 1);
        HeadIndex heads;
        EXPECT_OK(heads_find(net_program(net), &heads, err));
        EXPECT_INT(i >= 2, heads.output[HEAD_MOVES_LEFT] >= 0);
        EXPECT_INT(i == 1, heads.output[HEAD_TD] >= 0);
        EXPECT_INT(i >= 2, strstr(net_note(net, "architecture"), "moves_left") != NULL);
        net_free(net);
    }
}

TEST(td_errors_need_the_other_auxiliary_heads) {
    Net *net = net_of_words("b1c8-auxiliary-errors", 1), *less;
    const char *const LESS[] = {HEADS[HEAD_POLICY].name,
                                HEADS[HEAD_PASS].name,
                                HEADS[HEAD_VALUE].name,
                                HEADS[HEAD_SCORE].name,
                                HEADS[HEAD_OWNERSHIP].name,
                                HEADS[HEAD_TD_ERRORS].name,
                                NULL};
    HeadIndex heads;
    EXPECT_OK(heads_find(net_program(net), &heads, err));
    EXPECT_TRUE(heads.output[HEAD_TD] >= 0 && heads.output[HEAD_TD_ERRORS] >= 0);
    EXPECT_CONTAINS(net_note(net, "architecture"), "td_errors = true");
    EXPECT_OK(prune_outputs(net, LESS, &less, err));
    EXPECT_STATUS(ERR_UNSUPPORTED, heads_find(net_program(less), &heads, NULL));
    net_free(less);
    net_free(net);
}

/* The word "auxiliary" gives a net all auxiliary heads. A net may also have a few of them. */
TEST(nets_have_the_auxiliary_heads_that_they_name) {
    for (int with = 0; with < 2; with++) {
        Net *net = net_of_words(with ? "b1c8-auxiliary" : "b1c8", 1);
        HeadIndex heads;
        EXPECT_OK(heads_find(net_program(net), &heads, err));
        EXPECT_INT(with, heads.output[HEAD_TD] >= 0);
        EXPECT_INT(with, heads.output[HEAD_FUTURE] >= 0 && heads.output[HEAD_SEKI] >= 0 &&
                             heads.output[HEAD_SCORING] >= 0 &&
                             heads.output[HEAD_SEARCH_VALUES] >= 0);
        EXPECT_INT(with, strstr(net_note(net, "architecture"), "auxiliary") != NULL);
        EXPECT_TRUE(heads.output[HEAD_TD_ERRORS] < 0 &&
                    !strstr(net_note(net, "architecture"), "td_errors"));
        const char *const LESS[] = {HEADS[HEAD_POLICY].name,
                                    HEADS[HEAD_PASS].name,
                                    HEADS[HEAD_VALUE].name,
                                    HEADS[HEAD_SCORE].name,
                                    HEADS[HEAD_OWNERSHIP].name,
                                    HEADS[HEAD_FUTURE].name,
                                    NULL};
        Net *less;
        EXPECT_OK(prune_outputs(net, LESS, &less, err));
        EXPECT_OK(heads_find(net_program(less), &heads, err));
        EXPECT_INT(with, heads.output[HEAD_FUTURE] >= 0);
        EXPECT_INT(-1, heads.output[HEAD_TD]);
        net_free(less);
        net_free(net);
    }
}

TEST_MAIN(RUN(slopes_of_long_values), RUN(slopes_of_middle_values), RUN(slopes_of_short_values),
          RUN(slopes_of_later_scores), RUN(slopes_of_future_boards), RUN(slopes_of_seki),
          RUN(slopes_of_scoring), RUN(slopes_of_search_values), RUN(later_values_by_hand),
          RUN(shortterm_errors_are_those_of_the_short_horizon), RUN(future_boards_by_hand),
          RUN(scoring_by_hand), RUN(seki_by_hand), RUN(search_values_by_hand),
          RUN(spread_search_values_by_hand), RUN(slopes_of_value_errors),
          RUN(slopes_of_score_errors), RUN(slopes_of_later_scores_by_area),
          RUN(slopes_of_score_errors_by_area), RUN(losses_of_later_scores_weigh_by_the_area),
          RUN(errors_of_later_values_by_hand), RUN(errors_of_later_scores_by_hand),
          RUN(slopes_of_score_scale), RUN(score_scale_by_hand), RUN(slopes_of_moves_left),
          RUN(slopes_of_moves_left_by_area), RUN(moves_left_by_hand), RUN(slopes_of_ladders),
          RUN(ladders_by_hand), RUN(slopes_of_later_moves), RUN(later_moves_by_hand),
          RUN(slopes_of_the_error_of_the_value), RUN(the_error_of_the_value_by_hand),
          RUN(slopes_of_next_occupants), RUN(next_occupants_by_hand),
          RUN(next_occupants_by_a_slow_definition), RUN(slopes_of_times_on_board),
          RUN(times_on_board_by_hand), RUN(slopes_of_chains), RUN(chains_by_hand),
          RUN(chains_by_a_slow_definition), RUN(times_on_board_by_a_slow_definition),
          RUN(slopes_of_root_variances), RUN(root_variances_by_hand), RUN(slopes_of_value_buckets),
          RUN(value_buckets_by_hand), RUN(the_categorical_value_may_learn_one_bucket),
          RUN(slopes_of_value_buckets_with_one_bucket), RUN(only_nets_that_name_moves_left_have_it),
          RUN(a_policy_optimistic_about_all_horizons_by_hand),
          RUN(td_errors_need_the_other_auxiliary_heads),
          RUN(nets_have_the_auxiliary_heads_that_they_name))
