/* The human policy in a search: choices worked out by hand, at roots with White to move, and whole
 * searches with an evaluator that has a made-up human policy. */
#include <math.h>

#include "made_root.h"
#include "search/methods/human.h"
#include "search/result/choose.h"

static SearchSettings plain_settings(void) {
    SearchSettings s = win_loss_settings();
    s.c_puct_log = s.c_puct_stdev_scale = 0;
    s.fpu.reduction = s.fpu.root_reduction = 0;
    s.fpu.parent_by_visited_policy = s.lcb.on = s.target_pruning = false;
    s.move_prune = 0;
    s.human.c_puct = 0.5;
    s.human.c_puct_permanent = 0.2;
    return s;
}

static const float POLICY[10] = {0.5f, 0.3f, 0.1f, -1, -1, -1, -1, -1, -1, 0.1f};

/* Makes a root with four moves, the last of which is the pass. `human` is the human policy. */
static Search *search_made(const SearchSettings *settings, const float human[10]) {
    Search *search = search_with_root(settings, POLICY);
    HumanState *state = search_state_of(search, &METHOD_HUMAN);
    memcpy(state->policy, human, 10 * sizeof *human);
    state->known = true;
    return search;
}

static void set(Search *search, int index, int visits, float utility) {
    root_set_child(search, index, visits, utility, utility * utility);
    root_child(search, index)->state = NODE_EXPANDED;
    search->tree.nodes[0].visits += visits;
}

/* Returns the move that a visit by the human policy chooses, or -1 if the visit does not go by
 * it. */
static int chosen(Search *search, bool *weightless) {
    int index = search_select_human(search, NULL, COLOR_WHITE, 0, weightless);
    return index < 0 ? -1 : root_edge(search, index)->move;
}

/* E is the exploration, and W the weight of all moves. With W = 0, E = 0.5 sqrt(0.01) = 0.05, so
 * the most likely human move, move 2, comes first. When move 2 has 9 visits and the utility -0.5:
 *     E = (0.5 + 0.2 sqrt(9)) sqrt(9.01) = 3.3018
 * The value of move 2 is -0.5 + 0.07 E = -0.2689, and that of move 1 is 0.2 E = 0.6604. Comments
 * below compare the values of moves 1 and 0. */
TEST(the_choice_by_hand) {
    const float human[10] = {0.1f, 0.2f, 0.7f, -1, -1, -1, -1, -1, -1, 0};
    SearchSettings settings = plain_settings();
    settings.human.root_weightful = 1;
    bool weightless = true;
    Search *search = search_made(&settings, human);
    EXPECT_INT(2, chosen(search, &weightless));
    EXPECT_FALSE(weightless);
    EXPECT_INT(1, search->tree.nodes[0].child_count);
    set(search, 0, 9, -0.5f);
    EXPECT_INT(1, chosen(search, &weightless));
    set(search, 1, 3, 0.1f);
    search->settings.human.c_puct_permanent = 0; /* E = 1.7328: 0.1866 and 0.1733 */
    EXPECT_INT(1, chosen(search, &weightless));
    search->settings.human.c_puct = 0;
    search->settings.human.c_puct_permanent = 0.05; /* E = 0.6: 0.13 and 0.06 */
    EXPECT_INT(1, chosen(search, &weightless));
    search->settings.human.c_puct = 0.5; /* E = 2.3328: 0.2166 and 0.2333 */
    EXPECT_INT(0, chosen(search, &weightless));
    search_free(search);
}

/* Permanent exploration has the factor sqrt(W). With W = 0.01:
 *     E = 100 sqrt(0.01) sqrt(0.02) = 1.4142
 * The value of move 0 is -0.11 + 0.5 E / 1.01 = 0.590, and that of move 1 is 0.4 E = 0.566. With
 * the factor W in place of sqrt(W), move 1 would be chosen. */
TEST(permanent_exploration_by_hand) {
    const float human[10] = {0.5f, 0.4f, 0.1f, -1, -1, -1, -1, -1, -1, 0};
    SearchSettings settings = plain_settings();
    settings.human.root_weightful = 1;
    settings.human.c_puct = 0;
    settings.human.c_puct_permanent = 100;
    bool weightless = true;
    Search *search = search_made(&settings, human);
    set(search, tree_add_child_of(&search->tree, 0, 0, COLOR_BLACK), 1, -0.11f);
    search->tree.nodes[root_edge(search, 0)->child].weight = 0.01f;
    puct_take_child(&search->tree, root_edge(search, 0));
    EXPECT_INT(0, chosen(search, &weightless));
    search_free(search);
}

