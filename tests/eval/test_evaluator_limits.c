/* Evaluators: what they refuse (batches and boards that are too large, wrong symmetries, NaN), and
 * how they pass on a failure of an inner evaluator. Caches: how many bytes they take, and how
 * threads share them. */
#include "base/thread.h"
#include "eval/evaluators/evaluator.h"
#include "eval/net_of_words.h"
#include "eval/random_position.h"

enum { EDGE = 7, AREA = EDGE * EDGE };

/* An evaluator that gives fixed evaluations. With `fails` it returns ERR_IO. With `breaks_win` the
 * win probability of the last position of the batch is NaN. With `breaks_prior` the prior of the
 * pass is NaN in all positions of the batch. */
typedef struct {
    Evaluator base;
    bool fails, breaks_win, breaks_prior;
} Fake;

static Status fake_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                            Evaluation *out, Error *err) {
    const Fake *fake = (const Fake *)evaluator;
    if (fake->fails) return (fail)(err, ERR_IO, "the fake fails"); /* not the macro of cmocka */
    for (int i = 0; i < count; i++) {
        memset(&out[i], 0, sizeof out[i]);
        out[i].width = requests[i].position->board.width;
        out[i].height = requests[i].position->board.height;
        out[i].win = fake->breaks_win && i == count - 1 ? NAN : 0.5f;
        out[i].loss = 0.5f;
        out[i].policy[AREA] = fake->breaks_prior ? NAN : 1;
    }
    evaluator->evaluations += count;
    return OK;
}

static void fake_free(Evaluator *evaluator) {
    free(evaluator);
}

static const EvaluatorClass FAKE = {"fake", fake_evaluate, fake_free};

static Fake *fake_new(int batch) {
    Fake *fake = calloc(1, sizeof *fake);
    assert_non_null(fake);
    fake->base = (Evaluator){.class = &FAKE, .batch = batch};
    return fake;
}

TEST(a_batch_too_large_is_refused) {
    Position position = position_after(EDGE, EDGE, 8, 1);
    const EvaluationRequest two[] = {{.position = &position}, {.position = &position}};
    Evaluation out[2];
    Error error = {0};
    Evaluator *uniform;
    EXPECT_OK(evaluator_uniform_new(1, &uniform, err));
    EXPECT_STATUS(ERR_ARGUMENT, evaluator_evaluate(uniform, two, 2, out, &error));
    EXPECT_CONTAINS(error.message, "2 positions for a batch of 1");
    EXPECT_INT(0, uniform->evaluations);
    EXPECT_OK(evaluator_evaluate(uniform, two, 1, out, err));
    EXPECT_INT(1, uniform->evaluations);
    evaluator_free(uniform);
    evaluator_free(NULL);
    position_clear(&position);
}

TEST(nets_refuse_boards_and_symmetries_that_do_not_fit) {
    Position wide = position_after(EDGE + 1, EDGE, 8, 1);
    const EvaluationRequest one = {.position = &wide};
    Evaluation out;
    Error error = {0};
    Net *net = net_of_words("b1c8", 1);
    Evaluator *evaluator;
    NetEvaluatorSetup config = {.batch = 1,
                                .buffer_width = EDGE,
                                .buffer_height = EDGE,
                                .features = FEATURE_OPTIONS_DEFAULT};
    EXPECT_OK(evaluator_net_new(net, &config, &evaluator, err));
    EXPECT_STATUS(ERR_ARGUMENT, evaluator_evaluate(evaluator, &one, 1, &out, &error));
    EXPECT_CONTAINS(error.message, "8x7 board does not fit");
    evaluator_free(evaluator);
    config.symmetries = -1;
    EXPECT_STATUS(ERR_ARGUMENT, evaluator_net_new(net, &config, &evaluator, &error));
    EXPECT_TRUE(evaluator == NULL);
    config.symmetries = 9;
    EXPECT_STATUS(ERR_ARGUMENT, evaluator_net_new(net, &config, &evaluator, &error));
    EXPECT_CONTAINS(error.message, "1 to 8");
    net_free(net);
    position_clear(&wide);
}

/* With the symmetry -1, the evaluator draws a symmetry at random each time it evaluates a position.
 * Two evaluators with the same seed draw the same sequence of symmetries. */
