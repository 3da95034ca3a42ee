/* Each field of a query and of an answer. The net says the same of every position: White wins with
 * probability 0.625, loses with 0.25, leads by 2 points, and has the ownership 0.5 / (i + 1) of
 * point i. A search of one visit reports these values unchanged. */
#include "analysis_talk.h"
#include "search/tree/search_presets.h"

TEST(one_visit_reports_the_values_of_the_net) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *answer = ask(&talk, "\"overrideSettings\":{\"reportAnalysisWinratesAs\":"
                                      "\"WHITE\"}"),
                 *root = root_of(answer);
    EXPECT_TEXT("q", text_of(answer, "id"));
    EXPECT_INT(0, whole_of(answer, "turnNumber"));
    EXPECT_TRUE(json_is_false(json_object_get(answer, "isDuringSearch")));
    EXPECT_INT(0, json_array_size(json_object_get(answer, "moveInfos")));
    EXPECT_INT(1, whole_of(root, "visits"));
    EXPECT_TEXT("B", text_of(root, "currentPlayer"));
    EXPECT_NEAR(0.5 * (1 + 0.375), real_of(root, "winrate"), 1e-6); /* no result counts half */
    EXPECT_NEAR(2, real_of(root, "scoreLead"), 1e-6);
    EXPECT_NEAR(3, real_of(root, "scoreSelfplay"), 1e-6);
    EXPECT_NEAR(4, real_of(root, "scoreStdev"), 1e-6);
    EXPECT_NEAR(0.6875, real_of(root, "rawWinrate"), 1e-6);
    EXPECT_NEAR(2, real_of(root, "rawLead"), 1e-6);
    EXPECT_NEAR(3, real_of(root, "rawScoreSelfplay"), 1e-6);
    EXPECT_NEAR(4, real_of(root, "rawScoreSelfplayStdev"), 1e-6);
    EXPECT_NEAR(0.125, real_of(root, "rawNoResultProb"), 1e-6);
    EXPECT_NEAR(0.25, real_of(root, "rawStWrError"), 1e-6); /* half of the error of win - loss */
    EXPECT_NEAR(1.5, real_of(root, "rawStScoreError"), 1e-6);
    EXPECT_NEAR(5, real_of(root, "rawVarTimeLeft"), 1e-6);
    EXPECT_TRUE(real_of(root, "weight") > 0 && real_of(root, "utility") > 0);
    EXPECT_INT(32, strlen(text_of(root, "thisHash")));
    EXPECT_INT(32, strlen(text_of(root, "symHash")));
    EXPECT_INT(18, json_object_size(root));
    talk_end(&talk);
}

/* White's win rate 0.6875 is Black's 0.3125, whoever is to move. */
TEST(values_are_for_the_side_that_the_client_chose) {
    static const struct {
        const char *view;
        double winrate, lead, owner;
    } CASES[] = {{"WHITE", 0.6875, 2, 0.5}, {"Black", 0.3125, -2, -0.5}};
    Talk talk;
    char members[200];
    talk_begin(&talk, 1, 1);
    for (int mover = 0; mover < 2; mover++) {
        for (int i = 0; i < 3; i++) {
            bool side = i == 2;
            int k = side ? mover : i;
            snprintf(members, sizeof members,
                     "\"initialPlayer\":\"%s\",\"includeOwnership\":true,\"overrideSettings\":{"
                     "\"reportAnalysisWinratesAs\":\"%s\"},\"maxVisits\":2",
                     mover ? "b" : "White", side ? "SIDETOMOVE" : CASES[i].view);
            const json_t *answer = ask(&talk, members), *root = root_of(answer),
                         *move = first_of(answer);
            EXPECT_TEXT(mover ? "B" : "W", text_of(root, "currentPlayer"));
            EXPECT_NEAR(CASES[k].winrate, real_of(root, "winrate"), 1e-6);
            EXPECT_NEAR(CASES[k].winrate, real_of(root, "rawWinrate"), 1e-6);
            EXPECT_NEAR(CASES[k].lead, real_of(root, "scoreLead"), 1e-6);
            EXPECT_NEAR(CASES[k].winrate, real_of(move, "winrate"), 1e-6);
            EXPECT_NEAR(CASES[k].lead, real_of(move, "scoreMean"), 1e-6);
            /* The confidence bound is the lower one for the mover. So it is below the mean if
             * values are the mover's, and above the mean if they are the opponent's. */
            bool mine = (k == 0) == (mover == 0);
            EXPECT_TRUE((real_of(move, "lcb") < CASES[k].winrate) == mine);
            EXPECT_TRUE((real_of(move, "utilityLcb") < real_of(move, "utility")) == mine);
            EXPECT_NEAR(CASES[k].owner,
                        json_real_value(json_array_get(json_object_get(answer, "ownership"), 0)),
                        1e-6);
        }
    }
    talk_end(&talk);
}

