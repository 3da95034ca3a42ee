/* Subtree value bias correction (KataGo, docs/KataGoMethods.md), with numbers worked out by
 * hand. */
#include "made_up.h"
#include "search/core/search_private.h"
#include "search/methods/value_bias.h"
#include "search/tree/search_presets.h"

static BiasTable table_of(double factor, double exponent) {
    return (BiasTable){.limit_bytes = 1 << 20, .factor = factor, .weight_exponent = exponent};
}

/* Node A's own value is 0.2, and its children have 0.5 with the weight 16. So A adds
 *     16^0.5 (0.5 - 0.2) = 1.2
 * with the weight 4. Node B's own value is -0.1, and its children have 0.1 with the weight 4. So B
 * adds 0.4 with the weight 2. The mean is 1.6 / 6, and 0.45 times this is 0.12. */
TEST(shared_errors_by_hand) {
    BiasTable table = table_of(0.45, 0.5);
    NodeBias a = {.entry = bias_entry(&table, 77)}, b = {.entry = bias_entry(&table, 77)},
             c = {.entry = bias_entry(&table, 77)}, d = {.entry = bias_entry(&table, 78)},
             none = {0};
    EXPECT_INT(a.entry, b.entry);
    EXPECT_TRUE(a.entry != d.entry);
    EXPECT_NEAR(0, bias_correct(&table, &c, 0.7, 0, 0), 1e-9); /* the entry is still empty */
    EXPECT_NEAR(0.45 * 0.3, bias_correct(&table, &a, 0.2, 16, 0.5), 1e-6);
    EXPECT_NEAR(0.12, bias_correct(&table, &b, -0.1, 4, 0.1), 1e-6);
    EXPECT_NEAR(0.12, bias_correct(&table, &c, 0.7, 0, 0), 1e-6); /* a leaf only reads */
    EXPECT_NEAR(0, bias_correct(&table, &d, 0.7, 0, 0), 1e-9);
    EXPECT_NEAR(0, bias_correct(&table, &none, 0.2, 16, 0.5), 1e-9);
    /* Now the children of A have 0.4 with the weight 25. So A adds 5 (0.4 - 0.2) = 1 with the
     * weight 5 in place of what it added before: (1 + 0.4) / 7 = 0.2. */
    EXPECT_NEAR(0.45 * 0.2, bias_correct(&table, &a, 0.2, 25, 0.4), 1e-6);
    bias_free(&table);
}

/* The fraction 0.8 of what A has added, 1.2 with the weight 4, is subtracted:
 * (0.24 + 0.4) / (0.8 + 2). */
TEST(removed_nodes_count_less) {
    BiasTable table = table_of(1, 0.5);
    Tree tree = {.limit_bytes = 1 << 20, .move_count = 10};
    tree_set_method_bytes(&tree, sizeof(NodeBias));
    NodeBias *a = tree_method_data(&tree, tree_add(&tree, COLOR_BLACK));
    NodeBias b = {.entry = bias_entry(&table, 5)};
    a->entry = b.entry;
    (void)bias_correct(&table, a, 0.2, 16, 0.5);
    EXPECT_NEAR(1.6 / 6, bias_correct(&table, &b, -0.1, 4, 0.1), 1e-6);
    bias_release(&table, &tree, 0.8);
    NodeBias reader = {.entry = b.entry};
    EXPECT_NEAR(0.64 / 2.8, bias_correct(&table, &reader, 0, 0, 0), 1e-6);
    bias_release(&table, &tree, -0.8);
    EXPECT_NEAR(1.6 / 6, bias_correct(&table, &reader, 0, 0, 0), 1e-6);
    tree_free(&tree);
    bias_free(&table);
}

