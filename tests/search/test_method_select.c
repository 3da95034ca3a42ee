/* Choices that go beyond PUCT, by hand, on roots that were made by hand. White moves unless a test
 * says otherwise; E is PUCT's exploration, 0 without c_puct. */
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

/* Two moves with priors .64 and .16 and nothing else, no child yet. */
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

/* Without anything special the choice is PUCT's. */
TEST(off_is_puct) {
    SearchSettings settings = plain_settings();
    settings.c_puct = 1.1;
    settings.forced_playouts = 2;
    Search *search = search_made(&settings);
    EXPECT_FALSE(search->methods.changes_inner_choice || search->methods.changes_root_choice);
    EXPECT_INT(0, chosen(search)); /* the best move without a node */
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

/* w = .25: priors to the power 1 / 2: .8 / 5 = .16 against .4 / 2 = .2; before .128 against .08.
 * E = 100 sqrt(5.01) drowns the noise. */
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

/* Half of the times each value gets .25 |n|: P(b > a + .1) = (P(|n| > .4) + P(|n| > .4 + |m|)) / 4
 * = (.6892 + .3021) / 4 = .2478. */
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

/* 60 and 10 visits, 29 are left of 100; the second has the better value. It needs
 * share 60 (10 + 1) / (10 + 1) visits: 39 < .7 60 is futile, 39 < .6 60 is not. */
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
    search->limits.visits = 104; /* 33 left: 43 visits */
    EXPECT_INT(1, chosen(search));
    search->limits.visits = 0;
    search->limits.playouts = 50; /* 21 of them were made: 29 left */
    search->playouts = 21;
    EXPECT_INT(0, chosen(search));
    search->playouts = 17;
    EXPECT_INT(1, chosen(search));
    search->limits.playouts = 0; /* nobody knows how many */
    EXPECT_INT(1, chosen(search));
    search_free(search);
}

/* Visits weigh 2 each at the second: (10 + 1) / (20 + 1) visits a weight, 60 of them are 31.4. */
TEST(futility_counts_weight) {
    SearchSettings settings = plain_settings();
    settings.futile_visits = 1;
    Search *search = search_made(&settings);
    add(search, 60, 0.1f);
    add(search, 10, 0.5f);
    root_edge(search, 1)->weight = 20;
    search->limits.visits = 92; /* 21 left */
    EXPECT_INT(0, chosen(search));
    search->limits.visits = 93; /* 22 left: 32 */
    EXPECT_INT(1, chosen(search));
    search_free(search);
}

/* The hint has priority while its weight and one visit's are below .8 of another's. */
TEST(a_hint_is_looked_at) {
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

/* Score 0, edge 3, static factor 1: half a point less is worth 2/pi atan(.5 / 6) = .05292. */
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
    EXPECT_INT(1, chosen(search)); /* .0471 < .05 */
    set(search, 1, 4, 0.04f);
    EXPECT_INT(0, chosen(search));
    search_free(search);
}

/* Deviations .4 and .1 of 6 and 3 visits, mean .3. With 10 visits of the prior: (10 + 6 4/3) / 16 =
 * 1.125 and (10 + 3/3) / 13 = .8462. E = sqrt(9.01) = 3.0017: E .64 / 7 = .27444 becomes .30874,
 * E .16 / 4 = .12007 becomes .10160. */
