/* How comparisons measure the agreement and the differences of two evaluators. */
#include "eval/precision/compare.h"
#include "test.h"

enum { EDGE = 2, POINTS = EDGE * EDGE };

/* An evaluation of a 2x2 board with these priors of the pass and of the points 0, 1 and 3. Point 2
 * is illegal. */
static Evaluation evaluation_of(float pass, float a, float b, float c) {
    return (Evaluation){.width = EDGE,
                        .height = EDGE,
                        .has_ownership = true,
                        .win = 0.5f,
                        .loss = 0.5f,
                        .policy = {a, b, -1, c, pass}};
}

TEST(an_empty_comparison_agrees) {
    const Comparison comparison = {0};
    EXPECT_NEAR(1, comparison_agreement(&comparison), 0);
    EXPECT_NEAR(0, differences_mean(&comparison.policy), 0);
}

TEST(positions_without_a_clear_best_move_do_not_count) {
    Comparison comparison = {0};
    Evaluation clear = evaluation_of(0.1f, 0.5f, 0.3f, 0.1f),
               other = evaluation_of(0.1f, 0.3f, 0.5f, 0.1f),
               close = evaluation_of(0.1f, 0.4f, 0.39f, 0.11f);
    comparison_add(&comparison, &clear, &clear);
    comparison_add(&comparison, &clear, &other);
    comparison_add(&comparison, &close, &other);
    EXPECT_INT(3, comparison.positions);
    EXPECT_INT(1, comparison.same_top);
    EXPECT_INT(2, comparison.clear);
    EXPECT_INT(1, comparison.clear_same_top);
    EXPECT_NEAR(0.5, comparison_agreement(&comparison), 0);
}

/* A position is clear if the priors of its two best moves differ enough in the first evaluation,
 * which is the reference. */
TEST(the_first_evaluation_decides_whether_a_move_is_clear) {
    Comparison comparison = {0};
    Evaluation close = evaluation_of(0.4f, 0.39f, 0.11f, 0.1f),
               clear = evaluation_of(0.1f, 0.7f, 0.1f, 0.1f);
    comparison_add(&comparison, &close, &clear);
    EXPECT_INT(0, comparison.clear);
    comparison_add(&comparison, &clear, &close);
    EXPECT_INT(1, comparison.clear);
}

TEST(differences_have_mean_worst_and_place) {
    Comparison comparison = {0};
    Evaluation a = evaluation_of(0.1f, 0.5f, 0.3f, 0.1f), b = evaluation_of(0.2f, 0.5f, 0.1f, 0.2f);
    comparison_add(&comparison, &a, &a);
    b.win = 0.7f, b.loss = 0.2f, b.no_result = 0.1f; /* win rate 0.75; that of a is 0.5 */
    b.lead = -1.5f;
    b.ownership[3] = -0.5f;
    comparison_add(&comparison, &a, &b);
    EXPECT_INT(8, comparison.policy.count); /* 4 legal moves in each of 2 positions */
    EXPECT_NEAR((0.1 + 0.2 + 0.1) / 8, differences_mean(&comparison.policy), 1e-7);
    EXPECT_NEAR(0.2, comparison.policy.worst, 1e-7);
    EXPECT_NEAR(0.2 / 2, differences_mean(&comparison.policy_distance), 1e-7);
    EXPECT_NEAR((0.1 + 0.2 + 0.1) / 2, comparison.policy_distance.worst, 1e-7);
    EXPECT_INT(1, comparison.policy.worst_at);
    EXPECT_NEAR(0.125, differences_mean(&comparison.winrate), 1e-7);
    EXPECT_NEAR(0.25, comparison.winrate.worst, 1e-7);
    EXPECT_NEAR(0.75, differences_mean(&comparison.lead), 1e-7);
    EXPECT_NEAR(1.5, comparison.lead.worst, 1e-7);
    EXPECT_NEAR(0.5 / 8, differences_mean(&comparison.ownership), 1e-7);
}

TEST(ownership_is_compared_where_both_have_it) {
    Comparison comparison = {0};
    Evaluation a = evaluation_of(0.1f, 0.5f, 0.3f, 0.1f), b = a;
    b.has_ownership = false;
    comparison_add(&comparison, &a, &b);
    EXPECT_INT(0, comparison.ownership.count);
}

/* The evaluators take batches of 2 and of 3, so five positions are evaluated as 2, 2 and 1. */
TEST(evaluators_are_asked_in_batches_that_both_take) {
    enum { COUNT = 5 };
    Evaluator *uniform, *random;
    Position position = {0};
    EvaluationRequest requests[COUNT];
    Rules rules = rules_tromp_taylor();
    Comparison same = {0}, different = {0};
    EXPECT_OK(position_init(&position, EDGE, EDGE, &rules, err));
    EXPECT_OK(evaluator_uniform_new(2, &uniform, err));
    EXPECT_OK(evaluator_random_new(3, 1, &random, err));
    for (int i = 0; i < COUNT; i++)
        requests[i] = (EvaluationRequest){.position = &position};
    EXPECT_OK(comparison_run(&same, random, random, requests, COUNT, err));
    EXPECT_OK(comparison_run(&different, random, uniform, requests, COUNT, err));
    EXPECT_INT(COUNT, same.positions);
    EXPECT_INT(COUNT, same.same_top);
    EXPECT_NEAR(0, same.policy.worst, 0);
    EXPECT_INT(COUNT, different.positions);
    EXPECT_TRUE(different.policy.worst > 0.01);
    EXPECT_INT(COUNT, uniform->evaluations);
    evaluator_free(uniform);
    evaluator_free(random);
    position_clear(&position);
}

TEST_MAIN(RUN(an_empty_comparison_agrees), RUN(positions_without_a_clear_best_move_do_not_count),
          RUN(the_first_evaluation_decides_whether_a_move_is_clear),
          RUN(differences_have_mean_worst_and_place), RUN(ownership_is_compared_where_both_have_it),
          RUN(evaluators_are_asked_in_batches_that_both_take))
