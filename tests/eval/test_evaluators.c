/* The evaluators: uniform, random, a net (also as a mean over symmetries), an evaluator with a
 * cache, and an evaluator that compares two others. */
#include "eval/arch/arch.h"
#include "eval/evaluators/evaluator.h"
#include "eval/net_of_words.h"
#include "test.h"

enum { EDGE = 5, POINTS = EDGE * EDGE };

static Position position_with(Point first, Point second) {
    Position position = {0};
    Rules rules = rules_tromp_taylor();
    EXPECT_OK(position_init(&position, EDGE, EDGE, &rules, err));
    if (first != POINT_NONE) EXPECT_OK(position_play(&position, first, err));
    if (second != POINT_NONE) EXPECT_OK(position_play(&position, second, err));
    return position;
}

static Evaluation evaluate(Evaluator *evaluator, const Position *position) {
    Evaluation out;
    EXPECT_OK(
        evaluator_evaluate(evaluator, &(EvaluationRequest){.position = position}, 1, &out, err));
    return out;
}

static Evaluation evaluate_with(Evaluator *evaluator, const Position *position,
                                EvaluationOptions options) {
    Evaluation out;
    EXPECT_OK(evaluator_evaluate(evaluator, &(EvaluationRequest){position, options}, 1, &out, err));
    return out;
}

static Evaluator *net_evaluator(uint64_t seed, int symmetry) {
    NetEvaluatorSetup config = {.batch = 4,
                                .buffer_width = EDGE,
                                .buffer_height = EDGE,
                                .symmetry = symmetry,
                                .ownership = true,
                                .features = FEATURE_OPTIONS_DEFAULT};
    Net *net = net_of_words("b2c16-batch", seed);
    Evaluator *evaluator;
    EXPECT_OK(evaluator_net_new(net, &config, &evaluator, err));
    net_free(net);
    return evaluator;
}

static Evaluation with_optimism(const Net *net, const Position *position, float optimism) {
    NetEvaluatorSetup config = {.batch = 1,
                                .buffer_width = EDGE,
                                .buffer_height = EDGE,
                                .features = FEATURE_OPTIONS_DEFAULT};
    Evaluator *evaluator;
    EXPECT_OK(evaluator_net_new(net, &config, &evaluator, err));
    Evaluation out =
        evaluate_with(evaluator, position, (EvaluationOptions){.policy_optimism = optimism});
    evaluator_free(evaluator);
    return out;
}

static void expect_sums(const Evaluation *e) {
    double sum = 0;
    for (int i = 0; i <= POINTS; i++)
        sum += e->policy[i] >= 0 ? (double)e->policy[i] : 0;
    EXPECT_NEAR(1, sum, 1e-5);
    EXPECT_NEAR(1, e->win + e->loss + e->no_result, 1e-5);
}

TEST(the_uniform_evaluator_gives_equal_priors) {
    Evaluator *uniform;
    Position position = position_with(point_at(1, 1), POINT_NONE);
    EXPECT_OK(evaluator_uniform_new(4, &uniform, err));
    Evaluation e = evaluate(uniform, &position);
    expect_sums(&e);
    for (int i = 0; i <= POINTS; i++)
        /* 24 empty points and the pass are legal */
        EXPECT_NEAR(i == EDGE + 1 ? -1 : 1.0 / POINTS, e.policy[i], 1e-6);
    EXPECT_NEAR(e.win, e.loss, 1e-6);
    EXPECT_NEAR(0, e.score_mean, 0);
    evaluator_free(uniform);
    position_clear(&position);
}

TEST(the_random_evaluator_depends_on_position_and_seed_alone) {
    Evaluator *one, *two, *other;
    Position a = position_with(point_at(1, 1), POINT_NONE), b = position_with(point_at(1, 2), 0);
    EXPECT_OK(evaluator_random_new(4, 1, &one, err));
    EXPECT_OK(evaluator_random_new(4, 1, &two, err));
    EXPECT_OK(evaluator_random_new(4, 2, &other, err));
    Evaluation first = evaluate(one, &a);
    evaluate(two, &b);
    Evaluation second = evaluate(two, &a), third = evaluate(other, &a), fourth = evaluate(one, &b);
    expect_sums(&first);
    EXPECT_TRUE(memcmp(first.policy, second.policy, (POINTS + 1) * sizeof(float)) == 0);
    EXPECT_TRUE(memcmp(first.policy, third.policy, (POINTS + 1) * sizeof(float)) != 0);
    EXPECT_TRUE(fabsf(first.policy[0] - fourth.policy[0]) > 1e-9f);
    evaluator_free(one);
    evaluator_free(two);
    evaluator_free(other);
    position_clear(&a);
    position_clear(&b);
}