TEST(entries_without_nodes_are_forgotten) {
    BiasTable table = table_of(1, 1);
    Tree tree = {.limit_bytes = 1 << 20, .move_count = 10};
    tree_set_method_bytes(&tree, sizeof(NodeBias));
    uint32_t node = tree_add(&tree, COLOR_BLACK);
    for (uint64_t key = 1; key <= 200; key++)
        EXPECT_INT(key, bias_entry(&table, key * 0x9e3779b97f4a7c15u));
    ((NodeBias *)tree_method_data(&tree, node))->entry =
        bias_entry(&table, 77 * 0x9e3779b97f4a7c15u);
    (void)bias_correct(&table, tree_method_data(&tree, node), 0, 2, 0.5);
    bias_sweep(&table, &tree);
    EXPECT_INT(1, table.entry_count);
    EXPECT_INT(1, ((NodeBias *)tree_method_data(&tree, node))->entry);
    EXPECT_NEAR(0.5, table.entries[0].sum / table.entries[0].weight, 1e-6);
    EXPECT_INT(1, bias_entry(&table, 77 * 0x9e3779b97f4a7c15u));
    EXPECT_INT(2, bias_entry(&table, 78 * 0x9e3779b97f4a7c15u));
    EXPECT_INT(0, bias_entry(&table, 0));
    tree_free(&tree);
    bias_free(&table);
}

TEST(a_full_table_takes_no_more) {
    BiasTable table = table_of(1, 1);
    table.limit_bytes = 100 * sizeof(BiasEntry);
    uint64_t key = 1;
    while (bias_entry(&table, key))
        key++;
    EXPECT_TRUE(key > 16 && key <= 100);
    EXPECT_INT(7, bias_entry(&table, 7));
    bias_free(&table);
}

static uint64_t key_of(const char *drawing, Color mover, Point first, Point second) {
    Position position = position_made(drawing, 5, mover, 0.5f);
    EXPECT_OK(position_play(&position, first, err));
    EXPECT_OK(position_play(&position, second, err));
    uint64_t key = bias_key(&position);
    position_clear(&position);
    return key;
}

TEST(keys_depend_on_the_last_moves_and_the_points_around) {
    const char *base = ".....\n.....\n.....\n.....\nX....";
    Point a = point_at(4, 0), b = point_at(2, 2);
    uint64_t key = key_of(base, COLOR_BLACK, a, b);
    EXPECT_TRUE(key != 0);
    EXPECT_TRUE(key == key_of(base, COLOR_BLACK, a, b));
    Point e = point_at(1, 3), f = point_at(0, 0); /* f is more than two points away from e */
    const char *empty = ".....\n.....\n.....\n.....\n.....";
    /* the key depends on the color of the last move */
    EXPECT_TRUE(key_of(empty, COLOR_BLACK, f, e) != key_of(empty, COLOR_WHITE, f, e));
    EXPECT_TRUE(key != key_of(base, COLOR_BLACK, point_at(4, 1), b));
    EXPECT_TRUE(key != key_of(base, COLOR_BLACK, a, point_at(2, 1)));
    EXPECT_TRUE(key != key_of(".....\n.....\n.....\n.....\n.....", COLOR_BLACK, a, b));
    EXPECT_TRUE(0 == key_of(base, COLOR_BLACK, a, POINT_PASS));
    /* stones more than two points away do not count ... */
    Point c = point_at(0, 0);
    uint64_t corner = key_of(".....\n.....\n.....\n.....\n.....", COLOR_BLACK, b, c);
    EXPECT_TRUE(corner == key_of(".....\n.....\n.....\n...X.\n.....", COLOR_BLACK, b, c));
    EXPECT_TRUE(corner != key_of(".....\n.X...\n.....\n.....\n.....", COLOR_BLACK, b, c));
    /* ... except that they may leave a nearby chain only one liberty */
    Point d = point_at(4, 4);
    EXPECT_TRUE(key_of(".....\nXO...\nXO...\nXO...\nO....", COLOR_BLACK, d, c) !=
                key_of(".....\nXO...\nXO...\nXO...\n.....", COLOR_BLACK, d, c));
    EXPECT_TRUE(key_of(".....\nX....\nXO...\nXO...\nO....", COLOR_BLACK, d, c) ==
                key_of(".....\nX....\nXO...\nXO...\n.....", COLOR_BLACK, d, c));
}

