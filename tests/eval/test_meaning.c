/* How a net's numbers are meant: by version, and kept in the net. */
#include "eval/meaning.h"
#include "eval/net_of_words.h"
#include "test.h"

TEST(our_nets_have_the_default) {
    Net *net = net_of_words("b1c8", 1);
    NetMeaning meaning;
    EXPECT_OK(meaning_of(net, &meaning, err));
    EXPECT_INT(MEANING_DEFAULT.version, meaning.version);
    EXPECT_TRUE(meaning.own_policies && !meaning.metadata && !meaning.passalive_under_suicide);
    EXPECT_INT(0, memcmp(&meaning.score, &MEANING_DEFAULT.score, sizeof meaning.score));
    EXPECT_INT(7, meaning_features(&meaning));
    EXPECT_INT(6, meaning_score_channels(&meaning));
    EXPECT_INT(0, meaning_optimistic(&meaning, 4));
    EXPECT_INT(5, meaning_optimistic(&meaning, 6));
    EXPECT_TRUE(meaning_has_policies(&meaning, 6) && !meaning_has_policies(&meaning, 3));
    EXPECT_TRUE(meaning_has_policies(&meaning, 8) && !meaning_has_policies(&meaning, 10));
    net_free(net);
    net = net_of_words("b1c8-qvalues", 1); /* all but the version as before */
    EXPECT_OK(meaning_of(net, &meaning, err));
    EXPECT_INT(16, meaning.version);
    EXPECT_TRUE(meaning.own_policies && !meaning.metadata && !meaning.passalive_under_suicide);
    EXPECT_INT(0, memcmp(&meaning.score, &MEANING_DEFAULT.score, sizeof meaning.score));
    EXPECT_INT(5, meaning_optimistic(&meaning, 8));
    net_free(net);
}

TEST(the_note_holds_every_field) {
    Net *net = net_of_words("b1c8", 1);
    const NetMeaning made = {13, false, true, true, 1.5f, {0.1f, 2e-7f, 3, 4e9f, 5, 6}};
    NetMeaning meaning;
    EXPECT_OK(meaning_note(net, &made, err));
    EXPECT_OK(meaning_of(net, &meaning, err));
    EXPECT_INT(13, meaning.version);
    EXPECT_TRUE(!meaning.own_policies && meaning.passalive_under_suicide && meaning.metadata);
    EXPECT_NEAR(1.5, meaning.td_score, 0);
    EXPECT_INT(0, memcmp(&made.score, &meaning.score, sizeof made.score));
    EXPECT_OK(net_set_note(net, "meaning", "meaning.version = 99\n", err));
    EXPECT_STATUS(ERR_ARGUMENT, meaning_of(net, &meaning, NULL));
    net_free(net);
}

TEST(channels_follow_from_the_version) {
    static const int SCORES[] = {1, 2, 2, 2, 2, 4, 6, 6, 6, 6, 6, 6, 6, 6, 6},
                     POLICIES[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 2};
    for (int version = 3; version <= 17; version++) {
        NetMeaning meaning = {.version = version};
        EXPECT_INT(SCORES[version - 3], meaning_score_channels(&meaning));
        EXPECT_INT(POLICIES[version - 3], meaning_policies_least(&meaning));
        EXPECT_INT(version == 16 || version == 17, meaning_has_policies(&meaning, 4));
        EXPECT_INT(version >= 12, meaning_optimistic(&meaning, 2));
    }
}

TEST(rules_become_the_nearest_known) {
    Rules rules = {.ko = KO_SPIGHT,
                   .scoring = SCORING_TERRITORY,
                   .tax = TAX_SEKI,
                   .button = true,
                   .suicide = true,
                   .komi = 6.5f};
    Rules known = meaning_rules(&(NetMeaning){.version = 6}, &rules);
    EXPECT_INT(KO_SITUATIONAL, known.ko);
    EXPECT_INT(SCORING_AREA, known.scoring);
    EXPECT_INT(TAX_NONE, known.tax);
    EXPECT_TRUE(!known.button && known.suicide && known.komi == 6.5f);
    const Rules simple = {.ko = KO_SIMPLE};
    EXPECT_INT(KO_SITUATIONAL, meaning_rules(&(NetMeaning){.version = 6}, &simple).ko);
    EXPECT_INT(KO_SIMPLE, meaning_rules(&(NetMeaning){.version = 7}, &simple).ko);
    known = meaning_rules(&(NetMeaning){.version = 7}, &rules);
    EXPECT_INT(KO_SITUATIONAL, known.ko);
    EXPECT_INT(SCORING_TERRITORY, known.scoring);
    EXPECT_INT(TAX_SEKI, known.tax);
    EXPECT_FALSE(known.button);
    rules.scoring = SCORING_AREA;
    EXPECT_TRUE(meaning_rules(&(NetMeaning){.version = 7}, &rules).button);
    known = meaning_rules(&MEANING_DEFAULT, &rules);
    EXPECT_TRUE(rules_equal(&rules, &known));
}

TEST_MAIN(RUN(our_nets_have_the_default), RUN(the_note_holds_every_field),
          RUN(channels_follow_from_the_version), RUN(rules_become_the_nearest_known))
