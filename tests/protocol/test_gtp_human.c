/* What a GTP client sees of a second net, which predicts human play. */
#include <stdlib.h>

#include "gtp_talk.h"
#include "plain_evaluator.h"
#include "search/tree/search_presets.h"

/* A net of human players who always play C3, and expect to lose. */
static Status people_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                              Evaluation *out, Error *err) {
    (void)evaluator, (void)err;
    for (int i = 0; i < count; i++) {
        const Position *position = requests[i].position;
        int width = position->board.width, height = position->board.height;
        int move = move_index(point_at(2, 2), width, height);
        memset(&out[i], 0, sizeof out[i]);
        out[i].width = (int16_t)width;
        out[i].height = (int16_t)height;
        out[i].win = 0.25f;
        out[i].loss = 0.75f;
        out[i].score_mean = -2;
        out[i].score_mean_sq = 9;
        out[i].shortterm_winloss_error = 0.5f;
        out[i].shortterm_score_error = 3;
        for (int k = 0; k <= width * height; k++) {
            bool legal = position_is_legal(position, move_at_index(k, width, height));
            out[i].policy[k] = !legal ? -1 : k == move ? 1 : 0;
        }
    }
    return OK;
}

static const EvaluatorClass PEOPLE = {"people", people_evaluate, plain_evaluator_free};

static Status make_people(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    (void)context;
    EXPECT_TEXT("rank_5k", spec->search->human.profile);
    return plain_evaluator_new(&PEOPLE, 4, out, err);
}

static Status make_both(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    Evaluator *first, *people;
    Status status = evaluator_uniform_new(4, &first, err);
    if (!*spec->search->human.profile) {
        *out = first;
        return status;
    }
    if (!status) status = make_people(context, spec, &people, err);
    return status ? status : evaluator_human_new(first, people, out, err);
}

static Talk talk_with_people(void) {
    Talk talk = {0};
    SessionSetup setup = {.make_evaluator = make_both,
                          .make_human = make_people,
                          .visits = 12,
                          .seed = 5,
                          .width = 5,
                          .height = 5,
                          .rules = rules_tromp_taylor()};
    search_preset_begin(SEARCH_PRESET_PLAY, &setup.search);
    settings_defaults(GTP_FIELDS, &setup.gtp);
    settings_defaults(TIME_FIELDS, &setup.time);
    settings_defaults(RESIGN_FIELDS, &setup.resign);
    EXPECT_OK(gtp_new(&setup, "9.8", &talk.gtp, err));
    return talk;
}

TEST(the_human_profile_is_read_back_as_it_was_set) {
    Talk talk = talk_with_people();
    SAYS("kata-get-param humanSLProfile", "= ");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-get-params"), "\"humanSLProfile\":\"\"");
    ACCEPTS("kata-set-param humanSLProfile rank_5k");
    SAYS("kata-get-param humanSLProfile", "= rank_5k");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-get-params"), "\"humanSLProfile\":\"rank_5k\"");
    ACCEPTS("kata-set-param humanSLProfile");
    SAYS("kata-get-param humanSLProfile", "= ");
    talk_end(&talk);
}

TEST(human_play_can_choose_the_move) {
    Talk talk = talk_with_people();
    ACCEPTS("genmove b"); /* the second net is not used */
    ACCEPTS("clear_board");
    ACCEPTS("kata-set-param humanSLChosenMoveProp 1");
    EXPECT_CONTAINS(talk_ask(&talk, "genmove b"), "net of human play"); /* without a profile */
    ACCEPTS("kata-set-param humanSLProfile rank_5k");
    ACCEPTS("clear_board");
    SAYS("genmove b", "= C3");
    ACCEPTS("kata-set-param humanSLChosenMoveProp 0");
    ACCEPTS("kata-set-params {\"humanSLRootExploreProbWeightful\":1,\"humanSLCpuctPermanent\":50}");
    ACCEPTS("clear_board");
    SAYS("genmove b", "= C3");
    talk_end(&talk);
}

TEST(raw_answers_of_the_human_net) {
    Talk talk = talk_with_people();
    ACCEPTS("kata-set-param humanSLProfile rank_5k");
    const char *answer = talk_ask(&talk, "kata-raw-human-nn 0");
    EXPECT_CONTAINS(answer, "= symmetry 0\nwhiteWin 0.750000\nwhiteLoss 0.250000\nnoResult "
                            "0.000000\nwhiteScore 2.000\nwhiteScoreSq 9.000\n"
                            "shorttermWinlossError 0.500\nshorttermScoreError 3.000\npolicy\n"
                            "0.000000");
    EXPECT_TRUE(!strstr(answer, "varTimeLeft") && strstr(answer, "1.000000"));
    EXPECT_CONTAINS(talk_ask(&talk, "kata-raw-human-nn w all"), "symmetry 7\nwhiteWin 0.250000");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-raw-nn 0"), "whiteWin 0.500000");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-raw-human-nn 8"), "for kata-raw-human-nn (expected");
    REFUSES("kata-raw-human-nn");
    REFUSES("kata-raw-human-nn 0 0.5"); /* human nets have no optimistic policy */
    talk_end(&talk);
    talk = talk_begin(5);
    EXPECT_CONTAINS(talk_ask(&talk, "kata-raw-human-nn 0"), "? Cannot run kata-raw-human-nn");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-set-param humanSLProfile rank_5k"), "--human-net");
    EXPECT_CONTAINS(talk_ask(&talk, "kata-set-params {\"humanSLProfile\":\"rank_5k\"}"),
                    "--human-net");
    SAYS("kata-get-param humanSLProfile", "= ");
    talk_end(&talk);
}

TEST_MAIN(RUN(the_human_profile_is_read_back_as_it_was_set), RUN(human_play_can_choose_the_move),
          RUN(raw_answers_of_the_human_net))