TEST(keys_depend_on_the_ko) {
    Position position = position_empty(5, 0.5f);
    EXPECT_OK(position_play(&position, point_at(0, 0), err));
    EXPECT_INT(0, bias_key(&position)); /* there must be two moves */
    EXPECT_OK(position_play(&position, point_at(4, 4), err));
    uint64_t key = bias_key(&position);
    position.earlier[position.newest_earlier].ko = point_at(0, 0);
    EXPECT_TRUE(key != bias_key(&position));
    position_clear(&position);
}

/* Makes a frame in which the only active method is the value bias, with that table. */
static Frame frame_with(const SearchSettings *settings, MethodSet *methods, BiasTable *table) {
    methods->count = 1;
    methods->all[0] = (MethodUse){.method = &METHOD_BIAS, .state = table, .active = true};
    method_set_gather(methods);
    return (Frame){.settings = settings, .board_scale = 5, .methods = methods};
}

static const BiasTable *table_in(const Search *search) {
    return search_state_of(search, &METHOD_BIAS);
}

/* The mean of a node contains its corrected own value: here 0.2 + 0.1, and a child of 0.4 with the
 * weight 3. */
TEST(the_mean_has_the_corrected_value) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    settings.value_weight_exponent = 0;
    settings.noise_pruning.on = false;
    BiasTable table = table_of(0.5, 1);
    MethodSet methods = {0};
    Frame frame = frame_with(&settings, &methods, &table);
    Tree tree = {.limit_bytes = 1 << 20, .move_count = 2};
    const float policy[2] = {0.5f, 0.5f};
    tree_set_method_bytes(&tree, sizeof(NodeBias));
    tree_add(&tree, COLOR_WHITE);
    EXPECT_TRUE(tree_set_policy(&tree, 0, policy, true));
    EXPECT_INT(0, tree_add_child(&tree, 0, COLOR_BLACK));
    Edge *edge = &tree.edges[tree.nodes[0].edges];
    Node *root = tree.nodes, *child = &tree.nodes[edge->child];
    root->state = NODE_EXPANDED;
    root->visits = 4;
    root->own_weight = 1;
    root->own_utility = 0.2f;
    edge->visits = child->visits = 3;
    child->weight = child->weight_sq = 3;
    child->utility = 0.4f;
    child->utility_sq = 0.25f;
    ((NodeBias *)tree_method_data(&tree, 0))->entry = bias_entry(&table, 3);
    puct_recompute(&frame, &tree, 0, true); /* the correction is half of the error 0.2 */
    EXPECT_NEAR((0.3 + 3 * 0.4) / 4, root->utility, 1e-6);
    EXPECT_NEAR((0.09 + 3 * 0.25) / 4, root->utility_sq, 1e-6);
    EXPECT_NEAR(0.2, root->own_utility, 1e-6);
    EXPECT_NEAR(3, ((NodeBias *)tree_method_data(&tree, 0))->weight, 1e-6);
    frame.methods = NULL; /* without the method: (0.2 + 3 * 0.4) / 4 */
    puct_recompute(&frame, &tree, 0, true);
    EXPECT_NEAR(0.35, root->utility, 1e-6);
    tree_free(&tree);
    bias_free(&table);
}

/* Noise pruning reduces the weight of the second child. The mean of the node is computed with the
 * reduced weight. But the error of the node has the weight 4 + 6 of both children before
 * pruning. */
TEST(errors_weigh_as_before_pruning) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    settings.value_weight_exponent = 0;
    BiasTable table = table_of(1, 1);
    MethodSet methods = {0};
    Frame frame = frame_with(&settings, &methods, &table);
    Tree tree = {.limit_bytes = 1 << 20, .move_count = 2};
    const float policy[2] = {0.9f, 0.1f};
    tree_set_method_bytes(&tree, sizeof(NodeBias));
    tree_add(&tree, COLOR_WHITE);
    EXPECT_TRUE(tree_set_policy(&tree, 0, policy, true));
    for (int i = 0; i < 2; i++) {
        EXPECT_INT(i, tree_add_child(&tree, 0, COLOR_BLACK));
        Edge *edge = &tree.edges[tree.nodes[0].edges + (uint32_t)i];
        Node *child = &tree.nodes[edge->child];
        edge->visits = child->visits = i ? 6 : 4;
        child->weight = child->weight_sq = (float)edge->visits;
        child->utility = i ? -0.6f : 0.4f;
    }
    tree.nodes[0].state = NODE_EXPANDED;
    tree.nodes[0].visits = 11;
    NodeBias *bias = tree_method_data(&tree, 0);
    bias->entry = bias_entry(&table, 3);
    puct_recompute(&frame, &tree, 0, true);
    /* By its prior the second child may have the weight 2 * 4 * 0.1 / 0.9 = 8/9. Nearly all of the
     * rest of its weight is removed. */
    double left = 6 - (6 - 8.0 / 9) * (1 - exp(-1 / 0.15)), mean = (1.6 - 0.6 * left) / (4 + left);
    EXPECT_NEAR(10, bias->weight, 1e-5);
    EXPECT_NEAR(10 * mean, bias->sum, 1e-3); /* less exact, because priors are rounded */
    tree_free(&tree);
    bias_free(&table);
}

