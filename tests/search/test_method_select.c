/* Choices by methods beyond PUCT, at roots that the test makes, with numbers worked out by hand.
 * White moves unless a comment says otherwise. E is PUCT's exploration, which is 0 if c_puct is
 * 0. */
#include "made_root.h"
#include "search/methods/ending.h"
#include "search/methods/hint.h"
#include "search/methods/spread.h"

static SearchSettings plain_settings(void) {
    SearchSettings s = win_loss_settings();
    s.c_puct = s.c_puct_log = s.c_puct_stdev_scale = 0;
    s.fpu.reduction = s.fpu.root_reduction = 0;
    s.fpu.parent_by_visited_policy = false;
    return s;
}

/* Makes a root with two moves of the priors 0.64 and 0.16, and without children. */
static Search *search_made(const SearchSettings *settings) {
    float policy[10] = {0.64f, 0.16f, -1, -1, -1, -1, -1, -1, -1, -1};
    Search *search = search_with_root(settings, policy);
    search_begin_methods(search);
    return search;
}

static void set(Search *search, int index, int visits, float utility) {
    Node *child = root_child(search, index);
    root_edge(search, index)->visits = child->visits = visits;
    child->weight = child->weight_sq = (float)visits;
    child->utility = child->win_loss = utility;
    child->utility_sq = utility * utility;
    root_edge(search, index)->weight = (float)visits;
    root_edge(search, index)->utility = utility;
    Node *root = search->tree.nodes;
    root->visits = 1;
    for (int i = 0; i < root->child_count; i++)
        root->visits += root_edge(search, i)->visits;
    root->weight = (float)root->visits;
}

static void add(Search *search, int visits, float utility) {
    set(search, tree_add_child(&search->tree, 0, COLOR_BLACK), visits, utility);
}

static int chosen(Search *search) {
    return search_select_by_methods(search, &search->root, 0);
}

/* If no method is on, the choice is that of puct_select(). */
TEST(without_methods_the_choice_is_that_of_puct) {
    SearchSettings settings = plain_settings();
    settings.c_puct = 1.1;
    settings.forced_playouts = 2;
    Search *search = search_made(&settings);
    EXPECT_FALSE(search->methods.changes_inner_choice || search->methods.changes_root_choice);
    EXPECT_INT(0, chosen(search)); /* the best move, which has no node yet */
    add(search, 4, 0.1f);
    for (int i = 0; i < 200; i++) {
        float utility = (float)i / 100 - 1;
        set(search, 0, 1 + i % 7, utility);
        search->tree.nodes[0].utility = 0.5f * utility;
        EXPECT_INT(puct_select(&search->frame, &search->tree, 0, true), chosen(search));
    }
    add(search, 1, 0.1f);
    for (int i = 0; i < 400; i++) {
        set(search, i % 2, 1 + i % 7, (float)i / 200 - 1);
        root_edge(search, 1)->waiting = i % 5 == 0;
        EXPECT_INT(puct_select(&search->frame, &search->tree, 0, true), chosen(search));
    }
    search_free(search);
}

/* With wide_root_noise = 0.25, priors are raised to the power 1/2. The exploration is then
 * proportional to 0.8 / 5 = 0.16 and 0.4 / 2 = 0.2. Without the setting, it is proportional to
 * 0.128 and 0.08. E = 100 sqrt(5.01) is so large that the noise of values does not matter. */
TEST(wide_noise_flattens_priors) {
    SearchSettings settings = plain_settings();
    settings.c_puct = 100;
    Search *search = search_made(&settings);
    add(search, 4, 0);
    add(search, 1, 0);
    EXPECT_INT(0, chosen(search));
    settings.wide_root_noise = 0.25;
    EXPECT_OK(search_set_settings(search, &settings, err));
    search_begin_methods(search);
    EXPECT_TRUE(search->methods.changes_root_choice);
    for (int i = 0; i < 100; i++)
        EXPECT_INT(1, chosen(search));
    search_free(search);
}

