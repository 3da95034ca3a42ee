/* Sessions: games from records, undo, changes of the rules, limits, pondering, and estimates of the
 * score. */
#include "base/memory.h"
#include "plain_evaluator.h"
#include "protocol/session/session.h"
#include "search/tree/search_presets.h"
#include "test.h"

/* Makes a uniform evaluator, and also writes it to the pointer at `context`, unless that is
 * NULL. */
static Status uniform(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    (void)spec;
    Status status = evaluator_uniform_new(1, out, err);
    if (context) *(Evaluator **)context = *out;
    return status;
}

static Session *make(int size) {
    SessionSetup setup = {.make_evaluator = uniform,
                          .visits = 4,
                          .width = size,
                          .height = size,
                          .rules = rules_tromp_taylor()};
    Session *session;
    search_preset_begin(SEARCH_PRESET_PLAY, &setup.search);
    EXPECT_OK(session_new(&setup, &session, err));
    return session;
}

/* Black moves twice and then White twice, which SGF allows. */
static const Move REPEATED[] = {{POINT_STRIDE * 2 + 2, COLOR_BLACK},
                                {POINT_STRIDE * 3 + 3, COLOR_BLACK},
                                {POINT_STRIDE * 4 + 4, COLOR_WHITE},
                                {POINT_STRIDE * 5 + 5, COLOR_WHITE}};

static Session *make_with_record(void) {
    Session *session = make(9);
    Position start = {0};
    Rules rules = rules_tromp_taylor();
    rules.komi = 6.5f;
    EXPECT_OK(position_init(&start, 9, 9, &rules, err));
    EXPECT_OK(session_set_game(session, &start, REPEATED, 4, err));
    position_clear(&start);
    return session;
}

static void expect_moves(const Session *session, int count) {
    const Position *now = session_position(session);
    EXPECT_INT(count, now->move_count);
    for (int i = 0; i < count; i++) {
        EXPECT_INT(REPEATED[i].point, position_move(now, i).point);
        EXPECT_INT(REPEATED[i].color, position_move(now, i).color);
    }
    EXPECT_INT(count, now->board.stones);
}

TEST(undo_keeps_the_recorded_moves) {
    Session *session = make_with_record();
    expect_moves(session, 4);
    EXPECT_OK(session_undo(session, err));
    expect_moves(session, 3);
    EXPECT_OK(session_undo(session, err));
    expect_moves(session, 2);
    EXPECT_INT(COLOR_WHITE, session_position(session)->mover);
    EXPECT_OK(session_undo(session, err));
    EXPECT_OK(session_undo(session, err));
    EXPECT_STATUS(ERR_ILLEGAL, session_undo(session, NULL));
    session_free(session);
}

TEST(other_rules_keep_the_recorded_moves) {
    Session *session = make_with_record();
    Rules rules = rules_tromp_taylor();
    rules.ko = KO_SIMPLE;
    rules.komi = 0;
    EXPECT_OK(session_set_rules(session, &rules, err));
    expect_moves(session, 4);
    EXPECT_INT(KO_SIMPLE, session_position(session)->rules.ko);
    EXPECT_NEAR(6.5, session_position(session)->rules.komi, 0);
    session_free(session);
}

/* If a client plays the same color twice in a row, the history begins again with the second move,
 * also after a recorded game. */
TEST(a_color_that_a_client_plays_twice_restarts_the_history) {
    Session *session = make_with_record();
    EXPECT_OK(session_play(session, (Move){point_at(7, 7), COLOR_BLACK}, err));
    EXPECT_OK(session_play(session, (Move){point_at(7, 6), COLOR_BLACK}, err));
    EXPECT_INT(1, session_position(session)->move_count);
    EXPECT_OK(session_play(session, (Move){point_at(7, 5), COLOR_WHITE}, err));
    EXPECT_OK(session_undo(session, err));
    EXPECT_INT(1, session_position(session)->move_count);
    EXPECT_INT(6, session_position(session)->board.stones);
    EXPECT_OK(session_undo(session, err));
    EXPECT_INT(5, session_position(session)->move_count);
    EXPECT_OK(session_undo(session, err));
    EXPECT_OK(session_undo(session, err));
    expect_moves(session, 3);
    /* Undo has removed the fourth move of the record: moves from here on are the client's. */
    EXPECT_OK(session_play(session, (Move){point_at(7, 7), COLOR_WHITE}, err));
    EXPECT_INT(1, session_position(session)->move_count);
    EXPECT_OK(session_play(session, (Move){point_at(7, 6), COLOR_BLACK}, err));
    EXPECT_OK(session_undo(session, err));
    EXPECT_INT(1, session_position(session)->move_count);
    session_free(session);
}

