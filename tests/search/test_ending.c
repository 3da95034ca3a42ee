/* The last moves of a game: the ending bonus, neutral points (dame), and whether a pass ends the
 * game inside a search. */
#include "made_up.h"
#include "search/core/search_private.h"
#include "search/methods/ending.h"
#include "search/methods/passing.h"
#include "search/select/utility.h"

static Search *search_at(const SearchSettings *settings, Position position) {
    return search_of(settings, 1, position);
}

static EndingState *ending_of(const Search *search) {
    return search_state_of(search, &METHOD_ENDING);
}

static const char *const QUIET = "..X..\n..X..\n..X..\n..XOO\n..XO.";

static void set_ownership(Search *search, float owned) {
    for (int i = 0; i < 25; i++)
        search->ownership[i] = owned;
    search->has_ownership = true;
    METHOD_ENDING.root_expanded(search, method_set_find(&search->methods, &METHOD_ENDING), NULL);
}

/* Black is to move, and the bonus is 0.5. With the ownership 0.975, which is halfway from 0.95 to
 * 1, a move into Black's own area costs Black 0.25 points. `points` is White's view, so it is
 * +0.25. A move next to White's stones costs nothing. */
TEST(ending_points_by_hand) {
    SearchSettings settings = play_settings();
    settings.ending_bonus = 0.5;
    Search *search = search_at(&settings, position_made(QUIET, 5, COLOR_BLACK, 0.5f));
    set_ownership(search, 0.975f);
    EXPECT_NEAR(0.25, ending_of(search)->points[0], 1e-5);
    EXPECT_NEAR(0.25, ending_of(search)->points[3], 1e-5);
    EXPECT_NEAR(0, ending_of(search)->points[2], 0);  /* a stone */
    EXPECT_NEAR(0, ending_of(search)->points[13], 0); /* above White's stone */
    EXPECT_NEAR(0, ending_of(search)->points[25], 0); /* the pass */
    set_ownership(search, 0.94f);
    EXPECT_NEAR(0, ending_of(search)->points[0], 0);
    set_ownership(search, -1);
    EXPECT_NEAR(0.5, ending_of(search)->points[3], 1e-5);
    EXPECT_NEAR(0.5, ending_of(search)->points[13], 1e-5);
    search->root.button = true;
    set_ownership(search, 0);
    EXPECT_NEAR(0.25, ending_of(search)->points[25], 1e-6);
    search->root.rules.scoring = SCORING_TERRITORY;
    set_ownership(search, 0);
    EXPECT_NEAR(0.5 * 2 / 3, ending_of(search)->points[25], 1e-6);
    search->settings.ending_bonus = 0;
    set_ownership(search, 1);
    EXPECT_FALSE(ending_of(search)->known);
    search_free(search);
}

/* Black can capture White's stone with A5 (0, 0). Under area scoring this settles something, so it
 * costs nothing even though the point is White's by ownership. Connecting two chains costs nothing,
 * either, if one of them is not pass-alive. */
TEST(moves_that_settle_something_cost_nothing) {
    SearchSettings settings = play_settings();
    settings.ending_bonus = 0.5;
    Search *search = search_at(
        &settings, position_made(".OX..\nXX...\n.....\nXX.XX\n.....", 5, COLOR_BLACK, 0.5f));
    set_ownership(search, -1);
    EXPECT_NEAR(0, ending_of(search)->points[0], 0);
    search->root.rules.scoring = SCORING_TERRITORY;
    set_ownership(search, -1);
    EXPECT_NEAR(0.5, ending_of(search)->points[0], 1e-5);
    search->root.rules.scoring = SCORING_AREA;
    set_ownership(search, 1);
    EXPECT_NEAR(0, ending_of(search)->points[17], 0); /* connects the two lower chains */
    EXPECT_NEAR(0.5, ending_of(search)->points[20], 1e-5);
    search->root.board.ko = point_at(4, 4); /* with a ko on the board no move costs anything */
    set_ownership(search, 1);
    EXPECT_NEAR(0, ending_of(search)->points[20], 0);
    search_free(search);
}

/* Makes a search under territory scoring with Black to move. The root has two moves: point 0, with
 * `visits` visits and White's utility `gap`, and the pass, with 100 visits and the utility 0. */