/* With probability 1/2, 0.25 |n| is added to the value of a move. Here n is a normal random number,
 * which is drawn for each move. It is called n for the second move and m for the first. The second
 * value, which is 0.1 lower, becomes the larger one with the probability
 *     (P(|n| > 0.4) + P(|n| > 0.4 + |m|)) / 4 = (0.6892 + 0.3021) / 4 = 0.2478 */
TEST(wide_noise_lifts_values) {
    SearchSettings settings = plain_settings();
    settings.wide_root_noise = 0.25;
    Search *search = search_made(&settings);
    add(search, 4, 0.1f);
    add(search, 1, 0);
    int count = 0;
    for (int i = 0; i < 20000; i++)
        count += chosen(search);
    EXPECT_NEAR(0.2478, count / 20000.0, 0.012);
    search_free(search);
}

/* The moves have 60 and 10 visits, and 29 visits are left of 100. The second move has the better
 * value, but it can have at most 39 visits. With futile_visits = 0.7 it is futile, because 39 is
 * less than 0.7 * 60 = 42. With 0.6 it is not, because 39 is at least 0.6 * 60 = 36. */
TEST(moves_that_cannot_catch_up_are_futile) {
    SearchSettings settings = plain_settings();
    settings.futile_visits = 0.7;
    Search *search = search_made(&settings);
    add(search, 60, 0.1f);
    add(search, 10, 0.5f);
    EXPECT_INT(0, chosen(search));
    settings.futile_visits = 0.6;
    EXPECT_OK(search_set_settings(search, &settings, err));
    EXPECT_INT(1, chosen(search));
    settings.futile_visits = 0.7;
    EXPECT_OK(search_set_settings(search, &settings, err));
    search->limits.visits = 104; /* 33 visits are left: at most 43 */
    EXPECT_INT(1, chosen(search));
    search->limits.visits = 0;
    search->limits.playouts = 50; /* 21 playouts were made, and 29 are left */
    search->playouts = 21;
    EXPECT_INT(0, chosen(search));
    search->playouts = 17;
    EXPECT_INT(1, chosen(search));
    search->limits.playouts = 0; /* without a limit nothing is futile */
    EXPECT_INT(1, chosen(search));
    search_free(search);
}

/* Each visit of the second move has the weight 2. It has (10 + 1) / (20 + 1) visits for a unit of
 * weight, so the weight 60 takes 31.4 visits. */
TEST(futility_counts_weight) {
    SearchSettings settings = plain_settings();
    settings.futile_visits = 1;
    Search *search = search_made(&settings);
    add(search, 60, 0.1f);
    add(search, 10, 0.5f);
    root_edge(search, 1)->weight = 20;
    search->limits.visits = 92; /* 21 visits are left: at most 31 */
    EXPECT_INT(0, chosen(search));
    search->limits.visits = 93; /* 22 are left: at most 32 */
    EXPECT_INT(1, chosen(search));
    search_free(search);
}

/* The hint is a move that the search must try well. It is chosen while its weight, with one more
 * visit, is less than 0.8 times the weight of at least one other move. */
TEST(a_hint_is_chosen_while_its_weight_is_small) {
    SearchSettings settings = plain_settings();
    Search *search = search_made(&settings);
    add(search, 10, 0.5f);
    add(search, 6, -0.5f);
    EXPECT_INT(0, chosen(search));
    HintState *hint = search_state_of(search, &METHOD_HINT);
    hint->move = move_at_index(1, 3, 3);
    search_begin_methods(search);
    EXPECT_INT(1, chosen(search)); /* 6 + 1 < 8 */
    set(search, 1, 8, -0.5f);
    EXPECT_INT(0, chosen(search));
    search->settings.hint.weight = 0.95;
    EXPECT_INT(1, chosen(search));
    hint->move = move_at_index(0, 3, 3);
    EXPECT_INT(0, chosen(search));
    search_free(search);
}