/* The parent's utility is 0. The human policy of the visited move is 0.64. A move without a node
 * has the parent's utility minus 0.4 sqrt(0.64) = 0.32. By the net's policy, 0.4 sqrt(0.5) would be
 * subtracted. */
TEST(first_play_urgency_of_the_human_policy) {
    const float human[10] = {0.64f, 0.3f, 0.06f, -1, -1, -1, -1, -1, -1, 0};
    SearchSettings settings = plain_settings();
    settings.human.root_weightful = 1;
    settings.human.c_puct = settings.human.c_puct_permanent = 0;
    settings.fpu.root_reduction = 0.4;
    bool weightless;
    Search *search = search_made(&settings, human);
    set(search, tree_add_child_of(&search->tree, 0, 0, COLOR_BLACK), 9, -0.3f);
    EXPECT_INT(0, chosen(search, &weightless));
    set(search, 0, 9, -0.33f);
    EXPECT_INT(1, chosen(search, &weightless));
    search_free(search);
}

/* A weightless visit chooses its move by the weights of the child nodes, and any other visit by the
 * weights of the edges. Of the 20 visits of move 1, two went through the edge. */
TEST(weightless_visits_see_whole_nodes) {
    const float human[10] = {0, 0.5f, 0.5f, -1, -1, -1, -1, -1, -1, 0};
    SearchSettings settings = plain_settings();
    bool weightless;
    Search *search = search_made(&settings, human);
    set(search, tree_add_child_of(&search->tree, 0, 2, COLOR_BLACK), 5, 0);
    set(search, tree_add_child_of(&search->tree, 0, 1, COLOR_BLACK), 20, 0);
    root_edge(search, 1)->visits = 2;
    puct_take_child(&search->tree, root_edge(search, 1));
    EXPECT_NEAR(2, root_edge(search, 1)->weight, 1e-6);
    search->settings.human.root_weightful = 1;
    EXPECT_INT(1, chosen(search, &weightless));
    EXPECT_FALSE(weightless);
    search->settings.human.root_weightful = 0;
    search->settings.human.root_weightless = 1;
    EXPECT_INT(2, chosen(search, &weightless));
    EXPECT_TRUE(weightless);
    search->tree.nodes[root_edge(search, 1)->child].weight = 3; /* the visits do not matter */
    EXPECT_INT(1, chosen(search, &weightless));
    search_free(search);
}

/* If a move had only weightless visits, its edge has no weight. The pass is an exception: even in
 * this case its edge has a small weight (MIN_WEIGHT in puct.c). */
TEST(weightless_visits_leave_the_edge_without_weight) {
    const float human[10] = {0.5f, 0.5f, 0, -1, -1, -1, -1, -1, -1, 0};
    SearchSettings settings = plain_settings();
    settings.human.root_weightful = 1;
    Search *search = search_made(&settings, human);
    for (int k = 0; k < 2; k++) {
        int index = tree_add_child_of(&search->tree, 0, k ? 9 : 0, COLOR_BLACK);
        set(search, index, 4, 0.7f);
        root_edge(search, index)->visits = 0;
        puct_take_child(&search->tree, root_edge(search, index));
        EXPECT_TRUE((root_edge(search, index)->weight > 0) == k);
    }
    search_free(search);
}

/* The child has five visits, of which the edge counts three. The next visits that are not
 * weightless end at the child until the edge has five visits, too. */
TEST(visits_that_count_catch_up_with_weightless_ones) {
    const float human[10] = {1, 0, 0, -1, -1, -1, -1, -1, -1, 0};
    SearchSettings settings = plain_settings();
    settings.human.root_weightful = 1;
    Search *search = search_made(&settings, human);
    set(search, tree_add_child_of(&search->tree, 0, 0, COLOR_BLACK), 5, 0.4f);
    root_edge(search, 0)->visits = 3;
    for (int i = 0; i < 3; i++) {
        PendingLeaf *leaf = search_pending_leaf(&search->first_thread, 0);
        Descent descent = search_descend(search, leaf);
        EXPECT_INT(i < 2 ? DESCENT_VISIT : DESCENT_NONE, descent);
        if (descent != DESCENT_VISIT) break; /* the node has no moves, so the descent fails */
        search_back_up(search, leaf, NULL);
        EXPECT_INT(4 + i, root_edge(search, 0)->visits);
        EXPECT_INT(5, search->tree.nodes[root_edge(search, 0)->child].visits);
        EXPECT_NEAR(4 + i, root_edge(search, 0)->weight, 1e-5);
    }
    search_free(search);
}

