/* Heads by name: which heads a net has, what is refused, and evaluations by nets that lack the
 * score or the ownership. */
#include "eval/arch/arch.h"
#include "eval/arch/heads.h"
#include "eval/evaluators/evaluator.h"
#include "eval/formats/net_file.h"
#include "eval/net_of_words.h"
#include "eval/random_position.h"
#include "test_path.h"

enum { SIDE = 7 };

/* Checks which heads a net has. `wanted` is their names, in the order of HEADS, joined by
 * blanks. */
static void expect_heads(const char *words, const char *wanted) {
    Net *net = net_of_words(words, 1);
    ArchSettings noted, read;
    HeadIndex heads;
    StrBuf names = {0};
    EXPECT_OK(heads_find(net_program(net), &heads, err));
    for (int i = 0; i < HEAD_COUNT; i++) {
        if (heads.output[i] >= 0)
            strbuf_addf(&names, "%s%s", names.length ? " " : "", HEADS[i].name);
    }
    EXPECT_TEXT(wanted, strbuf_text(&names));
    strbuf_clear(&names);
    /* The settings in the net's note, written as text and read again, have the same heads. */
    EXPECT_OK(arch_of_net(net, &noted, err));
    EXPECT_OK(arch_parse(arch_text(&noted).text, &read, err));
    for (HeadId i = 0; i < HEAD_COUNT; i++) {
        EXPECT_INT(heads.output[i] >= 0, head_is_wanted(i, &noted));
        EXPECT_INT(heads.output[i] >= 0, head_is_wanted(i, &read));
    }
    EXPECT_INT(noted.score_distribution, heads.output[HEAD_SCORE_DISTRIBUTION] >= 0);
    net_free(net);
}

#define USUAL "policy pass value score ownership"
#define AUXILIARY " td search_values scoring future seki"

