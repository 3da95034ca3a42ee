/* The options of an evaluation request: they reach the net, and a cache keeps evaluations with
 * different options apart. */
#include "eval/arch/heads.h"
#include "eval/evaluators/evaluator.h"
#include "eval/net_of_words.h"
#include "test.h"

enum { EDGE = 5, POINTS = EDGE * EDGE };

static const EvaluationOptions NONE = {0};

/* Returns a position with one stone of the opponent and a komi of 2.5 in favour of the mover. From
 * the mover's view this position is the same for both colors. */
static Position position_for(Color mover) {
    Position position = {0};
    Board board = {0};
    Rules rules = rules_tromp_taylor();
    rules.komi = mover == COLOR_WHITE ? 2.5f : -2.5f;
    EXPECT_OK(board_init(&board, EDGE, EDGE, err));
    EXPECT_TRUE(board_set(&board, point_at(1, 2), color_other(mover)));
    EXPECT_OK(position_init_board(&position, &board, mover, &rules, err));
    return position;
}

static Net *net_made(void) {
    return net_of_words("b2c16-batch-optimistic", 3);
}

static Evaluator *evaluator_of(const Net *net) {
    Evaluator *evaluator;
    NetEvaluatorSetup setup = {.batch = 4,
                               .buffer_width = EDGE,
                               .buffer_height = EDGE,
                               .features = FEATURE_OPTIONS_DEFAULT};
    EXPECT_OK(evaluator_net_new(net, &setup, &evaluator, err));
    return evaluator;
}

static Evaluation ask(Evaluator *evaluator, const Position *position, EvaluationOptions options) {
    Evaluation out;
    EXPECT_OK(evaluator_evaluate(evaluator, &(EvaluationRequest){position, options}, 1, &out, err));
    return out;
}

/* Runs the net without an evaluator, with the mover's playout doubling advantage among its inputs,
 * and returns the mover's win probability. */
static double win_told(const Net *net, const Position *position, float mover_doublings) {
    Infer *infer;
    HeadIndex heads;
    FeatureOptions features = FEATURE_OPTIONS_DEFAULT;
    InferSetup setup = {1, EDGE, EDGE, PRECISION_F32, NULL};
    features.playout_doubling_advantage = mover_doublings;
    EXPECT_OK(heads_find(net_program(net), &heads, err));
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    features_encode(position, &features, 0, EDGE, EDGE, infer_input(infer, heads.planes),
                    infer_input(infer, heads.globals));
    EXPECT_NEAR(mover_doublings != 0, infer_input(infer, heads.globals)[15], 0);
    EXPECT_NEAR(0.5 * (double)mover_doublings, infer_input(infer, heads.globals)[16], 0);
    EXPECT_OK(infer_run(infer, 1, err));
    const float *value = infer_output(infer, heads.output[HEAD_VALUE]);
    /* under superko every game has a result, so only two outcomes count */
    double win = 1 / (1 + exp((double)(value[1] - value[0])));
    infer_free(infer);
    return win;
}

TEST(the_net_sees_the_movers_advantage) {
    Net *net = net_made();
    Evaluator *evaluator = evaluator_of(net);
    for (int k = 0; k < 2; k++) {
        Color mover = k ? COLOR_WHITE : COLOR_BLACK;
        Position position = position_for(mover);
        double none = win_told(net, &position, 0);
        EXPECT_NEAR(none, ask(evaluator, &position, NONE).win, 1e-5);
        for (float doublings = -1.5f; doublings <= 1.5f; doublings += 3) {
            EvaluationOptions options = {.white_doublings = k ? doublings : -doublings};
            double wanted = win_told(net, &position, doublings);
            EXPECT_TRUE(fabs(wanted - none) > 1e-4);
            EXPECT_NEAR(wanted, ask(evaluator, &position, options).win, 1e-5);
        }
        position_clear(&position);
    }
    evaluator_free(evaluator);
    net_free(net);
}

/* Black may end the game by a pass. The option conservative_pass hides this and the last moves from
 * the net. The option passing_hacks hides both only if Black would lose the game by the pass. */
TEST(the_net_does_not_see_that_a_pass_would_end_the_game) {
    Net *net = net_made();
    Evaluator *evaluator = evaluator_of(net);
    for (int wins = 0; wins < 2; wins++) {
        Position position = position_for(COLOR_WHITE); /* a black stone */
        position_set_komi(&position, wins ? 2.5f : 30.5f);
        EXPECT_OK(position_play(&position, POINT_PASS, err));
        double seen = (double)ask(evaluator, &position, NONE).win,
               careful =
                   (double)ask(evaluator, &position, (EvaluationOptions){.conservative_pass = true})
                       .win,
               hacks = (double)ask(evaluator, &position, (EvaluationOptions){.passing_hacks = true})
                           .win;
        EXPECT_TRUE(fabs(careful - seen) > 1e-5);
        EXPECT_NEAR(wins ? seen : careful, hacks, 1e-6);
        position_clear(&position);
    }
    EXPECT_TRUE(evaluation_options_hash(&(EvaluationOptions){.conservative_pass = true}) !=
                evaluation_options_hash(&(EvaluationOptions){.passing_hacks = true}));
    EXPECT_TRUE(evaluation_options_hash(&NONE) == 0);
    evaluator_free(evaluator);
    net_free(net);
}