TEST(drawn_symmetries_follow_the_seed) {
    Position position = position_after(EDGE, EDGE, 8, 3);
    const EvaluationRequest one = {.position = &position};
    NetEvaluatorSetup config = {.batch = 1,
                                .buffer_width = EDGE,
                                .buffer_height = EDGE,
                                .symmetry = -1,
                                .seed = 5,
                                .features = FEATURE_OPTIONS_DEFAULT};
    Net *net = net_of_words("b1c8-batch", 2);
    Evaluator *first, *second;
    EXPECT_OK(evaluator_net_new(net, &config, &first, err));
    EXPECT_OK(evaluator_net_new(net, &config, &second, err));
    int changes = 0;
    float last = -1;
    for (int i = 0; i < 20; i++) {
        Evaluation a, b;
        EXPECT_OK(evaluator_evaluate(first, &one, 1, &a, err));
        EXPECT_OK(evaluator_evaluate(second, &one, 1, &b, err));
        EXPECT_NEAR(a.policy[AREA], b.policy[AREA], 0);
        EXPECT_FALSE(a.has_ownership);
        changes += fabsf(a.policy[AREA] - last) > 1e-7f;
        last = a.policy[AREA];
    }
    EXPECT_TRUE(changes > 8);
    evaluator_free(first);
    evaluator_free(second);
    net_free(net);
    position_clear(&position);
}

TEST(a_failure_inside_is_passed_on_and_not_cached) {
    Position position = position_after(EDGE, EDGE, 8, 1);
    const EvaluationRequest one = {.position = &position};
    Evaluation out;
    Error error = {0};
    EvaluationCache *cache;
    Evaluator *cached, *checked;
    Fake *inner = fake_new(2);
    EXPECT_OK(evaluation_cache_new(1 << 16, &cache, err));
    EXPECT_OK(evaluator_cached_new(&inner->base, cache, &cached, err));
    inner->fails = true;
    EXPECT_STATUS(ERR_IO, evaluator_evaluate(cached, &one, 1, &out, &error));
    EXPECT_CONTAINS(error.message, "the fake fails");
    inner->fails = false;
    EXPECT_OK(evaluator_evaluate(cached, &one, 1, &out, err));
    EXPECT_INT(0, evaluation_cache_hits(cache));
    inner->fails = true; /* does not matter: the cache has the position */
    EXPECT_OK(evaluator_evaluate(cached, &one, 1, &out, err));
    EXPECT_INT(1, evaluation_cache_hits(cache));
    EXPECT_NEAR(0.5, out.win, 0);
    evaluator_free(cached);
    evaluation_cache_free(cache);
    evaluation_cache_free(NULL);
    for (int which = 0; which < 2; which++) {
        Fake *first = fake_new(1), *second = fake_new(1);
        EXPECT_OK(evaluator_checked_new(&first->base, &second->base, 1, &checked, err));
        (which ? second : first)->fails = true;
        EXPECT_STATUS(ERR_IO, evaluator_evaluate(checked, &one, 1, &out, &error));
        evaluator_free(checked);
    }
    position_clear(&position);
}

TEST(nan_agrees_with_nothing) {
    Position position = position_after(EDGE, EDGE, 8, 1);
    const EvaluationRequest two[] = {{.position = &position}, {.position = &position}};
    Evaluation out[2];
    Error error = {0};
    for (int which = 0; which < 4; which++) {
        Evaluator *checked;
        Fake *first = fake_new(2), *second = fake_new(2);
        EXPECT_OK(evaluator_checked_new(&first->base, &second->base, 0.1f, &checked, err));
        EXPECT_OK(evaluator_evaluate(checked, two, 2, out, err));
        Fake *broken = which % 2 ? first : second;
        broken->breaks_win = which < 2;
        broken->breaks_prior = which >= 2;
        EXPECT_STATUS(ERR_ARGUMENT, evaluator_evaluate(checked, two, 2, out, &error));
        EXPECT_CONTAINS(error.message, "differ");
        evaluator_free(checked);
    }
    position_clear(&position);
}

/* Returns how many of `count` positions a cache of `bytes` bytes keeps. The first pass fills the
 * cache, and the hits of the second pass are counted. */
static int64_t kept_of(int64_t bytes, int count) {
    EvaluationCache *cache;
    Evaluator *inner, *cached;
    EXPECT_OK(evaluation_cache_new(bytes, &cache, err));
    EXPECT_OK(evaluator_random_new(1, 1, &inner, err));
    EXPECT_OK(evaluator_cached_new(inner, cache, &cached, err));
    int64_t before = 0;
    for (int pass = 0; pass < 2; pass++) {
        before = evaluation_cache_hits(cache);
        for (int i = 0; i < count; i++) {
            Position position = position_after(EDGE, EDGE, 8, (uint64_t)i);
            const EvaluationRequest one = {.position = &position};
            Evaluation out;
            EXPECT_OK(evaluator_evaluate(cached, &one, 1, &out, err));
            position_clear(&position);
        }
        EXPECT_TRUE(pass || evaluation_cache_hits(cache) == 0);
    }
    int64_t hits = evaluation_cache_hits(cache) - before;
    evaluator_free(cached);
    evaluation_cache_free(cache);
    return hits;
}

