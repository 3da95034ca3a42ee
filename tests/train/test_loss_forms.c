/* The form of losses in points or turns, worked out by hand: their targets, and from where on their
 * Huber losses are linear. The file also tests squared errors of value and policy, the default
 * weights of the settings objective.*, and the running fraction of points that nobody owns (KataGo,
 * python/katago/train/metrics_pytorch.py). */
#include "data/made_rows.h"
#include "eval/arch/heads.h"
#include "eval/net_of_words.h"
#include "train/trainer_private.h"

enum { EDGE = 3, CELLS = EDGE * EDGE, P = POLICY_SOFT };
enum {
    SETTLED = 3,          /* the output of HEAD_SCORE for the time until the values settle */
    BAR = SCORE_BINS_HALF /* the first bin of scores above 0 */
};

/* One row of weight 1, all outputs 0. */
typedef struct {
    Batch batch;
    ObjectiveSettings config;
    float policy[P * CELLS], pass[P], value[3], score[6], ownership[CELLS], bins[SCORE_BINS];
    float d_policy[P * CELLS], d_pass[P], d_value[3], d_score[6], d_ownership[CELLS],
        d_bins[SCORE_BINS];
    bool distribution;
} Fixture;

static void make(Fixture *f) {
    *f = (Fixture){.config = {.huber_delta = 12}};
    EXPECT_OK(batch_init(&f->batch, 1, EDGE, err));
    f->batch.count = 1;
    for (int i = 0; i < CELLS; i++)
        f->batch.mask[i] = 1;
    f->batch.score[BAR] = 1;
    f->batch.targets[TARGET_WEIGHT] = f->batch.targets[TARGET_WEIGHT_BOARD] = 1;
    f->batch.targets[TARGET_WEIGHT_LEAD] = 1;
}

static Metrics evaluate(Fixture *f) {
    Metrics sums = {0};
    ObjectiveShard share = {
        .batch = &f->batch,
        .count = 1,
        .policies = model_format_policies(&MODEL_FORMAT_DEFAULT, P),
        .outputs = {f->policy, f->pass, f->value, f->score, f->ownership,
                    f->distribution ? f->bins : NULL},
        .gradients = {f->d_policy, f->d_pass, f->d_value, f->d_score, f->d_ownership, f->d_bins},
    };
    objective_evaluate(&f->config, &share, &sums);
    return sums;
}

/* The Huber loss: x^2 / 2 up to `delta`, and linear from there on. */
static double bent(double x, double delta) {
    return fabs(x) <= delta ? x * x / 2 : delta * delta / 2 + delta * (fabs(x) - delta);
}

TEST(the_lead_is_linear_from_8_points_on) {
    Fixture f;
    make(&f);
    f.config.lead = 2;
    f.batch.targets[TARGET_WEIGHT_LEAD] = 0.5f;
    f.batch.targets[TARGET_SCORE] = -40; /* is not used */
    static const float LEADS[] = {3, 7.5f, -8.5f, 20};
    for (int i = 0; i < 4; i++) {
        f.batch.targets[TARGET_LEAD] = LEADS[i];
        Metrics sums = evaluate(&f);
        EXPECT_NEAR(0.5 * bent((double)LEADS[i], 8), sums.lead, 1e-6);
        EXPECT_NEAR(2 * sums.lead, sums.loss, 1e-6);
    }
    EXPECT_NEAR(0.5 * (32 + 8 * 12), evaluate(&f).lead, 1e-6);
    f.batch.targets[TARGET_WEIGHT_LEAD] = 0; /* not known: nothing is learned */
    EXPECT_NEAR(0, evaluate(&f).loss, 0);
    batch_clear(&f.batch);
}

/* The head predicts a standard deviation of 20 log 2 = 13.9 points. The target is that of the net's
 * own distribution: sqrt(0.001) for one score, and sqrt(0.001 + d^2) for two equally likely scores
 * at the distance 2 d. Rows count even if the end of their game is not known. */
TEST(the_deviation_is_measured_against_the_distributions) {
    static const int APART[] = {0, 3, 4, 15, 40};
    Fixture f;
    make(&f);
    f.distribution = true;
    f.config.score_stdev = 3;
    f.batch.targets[TARGET_WEIGHT_BOARD] = 0;
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < SCORE_BINS; k++)
            f.bins[k] = k == BAR - APART[i] || k == BAR + APART[i] ? 0 : -200;
        double wanted = sqrt(0.001 + APART[i] * APART[i]);
        Metrics sums = evaluate(&f);
        EXPECT_NEAR(bent(20 * log(2) - wanted, 10), sums.score_stdev, 1e-6);
        EXPECT_NEAR(3 * sums.score_stdev, sums.loss, 1e-5);
    }
    batch_clear(&f.batch);
}

