/* Rules as text, and the komi that a game may have. PRESETS is the table in docs/RULES.md. */
#include "go/rules.h"
#include "test.h"

static const struct {
    const char *name;
    KoRule ko;
    ScoringRule scoring;
    TaxRule tax;
    bool suicide, button;
    WhiteBonusRule white_bonus;
    bool friendly_pass;
    double usual_komi;
} PRESETS[] = {
    {"tromp-taylor", KO_POSITIONAL, SCORING_AREA, TAX_NONE, true, false, WHITE_BONUS_ZERO, false,
     7.5},
    {"chinese", KO_SIMPLE, SCORING_AREA, TAX_NONE, false, false, WHITE_BONUS_N, true, 7.5},
    {"chinese-ogs", KO_POSITIONAL, SCORING_AREA, TAX_NONE, false, false, WHITE_BONUS_N, true, 7.5},
    {"chinese-kgs", KO_POSITIONAL, SCORING_AREA, TAX_NONE, false, false, WHITE_BONUS_N, true, 7.5},
    {"japanese", KO_SIMPLE, SCORING_TERRITORY, TAX_SEKI, false, false, WHITE_BONUS_ZERO, false,
     6.5},
    {"korean", KO_SIMPLE, SCORING_TERRITORY, TAX_SEKI, false, false, WHITE_BONUS_ZERO, false, 6.5},
    {"aga", KO_SITUATIONAL, SCORING_AREA, TAX_NONE, false, false, WHITE_BONUS_N_MINUS_ONE, true,
     7.5},
    {"bga", KO_SITUATIONAL, SCORING_AREA, TAX_NONE, false, false, WHITE_BONUS_N_MINUS_ONE, true,
     7.5},
    {"french", KO_SITUATIONAL, SCORING_AREA, TAX_NONE, false, false, WHITE_BONUS_N_MINUS_ONE, true,
     7.5},
    {"aga-button", KO_SITUATIONAL, SCORING_AREA, TAX_NONE, false, true, WHITE_BONUS_N_MINUS_ONE,
     true, 7},
    {"new-zealand", KO_SITUATIONAL, SCORING_AREA, TAX_NONE, true, false, WHITE_BONUS_ZERO, true, 7},
    {"nz", KO_SITUATIONAL, SCORING_AREA, TAX_NONE, true, false, WHITE_BONUS_ZERO, true, 7},
    {"goe", KO_POSITIONAL, SCORING_AREA, TAX_NONE, true, false, WHITE_BONUS_ZERO, true, 7.5},
    {"ing", KO_POSITIONAL, SCORING_AREA, TAX_NONE, true, false, WHITE_BONUS_ZERO, true, 7.5},
    {"stone-scoring", KO_SIMPLE, SCORING_AREA, TAX_ALL, false, false, WHITE_BONUS_ZERO, true, 7.5},
    {"ancient-area", KO_SIMPLE, SCORING_AREA, TAX_ALL, false, false, WHITE_BONUS_ZERO, true, 7.5},
    {"ancient-territory", KO_SIMPLE, SCORING_TERRITORY, TAX_ALL, false, false, WHITE_BONUS_ZERO,
     false, 6.5},
};

TEST(komi_is_a_multiple_of_one_half_within_400) {
    static const double GOOD[] = {0, 0.5, 7, 7.5, -7.5, 400, -400, 399.5},
                        BAD[] = {0.25, 7.3,      -0.1,      400.5,      -400.5,
                                 1e9,  HUGE_VAL, -HUGE_VAL, (double)NAN};
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++)
        EXPECT_TRUE(rules_komi_is_valid(GOOD[i]));
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        EXPECT_FALSE(rules_komi_is_valid(BAD[i]));
}