TEST(moves_of_uncertain_value_are_explored) {
    SearchSettings settings = plain_settings();
    settings.c_puct = 1;
    settings.child_stdev_visits = 10;
    Search *search = search_made(&settings);
    const float gaps[2] = {0.206f, 0.208f}; /* the factors differ by .20714, plain ones by .15437 */
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

/* s phi(z) - (q - m) (1 - Phi(z)); at q = m: s / sqrt(2 pi). */
TEST(regret_of_normal_values) {
    EXPECT_NEAR(0.3989423, spread_normal_regret(0.2, 1, 0.2), 1e-6);
    EXPECT_NEAR(0.5 * 0.3989423, spread_normal_regret(-0.3, 0.5, -0.3), 1e-6);
    /* z = 1: .2419707 - 1 .1586553; z = -1: that + 1 */
    EXPECT_NEAR(0.0833155, spread_normal_regret(0, 1, 1), 1e-6);
    EXPECT_NEAR(1.0833155, spread_normal_regret(0, 1, -1), 1e-6);
    EXPECT_NEAR(0, spread_normal_regret(0.3, 0, 0.3), 1e-9);
    EXPECT_NEAR(0.2, spread_normal_regret(0.5, 0, 0.3), 1e-9);
}

static Spread spread_by(const SearchSettings *settings) {
    return (Spread){.settings = settings};
}

/* The page's arm: 1 with 5 %, else 0, mean .05: R = .05 .95 = .0475. Three buckets have their
 * middles at -2/3, 0, 2/3: two thirds of that. And mirrored for Black. */
TEST(regret_of_the_arm_of_the_page) {
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
    sum.buckets[1] = 0; /* all in one point: nothing to regret */
    sum.weight = 1;
    spread_end(&sum);
    EXPECT_NEAR(0, spread_regret(&spread, &tree, 0, COLOR_WHITE, 2.0 / 3), 1e-5);
    tree_free(&tree);
}

/* Own value .2 with deviation .3, weight 1; children of mean .5 and -.1 and variance .04, .01, with
 * weights 2 and 1: mean (.2 + 1 - .1) / 4, square (.04 + .09 + 2 (.25 + .04) + .01 + .01) / 4. For
 * White only the second is worse than .275; for Black only the first. */
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

/* A normal distribution of mean 0 and deviation .5 over four buckets: Phi(-1) = .1587 in each end,
 * .3413 in each of the middle ones; and in the mean with a child. */
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

/* The net's 51 buckets become 3 buckets of 17 each, or 2 of 25.5 each. A game that is over has its
 * own value instead. */
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

/* Values 0 and -.2 with 4 and 1 visits, N = 6; deviations s and .3, so that R = .39894 s.
 * explore: R / 8 against R' = .11968; strong: .1 6 R / 8 against .1 6 R' - .2; power (tau .6):
 * .1 6^.6 R / 4 = .0073254 (R / .1) ... against .1 6^.6 R' - .2, 6^.6 = 2.93016. */
TEST(the_three_rules_of_regret) {
    const RegretRule rules[3] = {REGRET_EXPLORE, REGRET_STRONG, REGRET_POWER};
    const float weights[3] = {5, 3, 6}; /* of the first no matter */
    for (int i = 0; i < 3; i++) {
        SearchSettings settings = plain_settings();
        settings.regret.rule = rules[i];
        settings.regret.weight = (double)weights[i];
        Search *search = search_made(&settings);
        add(search, 4, 0);
        add(search, 1, -0.2f);
        double n = rules[i] == REGRET_POWER ? 4 : 8,
               factor = (double)weights[i] * (i == 2 ? 2.93016 : 6);
        /* where both are worth the same: R / n = R' - .2 / factor, or R / n = R' */
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

/* Nets without short-term errors are refused, others are searched. */
TEST(regret_wants_short_term_errors) {
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

/* Where the net is sure of a high value for the mover, White's distribution at a node of Black has
 * a low one. */
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

/* Below the root: White has gained .6 - .1 = .5 over a threshold of .4. The most visited move is
 * raised by .1 .5 = .05; halved by 10 visits of the node at a decay of 10. */
TEST(questionable_lines_keep_to_one_answer) {
    SearchSettings settings = plain_settings();
    settings.questionable.weight = 0.1;
    settings.questionable.threshold = 0.4;
    Search *search = search_made(&settings);
    EXPECT_TRUE(search->methods.changes_inner_choice);
    add(search, 6, 0.5f);
    add(search, 3, 0.54f);
    uint32_t inner = tree_add(&search->tree, COLOR_WHITE);
    search->tree.nodes[inner] = search->tree.nodes[0]; /* the same moves, below the root */
    search->tree.nodes[0].utility = 0.1f;
    search->tree.nodes[inner].utility = 0.6f;
    EXPECT_INT(1, chosen(search)); /* not at the root */
    EXPECT_INT(0, search_select_by_methods(search, &search->root, inner));
    set(search, 1, 3, 0.56f);
    EXPECT_INT(1, search_select_by_methods(search, &search->root, inner));
    set(search, 1, 3, 0.53f);
    search->settings.questionable.decay = 10; /* raised by .025 */
    EXPECT_INT(1, search_select_by_methods(search, &search->root, inner));
    set(search, 1, 3, 0.52f);
    EXPECT_INT(0, search_select_by_methods(search, &search->root, inner));
    search->tree.nodes[inner].utility = 0.49f; /* too little was gained */
    EXPECT_INT(1, search_select_by_methods(search, &search->root, inner));
    search_free(search);
}

/* Weights of 4 and 2 a visit: 1 + 12 over 4 visits becomes 4, the square in proportion. */
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

TEST_MAIN(RUN(buckets_of_the_net), RUN(distributions_of_the_net_are_searched), RUN(off_is_puct),
          RUN(wide_noise_flattens_priors), RUN(wide_noise_lifts_values),
          RUN(moves_that_cannot_catch_up_are_futile), RUN(futility_counts_weight),
          RUN(a_hint_is_looked_at), RUN(the_ending_bonus_enters_the_choice),
          RUN(moves_of_uncertain_value_are_explored), RUN(regret_of_normal_values),
          RUN(regret_of_the_arm_of_the_page), RUN(distributions_are_averaged_over_the_tree),
          RUN(buckets_of_a_normal_distribution), RUN(the_three_rules_of_regret),
          RUN(regret_wants_short_term_errors), RUN(questionable_lines_keep_to_one_answer),
          RUN(weights_normalised_to_visits))