/* The head predicts a mean of 20 y points, where y is its output. The target is the mean of the
 * net's own distribution, here that of two equally likely scores. Rows count even if the end of
 * their game is not known. */
TEST(the_mean_is_measured_against_the_distributions) {
    static const int BETWEEN[] = {0, 6, 9, 11, -30}; /* bins from the first score to the second */
    Fixture f;
    make(&f);
    f.distribution = true;
    f.config.score_mean_self = 3;
    f.batch.targets[TARGET_WEIGHT_BOARD] = 0;
    f.score[0] = 0.15f;
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < SCORE_BINS; k++)
            f.bins[k] = k == BAR || k == BAR + BETWEEN[i] ? 0 : -200;
        double away = 3 - (0.5 + BETWEEN[i] / 2.0), slope = fmax(-10, fmin(10, away));
        memset(f.d_score, 0, sizeof f.d_score);
        memset(f.d_bins, 0, sizeof f.d_bins);
        Metrics sums = evaluate(&f);
        EXPECT_NEAR(bent(away, 10), sums.score_mean_self, 1e-5);
        EXPECT_NEAR(3 * sums.score_mean_self, sums.loss, 1e-5);
        EXPECT_NEAR(3 * slope * 20, f.d_score[0], 1e-4);
        /* each score has the probability 1/2 and is BETWEEN / 2 away from their mean */
        EXPECT_NEAR(BETWEEN[i] ? 3 * slope * 0.5 * BETWEEN[i] / 2 : 0, f.d_bins[BAR], 1e-4);
    }
    f.config.score_mean_self = 0;
    EXPECT_NEAR(0, evaluate(&f).loss, 0);
    batch_clear(&f.batch);
}

/* In a net without a score distribution, the target of the standard deviation is 1.25 times the
 * absolute error of the predicted mean. This mean is 0 here. */
TEST(a_deviation_alone_is_measured_against_the_distance) {
    Fixture f;
    make(&f);
    f.config.score_stdev = 1;
    for (int score = -40; score <= 40; score += 10) {
        f.batch.targets[TARGET_SCORE] = (float)score;
        EXPECT_NEAR(bent(20 * log(2) - 1.25 * abs(score), 10), evaluate(&f).loss, 1e-6);
    }
    batch_clear(&f.batch);
}

/* The head predicts 40 log 2 = 27.7 turns. The loss adds 0.00001 to the row's target. */
TEST(the_time_of_variance_is_linear_from_50_on) {
    static const float TIMES[] = {0, 20, 77, 78.5f, 200};
    Fixture f;
    make(&f);
    f.config.var_time = 1;
    f.batch.targets[TARGET_WEIGHT_BOARD] = 0.25f;
    for (int i = 0; i < 5; i++) {
        f.batch.targets[TARGET_VARIANCE_TIME] = TIMES[i];
        double off = 40 * log(2) - ((double)TIMES[i] + 1e-5);
        EXPECT_NEAR(0.25 * bent(off, 50), evaluate(&f).loss, 2e-5);
    }
    EXPECT_TRUE(fabsf(f.d_score[SETTLED]) > 1);
    batch_clear(&f.batch);
}

/* The loss is the sum of the squared differences of the two cumulative distributions. If the whole
 * prediction is n bins away from the target, the loss is n. If half of the prediction is n bins
 * away, the loss is n / 4. */
TEST(the_distribution_function_counts_how_far_bins_are_off) {
    Fixture f;
    make(&f);
    f.distribution = true;
    f.config.score_cdf = 2;
    f.batch.targets[TARGET_WEIGHT_BOARD] = 0.5f;
    for (int away = -20; away <= 20; away += 5) {
        for (int halved = 0; halved < 2; halved++) {
            for (int k = 0; k < SCORE_BINS; k++)
                f.bins[k] = k == BAR + away || (halved && k == BAR) ? 0 : -200;
            double wanted = halved ? abs(away) / 4.0 : abs(away);
            Metrics sums = evaluate(&f);
            EXPECT_NEAR(0.5 * wanted, sums.score_cdf, 1e-5);
            EXPECT_NEAR(wanted, sums.loss, 1e-5);
        }
    }
    batch_clear(&f.batch);
}

