/* Views of a search's tree: which nodes they have, and whether the weights explain the values. */
#include "search/made_up.h"
#include "search/result/tree_view.h"
#include "search/tree/search_presets.h"

static Search *searched(int visits, bool graph) {
    SearchSettings settings;
    Driver *driver;
    MadeUp made = made_up(1, point_at(2, 2));
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    settings.tree_memory_mb = 16;
    settings.graph.on = graph;
    Search *search = search_of(&settings, 1, position_empty(5, 3));
    search_begin(search, &(SearchLimits){.visits = visits});
    EXPECT_OK(driver_new(&made.base, &driver, err));
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    driver_free(driver);
    return search;
}

static void expect_refused(const Search *search, const TreeViewSetup *setup, const char *words) {
    TreeViewNode *nodes;
    size_t count;
    Error err = {0};
    EXPECT_STATUS(ERR_ARGUMENT, search_view_tree(search, setup, &nodes, &count, &err));
    EXPECT_CONTAINS(err.message, words);
    EXPECT_TRUE(!nodes);
}

static const TreeViewSetup ALL = {.depth = TREE_VIEW_DEPTH_MAX, .branches = MOVES_MAX};

/* A node has the visits of its moves and one visit of its own. Its value is the weighted mean of
 * its own value and the values of its moves. */
static void expect_explained(const TreeViewNode *nodes, size_t count, size_t at) {
    int64_t visits = 0;
    double mean = 0, weights = 0;
    for (size_t i = at + 1; i < count && nodes[i].depth > nodes[at].depth; i++) {
        if (nodes[i].depth != nodes[at].depth + 1) continue;
        visits += nodes[i].edge_visits;
        weights += (double)nodes[i].weight_fraction;
        mean += (double)nodes[i].weight_fraction * (double)nodes[i].white_win_loss;
    }
    if (nodes[at].over) return;
    EXPECT_INT(nodes[at].visits, visits + 1);
    mean += (1 - weights) * (double)nodes[at].net_white_win_loss;
    EXPECT_NEAR((double)nodes[at].white_win_loss, mean, 1e-3);
}

TEST(a_whole_tree_explains_its_values) {
    enum { VISITS = 200 };
    TreeViewNode *nodes;
    size_t count;
    Search *search = searched(VISITS, false);
    EXPECT_OK(search_view_tree(search, &ALL, &nodes, &count, err));
    EXPECT_INT(VISITS, nodes[0].visits);
    EXPECT_INT(POINT_NONE, nodes[0].point);
    EXPECT_INT(COLOR_BLACK, nodes[1].player);
    EXPECT_INT(1, nodes[1].depth);
    for (size_t i = 0; i < count; i++) {
        EXPECT_INT(0, nodes[i].hidden_moves);
        expect_explained(nodes, count, i);
    }
    free(nodes);
    search_free(search);
}

/* The first level has the same moves as the report, with the same visits, priors and values. */
TEST(a_view_agrees_with_the_report) {
    static Report report;
    TreeViewSetup setup = ALL;
    TreeViewNode *nodes;
    size_t count;
    Search *search = searched(150, false);
    search_report(search, &report);
    setup.depth = 1;
    EXPECT_OK(search_view_tree(search, &setup, &nodes, &count, err));
    EXPECT_INT(report.move_count + 1, count);
    for (size_t i = 1; i < count; i++) {
        const MoveReport *move = report.moves;
        while (move->point != nodes[i].point)
            move++;
        EXPECT_INT(move->visits, nodes[i].visits);
        EXPECT_NEAR((double)move->prior, (double)nodes[i].prior, 1e-6);
        EXPECT_NEAR((double)move->win_loss, -(double)nodes[i].white_win_loss, 1e-6);
        EXPECT_NEAR((double)move->lead, -(double)nodes[i].white_lead, 1e-6);
        EXPECT_TRUE(i == 1 || nodes[i].visits <= nodes[i - 1].visits);
    }
    free(nodes);
    search_free(search);
}

