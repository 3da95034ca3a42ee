/* Reports of searches: the play-selection weights (target pruning, LCB, pruned small weights) and
 * the values of the mover, at roots that the test makes. E is PUCT's exploration and W the weight
 * of all moves. A, B and C are the first, second and third move. */
#include "base/rng.h"
#include "made_root.h"

static SearchSettings plain_settings(void) {
    SearchSettings s = win_loss_settings();
    s.c_puct = 1.1;
    s.c_puct_log = s.c_puct_stdev_scale = 0;
    s.target_pruning = s.lcb.on = false;
    s.move_prune = 0;
    return s;
}

static Search *search_made(const SearchSettings *settings, const float policy[10]) {
    Search *search = search_of(settings, 1, position_empty(3, rules_tromp_taylor().komi));
    tree_add(&search->tree, COLOR_BLACK);
    EXPECT_TRUE(tree_set_policy(&search->tree, 0, policy, true));
    memcpy(search->raw_policy, policy, 10 * sizeof *policy);
    search->tree.nodes[0].state = NODE_EXPANDED;
    search->tree.nodes[0].visits = 1;
    search->tree.nodes[0].own_weight = 1;
    return search;
}

/* Adds a child to the root, where Black is to move. `utility` is the mover's, and `square` its mean
 * square. */
static void add(Search *search, int visits, float utility, float square) {
    Tree *tree = &search->tree;
    int index = tree_add_child(tree, 0, COLOR_WHITE);
    Edge *edge = root_edge(search, index);
    Node *child = &tree->nodes[edge->child];
    edge->visits = child->visits = visits;
    child->weight = child->weight_sq = (float)visits;
    child->utility = child->win_loss = -utility;
    child->utility_sq = square;
    child->score_mean = -3;
    child->score_mean_sq = 25;
    tree->nodes[0].visits += visits;
    puct_recompute(&search->frame, tree, 0, true);
}

static const float POLICY[10] = {0.5f, 0.2f, 0.05f, 0.05f, 0.04f, 0.04f, 0.04f, 0.04f, 0.04f, -1};

/* W = 18 and E = 1.1 sqrt(18.01) = 4.6682. The best move is worth 0.3 + E * 0.5 / 11 = 0.51219 to
 * PUCT. Target pruning lowers the weight of another move until the move would be worth just as much
 * to PUCT, and rounds this weight up:
 *     B: E * 0.2 / (0.51219 - 0.1) - 1 = 1.265, so 2
 *     C: E * 0.05 / (0.51219 - 0.35) - 1 = 0.439, so 1 */
TEST(target_pruning) {
    SearchSettings settings = plain_settings();
    double weights[10], plain[10], lcb[10];
    Search *search = search_made(&settings, POLICY);
    add(search, 10, 0.3f, 0.2f);
    add(search, 6, 0.1f, 0.2f);
    add(search, 2, 0.35f, 0.2f);
    search_play_weights(search, weights, plain, lcb);
    EXPECT_NEAR(10, weights[0], 1e-6);
    EXPECT_NEAR(6, weights[1], 1e-6);
    EXPECT_NEAR(2, weights[2], 1e-6);
    search->settings.target_pruning = true;
    search_play_weights(search, weights, plain, lcb);
    EXPECT_NEAR(10, weights[0], 1e-6);
    EXPECT_NEAR(2, weights[1], 1e-6);
    EXPECT_NEAR(1, weights[2], 1e-6);
    search->tree.nodes[3].utility = -0.52f; /* above 0.51219, so C keeps its weight */
    search_play_weights(search, weights, plain, lcb);
    EXPECT_NEAR(2, weights[2], 1e-6);
    search_free(search);
}

/* The move has the weight 10 and 10 effective samples. One more value is added to the samples. The
 * added value has the weight 10 / 10^3 = 0.01 and the square 0.2 + 1. The mean square is then
 *     (0.2 * 10 + 1.2 * 0.01) / 10.01 = 0.200999
 * So the bound is 5 sqrt((0.200999 - 0.09) / 10.0199) below the mean. */
TEST(lower_bound) {
    SearchSettings settings = plain_settings();
    double weights[10], plain[10], lcb[10];
    Search *search = search_made(&settings, POLICY);
    add(search, 10, 0.3f, 0.2f);
    search_play_weights(search, weights, plain, lcb);
    EXPECT_NEAR(0.3 - 0.526257, lcb[0], 1e-5);
    search->settings.lcb.stdevs = 1;
    search_play_weights(search, weights, plain, lcb);
    EXPECT_NEAR(0.3 - 0.1052514, lcb[0], 1e-5);
    search_free(search);
}

/* Move A is 0.3 +- 0.165832 with the weight 100, and move B 0.32 +- 0.068990 with the weight 40.
 * The lower bound of B is better by e = 0.116842, so B gets the weight
 *     100 ((0.165832 + e) / (0.165832 + 0.2 e))^2 = 223.217 */
