/* The score distribution of a net in a position, and its quantiles. */
#include "eval/evaluators/score_distribution.h"
#include "eval/net_of_words.h"
#include "test.h"

static Position empty_board(int width, int height) {
    Position position = {0};
    Rules rules = rules_tromp_taylor();
    EXPECT_OK(position_init(&position, width, height, &rules, err));
    return position;
}

static Net *make_net(const char *words) {
    return net_of_words(words, 3);
}

TEST(fractions_sum_to_one_and_change_with_the_position) {
    Net *net = make_net("b1c8");
    Position position = empty_board(5, 4);
    float first[SCORE_BINS], second[SCORE_BINS];
    double sum = 0, moved = 0;
    bool has;
    EXPECT_OK(score_distribution(net, &position, &(EvaluationOptions){0}, &has, first, err));
    EXPECT_TRUE(has);
    EXPECT_OK(position_play(&position, point_at(1, 1), err));
    EXPECT_OK(score_distribution(net, &position, &(EvaluationOptions){0}, &has, second, err));
    for (int i = 0; i < SCORE_BINS; i++) {
        EXPECT_TRUE(first[i] >= 0);
        sum += (double)first[i];
        moved += fabs((double)first[i] - (double)second[i]);
    }
    EXPECT_NEAR(1, sum, 1e-4);
    EXPECT_TRUE(moved > 1e-6);
    position_clear(&position);
    net_free(net);
}

/* If all of the history is hidden, the distribution is that of a board on which the stones were set
 * up. */
TEST(the_history_can_be_hidden) {
    Net *net = make_net("b1c8");
    Position position = empty_board(5, 4);
    float shown[SCORE_BINS], half[SCORE_BINS], hidden[SCORE_BINS], set_up[SCORE_BINS];
    double from_shown = 0, from_half = 0;
    bool has;
    EXPECT_OK(position_play(&position, point_at(1, 1), err));
    EXPECT_OK(position_play(&position, point_at(3, 2), err));
    EXPECT_OK(score_distribution(net, &position, &(EvaluationOptions){0}, &has, shown, err));
    EXPECT_OK(score_distribution(net, &position, &(EvaluationOptions){.history_hidden = 0.5f}, &has,
                                 half, err));
    EXPECT_OK(score_distribution(net, &position, &(EvaluationOptions){.history_hidden = 1}, &has,
                                 hidden, err));
    EXPECT_OK(position_restart(&position, COLOR_BLACK, err));
    EXPECT_OK(score_distribution(net, &position, &(EvaluationOptions){0}, &has, set_up, err));
    for (int i = 0; i < SCORE_BINS; i++) {
        EXPECT_NEAR(set_up[i], hidden[i], 1e-7);
        from_shown += fabs((double)hidden[i] - (double)shown[i]);
        from_half += fabs((double)hidden[i] - (double)half[i]);
    }
    EXPECT_TRUE(from_shown > 1e-6 && from_half > 1e-6);
    position_clear(&position);
    net_free(net);
}

/* A net whose model format names an older version of features is refused, because its inputs have
 * other shapes. */
TEST(inputs_are_those_of_the_model_format) {
    Net *net = make_net("b1c8");
    Position position = empty_board(5, 4);
    ModelFormat model_format = MODEL_FORMAT_DEFAULT;
    float p[SCORE_BINS];
    bool has;
    Error error = {0};
    model_format.version = 6;
    EXPECT_OK(model_format_note(net, &model_format, err));
    EXPECT_STATUS(ERR_UNSUPPORTED,
                  score_distribution(net, &position, &(EvaluationOptions){0}, &has, p, &error));
    EXPECT_CONTAINS(error.message, "\"planes\" has 22 channels, wanted 13");
    EXPECT_FALSE(has);
    net_free(net);
    position_clear(&position);
}

/* The two positions differ by a symmetry. Both have the same distribution, because it is the mean
 * over all symmetries. */
TEST(symmetric_positions_have_one_distribution) {
    Net *net = make_net("b1c8");
    Position left = empty_board(5, 5), right = empty_board(5, 5);
    float first[SCORE_BINS], second[SCORE_BINS];
    bool has;
    EXPECT_OK(position_play(&left, point_at(0, 1), err));
    EXPECT_OK(position_play(&right, point_at(3, 0), err));
    EXPECT_OK(score_distribution(net, &left, &(EvaluationOptions){0}, &has, first, err));
    EXPECT_OK(score_distribution(net, &right, &(EvaluationOptions){0}, &has, second, err));
    for (int i = 0; i < SCORE_BINS; i++)
        EXPECT_NEAR(first[i], second[i], 1e-6);
    position_clear(&left);
    position_clear(&right);
    net_free(net);
}

TEST(a_net_without_the_head_says_so) {
    Net *net = make_net("b1c8-nodist");
    Position position = empty_board(5, 5);
    float p[SCORE_BINS] = {7};
    bool has = true;
    EXPECT_OK(score_distribution(net, &position, &(EvaluationOptions){0}, &has, p, err));
    EXPECT_FALSE(has);
    EXPECT_NEAR(7, p[0], 0);
    position_clear(&position);
    net_free(net);
}

TEST(values_that_are_not_finite_are_refused) {
    Net *net = make_net("b1c8");
    Position position = empty_board(5, 5);
    float p[SCORE_BINS];
    bool has = true;
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        if (strncmp(program_parameter(program, i)->name, "score.out", 9) == 0)
            net_values(net, i)[0] = 3e38f;
        if (strncmp(program_parameter(program, i)->name, "score.hidden", 12) == 0)
            net_values(net, i)[0] = 3e38f;
        if (strncmp(program_parameter(program, i)->name, "score.bias", 10) == 0)
            net_values(net, i)[0] = 3e38f;
    }
    Error err = {0};
    EXPECT_STATUS(ERR_UNSUPPORTED,
                  score_distribution(net, &position, &(EvaluationOptions){0}, &has, p, &err));
    EXPECT_CONTAINS(err.message, "not finite");
    EXPECT_FALSE(has);
    position_clear(&position);
    net_free(net);
}

TEST(quantiles_by_hand) {
    float p[SCORE_BINS] = {0};
    p[SCORE_BINS_HALF - 3] = 0.25f; /* -2.5 points */
    p[SCORE_BINS_HALF] = 0.5f;      /* +0.5 */
    p[SCORE_BINS_HALF + 9] = 0.25f; /* +9.5 */
    EXPECT_NEAR(-2.5, score_distribution_quantile(p, 0.05), 0);
    EXPECT_NEAR(-2.5, score_distribution_quantile(p, 0.25), 0);
    EXPECT_NEAR(0.5, score_distribution_quantile(p, 0.5), 0);
    EXPECT_NEAR(9.5, score_distribution_quantile(p, 0.95), 0);
    EXPECT_NEAR(420.5, score_distribution_quantile(p, 2), 0);
}

TEST_MAIN(RUN(inputs_are_those_of_the_model_format),
          RUN(fractions_sum_to_one_and_change_with_the_position), RUN(the_history_can_be_hidden),
          RUN(symmetric_positions_have_one_distribution), RUN(a_net_without_the_head_says_so),
          RUN(values_that_are_not_finite_are_refused), RUN(quantiles_by_hand))
