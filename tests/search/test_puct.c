/* The choice of moves by PUCT and the averages of nodes. All numbers were worked out by hand from
 * the formulas in puct.h and puct.c. E is the exploration and W the weight of all moves. A and B
 * are the first and the second move. */
#include "search/select/puct.h"
#include "search/tree/search_presets.h"
#include "test.h"

typedef struct {
    SearchSettings settings;
    Frame frame;
    Tree tree;
} Example;

/* Makes a root with five moves and settings in which all options of PUCT and of averages are
 * off. */
static void example_init(Example *example, Color mover) {
    SearchSettings *s = &example->settings;
    search_preset_begin(SEARCH_PRESET_PLAY, s);
    s->c_puct = 1.1;
    s->c_puct_log = s->c_puct_stdev_scale = 0;
    s->static_score_factor = s->dynamic_score_factor = 0;
    s->fpu.reduction = s->fpu.root_reduction = 0;
    s->fpu.parent_by_visited_policy = false;
    s->value_weight_exponent = 0;
    s->noise_pruning.on = s->uncertainty.on = false;
    example->frame = (Frame){.settings = s, .board_scale = 19};
    example->tree = (Tree){.limit_bytes = 1u << 20, .move_count = 5};
    float policy[5] = {0.5f, 0.25f, 0.125f, 0.0625f, 0.0625f};
    tree_add(&example->tree, mover);
    EXPECT_TRUE(tree_set_policy(&example->tree, 0, policy, true));
    Node *root = example->tree.nodes;
    root->state = NODE_EXPANDED;
    root->visits = 1;
    root->own_weight = 1;
}

/* Adds a child for the next move, and recomputes the root. The child's win - loss is its
 * utility. */
static void add(Example *example, int visits, float weight, float white_utility) {
    int index = tree_add_child(&example->tree, 0, color_other((Color)example->tree.nodes[0].mover));
    Edge *edge = &example->tree.edges[example->tree.nodes[0].edges + (uint32_t)index];
    Node *child = &example->tree.nodes[edge->child];
    edge->visits = child->visits = visits;
    child->weight = child->weight_sq = weight;
    child->utility = child->win_loss = white_utility;
    child->utility_sq = white_utility * white_utility;
    child->lead = 10 * white_utility;
    example->tree.nodes[0].visits += visits;
    puct_recompute(&example->frame, &example->tree, 0, true);
}

static Edge *edge_at(Example *example, int index) {
    return &example->tree.edges[example->tree.nodes[0].edges + (uint32_t)index];
}

TEST(exploration) {
    Example e;
    example_init(&e, COLOR_WHITE);
    Node node = {.visits = 11, .weight = 11, .utility = 0.3f, .utility_sq = 0.25f};
    EXPECT_NEAR(1.1 * sqrt(10.01), puct_exploration(&e.frame, &node, 10), 1e-6);
    e.settings.c_puct = 1;
    e.settings.c_puct_log = 0.45; /* (1 + 0.45 ln(510 / 500)) sqrt(10.01) */
    EXPECT_NEAR(3.192052, puct_exploration(&e.frame, &node, 10), 1e-5);
    e.settings.c_puct_stdev_scale =
        0.85; /* the deviation is sqrt(((0.09 + 0.16) 2 + 0.25 * 11) / 12 - 0.09) = 0.425245 */
    EXPECT_NEAR(3.363292, puct_exploration(&e.frame, &node, 10), 1e-5);
    /* A weight of 1 is too small to estimate a deviation. So the deviation is c_puct_stdev_prior,
     * and the factor is 1. */
    node.weight = 1;
    EXPECT_NEAR(3.192052, puct_exploration(&e.frame, &node, 10), 1e-5);
    node =
        (Node){.visits = 11, .weight = 11, .utility = 0.3f, .utility_sq = 0}; /* counts as 0.3^2 */
    double deviation = sqrt((0.25 * 2 + 0.09 * 11) / 12 - 0.09);
    EXPECT_NEAR(3.192052 * (1 + 0.85 * (deviation / 0.4 - 1)),
                puct_exploration(&e.frame, &node, 10), 1e-5);
    tree_free(&e.tree);
}