TEST(each_request_of_a_batch_has_its_own_options) {
    const EvaluationOptions OPTIONS[4] = {{0},
                                          {.white_doublings = 1},
                                          {.white_doublings = -2, .policy_optimism = 0.5f},
                                          {.policy_optimism = 1}};
    Net *net = net_made();
    Evaluator *evaluator = evaluator_of(net);
    Position position = position_for(COLOR_BLACK);
    EvaluationRequest requests[4];
    Evaluation out[4];
    for (int i = 0; i < 4; i++)
        requests[i] = (EvaluationRequest){&position, OPTIONS[i]};
    EXPECT_OK(evaluator_evaluate(evaluator, requests, 4, out, err));
    for (int i = 0; i < 4; i++) {
        Evaluation alone = ask(evaluator, &position, OPTIONS[i]);
        EXPECT_NEAR(alone.win, out[i].win, 1e-6);
        for (int k = 0; k <= POINTS; k++)
            EXPECT_NEAR(alone.policy[k], out[i].policy[k], 1e-6);
        EXPECT_TRUE(i == 0 || fabsf(out[i].policy[0] - out[i - 1].policy[0]) > 1e-6f);
    }
    evaluator_free(evaluator);
    net_free(net);
    position_clear(&position);
}

/* With history_hidden = h, the inputs are (1 - h) times the inputs that show the last moves, plus h
 * times the inputs that do not show them. The evaluations for different h differ. One of the last
 * moves captured a stone. */
TEST(a_part_of_the_history_is_hidden) {
    enum { FEATURES = POINTS * FEATURE_PLANES };
    static const int MOVES[][2] = {{0, 1}, {0, 0}, {1, 0}, {2, 2}, {3, 3}, {3, 2}};
    static float with[FEATURES], without[FEATURES], mixed[FEATURES];
    float globals[3][FEATURE_GLOBALS];
    FeatureOptions options = FEATURE_OPTIONS_DEFAULT;
    Position position = {0};
    Rules rules = rules_tromp_taylor();
    Net *net = net_made();
    Evaluator *evaluator = evaluator_of(net);
    EXPECT_OK(position_init(&position, EDGE, EDGE, &rules, err));
    for (int i = 0; i < 6; i++)
        EXPECT_OK(position_play(&position, point_at(MOVES[i][0], MOVES[i][1]), err));
    EXPECT_OK(position_play(&position, POINT_PASS, err));
    features_encode(&position, &options, 3, EDGE, EDGE, with, globals[0]);
    options.history_moves = 0;
    features_encode(&position, &options, 3, EDGE, EDGE, without, globals[1]);
    int changed = 0;
    for (float hidden = 0; hidden <= 1; hidden += 0.25f) {
        options = FEATURE_OPTIONS_DEFAULT;
        options.history_hidden = hidden;
        features_encode(&position, &options, 3, EDGE, EDGE, mixed, globals[2]);
        for (int i = 0; i < FEATURES; i++) {
            EXPECT_NEAR((1 - hidden) * with[i] + hidden * without[i], mixed[i], 0);
            changed += mixed[i] != with[i];
        }
        for (int i = 0; i < FEATURE_GLOBALS; i++)
            EXPECT_NEAR((1 - hidden) * globals[0][i] + hidden * globals[1][i], globals[2][i], 1e-6);
    }
    /* for each of the four values of `hidden` above 0: the points of the four moves before the
     * pass */
    EXPECT_INT(4 * 4, changed);
    EXPECT_NEAR(0, globals[2][0], 0);
    EXPECT_NEAR(1, globals[0][0], 0);
    double all = (double)ask(evaluator, &position, NONE).win,
           half =
               (double)ask(evaluator, &position, (EvaluationOptions){.history_hidden = 0.5f}).win,
           none = (double)ask(evaluator, &position, (EvaluationOptions){.history_hidden = 1}).win;
    EXPECT_TRUE(fabs(all - half) > 1e-5 && fabs(half - none) > 1e-5);
    evaluator_free(evaluator);
    net_free(net);
    position_clear(&position);
}