TEST(a_move_has_all_its_fields) {
    static const char *const FIELDS[] = {
        "move",    "visits",     "edgeVisits", "weight", "edgeWeight",        "winrate",
        "utility", "scoreMean",  "scoreLead",  "prior",  "scoreSelfplay",     "scoreStdev",
        "lcb",     "utilityLcb", "order",      "pv",     "playSelectionValue"};
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *answer = ask(&talk, NO_PASS ",\"maxVisits\":30"),
                 *moves = json_object_get(answer, "moveInfos"), *move;
    size_t index;
    long long visits = 1;
    double last = 1e9;
    json_array_foreach(moves, index, move) {
        for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
            if (!json_object_get(move, FIELDS[i])) fail_msg("%s is missing", FIELDS[i]);
        }
        EXPECT_INT(sizeof FIELDS / sizeof *FIELDS, json_object_size(move));
        EXPECT_INT(index, whole_of(move, "order"));
        EXPECT_NEAR(3, -real_of(move, "scoreSelfplay"), 1e-5); /* Black's */
        EXPECT_NEAR(2, -real_of(move, "scoreLead"), 1e-5);
        EXPECT_NEAR(2, -real_of(move, "scoreMean"), 1e-5);
        EXPECT_NEAR(4, real_of(move, "scoreStdev"), 1e-3);
        EXPECT_INT(whole_of(move, "visits"), whole_of(move, "edgeVisits"));
        EXPECT_NEAR(real_of(move, "weight"), real_of(move, "edgeWeight"), 1e-6);
        EXPECT_TRUE(real_of(move, "playSelectionValue") <= last);
        EXPECT_TEXT(text_of(move, "move"),
                    json_string_value(json_array_get(json_object_get(move, "pv"), 0)));
        last = real_of(move, "playSelectionValue");
        visits += whole_of(move, "visits");
    }
    EXPECT_INT(30, visits);
    EXPECT_INT(30, whole_of(root_of(answer), "visits"));
    talk_end(&talk);
}

/* The prior of move i = 1 ... 26 (the last is the pass) is i / (1 + ... + 26) = i / 351. If A5,
 * which is move 1, is occupied, it is i / 350. */
TEST(policy_and_priors) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *answer = ask(&talk, "\"includePolicy\":true,\"initialStones\":[[\"W\",\"A5\"]],"
                                      "\"initialPlayer\":\"B\",\"maxVisits\":9"),
                 *policy = json_object_get(answer, "policy"), *move;
    size_t index;
    EXPECT_INT(26, json_array_size(policy));
    EXPECT_NEAR(-1, json_real_value(json_array_get(policy, 0)), 0); /* A5, in the top row */
    EXPECT_NEAR(2 / 350.0, json_real_value(json_array_get(policy, 1)), 1e-7);
    EXPECT_NEAR(26 / 350.0, json_real_value(json_array_get(policy, 25)), 1e-7);
    EXPECT_TRUE(json_object_get(ask(&talk, ""), "policy") == NULL);
    answer = ask(&talk, "\"maxVisits\":9");
    json_array_foreach(json_object_get(answer, "moveInfos"), index, move) {
        const char *text = text_of(move, "move");
        int i = strcmp(text, "pass") == 0 ? 26 : text[0] - 'A' + 1 + 5 * ('5' - text[1]);
        EXPECT_NEAR(i / 351.0, real_of(move, "prior"), 1e-7);
    }
    talk_end(&talk);
}

