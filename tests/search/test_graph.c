/* Nodes that several parents share (KataGo, docs/GraphSearch.md). */
#include "made_up.h"
#include "search/core/search_private.h"
#include "search/methods/graph.h"

static SearchSettings graph_settings(bool graph) {
    SearchSettings settings = play_settings();
    settings.graph.on = graph;
    return settings;
}

static Position played(const char *drawing, int size, Color mover, int count, const Point *points) {
    Position position = position_made(drawing, size, mover, 0.5f);
    for (int i = 0; i < count; i++)
        EXPECT_OK(position_play(&position, points[i], err));
    return position;
}

static int bound_of(const char *drawing, Color mover, Point point, int max) {
    Position position = played(drawing, 5, mover, 1, &point);
    int bound = graph_repetition_bound(&position, max);
    position_clear(&position);
    return bound;
}

/* graph_repetition_bound() returns a lower bound on the number of moves until the last move can be
 * repeated. The bound is the number of stones in the chain of the last move, plus the number of
 * points in the empty regions that the chain touches. */
TEST(repetition_bounds_by_hand) {
    const char *ko = ".XO..\nX.XO.\n.XO..\n.....\n.....";
    EXPECT_INT(1 + 1, bound_of(ko, COLOR_WHITE, point_at(1, 1), 100)); /* captures a ko stone */
    EXPECT_INT(0, bound_of(ko, COLOR_WHITE, POINT_PASS, 100));
    const char *wall = "..X..\n..X..\n..X..\n..X..\n.....";
    EXPECT_INT(5 + 10 + 10, bound_of(wall, COLOR_BLACK, point_at(2, 4), 100));
    EXPECT_INT(1 + 20, bound_of(wall, COLOR_WHITE, point_at(0, 0), 100));
    EXPECT_TRUE(bound_of(wall, COLOR_BLACK, point_at(2, 4), 11) > 11);
    /* a suicide of two stones, which leaves two empty points */
    const char *corner = "O.X..\nXXX..\n.....\n.....\n.....";
    EXPECT_INT(2, bound_of(corner, COLOR_WHITE, point_at(1, 0), 100));
    Position start = position_empty(5, 0.5f);
    EXPECT_INT(0, graph_repetition_bound(&start, 100));
    position_clear(&start);
}

static uint64_t hash_after(const Graph *graph, int count, const Point *points) {
    Position position = position_empty(5, 0.5f);
    uint64_t hash = 1;
    for (int i = 0; i < count; i++) {
        EXPECT_OK(position_play(&position, points[i], err));
        hash = graph_hash(graph, hash, &position);
    }
    position_clear(&position);
    return hash;
}

TEST(paths_are_forgotten_beyond_the_bound) {
    Graph graph = {.bound = 11};
    Point a = point_at(0, 0), b = point_at(2, 2), c = point_at(4, 4);
    EXPECT_TRUE(hash_after(&graph, 3, (Point[]){a, b, c}) ==
                hash_after(&graph, 3, (Point[]){c, b, a}));
    EXPECT_TRUE(hash_after(&graph, 3, (Point[]){a, b, c}) !=
                hash_after(&graph, 3, (Point[]){a, c, b}));
    graph.bound = 22; /* the last stone and 22 empty points are more */
    EXPECT_TRUE(hash_after(&graph, 3, (Point[]){a, b, c}) ==
                hash_after(&graph, 3, (Point[]){c, b, a}));
    graph.bound = 23;
    EXPECT_TRUE(hash_after(&graph, 3, (Point[]){a, b, c}) !=
                hash_after(&graph, 3, (Point[]){c, b, a}));
    EXPECT_TRUE(hash_after(&graph, 4, (Point[]){a, b, c, POINT_PASS}) !=
                hash_after(&graph, 4, (Point[]){c, b, a, POINT_PASS}));
}

static Graph *graph_of(const Search *search) {
    return &((GraphState *)search_state_of(search, &METHOD_GRAPH))->graph;
}

/* Returns whether a descent ends at the shared node to which the edge leads. In this case the edge
 * catches up with the visits of the node. */
static bool shared_arrival(Search *search, const PendingLeaf *leaf, uint32_t from, Edge *edge) {
    return METHOD_GRAPH.arrive(search, method_set_find(&search->methods, &METHOD_GRAPH), leaf, from,
                               edge);
}

/* Checks that every expanded node has one visit more than its edges together, and that no edge has
 * more visits than its child. Sets `*shared` to the number of nodes with several parents. */
