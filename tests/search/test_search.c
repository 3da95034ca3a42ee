/* Whole searches on one thread: their tree, leaves that wait for evaluations, what is kept when a
 * move is played, memory, and settings. */
#include "search/core/search_private.h"
#include "search/made_up.h"
#include "search/tree/search_presets.h"

/* Checks that every expanded node has one visit more than its children together, and that no visit
 * is under way. */
static void check_counts(const Search *search) {
    const Tree *tree = &search->tree;
    for (size_t i = 0; i < tree->node_count; i++) {
        const Node *node = &tree->nodes[i];
        int64_t visits = node->state == NODE_EXPANDED;
        for (int k = 0; k < node->child_count; k++) {
            const Edge *edge = &tree->edges[node->edges + (uint32_t)k];
            EXPECT_INT(0, edge->waiting);
            EXPECT_INT(edge->visits, tree->nodes[edge->child].visits);
            visits += edge->visits;
        }
        if (node->state == NODE_EXPANDED) EXPECT_INT(visits, node->visits);
        if (node->state == NODE_NEW) EXPECT_INT(0, node->visits);
        EXPECT_TRUE(node->state != NODE_WAITING);
    }
}

TEST(a_search_finds_the_good_point_for_both_colors) {
    for (int passes = 0; passes <= 1; passes++) {
        SearchSettings settings = play_settings();
        MadeUp evaluator = made_up(1, point_at(3, 1));
        Position position = position_empty(5, 0.5f);
        if (passes) EXPECT_OK(position_play(&position, POINT_PASS, err));
        Search *search = search_of(&settings, 1, position);
        run_visits(search, &evaluator.base, 300);
        Report *report = report_of_search(search);
        EXPECT_INT(300, report->visits);
        EXPECT_INT(300, report->playouts);
        EXPECT_INT(point_at(3, 1), report->moves[0].point);
        EXPECT_TRUE(report->moves[0].visits > 150);
        EXPECT_TRUE(report->moves[0].win_loss > 0.6f);
        EXPECT_TRUE(report->win_loss > 0.4f);
        EXPECT_TRUE(report->moves[0].line_length > 1);
        check_counts(search);
        free(report);
        search_free(search);
    }
}

/* The averages of a node with many visits may lack the last of its visits, but at most 1/256 of its
 * visits. They also lack what the averages of its children lack, and so on down to the leaves. */
TEST(averages_lack_few_visits) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, point_at(3, 1));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &evaluator.base, 5000);
    Tree *tree = &search->tree;
    int lagging = 0;
    for (uint32_t i = (uint32_t)tree->node_count; i-- > 0;) { /* children first */
        Node *node = &tree->nodes[i], before = *node;
        if (!before.visits) continue;
        puct_recompute(&search->frame, tree, i, i == 0);
        double lag = before.visits < 512 ? 0 : 1.0 / 64;
        EXPECT_NEAR(before.utility, node->utility, lag);
        EXPECT_NEAR(before.weight, node->weight, lag * before.visits);
        lagging += before.weight != node->weight;
    }
    EXPECT_TRUE(lagging > 0);
    search_free(search);
}

static bool same_reports(const Report *a, const Report *b) {
    if (a->move_count != b->move_count || a->win_loss != b->win_loss) return false;
    for (int i = 0; i < a->move_count; i++) {
        const MoveReport *x = &a->moves[i], *y = &b->moves[i];
        if (x->point != y->point || x->visits != y->visits || x->noised_prior != y->noised_prior)
            return false;
    }
    return true;
}

TEST(the_same_seed_gives_the_same_tree) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &settings);
    Report *reports[3];
    const uint64_t seeds[3] = {11, 11, 12};
    for (int i = 0; i < 3; i++) {
        MadeUp evaluator = made_up(1, point_at(2, 2));
        Search *search = search_of(&settings, seeds[i], position_empty(5, 0.5f));
        run_visits(search, &evaluator.base, 200);
        reports[i] = report_of_search(search);
        search_free(search);
    }
    EXPECT_TRUE(same_reports(reports[0], reports[1]));
    EXPECT_FALSE(same_reports(reports[0], reports[2]));
    for (int i = 0; i < 3; i++)
        free(reports[i]);
}

