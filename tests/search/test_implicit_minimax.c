/* Implicit minimax backups (Lanctot et al. 2014), with numbers worked out by hand. Utility is
 * White's win - loss. */
#include "made_root.h"

extern const SearchMethod METHOD_IMPLICIT_MINIMAX;

static SearchSettings settings_of(float fraction) {
    SearchSettings s = win_loss_settings();
    s.c_puct = s.c_puct_log = s.c_puct_stdev_scale = 0;
    s.fpu.reduction = s.fpu.root_reduction = 0;
    s.implicit_minimax = (double)fraction;
    return s;
}

/* Returns the minimax value that is kept beside a node. */
static float *kept(const Search *search, uint32_t node) {
    return method_node(method_set_find(&search->methods, &METHOD_IMPLICIT_MINIMAX), &search->tree,
                       node);
}

static const float POLICY[10] = {0.5f, 0.5f, -1, -1, -1, -1, -1, -1, -1, -1};

/* Adds a child for the best move that has none, with the evaluation `own`. Its averages are not set
 * yet. */
static uint32_t add_child(Search *search, uint32_t parent, Color mover, float own) {
    int index = tree_add_child(&search->tree, parent, mover);
    Edge *edge = &search->tree.edges[search->tree.nodes[parent].edges + (uint32_t)index];
    Node *node = &search->tree.nodes[edge->child];
    node->state = NODE_EXPANDED;
    node->visits = edge->visits = 1;
    node->own_weight = 1;
    node->own_win_loss = node->own_utility = own;
    EXPECT_TRUE(tree_set_policy(&search->tree, edge->child, POLICY, true));
    return edge->child;
}

/* White moves at the root, whose own value is 0.1. Black moves at its two children, which have the
 * own values 0.3 and -0.2. The first child has two children with the values -0.4 and 0.6. Black
 * chooses -0.4 there, so White chooses between -0.4 and -0.2 at the root. */
TEST(the_best_child_is_backed_up) {
    SearchSettings settings = settings_of(0.5f);
    Search *search = search_with_root(&settings, POLICY);
    search->tree.nodes[0].own_win_loss = search->tree.nodes[0].own_utility = 0.1f;
    EXPECT_INT(sizeof(float), search->tree.method_bytes);
    puct_recompute(&search->frame, &search->tree, 0, true);
    EXPECT_NEAR(0.1, *kept(search, 0), 1e-7);
    uint32_t first = add_child(search, 0, COLOR_BLACK, 0.3f),
             second = add_child(search, 0, COLOR_BLACK, -0.2f),
             leaves[2] = {add_child(search, first, COLOR_WHITE, -0.4f),
                          add_child(search, first, COLOR_WHITE, 0.6f)};
    const uint32_t order[] = {leaves[0], leaves[1], first, second, 0};
    for (int i = 0; i < 5; i++)
        puct_recompute(&search->frame, &search->tree, order[i], order[i] == 0);
    EXPECT_NEAR(-0.4, *kept(search, leaves[0]), 1e-7);
    EXPECT_NEAR(-0.4, *kept(search, first), 1e-7);
    EXPECT_NEAR(-0.2, *kept(search, second), 1e-7);
    EXPECT_NEAR(-0.2, *kept(search, 0), 1e-7);
    EXPECT_NEAR((0.3 - 0.4 + 0.6) / 3, search->tree.nodes[first].utility, 1e-6); /* the mean */
    search_free(search);
}

/* There is no exploration. The first move has the mean 0.3 and the minimax value -0.1. The second
 * move has 0.2 for both. With the fraction 0.2, the first move is worth
 * 0.8 * 0.3 - 0.2 * 0.1 = 0.22. With the fraction 0.3, it is worth 0.7 * 0.3 - 0.3 * 0.1 = 0.18.
 * For Black all signs are reversed. */
TEST(choices_by_hand) {
    const float fractions[] = {0.2f, 0.3f};
    for (int i = 0; i < 4; i++) {
        SearchSettings settings = settings_of(fractions[i % 2]);
        float side = i < 2 ? 1 : -1;
        Search *search = search_with_root(&settings, POLICY);
        search->tree.nodes[0].mover = i < 2 ? COLOR_WHITE : COLOR_BLACK;
        for (int k = 0; k < 2; k++) {
            (void)add_child(search, 0, COLOR_BLACK, 0);
            root_set_child(search, k, 5, side * (k ? 0.2f : 0.3f), 0.1f);
            *kept(search, root_edge(search, k)->child) = side * (k ? 0.2f : -0.1f);
        }
        EXPECT_INT(i % 2, search_select_by_methods(search, &search->root, 0));
        root_edge(search, 0)->weight = 0; /* without a visit it has the value of the parent, 0.25 */
        search->tree.nodes[0].utility = search->tree.nodes[0].own_utility = side * 0.25f;
        EXPECT_INT(0, search_select_by_methods(search, &search->root, 0));
        search_free(search);
    }
}

/* After a search, the minimax value of a node with visited children is the best minimax value of
 * these children. For other nodes it is the node's own value. This holds too in the subtree that is
 * kept when a move is played. */
TEST(nodes_keep_their_minimax) {
    SearchSettings settings = play_settings();
    settings.implicit_minimax = 0.2;
    MadeUp evaluator = made_up(1, point_at(1, 1));
    evaluator.by_area = true;
    Search *search = search_of(&settings, 1, position_empty(4, 0.5f));
    for (int turn = 0; turn < 3; turn++) {
        int lifted = 0;
        run_visits(search, &evaluator.base, 500);
        EXPECT_FALSE(search_can_split(search));
        const Tree *tree = &search->tree;
        for (uint32_t at = 0; at < tree->node_count; at++) {
            const Node *node = &tree->nodes[at];
            double side = side_of(node), best = -1e9;
            if (!node->visits) continue;
            for (int i = 0; i < node->child_count; i++) {
                const Edge *edge = &tree->edges[node->edges + (uint32_t)i];
                if (edge->weight > 0) best = fmax(best, side * (double)*kept(search, edge->child));
            }
            if (best == -1e9) best = side * (double)node->own_utility;
            EXPECT_NEAR(best, side * (double)*kept(search, at), 1e-6);
            lifted += *kept(search, at) != node->own_utility;
        }
        EXPECT_TRUE(lifted > 20);
        Report *report = report_of_search(search);
        EXPECT_OK(search_play(search, report->moves[0].point, true, err));
        EXPECT_TRUE(search->tree.node_count > 1);
        free(report);
    }
    search_free(search);
}

TEST_MAIN(RUN(the_best_child_is_backed_up), RUN(choices_by_hand), RUN(nodes_keep_their_minimax))
