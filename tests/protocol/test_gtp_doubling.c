/* The playout doubling advantage that the engine adapts during a handicap game. */
#include "gtp_talk.h"
#include "protocol/gtp/gtp_doubling.h"
#include "search/tree/search_presets.h"
#include "search/tree/search_settings.h"

static Position start_with(int stones, ScoringRule scoring, float komi) {
    Position position = {0};
    Board board;
    Rules rules = rules_tromp_taylor();
    rules.scoring = scoring;
    rules.komi = komi;
    EXPECT_OK(board_init(&board, 9, 9, err));
    for (int i = 0; i < stones; i++)
        EXPECT_TRUE(board_set(&board, point_at(2 * i, 2), COLOR_BLACK));
    EXPECT_OK(position_init_board(&position, &board, COLOR_WHITE, &rules, err));
    return position;
}

static double lead_of(int stones, ScoringRule scoring, float komi) {
    Position position = start_with(stones, scoring, komi);
    double lead = resign_black_advantage(&position);
    position_clear(&position);
    return lead;
}

/* Black's lead before the first move. To be the first to move, or to have the first handicap stone,
 * is worth 7 points. Each other stone is worth 15 points under area rules, 14 under territory
 * rules. Komi and White's bonus for handicap are subtracted. */
TEST(leads_by_hand) {
    EXPECT_NEAR(-0.5, lead_of(0, SCORING_AREA, 7.5f), 1e-6);
    EXPECT_NEAR(6.5, lead_of(1, SCORING_AREA, 0.5f), 1e-6);
    EXPECT_NEAR(15 * 3 + 6.5, lead_of(4, SCORING_AREA, 0.5f), 1e-6);
    EXPECT_NEAR(14 * 3 + 6.5, lead_of(4, SCORING_TERRITORY, 0.5f), 1e-6);
    Position position = start_with(4, SCORING_AREA, 0.5f);
    position.white_handicap_bonus = 4;
    EXPECT_NEAR(15 * 3 + 2.5, resign_black_advantage(&position), 1e-6);
    position_clear(&position);
}

/* The cap is per_lead * (lead - start) * scale, rounded to eighths, but at most 2.75, where
 *     scale = (361 / area)^.75
 *     start = max(2, 4 / scale)
 * 19x19: .045 * (21.5 - 4)       * 1       =  .7875  ->  .75
 * 13x13: .045 * (21.5 - 2.26383) * 1.76691 = 1.52952 -> 1.5
 * 9x9:   .045 * (12 - 2)         * 3.06737 = 1.38032 -> 1.375 */
TEST(caps_by_hand) {
    EXPECT_NEAR(0.75, doubling_cap(0.045, 21.5, 19, 19), 0);
    EXPECT_NEAR(1.5, doubling_cap(0.045, 21.5, 13, 13), 0);
    EXPECT_NEAR(1.375, doubling_cap(0.045, 12, 9, 9), 0);
    EXPECT_NEAR(0, doubling_cap(0.5, 2.26, 13, 13), 0);
    EXPECT_TRUE(doubling_cap(0.5, 2.5, 13, 13) > 0);
    EXPECT_NEAR(2.75, doubling_cap(0.045, 120, 19, 19), 0);
    EXPECT_NEAR(0, doubling_cap(0.045, 3.9, 19, 19), 0);
    EXPECT_NEAR(0, doubling_cap(0.045, 60, 7, 19), 0); /* it is 0 if a side is below 8 */
    EXPECT_NEAR(0, doubling_cap(0, 60, 19, 19), 0);
}

/* The advantage grows by 1/8 if the win - loss of the side that has it is below -0.9. It shrinks by
 * 1/8 if this win - loss is above -0.5. It stays between 0 and the cap. */
TEST(steps_by_hand) {
    EXPECT_NEAR(1.125, doubling_step(1, 2, -0.91), 0);
    EXPECT_NEAR(1, doubling_step(1, 2, -0.9), 0);
    EXPECT_NEAR(1, doubling_step(1, 2, -0.5), 0);
    EXPECT_NEAR(0.875, doubling_step(1, 2, -0.49), 0);
    EXPECT_NEAR(2, doubling_step(2, 2, -1), 0);
    EXPECT_NEAR(0, doubling_step(0, 2, 1), 0);
    EXPECT_NEAR(0.5, doubling_step(1, 0.5, -0.7), 0); /* the cap is lower now */
}

/* An evaluator that writes the playout doubling advantage of its requests to `*white_doublings`,
 * and returns `*white_win_loss` as White's win - loss. */
typedef struct {
    Evaluator base;
    Evaluator *uniform;
    float *white_doublings, *white_win_loss;
} Watching;

static Status watch(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                    Evaluation *out, Error *err) {
    Watching *watching = (Watching *)evaluator;
    Status status = evaluator_evaluate(watching->uniform, requests, count, out, err);
    for (int i = 0; i < count && !status; i++) {
        *watching->white_doublings = requests[i].options.white_doublings;
        float win_loss = value_for_mover(*watching->white_win_loss, requests[i].position->mover);
        out[i].win = 0.5f + 0.5f * win_loss;
        out[i].loss = 1 - out[i].win;
    }
    return status;
}

static void watch_free(Evaluator *evaluator) {
    evaluator_free(((Watching *)evaluator)->uniform);
    free(evaluator);
}

static const EvaluatorClass WATCHING = {"watching", watch, watch_free};

static float seen, thought;