TEST(better_lower_bound_is_preferred) {
    SearchSettings settings = plain_settings();
    double weights[10], plain[10], lcb[10];
    settings.lcb.on = true;
    Search *search = search_made(&settings, POLICY);
    add(search, 100, 0.3f, 0.2f);
    add(search, 40, 0.32f, 0.11f);
    search_play_weights(search, weights, plain, lcb);
    EXPECT_NEAR(100, weights[0], 1e-6);
    EXPECT_NEAR(223.217, weights[1], 0.05);
    EXPECT_NEAR(40, plain[1], 1e-6);                /* the weights without LCB */
    search->settings.lcb.min_visit_fraction = 0.41; /* now B has too little weight for LCB */
    search_play_weights(search, weights, plain, lcb);
    EXPECT_NEAR(40, weights[1], 1e-6);
    search_free(search);
}

TEST(small_weights_are_pruned_and_subtracted) {
    SearchSettings settings = plain_settings();
    double weights[10], plain[10], lcb[10];
    settings.move_prune = 1.5;  /* at most 128 / 64 = 2 */
    settings.move_subtract = 5; /* counts as 2 */
    Search *search = search_made(&settings, POLICY);
    add(search, 128, 0.3f, 0.2f);
    add(search, 1, 0.1f, 0.2f);
    add(search, 6, 0.1f, 0.2f);
    search_play_weights(search, weights, plain, lcb);
    EXPECT_NEAR(126, weights[0], 1e-6);
    EXPECT_NEAR(0, weights[1], 0);
    EXPECT_NEAR(4, weights[2], 1e-6);
    search_free(search);
}

TEST(a_report_has_the_movers_values) {
    SearchSettings settings = plain_settings();
    Search *search = search_made(&settings, POLICY);
    Node *root = search->tree.nodes;
    root->own_win_loss = -0.4f; /* White's view; Black is to move */
    root->own_no_result = 0.1f;
    root->own_lead = -2;
    add(search, 3, 0.5f, 0.3f);
    add(search, 1, -0.5f, 0.3f);
    Report *report = calloc(1, sizeof *report);
    search_report(search, report);
    EXPECT_INT(COLOR_BLACK, report->mover);
    EXPECT_INT(5, report->visits);
    EXPECT_INT(2, report->move_count);
    EXPECT_NEAR((0.4 + 1.5 - 0.5) / 5, report->win_loss, 1e-6);
    EXPECT_NEAR(0.02, report->no_result, 1e-6);
    EXPECT_NEAR(0.5 * (0.98 + 0.28), report->win, 1e-6);
    EXPECT_NEAR(0.5 * (0.98 - 0.28), report->loss, 1e-6);
    EXPECT_NEAR(0.5 * (0.9 + 0.4), report->raw_win, 1e-6);
    EXPECT_NEAR(0.1, report->raw_no_result, 1e-6);
    EXPECT_NEAR(2, report->raw_lead, 1e-6);
    EXPECT_NEAR(4 * 3.0 / 5, report->score_mean, 1e-5);
    const MoveReport *best = &report->moves[0];
    EXPECT_INT(point_at(0, 0), best->point);
    EXPECT_INT(3, best->visits);
    EXPECT_NEAR(0.75, best->winrate, 1e-6);
    EXPECT_NEAR(3, best->score_mean, 1e-6);
    EXPECT_NEAR(4, best->score_stdev, 1e-5); /* sqrt(25 - 9) */
    EXPECT_NEAR(0.5, best->prior, 1e-6);
    EXPECT_INT(1, best->line_length);
    EXPECT_INT(0, best->order);
    EXPECT_INT(point_at(1, 0), report->moves[1].point);
    EXPECT_NEAR(-1, report->raw_policy[9], 0);
    /* the target is 3/4 and 1/4, and the priors are 0.5 and 0.2 */
    EXPECT_NEAR(0.75 * log(1.5) + 0.25 * log(1.25), report->policy_surprise, 1e-4);
    EXPECT_NEAR(-0.75 * log(0.75) - 0.25 * log(0.25), report->search_entropy, 1e-5);
    double entropy = -0.5 * log(0.5) - 0.2 * log(0.2) - 0.1 * log(0.05) - 0.2 * log(0.04);
    EXPECT_NEAR(entropy, report->raw_policy_entropy, 1e-5);
    free(report);
    search_free(search);
}

TEST(a_report_before_the_search_is_empty) {
    SearchSettings settings = plain_settings();
    Search *search = search_made(&settings, POLICY);
    search_clear_tree(search);
    Report *report = malloc(sizeof *report);
    memset(report, 0x7f, sizeof *report);
    search_report(search, report);
    EXPECT_INT(0, report->move_count);
    EXPECT_INT(0, report->visits);
    EXPECT_NEAR(0, report->win_loss, 0);
    EXPECT_NEAR(-1, report->raw_policy[0], 0);
    free(report);
    search_free(search);
}

TEST_MAIN(RUN(target_pruning), RUN(lower_bound), RUN(better_lower_bound_is_preferred),
          RUN(small_weights_are_pruned_and_subtracted), RUN(a_report_has_the_movers_values),
          RUN(a_report_before_the_search_is_empty))