TEST(the_cache_keeps_options_apart) {
    EvaluationOptions options[6] = {{0}};
    options[1].white_doublings = options[4].white_doublings = 1;
    options[2].white_doublings = -1;
    options[3].policy_optimism = options[4].policy_optimism = 1;
    options[5].history_hidden = 0.5f;
    EvaluationCache *cache;
    Evaluator *cached;
    Net *net = net_made();
    Position position = position_for(COLOR_BLACK);
    Evaluation first[6];
    EXPECT_OK(evaluation_cache_new(1 << 20, &cache, err));
    EXPECT_OK(evaluator_cached_new(evaluator_of(net), cache, &cached, err));
    for (int i = 0; i < 6; i++)
        first[i] = ask(cached, &position, options[i]);
    EXPECT_INT(0, evaluation_cache_hits(cache));
    for (int i = 0; i < 6; i++) {
        Evaluation again = ask(cached, &position, options[i]);
        EXPECT_NEAR(first[i].win, again.win, 0);
        EXPECT_NEAR(first[i].policy[0], again.policy[0], 0);
    }
    EXPECT_INT(6, evaluation_cache_hits(cache));
    /* -0 is the same as 0, so the cache has this request */
    ask(cached, &position, (EvaluationOptions){.white_doublings = -0.0f, .policy_optimism = -0.0f});
    EXPECT_INT(7, evaluation_cache_hits(cache));
    evaluator_free(cached);
    evaluation_cache_free(cache);
    net_free(net);
    position_clear(&position);
}

/* A net sees what a draw is worth as a shift of a whole komi. */
TEST(the_net_sees_what_a_draw_is_worth) {
    Net *net = net_made();
    Evaluator *evaluator = evaluator_of(net);
    Position whole = position_for(COLOR_WHITE), less = position_for(COLOR_WHITE);
    position_set_komi(&whole, 2);
    position_set_komi(&less, 1.5f);
    EvaluationOptions nothing = {.draw_shift = -0.5f};
    EXPECT_NEAR(ask(evaluator, &less, NONE).win, ask(evaluator, &whole, nothing).win, 1e-6);
    EXPECT_TRUE(ask(evaluator, &whole, NONE).win != ask(evaluator, &whole, nothing).win);
    EXPECT_NEAR(ask(evaluator, &less, NONE).win, ask(evaluator, &less, nothing).win, 0);
    evaluator_free(evaluator);
    net_free(net);
    position_clear(&whole);
    position_clear(&less);
}

/* A full cache gives up other evaluations for those of new positions. */
TEST(a_full_cache_takes_new_evaluations) {
    enum { POSITIONS = 1500, LAST = 40 };
    EvaluationCache *cache;
    Evaluator *cached;
    Net *net = net_made();
    Position position = position_for(COLOR_BLACK);
    EXPECT_OK(evaluation_cache_new(1 << 17, &cache, err));
    EXPECT_OK(evaluator_cached_new(evaluator_of(net), cache, &cached, err));
    for (int i = 0; i < POSITIONS; i++) {
        int64_t hits = evaluation_cache_hits(cache);
        position_set_komi(&position, (float)i / 2 - 300);
        ask(cached, &position, NONE);
        ask(cached, &position, NONE);
        if (i >= POSITIONS - LAST) EXPECT_INT(hits + 1, evaluation_cache_hits(cache));
    }
    evaluator_free(cached);
    evaluation_cache_free(cache);
    net_free(net);
    position_clear(&position);
}

TEST(invalid_options_are_refused) {
    const EvaluationOptions BAD[] = {{.white_doublings = NAN},   {.white_doublings = INFINITY},
                                     {.policy_optimism = -0.1f}, {.policy_optimism = 1.1f},
                                     {.policy_optimism = NAN},   {.history_hidden = 1.5f},
                                     {.history_hidden = NAN},    {.draw_shift = 0.6f}};
    Net *net = net_made();
    Evaluator *evaluator = evaluator_of(net);
    Position position = position_for(COLOR_WHITE);
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        Evaluation out;
        Error error = {0};
        EvaluationRequest request = {&position, BAD[i]};
        EXPECT_STATUS(ERR_ARGUMENT, evaluator_evaluate(evaluator, &request, 1, &out, &error));
        EXPECT_CONTAINS(error.message, i < 5 ? "optimism" : i < 7 ? "history" : "draw");
    }
    evaluator_free(evaluator);
    net_free(net);
    position_clear(&position);
}

TEST_MAIN(RUN(the_net_sees_the_movers_advantage),
          RUN(the_net_does_not_see_that_a_pass_would_end_the_game),
          RUN(each_request_of_a_batch_has_its_own_options), RUN(a_part_of_the_history_is_hidden),
          RUN(the_cache_keeps_options_apart), RUN(the_net_sees_what_a_draw_is_worth),
          RUN(a_full_cache_takes_new_evaluations), RUN(invalid_options_are_refused))