TEST(playing_keeps_the_subtree) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, point_at(2, 2));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &evaluator.base, 400);
    Report *before = report_of_search(search);
    Point best = before->moves[0].point, reply = before->moves[0].line[1];
    EXPECT_OK(search_play(search, best, true, err));
    EXPECT_INT(before->moves[0].visits, search_root_visits(search));
    check_counts(search);
    Report *after = report_of_search(search);
    EXPECT_INT(COLOR_WHITE, after->mover);
    EXPECT_NEAR(-before->moves[0].win_loss, after->win_loss, 1e-6);
    EXPECT_TRUE(move_in(after, reply) != NULL);
    double sum = 0;
    for (int i = 0; i <= 25; i++)
        sum += after->raw_policy[i] > 0 ? (double)after->raw_policy[i] : 0;
    EXPECT_NEAR(1, sum, 0.01);
    int64_t asked = evaluator.base.evaluations, kept = search_root_visits(search);
    run_visits(search, &evaluator.base, 400); /* kept visits count */
    EXPECT_INT(400, search_root_visits(search));
    EXPECT_TRUE(evaluator.base.evaluations - asked <= 400 - kept);
    check_counts(search);
    free(before);
    free(after);
    search_free(search);
}

TEST(playing_without_keeping_clears_the_tree) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, point_at(2, 2));
    Search *search = search_of(
        &settings, 1, position_made("X....\n.....\n.....\n.....\n.....", 5, COLOR_BLACK, 0.5f));
    run_visits(search, &evaluator.base, 50);
    EXPECT_STATUS(ERR_ILLEGAL, search_play(search, point_at(0, 0), true, NULL));
    EXPECT_INT(50, search_root_visits(search));
    EXPECT_OK(search_play(search, point_at(2, 2), false, err));
    EXPECT_INT(0, search_root_visits(search));
    EXPECT_INT(1, search_position(search)->move_count);
    search_free(search);
}

TEST(noise_is_drawn_anew_from_the_raw_policy) {
    SearchSettings settings = play_settings();
    settings.noise.on = true;
    settings.root_temperature = settings.root_temperature_early = 2;
    MadeUp evaluator = made_up(1, point_at(2, 2));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    for (int i = 0; i < 4; i++) {
        run_visits(search, &evaluator.base, 60 + 10 * i);
        Report *report = report_of_search(search);
        double noised = 0;
        for (int k = 0; k < report->move_count; k++) {
            EXPECT_NEAR(1.0 / 26, report->moves[k].prior, 1e-6);
            noised += fabs((double)report->moves[k].noised_prior - 1.0 / 26);
        }
        EXPECT_TRUE(i == 3 ? noised < 1e-3 : noised > 0.05);
        settings.noise.on = i < 2;
        EXPECT_OK(search_set_settings(search, &settings, err));
        free(report);
    }
    search_free(search);
}

