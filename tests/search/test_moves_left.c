/* The utility of short wins and long losses, by hand and on several threads. */
#include "made_root.h"

extern const SearchMethod METHOD_MOVES_LEFT;

enum { THREADS = 4 };

typedef struct {
    float own;
    _Atomic float mean;
} TurnsLeft; /* as in moves_left.c */

/* Utility is win - loss, and without exploration the move of the largest value is chosen. */
static SearchSettings settings_of(double max_effect) {
    SearchSettings s = win_loss_settings();
    s.c_puct = s.c_puct_log = s.c_puct_stdev_scale = 0;
    s.fpu.reduction = s.fpu.root_reduction = 0;
    s.moves_left.max_effect = max_effect;
    return s;
}

static TurnsLeft *turns_of(const Search *search, uint32_t node) {
    return method_node(method_set_find(&search->methods, &METHOD_MOVES_LEFT), &search->tree, node);
}

static const float POLICY[10] = {0.5f, 0.5f, -1, -1, -1, -1, -1, -1, -1, -1};

/* Adds a child for the next move of the node. The net expects `turns` turns from there to the
 * end. */
static uint32_t add_child(Search *search, uint32_t parent, Color mover, float turns) {
    int index = tree_add_child(&search->tree, parent, mover);
    Edge *edge = &search->tree.edges[search->tree.nodes[parent].edges + (uint32_t)index];
    Node *node = &search->tree.nodes[edge->child];
    node->state = NODE_EXPANDED;
    node->visits = edge->visits = 1;
    node->own_weight = 1;
    turns_of(search, edge->child)->own = turns;
    EXPECT_TRUE(tree_set_policy(&search->tree, edge->child, POLICY, true));
    return edge->child;
}

/* The root says 50 turns. Its first child says 30, and the two children of this first child say 40
 * and 10. The second child of the root ends the game. So the first child has (30 + 41 + 11) / 3,
 * and the root has (50 + 3 (1 + 82 / 3) + (1 + 0)) / 5. */
TEST(turns_are_averaged_over_the_tree) {
    SearchSettings settings = settings_of(0.03);
    Search *search = search_with_root(&settings, POLICY);
    turns_of(search, 0)->own = 50;
    uint32_t first = add_child(search, 0, COLOR_BLACK, 30),
             second = add_child(search, 0, COLOR_BLACK, 0),
             leaves[2] = {add_child(search, first, COLOR_WHITE, 40),
                          add_child(search, first, COLOR_WHITE, 10)};
    search->tree.nodes[second].state = NODE_TERMINAL;
    search->tree.nodes[first].visits = root_edge(search, 0)->visits = 3;
    const uint32_t order[] = {leaves[0], leaves[1], first, second, 0};
    for (int i = 0; i < 5; i++)
        puct_recompute(&search->frame, &search->tree, order[i], order[i] == 0);
    EXPECT_NEAR(40, turns_of(search, leaves[0])->mean, 1e-5);
    EXPECT_NEAR(82.0 / 3, turns_of(search, first)->mean, 1e-5);
    EXPECT_NEAR(0, turns_of(search, second)->mean, 0);
    EXPECT_NEAR((50 + 3 + 82 + 1) / 5.0, turns_of(search, 0)->mean, 1e-5);
    search_free(search);
}

/* One choice between two moves. Values are those of the mover. */
typedef struct {
    float node, first, second;       /* win - loss of the node and of both moves */
    float turns_first, turns_second; /* the node has 40 turns left */
    double max_effect;
    int wanted;
} Example;

static int choose(const Example *example, Color mover) {
    SearchSettings settings = settings_of(example->max_effect);
    float side = mover == COLOR_WHITE ? 1 : -1;
    settings.moves_left.slope = 0.01;
    Search *search = search_with_root(&settings, POLICY);
    search->tree.nodes[0].mover = (uint8_t)mover;
    for (int k = 0; k < 2; k++) {
        (void)add_child(search, 0, color_other(mover), 0);
        root_set_child(search, k, 5, side * (k ? example->second : example->first), 1);
        turns_of(search, root_edge(search, k)->child)->mean =
            k ? example->turns_second : example->turns_first;
    }
    search->tree.nodes[0].win_loss = side * example->node;
    turns_of(search, 0)->mean = 40;
    int chosen = search_select_by_methods(search, &search->root, 0);
    search_free(search);
    return chosen;
}

