/* Settings of the search that are factors, bounds or fractions, with numbers worked out by hand. E
 * is PUCT's exploration and W the weight of all moves. A, B and C are the first, second and third
 * move. */
#include <math.h>

#include "made_root.h"
#include "search/result/choose.h"

static SearchSettings plain_settings(void) {
    SearchSettings s = win_loss_settings();
    s.c_puct_log = s.c_puct_stdev_scale = 0;
    s.target_pruning = s.lcb.on = false;
    s.move_prune = 0;
    return s;
}

/* Makes a root with White to move. The own evaluation of the root has the utility 0.5, and the mean
 * of the root is 0.1. */
static Search *search_made(const SearchSettings *settings) {
    const float policy[10] = {0.5f, 0.3f, 0.2f, -1, -1, -1, -1, -1, -1, -1};
    Search *search = search_with_root(settings, policy);
    Node *root = search->tree.nodes;
    root->own_utility = 0.5f;
    root->utility = 0.1f;
    return search;
}

static Edge *add(Search *search, int visits, float utility, float square) {
    int index = tree_add_child(&search->tree, 0, COLOR_BLACK);
    root_set_child(search, index, visits, utility, square);
    search->tree.nodes[0].visits += visits;
    return root_edge(search, index);
}

/* The move has the weight 4. Two descents through it are under way, and each counts as 3 losses. So
 * its utility goes 6/10 of the way from 0.5 to -1. */
TEST(a_descent_counts_as_several_virtual_losses) {
    SearchSettings settings = plain_settings();
    settings.virtual_losses = 3;
    Search *search = search_made(&settings);
    Edge *edge = add(search, 4, 0.5f, 0.25f);
    edge->waiting = 2;
    EdgeValue seen = puct_edge_value(&search->frame, search->tree.nodes, edge, 0);
    EXPECT_NEAR(-0.4, seen.utility, 1e-6);
    EXPECT_NEAR(10, seen.weight, 1e-6);
    search_free(search);
}

/* With watch_unobserved, descents under way count as visits, but the utility stays. */
TEST(descents_under_way_may_count_as_visits_alone) {
    SearchSettings settings = plain_settings();
    settings.watch_unobserved = true;
    Search *search = search_made(&settings);
    Edge *edge = add(search, 4, 0.5f, 0.25f);
    edge->waiting = 2;
    EdgeValue seen = puct_edge_value(&search->frame, search->tree.nodes, edge, 0);
    EXPECT_NEAR(0.5, seen.utility, 1e-6);
    EXPECT_NEAR(6, seen.weight, 1e-6);
    search_free(search);
}

/* c2 is the setting puct_v, which is 3. P is the prior of a move, and w its weight. With W = 12 and
 * c_puct = 1.1, E = 1.1 sqrt(12.01) = 3.81210, and c2 ln W = 3 * 2.48491 = 7.45472. The standard
 * deviations s of the first two moves are 0.1 and 0.5. Their mean, weighted by visits, is 0.23333,
 * which the third move has. The exploration terms (E s + c2 ln W) P / (1 + w) are
 *     (0.38121 + 7.45472) * 0.5 / 9 = 0.43533
 *     (1.90605 + 7.45472) * 0.3 / 5 = 0.56165
 *     (0.88949 + 7.45472) * 0.2 = 1.66884 */
TEST(puct_v_by_hand) {
    SearchSettings settings = plain_settings();
    settings.c_puct = 1.1;
    settings.puct_v = 3;
    settings.fpu.reduction = settings.fpu.root_reduction = 0;
    settings.fpu.parent_by_visited_policy = false;
    Search *search = search_made(&settings);
    search_begin_methods(search);
    EXPECT_TRUE(search->methods.changes_inner_choice);
    add(search, 8, 0, 0.01f);
    add(search, 4, 0, 0.25f);
    search->tree.nodes[0].utility = -1.1f; /* the third is worth 1.66884 - 1.1 = 0.56884 */
    EXPECT_INT(2, search_select_by_methods(search, &search->root, 0));
    search->tree.nodes[0].utility = -1.11f; /* the third is worth 0.55884 */
    EXPECT_INT(1, search_select_by_methods(search, &search->root, 0));
    root_edge(search, 0)->utility = 0.1275f; /* the first is worth 0.56283 */
    EXPECT_INT(0, search_select_by_methods(search, &search->root, 0));
    root_edge(search, 0)->utility = 0.1255f; /* the first is worth 0.56083 */
    EXPECT_INT(1, search_select_by_methods(search, &search->root, 0));
    search_free(search);
}

/* With parent_weight = 0.25, the utility of an unvisited move is 0.25 * 0.5 + 0.75 * 0.1 = 0.2.
 * Then it goes a fraction of the way to -1: loss_fraction or, at the root, root_loss_fraction if
 * that is set. */