TEST(leaves_under_way_are_counted) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, point_at(2, 2));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    EvaluationRequest leaves[16];
    Evaluation *evaluations = calloc(16, sizeof *evaluations);
    EXPECT_INT(0, search_collect(search, leaves, 16)); /* the search has not begun */
    search_begin(search, &(SearchLimits){.visits = 20});
    EXPECT_INT(1, search_collect(search, leaves, 16)); /* at first only the root */
    EXPECT_FALSE(search_done(search));
    made_up_one(&evaluator, leaves[0].position, &evaluations[0]);
    search_receive(search, evaluations, 1);
    EXPECT_INT(8, search_collect(search, leaves, 8));
    EXPECT_INT(1, search_root_visits(search));
    int under_way = 0;
    const Node *root = search->tree.nodes;
    for (int i = 0; i < root->child_count; i++)
        under_way += search->tree.edges[root->edges + (uint32_t)i].waiting;
    EXPECT_INT(8, under_way);
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < i; k++)
            EXPECT_TRUE(position_state_hash(leaves[i].position) !=
                        position_state_hash(leaves[k].position));
        made_up_one(&evaluator, leaves[i].position, &evaluations[i]);
    }
    search_receive(search, evaluations, 8);
    EXPECT_INT(9, search_root_visits(search));
    check_counts(search);
    EXPECT_INT(11, search_collect(search, leaves, 16)); /* not more than the limit allows */
    for (int i = 0; i < 11; i++)
        made_up_one(&evaluator, leaves[i].position, &evaluations[i]);
    search_receive(search, evaluations, 11);
    EXPECT_TRUE(search_done(search));
    EXPECT_INT(20, search_root_visits(search));
    check_counts(search);
    free(evaluations);
    search_free(search);
}

TEST(leaves_without_an_evaluation_are_forgotten) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, point_at(2, 2));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    EvaluationRequest leaves[4];
    run_visits(search, &evaluator.base, 30);
    search_begin(search, &(SearchLimits){.visits = 40});
    EXPECT_INT(4, search_collect(search, leaves, 4));
    run_visits(search, &evaluator.base, 60);
    EXPECT_INT(60, search_root_visits(search));
    check_counts(search);
    search_free(search);
}

TEST(a_full_tree_ends_the_search) {
    SearchSettings settings = play_settings();
    settings.tree_memory_mb = 1;
    MadeUp evaluator = made_up(1, point_at(4, 4));
    Search *search = search_of(&settings, 1, position_empty(9, 0.5f));
    run_visits(search, &evaluator.base, 100000);
    EXPECT_TRUE(search_tree_full(search));
    EXPECT_TRUE(search_done(search));
    EXPECT_TRUE(search_root_visits(search) > 500 && search_root_visits(search) < 100000);
    int64_t nodes;
    EXPECT_TRUE(search_node_bytes(search, &nodes) <= 1u << 20);
    EXPECT_TRUE(nodes >= search_root_visits(search));
    check_counts(search);
    Report *report = report_of_search(search);
    Point best = report->moves[0].point;
    free(report);
    EXPECT_INT(point_at(4, 4), best);
    EXPECT_OK(search_play(search, best, true, err)); /* makes room again */
    int64_t kept = search_root_visits(search);
    run_visits(search, &evaluator.base, kept + 10);
    EXPECT_INT(kept + 10, search_root_visits(search));
    search_free(search);
}

/* When a move is played, the old tree and the copy of the kept subtree exist at the same time.
 * Together they must stay within the limit. */
TEST(both_trees_keep_within_the_limit) {
    SearchSettings settings = play_settings();
    settings.tree_memory_mb = 1;
    MadeUp evaluator = made_up(1, point_at(4, 4));
    Search *search = search_of(&settings, 1, position_empty(9, 0.5f));
    size_t max[2] = {0, 0};
    for (int turn = 0; turn < 4; turn++) {
        run_visits(search, &evaluator.base, 100000);
        EXPECT_TRUE(search_tree_full(search));
        size_t bytes = search_node_bytes(search, NULL);
        if (bytes > max[turn % 2]) max[turn % 2] = bytes;
        Report *report = report_of_search(search);
        EXPECT_OK(search_play(search, report->moves[0].point, true, err));
        EXPECT_TRUE(search_root_visits(search) > 0);
        free(report);
    }
    EXPECT_TRUE(max[0] > 1 << 18 && max[1] > 1 << 18);
    EXPECT_TRUE(max[0] + max[1] <= 1 << 20);
    search_free(search);
}