TEST(ownership_of_all_and_of_moves) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *answer =
                     ask(&talk, NO_PASS ",\"includeOwnership\":true,\"includeOwnershipStdev\":true,"
                                        "\"includeMovesOwnership\":true,"
                                        "\"includeMovesOwnershipStdev\":true,\"maxVisits\":6"),
                 *move = first_of(answer);
    const json_t *const HOLDERS[] = {answer, move};
    for (int i = 0; i < 2; i++) {
        const json_t *mean = json_object_get(HOLDERS[i], "ownership"),
                     *stdev = json_object_get(HOLDERS[i], "ownershipStdev");
        EXPECT_INT(25, json_array_size(mean));
        EXPECT_INT(25, json_array_size(stdev));
        EXPECT_NEAR(-0.5, json_real_value(json_array_get(mean, 0)), 1e-6); /* Black's */
        EXPECT_NEAR(-0.166667, json_real_value(json_array_get(mean, 2)), 1e-9);
        EXPECT_NEAR(0, json_real_value(json_array_get(stdev, 3)), 1e-3);
    }
    static const char *const ALONE[] = {"includeOwnership", "includeOwnershipStdev"};
    static const char *const NAMES[] = {"ownership", "ownershipStdev"};
    char members[100];
    for (int i = 0; i < 2; i++) {
        snprintf(members, sizeof members, "\"%s\":true,\"maxVisits\":3", ALONE[i]);
        answer = ask(&talk, members);
        EXPECT_TRUE(json_object_get(answer, NAMES[i]) && !json_object_get(answer, NAMES[!i]));
        EXPECT_TRUE(!json_object_get(first_of(answer), NAMES[i]));
        snprintf(members, sizeof members, "\"includeMoves%s\":true,\"maxVisits\":3", ALONE[i] + 7);
        answer = ask(&talk, members);
        EXPECT_TRUE(!json_object_get(answer, NAMES[i]));
        EXPECT_TRUE(json_object_get(first_of(answer), NAMES[i]) &&
                    !json_object_get(first_of(answer), NAMES[!i]));
    }
    EXPECT_TRUE(!json_object_get(ask(&talk, "\"maxVisits\":3"), "ownership"));
    talk_end(&talk);
}

TEST(lines_and_their_visits) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *answer = ask(&talk, "\"maxVisits\":300,\"includePVVisits\":true,"
                                      "\"analysisPVLen\":2"),
                 *move = first_of(answer), *visits = json_object_get(move, "pvVisits");
    EXPECT_INT(3, json_array_size(json_object_get(move, "pv"))); /* 2 after the first move */
    EXPECT_INT(3, json_array_size(visits));
    EXPECT_INT(3, json_array_size(json_object_get(move, "pvEdgeVisits")));
    EXPECT_INT(whole_of(move, "visits"), json_integer_value(json_array_get(visits, 0)));
    EXPECT_TRUE(json_integer_value(json_array_get(visits, 1)) <
                json_integer_value(json_array_get(visits, 0)));
    move = first_of(ask(&talk, "\"maxVisits\":300"));
    EXPECT_TRUE(json_array_size(json_object_get(move, "pv")) > 3);
    EXPECT_TRUE(!json_object_get(move, "pvVisits") && !json_object_get(move, "pvEdgeVisits"));
    talk_end(&talk);
}

/* With a large FPU reduction all visits go down one line. The answer shows analysisPVLen moves of
 * it after the first. */
TEST(long_lines) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *move = first_of(
        ask(&talk, NO_PASS ",\"maxVisits\":40,\"analysisPVLen\":20,\"includePVVisits\":true,"
                           "\"overrideSettings\":{\"rootFpuReductionMax\":2,\"fpuReductionMax\":2,"
                           "\"fpuParentWeightByVisitedPolicy\":false}"));
    EXPECT_INT(21, json_array_size(json_object_get(move, "pv")));
    EXPECT_INT(21, json_array_size(json_object_get(move, "pvVisits")));
    talk_end(&talk);
}

TEST(no_result_on_request) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *move = first_of(ask(&talk, "\"maxVisits\":2,\"includeNoResultValue\":true"));
    EXPECT_NEAR(0.125, real_of(move, "noResultValue"), 1e-6);
    move = first_of(ask(&talk, "\"maxVisits\":2,\"includeNoResultValue\":false"));
    EXPECT_TRUE(!json_object_get(move, "noResultValue"));
    talk_end(&talk);
}

/* Returns whether the answer has this move, that is whether the search visited it. */
static bool has_move(const json_t *answer, const char *move) {
    const json_t *info;
    size_t index;
    json_array_foreach(json_object_get(answer, "moveInfos"), index, info) {
        if (strcmp(text_of(info, "move"), move) == 0) return true;
    }
    return false;
}