/* With a threshold of 0.8 and a win of 0.9, x = (0.9 - 0.8) / (1 - 0.8) = 1/2, and the factor is
 * 1.6521 x - 0.6521 x^2 = 0.663. A slope of 0.01 makes 10 turns 0.1, so they move the value by
 * 0.0663. */
TEST(wins_are_to_be_short_and_losses_long) {
    static const Example EXAMPLES[] = {
        {0.9f, 0.9f, 0.89f, 30, 40, 1, 0},    /* the first is better and shorter */
        {0.9f, 0.9f, 0.89f, 40, 30, 1, 1},    /* the second is 10 turns shorter: + 0.066 */
        {0.9f, 0.9f, 0.83f, 40, 30, 1, 0},    /* but the second may not be much worse */
        {0.9f, 0.9f, 0.89f, 50, 40, 1, 1},    /* the first is 10 turns longer: - 0.066 */
        {0.9f, 0.9f, 0.89f, 40, 30, 0.01, 0}, /* the effect is at most 0.0066 */
        {0.7f, 0.9f, 0.89f, 40, 30, 1, 0},    /* the node is not decided */
        {-0.9f, -0.9f, -0.91f, 40, 50, 1, 1}, /* a loss is to be long */
        {-0.9f, -0.9f, -0.91f, 50, 40, 1, 0},
        {0.9f, 0.75f, 0.74f, 50, 30, 1, 0}, /* the moves are not decided */
    };
    for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++) {
        for (int black = 0; black < 2; black++) {
            int chosen = choose(&EXAMPLES[i], black ? COLOR_BLACK : COLOR_WHITE);
            if (chosen != EXAMPLES[i].wanted) fail_msg("example %zu: %d", i, chosen);
        }
    }
}

TEST(the_effect_is_that_of_the_formula) {
    static const struct {
        double q, turns, constant, wanted;
    } CASES[] = {{0.9, 30, 0, 0.1 * 0.663025},
                 {0.9, 50, 0, -0.1 * 0.663025},
                 {1, 20, 0, 0.15},
                 {1, 42, 0, -0.02},
                 {-1, 42, 0, 0.02},
                 {-0.9, 30, 0.5, -0.1 * 1.163025}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        SearchSettings settings = settings_of(0.15);
        settings.moves_left.slope = 0.01;
        settings.moves_left.constant = CASES[i].constant;
        Search *search = search_with_root(&settings, POLICY);
        uint32_t child = add_child(search, 0, COLOR_BLACK, 0);
        root_set_child(search, 0, 5, (float)CASES[i].q, 1);
        turns_of(search, child)->mean = (float)CASES[i].turns;
        const MethodUse *use = method_set_find(&search->methods, &METHOD_MOVES_LEFT);
        const Choice choice = {.settings = &search->settings, .tree = &search->tree, .side = 1};
        Term term = {0};
        EXPECT_FALSE(METHOD_MOVES_LEFT.term(&choice, use, 40, root_edge(search, 0), &term));
        EXPECT_NEAR(CASES[i].wanted, term.value, 1e-6);
        term.value = 0;
        EXPECT_FALSE(METHOD_MOVES_LEFT.term(&choice, use, -1, root_edge(search, 0), &term));
        EXPECT_FALSE(METHOD_MOVES_LEFT.term(&choice, use, 40, NULL, &term));
        EXPECT_NEAR(0, term.value, 0);
        search_free(search);
    }
}

TEST(nets_without_the_head_are_refused) {
    SearchSettings settings = settings_of(0.03);
    MadeUp evaluator = made_up(1, point_at(1, 1));
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    Driver *driver = NULL;
    Error error = {0};
    EXPECT_OK(driver_new(&evaluator.base, &driver, err));
    search_begin(search, &(SearchLimits){.visits = 20});
    EXPECT_STATUS(ERR_ARGUMENT, driver_run(driver, search, &(DriverRun){0}, &error));
    EXPECT_CONTAINS(error.message, "moves_left");
    evaluator.moves_left = true;
    search_clear_tree(search);
    search_begin(search, &(SearchLimits){.visits = 20});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    EXPECT_INT(20, search_root_visits(search));
    driver_free(driver);
    search_free(search);
}