TEST(the_average_over_symmetries_turns_with_the_board) {
    NetEvaluatorSetup config = {.batch = 8,
                                .buffer_width = EDGE,
                                .buffer_height = EDGE,
                                .symmetries = SYMMETRY_COUNT,
                                .ownership = true,
                                .features = FEATURE_OPTIONS_DEFAULT};
    Net *net = net_of_words("b2c16-batch", 4);
    Evaluator *averaged;
    EXPECT_OK(evaluator_net_new(net, &config, &averaged, err));
    Position left = position_with(point_at(0, 1), POINT_NONE),
             right = position_with(point_at(4, 1), POINT_NONE); /* mirrored */
    Evaluation a = evaluate(averaged, &left), b = evaluate(averaged, &right);
    expect_sums(&a);
    EXPECT_NEAR(a.win, b.win, 1e-6);
    for (int i = 0; i < POINTS; i++) {
        int mirrored = i / EDGE * EDGE + EDGE - 1 - i % EDGE;
        EXPECT_NEAR(a.policy[i], b.policy[mirrored], 1e-6);
        EXPECT_NEAR(a.ownership[i], b.ownership[mirrored], 1e-6);
    }
    /* The evaluation is the mean of those under the eight symmetries. */
    double win = 0;
    for (int s = 0; s < SYMMETRY_COUNT; s++) {
        Evaluator *single = net_evaluator(4, s);
        win += (double)evaluate(single, &left).win / SYMMETRY_COUNT;
        evaluator_free(single);
    }
    EXPECT_NEAR(win, a.win, 1e-5);
    evaluator_free(averaged);
    net_free(net);
    position_clear(&left);
    position_clear(&right);
}

/* The second request of the batch asks for the mean over four symmetries. The evaluator's own
 * symmetry is 2, so the four are 2 ^ 0, 2 ^ 1, 2 ^ 2 and 2 ^ 3 (exclusive or): 2, 3, 0 and 1. */
TEST(one_request_of_a_batch_may_ask_for_a_mean) {
    Evaluator *net = net_evaluator(4, 2);
    Position a = position_with(point_at(0, 1), POINT_NONE),
             b = position_with(point_at(3, 1), POINT_NONE);
    EvaluationRequest requests[] = {
        {.position = &a}, {.position = &b}, {.position = &a}, {.position = &b}};
    requests[1].options.symmetries = 4;
    requests[2].options.symmetries = 1;
    static Evaluation out[4];
    EXPECT_OK(evaluator_evaluate(net, requests, 4, out, err));
    EXPECT_INT(3 + 4, net->evaluations);
    double win = 0, policy = 0;
    for (int s = 0; s < 4; s++) {
        Evaluator *single = net_evaluator(4, s);
        Evaluation one = evaluate(single, &b);
        win += (double)one.win / 4;
        policy += (double)one.policy[7] / 4;
        evaluator_free(single);
    }
    EXPECT_NEAR(win, out[1].win, 1e-6);
    EXPECT_NEAR(policy, out[1].policy[7], 1e-6);
    EXPECT_TRUE(fabs(win - (double)out[3].win) > 1e-9);
    Evaluation alone = evaluate(net, &a);
    EXPECT_NEAR(alone.win, out[0].win, 1e-6);
    EXPECT_NEAR(alone.win, out[2].win, 1e-6);
    EXPECT_TRUE(evaluation_options_hash(&requests[1].options) != 0);
    EXPECT_TRUE(evaluation_options_hash(&requests[2].options) == 0);
    evaluator_free(net);
    position_clear(&a);
    position_clear(&b);
}

TEST(the_cache_answers_what_it_has_seen) {
    EvaluationCache *cache;
    Evaluator *inner = net_evaluator(1, 0), *cached;
    EXPECT_OK(evaluation_cache_new(1 << 20, &cache, err));
    EXPECT_OK(evaluator_cached_new(inner, cache, &cached, err));
    /* two positions that differ in the place of the black stone */
    Position a = position_with(point_at(1, 1), point_at(3, 3)),
             b = position_with(point_at(2, 2), point_at(3, 3));
    Evaluation first = evaluate(cached, &a);
    EXPECT_INT(1, inner->evaluations);
    Evaluation second = evaluate(cached, &a);
    EXPECT_INT(1, inner->evaluations);
    EXPECT_INT(1, evaluation_cache_hits(cache));
    EXPECT_INT(2, evaluation_cache_lookups(cache));
    EXPECT_TRUE(memcmp(first.policy, second.policy, (POINTS + 1) * sizeof(float)) == 0);
    EXPECT_NEAR(first.win, second.win, 0);
    EXPECT_NEAR(first.ownership[7], second.ownership[7], 0);
    const EvaluationRequest both[3] = {{.position = &a}, {.position = &b}, {.position = &a}};
    Evaluation out[3];
    EXPECT_OK(evaluator_evaluate(cached, both, 3, out, err)); /* only b is new */
    EXPECT_INT(2, inner->evaluations);
    EXPECT_NEAR(first.win, out[0].win, 0);
    EXPECT_NEAR(first.win, out[2].win, 0);
    EXPECT_NEAR(evaluate(inner, &b).win, out[1].win, 1e-6);
    evaluation_cache_clear(cache);
    evaluate(cached, &a);
    EXPECT_INT(4, inner->evaluations);
    evaluator_free(cached);
    evaluation_cache_free(cache);
    position_clear(&a);
    position_clear(&b);
}