TEST(first_play_urgency) {
    Example e;
    example_init(&e, COLOR_WHITE);
    search_preset_begin(SEARCH_PRESET_PLAY, &e.settings);
    Node node = {
        .mover = COLOR_WHITE, .utility = 0.2f, .own_utility = 0.6f, .visited_policy = 0.5f};
    /* The moves with visits have 0.5 of the policy, and parent_pow is 2. So the mean utility 0.2
     * has the factor 0.5^2 = 0.25, and the own utility 0.6 the factor 1 - 0.25:
     *     0.25 * 0.2 + 0.75 * 0.6 = 0.5
     * From this 0.2 sqrt(0.5) is subtracted. At the root, only 0.1 sqrt(0.5) is subtracted. */
    EXPECT_NEAR(0.358579, puct_unvisited_value(&e.frame, &node, false), 1e-5);
    EXPECT_NEAR(0.429289, puct_unvisited_value(&e.frame, &node, true), 1e-5);
    e.settings.fpu.parent_pow = 1; /* 0.5 * 0.2 + 0.5 * 0.6 = 0.4 */
    EXPECT_NEAR(0.4 - 0.141421, puct_unvisited_value(&e.frame, &node, false), 1e-5);
    e.settings.fpu.parent_by_visited_policy = false;
    EXPECT_NEAR(0.2 - 0.141421, puct_unvisited_value(&e.frame, &node, false), 1e-5);
    e.settings.fpu.loss_fraction = 0.1; /* a tenth of the way to the worst utility, -1.4 */
    EXPECT_NEAR(0.058579 - 0.1458579, puct_unvisited_value(&e.frame, &node, false), 1e-5);
    node.mover = COLOR_BLACK; /* the reductions are in White's favour */
    EXPECT_NEAR(0.341421 + 0.1058579, puct_unvisited_value(&e.frame, &node, false), 1e-5);
    tree_free(&e.tree);
}

/* E = 1.1 sqrt(5.01) = 2.4621. Move A is worth 0.1 + E * 0.5 / 5 = 0.34621, and move B with the
 * utility u is worth u + E * 0.25 / 2 = u + 0.30777. A new move is worth the parent's utility plus
 * E * 0.125. */
TEST(select_weighs_value_and_prior) {
    for (Color mover = COLOR_BLACK; mover <= COLOR_WHITE; mover++) {
        const float side = mover == COLOR_WHITE ? 1 : -1, values[3] = {0.04f, 0.03f, 0.07f};
        const int wanted[3] = {1, 0, 1};
        for (int i = 0; i < 3; i++) {
            Example e;
            example_init(&e, mover);
            add(&e, 4, 4, side * 0.1f);
            add(&e, 1, 1, side * values[i]);
            e.tree.nodes[0].utility = side * 0.03f; /* a new move is worth 0.33777 */
            EXPECT_INT(wanted[i], puct_select(&e.frame, &e.tree, 0, true));
            e.tree.nodes[0].utility = side * 0.06f; /* 0.36777: more than A, and than B if i < 2 */
            EXPECT_INT(i == 2 ? 1 : 2, puct_select(&e.frame, &e.tree, 0, true));
            edge_at(&e, 1)->prior = -1; /* B is illegal */
            e.tree.nodes[0].utility = side * -1.0f;
            EXPECT_INT(0, puct_select(&e.frame, &e.tree, 0, true));
            tree_free(&e.tree);
        }
    }
}

TEST(without_moves_none_is_selected) {
    Tree tree = {.limit_bytes = 1u << 16, .move_count = 2};
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    Frame frame = {.settings = &settings, .board_scale = 1};
    float none[2] = {-1, -1};
    tree_add(&tree, COLOR_BLACK);
    EXPECT_TRUE(tree_set_policy(&tree, 0, none, true));
    EXPECT_INT(-1, puct_select(&frame, &tree, 0, true));
    tree_free(&tree);
}

/* Move B has the weight 1 and the utility 0.6. With one descent under way, it has the weight 2, and
 * its utility goes halfway to -1: 0.6 - 1.6 / 2 = -0.2. Then W = 6 and
 *     E = 1.1 sqrt(6.01) = 2.69668
 * B is worth -0.2 + 0.25 E / 3 = 0.02472. A has the weight 4 and the utility u, so it is worth
 * u + 0.5 E / 5 = u + 0.26967. */
TEST(descents_under_way_count_as_losses) {
    Example e;
    example_init(&e, COLOR_WHITE);
    add(&e, 4, 4, -0.24f);
    add(&e, 1, 1, 0.6f);
    e.tree.nodes[0].next = 0; /* no other moves */
    EXPECT_INT(1, puct_select(&e.frame, &e.tree, 0, true));
    edge_at(&e, 1)->waiting = 1;
    EXPECT_INT(0, puct_select(&e.frame, &e.tree, 0, true)); /* A is worth 0.02967 */
    edge_at(&e, 0)->utility = -0.25f;                       /* 0.01967 */
    EXPECT_INT(1, puct_select(&e.frame, &e.tree, 0, true));
    tree_free(&e.tree);
}

/* At the root, a visited move is forced while its weight is below
 *     sqrt(k P N) = sqrt(2 * 0.25 * 24) = 3.4641
 * k is the setting forced_playouts, P the prior of the move, and N the weight of all moves. */