/* Checks that the weight of each entry is at least the sum of what the nodes say that they have
 * added; if `all`, it must be exactly this sum. */
static void expect_sums(const Search *search, bool all) {
    const BiasTable *table = table_in(search);
    double *sums = calloc(table->entry_count + 1, sizeof *sums);
    int with = 0;
    for (uint32_t i = 0; i < search->tree.node_count; i++) {
        const NodeBias *node = tree_method_data(&search->tree, i);
        if (!node->entry) continue;
        EXPECT_TRUE(node->entry <= table->entry_count);
        sums[node->entry - 1] += (double)node->weight;
        with++;
    }
    EXPECT_TRUE(with > 10);
    for (size_t i = 0; i < table->entry_count; i++) {
        EXPECT_TRUE(table->entries[i].weight > sums[i] - 1e-3);
        if (all) EXPECT_NEAR(sums[i], table->entries[i].weight, 1e-3);
    }
    free(sums);
}

TEST(entries_agree_with_the_nodes_after_searches) {
    for (int all = 0; all < 2; all++) {
        SearchSettings settings;
        MadeUp evaluator = made_up(1, point_at(1, 1));
        evaluator.by_area = true;
        search_preset_begin(SEARCH_PRESET_PLAY, &settings);
        settings.bias.factor = 0.45;
        settings.bias.free_fraction = all ? 1 : 0.8;
        Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
        run_visits(search, &evaluator.base, 400);
        expect_sums(search, true);
        for (int turn = 0; turn < 3; turn++) {
            Report *report = report_of_search(search);
            EXPECT_OK(search_play(search, report->moves[0].point, true, err));
            free(report);
            EXPECT_TRUE(search->tree.node_count > 1);
            run_visits(search, &evaluator.base, 400);
            expect_sums(search, all);
        }
        EXPECT_TRUE(table_in(search)->entry_count > 10);
        search_clear_tree(search);
        EXPECT_INT(0, table_in(search)->entry_count);
        search_free(search);
    }
}

TEST(without_a_factor_nothing_is_kept) {
    SearchSettings settings;
    MadeUp evaluator = made_up(1, point_at(1, 1));
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &evaluator.base, 100);
    EXPECT_INT(0, table_in(search)->entry_count);
    EXPECT_INT(0, search->tree.method_bytes);
    settings.bias.factor = 0.3; /* this setting clears the tree */
    EXPECT_OK(search_set_settings(search, &settings, err));
    EXPECT_INT(0, search_root_visits(search));
    EXPECT_INT(sizeof(NodeBias), search->tree.method_bytes);
    EXPECT_TRUE(search->tree.limit_bytes * 2 + table_in(search)->limit_bytes <=
                (size_t)settings.tree_memory_mb << 20);
    search_free(search);
}

TEST_MAIN(RUN(shared_errors_by_hand), RUN(removed_nodes_count_less),
          RUN(entries_without_nodes_are_forgotten), RUN(a_full_table_takes_no_more),
          RUN(keys_depend_on_the_last_moves_and_the_points_around), RUN(keys_depend_on_the_ko),
          RUN(the_mean_has_the_corrected_value), RUN(errors_weigh_as_before_pruning),
          RUN(entries_agree_with_the_nodes_after_searches), RUN(without_a_factor_nothing_is_kept))