TEST(visits_have_their_probabilities) {
    enum { DRAWS = 20000 };
    const float human[10] = {0.1f, 0.2f, 0.7f, -1, -1, -1, -1, -1, -1, 0};
    SearchSettings settings = plain_settings();
    settings.human.root_weightless = 0.3;
    settings.human.root_weightful = 0.2;
    settings.human.own_weightful = 1; /* only below the root */
    int counts[3] = {0};
    Search *search = search_made(&settings, human);
    for (int i = 0; i < DRAWS; i++) {
        bool weightless = false;
        counts[chosen(search, &weightless) < 0 ? 0 : weightless ? 1 : 2]++;
    }
    EXPECT_NEAR(0.5, (double)counts[0] / DRAWS, 0.02);
    EXPECT_NEAR(0.3, (double)counts[1] / DRAWS, 0.02);
    EXPECT_NEAR(0.2, (double)counts[2] / DRAWS, 0.02);
    search_free(search);
}

/* Checks the probabilities with which the moves 0, 1, 2 and the pass are played. */
static void expect_shares(Search *search, double a, double b, double c, double pass) {
    Report *report = report_of_search(search);
    EXPECT_TRUE(report->by_probabilities);
    EXPECT_NEAR(a, report->choice_probabilities[0], 1e-5);
    EXPECT_NEAR(b, report->choice_probabilities[1], 1e-5);
    EXPECT_NEAR(c, report->choice_probabilities[2], 1e-5);
    EXPECT_NEAR(pass, report->choice_probabilities[9], 1e-5);
    free(report);
}

/* Makes a root with the weights 6, 2 and 2 and the utilities 0.2, -0.2 and 0 for move 0, move 1 and
 * the pass. */
static Search *search_with_weights(const SearchSettings *settings) {
    const float human[10] = {0.1f, 0.2f, 0.4f, -1, -1, -1, -1, -1, -1, 0.3f};
    Search *search = search_made(settings, human);
    set(search, tree_add_child_of(&search->tree, 0, 0, COLOR_BLACK), 6, 0.2f);
    set(search, tree_add_child_of(&search->tree, 0, 1, COLOR_BLACK), 2, -0.2f);
    set(search, tree_add_child_of(&search->tree, 0, 9, COLOR_BLACK), 2, 0);
    return search;
}

TEST(human_policy_is_mixed_into_the_choice) {
    SearchSettings settings = plain_settings();
    Search *search = search_with_weights(&settings);
    Report *report = report_of_search(search);
    EXPECT_FALSE(report->by_probabilities);
    free(report);
    search->settings.human.chosen_fraction = 1;
    expect_shares(search, 0.1, 0.2, 0.4, 0.3);
    search->settings.human.chosen_fraction = 0.25;
    expect_shares(search, 0.75 * 0.6 + 0.025, 0.75 * 0.2 + 0.05, 0.1, 0.75 * 0.2 + 0.075);
    /* the pass keeps its fraction 0.2 of the weight; the others have 1/7, 2/7 and 4/7 of 0.8 */
    search->settings.human.chosen_ignore_pass = true;
    search->settings.human.chosen_fraction = 1;
    expect_shares(search, 0.8 / 7, 1.6 / 7, 3.2 / 7, 0.2);
    search_free(search);
}

/* With lambda = 0.4, the probability of a move that is worse than the best by x has the factor
 * e^(-x / 0.4). Move 0 is the best, with 0.2. Move 1 is 0.4 worse and the pass 0.2. Move 2 has no
 * visit, so it has the mean of the others, 0, and is 0.2 worse. Then weightless visits find the
 * utility 0.4 for move 2, so the others are 0.2, 0.6 and 0.4 worse. */
TEST(bad_human_moves_are_suppressed) {
    SearchSettings settings = plain_settings();
    settings.human.chosen_fraction = 1;
    settings.human.chosen_lambda = 0.4;
    Search *search = search_with_weights(&settings);
    double b = 0.2 * exp(-1), c = 0.4 * exp(-0.5), pass = 0.3 * exp(-0.5), sum = 0.1 + b + c + pass;
    expect_shares(search, 0.1 / sum, b / sum, c / sum, pass / sum);
    int index = tree_add_child_of(&search->tree, 0, 2, COLOR_BLACK);
    set(search, index, 4, 0.4f);
    root_edge(search, index)->visits = 0;
    double a = 0.1 * exp(-0.5);
    b = 0.2 * exp(-1.5);
    pass = 0.3 * exp(-1);
    sum = a + b + 0.4 + pass;
    expect_shares(search, a / sum, b / sum, 0.4 / sum, pass / sum);
    search_free(search);
}

