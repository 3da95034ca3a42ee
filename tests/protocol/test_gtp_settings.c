/* Settings that only a GTP engine has, and how much history nets see in its searches. */
#include <math.h>

#include "gtp_talk.h"
#include "protocol/session/gtp_settings.h"
#include "search/tree/search_presets.h"
#include "search/tree/search_settings.h"

/* A net that returns shown.white_win_loss as White's win - loss, and writes to `shown` how many
 * earlier moves it saw. */
typedef struct {
    Evaluator base;
    Evaluator *uniform;
} Shown;

static struct {
    int turns_at_root, turns_below; /* moves seen at the root and one move below */
    int root_moves;                 /* moves of the game before the root */
    float white_win_loss;
} shown;

static Status show(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                   Evaluation *out, Error *err) {
    Status status = evaluator_evaluate(((Shown *)evaluator)->uniform, requests, count, out, err);
    for (int i = 0; i < count && !status; i++) {
        const Position *position = requests[i].position;
        if (position->move_count == shown.root_moves) shown.turns_at_root = position->valid_turns;
        if (position->move_count == shown.root_moves + 1) shown.turns_below = position->valid_turns;
        out[i].win = 0.5f + 0.5f * value_for_mover(shown.white_win_loss, position->mover);
        out[i].loss = 1 - out[i].win;
    }
    return status;
}

static void free_shown(Evaluator *evaluator) {
    evaluator_free(((Shown *)evaluator)->uniform);
    free(evaluator);
}

static const EvaluatorClass SHOWN = {"shown", show, free_shown};

static Status make_shown(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    (void)context, (void)spec;
    Shown *made = calloc(1, sizeof *made);
    made->base = (Evaluator){&SHOWN, 1, 0, false};
    *out = &made->base;
    return evaluator_uniform_new(1, &made->uniform, err);
}

static Talk talk_shown(void (*change)(SessionSetup *setup)) {
    Talk talk = {0};
    SessionSetup setup = {.make_evaluator = make_shown,
                          .visits = 12,
                          .seed = 5,
                          .width = 7,
                          .height = 7,
                          .rules = rules_tromp_taylor()};
    search_preset_begin(SEARCH_PRESET_PLAY, &setup.search);
    settings_defaults(TIME_FIELDS, &setup.time);
    settings_defaults(RESIGN_FIELDS, &setup.resign);
    settings_defaults(GTP_FIELDS, &setup.gtp);
    if (change) change(&setup);
    EXPECT_OK(gtp_new(&setup, "9.8", &talk.gtp, err));
    return talk;
}

static void expect_shown(Talk *talk, const char *line, int at_root, int below) {
    shown.turns_at_root = shown.turns_below = -1;
    talk_ask(talk, "clear_cache");
    if (talk_raw(talk, line)[0] != '=') fail_msg("%s is refused", line);
    EXPECT_INT(at_root, shown.turns_at_root);
    EXPECT_INT(below, shown.turns_below);
}

TEST(former_names_of_settings_are_known) {
    Talk talk = talk_shown(NULL);
    ACCEPTS("kata-set-param gumbel_considered 7");
    SAYS("kata-get-param search.gumbel.considered", "= 7");
    SAYS("kata-get-param search.gumbel_considered", "= 7");
    talk_end(&talk);
}

/* Checks how many earlier moves nets see at the root and one move below it. */
TEST(history_is_hidden_where_settings_say_so) {
    Talk talk = talk_shown(NULL);
    ACCEPTS("play b C3");
    ACCEPTS("play w E5");
    shown.root_moves = 2;
    expect_shown(&talk, "kata-search b", 2, 3);
    expect_shown(&talk, "kata-analyze b 10000", 0, 1);
    ACCEPTS("kata-set-param analysisIgnorePreRootHistory false");
    expect_shown(&talk, "kata-analyze b 10000", 2, 3);
    ACCEPTS("kata-set-param analysisIgnorePreRootHistory true");
    expect_shown(&talk, "kata-analyze b 10000", 0, 1);
    expect_shown(&talk, "kata-search b", 2, 3);
    ACCEPTS("kata-set-param ignorePreRootHistory true");
    expect_shown(&talk, "kata-search b", 0, 1);
    ACCEPTS("play b D4");
    shown.root_moves = 3;
    expect_shown(&talk, "kata-search w", 0, 1);
    ACCEPTS("kata-set-param ignorePreRootHistory false");
    expect_shown(&talk, "kata-search w", 3, 4);
    ACCEPTS("kata-set-param analysisIgnorePreRootHistory false");
    SAYS("kata-get-param analysisIgnorePreRootHistory", "= false");
    ACCEPTS("kata-set-param analysisIgnorePreRootHistory");
    SAYS("kata-get-param analysisIgnorePreRootHistory", "= true");
    talk_end(&talk);
}