TEST(forced_playouts) {
    Example e;
    example_init(&e, COLOR_WHITE);
    e.settings.forced_playouts = 2;
    add(&e, 21, 21, 0.9f);
    add(&e, 3, 3, -0.9f);
    e.tree.nodes[0].next = 0; /* no other moves */
    EXPECT_INT(1, puct_select(&e.frame, &e.tree, 0, true));
    EXPECT_INT(0, puct_select(&e.frame, &e.tree, 0, false));
    edge_at(&e, 1)->weight = 3.55f; /* above the bound, which is 3.5036 here */
    EXPECT_INT(0, puct_select(&e.frame, &e.tree, 0, true));
    edge_at(&e, 1)->weight = 3.45f;
    EXPECT_INT(1, puct_select(&e.frame, &e.tree, 0, true));
    edge_at(&e, 1)->waiting = 1; /* a descent under way counts */
    EXPECT_INT(0, puct_select(&e.frame, &e.tree, 0, true));
    e.settings.forced_playouts = 0;
    edge_at(&e, 1)->waiting = 0;
    EXPECT_INT(0, puct_select(&e.frame, &e.tree, 0, true));
    tree_free(&e.tree);
}

/* Makes a root whose own evaluation has the value 0.2 and the weight 1, and two children: 0.5 with
 * weight 4 and -0.5 with weight 1. */
static void average_example(Example *e, Color mover) {
    float side = mover == COLOR_WHITE ? 1 : -1;
    example_init(e, mover);
    Node *root = e->tree.nodes;
    root->own_win_loss = side * 0.2f;
    root->own_lead = side * 2;
    puct_set_own_utility(&e->frame, root);
    EXPECT_NEAR(side * 0.2f, root->own_utility, 1e-7);
    add(e, 4, 4, side * 0.5f);
    add(e, 1, 1, side * -0.5f);
}

TEST(plain_average) {
    Example e;
    average_example(&e, COLOR_WHITE);
    const Node *root = e.tree.nodes;
    EXPECT_NEAR(1.7 / 6, root->utility, 1e-6);
    EXPECT_NEAR(1.7 / 6, root->win_loss, 1e-6);
    EXPECT_NEAR(17.0 / 6, root->lead, 1e-5);
    EXPECT_NEAR((0.04 + 4 * 0.25 + 0.25) / 6, root->utility_sq, 1e-6);
    EXPECT_NEAR(6, root->weight, 1e-6);
    EXPECT_NEAR(6, root->weight_sq, 1e-6);
    tree_free(&e.tree);
}

/* The children have the mean 0.3, so z is 0.2 / sqrt(1/3) and -0.8 / sqrt(2/3). Their weights are
 * multiplied by F(z)^exponent, where F is Student's distribution with 3 degrees of freedom, and
 * scaled to the sum 5 again. */
TEST(bad_children_count_less) {
    const float exponents[3] = {0.25f, 0.5f, 1};
    const double utilities[3] = {0.318095, 0.346729, 0.388245},
                 squares[3] = {6.054376, 6.180857, 6.495288};
    for (Color mover = COLOR_BLACK; mover <= COLOR_WHITE; mover++) {
        double side = mover == COLOR_WHITE ? 1 : -1;
        for (int i = 0; i < 3; i++) {
            Example e;
            average_example(&e, mover);
            e.settings.value_weight_exponent = (double)exponents[i];
            puct_recompute(&e.frame, &e.tree, 0, true);
            EXPECT_NEAR(side * utilities[i], e.tree.nodes[0].utility, 1e-4);
            EXPECT_NEAR(6, e.tree.nodes[0].weight, 1e-5);
            EXPECT_NEAR(squares[i], e.tree.nodes[0].weight_sq, 1e-3);
            tree_free(&e.tree);
        }
    }
}

/* The second child is 0.5 worse than the first. By its prior, the second child may have the weight
 * 2 * 2 * 0.25 / 0.5 = 2, but it has the weight 6. Of the surplus of 4, this fraction is removed:
 *     1 - exp(-0.5 / 0.15)
 * This leaves the weight 2.142696. */
TEST(noise_pruning_takes_surplus_weight) {
    Example e;
    example_init(&e, COLOR_WHITE);
    e.tree.nodes[0].own_utility = 0.2f;
    add(&e, 2, 2, 0.4f);
    add(&e, 6, 6, -0.1f);
    EXPECT_NEAR(9, e.tree.nodes[0].weight, 1e-6);
    e.settings.noise_pruning.on = true;
    puct_recompute(&e.frame, &e.tree, 0, true);
    EXPECT_NEAR(5.142696, e.tree.nodes[0].weight, 1e-5);
    EXPECT_NEAR((0.2 + 0.8 - 0.2142696) / 5.142696, e.tree.nodes[0].utility, 1e-5);
    e.settings.noise_pruning.scale = 0.5; /* leaves 6 - 4 (1 - 1/e) */
    puct_recompute(&e.frame, &e.tree, 0, true);
    EXPECT_NEAR(3 + 6 - 4 * (1 - exp(-1)), e.tree.nodes[0].weight, 1e-5);
    edge_at(&e, 1)->prior = 0.75f; /* it may have the weight 6, so nothing is removed */
    puct_recompute(&e.frame, &e.tree, 0, true);
    EXPECT_NEAR(9, e.tree.nodes[0].weight, 1e-5);
    tree_free(&e.tree);
}