TEST(first_play_urgency_of_parent_and_loss) {
    SearchSettings settings = plain_settings();
    settings.fpu.reduction = settings.fpu.root_reduction = 0;
    settings.fpu.parent_by_visited_policy = false;
    settings.fpu.parent_weight = 0.25;
    Search *search = search_made(&settings);
    const Node *root = search->tree.nodes;
    EXPECT_NEAR(0.2, puct_unvisited_value(&search->frame, root, true), 1e-6);
    search->settings.fpu.loss_fraction = 0.1;
    EXPECT_NEAR(0.08, puct_unvisited_value(&search->frame, root, true), 1e-6);
    search->settings.fpu.root_loss_fraction = 0.3;
    EXPECT_NEAR(-0.16, puct_unvisited_value(&search->frame, root, true), 1e-6);
    EXPECT_NEAR(0.08, puct_unvisited_value(&search->frame, root, false), 1e-6);
    search->settings.fpu.parent_by_visited_policy = true; /* then parent_weight does not count */
    search->settings.fpu.loss_fraction = search->settings.fpu.root_loss_fraction = 0;
    EXPECT_NEAR(0.5, puct_unvisited_value(&search->frame, root, true), 1e-6);
    search_free(search);
}

/* The second move is 1 worse than the first. By its prior, the second move may have the weight
 *     2 * 10 * 0.3 / 0.5 = 12
 * but it has the weight 40. Of the surplus of 28, the fraction 1 - exp(-1 / 0.15) is removed, but
 * at most a weight of 5. */
TEST(noise_pruning_has_a_cap) {
    SearchSettings settings = plain_settings();
    settings.noise_pruning.on = true;
    settings.noise_pruning.cap = 5;
    Search *search = search_made(&settings);
    add(search, 10, 0.5f, 0.25f);
    add(search, 40, -0.5f, 0.25f);
    puct_recompute(&search->frame, &search->tree, 0, true);
    EXPECT_NEAR(1 + 10 + 35, search->tree.nodes[0].weight, 1e-4);
    search->settings.noise_pruning.cap = 1e9;
    puct_recompute(&search->frame, &search->tree, 0, true);
    EXPECT_NEAR(1 + 10 + 40 - 28 * (1 - exp(-1 / 0.15)), search->tree.nodes[0].weight, 1e-2);
    search_free(search);
}

/* The move with the best lower bound by Student's t gets as much weight as all moves together have.
 * A has 100 visits and C two, so t is 1.984217 for A and 12.7062 for C. The bounds are
 *     A: 0.3 - 1.984217 sqrt(0.11 (100 / 99) / 100) = 0.233860
 *     C: 0.5 - 12.7062 sqrt(0.0008 / 2) = 0.245876
 * This is the bound of C with the mean square 0.2504. With 0.2505 the bound of C is 0.215883. B has
 * one visit and therefore no bound. */
TEST(the_bound_of_student_decides_alone) {
    SearchSettings settings = plain_settings();
    double weights[10], plain[10], lcb[10];
    settings.lcb.on = true;
    settings.lcb.rule = LCB_STUDENT;
    settings.lcb.min_visit_fraction = 1;
    for (int i = 0; i < 2; i++) {
        Search *search = search_made(&settings);
        add(search, 100, 0.3f, 0.2f);
        add(search, 1, 0.9f, 0.81f);
        add(search, 2, 0.5f, i ? 0.2505f : 0.2504f);
        search_play_weights(search, weights, plain, lcb);
        EXPECT_NEAR(i ? 103 : 100, weights[0], 1e-6);
        EXPECT_NEAR(1, weights[1], 1e-6);
        EXPECT_NEAR(i ? 2 : 103, weights[2], 1e-6);
        EXPECT_NEAR(100, plain[0], 1e-6);
        search_free(search);
    }
}

/* From 1000 degrees of freedom on, t is that for 1000, 1.962339. */
TEST(the_bound_of_student_with_many_visits) {
    SearchSettings settings = plain_settings();
    double weights[10], plain[10], lcb[10];
    settings.lcb.on = true;
    settings.lcb.rule = LCB_STUDENT;
    Search *search = search_made(&settings);
    double gap = 1.962339 * sqrt(0.16 * 1e6 / (1e6 - 1) / 1e6);
    add(search, 1000000, 0.3f, 0.25f);
    add(search, 500, (float)(0.3 - gap + 1e-6), 0);
    search_play_weights(search, weights, plain, lcb);
    EXPECT_TRUE(weights[1] > weights[0]);
    search->tree.nodes[2].utility = (float)(0.3 - gap - 1e-6);
    search_play_weights(search, weights, plain, lcb);
    EXPECT_TRUE(weights[1] < weights[0]);
    search_free(search);
}

/* LCB applies to moves that have at least the fraction 0.85 of the weight of the best child. The
 * first move has the largest weight, 10, but only one visit. So the second move with the weight 9
 * counts as the best child. The weight 8 of the third is enough, because 8 is above 0.85 * 9,
 * though below 0.85 * 10. */
