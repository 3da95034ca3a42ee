/* The options with which kata-raw-nn evaluates a position, and the history that the net sees. */
#include "gtp_talk.h"
#include "plain_evaluator.h"

/* The options of the last evaluation, and how many earlier moves the net saw. */
static struct {
    EvaluationOptions options;
    int turns;
    double policy_temperature;
} asked;

static Status note(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                   Evaluation *out, Error *err) {
    (void)evaluator, (void)err;
    for (int i = 0; i < count; i++) {
        const Board *board = &requests[i].position->board;
        asked.options = requests[i].options;
        asked.turns = requests[i].position->valid_turns;
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

static void expect_turns(Talk *talk, const char *line, int turns) {
    asked.turns = -1;
    talk_ask(talk, "clear_cache");
    if (talk_ask(talk, line)[0] != '=') fail_msg("%s is refused", line);
    EXPECT_INT(turns, asked.turns);
}

/* Settings hide the history from the net as in a search. The game goes on with its history. */
TEST(the_net_alone_sees_as_much_history_as_settings_say) {
    Talk talk = talk_begin_with(5, make_noting);
    ACCEPTS("play b C3");
    ACCEPTS("play w B2");
    expect_turns(&talk, "kata-raw-nn 3", 2);
    EXPECT_NEAR(0, asked.options.history_hidden, 0);
    ACCEPTS("kata-set-param ignorePreRootHistory true");
    expect_turns(&talk, "kata-raw-nn 3", 0);
    expect_turns(&talk, "heatmap", 0);
    expect_turns(&talk, "kata-raw-nn 3 0.75", 0);
    ACCEPTS("kata-set-param ignorePreRootHistory false");
    expect_turns(&talk, "kata-raw-nn 3", 2);
    expect_turns(&talk, "heatmap", 2);
    ACCEPTS("kata-set-param search.history_weight 0.25");
    expect_turns(&talk, "kata-raw-nn 3", 2);
    EXPECT_NEAR(0.75, asked.options.history_hidden, 0);
    talk_end(&talk);
}

TEST_MAIN(RUN(the_net_alone_is_asked_without_the_settings_of_searches),
          RUN(the_net_alone_sees_as_much_history_as_settings_say))