/* The predicted win - loss is 3/5 - 1/5, and the outcome is 1, so the error is 0.6. */
TEST(the_value_may_learn_by_squared_errors) {
    Fixture f;
    make(&f);
    f.config.value_l2 = 0.5;
    f.value[0] = logf(3);
    f.batch.targets[TARGET_FINAL] = 1;
    Metrics sums = evaluate(&f);
    EXPECT_NEAR(0.5 * 0.36, sums.loss, 1e-6);
    EXPECT_NEAR(0.36 / 4, sums.value_squared, 1e-6);
    EXPECT_NEAR(0.5 * 2 * -0.6 * 0.6 * (1 - 0.4), f.d_value[0], 1e-6);
    EXPECT_NEAR(0.5 * 2 * -0.6 * 0.2 * (-1 - 0.4), f.d_value[1], 1e-6);
    EXPECT_NEAR(0.5 * 2 * -0.6 * 0.2 * (0 - 0.4), f.d_value[2], 1e-6);
    batch_clear(&f.batch);
}

/* The target is a mean of the result (win) and of the search (0.3, 0.5, 0.2). The metrics compare
 * with the result. */
TEST(the_value_may_learn_what_the_search_found) {
    static const float FOUND[3] = {0.3f, 0.5f, 0.2f}, SAID[3] = {0.5f, 0.3f, 0.2f};
    for (int i = 0; i < 6; i++) {
        double q = 0.25 * (i % 3), by_search = i < 3 ? q : 0; /* from 3 on there is no search */
        double target[3] = {1 - by_search * 0.7, by_search * 0.5, by_search * 0.2};
        Fixture f;
        make(&f);
        f.config.value = 2;
        f.config.value_q = q;
        f.batch.targets[TARGET_FINAL] = 1;
        f.batch.targets[TARGET_NO_TD] = i >= 3;
        for (int k = 0; k < 3; k++) {
            f.batch.targets[TARGET_SEARCH + k] = FOUND[k];
            f.value[k] = logf(SAID[k]);
        }
        double entropy = 0;
        for (int k = 0; k < 3; k++)
            entropy -= target[k] * log((double)SAID[k]);
        Metrics sums = evaluate(&f);
        EXPECT_NEAR(entropy, sums.value, 1e-6);
        EXPECT_NEAR(2 * entropy, sums.loss, 1e-6);
        EXPECT_NEAR(0.8 * 0.8 / 4, sums.value_squared, 1e-6);
        for (int k = 0; k < 3; k++)
            EXPECT_NEAR(2 * ((double)SAID[k] - target[k]), f.d_value[k], 1e-6);
        f.config.value = 0;
        f.config.value_l2 = 3;
        double away = 0.2 - (target[0] - target[1]);
        EXPECT_NEAR(3 * away * away, evaluate(&f).loss, 1e-6);
        batch_clear(&f.batch);
    }
}

/* The policy gives 11/20 to point 4 and 1/20 to each of the other 9 moves. The target gives 0.6 to
 * point 4 and 0.4 to the pass. With policy_best = 0.5, half of the target of each other move goes
 * to the best move, so the two become 0.8 and 0.2. */
TEST(the_policy_may_learn_by_squared_errors_and_its_best_move) {
    Fixture f;
    make(&f);
    f.config.policy_l2 = 2;
    f.batch.targets[TARGET_WEIGHT_POLICY] = 0.5f;
    f.batch.policy[4] = 0.6f;
    f.batch.policy[CELLS] = 0.4f;
    f.policy[4 * P] = logf(11);
    for (int half = 0; half < 2; half++) {
        f.config.policy_best = half ? 0.5 : 0;
        f.config.policy = 0;
        double of_point = 0.55 - (half ? 0.8 : 0.6), of_pass = 0.05 - (half ? 0.2 : 0.4),
               of_other = 0.05, mean = 0.55 * of_point + 0.05 * of_pass + 8 * 0.05 * of_other,
               wanted = of_point * of_point + of_pass * of_pass + 8 * of_other * of_other;
        Metrics sums = evaluate(&f);
        EXPECT_NEAR(0.5 * wanted, sums.policy_l2, 1e-6);
        EXPECT_NEAR(2 * sums.policy_l2, sums.loss, 1e-9);
        EXPECT_NEAR(2 * 0.5 * 2 * 0.55 * (of_point - mean), f.d_policy[4 * P], 1e-6);
        EXPECT_NEAR(2 * 0.5 * 2 * 0.05 * (of_pass - mean), f.d_pass[0], 1e-6);
        EXPECT_NEAR(2 * 0.5 * 2 * 0.05 * (of_other - mean), f.d_policy[3 * P], 1e-6);
        f.config.policy_l2 = 0;
        f.config.policy = 1; /* the cross entropy takes the same target */
        double entropy = -(half ? 0.8 : 0.6) * log(0.55) - (half ? 0.2 : 0.4) * log(0.05);
        EXPECT_NEAR(0.5 * entropy, evaluate(&f).policy, 1e-6);
        f.config.policy_l2 = 2;
    }
    batch_clear(&f.batch);
}