TEST(moves_to_avoid_and_to_allow) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    EXPECT_TRUE(has_move(ask(&talk, "\"maxVisits\":20"), "pass")); /* it has the highest prior */
    const json_t *answer =
        ask(&talk, "\"maxVisits\":20,\"avoidMoves\":[{\"player\":\"B\",\"moves\":[\"pass\","
                   "\"E1\"],\"untilDepth\":1},{\"player\":\"B\",\"moves\":[\"D1\"],"
                   "\"untilDepth\":1}]");
    EXPECT_FALSE(has_move(answer, "pass") || has_move(answer, "E1") || has_move(answer, "D1"));
    answer = ask(&talk, "\"maxVisits\":20,\"allowMoves\":[{\"player\":\"b\",\"moves\":[\"A5\","
                        "\"(1,0)\"],\"untilDepth\":1}]");
    EXPECT_INT(2, json_array_size(json_object_get(answer, "moveInfos")));
    EXPECT_TRUE(has_move(answer, "A5") && has_move(answer, "B5"));
    answer = ask(&talk, "\"maxVisits\":20,\"avoidMoves\":[{\"player\":\"W\",\"moves\":[\"pass\"],"
                        "\"untilDepth\":1}]"); /* it is Black's move */
    EXPECT_TRUE(has_move(answer, "pass"));
    EXPECT_TRUE(has_move(ask(&talk, "\"maxVisits\":20,\"avoidMoves\":[]"), "pass"));
    talk_end(&talk);
}

static int count_moves(const json_t *answer) {
    return (int)json_array_size(json_object_get(answer, "moveInfos"));
}

TEST(limits_and_settings_of_a_query) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    EXPECT_INT(7,
               whole_of(root_of(ask(&talk, "\"overrideSettings\":{\"maxVisits\":7}")), "visits"));
    EXPECT_INT(8, whole_of(root_of(ask(&talk, "\"maxVisits\":8,\"overrideSettings\":{"
                                              "\"maxVisits\":7}")),
                           "visits"));
    EXPECT_INT(5, whole_of(root_of(ask(&talk, "\"maxVisits\":50,\"overrideSettings\":{"
                                              "\"maxPlayouts\":\"5\"}")),
                           "visits"));
    const json_t *root =
        root_of(ask(&talk, "\"maxVisits\":1000000000,\"overrideSettings\":{\"maxTime\":0.02}"));
    EXPECT_TRUE(whole_of(root, "visits") >= 1 && whole_of(root, "visits") < 1000000000);
    /* With a large FPU reduction all visits go to the move with the highest prior. */
    EXPECT_TRUE(count_moves(ask(&talk, NO_PASS ",\"maxVisits\":40,\"rootFpuReductionMax\":0")) > 1);
    EXPECT_INT(1, count_moves(ask(&talk, NO_PASS ",\"maxVisits\":40,\"rootFpuReductionMax\":2")));
    EXPECT_INT(1, count_moves(ask(&talk, NO_PASS ",\"maxVisits\":40,\"overrideSettings\":{"
                                                 "\"rootFpuReductionMax\":2}")));
    /* At a high temperature priors are almost equal, so that more moves are visited. */
    int cold = count_moves(ask(&talk, NO_PASS ",\"maxVisits\":40,\"rootPolicyTemperature\":0.1"));
    EXPECT_TRUE(count_moves(ask(&talk, NO_PASS ",\"maxVisits\":40,\"rootPolicyTemperature\":100")) >
                cold);
    EXPECT_TRUE(count_moves(ask(&talk, NO_PASS ",\"maxVisits\":40,\"overrideSettings\":{"
                                               "\"rootPolicyTemperature\":100}")) > cold);
    talk_end(&talk);
}

/* A query with every field gets no warning of an unused field. */
TEST(all_fields_at_once) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *answer = talk_answer(
        &talk,
        "{\"id\":\"all\",\"boardXSize\":6,\"boardYSize\":4,\"rules\":\"aga\",\"komi\":0,"
        "\"whiteHandicapBonus\":\"N-1\",\"initialStones\":[[\"b\",\"A1\"]],\"initialPlayer\":\"w\","
        "\"moves\":[[\"w\",\"F4\"]],\"analyzeTurns\":[1],\"priority\":4,\"maxVisits\":3,"
        "\"analysisPVLen\":4,\"rootFpuReductionMax\":0.1,\"rootPolicyTemperature\":1.1,"
        "\"includeMovesOwnership\":true,\"includeMovesOwnershipStdev\":true,\"includeOwnership\":"
        "true,\"includeOwnershipStdev\":true,\"includePolicy\":true,\"includePVVisits\":true,"
        "\"includeNoResultValue\":true,\"reportDuringSearchEvery\":1000,"
        "\"firstReportDuringSearchAfter\":1000,\"avoidMoves\":[],\"action\":5,"
        "\"overrideSettings\":{\"preventCleanupPhase\":false,\"ignorePreRootHistory\":false,"
        "\"assumeMultipleStartingBlackMovesAreHandicap\":false}}");
    EXPECT_INT(3, whole_of(root_of(answer), "visits"));
    EXPECT_INT(24, json_array_size(json_object_get(answer, "ownership")));
    talk_end(&talk);
}

