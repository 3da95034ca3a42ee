/* Model formats: what the inputs and outputs of a net mean, by model version, and the note that
 * keeps this in the net. */
#include "eval/features/model_format.h"
#include "eval/net_of_words.h"
#include "test.h"

TEST(our_nets_have_the_default) {
    Net *net = net_of_words("b1c8", 1);
    ModelFormat model_format;
    EXPECT_OK(model_format_of(net, &model_format, err));
    EXPECT_INT(MODEL_FORMAT_DEFAULT.version, model_format.version);
    EXPECT_TRUE(model_format.own_policies && !model_format.metadata &&
                !model_format.passalive_under_suicide);
    EXPECT_INT(0,
               memcmp(&model_format.score, &MODEL_FORMAT_DEFAULT.score, sizeof model_format.score));
    EXPECT_INT(7, model_format_features(&model_format));
    EXPECT_INT(6, model_format_score_channels(&model_format));
    EXPECT_INT(-1, model_format_policies(&model_format, 4).at[POLICY_OPTIMISTIC]);
    EXPECT_INT(5, model_format_policies(&model_format, 6).at[POLICY_OPTIMISTIC]);
    EXPECT_TRUE(model_format_has_policies(&model_format, 6) &&
                !model_format_has_policies(&model_format, 3));
    EXPECT_TRUE(model_format_has_policies(&model_format, 1) &&
                !model_format_has_policies(&model_format, 0));
    EXPECT_INT(-1, model_format_policies(&model_format, 1).at[POLICY_REPLY]);
    EXPECT_TRUE(model_format_has_policies(&model_format, 8) &&
                !model_format_has_policies(&model_format, 10));
    net_free(net);
    net = net_of_words("b1c8-qvalues", 1); /* has the default, too, except for the version */
    EXPECT_OK(model_format_of(net, &model_format, err));
    EXPECT_INT(16, model_format.version);
    EXPECT_TRUE(model_format.own_policies && !model_format.metadata &&
                !model_format.passalive_under_suicide);
    EXPECT_INT(0,
               memcmp(&model_format.score, &MODEL_FORMAT_DEFAULT.score, sizeof model_format.score));
    EXPECT_INT(5, model_format_policies(&model_format, 8).at[POLICY_OPTIMISTIC]);
    EXPECT_INT(7, model_format_policies(&model_format, 8).at[POLICY_Q_SCORE]);
    net_free(net);
}

TEST(the_note_holds_every_field) {
    Net *net = net_of_words("b1c8", 1);
    const ModelFormat made = {13, false, true, true, 1.5, {0.1, 2e-7, 3, 4e9, 5, 6}};
    ModelFormat model_format;
    EXPECT_OK(model_format_note(net, &made, err));
    EXPECT_OK(model_format_of(net, &model_format, err));
    EXPECT_INT(13, model_format.version);
    EXPECT_TRUE(!model_format.own_policies && model_format.passalive_under_suicide &&
                model_format.metadata);
    EXPECT_NEAR(1.5, model_format.td_score, 0);
    EXPECT_INT(0, memcmp(&made.score, &model_format.score, sizeof made.score));
    EXPECT_OK(net_set_note(net, "meaning", "meaning.version = 99\n", err));
    EXPECT_STATUS(ERR_ARGUMENT, model_format_of(net, &model_format, NULL));
    net_free(net);
}

TEST(channels_follow_from_the_version) {
    static const int SCORES[] = {1, 2, 2, 2, 2, 4, 6, 6, 6, 6, 6, 6, 6, 6, 6},
                     POLICIES[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 2};
    for (int version = 3; version <= 17; version++) {
        ModelFormat model_format = {.version = version};
        EXPECT_INT(SCORES[version - 3], model_format_score_channels(&model_format));
        EXPECT_INT(POLICIES[version - 3], model_format_min_policies(&model_format));
        EXPECT_INT(version == 16 || version == 17, model_format_has_policies(&model_format, 4));
        PolicyChannels policies = model_format_policies(&model_format, POLICIES[version - 3]);
        EXPECT_INT(POLICIES[version - 3], policies.count);
        EXPECT_INT(0, policies.at[POLICY_OWN]);
        EXPECT_INT(version >= 12 ? 1 : -1, policies.at[POLICY_OPTIMISTIC]);
        EXPECT_INT(version == 16 ? 2 : -1, policies.at[POLICY_Q_WINLOSS]);
        EXPECT_INT(-1, policies.at[POLICY_REPLY]);
    }
}

TEST(rules_become_the_nearest_known_to_the_net) {
    Rules rules = {.ko = KO_SPIGHT,
                   .scoring = SCORING_TERRITORY,
                   .tax = TAX_SEKI,
                   .button = true,
                   .suicide = true,
                   .komi = 6.5f};
    Rules known = model_format_rules(&(ModelFormat){.version = 6}, &rules);
    EXPECT_INT(KO_SITUATIONAL, known.ko);
    EXPECT_INT(SCORING_AREA, known.scoring);
    EXPECT_INT(TAX_NONE, known.tax);
    EXPECT_TRUE(!known.button && known.suicide && known.komi == 6.5f);
    const Rules simple = {.ko = KO_SIMPLE};
    EXPECT_INT(KO_SITUATIONAL, model_format_rules(&(ModelFormat){.version = 6}, &simple).ko);
    EXPECT_INT(KO_SIMPLE, model_format_rules(&(ModelFormat){.version = 7}, &simple).ko);
    known = model_format_rules(&(ModelFormat){.version = 7}, &rules);
    EXPECT_INT(KO_SITUATIONAL, known.ko);
    EXPECT_INT(SCORING_TERRITORY, known.scoring);
    EXPECT_INT(TAX_SEKI, known.tax);
    EXPECT_FALSE(known.button);
    rules.scoring = SCORING_AREA;
    EXPECT_TRUE(model_format_rules(&(ModelFormat){.version = 7}, &rules).button);
    known = model_format_rules(&MODEL_FORMAT_DEFAULT, &rules);
    EXPECT_TRUE(rules_equal(&rules, &known));
}

TEST_MAIN(RUN(our_nets_have_the_default), RUN(the_note_holds_every_field),
          RUN(channels_follow_from_the_version), RUN(rules_become_the_nearest_known_to_the_net))