/* The score is 0, the board scale 3, and the factor of the static score 1. So half a point is worth
 * 2/pi atan(0.5 / 6) = 0.05292. */
TEST(the_ending_bonus_enters_the_choice) {
    SearchSettings settings = plain_settings();
    settings.static_score_factor = 1;
    settings.ending_bonus = 0.5;
    Search *search = search_made(&settings);
    EndingState *ending = search_state_of(search, &METHOD_ENDING);
    add(search, 4, 0.1f);
    add(search, 4, 0.05f);
    ending->known = true;
    ending->points[0] = -0.5f;
    EXPECT_NEAR(-0.05292, search_move_bonus(search, root_edge(search, 0)), 2e-3);
    EXPECT_NEAR(0, search_move_bonus(search, root_edge(search, 1)), 1e-9);
    EXPECT_INT(1, chosen(search)); /* 0.0471 < 0.05 */
    set(search, 1, 4, 0.04f);
    EXPECT_INT(0, chosen(search));
    search_free(search);
}

/* The moves have 6 and 3 visits with the standard deviations 0.4 and 0.1, whose mean, weighted by
 * visits, is 0.3. With child_stdev_visits = 10, the factors of exploration are
 *     (10 + 6 * 4/3) / 16 = 1.125,   (10 + 3 * 1/3) / 13 = 0.8462
 * With E = sqrt(9.01) = 3.0017, E * 0.64 / 7 = 0.27444 becomes 0.30874, and E * 0.16 / 4 = 0.12007
 * becomes 0.10160. */
TEST(moves_of_uncertain_value_are_explored) {
    SearchSettings settings = plain_settings();
    settings.c_puct = 1;
    settings.child_stdev_visits = 10;
    Search *search = search_made(&settings);
    /* the two terms differ by 0.20714 with the method, and by 0.15437 without it */
    const float gaps[2] = {0.206f, 0.208f};
    add(search, 6, 0);
    add(search, 3, 0);
    EXPECT_TRUE(search->methods.changes_inner_choice);
    for (int i = 0; i < 2; i++) {
        set(search, 1, 3, gaps[i]);
        root_child(search, 0)->utility_sq = 0.16f;
        root_child(search, 1)->utility_sq = gaps[i] * gaps[i] + 0.01f;
        EXPECT_INT(i, chosen(search));
    }
    search->settings.child_stdev_visits = 0;
    set(search, 1, 3, 0.153f);
    EXPECT_INT(0, chosen(search));
    set(search, 1, 3, 0.155f);
    EXPECT_INT(1, chosen(search));
    search_free(search);
}

/* The regret is the mean of max(v - q, 0), where v is drawn from a distribution and q is the value
 * with which v is compared. For a normal distribution with mean m and deviation s, the regret is
 *     s phi(z) - (q - m) (1 - Phi(z)),   z = (q - m) / s
 * For q = m the regret is s / sqrt(2 pi). */
TEST(regret_of_normal_values) {
    EXPECT_NEAR(0.3989423, spread_normal_regret(0.2, 1, 0.2), 1e-6);
    EXPECT_NEAR(0.5 * 0.3989423, spread_normal_regret(-0.3, 0.5, -0.3), 1e-6);
    /* 0.2419707 - 1 * 0.1586553 for z = 1, and 0.2419707 + 1 * 0.8413447 for z = -1 */
    EXPECT_NEAR(0.0833155, spread_normal_regret(0, 1, 1), 1e-6);
    EXPECT_NEAR(1.0833155, spread_normal_regret(0, 1, -1), 1e-6);
    EXPECT_NEAR(0, spread_normal_regret(0.3, 0, 0.3), 1e-9);
    EXPECT_NEAR(0.2, spread_normal_regret(0.5, 0, 0.3), 1e-9);
}

static Spread spread_by(const SearchSettings *settings) {
    return (Spread){.settings = settings};
}