TEST(limits_hide_moves_and_count_them) {
    TreeViewNode *all, *nodes;
    size_t all_count, count, moves = 0;
    Search *search = searched(150, false);
    TreeViewSetup setup = {.depth = 1, .branches = 2, .min_visits = 1};
    EXPECT_OK(search_view_tree(search, &ALL, &all, &all_count, err));
    for (size_t i = 1; i < all_count; i++)
        moves += all[i].depth == 1;
    EXPECT_TRUE(moves > 3);
    EXPECT_OK(search_view_tree(search, &setup, &nodes, &count, err));
    EXPECT_INT(3, count);
    EXPECT_INT(moves - 2, nodes[0].hidden_moves);
    EXPECT_INT(149 - nodes[1].visits - nodes[2].visits, nodes[0].hidden_visits);
    EXPECT_INT(nodes[1].visits - 1, nodes[1].hidden_visits);
    setup = (TreeViewSetup){.depth = 5, .branches = MOVES_MAX, .min_visits = nodes[1].visits};
    free(nodes);
    EXPECT_OK(search_view_tree(search, &setup, &nodes, &count, err));
    EXPECT_TRUE(count >= 2 && count < moves + 1);
    for (size_t i = 1; i < count; i++)
        EXPECT_TRUE(nodes[i].edge_visits >= setup.min_visits);
    free(nodes);
    free(all);
    search_free(search);
}

TEST(a_view_may_begin_after_a_line) {
    TreeViewNode *all, *nodes;
    size_t all_count, count;
    Search *search = searched(150, false);
    EXPECT_OK(search_view_tree(search, &ALL, &all, &all_count, err));
    EXPECT_INT(2, all[2].depth);
    const Point line[2] = {all[1].point, all[2].point};
    TreeViewSetup setup = ALL;
    setup.line = line;
    setup.line_length = 2;
    EXPECT_OK(search_view_tree(search, &setup, &nodes, &count, err));
    EXPECT_INT(0, nodes[0].depth);
    EXPECT_INT(line[1], nodes[0].point);
    EXPECT_INT(COLOR_WHITE, nodes[0].player);
    EXPECT_INT(all[2].visits, nodes[0].visits);
    free(nodes);
    const Point nowhere[2] = {line[0], line[0]};
    setup.line = nowhere;
    expect_refused(search, &setup, "has not visited");
    free(all);
    search_free(search);
}

TEST(bad_limits_and_an_empty_tree) {
    TreeViewNode *nodes;
    size_t count;
    Search *search = searched(0, false);
    search_clear_tree(search);
    EXPECT_OK(search_view_tree(search, &ALL, &nodes, &count, err));
    EXPECT_TRUE(!nodes);
    EXPECT_INT(0, count);
    TreeViewSetup setup = ALL;
    setup.depth = TREE_VIEW_DEPTH_MAX + 1;
    expect_refused(search, &setup, "depth of 0 to 100");
    search_free(search);
}

/* In a graph, a node may have more visits than one of the moves that lead to it. */
TEST(shared_nodes_are_shown_under_each_parent) {
    TreeViewNode *nodes;
    size_t count;
    bool any = false;
    Search *search = searched(400, true);
    EXPECT_OK(search_view_tree(search, &ALL, &nodes, &count, err));
    for (size_t i = 0; i < count; i++)
        any = any || nodes[i].visits != nodes[i].edge_visits;
    EXPECT_TRUE(any);
    free(nodes);
    search_free(search);
}

TEST_MAIN(RUN(a_whole_tree_explains_its_values), RUN(a_view_agrees_with_the_report),
          RUN(limits_hide_moves_and_count_them), RUN(a_view_may_begin_after_a_line),
          RUN(bad_limits_and_an_empty_tree), RUN(shared_nodes_are_shown_under_each_parent))