/* White's win rate is 0.7, whoever is to move. */
TEST(analysis_reports_values_of_the_chosen_side) {
    static const struct {
        const char *view, *line, *part;
    } CASES[] = {
        {"SIDETOMOVE", "kata-analyze w 10000", " winrate 0.7 "},
        {"SIDETOMOVE", "kata-analyze b 10000", " winrate 0.3 "},
        {"WHITE", "kata-analyze w 10000", " winrate 0.7 "},
        {"WHITE", "kata-analyze b 10000", " winrate 0.7 "},
        {"BLACK", "kata-analyze w 10000", " winrate 0.3 "},
        {"BLACK", "kata-analyze b 10000", " winrate 0.3 "},
        {"BLACK", "lz-analyze w 10000", " winrate 3000 "},
        {"BLACK", "kata-analyze w 10000 rootInfo true", " winrate 0.3 "},
    };
    shown.white_win_loss = 0.4f;
    Talk talk = talk_shown(NULL);
    char set[64];
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        snprintf(set, sizeof set, "kata-set-param reportAnalysisWinratesAs %s", CASES[i].view);
        ACCEPTS(set);
        const char *answer = talk_raw(&talk, CASES[i].line);
        EXPECT_CONTAINS(answer, CASES[i].part);
        const char *root = strstr(answer, "rootInfo");
        if (root) EXPECT_CONTAINS(root, CASES[i].part);
    }
    shown.white_win_loss = 0;
    talk_end(&talk);
}

static int moves_of_line(const char *answer) {
    const char *at = strstr(answer, " pv ");
    int count = 0;
    if (!at) return 0;
    for (at += 4; *at && strncmp(at, "info", 4) != 0 && *at != '\n'; count++) {
        at += strcspn(at, " \n");
        at += *at == ' ';
    }
    return count;
}

TEST(lines_have_the_wanted_length) {
    Talk talk = talk_shown(NULL);
    ACCEPTS("kata-set-param maxVisits 400");
    EXPECT_TRUE(moves_of_line(talk_raw(&talk, "kata-analyze b 10000")) > 2);
    ACCEPTS("kata-set-param analysisPVLen 1");
    EXPECT_INT(2, moves_of_line(talk_raw(&talk, "kata-analyze b 10000")));
    talk_end(&talk);
}

static void force_komi(SessionSetup *setup) {
    setup->gtp.forced_komi = 3.5;
}

TEST(komi_can_be_forced) {
    Talk talk = talk_shown(force_komi);
    SAYS("get_komi", "= 3.5");
    ACCEPTS("komi 6.5");
    SAYS("get_komi", "= 3.5");
    REFUSES("komi 1000");
    ACCEPTS("kata-set-param ignoreGTPAndForceKomi -1000");
    ACCEPTS("komi 6.5");
    SAYS("get_komi", "= 6.5");
    talk_end(&talk);
}

/* If any setting of a list is refused, none is changed. */
TEST(refused_settings_change_nothing) {
    static const char *const NAMES[] = {"ignoreGTPAndForceKomi", "maxVisits", "cpuctExploration",
                                        "numSearchThreads", "delayMoveScale"};
    Talk talk = talk_shown(NULL);
    StrBuf before[5] = {0};
    char line[80];
    ACCEPTS("komi 6.5");
    for (int i = 0; i < 5; i++) {
        snprintf(line, sizeof line, "kata-get-param %s", NAMES[i]);
        strbuf_add(&before[i], talk_raw(&talk, line));
    }
    REFUSES("kata-set-param ignoreGTPAndForceKomi 7.3");
    REFUSES("kata-set-params {\"maxVisits\":77,\"cpuctExploration\":2.5,\"numSearchThreads\":2,"
            "\"delayMoveScale\":3,\"ignoreGTPAndForceKomi\":7.3}");
    for (int i = 0; i < 5; i++) {
        snprintf(line, sizeof line, "kata-get-param %s", NAMES[i]);
        EXPECT_TEXT(strbuf_text(&before[i]), talk_raw(&talk, line));
        strbuf_clear(&before[i]);
    }
    SAYS("get_komi", "= 6.5");
    ACCEPTS("komi 5.5");
    SAYS("kata-get-param search.leaves", "= 1"); /* settings have their full names, too */
    ACCEPTS("kata-set-param limits.max_visits 55");
    SAYS("kata-get-param maxVisits", "= 55");
    ACCEPTS("kata-set-params {\"maxVisits\":77,\"ignoreGTPAndForceKomi\":7.5}");
    SAYS("kata-get-param maxVisits", "= 77");
    SAYS("get_komi", "= 7.5");
    talk_end(&talk);
}

/* For a move with prior .4 and the scale 2, the delay has the mean
 *     .5 * scale / (prior + .1) = 2
 * It is the mean of two exponential variables, so its square has the mean 1.5 * 2^2 = 6. */