/* Checks that a visited node has the weighted mean of its own turns and of 1 plus the turns of each
 * child. */
static void check_turns(const Search *search) {
    const Tree *tree = &search->tree;
    int checked = 0;
    for (uint32_t at = 0; at < tree->node_count; at++) {
        const Node *node = &tree->nodes[at];
        double weight = (double)node->own_weight, sum = weight * (double)turns_of(search, at)->own;
        if (node->state != NODE_EXPANDED || !node->visits || node->behind) continue;
        for (int i = 0; i < node->child_count; i++) {
            const Edge *edge = &tree->edges[node->edges + (uint32_t)i];
            if (edge->weight <= 0) continue;
            weight += (double)edge->weight;
            sum += (double)edge->weight * (1 + (double)turns_of(search, edge->child)->mean);
        }
        EXPECT_NEAR(sum / weight, turns_of(search, at)->mean, 1e-3);
        checked++;
    }
    EXPECT_TRUE(checked > 20);
}

/* Every visit has the weight 1. The evaluator says that as many turns are left as there are legal
 * moves. */
TEST(nodes_keep_their_turns) {
    for (int threads = 1; threads <= THREADS; threads += THREADS - 1) {
        SearchSettings settings = win_loss_settings();
        settings.moves_left.max_effect = 0.03;
        settings.moves_left.threshold = 0.1;
        MadeUp made[THREADS];
        Evaluator *evaluators[THREADS];
        for (int i = 0; i < THREADS; i++) {
            made[i] = made_up(1, point_at(1, 1));
            made[i].by_area = made[i].moves_left = true;
            evaluators[i] = &made[i].base;
        }
        Search *search = search_of(&settings, 1, position_empty(4, 0.5f));
        Driver *driver = NULL;
        EXPECT_TRUE(search_can_split(search));
        EXPECT_OK(driver_new_threads(evaluators, threads, &driver, err));
        for (int turn = 0; turn < 3; turn++) {
            search_begin(search, &(SearchLimits){.visits = 480});
            EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
            EXPECT_INT(480, search_root_visits(search));
            EXPECT_INT(threads > 1, search->tree.was_split);
            search_begin(search, &(SearchLimits){.visits = 480}); /* computes all averages again */
            check_turns(search);
            Report *report = report_of_search(search);
            EXPECT_OK(search_play(search, report->moves[0].point, true, err));
            EXPECT_TRUE(search->tree.node_count > 1);
            free(report);
        }
        driver_free(driver);
        search_free(search);
    }
}

/* The search ends when its tree is full. The data beside nodes stay within the limit of memory,
 * too. */
TEST(threads_fill_a_small_tree) {
    SearchSettings settings = win_loss_settings();
    settings.moves_left.max_effect = 0.03;
    settings.tree_memory_mb = 1;
    MadeUp made[THREADS];
    Evaluator *evaluators[THREADS];
    for (int i = 0; i < THREADS; i++) {
        made[i] = made_up(1, point_at(1, 1));
        made[i].moves_left = true;
        evaluators[i] = &made[i].base;
    }
    Search *search = search_of(&settings, 1, position_empty(9, 0.5f));
    Driver *driver = NULL;
    EXPECT_OK(driver_new_threads(evaluators, THREADS, &driver, err));
    search_begin(search, &(SearchLimits){.visits = 100000});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    EXPECT_TRUE(search_tree_full(search));
    EXPECT_TRUE(search_node_bytes(search, NULL) <= 1u << 19);
    EXPECT_TRUE(search->tree.method_capacity >= search->tree.node_count);
    driver_free(driver);
    search_free(search);
}

TEST_MAIN(RUN(turns_are_averaged_over_the_tree), RUN(wins_are_to_be_short_and_losses_long),
          RUN(the_effect_is_that_of_the_formula), RUN(nets_without_the_head_are_refused),
          RUN(nodes_keep_their_turns), RUN(threads_fill_a_small_tree))