/* Of the nine points, 0 is the mover's stone, 1 an opponent's, and 2 is forbidden by ko. All logits
 * are 0 except that of point 2, which is large. So the policy gives 1/7 to each of the six free
 * points and to the pass if only legal moves count. */
TEST(the_policy_may_learn_among_legal_moves) {
    Fixture f;
    make(&f);
    float *planes = f.batch.planes;
    for (int i = 0; i < CELLS; i++)
        planes[i * FEATURE_PLANES] = 1;
    planes[1] = planes[FEATURE_PLANES + 2] = planes[2 * FEATURE_PLANES + 6] = 1;
    f.config.policy = 2;
    f.config.policy_l2 = 1;
    f.config.opponent_policy = 1;
    f.batch.targets[TARGET_WEIGHT_POLICY] = 1;
    f.batch.policy[4] = 0.75f;
    f.batch.policy[CELLS] = 0.25f;
    f.policy[2 * P] = 9;
    Metrics all = evaluate(&f);
    EXPECT_NEAR(log(9 + exp(9)), all.policy, 1e-5);
    EXPECT_TRUE(f.d_policy[2 * P] > 1.9f);
    memset(f.d_policy, 0, sizeof f.d_policy);
    f.config.policy_legal = true;
    Metrics legal = evaluate(&f);
    EXPECT_NEAR(log(7), legal.policy, 1e-6);
    EXPECT_NEAR(log(7), legal.policy_uniform, 1e-6);
    EXPECT_NEAR(pow(0.75 - 1 / 7.0, 2) + pow(0.25 - 1 / 7.0, 2) + 5 / 49.0, legal.policy_l2, 1e-6);
    for (int i = 0; i < 3; i++)
        EXPECT_NEAR(0, f.d_policy[i * P], 0);
    EXPECT_TRUE(f.d_policy[3 * P] > 0.2f && f.d_policy[4 * P] < -1);
    f.batch.policy[2] = 1; /* a move of the target counts even if it is illegal */
    EXPECT_TRUE(evaluate(&f).policy > 1);
    EXPECT_TRUE(f.d_policy[2 * P] != 0);
    /* the reply is learned among all points, because its legal moves are not known */
    f.config.policy = f.config.policy_l2 = 0;
    f.batch.targets[TARGET_WEIGHT_POLICY] = 0;
    f.batch.targets[TARGET_WEIGHT_REPLY] = f.batch.policy[CELLS + 1] = 1;
    EXPECT_NEAR(log(10), evaluate(&f).opponent_policy, 1e-6);
    batch_clear(&f.batch);
}

