/* How the values that a search found are spread over 51 buckets, on a tree made by hand and of real
 * searches. */
#include "made_root.h"
#include "search/methods/spread.h"

enum { COUNT = REPORT_VALUE_BUCKETS };

static int bucket_of(double value) {
    int at = (int)floor((value + 1) / 2 * COUNT);
    return at < 0 ? 0 : at >= COUNT ? COUNT - 1 : at;
}

/* A child of `parent`: its state, own value, visits of its edge. */
static uint32_t add(Tree *tree, uint32_t parent, NodeState state, float own, int visits) {
    int index = tree_add_child(tree, parent, COLOR_BLACK);
    Edge *edge = &tree->edges[tree->nodes[parent].edges + (uint32_t)index];
    Node *child = &tree->nodes[edge->child];
    edge->visits = child->visits = visits;
    child->state = (uint8_t)state;
    child->own_win_loss = child->win_loss = own;
    return edge->child;
}

/* The root's own 0.2; a move of 3 visits with 0.5 of its own, after which the game ended at -1
 * twice; a move of 2 visits, one of them to 0.9; one on its way. */
static Search *made_tree(void) {
    static const float POLICY[10] = {0.4f, 0.3f, 0.2f, 0.1f, -1, -1, -1, -1, -1, -1};
    SearchSettings settings = win_loss_settings();
    Search *search = search_with_root(&settings, POLICY);
    Tree *tree = &search->tree;
    tree->nodes[0].own_win_loss = 0.2f;
    tree->nodes[0].visits = 6;
    uint32_t first = add(tree, 0, NODE_EXPANDED, 0.5f, 3),
             second = add(tree, 0, NODE_EXPANDED, -0.3f, 2);
    add(tree, 0, NODE_WAITING, 0, 0);
    EXPECT_TRUE(tree_set_policy(tree, first, POLICY, true));
    EXPECT_TRUE(tree_set_policy(tree, second, POLICY, true));
    add(tree, first, NODE_TERMINAL, -1, 2);
    add(tree, second, NODE_EXPANDED, 0.9f, 1);
    return search;
}

TEST(each_visit_counts_where_its_value_lies) {
    static const float VALUES[] = {0.2f, 0.5f, -1, -1, -0.3f, 0.9f};
    Search *search = made_tree();
    for (int side = -1; side <= 1; side += 2) {
        double buckets[COUNT], wanted[COUNT] = {0};
        for (int i = 0; i < 6; i++)
            wanted[bucket_of(side * (double)VALUES[i])]++;
        spread_count(&search->tree, 0, side, buckets, COUNT);
        for (int i = 0; i < COUNT; i++)
            EXPECT_NEAR(wanted[i], buckets[i], 1e-9);
    }
    search_free(search);
}

/* Where another parent has sent half of a node's visits, half of what is below it counts here. */
TEST(shared_nodes_count_by_the_visits_that_came_from_here) {
    Search *search = made_tree();
    double buckets[COUNT];
    root_edge(search, 0)->visits = 1;
    search->tree.nodes[0].visits = 4;
    spread_count(&search->tree, 0, 1, buckets, COUNT);
    EXPECT_NEAR(1.0 / 3, buckets[bucket_of(0.5)], 1e-6);
    EXPECT_NEAR(2.0 / 3, buckets[0], 1e-6);
    EXPECT_NEAR(1, buckets[bucket_of((double)0.2f)], 1e-6);
    EXPECT_NEAR(1, buckets[bucket_of((double)0.9f)], 1e-6);
    search_free(search);
}

/* All visits count, and the middles of their buckets have about the root's mean. */
TEST(reports_of_searches_say_it_where_it_is_wanted) {
    MadeUp evaluator = made_up(1, point_at(1, 1));
    evaluator.by_area = true;
    for (int graph = 0; graph < 2; graph++) {
        SearchSettings settings = win_loss_settings();
        Report *report = calloc(1, sizeof *report);
        Driver *driver = NULL;
        settings.graph.on = graph;
        for (int wanted = 0; wanted < 2; wanted++) {
            settings.value_buckets = wanted;
            Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
            double sum = 0, mean = 0;
            EXPECT_OK(driver_new(&evaluator.base, &driver, err));
            search_begin(search, &(SearchLimits){.visits = 300});
            EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
            search_report(search, report);
            EXPECT_INT(wanted, report->has_value_counts);
            for (int i = 0; wanted && i < COUNT; i++) {
                sum += report->value_counts[i];
                mean += report->value_counts[i] * ((i + 0.5) * 2 / COUNT - 1);
            }
            if (wanted) {
                EXPECT_NEAR(report->visits, sum, graph ? 3 : 0);
                EXPECT_NEAR(report->win_loss, mean / sum, graph ? 0.1 : 1.0 / COUNT);
            }
            driver_free(driver);
            search_free(search);
        }
        free(report);
    }
}

TEST_MAIN(RUN(each_visit_counts_where_its_value_lies),
          RUN(shared_nodes_count_by_the_visits_that_came_from_here),
          RUN(reports_of_searches_say_it_where_it_is_wanted))