/* The README of lczero-training has the example of a move whose value is 1 with the probability 5%,
 * and otherwise 0. The mean is 0.05, and the regret 0.05 * 0.95 = 0.0475. In this test, the value 1
 * becomes 2/3, because the middles of three buckets are at -2/3, 0 and 2/3. So the regret is two
 * thirds of 0.0475. For Black, 0.95 of the visits are better than the mean, by two thirds of
 * 0.05. */
TEST(regret_of_a_rare_win_by_hand) {
    SearchSettings settings = plain_settings();
    settings.regret.rule = REGRET_POWER;
    settings.regret.spread = SPREAD_CATEGORICAL;
    settings.regret.buckets = 3;
    Spread spread = spread_by(&settings);
    Tree tree = {.limit_bytes = 1 << 20};
    EXPECT_INT(12, spread_bytes(&settings));
    tree_set_method_bytes(&tree, spread_bytes(&settings));
    tree_add(&tree, COLOR_WHITE);
    SpreadSum sum = {.spread = &spread, .tree = &tree, .weight = 20, .buckets = {0, 19, 1}};
    spread_end(&sum);
    EXPECT_NEAR(0.0475 * 2 / 3, spread_regret(&spread, &tree, 0, COLOR_WHITE, 0.05 * 2 / 3), 1e-5);
    EXPECT_NEAR(0.95 * 0.05 * 2 / 3, spread_regret(&spread, &tree, 0, COLOR_BLACK, -0.1 / 3), 1e-5);
    sum.buckets[1] = 0; /* all visits have the same value: no regret */
    sum.weight = 1;
    spread_end(&sum);
    EXPECT_NEAR(0, spread_regret(&spread, &tree, 0, COLOR_WHITE, 2.0 / 3), 1e-5);
    tree_free(&tree);
}

/* The node's own value is 0.2 with deviation 0.3 and weight 1. Its children have the means 0.5 and
 * -0.1, the variances 0.04 and 0.01, and the weights 2 and 1:
 *     mean   (0.2 + 1 - 0.1) / 4
 *     square (0.04 + 0.09 + 2 (0.25 + 0.04) + 0.01 + 0.01) / 4
 * With worse_only, only children count that are worse for the mover than the node's mean, 0.275:
 * the second for White, and the first for Black. */
TEST(distributions_are_averaged_over_the_tree) {
    SearchSettings settings = plain_settings();
    settings.regret.rule = REGRET_POWER;
    Spread spread = spread_by(&settings);
    const double means[3] = {1.1 / 4, 0.1 / 2, 1.2 / 3},
                 squares[3] = {0.73 / 4, 0.15 / 2, 0.71 / 3};
    for (int i = 0; i < 3; i++) {
        Tree tree = {.limit_bytes = 1 << 20};
        tree_set_method_bytes(&tree, spread_bytes(&settings));
        settings.regret.worse_only = i > 0;
        tree_add(&tree, i == 2 ? COLOR_BLACK : COLOR_WHITE);
        tree_add(&tree, COLOR_BLACK);
        tree_add(&tree, COLOR_BLACK);
        tree.nodes[0].own_weight = 1;
        tree.nodes[0].own_win_loss = 0.2f;
        tree.nodes[0].win_loss = 0.275f;
        tree.nodes[1].win_loss = 0.5f;
        tree.nodes[2].win_loss = -0.1f;
        spread_set_own(&spread, &tree, 0, 0.3);
        float *first = tree_method_data(&tree, 1), *second = tree_method_data(&tree, 2);
        first[1] = 0.5f;
        first[2] = 0.29f;
        second[1] = -0.1f;
        second[2] = 0.02f;
        SpreadSum sum = spread_begin(&spread, &tree, 0);
        spread_add(&sum, 1, 2);
        spread_add(&sum, 2, 1);
        spread_end(&sum);
        const float *got = tree_method_data(&tree, 0);
        EXPECT_NEAR(means[i], got[1], 1e-6);
        EXPECT_NEAR(squares[i], got[2], 1e-6);
        tree_free(&tree);
    }
}

