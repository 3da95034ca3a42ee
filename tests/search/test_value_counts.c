/* Counts of the values that a search found, in 51 buckets: on a tree that the test makes, and in
 * reports of searches. */
#include "made_root.h"
#include "search/methods/spread.h"

enum { COUNT = REPORT_VALUE_BUCKETS };

static int bucket_of(double value) {
    int at = (int)floor((value + 1) / 2 * COUNT);
    return at < 0 ? 0 : at >= COUNT ? COUNT - 1 : at;
}

/* Adds a child of `parent` with this state, own win - loss and visits, and returns its index. */
static uint32_t add(Tree *tree, uint32_t parent, NodeState state, float own, int visits) {
    int index = tree_add_child(tree, parent, COLOR_BLACK);
    Edge *edge = &tree->edges[tree->nodes[parent].edges + (uint32_t)index];
    Node *child = &tree->nodes[edge->child];
    edge->visits = child->visits = visits;
    child->state = (uint8_t)state;
    child->own_win_loss = child->win_loss = own;
    return edge->child;
}

/* Makes a tree of 6 visits. The root's own value is 0.2. The first move has 3 visits: its own value
 * 0.5, and two visits of an end of the game with -1. The second has 2 visits: its own value -0.3,
 * and a child with 0.9. The third waits for its evaluation. */
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

TEST(each_visit_counts_in_the_bucket_of_its_value) {
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

/* If other parents made some of the visits of a shared node, the visits below the node count only
 * in proportion. Here a third of them counts. */
TEST(shared_nodes_count_in_proportion_to_their_visits) {
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

/* With the setting value_buckets, reports have these counts. The counts add up to the visits, and
 * the mean of the middles of the buckets is about the root's win - loss. With graph search both are
 * true only roughly. */
TEST(reports_have_the_counts_if_the_setting_is_on) {
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

TEST_MAIN(RUN(each_visit_counts_in_the_bucket_of_its_value),
          RUN(shared_nodes_count_in_proportion_to_their_visits),
          RUN(reports_have_the_counts_if_the_setting_is_on))