/* Moves are drawn by their probabilities, even moves without a visit. */
TEST(moves_are_drawn_by_their_probabilities) {
    enum { DRAWS = 20000 };
    SearchSettings settings = plain_settings();
    settings.human.chosen_fraction = 1;
    Search *search = search_with_weights(&settings);
    Report *report = report_of_search(search);
    Rng rng = rng_seeded(3);
    int third = 0, passes = 0;
    for (int i = 0; i < DRAWS; i++) {
        Point point = choose_move(report, 1, false, &rng);
        third += point == point_at(2, 0);
        passes += point == POINT_PASS;
    }
    EXPECT_NEAR(0.4, (double)third / DRAWS, 0.02);
    EXPECT_NEAR(0.3, (double)passes / DRAWS, 0.02);
    EXPECT_INT(point_at(2, 0), choose_move(report, 0, false, &rng));
    free(report);
    search_free(search);
}

/* An evaluator whose human policy is nearly all on `move`. If `tells` is false, it gives no human
 * policy. `asked` counts the requests for the human policy. `wrong` counts the requests whose
 * option `human` is not as expected. The option must be set at the root. Below the root it must be
 * set for the side that moves at the root if `of_own`, and for the other side if `of_other`. */
typedef struct {
    Evaluator base;
    MadeUp made;
    int move;
    Color root_mover; /* COLOR_EMPTY: `wrong` is not counted */
    bool of_own, of_other, tells;
    int asked, wrong;
} People;

static Status people_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                              Evaluation *out, Error *err) {
    People *people = (People *)evaluator;
    (void)err;
    for (int i = 0; i < count; i++) {
        const Position *position = requests[i].position;
        made_up_one(&people->made, position, &out[i]);
        bool root = position->move_count == 0,
             wanted = root ||
                      (position->mover == people->root_mover ? people->of_own : people->of_other);
        people->wrong += people->root_mover != COLOR_EMPTY && requests[i].options.human != wanted;
        people->asked += requests[i].options.human;
        if (!requests[i].options.human || !people->tells) continue;
        out[i].has_human = true;
        for (int k = 0; k < MOVES_MAX; k++)
            out[i].human_policy[k] = out[i].policy[k] < 0 ? -1 : k == people->move ? 0.9f : 1e-4f;
    }
    return OK;
}

static const EvaluatorClass PEOPLE = {"people", people_evaluate, NULL};

static People people_who_play(int move) {
    return (People){.base = {&PEOPLE, 1, 0, false},
                    .made = made_up(1, point_at(2, 2)),
                    .move = move,
                    .tells = true};
}

static double edge_visits(const Report *report) {
    double sum = 0;
    for (int i = 0; i < report->move_count; i++)
        sum += (double)report->moves[i].visits;
    return sum;
}

/* Weightless visits count for the root's visits. They do not count for its value or for its
 * moves. */
TEST(weightless_visits_leave_the_root_as_it_was) {
    SearchSettings settings = plain_settings();
    settings.human.root_weightless = 1;
    People people = people_who_play(3);
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &people.base, 60);
    Report *report = report_of_search(search);
    EXPECT_INT(60, report->visits);
    EXPECT_INT(60, report->playouts);
    EXPECT_INT(0, report->move_count);
    EXPECT_NEAR(1, report->weight, 1e-5);
    EXPECT_NEAR(0, report->win_loss, 1e-5);
    search_report(search, report);
    free(report);
    search_free(search);
    settings.human.root_weightless = 0.5;
    search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &people.base, 200);
    report = report_of_search(search);
    EXPECT_INT(200, report->visits);
    EXPECT_TRUE(edge_visits(report) > 60 && edge_visits(report) < 140);
    search_free(search);
    free(report);
}

TEST(weighted_human_visits_decide) {
    SearchSettings settings = plain_settings();
    settings.human.root_weightful = 1;
    settings.human.c_puct_permanent = 5;
    People people = people_who_play(3);
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &people.base, 100);
    Report *report = report_of_search(search);
    const MoveReport *theirs = move_in(report, point_at(3, 0));
    EXPECT_NEAR(99, edge_visits(report), 0);
    EXPECT_TRUE(theirs && theirs->visits > 60);
    free(report);
    search_free(search);
}

/* Below the root, the human policy is requested only for nodes of the side that may have human
 * visits. */