/* A normal distribution of mean 0 and deviation 0.5 over four buckets has Phi(-1) = 0.1587 in each
 * of the outer ones and 0.3413 in each of the inner ones. Then a child with the value 0.6 is
 * averaged in. */
TEST(buckets_of_a_normal_distribution) {
    SearchSettings settings = plain_settings();
    settings.regret.rule = REGRET_POWER;
    settings.regret.spread = SPREAD_CATEGORICAL;
    settings.regret.buckets = 4;
    Spread spread = spread_by(&settings);
    Tree tree = {.limit_bytes = 1 << 20};
    tree_set_method_bytes(&tree, spread_bytes(&settings));
    for (int i = 0; i < 2; i++)
        tree_add(&tree, COLOR_WHITE);
    tree.nodes[0].own_weight = tree.nodes[1].own_weight = 1;
    tree.nodes[1].own_win_loss = 0.6f;
    tree.nodes[1].win_loss = 0.6f;
    spread_set_own(&spread, &tree, 0, 0.5);
    SpreadSum leaf = spread_begin(&spread, &tree, 1);
    spread_end(&leaf);
    SpreadSum sum = spread_begin(&spread, &tree, 0);
    spread_end(&sum);
    const uint16_t *got = (const uint16_t *)(void *)((float *)tree_method_data(&tree, 0) + 1);
    const double wanted[4] = {0.158655, 0.341345, 0.341345, 0.158655};
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(wanted[i], got[i] / 65535.0, 2e-5);
    spread_add(&sum, 1, 1);
    spread_end(&sum);
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR((wanted[i] + (i == 3)) / 2, got[i] / 65535.0, 2e-5);
    tree_free(&tree);
}

/* The net's 51 buckets become 3 buckets of 17 each, or 2 of 25.5 each. A node where the game is
 * over has all its weight in the bucket of its value. */
TEST(buckets_of_the_net) {
    for (int count = 2; count <= 3; count++) {
        SearchSettings settings = plain_settings();
        settings.regret.rule = REGRET_POWER;
        settings.regret.spread = SPREAD_NET;
        settings.regret.buckets = count;
        Spread spread = spread_by(&settings);
        Tree tree = {.limit_bytes = 1 << 20};
        EXPECT_INT(4 + (count == 2 ? 8 : 12), spread_bytes(&settings));
        tree_set_method_bytes(&tree, spread_bytes(&settings));
        tree_add(&tree, COLOR_WHITE);
        tree_add(&tree, COLOR_WHITE);
        float from[EVALUATION_BUCKETS] = {[3] = 0.25f, [25] = 0.5f, [50] = 0.25f};
        spread_set_own_buckets(&spread, &tree, 0, from);
        tree.nodes[0].own_weight = 2;
        tree.nodes[1].own_weight = 1;
        tree.nodes[1].own_win_loss = -1;
        tree.nodes[1].state = NODE_TERMINAL;
        tree.nodes[1].visits = 1;
        SpreadSum end = spread_begin(&spread, &tree, 1);
        spread_end(&end);
        SpreadSum sum = spread_begin(&spread, &tree, 0);
        spread_add(&sum, 1, 2);
        spread_end(&sum);
        const uint16_t *got = (const uint16_t *)(void *)((float *)tree_method_data(&tree, 0) + 1);
        const double wanted[2][3] = {{0.5, 0.5}, {0.25, 0.5, 0.25}};
        for (int i = 0; i < count; i++)
            EXPECT_NEAR((wanted[count - 2][i] + (i == 0)) / 2, got[i] / 65535.0, 4e-5);
        tree_free(&tree);
    }
}