TEST(a_small_search_takes_little_memory) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, point_at(4, 4));
    Search *search = search_of(&settings, 1, position_empty(19, 7.5f));
    run_visits(search, &evaluator.base, 400);
    int64_t nodes;
    size_t bytes = search_node_bytes(search, &nodes);
    EXPECT_INT(400, nodes);
    EXPECT_TRUE(bytes / 400 <= 600);
    size_t held = search->tree.node_capacity * sizeof(Node) +
                  search->tree.edge_capacity * sizeof(Edge) + search->tree.policy_capacity * 4;
    EXPECT_TRUE(held < 4 * bytes);
    search_free(search);
}

TEST(a_prior_on_an_illegal_move_does_no_harm) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, point_at(2, 2));
    evaluator.illegal = 0;
    Search *search = search_of(
        &settings, 1, position_made("O....\n.....\n.....\n.....\n.....", 5, COLOR_BLACK, 0.5f));
    run_visits(search, &evaluator.base, 200);
    Report *report = report_of_search(search);
    EXPECT_INT(200, report->visits);
    EXPECT_TRUE(!move_in(report, point_at(0, 0)));
    EXPECT_INT(point_at(2, 2), report->moves[0].point);
    check_counts(search);
    free(report);
    search_free(search);
}

TEST(settings_out_of_range_are_refused) {
    SearchSettings settings = play_settings();
    Search *search = NULL;
    Error error = {0};
    settings.c_puct = -1;
    EXPECT_STATUS(ERR_ARGUMENT, search_new(&settings, 1, &search, &error));
    EXPECT_TRUE(!search);
    EXPECT_CONTAINS(error.message, "search.c_puct");
    settings = play_settings();
    settings.temperature = (double)NAN;
    EXPECT_STATUS(ERR_ARGUMENT, search_new(&settings, 1, &search, NULL));
    settings = play_settings();
    settings.tree_memory_mb = 0;
    EXPECT_STATUS(ERR_ARGUMENT, search_new(&settings, 1, &search, NULL));
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &settings);
    EXPECT_STATUS(OK, search_new(&settings, 1, &search, NULL));
    search_free(search);
    search_free(NULL);
}

TEST(settings_that_change_values_clear_the_tree) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, point_at(2, 2));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &evaluator.base, 30);
    settings.c_puct = 2;
    EXPECT_OK(search_set_settings(search, &settings, err));
    EXPECT_INT(30, search_root_visits(search));
    settings.win_loss_factor = 2;
    EXPECT_OK(search_set_settings(search, &settings, err));
    EXPECT_INT(0, search_root_visits(search));
    search_free(search);
}

TEST(ownership_of_the_root_is_kept) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, point_at(2, 2));
    evaluator.ownership = true;
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &evaluator.base, 30);
    Report *report = report_of_search(search);
    EXPECT_TRUE(report->has_ownership);
    EXPECT_NEAR(0.25, report->ownership[24], 0);
    EXPECT_OK(search_play(search, report->moves[0].point, true, err));
    search_report(search, report);
    EXPECT_FALSE(report->has_ownership);
    free(report);
    search_free(search);
}

TEST_MAIN(RUN(a_search_finds_the_good_point_for_both_colors), RUN(averages_lack_few_visits),
          RUN(the_same_seed_gives_the_same_tree), RUN(playing_keeps_the_subtree),
          RUN(playing_without_keeping_clears_the_tree),
          RUN(noise_is_drawn_anew_from_the_raw_policy), RUN(leaves_under_way_are_counted),
          RUN(leaves_without_an_evaluation_are_forgotten), RUN(a_full_tree_ends_the_search),
          RUN(both_trees_keep_within_the_limit), RUN(a_small_search_takes_little_memory),
          RUN(a_prior_on_an_illegal_move_does_no_harm), RUN(settings_out_of_range_are_refused),
          RUN(settings_that_change_values_clear_the_tree), RUN(ownership_of_the_root_is_kept))