TEST(human_policy_is_requested_by_side) {
    for (int own = 0; own < 2; own++) {
        SearchSettings settings = plain_settings();
        *(own ? &settings.human.own_weightful : &settings.human.other_weightful) = 1;
        settings.human.c_puct_permanent = 50;
        People people = people_who_play(3);
        people.root_mover = COLOR_BLACK;
        people.of_own = own;
        people.of_other = !own;
        Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
        run_visits(search, &people.base, 400);
        EXPECT_INT(0, people.wrong);
        EXPECT_TRUE(people.asked > 20);
        const Tree *tree = &search->tree;
        int visits = 0, theirs = 0;
        for (size_t i = 1; i < tree->node_count; i++) {
            const Node *node = &tree->nodes[i];
            if ((node->mover == COLOR_BLACK) != own || node->visits < 5) continue;
            for (int k = 0; k < node->child_count; k++) {
                const Edge *edge = &tree->edges[node->edges + (uint32_t)k];
                visits += edge->visits;
                theirs += edge->move == 3 ? edge->visits : 0;
            }
        }
        EXPECT_TRUE(visits > 20 && theirs > visits / 3);
        EXPECT_FALSE(search_can_split(search));
        search_free(search);
    }
}

/* Without the settings no human policy is requested, and no random number is drawn. */
TEST(without_the_settings_no_human_policy_is_requested) {
    SearchSettings settings = plain_settings();
    People people = people_who_play(3);
    Report *reports[2];
    for (int i = 0; i < 2; i++) {
        people.tells = i;
        Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
        run_visits(search, i ? &people.base : &people.made.base, 100);
        reports[i] = report_of_search(search);
        search_free(search);
    }
    EXPECT_INT(0, people.asked);
    EXPECT_TRUE(memcmp(reports[0], reports[1], sizeof *reports[0]) == 0);
    free(reports[0]);
    free(reports[1]);
}

TEST(a_kept_root_gets_its_human_policy) {
    SearchSettings settings = plain_settings();
    settings.human.chosen_fraction = 1;
    People people = people_who_play(3);
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &people.base, 100);
    EXPECT_INT(1, people.asked);
    EXPECT_OK(search_play(search, point_at(0, 0), true, err));
    const HumanState *human = search_state_of(search, &METHOD_HUMAN);
    EXPECT_FALSE(human->known);
    run_visits(search, &people.base, 1); /* even if the limit leaves no visit */
    EXPECT_INT(2, people.asked);
    EXPECT_TRUE(human->known);
    Report *report = report_of_search(search);
    EXPECT_TRUE(report->by_probabilities && report->choice_probabilities[3] > 0.8f);
    free(report);
    search_free(search);
}

TEST(settings_set_later_request_the_human_policy) {
    SearchSettings settings = plain_settings();
    People people = people_who_play(3);
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &people.base, 20);
    EXPECT_INT(0, people.asked);
    settings.human.chosen_fraction = 1;
    EXPECT_OK(search_set_settings(search, &settings, err));
    run_visits(search, &people.base, 40);
    EXPECT_INT(1, people.asked);
    EXPECT_INT(40, search_root_visits(search));
    search_free(search);
}

TEST(without_a_human_net_the_search_fails) {
    SearchSettings settings = plain_settings();
    settings.human.root_weightless = 0.5;
    MadeUp made = made_up(1, point_at(2, 2));
    Driver *driver = NULL;
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    EXPECT_OK(driver_new(&made.base, &driver, err));
    search_begin(search, &(SearchLimits){.visits = 20});
    Error fault = {0};
    EXPECT_INT(ERR_ARGUMENT, driver_run(driver, search, &(DriverRun){0}, &fault));
    EXPECT_CONTAINS(fault.message, "net of human play");
    driver_free(driver);
    search_free(search);
}

TEST_MAIN(RUN(the_choice_by_hand), RUN(permanent_exploration_by_hand),
          RUN(first_play_urgency_of_the_human_policy), RUN(weightless_visits_see_whole_nodes),
          RUN(weightless_visits_leave_the_edge_without_weight),
          RUN(visits_that_count_catch_up_with_weightless_ones),
          RUN(visits_have_their_probabilities), RUN(human_policy_is_mixed_into_the_choice),
          RUN(bad_human_moves_are_suppressed), RUN(moves_are_drawn_by_their_probabilities),
          RUN(weightless_visits_leave_the_root_as_it_was), RUN(weighted_human_visits_decide),
          RUN(human_policy_is_requested_by_side),
          RUN(without_the_settings_no_human_policy_is_requested),
          RUN(a_kept_root_gets_its_human_policy), RUN(settings_set_later_request_the_human_policy),
          RUN(without_a_human_net_the_search_fails))