TEST(nets_have_the_heads_that_are_named) {
    static const char *const CASES[][2] = {
        /* short forms */
        {"b1c8", USUAL " score_distribution"},
        {"b1c8-nodist", USUAL},
        {"b1c8-nodist-auxiliary", USUAL AUXILIARY},
        {"b1c8-auxiliary-errors", USUAL " score_distribution" AUXILIARY " td_errors"},
        {"b1c8-nodist,heads=moves_left+ladders", USUAL " moves_left ladders"},
        /* single heads beside the usual ones */
        {"b1c8-nodist-td", USUAL " td"},
        {"b1c8-nodist,heads=seki+future", USUAL " future seki"},
        {"b1c8-nodist-errors,heads=td", USUAL " td td_errors"},
        {"b1c8-nodist,heads=td_errors+td", USUAL " td td_errors"},
        {"b1c8,heads=score_distribution", USUAL " score_distribution"},
        /* a list with the policy names all heads of the net */
        {"b1c8,heads=policy+value", "policy pass value"},
        {"b1c8-policy-value", "policy pass value"},
        {"b1c8,heads=value+policy+ownership", "policy pass value ownership"},
        {"b1c8,heads=policy", "policy pass"},
        {"b1c8-policy-ownership,pass=false", "policy ownership"},
        {"b1c8-nodist,pass=false", "policy value score ownership"},
        {"b1c8,heads=policy,policies=move,pass=false", "policy"},
        {"b1c8,heads=policy+value+score", "policy pass value score"},
        {"b1c8,heads=policy+value+ownership+score+td", USUAL " td"},
        {"b1c8,heads=policy+value+score_distribution+score_scale",
         "policy pass value score_distribution score_scale"},
        {"b1c8,heads=policy+value+score_distribution,score_mixtures=3",
         "policy pass value score_distribution"},
        {"b1c8-auxiliary,heads=policy+value", "policy pass value" AUXILIARY},
        {"b1c8-qvalues,heads=policy+value+score+value_buckets+later_moves",
         "policy pass value score value_buckets later_moves"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        expect_heads(CASES[i][0], CASES[i][1]);
}

TEST(lists_that_make_no_net_are_refused) {
    static const char *const BAD[][2] = {
        {"b1c8,heads=value", "character 6, \"heads=value\": a list with policy, value, score or "},
        {"b1c8,heads=ownership", "every net needs the policy, but it is missing"},
        {"b1c8-qvalues,pass=false", "\"qvalues\": values of moves need the pass"},
        {"b1c8,heads=pass", "character 12, \"pass\": there is no head \"pass\"; the heads are: "
                            "policy, value, score, ownership, score_distribution, td, "},
        {"b1c8,heads=policy+value+scores", "character 25, \"scores\": there is no head \"scores\""},
        {"b1c8,heads=td_errors", "character 12, \"td_errors\": td_errors needs the head td"},
        {"b1c8,heads=policy+value+score_scale", "\"score_scale\": score_scale needs the score dis"},
        {"b1c8,heads=policy+value,score_mixtures=2", "score_mixtures needs the score distribution"},
        {"b1c8-optimistic,heads=policy+value", "character 6, \"optimistic\": optimistic policies "
                                               "need the head score"},
        {"b1c8-nodist,heads=score_distribution", "character 19, \"score_distribution\": "},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        ArchSettings settings;
        Error fault = {0};
        EXPECT_STATUS(ERR_ARGUMENT, arch_parse(BAD[i][0], &settings, &fault));
        EXPECT_CONTAINS(fault.message, BAD[i][1]);
    }
}

static Evaluation evaluate(const char *words, int symmetries) {
    Net *net = net_of_words(words, 3);
    const NetEvaluatorSetup setup = {.batch = 2,
                                     .buffer_width = SIDE,
                                     .buffer_height = SIDE,
                                     .ownership = true,
                                     .symmetries = symmetries,
                                     .features = FEATURE_OPTIONS_DEFAULT};
    Rules rules = rules_tromp_taylor();
    Position position = {0};
    Evaluator *evaluator;
    Evaluation out;
    EXPECT_OK(position_init(&position, SIDE, SIDE, &rules, err));
    EXPECT_OK(position_play(&position, point_at(2, 3), err));
    const EvaluationRequest request = {.position = &position};
    EXPECT_OK(evaluator_net_new(net, &setup, &evaluator, err));
    EXPECT_OK(evaluator_evaluate(evaluator, &request, 1, &out, err));
    evaluator_free(evaluator);
    position_clear(&position);
    net_free(net);
    return out;
}

TEST(nets_without_score_or_ownership_evaluate) {
    for (int symmetries = 1; symmetries <= 8; symmetries += 7) {
        Evaluation bare = evaluate("b2c8,heads=policy+value", symmetries),
                   scored = evaluate("b2c8,heads=policy+value+score", symmetries),
                   owned = evaluate("b2c8,heads=policy+value+ownership", symmetries),
                   usual = evaluate("b2c8", symmetries);
        double sum = 0;
        for (int i = 0; i <= SIDE * SIDE; i++)
            sum += bare.policy[i] > 0 ? (double)bare.policy[i] : 0;
        EXPECT_NEAR(1, sum, 1e-5);
        EXPECT_NEAR(1, bare.win + bare.loss + bare.no_result, 1e-5);
        EXPECT_TRUE(bare.lacks_score && bare.lacks_ownership && !bare.has_ownership);
        EXPECT_TRUE(bare.score_mean == 0 && bare.score_mean_sq == 0 && bare.lead == 0);
        EXPECT_NEAR(-1, bare.var_time, 1e-6);
        EXPECT_NEAR(-1, bare.shortterm_winloss_error, 1e-6);
        EXPECT_TRUE(!scored.lacks_score && scored.lacks_ownership && scored.score_mean != 0);
        EXPECT_TRUE(owned.lacks_score && !owned.lacks_ownership && owned.has_ownership);
        EXPECT_TRUE(!usual.lacks_score && !usual.lacks_ownership && usual.has_ownership);
    }
}

/* Without the value, winning and losing are equally likely. Without the pass, its probability is
 * 0. */
TEST(nets_of_only_a_policy_evaluate) {
    for (int symmetries = 1; symmetries <= 8; symmetries += 7) {
        Evaluation bare = evaluate("b2c8,heads=policy,policies=move,pass=false", symmetries),
                   passes = evaluate("b2c8,heads=policy", symmetries),
                   valued = evaluate("b2c8,heads=policy+value", symmetries);
        double sum = 0;
        for (int i = 0; i < SIDE * SIDE; i++)
            sum += bare.policy[i] > 0 ? (double)bare.policy[i] : 0;
        EXPECT_NEAR(1, sum, 1e-5);
        EXPECT_NEAR(0, bare.policy[SIDE * SIDE], 0);
        EXPECT_TRUE(passes.policy[SIDE * SIDE] > 0);
        EXPECT_TRUE(bare.lacks_value && passes.lacks_value && !valued.lacks_value);
        EXPECT_NEAR(0.5, bare.win, 1e-6);
        EXPECT_NEAR(0.5, bare.loss, 1e-6);
        EXPECT_NEAR(0, bare.no_result, 0);
        EXPECT_TRUE(valued.win != valued.loss);
    }
}

TEST(katago_s_format_needs_all_usual_heads) {
    static const char *const CASES[][2] = {
        {"b1c8-nodist,pass=false", "it has no head \"pass\""},
        {"b1c8,heads=policy+score+ownership", "it has no head \"value\""},
        {"b1c8,heads=policy+value+ownership", "it has no head \"score\""},
        {"b1c8,heads=policy+value+score", "it has no head \"ownership\""}};
    for (int i = 0; i < 4; i++) {
        Net *net = net_of_words(CASES[i][0], 1);
        TestPath path = test_path("listed.bin.gz");
        Error fault = {0};
        EXPECT_STATUS(ERR_UNSUPPORTED, net_file_save(net, path.text, &fault));
        EXPECT_CONTAINS(fault.message, CASES[i][1]);
        net_free(net);
    }
}

TEST_MAIN(RUN(nets_have_the_heads_that_are_named), RUN(lists_that_make_no_net_are_refused),
          RUN(nets_without_score_or_ownership_evaluate), RUN(nets_of_only_a_policy_evaluate),
          RUN(katago_s_format_needs_all_usual_heads))