TEST(presets_are_those_of_the_table) {
    for (size_t i = 0; i < sizeof PRESETS / sizeof *PRESETS; i++) {
        Rules rules = {.komi = 3.5f};
        EXPECT_OK(rules_parse(PRESETS[i].name, &rules, err));
        EXPECT_INT(PRESETS[i].ko, rules.ko);
        EXPECT_INT(PRESETS[i].scoring, rules.scoring);
        EXPECT_INT(PRESETS[i].tax, rules.tax);
        EXPECT_INT(PRESETS[i].suicide, rules.suicide);
        EXPECT_INT(PRESETS[i].button, rules.button);
        EXPECT_INT(PRESETS[i].white_bonus, rules.white_bonus);
        EXPECT_INT(PRESETS[i].friendly_pass, rules.friendly_pass);
        EXPECT_NEAR(3.5, rules.komi, 0); /* a name never changes the komi */
        EXPECT_OK(rules_parse_with_komi(PRESETS[i].name, &rules, err));
        EXPECT_NEAR(PRESETS[i].usual_komi, rules.komi, 0);
    }
}

TEST(case_blanks_and_dashes_of_names_do_not_matter) {
    static const char *const NAMES[] = {"New-Zealand", "newzealand", "NEW ZEALAND", "new_zealand",
                                        " \tN Z"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        Rules rules;
        EXPECT_OK(rules_parse_with_komi(NAMES[i], &rules, err));
        EXPECT_INT(KO_SITUATIONAL, rules.ko);
        EXPECT_TRUE(rules.suicide);
        EXPECT_NEAR(7, rules.komi, 0);
    }
}

/* Without the name of a preset, the usual komi depends on the scoring and on the button. */
TEST(the_usual_komi_of_rules_in_words) {
    static const struct {
        const char *text;
        double komi;
    } CASES[] = {{"koSIMPLEscoreAREAtaxNONEsui0", 7.5},
                 {"koSIMPLEscoreTERRITORYtaxSEKIsui0", 6.5},
                 {"koSIMPLEscoreAREAtaxNONEsui0button1", 7},
                 {"koSIMPLEscoreAREAtaxNONEsui0komi5.5", 5.5},
                 {"{\"scoring\":\"TERRITORY\"}", 6.5},
                 {"{\"hasButton\":true}", 7},
                 {"{\"komi\":-2}", -2},
                 {"{}", 7.5}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Rules rules;
        EXPECT_OK(rules_parse_with_komi(CASES[i].text, &rules, err));
        EXPECT_NEAR(CASES[i].komi, rules.komi, 0);
    }
}

/* What the text leaves out is as in Tromp-Taylor, except that territory scoring has TAX_SEKI. */
TEST(what_a_text_leaves_out_is_tromp_taylor) {
    Rules want = rules_tromp_taylor(), rules = {.komi = 7.5f};
    EXPECT_OK(rules_parse("koPOSITIONAL", &rules, err));
    EXPECT_TRUE(rules_equal(&want, &rules));
    EXPECT_OK(rules_parse("scoreTERRITORY", &rules, err));
    want.scoring = SCORING_TERRITORY;
    want.tax = TAX_SEKI;
    EXPECT_TRUE(rules_equal(&want, &rules));
}

TEST(texts_are_read_back) {
    for (size_t i = 0; i < sizeof PRESETS / sizeof *PRESETS; i++) {
        Rules rules = {.komi = 1}, compact = {.komi = 1}, json = {.komi = 1};
        EXPECT_OK(rules_parse(PRESETS[i].name, &rules, err));
        EXPECT_OK(rules_parse(rules_text(&rules).text, &compact, err));
        EXPECT_OK(rules_parse(rules_json(&rules).text, &json, err));
        EXPECT_TRUE(rules_equal(&rules, &compact));
        EXPECT_TRUE(rules_equal(&rules, &json));
    }
    Rules chinese = {0};
    EXPECT_OK(rules_parse("chinese", &chinese, err));
    EXPECT_TEXT("koSIMPLEscoreAREAtaxNONEsui0whbNfpok1", rules_text(&chinese).text);
    EXPECT_TEXT("{\"friendlyPassOk\":true,\"hasButton\":false,\"ko\":\"SIMPLE\","
                "\"scoring\":\"AREA\",\"suicide\":false,\"tax\":\"NONE\","
                "\"whiteHandicapBonus\":\"N\"}",
                rules_json(&chinese).text);
}