/* The node has N = 6. The first move has the value 0 and 4 visits, and the second has the value
 * -0.2 and 1 visit. The deviation of the second move is 0.3, so its regret is
 *     R' = 0.39894 * 0.3 = 0.11968
 * For each rule with the weight w, the test finds the deviation of the first move at which both
 * moves are worth the same. R is the regret of the first move at this deviation:
 *     explore: R / 8 = R'
 *     strong:  w 6 R / 8 = w 6 R' - 0.2
 *     power:   w 6^0.6 R / 4 = w 6^0.6 R' - 0.2,   6^0.6 = 2.93016 */
TEST(the_three_rules_of_regret) {
    const RegretRule rules[3] = {REGRET_EXPLORE, REGRET_STRONG, REGRET_POWER};
    const float weights[3] = {5, 3, 6}; /* the first does not matter */
    for (int i = 0; i < 3; i++) {
        SearchSettings settings = plain_settings();
        settings.regret.rule = rules[i];
        settings.regret.weight = (double)weights[i];
        Search *search = search_made(&settings);
        add(search, 4, 0);
        add(search, 1, -0.2f);
        double n = rules[i] == REGRET_POWER ? 4 : 8,
               factor = (double)weights[i] * (i == 2 ? 2.93016 : 6);
        /* The formulas above, divided by w 6 or w 6^0.6 (`factor`), with 8 or 4 as n:
         *     R / n = R',   or for the other two rules   R / n = R' - 0.2 / factor */
        double regret = n * (0.3 * 0.3989423 - (i ? 0.2 / factor : 0)), limit = regret / 0.3989423;
        float *first = tree_method_data(&search->tree, root_edge(search, 0)->child),
              *second = tree_method_data(&search->tree, root_edge(search, 1)->child);
        second[1] = -0.2f;
        second[2] = 0.04f + 0.09f;
        first[2] = (float)(limit * limit * 1.01 * 1.01);
        EXPECT_INT(0, chosen(search));
        first[2] = (float)(limit * limit * 0.99 * 0.99);
        EXPECT_INT(1, chosen(search));
        search_free(search);
    }
}

/* With a net that gives no short-term errors the search fails. With a net that gives them it
 * runs. */
TEST(regret_needs_short_term_errors) {
    SearchSettings settings = plain_settings();
    settings.regret.rule = REGRET_POWER;
    MadeUp evaluator = made_up(1, point_at(1, 1));
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    Driver *driver = NULL;
    Error error;
    EXPECT_OK(driver_new(&evaluator.base, &driver, err));
    search_begin(search, &(SearchLimits){.visits = 20});
    EXPECT_STATUS(ERR_ARGUMENT, driver_run(driver, search, &(DriverRun){0}, &error));
    EXPECT_CONTAINS(error.message, "short-term");
    evaluator.error = 0.1f;
    search_clear_tree(search);
    search_begin(search, &(SearchLimits){.visits = 20});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    EXPECT_INT(20, search_root_visits(search));
    driver_free(driver);
    search_free(search);
}

/* The distribution of the net's head value_buckets is used. Without this head the search fails. The
 * buckets of the net hold values of the mover, and those of the node hold values of White. So with
 * Black to move, the last bucket but one of the net becomes the second bucket of the node. */
TEST(distributions_of_the_net_are_searched) {
    SearchSettings settings = plain_settings();
    settings.regret.rule = REGRET_POWER;
    settings.regret.spread = SPREAD_NET;
    settings.regret.buckets = EVALUATION_BUCKETS;
    MadeUp evaluator = made_up(1, point_at(1, 1));
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    Driver *driver = NULL;
    Error error;
    EXPECT_OK(driver_new(&evaluator.base, &driver, err));
    search_begin(search, &(SearchLimits){.visits = 20});
    EXPECT_STATUS(ERR_ARGUMENT, driver_run(driver, search, &(DriverRun){0}, &error));
    EXPECT_CONTAINS(error.message, "value_buckets");
    evaluator.buckets = true;
    search_clear_tree(search);
    search_begin(search, &(SearchLimits){.visits = 1});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    const uint16_t *got =
        (const uint16_t *)(void *)((float *)tree_method_data(&search->tree, 0) + 1);
    bool black = search->tree.nodes[0].mover == COLOR_BLACK;
    EXPECT_INT(65535, got[black ? 1 : EVALUATION_BUCKETS - 2]);
    search_begin(search, &(SearchLimits){.visits = 20});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    EXPECT_INT(20, search_root_visits(search));
    driver_free(driver);
    search_free(search);
}