static Search *dame_search(const SearchSettings *settings, int visits, float gap) {
    Position position = position_made(QUIET, 5, COLOR_BLACK, 0.5f);
    position.rules.scoring = SCORING_TERRITORY;
    Search *search = search_at(settings, position);
    float policy[26] = {0.5f};
    for (int i = 1; i < 26; i++)
        policy[i] = i == 25 ? 0.4f : -1;
    tree_add(&search->tree, COLOR_BLACK);
    EXPECT_TRUE(tree_set_policy(&search->tree, 0, policy, true));
    search->tree.nodes[0].state = NODE_EXPANDED;
    for (int i = 0; i < 2; i++) {
        int index = tree_add_child(&search->tree, 0, COLOR_WHITE);
        Edge *edge = &search->tree.edges[search->tree.nodes[0].edges + (uint32_t)index];
        Node *child = &search->tree.nodes[edge->child];
        edge->visits = child->visits = i ? 100 : visits;
        child->weight = child->weight_sq = (float)edge->visits;
        child->utility = i ? 0 : gap; /* White's */
    }
    return search;
}

/* The pass, which has the weight 100, is suppressed if another move meets three conditions: its
 * weight is above 2 sqrt(100) = 20, it is at most 0.1 worse than the pass, and its point may be
 * neutral by ownership. */
TEST(dame_are_filled_before_the_pass) {
    SearchSettings settings = play_settings();
    settings.fill_dame_before_pass = true;
    const int visits[4] = {21, 20, 21, 21}, wanted[4] = {1, -1, -1, 1};
    const float gaps[4] = {0, 0, 0.11f, 0.09f};
    for (int i = 0; i < 4; i++) {
        Search *search = dame_search(&settings, visits[i], gaps[i]);
        EXPECT_INT(wanted[i], search_suppressed_pass(search));
        double weights[2], plain[2], lcb[2];
        search_play_weights(search, weights, plain, lcb);
        EXPECT_TRUE((weights[1] == 0) == (wanted[i] == 1));
        /* point 0 is White's and not near Black's points, so it is not neutral */
        search->has_ownership = true;
        search->ownership[0] = -1;
        EXPECT_INT(-1, search_suppressed_pass(search));
        search->ownership[1] = 1;
        EXPECT_INT(wanted[i], search_suppressed_pass(search));
        search->settings.fill_dame_before_pass = false;
        EXPECT_INT(-1, search_suppressed_pass(search));
        search_free(search);
    }
}

TEST(dame_do_not_delay_the_pass_under_area_scoring) {
    SearchSettings settings = play_settings();
    settings.fill_dame_before_pass = true;
    Search *search = dame_search(&settings, 50, 0);
    EXPECT_INT(1, search_suppressed_pass(search));
    search->root.encore_phase = 1;
    EXPECT_INT(-1, search_suppressed_pass(search));
    search->root.encore_phase = 0;
    search->root.rules.scoring = SCORING_AREA;
    EXPECT_INT(-1, search_suppressed_pass(search));
    search_free(search);
}

/* Both chains are pass-alive, so connecting them settles nothing and costs the bonus. */
TEST(living_chains_need_no_connection) {
    SearchSettings settings = play_settings();
    settings.ending_bonus = 0.5;
    Search *search = search_at(
        &settings, position_made(".X.X.\nXX.XX\n.X.X.\nXX.XX\n.X.X.", 5, COLOR_BLACK, 0.5f));
    set_ownership(search, 1);
    EXPECT_NEAR(0.5, ending_of(search)->points[2], 1e-5);
    search_free(search);
}

/* The score is 10 with a standard deviation of 2. With half a point less, the deviation is the
 * same. */
TEST(ending_utility_keeps_the_deviation) {
    SearchSettings settings = play_settings();
    settings.static_score_factor = 1;
    settings.dynamic_score_factor = 0;
    Search *search = dame_search(&settings, 50, 0);
    Edge *edge = &search->tree.edges[search->tree.nodes[0].edges];
    edge->score_mean = 10;
    edge->score_mean_sq = 104;
    search->settings.ending_bonus = 0.5;
    search_begin_methods(search);
    ending_of(search)->known = true;
    ending_of(search)->points[0] = -0.5f;
    EXPECT_NEAR(utility_score(9.5, 2, 0, 2, 5) - utility_score(10, 2, 0, 2, 5),
                search_move_bonus(search, edge), 1e-6);
    search_free(search);
}

/* The utility of the lost points is subtracted from the lower confidence bound of a move, and it
 * reduces the weight that target pruning leaves to the move. */
