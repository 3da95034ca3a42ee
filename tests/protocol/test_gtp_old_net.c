/* What a GTP client sees of a net that knows few rules, as KataGo's nets before model version 7
 * did. */
#include <string.h>

#include "base/scratch.h"
#include "gtp_talk.h"
#include "search/tree/search_presets.h"

static const ModelFormat OLD = {.version = 6};

static SessionSetup setup_of(const char *rules) {
    SessionSetup setup = {.make_evaluator = talk_evaluator,
                          .model_format = &OLD,
                          .visits = 12,
                          .width = 5,
                          .height = 5,
                          .rules = rules_tromp_taylor()};
    EXPECT_OK(rules_parse(rules, &setup.rules, err));
    search_preset_begin(SEARCH_PRESET_PEOPLE, &setup.search);
    settings_defaults(GTP_FIELDS, &setup.gtp);
    settings_defaults(TIME_FIELDS, &setup.time);
    settings_defaults(RESIGN_FIELDS, &setup.resign);
    return setup;
}

static Talk talk_with(const ModelFormat *model_format) {
    Talk talk = {0};
    SessionSetup setup = setup_of("tromp-taylor");
    setup.model_format = model_format;
    EXPECT_OK(gtp_new(&setup, "9.8", &talk.gtp, err));
    return talk;
}

TEST(unknown_rules_are_refused) {
    Talk talk = talk_with(&OLD);
    EXPECT_CONTAINS(talk_ask(&talk, "kata-set-rules japanese"), "the net does not know the rules");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-set-rule ko SIMPLE"), "knows are koSITUATIONALscoreAREA");
    REFUSES("kata-set-rule tax ALL");
    REFUSES("kata-set-rule hasButton true");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-get-rules"), "\"ko\":\"POSITIONAL\"");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-get-rules"), "\"scoring\":\"AREA\"");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-get-rules"), "\"tax\":\"NONE\"");
    ACCEPTS("kata-set-rules aga"); /* situational superko */
    talk_end(&talk);
    Gtp *gtp;
    SessionSetup setup = setup_of("japanese");
    EXPECT_STATUS(ERR_ARGUMENT, gtp_new(&setup, "9.8", &gtp, NULL));
}

TEST(a_game_under_unknown_rules_is_loaded_under_the_nearest) {
    static const char SGF[] = "(;GM[1]FF[4]SZ[5]RU[Japanese]KM[6.5];B[cc];W[dd])";
    Scratch scratch = scratch_new();
    Talk talk = talk_with(&OLD);
    Path path = scratch_path(&scratch, "a.sgf");
    char line[sizeof path.text + 16];
    EXPECT_OK(file_write(path.text, SGF, strlen(SGF), err));
    snprintf(line, sizeof line, "loadsgf %s", path.text);
    ACCEPTS(line);
    EXPECT_CONTAINS(talk_ask(&talk, "kata-get-rules"), "\"scoring\":\"AREA\"");
    SAYS("get_komi", "= 6.5");
    ACCEPTS("undo");
    ACCEPTS("undo");
    talk_end(&talk);
    scratch_remove(&scratch);
}

/* The first net may have a metadata encoder, and is then conditioned on the human profile. */
TEST(a_net_of_human_play_may_be_the_first) {
    const ModelFormat people = {.version = 15, .metadata = true};
    Talk talk = talk_with(&people);
    ACCEPTS("kata-set-param humanSLProfile rank_5k");
    talk_end(&talk);
    talk = talk_with(&OLD);
    REFUSES("kata-set-param humanSLProfile rank_5k");
    talk_end(&talk);
}

TEST_MAIN(RUN(a_net_of_human_play_may_be_the_first), RUN(unknown_rules_are_refused),
          RUN(a_game_under_unknown_rules_is_loaded_under_the_nearest))