/* Below the root, White has gained 0.6 - 0.1 = 0.5, which is more than the threshold of 0.4. So the
 * value of the most visited move is raised by 0.1 * 0.5 = 0.05. With decay = 10 and 10 visits of
 * the node, it is raised by half of that. */
TEST(questionable_lines_prefer_the_most_visited_move) {
    SearchSettings settings = plain_settings();
    settings.questionable.weight = 0.1;
    settings.questionable.threshold = 0.4;
    Search *search = search_made(&settings);
    EXPECT_TRUE(search->methods.changes_inner_choice);
    add(search, 6, 0.5f);
    add(search, 3, 0.54f);
    uint32_t inner = tree_add(&search->tree, COLOR_WHITE);
    search->tree.nodes[inner] = search->tree.nodes[0]; /* a node below the root with its moves */
    search->tree.nodes[0].utility = 0.1f;
    search->tree.nodes[inner].utility = 0.6f;
    EXPECT_INT(1, chosen(search)); /* nothing is raised at the root */
    EXPECT_INT(0, search_select_by_methods(search, &search->root, inner));
    set(search, 1, 3, 0.56f);
    EXPECT_INT(1, search_select_by_methods(search, &search->root, inner));
    set(search, 1, 3, 0.53f);
    search->settings.questionable.decay = 10; /* raised by .025 */
    EXPECT_INT(1, search_select_by_methods(search, &search->root, inner));
    set(search, 1, 3, 0.52f);
    EXPECT_INT(0, search_select_by_methods(search, &search->root, inner));
    search->tree.nodes[inner].utility = 0.49f; /* the gain is below the threshold */
    EXPECT_INT(1, search_select_by_methods(search, &search->root, inner));
    search_free(search);
}

/* The node's own visit has the weight 1, and each of the three visits of its child has the weight
 * 4. The sum of the weights, 13, is multiplied by 4/13, so that it becomes the number of visits.
 * The sum of the squared weights, 49, is multiplied by (4/13)^2. */
TEST(weights_normalised_to_visits) {
    SearchSettings settings = plain_settings();
    settings.uncertainty.normalise = true;
    Search *search = search_made(&settings);
    add(search, 3, 0.4f);
    root_child(search, 0)->weight = 12;
    root_child(search, 0)->weight_sq = 48;
    puct_recompute(&search->frame, &search->tree, 0, true);
    const Node *root = search->tree.nodes;
    EXPECT_NEAR(4, root->weight, 1e-6);
    EXPECT_NEAR(49.0 * 16 / 169, root->weight_sq, 1e-5);
    EXPECT_NEAR(12 * 0.4 / 13, root->utility, 1e-6);
    search_free(search);
}

TEST_MAIN(RUN(buckets_of_the_net), RUN(distributions_of_the_net_are_searched),
          RUN(without_methods_the_choice_is_that_of_puct), RUN(wide_noise_flattens_priors),
          RUN(wide_noise_lifts_values), RUN(moves_that_cannot_catch_up_are_futile),
          RUN(futility_counts_weight), RUN(a_hint_is_chosen_while_its_weight_is_small),
          RUN(the_ending_bonus_enters_the_choice), RUN(moves_of_uncertain_value_are_explored),
          RUN(regret_of_normal_values), RUN(regret_of_a_rare_win_by_hand),
          RUN(distributions_are_averaged_over_the_tree), RUN(buckets_of_a_normal_distribution),
          RUN(the_three_rules_of_regret), RUN(regret_needs_short_term_errors),
          RUN(questionable_lines_prefer_the_most_visited_move), RUN(weights_normalised_to_visits))