TEST(delays_by_hand) {
    enum { DRAWS = 100000 };
    GtpSettings settings;
    Rng rng = rng_seeded(7);
    double sum = 0, squares = 0, min = 1e9;
    settings_defaults(GTP_FIELDS, &settings);
    EXPECT_NEAR(0, gtp_delay(&settings, 0.4, &rng), 0);
    settings.delay_scale = 2;
    for (int i = 0; i < DRAWS; i++) {
        double seconds = gtp_delay(&settings, 0.4, &rng);
        sum += seconds;
        squares += seconds * seconds;
        min = fmin(min, seconds);
    }
    EXPECT_NEAR(2, sum / DRAWS, 0.03);
    EXPECT_NEAR(6, squares / DRAWS, 0.2);
    EXPECT_TRUE(min > 0);
    settings.delay_max = 0.5;
    for (int i = 0; i < 100; i++)
        EXPECT_TRUE(gtp_delay(&settings, 0, &rng) <= 0.5);
    Talk talk = talk_shown(NULL);
    ACCEPTS("kata-set-params {\"delayMoveScale\":10000,\"delayMoveMax\":1000}");
    ACCEPTS("genmove b"); /* there is no delay: without gtp_serve() nothing could end it */
    SAYS("kata-get-param delayMoveScale", "= 10000.0");
    talk_end(&talk);
}

TEST(the_setting_against_mirror_go_is_for_moves_only) {
    GtpSettings settings;
    SearchSettings search;
    settings_defaults(GTP_FIELDS, &settings);
    search_preset_begin(SEARCH_PRESET_PLAY, &search);
    EXPECT_FALSE(gtp_move_search(&settings, &search).anti_mirror);
    settings.move_anti_mirror = true;
    EXPECT_TRUE(gtp_move_search(&settings, &search).anti_mirror);
    EXPECT_FALSE(gtp_analysis_search(&settings, &search).anti_mirror);
    search.anti_mirror = true;
    EXPECT_TRUE(gtp_analysis_search(&settings, &search).anti_mirror);
}

TEST(analysis_may_look_wider) {
    GtpSettings settings;
    SearchSettings search;
    settings_defaults(GTP_FIELDS, &settings);
    search_preset_begin(SEARCH_PRESET_PLAY, &search);
    search.wide_root_noise = 0.01;
    EXPECT_NEAR(0.04, gtp_analysis_search(&settings, &search).wide_root_noise, 1e-7);
    settings.analysis_wide_root_noise = -1;
    EXPECT_NEAR(0.01, gtp_analysis_search(&settings, &search).wide_root_noise, 1e-7);
    settings.analysis_wide_root_noise = 0;
    EXPECT_NEAR(0, gtp_analysis_search(&settings, &search).wide_root_noise, 0);
}

/* maxPlayouts limits the new playouts of a search; the visits of a kept tree do not count. */
TEST(playouts_are_limited) {
    Talk talk = talk_shown(NULL);
    ACCEPTS("kata-set-params {\"maxVisits\":1000,\"maxPlayouts\":20}");
    SAYS("kata-get-param maxPlayouts", "= 20");
    EXPECT_CONTAINS(talk_raw(&talk, "kata-search_analyze b 10000 rootInfo true"), "visits 20 ");
    EXPECT_CONTAINS(talk_raw(&talk, "kata-search_analyze b 10000 rootInfo true"), "visits 40 ");
    ACCEPTS("kata-set-param maxPlayouts");
    talk_end(&talk);
}

/* How many different first moves 80 games begin with. */
static int first_moves(Talk *talk) {
    char seen[80][16];
    int count = 0;
    for (int i = 0; i < 80; i++) {
        EXPECT_INT('=', talk_raw(talk, "clear_board")[0]);
        snprintf(seen[count], sizeof *seen, "%.15s", talk_raw(talk, "genmove b"));
        int at = 0;
        while (strcmp(seen[at], seen[count]) != 0)
            at++;
        count += at == count;
    }
    return count;
}

/* By default the engine plays one of the 11 moves that a search of 12 visits has visited. With
 * choice_law = policy_beta, the engine draws the move from the net's policy, whatever the search
 * found. In the first turns each move is drawn with its probability in the policy. The policy is
 * uniform here, so the 50 moves are equally likely. In the mean, 80 draws give
 * 50 (1 - (1 - 1/50)^80) = 40 different moves. */
TEST(a_move_may_be_drawn_from_the_policy_alone) {
    Talk talk = talk_shown(NULL);
    EXPECT_TRUE(first_moves(&talk) <= 11);
    ACCEPTS("kata-set-param choice_law policy_beta");
    int count = first_moves(&talk);
    EXPECT_TRUE(count > 30 && count <= 50);
    talk_end(&talk);
}

TEST_MAIN(RUN(a_move_may_be_drawn_from_the_policy_alone), RUN(former_names_of_settings_are_known),
          RUN(history_is_hidden_where_settings_say_so),
          RUN(analysis_reports_values_of_the_chosen_side), RUN(lines_have_the_wanted_length),
          RUN(komi_can_be_forced), RUN(refused_settings_change_nothing), RUN(delays_by_hand),
          RUN(the_setting_against_mirror_go_is_for_moves_only), RUN(analysis_may_look_wider),
          RUN(playouts_are_limited))