/* If the root has noise, a child with a weight below min(move_prune, 2) is left out of the average,
 * and min(move_subtract, 2) is subtracted from all weights. Here 2 is 1/64 of the largest weight,
 * which is 128 in this test. */
TEST(visits_by_noise_do_not_count_at_a_noised_root) {
    Example e;
    example_init(&e, COLOR_WHITE);
    add(&e, 128, 128, 0.5f);
    add(&e, 1, 1, -1);
    e.settings.noise.on = true;
    e.settings.move_prune = 1.5;
    puct_recompute(&e.frame, &e.tree, 0, true);
    EXPECT_NEAR(129, e.tree.nodes[0].weight, 1e-4);
    EXPECT_NEAR(64.0 / 129, e.tree.nodes[0].utility, 1e-5);
    puct_recompute(&e.frame, &e.tree, 0, false); /* only at the root */
    EXPECT_NEAR(130, e.tree.nodes[0].weight, 1e-4);
    e.settings.move_prune = 0;
    e.settings.move_subtract = 0.5;
    puct_recompute(&e.frame, &e.tree, 0, true);
    EXPECT_NEAR(1 + 127.5 + 0.5, e.tree.nodes[0].weight, 1e-4);
    tree_free(&e.tree);
}

/* The slopes of the score utility at 0 are 0.63662 / 38 (static) and 0.63662 / 14.25 (dynamic). The
 * sum of both, each times the factor of its utility, is 0.0150778. The net expects an error of 0.1
 * in win - loss and of 5 points in the score. So the expected error of the utility is
 *     0.1 + 0.0150778 * 5 = 0.175389 */
TEST(uncertain_evaluations_weigh_less) {
    Example e;
    example_init(&e, COLOR_WHITE);
    search_preset_begin(SEARCH_PRESET_PLAY, &e.settings);
    EXPECT_NEAR(1.209839, puct_leaf_weight(&e.frame, 0.1, 5, 0), 1e-4);
    EXPECT_NEAR(8, puct_leaf_weight(&e.frame, 0, 0, 0), 1e-6);
    EXPECT_NEAR(1, puct_leaf_weight(&e.frame, -1, -1, 0), 0);
    EXPECT_NEAR(0.25 / (0.1 + 0.25 / 8), puct_leaf_weight(&e.frame, 0.1, 0, 0), 1e-6);
    e.settings.uncertainty.exponent = 2;
    EXPECT_NEAR(0.25 / (0.01 + 0.25 / 8), puct_leaf_weight(&e.frame, 0.1, 0, 0), 1e-5);
    e.settings.uncertainty.max_weight = 4;
    EXPECT_NEAR(4, puct_leaf_weight(&e.frame, 0, 0, 0), 1e-6);
    e.settings.uncertainty.on = false;
    EXPECT_NEAR(1, puct_leaf_weight(&e.frame, 0.1, 5, 0), 0);
    tree_free(&e.tree);
}

TEST(an_edge_has_its_fraction_of_its_child) {
    Example e;
    example_init(&e, COLOR_WHITE);
    add(&e, 4, 6, 0);
    EXPECT_NEAR(6, puct_edge_weight(&e.tree, edge_at(&e, 0)), 1e-6);
    edge_at(&e, 0)->visits = 2; /* the other two visits came from another parent */
    EXPECT_NEAR(3, puct_edge_weight(&e.tree, edge_at(&e, 0)), 1e-6);
    edge_at(&e, 0)->visits = 0;
    EXPECT_NEAR(0, puct_edge_weight(&e.tree, edge_at(&e, 0)), 0);
    tree_free(&e.tree);
}

TEST_MAIN(RUN(exploration), RUN(first_play_urgency), RUN(select_weighs_value_and_prior),
          RUN(without_moves_none_is_selected), RUN(descents_under_way_count_as_losses),
          RUN(forced_playouts), RUN(plain_average), RUN(bad_children_count_less),
          RUN(noise_pruning_takes_surplus_weight),
          RUN(visits_by_noise_do_not_count_at_a_noised_root), RUN(uncertain_evaluations_weigh_less),
          RUN(an_edge_has_its_fraction_of_its_child))