TEST(a_refused_game_changes_nothing) {
    Session *session = make_with_record();
    Position start = {0};
    Rules rules = rules_tromp_taylor();
    const Move twice[] = {{point_at(1, 1), COLOR_BLACK}, {point_at(1, 1), COLOR_WHITE}};
    EXPECT_OK(position_init(&start, 5, 5, &rules, err));
    EXPECT_STATUS(ERR_ILLEGAL, session_set_game(session, &start, twice, 2, NULL));
    expect_moves(session, 4);
    rules.komi = NAN;
    EXPECT_OK(session_set_rules(session, &rules, err)); /* it ignores the komi in `rules` */
    expect_moves(session, 4);
    EXPECT_STATUS(ERR_ARGUMENT, session_resize(session, 20, 9, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, session_set_komi(session, 0.3f, NULL));
    expect_moves(session, 4);
    position_clear(&start);
    session_free(session);
}

TEST(searches_begin_at_the_end_of_the_record) {
    Session *session = make_with_record();
    const Report *report;
    EXPECT_OK(session_run(session, &(SessionSearch){.color = COLOR_BLACK}, &report, err));
    EXPECT_INT(4, report->visits);
    EXPECT_INT(COLOR_BLACK, report->mover);
    expect_moves(session, 4);
    session_free(session);
}

static Session *make_timed(Evaluator **evaluator, float ponder_seconds) {
    SessionSetup setup = {.make_evaluator = uniform,
                          .context = evaluator,
                          .visits = 4,
                          .visits_without_clock = true,
                          .width = 5,
                          .height = 5,
                          .rules = rules_tromp_taylor()};
    Session *session;
    search_preset_begin(SEARCH_PRESET_PLAY, &setup.search);
    settings_defaults(TIME_FIELDS, &setup.time);
    setup.time.ponder_seconds = (double)ponder_seconds;
    EXPECT_OK(session_new(&setup, &session, err));
    return session;
}

/* The limit of visits in this setup is only for games without a clock. A limit that a client sets
 * holds with a clock, too. */
TEST(visits_that_are_set_hold_under_a_clock) {
    Session *session = make_timed(NULL, 60);
    const TimeBudget budget = {.wanted = 3, .max = 3};
    const SessionSearch how = {.color = COLOR_BLACK, .budget = &budget};
    const SearchSettings search = session_setup(session)->search;
    const Report *report;
    const SessionLimits before = session_limits(session_setup(session));
    EXPECT_INT(4, before.visits);
    EXPECT_TRUE(before.visits_without_clock);
    EXPECT_STATUS(ERR_ARGUMENT, session_configure(session, &search, &(SessionLimits){0}, NULL));
    EXPECT_TRUE(session_limits(session_setup(session)).visits_without_clock);
    EXPECT_OK(session_configure(session, &search, &(SessionLimits){.visits = 9}, err));
    EXPECT_OK(session_run(session, &how, &report, err));
    EXPECT_INT(9, report->visits);
    session_free(session);
}

TEST(no_time_is_no_pondering) {
    const float seconds[2] = {0, 60};
    for (int i = 0; i < 2; i++) {
        Evaluator *evaluator = NULL;
        atomic_bool stop = true; /* at most one evaluation */
        Session *session = make_timed(&evaluator, seconds[i]);
        EXPECT_OK(session_ponder(session, NULL, &stop, err));
        EXPECT_INT(i, evaluator->evaluations);
        session_free(session);
    }
}

/* A net whose ownership and lead alternate between -1 and 1 from one evaluation to the next. But if
 * a request asks for the mean over all symmetries, its ownership and lead are always 0.5. */
static Status evaluate_turning(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                               Evaluation *out, Error *err) {
    (void)err;
    for (int i = 0; i < count; i++) {
        bool all = requests[i].options.symmetries == SYMMETRY_COUNT;
        float owner = all ? 0.5f : evaluator->evaluations++ % 2 ? 1 : -1;
        out[i] = (Evaluation){
            .width = 5, .height = 5, .has_ownership = true, .score_mean = 5, .lead = owner};
        for (int k = 0; k < 25; k++)
            out[i].ownership[k] = owner;
    }
    return OK;
}

static Status make_turning(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    static const EvaluatorClass TURNING = {"turning", evaluate_turning, plain_evaluator_free};
    (void)context, (void)spec;
    return plain_evaluator_new(&TURNING, 1, out, err);
}

TEST(estimates_of_the_score_are_the_same_each_time) {
    SessionSetup setup = {.make_evaluator = make_turning,
                          .visits = 4,
                          .width = 5,
                          .height = 5,
                          .rules = rules_tromp_taylor()};
    Session *session;
    search_preset_begin(SEARCH_PRESET_PLAY, &setup.search);
    EXPECT_OK(session_new(&setup, &session, err));
    for (int i = 0; i < 3; i++) {
        float lead, owners[BOARD_POINTS_MAX];
        EXPECT_OK(session_estimate_score(session, &lead, owners, err));
        EXPECT_NEAR(-0.5, lead, 0); /* Black is to move */
        EXPECT_NEAR(-0.5, owners[7], 0);
    }
    session_free(session);
}

TEST_MAIN(RUN(undo_keeps_the_recorded_moves), RUN(other_rules_keep_the_recorded_moves),
          RUN(a_color_that_a_client_plays_twice_restarts_the_history),
          RUN(a_refused_game_changes_nothing), RUN(searches_begin_at_the_end_of_the_record),
          RUN(visits_that_are_set_hold_under_a_clock), RUN(no_time_is_no_pondering),
          RUN(estimates_of_the_score_are_the_same_each_time))