static const json_t *info_of(const json_t *infos, const char *move) {
    const json_t *info;
    size_t index;
    json_array_foreach(infos, index, info) {
        if (strcmp(text_of(info, "move"), move) == 0) return info;
    }
    fail_msg("%s is not there", move);
    return NULL;
}

static int board_index(const char *vertex) {
    return vertex[0] - 'A' + 5 * ('5' - vertex[1]);
}

/* Black D3, White to move: the board is symmetric from top to bottom. Of two symmetric moves one is
 * searched. The other follows it in the answer with the same numbers, and with the mirror image of
 * its line and ownership. */
TEST(symmetric_moves_are_all_reported) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    const json_t *infos = json_object_get(
                     ask(&talk, NO_PASS ",\"maxVisits\":60,\"includeMovesOwnership\":true,"
                                        "\"initialStones\":[[\"B\",\"D3\"]],\"initialPlayer\":"
                                        "\"W\",\"overrideSettings\":{\"rootSymmetryPruning\":"
                                        "true}"),
                     "moveInfos"),
                 *info;
    size_t index;
    int copies = 0;
    json_array_foreach(infos, index, info) {
        EXPECT_INT(index, whole_of(info, "order"));
        const char *move = text_of(info, "move");
        if (!json_object_get(info, "isSymmetryOf")) {
            EXPECT_TRUE(move[1] >= '3');
            if (move[1] == '3') continue; /* its own image */
            EXPECT_TRUE(json_object_get(json_array_get(infos, index + 1), "isSymmetryOf") != NULL);
            continue;
        }
        const json_t *source = info_of(infos, text_of(info, "isSymmetryOf"));
        const char *from = text_of(source, "move");
        EXPECT_TRUE(move[0] == from[0] && move[1] - '3' == '3' - from[1]);
        EXPECT_INT(whole_of(source, "visits"), whole_of(info, "visits"));
        EXPECT_NEAR(real_of(source, "utility"), real_of(info, "utility"), 0);
        EXPECT_NEAR(real_of(source, "prior"), real_of(info, "prior"), 0);
        const json_t *line = json_object_get(info, "pv"), *lines = json_object_get(source, "pv");
        EXPECT_INT(json_array_size(lines), json_array_size(line));
        EXPECT_TEXT(move, json_string_value(json_array_get(line, 0)));
        EXPECT_NEAR(json_real_value(json_array_get(json_object_get(source, "ownership"), 2)),
                    json_real_value(json_array_get(json_object_get(info, "ownership"), 22)), 0);
        EXPECT_TRUE(board_index(move) != board_index(from));
        copies++;
    }
    EXPECT_TRUE(copies > 0);
    talk_end(&talk);
}

static MadeUp human = {.white_win = 0.25f,
                       .white_loss = 0.75f,
                       .white_score = -6,
                       .winloss_error = 0.125f,
                       .score_error = 3};

static Status make_human(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err) {
    (void)context;
    EXPECT_TEXT("rank_5k", spec->search->human.profile);
    return made_up_new(&human, spec, out, err);
}