TEST(the_ending_bonus_enters_the_report) {
    SearchSettings settings = play_settings();
    settings.target_pruning = settings.lcb.on = false;
    settings.c_puct_log = settings.c_puct_stdev_scale = 0;
    Search *search = dame_search(&settings, 60, 0);
    Edge *edge = &search->tree.edges[search->tree.nodes[0].edges];
    double weights[2], plain[2], lcb[2], before[2];
    search->tree.nodes[0].visits = 161;
    edge->score_mean_sq = 4;
    search_play_weights(search, weights, plain, before);
    search->settings.ending_bonus = 0.5;
    search_begin_methods(search);
    ending_of(search)->known = true;
    ending_of(search)->points[0] = 2; /* White's view; Black is to move */
    double lost = search_move_bonus(search, edge);
    EXPECT_TRUE(lost > 0.01);
    search_play_weights(search, weights, plain, lcb);
    EXPECT_NEAR(before[0] - lost, lcb[0], 1e-6);
    EXPECT_NEAR(before[1], lcb[1], 1e-9);
    /* The best move is the pass. It is ahead by its own exploration and by what the other move
     * lost. */
    search->settings.target_pruning = true;
    double e = sqrt(160.01), gap = e * (double)edge[1].prior / 101 + lost;
    search_play_weights(search, weights, plain, lcb);
    EXPECT_NEAR(ceil(e * (double)edge[0].prior / gap - 1), weights[0], 1e-9);
    EXPECT_TRUE(weights[0] < 60);
    ending_of(search)->points[0] = 0;
    ending_of(search)->points[25] = 0.5f; /* now the pass loses points, so nothing is pruned */
    search_play_weights(search, weights, plain, lcb);
    EXPECT_NEAR(60, weights[0], 1e-9);
    search_free(search);
}

/* The prior of the pass is reduced to at most 0.95 of the sum of all priors, that is, to 19 times
 * the sum of the other priors. */
TEST(priors_of_passes_are_capped) {
    float policy[4] = {0.004f, -1, 0.006f, 0.99f}, even[3] = {0.06f, -1, 0.94f},
          only[3] = {-1, -1, 1};
    search_cap_pass(policy, 4);
    EXPECT_NEAR(0.02, policy[0], 1e-6);
    EXPECT_NEAR(-1, policy[1], 0);
    EXPECT_NEAR(0.03, policy[2], 1e-6);
    EXPECT_NEAR(0.95, policy[3], 1e-6);
    search_cap_pass(even, 3);
    EXPECT_NEAR(0.06, even[0], 1e-7);
    search_cap_pass(only, 3);
    EXPECT_NEAR(1, only[2], 0);
}

/* An evaluator that counts the options of requests. `root_only` becomes false if a request after
 * the first one asks for conservative passes. */
typedef struct {
    Evaluator base;
    MadeUp inner;
    int conservative, hacks, count;
    bool root_only;
} Asked;

static Status asked_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                             Evaluation *out, Error *err) {
    Asked *asked = (Asked *)evaluator;
    (void)err;
    for (int i = 0; i < count; i++) {
        asked->conservative += requests[i].options.conservative_pass;
        asked->hacks += requests[i].options.passing_hacks;
        if (requests[i].options.conservative_pass && asked->count) asked->root_only = false;
        asked->count++;
        made_up_one(&asked->inner, requests[i].position, &out[i]);
    }
    return OK;
}

static const EvaluatorClass ASKED = {"asked", asked_evaluate, NULL};

/* White is ahead and has passed, so a pass of Black would end the game and lose. With conservative
 * passes, Black's pass does not end the game in the search. */
TEST(conservative_passes_end_nothing_at_the_root) {
    SearchSettings settings = play_settings();
    for (int kind = 0; kind < 2; kind++) {
        settings.conservative_pass = kind == 1;
        Asked asked = {
            .base = {&ASKED, 1, 0, false}, .inner = made_up(1, POINT_PASS), .root_only = true};
        Position position = position_made("OO.\nOOO\n...", 3, COLOR_WHITE, 0.5f);
        EXPECT_OK(position_play(&position, POINT_PASS, err));
        Search *search = search_at(&settings, position);
        run_visits(search, &asked.base, 60);
        Report *report = report_of_search(search);
        const MoveReport *pass = move_in(report, POINT_PASS);
        EXPECT_TRUE((pass->win_loss < -0.99f) == (kind == 0));
        EXPECT_INT(kind, asked.conservative);
        EXPECT_TRUE(asked.root_only);
        EXPECT_INT(0, asked.hacks);
        free(report);
        search_free(search);
    }
}

