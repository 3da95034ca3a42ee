/* The options with which kata-raw-nn evaluates a position. */
#include "gtp_talk.h"
#include "plain_evaluator.h"

/* The options of the last evaluation. */
static struct {
    EvaluationOptions options;
    double policy_temperature;
} asked;

static Status note(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                   Evaluation *out, Error *err) {
    (void)evaluator, (void)err;
    for (int i = 0; i < count; i++) {
        const Board *board = &requests[i].position->board;
        asked.options = requests[i].options;
        out[i] = (Evaluation){.width = board->width, .height = board->height, .win = 1};
    }
    return OK;
}

static const EvaluatorClass NOTING = {"noting", note, plain_evaluator_free};

static Status make_noting(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    (void)context;
    asked.policy_temperature = spec->search->policy_temperature;
    return plain_evaluator_new(&NOTING, 1, out, err);
}

/* The settings that change how nets see passes, and the policy temperature, are for searches;
 * kata-raw-nn ignores them. */
TEST(the_net_alone_is_asked_without_the_settings_of_searches) {
    Talk talk = talk_begin_with(5, make_noting);
    ACCEPTS("kata-set-param conservativePass true");
    ACCEPTS("kata-set-param enablePassingHacks true");
    ACCEPTS("kata-set-param nnPolicyTemperature 2");
    ACCEPTS("kata-set-param playoutDoublingAdvantage 1.5");
    ACCEPTS("kata-set-param rootPolicyOptimism 0.25");
    ACCEPTS("play b C3");
    ACCEPTS("play w pass");
    ACCEPTS("heatmap"); /* heatmap uses the options of a search at its root */
    EXPECT_TRUE(asked.options.conservative_pass && asked.options.passing_hacks);
    ACCEPTS("kata-raw-nn 3");
    EXPECT_FALSE(asked.options.conservative_pass);
    EXPECT_FALSE(asked.options.passing_hacks);
    EXPECT_NEAR(1, asked.policy_temperature, 0);
    EXPECT_NEAR(-1.5, asked.options.white_doublings, 0); /* as in KataGo, it uses these two */
    EXPECT_NEAR(0.25, asked.options.policy_optimism, 0);
    ACCEPTS("kata-raw-nn 3 0.75");
    EXPECT_NEAR(0.75, asked.options.policy_optimism, 0);
    talk_end(&talk);
}

TEST_MAIN(RUN(the_net_alone_is_asked_without_the_settings_of_searches))