#define OF(field, value)                                                                           \
    { #field, offsetof(ObjectiveSettings, field), value }

/* The default of every setting of objective.*, by its source. The first lines are those of KataGo's
 * trainer. */
static const struct {
    const char *name;
    size_t at;
    double weight;
} KATAGOS[] = {
    OF(opponent_policy, 0.15), OF(soft_policy, 8), OF(soft_opponent_policy, 0.15 * 8),
    OF(long_optimistic_policy, 0.1), OF(optimistic_policy, 0.2), OF(ownership, 1.5),
    OF(score_pdf, 0.02), OF(score_cdf, 0.02), OF(score_mean, 0.0015), OF(score_stdev, 0.001),
    OF(lead, 0.006), OF(var_time, 0.0003), OF(shortterm_error, 2), OF(q_winloss, 1.5),
    OF(q_score, 0.0008), OF(td_long, 1.2 * 0.6), OF(td_middle, 1.2 * 0.6), OF(td_short, 1.2 * 0.6),
    OF(td_score, 0.0004), OF(future, 0.25), OF(seki, 1), OF(scoring, 0.25), OF(huber_delta, 12),
    /* These are p3achygo's, except for the last, which is 1 in p3achygo. */
    OF(search_values, 0.125), OF(td_value_error, 3), OF(td_score_error, 0.2),
    OF(horizon_optimistic_policy, 0),
    /* `policy` is that of Wu 2019; KataGo now has 0.93. `value` is that of KataGo's nets of 2020;
     * KataGo now has 0.72 for `value` and 0.72 for each of the three horizons. All others are our
     * own. */
    OF(policy, 1), OF(value, 1.2), OF(td_value, 0), OF(score_area, 49), OF(score_scale, 0.0005),
    OF(ladders, 20), OF(value_buckets, 0.1), OF(later_moves, 0.15), OF(root_variance, 0.2),
    OF(value_error, 1), OF(value_error_q, 1), OF(value_l2, 0), OF(value_q, 0), OF(policy_l2, 0),
    OF(policy_best, 0), OF(score_mean_self, 0), OF(value_buckets_single, 0), OF(value_buckets_q, 0),
    OF(next_occupant, 0), OF(time_on_board, 0), OF(same_chain, 0),
    OF(moves_left, 0.1) /* 1 in lczero-training */};

TEST(default_weights_are_those_of_the_sources) {
    ObjectiveSettings config;
    int named = 0, fields = 0;
    settings_defaults(OBJECTIVE_FIELDS, &config);
    for (size_t i = 0; i < sizeof KATAGOS / sizeof *KATAGOS; i++, named++) {
        double weight;
        memcpy(&weight, (const char *)&config + KATAGOS[i].at, sizeof weight);
        if (!(fabs(weight - KATAGOS[i].weight) <= 1e-15))
            fail_msg("%s is %g", KATAGOS[i].name, weight);
    }
    for (const SettingsField *field = OBJECTIVE_FIELDS; field->name; field++)
        fields += field->type == FIELD_TYPE_DOUBLE;
    EXPECT_FALSE(config.policy_legal);
    EXPECT_INT(fields, named); /* the table has all numbers */
}

static Trainer *trainer_of(const char *arch, int rows) {
    TrainerSetup setup = {.batch = rows, .length = EDGE};
    Trainer *trainer;
    training_settings_defaults(&setup.training);
    setup.training.trainer.threads = 1;
    EXPECT_OK(trainer_new(&setup, net_of_words(arch, 1), &trainer, err));
    return trainer;
}

/* Nobody owns a third of the points of each batch. The running fraction starts at 0.005, and each
 * step moves it by 0.002 of its distance from the batch's fraction. trainer_measure() does not move
 * it. */
TEST(the_fraction_of_unowned_points_is_averaged_with_decay_0_998) {
    enum { ROWS = 4 };
    LoaderSettings config = {
        .batch = ROWS, .length = EDGE, .memory_mb = 16, .seed = 1, .boards = true};
    TestPath path = test_path("forms.npz");
    Trainer *trainer = trainer_of("b1c8-auxiliary", ROWS);
    Loader *loader;
    Batch batch;
    Metrics metrics;
    double share = 0.005;
    made_file(path.text, EDGE, EDGE, EDGE, ROWS, 1);
    EXPECT_OK(loader_new(&config, &loader, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    for (int step = 0; step < 5; step++) {
        EXPECT_OK(loader_next(loader, &batch, err));
        for (int i = 0; i < ROWS * CELLS; i++)
            batch.ownership[i] = i % 3 ? 1 : 0;
        EXPECT_NEAR(share, trainer->unowned, 1e-9);
        EXPECT_OK(trainer_measure(trainer, &batch, &metrics, err));
        EXPECT_OK(trainer_step(trainer, &batch, &metrics, err));
        EXPECT_NEAR(1.0 / 3, metrics.unowned, 1e-6);
        share = 0.998 * share + 0.002 / 3;
    }
    EXPECT_NEAR(share, trainer->unowned, 1e-9);
    trainer_free(trainer);
    loader_free(loader);
    remove(path.text);
}

TEST_MAIN(RUN(the_value_may_learn_by_squared_errors),
          RUN(the_value_may_learn_what_the_search_found),
          RUN(the_policy_may_learn_among_legal_moves),
          RUN(the_policy_may_learn_by_squared_errors_and_its_best_move),
          RUN(the_lead_is_linear_from_8_points_on),
          RUN(the_deviation_is_measured_against_the_distributions),
          RUN(the_mean_is_measured_against_the_distributions),
          RUN(a_deviation_alone_is_measured_against_the_distance),
          RUN(the_time_of_variance_is_linear_from_50_on),
          RUN(the_distribution_function_counts_how_far_bins_are_off),
          RUN(default_weights_are_those_of_the_sources),
          RUN(the_fraction_of_unowned_points_is_averaged_with_decay_0_998))