TEST(bounds_are_for_moves_near_the_best_child) {
    SearchSettings settings = plain_settings();
    double weights[10], plain[10], lcb[10];
    settings.lcb.on = true;
    settings.lcb.min_visit_fraction = 0.85;
    Search *search = search_made(&settings);
    Edge *first = add(search, 1, -0.5f, 0.25f);
    search->tree.nodes[first->child].weight = 10;
    add(search, 9, 0.1f, 0.2f);
    add(search, 8, 0.4f, 0.17f);
    search_play_weights(search, weights, plain, lcb);
    EXPECT_TRUE(weights[2] > 9);
    search_free(search);
}

static void expect_draws(const Report *report, double temperature, const double *wanted,
                         int count) {
    enum { DRAWS = 20000 };
    Rng rng = rng_seeded(5);
    int counts[8] = {0};
    for (int i = 0; i < DRAWS; i++)
        counts[point_x(choose_move(report, temperature, false, &rng))]++;
    for (int i = 0; i < count; i++)
        EXPECT_NEAR(wanted[i], (double)counts[i] / DRAWS, 0.012);
}

/* The moves have the fractions 0.6, 0.3 and 0.1 of the weight, and the temperature is 1/2. If
 * temperature_below is 0.2, the fractions 0.6 and 0.3 stay, and the fraction 0.1 becomes
 *     0.2 (0.1 / 0.2)^2 = 0.05
 * If temperature_below is 1, all three fractions are squared. */
TEST(only_small_fractions_are_tempered) {
    Report *report = calloc(1, sizeof *report);
    const float weights[3] = {6, 3, 1};
    report->move_count = 3;
    for (int i = 0; i < 3; i++)
        report->moves[i] = (MoveReport){.point = point_at(i, 0), .visits = 1, .weight = weights[i]};
    report->temperature_below = 0.2;
    expect_draws(report, 0.5, (const double[]){0.6 / 0.95, 0.3 / 0.95, 0.05 / 0.95}, 3);
    report->temperature_below = 1;
    expect_draws(report, 0.5, (const double[]){36.0 / 46, 9.0 / 46, 1.0 / 46}, 3);
    free(report);
}

/* With one visit, only the root is evaluated. The move is drawn by the root's policy, without
 * avoided moves. */
TEST(a_single_visit_plays_by_the_policy) {
    SearchSettings settings = plain_settings();
    settings.temperature_below = 0.5;
    Search *search = search_made(&settings);
    Report *report = report_of_search(search);
    EXPECT_TRUE(report->by_probabilities);
    EXPECT_NEAR(0.5, report->temperature_below, 0);
    EXPECT_INT(point_at(0, 0), choose_move(report, 0, false, &search->rng));
    report->temperature_below = 1;
    expect_draws(report, 1, (const double[]){0.5, 0.3, 0.2}, 3);
    search->avoids = true;
    search->avoid = (SearchAvoid){0};
    search->avoid.until[COLOR_WHITE][0] = 1;
    search_report(search, report);
    EXPECT_INT(point_at(1, 0), choose_move(report, 0, false, &search->rng));
    free(report);
    search_free(search);
}

/* If the move with the prior 0.5 is avoided, the priors 0.3 and 0.2 are left. With avoid_rescale
 * they become 0.6 and 0.4. */
TEST(avoid_rescale_raises_the_other_priors) {
    SearchSettings settings = plain_settings();
    float policy[MOVES_MAX];
    Search *search = search_made(&settings);
    search->avoids = true;
    search->avoid.until[COLOR_WHITE][0] = 1;
    search_root_policy(search, policy);
    EXPECT_NEAR(-1, policy[0], 0);
    EXPECT_NEAR(0.3, policy[1], 1e-6);
    search->settings.avoid_rescale = true;
    search_root_policy(search, policy);
    EXPECT_NEAR(-1, policy[0], 0);
    EXPECT_NEAR(0.6, policy[1], 1e-6);
    EXPECT_NEAR(0.4, policy[2], 1e-6);
    search_free(search);
}

TEST(threads_need_work) {
    SearchSettings settings = plain_settings();
    Search *search = search_made(&settings); /* 99 visits are left */
    EXPECT_INT(16, search_threads(search, 16));
    search->settings.playouts_per_thread = 8;
    EXPECT_INT(12, search_threads(search, 16));
    EXPECT_INT(4, search_threads(search, 4));
    search->settings.playouts_per_thread = 200;
    EXPECT_INT(1, search_threads(search, 16));
    search->limits = (SearchLimits){0};
    EXPECT_INT(16, search_threads(search, 16));
    search_free(search);
}

TEST_MAIN(RUN(a_descent_counts_as_several_virtual_losses),
          RUN(descents_under_way_may_count_as_visits_alone), RUN(puct_v_by_hand),
          RUN(first_play_urgency_of_parent_and_loss), RUN(noise_pruning_has_a_cap),
          RUN(the_bound_of_student_decides_alone), RUN(the_bound_of_student_with_many_visits),
          RUN(bounds_are_for_moves_near_the_best_child), RUN(only_small_fractions_are_tempered),
          RUN(a_single_visit_plays_by_the_policy), RUN(avoid_rescale_raises_the_other_priors),
          RUN(threads_need_work))