static void expect_whole(const Search *search, int *shared) {
    const Tree *tree = &search->tree;
    int *parents = calloc(tree->node_count, sizeof *parents);
    uint32_t *order = calloc(tree->node_count, sizeof *order);
    size_t reached = tree_order(tree, order);
    EXPECT_INT(0, order[reached - 1]); /* the root comes last */
    for (size_t k = 0; k < reached; k++) {
        const Node *node = &tree->nodes[order[k]];
        int visits = 0;
        for (uint32_t i = 0; i < node->child_count; i++) {
            const Edge *edge = &tree->edges[node->edges + i];
            visits += edge->visits;
            EXPECT_INT(0, edge->waiting);
            EXPECT_TRUE(edge->visits <= tree->nodes[edge->child].visits);
            parents[edge->child]++;
        }
        if (node->state == NODE_EXPANDED) EXPECT_INT(node->visits, 1 + visits);
    }
    *shared = 0;
    for (size_t i = 0; i < tree->node_count; i++)
        *shared += parents[i] > 1;
    free(order);
    free(parents);
}

TEST(nodes_are_shared) {
    for (int graph = 0; graph < 2; graph++) {
        SearchSettings settings = graph_settings(graph);
        MadeUp evaluator = made_up(8, point_at(1, 1));
        evaluator.by_area = true;
        Search *search = search_of(&settings, 1, position_empty(4, 0.5f));
        run_visits(search, &evaluator.base, 3000);
        EXPECT_INT(3000, search_root_visits(search));
        int shared;
        expect_whole(search, &shared);
        EXPECT_TRUE(graph ? shared > 100 : shared == 0);
        EXPECT_TRUE(graph ? evaluator.base.evaluations < 2500 : evaluator.base.evaluations > 2500);
        EXPECT_INT(graph ? 8 : 0, search->tree.method_bytes);
        search_free(search);
    }
}

/* The subtree of the move that is played keeps its shared nodes, each of them once, and the search
 * goes on in it. */
TEST(kept_trees_stay_shared) {
    SearchSettings settings = graph_settings(true);
    MadeUp evaluator = made_up(8, point_at(1, 1));
    evaluator.by_area = true;
    Search *search = search_of(&settings, 1, position_empty(4, 0.5f));
    for (int turn = 0; turn < 6; turn++) {
        int shared;
        run_visits(search, &evaluator.base, 2000);
        expect_whole(search, &shared);
        EXPECT_TRUE(shared > 20);
        Report *report = report_of_search(search);
        size_t before = search->tree.node_count;
        EXPECT_OK(search_play(search, report->moves[0].point, true, err));
        EXPECT_TRUE(search->tree.node_count > 1 && search->tree.node_count < before);
        expect_whole(search, &shared);
        free(report);
    }
    search_free(search);
}

/* Symmetry pruning removes moves from a kept root. Nodes that only these moves led to are no longer
 * in the table of shared nodes. */
TEST(nodes_of_dropped_moves_are_not_found) {
    SearchSettings settings = graph_settings(true);
    settings.root_symmetry_pruning = true;
    MadeUp evaluator = made_up(1, POINT_PASS);
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    run_visits(search, &evaluator.base, 300);
    EXPECT_OK(search_play(search, point_at(1, 1), true, err));
    const Tree *tree = &search->tree;
    int before = tree->nodes[0].child_count, found = 0;
    search_begin(search, &(SearchLimits){.visits = 1000});
    EXPECT_TRUE(tree->nodes[0].child_count < before);
    bool *reached = calloc(tree->node_count, sizeof *reached);
    uint32_t *order = calloc(tree->node_count, sizeof *order);
    size_t count = tree_order(tree, order);
    for (size_t i = 0; i < count; i++)
        reached[order[i]] = true;
    EXPECT_TRUE(count < tree->node_count);
    for (size_t i = 0; i < graph_of(search)->slot_count; i++) {
        if (!graph_of(search)->slots[i]) continue;
        EXPECT_TRUE(reached[graph_of(search)->slots[i]]);
        found++;
    }
    EXPECT_TRUE(found > 10);
    free(order);
    free(reached);
    search_free(search);
}

/* The node has five visits, and this edge has two of them. So three more descents through the edge
 * end at the node. If catch_up_leak is above 0, this fraction of the descents goes on
 * nevertheless. */