/* Before White's pass is played, the tree has Black's pass as an answer to it, which ends the game.
 * After White's pass, a pass of Black must not end the game in the search. So the kept subtree of
 * Black's pass is searched anew. */
TEST(kept_ends_by_conservative_passes_are_searched_again) {
    SearchSettings settings = play_settings();
    settings.conservative_pass = true;
    MadeUp evaluator = made_up(1, POINT_PASS);
    Search *search = search_at(&settings, position_made("OO.\nOOO\n...", 3, COLOR_WHITE, 0.5f));
    run_visits(search, &evaluator.base, 200);
    EXPECT_OK(search_play(search, POINT_PASS, true, err));
    run_visits(search, &evaluator.base, 200);
    Report *report = report_of_search(search);
    EXPECT_INT(200, report->visits);
    EXPECT_TRUE(move_in(report, POINT_PASS)->win_loss > -0.99f);
    free(report);
    search_free(search);
}

/* A kept root was evaluated as an inner node, without the option for conservative passes. It is
 * evaluated again if a pass would end the game there. */
TEST(kept_roots_are_evaluated_again_for_conservative_passes) {
    SearchSettings settings = play_settings();
    settings.conservative_pass = true;
    settings.c_puct = 100;
    Asked asked = {.base = {&ASKED, 1, 0, false}, .inner = made_up(1, POINT_PASS)};
    Search *search = search_at(&settings, position_empty(3, 0.5f));
    run_visits(search, &asked.base, 11); /* the root and its ten moves */
    EXPECT_INT(1, asked.conservative);
    EXPECT_OK(search_play(search, POINT_PASS, true, err));
    EXPECT_INT(1, search_root_visits(search));
    run_visits(search, &asked.base, 10);
    EXPECT_INT(2, asked.conservative);
    EXPECT_OK(search_play(search, point_at(0, 0), true, err)); /* now no pass would end the game */
    run_visits(search, &asked.base, 10);
    EXPECT_INT(2, asked.conservative);
    search_free(search);
}

/* If both the rules and the settings have friendly passes, a second pass does not end the game in
 * the search. */
TEST(friendly_passes_end_nothing_in_the_tree) {
    SearchSettings settings = play_settings();
    for (int kind = 0; kind < 4; kind++) {
        settings.friendly_pass = kind & 1;
        Position position = position_made("OO.\nOOO\n...", 3, COLOR_WHITE, 0.5f);
        position.rules.friendly_pass = kind >> 1;
        EXPECT_OK(position_play(&position, POINT_PASS, err));
        MadeUp evaluator = made_up(1, POINT_PASS);
        Search *search = search_at(&settings, position);
        run_visits(search, &evaluator.base, 100);
        Report *report = report_of_search(search);
        EXPECT_INT(100, report->visits);
        EXPECT_TRUE((move_in(report, POINT_PASS)->win_loss < -0.99f) == (kind != 3));
        free(report);
        search_free(search);
    }
}

TEST(passing_hacks_are_requested_everywhere) {
    SearchSettings settings = play_settings();
    settings.passing_hacks = true;
    Asked asked = {.base = {&ASKED, 1, 0, false}, .inner = made_up(1, POINT_PASS)};
    Search *search = search_at(&settings, position_empty(3, 0.5f));
    run_visits(search, &asked.base, 30);
    EXPECT_TRUE(asked.count > 10);
    EXPECT_INT(asked.count, asked.hacks);
    EXPECT_INT(0, asked.conservative);
    search_free(search);
}

TEST_MAIN(RUN(ending_points_by_hand), RUN(moves_that_settle_something_cost_nothing),
          RUN(dame_are_filled_before_the_pass), RUN(dame_do_not_delay_the_pass_under_area_scoring),
          RUN(living_chains_need_no_connection), RUN(ending_utility_keeps_the_deviation),
          RUN(the_ending_bonus_enters_the_report), RUN(priors_of_passes_are_capped),
          RUN(conservative_passes_end_nothing_at_the_root),
          RUN(kept_ends_by_conservative_passes_are_searched_again),
          RUN(kept_roots_are_evaluated_again_for_conservative_passes),
          RUN(friendly_passes_end_nothing_in_the_tree), RUN(passing_hacks_are_requested_everywhere))