static Status make_watching(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    (void)context, (void)spec;
    Watching *watching = calloc(1, sizeof *watching);
    *watching = (Watching){
        .base = {&WATCHING, 1, 0, false}, .white_doublings = &seen, .white_win_loss = &thought};
    *out = &watching->base;
    return evaluator_uniform_new(1, &watching->uniform, err);
}

static Talk talk_watching(void) {
    Talk talk = {0};
    SessionSetup setup = {.make_evaluator = make_watching,
                          .visits = 4,
                          .seed = 5,
                          .width = 9,
                          .height = 9,
                          .rules = rules_tromp_taylor()};
    search_preset_begin(SEARCH_PRESET_PLAY, &setup.search);
    settings_defaults(GTP_FIELDS, &setup.gtp);
    settings_defaults(TIME_FIELDS, &setup.time);
    EXPECT_OK(gtp_new(&setup, "9.8", &talk.gtp, err));
    return talk;
}

static float doublings_after(Talk *talk, const char *line) {
    seen = 99;
    talk_ask(talk, "clear_cache");
    if (talk_ask(talk, line)[0] != '=') fail_msg("%s is refused", line);
    return seen;
}

/* Two stones on 9x9 without komi are worth 15 + 7 = 22 points. The cap would be .045 * (22 - 2) *
 * 3.06737 = 2.76, so it is 2.75; see caps_by_hand. */
TEST(the_engine_follows_the_game) {
    Talk talk = talk_watching();
    ACCEPTS("komi 0");
    ACCEPTS("fixed_handicap 2");
    thought = -0.95f;
    EXPECT_NEAR(0, doublings_after(&talk, "genmove w"), 0); /* the setting is 0 */
    ACCEPTS("undo");
    /* as in KataGo, this name is for config files only */
    REFUSES("kata-set-param dynamicPlayoutDoublingAdvantageCapPerOppLead 0.045");
    ACCEPTS("kata-set-param doublings_per_lead 0.045");
    SAYS("kata-get-param doublings_per_lead", "= 0.045");
    EXPECT_NEAR(2.75, doublings_after(&talk, "kata-search w"), 0);
    EXPECT_NEAR(2.75, doublings_after(&talk, "kata-search_debug w"), 0);
    EXPECT_NEAR(2.75, doublings_after(&talk, "genmove w"), 0);
    ACCEPTS("play b A1");
    thought = 0;
    EXPECT_NEAR(2.75, doublings_after(&talk, "genmove w"), 0); /* it was at the cap */
    ACCEPTS("play b A2");
    EXPECT_NEAR(2.625, doublings_after(&talk, "kata-search w"), 0); /* nothing was played */
    EXPECT_NEAR(2.625, doublings_after(&talk, "kata-genmove_analyze w 10000"), 0);
    EXPECT_NEAR(2.5, doublings_after(&talk, "genmove b"), 0); /* it is White's, whoever moves */
    thought = -0.95f;
    EXPECT_NEAR(2.375, doublings_after(&talk, "genmove w"), 0);
    ACCEPTS("play b A3");
    EXPECT_NEAR(2.5, doublings_after(&talk, "genmove_debug w"), 0);
    EXPECT_NEAR(0, doublings_after(&talk, "kata-analyze b 10000"), 0); /* not in analysis */
    SAYS("kata-get-param playoutDoublingAdvantage", "= 0.0");
    ACCEPTS("kata-set-param playoutDoublingAdvantage 0.5"); /* it holds for analysis */
    EXPECT_NEAR(2.625, doublings_after(&talk, "genmove b"), 0);
    EXPECT_NEAR(0.5, doublings_after(&talk, "kata-analyze w 10000"), 0);
    ACCEPTS("kata-set-param playoutDoublingAdvantagePla BLACK");
    EXPECT_NEAR(-0.5, doublings_after(&talk, "kata-analyze w 10000"), 0);
    EXPECT_NEAR(2.75, doublings_after(&talk, "genmove w"), 0);
    ACCEPTS("kata-set-param playoutDoublingAdvantage 0");
    ACCEPTS("undo"); /* this sets the advantage back to the cap */
    thought = 0;
    EXPECT_NEAR(2.75, doublings_after(&talk, "genmove w"), 0);
    ACCEPTS("play b A4");
    EXPECT_NEAR(2.625, doublings_after(&talk, "kata-search w"), 0);
    ACCEPTS("undo");
    EXPECT_NEAR(2.75, doublings_after(&talk, "kata-search w"), 0);
    ACCEPTS("clear_board");
    EXPECT_NEAR(0.75, doublings_after(&talk, "genmove b"), 0); /* .045 * (7 - 2) * 3.067 = .69 */
    talk_end(&talk);
}

/* While White has no stone, the game has only just begun, and the advantage is at its cap. */
TEST(without_white_stones_it_is_the_cap) {
    Talk talk = talk_watching();
    ACCEPTS("komi 0");
    ACCEPTS("kata-set-param doublings_per_lead 0.045");
    ACCEPTS("fixed_handicap 2");
    thought = 0;
    EXPECT_NEAR(2.75, doublings_after(&talk, "genmove b"), 0);
    EXPECT_NEAR(2.75, doublings_after(&talk, "genmove b"), 0);
    EXPECT_NEAR(2.75, doublings_after(&talk, "genmove w"), 0);
    EXPECT_NEAR(2.625, doublings_after(&talk, "genmove b"), 0);
    talk_end(&talk);
}

TEST_MAIN(RUN(leads_by_hand), RUN(caps_by_hand), RUN(steps_by_hand),
          RUN(the_engine_follows_the_game), RUN(without_white_stones_it_is_the_cap))