TEST(edges_catch_up_with_shared_nodes) {
    SearchSettings settings = graph_settings(true);
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    search_begin(search, &(SearchLimits){.visits = 10});
    EXPECT_TRUE(method_set_find(&search->methods, &METHOD_GRAPH)->active);
    for (int i = 0; i < 3; i++)
        tree_add(&search->tree, COLOR_BLACK);
    graph_add(graph_of(search), &search->tree, 1, 77);
    static PendingLeaf leaf = {.path = {0}, .depth = 1};
    Edge edge = {.child = 1, .visits = 2};
    search->tree.nodes[1].visits = 5;
    for (int visits = 2; visits < 7; visits++) {
        edge.visits = visits;
        EXPECT_TRUE(shared_arrival(search, &leaf, 0, &edge) == (visits < 5));
    }
    leaf.path[1] = 1; /* the node is on the path already, so the descent always ends */
    leaf.depth = 2;
    EXPECT_TRUE(shared_arrival(search, &leaf, 0, &edge));
    leaf.depth = 1;
    edge.visits = 2;
    int through = 0;
    search->settings.graph.catch_up_leak = 0.25;
    for (int i = 0; i < 20000; i++)
        through += !shared_arrival(search, &leaf, 0, &edge);
    EXPECT_NEAR(0.25, through / 20000.0, 0.015);
    search_free(search);
}

TEST(nodes_are_found_by_hash_and_mover) {
    SearchSettings settings = graph_settings(true);
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    Tree *tree = &search->tree;
    Graph *graph = graph_of(search);
    for (int i = 0; i < 500; i++) {
        uint32_t node = tree_add(tree, i % 2 ? COLOR_WHITE : COLOR_BLACK);
        graph_add(graph, tree, node, 1 + (uint64_t)(i / 2) * 2);
    }
    for (int i = 2; i < 500; i++) {
        Color mover = i % 2 ? COLOR_WHITE : COLOR_BLACK;
        EXPECT_INT(i, graph_find(graph, tree, 1 + (uint64_t)(i / 2) * 2, mover));
    }
    EXPECT_TRUE(graph_find(graph, tree, 1, COLOR_BLACK) == NODE_NONE); /* the root */
    EXPECT_TRUE(graph_find(graph, tree, 12345, COLOR_BLACK) == NODE_NONE);
    graph_add(graph, tree, tree_add(tree, COLOR_WHITE), 5); /* the older node stays in the table */
    EXPECT_INT(5, graph_find(graph, tree, 5, COLOR_WHITE));
    search_clear_tree(search);
    EXPECT_TRUE(graph_find(graph, tree, 5, COLOR_WHITE) == NODE_NONE);
    search_free(search);
}

/* Visits still add up if graph search is used with other methods, several leaves at once, Gumbel
 * search or avoided moves. With catch_up_leak (kind 3) they need not. */
TEST(graph_search_works_with_other_methods) {
    for (int kind = 0; kind < 6; kind++) {
        SearchSettings settings = with_leaves(graph_settings(true), 8);
        settings.bias.factor = 0.4;
        settings.gumbel.on = kind == 1;
        settings.regret.rule = kind == 2 ? REGRET_POWER : REGRET_OFF;
        settings.graph.catch_up_leak = kind == 3 ? 0.5 : 0;
        settings.conservative_pass = settings.passing_hacks = kind == 4;
        MadeUp evaluator = made_up(8, point_at(1, 1));
        evaluator.by_area = true;
        evaluator.error = 0.2f;
        Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
        SearchAvoid avoid = {0};
        avoid.until[COLOR_WHITE][4] = 3;
        if (kind == 5) search_set_avoid(search, &avoid);
        for (int turn = 0; turn < 4; turn++) {
            Driver *driver = NULL;
            EXPECT_OK(driver_new(&evaluator.base, &driver, err));
            search_begin(search, &(SearchLimits){.visits = 1000});
            EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
            driver_free(driver);
            EXPECT_TRUE(search_root_visits(search) >= 1000);
            int shared;
            if (kind != 3) expect_whole(search, &shared);
            if (kind == 5) EXPECT_INT(0, shared);
            Report *report = report_of_search(search);
            EXPECT_OK(search_play(search, report->moves[0].point, true, err));
            free(report);
        }
        search_free(search);
    }
}

TEST_MAIN(RUN(repetition_bounds_by_hand), RUN(paths_are_forgotten_beyond_the_bound),
          RUN(nodes_are_shared), RUN(kept_trees_stay_shared),
          RUN(nodes_of_dropped_moves_are_not_found), RUN(edges_catch_up_with_shared_nodes),
          RUN(nodes_are_found_by_hash_and_mover), RUN(graph_search_works_with_other_methods))