TEST(rules_are_described_for_people) {
    static const char *const TEXTS[][2] = {
        {"tromp-taylor", "Tromp-Taylor"},
        {"nz", "New Zealand"},
        {"chinese", "Chinese"},
        {"koSITUATIONALscoreAREAtaxNONEsui0", "situational superko, area scoring, no suicide"},
        {"koSIMPLEscoreTERRITORYtaxSEKIsui1whbN-1fpok1",
         "simple ko, territory scoring, no points in seki, suicide, a point for White for each "
         "handicap stone but one, dead stones may stay on the board"},
        {"koSPIGHTscoreAREAtaxALLsui1button1whbN",
         "Spight's superko, area scoring, a tax for each group, suicide, button, a point for White "
         "for each handicap stone"}};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        Rules rules = {.komi = 3.5f};
        EXPECT_OK(rules_parse(TEXTS[i][0], &rules, err));
        EXPECT_TEXT(TEXTS[i][1], rules_words(&rules).text);
        EXPECT_TRUE(!rules_name(&rules) == (i > 2));
    }
}

TEST(rules_have_the_names_of_katago) {
    static const char *const NAMES[] = {"TrompTaylor", "Japanese",     "Chinese",   "Chinese-OGS",
                                        "AGA",         "StoneScoring", "NewZealand"};
    for (int i = 0; i < 7; i++) {
        Rules rules = {.komi = 3};
        EXPECT_OK(rules_parse(NAMES[i], &rules, err));
        EXPECT_TEXT(NAMES[i], rules_katago_name(&rules).text);
    }
    Rules rules = rules_tromp_taylor();
    rules.tax = TAX_SEKI;
    EXPECT_TEXT(rules_text(&rules).text, rules_katago_name(&rules).text);
}

TEST(texts_that_are_no_rules_are_refused) {
    static const struct {
        const char *text;
        Status status;
    } CASES[] = {{"", ERR_SYNTAX},
                 {"korea", ERR_SYNTAX},
                 {"koSIMPLEsuiX", ERR_SYNTAX},
                 {"koSIMPLEkomi7.25", ERR_SYNTAX},
                 {"koSIMPLEkomi401", ERR_SYNTAX},
                 {"[]", ERR_SYNTAX},
                 {"{\"ko\":\"NEVER\"}", ERR_SYNTAX},
                 {"{\"komi\":400.5}", ERR_SYNTAX},
                 {"{\"handicap\":2}", ERR_SYNTAX},
                 {"scoreTERRITORYbutton1", ERR_ARGUMENT},
                 {"{\"scoring\":\"TERRITORY\",\"hasButton\":true}", ERR_ARGUMENT}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Rules rules = rules_tromp_taylor(), before = rules;
        EXPECT_STATUS(CASES[i].status, rules_parse(CASES[i].text, &rules, NULL));
        EXPECT_STATUS(CASES[i].status, rules_parse_with_komi(CASES[i].text, &rules, NULL));
        EXPECT_TRUE(rules_equal(&before, &rules));
    }
}

TEST_MAIN(RUN(komi_is_a_multiple_of_one_half_within_400), RUN(presets_are_those_of_the_table),
          RUN(case_blanks_and_dashes_of_names_do_not_matter), RUN(the_usual_komi_of_rules_in_words),
          RUN(what_a_text_leaves_out_is_tromp_taylor), RUN(texts_are_read_back),
          RUN(rules_are_described_for_people), RUN(rules_have_the_names_of_katago),
          RUN(texts_that_are_no_rules_are_refused))