TEST(the_cache_keeps_the_distribution_of_the_value) {
    const NetEvaluatorSetup setup = {
        .batch = 8, .buffer_width = 5, .buffer_height = 5, .symmetry = -1, .seed = 3};
    Net *net = net_of_words("b1c8-value_buckets", 5);
    EvaluationCache *cache;
    Evaluator *inner, *cached;
    EXPECT_OK(evaluator_net_new(net, &setup, &inner, err));
    EXPECT_OK(evaluation_cache_new(1 << 20, &cache, err));
    EXPECT_OK(evaluator_cached_new(inner, cache, &cached, err));
    Position a = position_with(point_at(1, 1), point_at(3, 3));
    Evaluation first = evaluate(cached, &a), second = evaluate(cached, &a);
    double sum = 0;
    EXPECT_INT(1, evaluation_cache_hits(cache));
    EXPECT_TRUE(first.has_value_buckets && second.has_value_buckets && !second.has_ownership);
    for (int i = 0; i < EVALUATION_BUCKETS; i++) {
        EXPECT_NEAR(first.value_buckets[i], second.value_buckets[i], 0);
        sum += (double)second.value_buckets[i];
    }
    EXPECT_NEAR(1, sum, 1e-5);
    /* A mean over symmetries is a distribution too. */
    const EvaluationRequest all = {.position = &a, .options.symmetries = 8};
    EXPECT_OK(evaluator_evaluate(inner, &all, 1, &first, err));
    sum = 0;
    for (int i = 0; i < EVALUATION_BUCKETS; i++)
        sum += (double)first.value_buckets[i];
    EXPECT_NEAR(1, sum, 1e-5);
    evaluator_free(cached);
    evaluation_cache_free(cache);
    net_free(net);
    position_clear(&a);
}

/* Returns a position after four moves. If `other` is set, the two black moves are played in the
 * opposite order. Then the stones are the same, but the last moves differ. */
static Position by_path(bool other) {
    Position position = position_with(other ? point_at(3, 3) : point_at(1, 1), point_at(0, 4));
    EXPECT_OK(position_play(&position, other ? point_at(1, 1) : point_at(3, 3), err));
    EXPECT_OK(position_play(&position, point_at(4, 0), err));
    return position;
}

TEST(an_exact_cache_distinguishes_paths) {
    Position one = by_path(false), other = by_path(true);
    EXPECT_TRUE(position_state_hash(&one) == position_state_hash(&other));
    EXPECT_TRUE(position_path_hash(&one, false) != position_path_hash(&other, false));
    for (int exact = 0; exact < 2; exact++) {
        EvaluationCache *cache;
        Evaluator *inner = net_evaluator(1, 0), *cached;
        EXPECT_OK(evaluation_cache_new(1 << 20, &cache, err));
        if (exact)
            EXPECT_OK(evaluator_cached_exact_new(inner, cache, &cached, err));
        else
            EXPECT_OK(evaluator_cached_new(inner, cache, &cached, err));
        Evaluation first = evaluate(cached, &one), second = evaluate(cached, &other);
        EXPECT_INT(1 + exact, inner->evaluations);
        EXPECT_INT(!exact, first.policy[POINTS] == second.policy[POINTS]);
        Evaluation again = evaluate(cached, &other);
        EXPECT_INT(1 + exact, inner->evaluations);
        EXPECT_NEAR(second.policy[POINTS], again.policy[POINTS], 0);
        evaluator_free(cached);
        evaluation_cache_free(cache);
    }
    position_clear(&one);
    position_clear(&other);
}

TEST(a_symmetry_by_position_is_always_the_same) {
    Evaluator *drawn = net_evaluator(1, SYMMETRY_BY_POSITION), *fixed[SYMMETRY_COUNT];
    int seen[SYMMETRY_COUNT] = {0};
    for (int s = 0; s < SYMMETRY_COUNT; s++)
        fixed[s] = net_evaluator(1, s);
    for (int i = 0; i < POINTS; i++) {
        Position position = position_with(point_at(i % EDGE, i / EDGE), POINT_NONE);
        Evaluation first = evaluate(drawn, &position), second = evaluate(drawn, &position);
        EXPECT_NEAR(first.policy[POINTS], second.policy[POINTS], 0);
        for (int s = 0; s < SYMMETRY_COUNT; s++)
            seen[s] += evaluate(fixed[s], &position).policy[POINTS] == first.policy[POINTS];
        position_clear(&position);
    }
    int different = 0;
    for (int s = 0; s < SYMMETRY_COUNT; s++) {
        different += seen[s] > 0;
        evaluator_free(fixed[s]);
    }
    EXPECT_TRUE(different > 4);
    evaluator_free(drawn);
}