/* A second net adds the values for a human profile, if the query names one. */
TEST(a_second_net_of_human_play) {
    Talk talk;
    talk_begin(&talk, 1, 1);
    analysis_leave(talk.analysis, &talk.client);
    analysis_free(talk.analysis);
    AnalysisSetup setup = talk_setup(&talk.net);
    setup.make_human = make_human;
    EXPECT_OK(analysis_new(&setup, &talk.analysis, err));
    const json_t *answer = ask(&talk, "\"maxVisits\":3,\"includePolicy\":true,"
                                      "\"overrideSettings\":{\"humanSLProfile\":\"rank_5k\"}"),
                 *root = root_of(answer);
    EXPECT_INT(26, json_array_size(json_object_get(answer, "humanPolicy")));
    EXPECT_NEAR(0.75, real_of(root, "humanWinrate"), 1e-6); /* Black's */
    EXPECT_NEAR(6, real_of(root, "humanScoreMean"), 1e-6);
    EXPECT_NEAR(4, real_of(root, "humanScoreStdev"), 1e-6);
    EXPECT_NEAR(0.0625, real_of(root, "humanStWrError"), 1e-6);
    EXPECT_NEAR(3, real_of(root, "humanStScoreError"), 1e-6);
    EXPECT_NEAR(0.3125, real_of(root, "rawWinrate"), 1e-6);
    EXPECT_TRUE(real_of(first_of(answer), "humanPrior") > 0);
    answer = ask(&talk, "\"maxVisits\":3,\"includePolicy\":true");
    EXPECT_TRUE(!json_object_get(answer, "humanPolicy") &&
                !json_object_get(root_of(answer), "humanWinrate") &&
                !json_object_get(first_of(answer), "humanPrior"));
    /* Weightless visits of human moves do not change the values of the root. */
    answer = ask(&talk, "\"maxVisits\":9,\"overrideSettings\":{\"humanSLProfile\":\"rank_5k\","
                        "\"humanSLRootExploreProbWeightless\":1}");
    EXPECT_INT(9, whole_of(root_of(answer), "visits"));
    EXPECT_INT(0, json_array_size(json_object_get(answer, "moveInfos")));
    EXPECT_NEAR(0.3125, real_of(root_of(answer), "winrate"), 1e-6);
    answer = ask(&talk, "\"maxVisits\":9,\"overrideSettings\":{\"humanSLChosenMoveProp\":1}");
    EXPECT_CONTAINS(text_of(answer, "error"), "net of human play");
    talk_end(&talk);
}

/* The playout doubling advantage belongs to the side that the query names, by default to the player
 * to move, here Black. */
TEST(the_doubling_advantage_has_a_side) {
    static const struct {
        const char *player;
        float white;
    } CASES[] = {{"", -1.5f},
                 {",\"playoutDoublingAdvantagePla\":\"BLACK\"", -1.5f},
                 {",\"playoutDoublingAdvantagePla\":\"WHITE\"", 1.5f},
                 {",\"playoutDoublingAdvantagePla\":\"black\"", -1.5f},
                 {",\"playoutDoublingAdvantagePla\":\"w\"", 1.5f}};
    Talk talk;
    char members[200];
    talk_begin(&talk, 1, 1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        snprintf(members, sizeof members,
                 "\"maxVisits\":3,\"overrideSettings\":{\"playoutDoublingAdvantage\":1.5%s}",
                 CASES[i].player);
        (void)ask(&talk, members);
        EXPECT_NEAR(CASES[i].white, talk.net.white_doublings, 0);
    }
    talk_end(&talk);
}

TEST(analysis_has_katagos_defaults) {
    SearchSettings search;
    AnalysisSettings analysis = {0};
    search_preset_begin(SEARCH_PRESET_ANALYSIS, &search);
    settings_defaults(ANALYSIS_FIELDS, &analysis);
    EXPECT_NEAR(0.04, search.wide_root_noise, 1e-7);
    EXPECT_TRUE(search.root_symmetry_pruning && search.conservative_pass && search.passing_hacks &&
                search.more_passing_hacks);
    EXPECT_INT(VIEW_SIDE_TO_MOVE, analysis.view);
    EXPECT_INT(15, analysis.line_length);
    EXPECT_TRUE(search.ignore_history && analysis.prevent_encore && analysis.handicap_of_moves);
}

TEST_MAIN(RUN(one_visit_reports_the_values_of_the_net),
          RUN(values_are_for_the_side_that_the_client_chose), RUN(a_move_has_all_its_fields),
          RUN(policy_and_priors), RUN(ownership_of_all_and_of_moves), RUN(lines_and_their_visits),
          RUN(long_lines), RUN(no_result_on_request), RUN(moves_to_avoid_and_to_allow),
          RUN(limits_and_settings_of_a_query), RUN(all_fields_at_once),
          RUN(symmetric_moves_are_all_reported), RUN(a_second_net_of_human_play),
          RUN(the_doubling_advantage_has_a_side), RUN(analysis_has_katagos_defaults))