TEST(the_cache_is_bounded_by_bytes) {
    const int64_t min = (AREA + 1) * (int64_t)sizeof(float); /* the policy of one evaluation */
    for (int64_t bytes = 0; bytes <= 1 << 15; bytes = bytes * 8 + 512)
        EXPECT_TRUE(kept_of(bytes, 400) * min <= bytes);
    EXPECT_INT(0, kept_of(0, 50));
    EXPECT_TRUE(kept_of(1 << 22, 400) > 350); /* nearly all, if the cache is large */
}

typedef struct {
    EvaluationCache *cache;
    int wrong;
} Visitor;

static void *visit(void *argument) {
    Visitor *visitor = argument;
    Evaluator *inner, *plain, *cached;
    if (evaluator_random_new(1, 1, &inner, NULL) || evaluator_random_new(1, 1, &plain, NULL) ||
        evaluator_cached_new(inner, visitor->cache, &cached, NULL))
        return NULL;
    visitor->wrong = 0;
    for (int i = 0; i < 600; i++) {
        Position position = {0};
        Rules rules = rules_tromp_taylor();
        Evaluation out, wanted;
        const EvaluationRequest one = {.position = &position};
        int width = 2 + i % 7, height = 2 + i / 7 % 7;
        bool good = !position_init(&position, width, height, &rules, NULL) &&
                    !position_play(&position, point_at(i % width, i / 3 % height), NULL) &&
                    !evaluator_evaluate(cached, &one, 1, &out, NULL) &&
                    !evaluator_evaluate(plain, &one, 1, &wanted, NULL) &&
                    memcmp(out.policy, wanted.policy, (size_t)(width * height + 1) * 4) == 0;
        visitor->wrong += !good;
        position_clear(&position);
    }
    evaluator_free(cached);
    evaluator_free(plain);
    return NULL;
}

TEST(threads_share_a_cache) {
    enum { THREADS = 4 };
    EvaluationCache *cache;
    Visitor visitors[THREADS];
    pthread_t threads[THREADS];
    EXPECT_OK(evaluation_cache_new(1 << 15, &cache, err));
    for (int i = 0; i < THREADS; i++) {
        visitors[i] = (Visitor){cache, -1};
        EXPECT_INT(0, pthread_create(&threads[i], NULL, visit, &visitors[i]));
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        EXPECT_INT(0, visitors[i].wrong);
    }
    EXPECT_INT(THREADS * 600, evaluation_cache_lookups(cache));
    EXPECT_TRUE(evaluation_cache_hits(cache) > 0);
    evaluation_cache_free(cache);
}

static void *clear_again_and_again(void *argument) {
    Visitor *visitor = argument;
    for (int i = 0; i < 300; i++)
        evaluation_cache_clear(visitor->cache);
    return NULL;
}

/* One thread clears the cache again and again while two other threads use it. Nevertheless the
 * evaluations that they get are right. */
TEST(a_cache_is_cleared_while_it_is_used) {
    enum { THREADS = 3 };
    EvaluationCache *cache;
    Visitor visitors[THREADS];
    pthread_t threads[THREADS];
    EXPECT_OK(evaluation_cache_new(1 << 16, &cache, err));
    for (int i = 0; i < THREADS; i++) {
        visitors[i] = (Visitor){cache, -1};
        EXPECT_INT(
            0, pthread_create(&threads[i], NULL, i ? visit : clear_again_and_again, &visitors[i]));
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        if (i) EXPECT_INT(0, visitors[i].wrong);
    }
    evaluation_cache_clear(cache);
    int64_t hits = evaluation_cache_hits(cache);
    /* Some positions occur several times in a visit. The first time, the evaluation is stored in
     * the room that clearing made; the next time, it is a hit. */
    visit(&visitors[1]);
    EXPECT_INT(0, visitors[1].wrong);
    EXPECT_TRUE(evaluation_cache_hits(cache) > hits);
    evaluation_cache_free(cache);
}

TEST_MAIN(RUN(a_batch_too_large_is_refused), RUN(nets_refuse_boards_and_symmetries_that_do_not_fit),
          RUN(drawn_symmetries_follow_the_seed), RUN(a_failure_inside_is_passed_on_and_not_cached),
          RUN(nan_agrees_with_nothing), RUN(the_cache_is_bounded_by_bytes),
          RUN(threads_share_a_cache), RUN(a_cache_is_cleared_while_it_is_used))