TEST(a_small_cache_forgets_and_stays_right) {
    EvaluationCache *cache;
    Evaluator *inner, *cached, *plain;
    EXPECT_OK(evaluator_random_new(4, 1, &inner, err));
    EXPECT_OK(evaluator_random_new(4, 1, &plain, err));
    EXPECT_OK(evaluation_cache_new(1 << 16, &cache, err));
    EXPECT_OK(evaluator_cached_new(inner, cache, &cached, err));
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < POINTS; i++) {
            for (int k = 0; k < POINTS; k++) {
                if (i == k) continue;
                Position position =
                    position_with(point_at(i % EDGE, i / EDGE), point_at(k % EDGE, k / EDGE));
                Evaluation e = evaluate(cached, &position), wanted = evaluate(plain, &position);
                EXPECT_NEAR(wanted.policy[POINTS], e.policy[POINTS], 0);
                position_clear(&position);
            }
        }
    }
    EXPECT_TRUE(inner->evaluations > POINTS * (POINTS - 1)); /* the cache did not keep them all */
    evaluator_free(cached);
    evaluator_free(plain);
    evaluation_cache_free(cache);
}

TEST(checked_evaluators_must_agree) {
    Position position = position_with(point_at(1, 1), POINT_NONE);
    const EvaluationRequest one = {.position = &position};
    Evaluation out;
    Error fault = {0};
    Evaluator *checked;
    EXPECT_OK(
        evaluator_checked_new(net_evaluator(1, 0), net_evaluator(1, 0), 1e-6f, &checked, err));
    EXPECT_OK(evaluator_evaluate(checked, &one, 1, &out, err));
    expect_sums(&out);
    evaluator_free(checked);
    EXPECT_OK(
        evaluator_checked_new(net_evaluator(1, 0), net_evaluator(2, 0), 1e-6f, &checked, err));
    EXPECT_TRUE(evaluator_evaluate(checked, &one, 1, &out, &fault) != OK);
    EXPECT_TRUE(*fault.message);
    evaluator_free(checked);
    position_clear(&position);
}

/* With optimism w, the logits are (1 - w) times the logits of the ordinary policy plus w times
 * those of the optimistic policy. So the logarithm of the ratio of two priors is linear in w. A net
 * without an optimistic policy ignores w. */
TEST(optimism_moves_the_priors_to_the_optimistic_policy) {
    Position position = position_with(point_at(1, 1), POINT_NONE);
    Rng rng = rng_seeded(3);
    Net *net, *plain;
    EXPECT_OK(arch_build_text("b2c16-optimistic", &rng, &net, err));
    EXPECT_OK(arch_build_text("b2c16-soft", &rng, &plain, err));
    Evaluation none = with_optimism(net, &position, 0), half = with_optimism(net, &position, 0.5f),
               all = with_optimism(net, &position, 1);
    double apart = 0;
    for (int i = 0; i < POINTS; i++) {
        if (none.policy[i] < 0) continue;
        double a = log((double)(none.policy[i] / none.policy[POINTS])),
               b = log((double)(half.policy[i] / half.policy[POINTS])),
               c = log((double)(all.policy[i] / all.policy[POINTS]));
        EXPECT_NEAR(0.5 * (a + c), b, 1e-4);
        apart += fabs(a - c);
    }
    expect_sums(&half);
    EXPECT_TRUE(apart > 0.1);
    none = with_optimism(plain, &position, 0), all = with_optimism(plain, &position, 1);
    EXPECT_TRUE(memcmp(none.policy, all.policy, sizeof(float) * (POINTS + 1)) == 0);
    net_free(net);
    net_free(plain);
    position_clear(&position);
}

TEST_MAIN(RUN(the_cache_keeps_the_distribution_of_the_value),
          RUN(optimism_moves_the_priors_to_the_optimistic_policy),
          RUN(the_uniform_evaluator_gives_equal_priors),
          RUN(the_random_evaluator_depends_on_position_and_seed_alone),
          RUN(the_average_over_symmetries_turns_with_the_board),
          RUN(one_request_of_a_batch_may_ask_for_a_mean), RUN(the_cache_answers_what_it_has_seen),
          RUN(an_exact_cache_distinguishes_paths), RUN(a_symmetry_by_position_is_always_the_same),
          RUN(a_small_cache_forgets_and_stays_right), RUN(checked_evaluators_must_agree))
