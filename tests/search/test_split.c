/* Searches with several threads on one tree. */
#include "search/core/search_private.h"
#include "search/made_up.h"
#include "search/tree/shared_lock.h"

enum { THREADS = 4 };

/* A driver with an evaluator for each thread, all with the same values. Each evaluation pauses, as
 * the evaluation of a net does. So other threads get the processor, and no thread makes all
 * visits. */
typedef struct {
    MadeUp evaluators[THREADS];
    Driver *driver;
} Team;

static void team_init(Team *team, int threads, int batch, MadeUp like) {
    Evaluator *evaluators[THREADS];
    for (int i = 0; i < threads; i++) {
        team->evaluators[i] = like;
        team->evaluators[i].base.batch = batch;
        team->evaluators[i].pause_us = 20;
        evaluators[i] = &team->evaluators[i].base;
    }
    EXPECT_OK(driver_new_threads(evaluators, threads, &team->driver, err));
}

/* Checks that no visit is under way, that visits add up, and that the averages of each node follow
 * from its children. At nodes with many visits the averages may lack the last visits. */
static void check_tree(Search *search) {
    Tree *tree = &search->tree;
    EXPECT_FALSE(tree->split);
    for (uint32_t i = (uint32_t)tree->node_count; i-- > 0;) {
        const Node *node = &tree->nodes[i];
        int64_t visits = node->state == NODE_EXPANDED;
        EXPECT_TRUE(node->state != NODE_WAITING);
        EXPECT_FALSE(node->locked);
        EXPECT_INT(0, node->arriving);
        for (int k = 0; k < node->child_count; k++) {
            const Edge *edge = &tree->edges[node->edges + (uint32_t)k];
            EXPECT_INT(0, edge->waiting);
            EXPECT_INT(edge->visits, tree->nodes[edge->child].visits);
            visits += edge->visits;
        }
        if (node->state == NODE_EXPANDED) EXPECT_INT(visits, node->visits);
        Node before = *node;
        if (!before.visits) continue;
        puct_recompute(&search->frame, tree, i, i == 0);
        double lag = node->visits < 512 ? 0 : 1.0 / 16; /* at most 1/128 for each node below */
        EXPECT_NEAR(before.utility, node->utility, lag);
        EXPECT_NEAR(before.weight, node->weight, lag * node->visits);
        EXPECT_NEAR(before.score_mean_sq, node->score_mean_sq, lag * (double)node->score_mean_sq);
    }
}

/* Continues the search until the good move is the best one. If the system delays a thread, its
 * visits under way keep the other threads away from the moves on its path. So this may take several
 * searches. */
static void search_further(Search *search, Driver *driver) {
    Point best = POINT_PASS;
    for (int turn = 1; turn <= 10 && best != point_at(3, 1); turn++) {
        search_begin(search, &(SearchLimits){.playouts = 200});
        EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
        EXPECT_INT(1500 + 200 * turn, search_root_visits(search));
        check_tree(search);
        Report *report = report_of_search(search);
        best = report->moves[0].point;
        free(report);
    }
    EXPECT_INT(point_at(3, 1), best);
}

TEST(threads_keep_the_limit_and_leave_a_whole_tree) {
    for (int threads = 2; threads <= THREADS; threads++) {
        for (int batch = 1; batch <= 3; batch += 2) {
            SearchSettings settings = with_leaves(play_settings(), batch);
            Team team = {0};
            team_init(&team, threads, batch, made_up(1, point_at(3, 1)));
            Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
            search_begin(search, &(SearchLimits){.visits = 1500});
            EXPECT_OK(driver_run(team.driver, search, &(DriverRun){0}, err));
            EXPECT_INT(1500, search_root_visits(search));
            Report *report = report_of_search(search);
            EXPECT_INT(1500, report->playouts);
            free(report);
            check_tree(search);
            search_further(search, team.driver);
            search_free(search);
            driver_free(team.driver);
        }
    }
}

/* The number of leaves that are evaluated together grows with the visits of the root. Each thread
 * estimates the visits of the root: it multiplies the visits that it made in this search by the
 * number of threads, and adds the kept visits to the product. */
TEST(leaves_at_once_grow_on_each_thread) {
    SearchSettings settings = play_settings();
    settings.leaves = 4;
    settings.leaf_visits = 100;
    Team team = {0};
    team_init(&team, 2, 8, made_up(8, point_at(3, 1)));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    const struct {
        int visits, min, max;
    } STEPS[] = {{48, 1, 1}, {2000, 4, 4}, {2030, 4, 4}}; /* the last step has only 30 visits */
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
        team.evaluators[0].largest = team.evaluators[1].largest = 0;
        search_begin(search, &(SearchLimits){.visits = STEPS[i].visits});
        EXPECT_OK(driver_run(team.driver, search, &(DriverRun){0}, err));
        EXPECT_INT(STEPS[i].visits, search_root_visits(search));
        int first = team.evaluators[0].largest, second = team.evaluators[1].largest;
        EXPECT_INT(STEPS[i].min, first > second ? first : second);
        EXPECT_TRUE(first <= STEPS[i].max && second <= STEPS[i].max);
    }
    check_tree(search);
    search_free(search);
    driver_free(team.driver);
}

/* A search with four threads is compared with a search on one thread. It finds about the same
 * value, and it gives the best move about the same fraction of the visits. */
TEST(threads_find_what_one_thread_finds) {
    double shares[2], values[2];
    for (int many = 0; many <= 1; many++) {
        SearchSettings settings = play_settings();
        Team team = {0};
        MadeUp like = made_up(1, POINT_PASS);
        like.by_area = true;
        team_init(&team, many ? THREADS : 1, 1, like);
        Search *search = search_of(
            &settings, 1, position_made(".....\n.OX..\n..O..\n.X.O.\n.....", 5, COLOR_BLACK, 0.5f));
        search_begin(search, &(SearchLimits){.visits = 3000});
        EXPECT_OK(driver_run(team.driver, search, &(DriverRun){0}, err));
        Report *report = report_of_search(search);
        shares[many] = (double)report->moves[0].visits / (double)report->visits;
        values[many] = (double)report->win_loss;
        free(report);
        search_free(search);
        driver_free(team.driver);
    }
    EXPECT_NEAR(values[0], values[1], 0.1);
    EXPECT_NEAR(shares[0], shares[1], 0.25);
}

/* The search ends when its tree is full, and stays within its memory. After a move, the search goes
 * on in the kept subtree. */
TEST(a_full_tree_ends_the_search_of_all_threads) {
    SearchSettings settings = play_settings();
    Team team = {0};
    settings.tree_memory_mb = 1;
    team_init(&team, THREADS, 1, made_up(1, point_at(3, 1)));
    Search *search = search_of(&settings, 1, position_empty(9, 0.5f));
    for (int turn = 0; turn < 3; turn++) {
        search_begin(search, &(SearchLimits){0});
        EXPECT_OK(driver_run(team.driver, search, &(DriverRun){0}, err));
        EXPECT_TRUE(search_tree_full(search));
        EXPECT_TRUE(search_done(search));
        EXPECT_TRUE(search_node_bytes(search, NULL) <= 1u << 19);
        EXPECT_TRUE(search_root_visits(search) > 100);
        check_tree(search); /* descents that found no room have left nothing behind */
        Report *report = report_of_search(search);
        Point best = report->moves[0].point;
        free(report);
        EXPECT_OK(search_play(search, best, true, err));
        EXPECT_TRUE(search_root_visits(search) > 0); /* kept */
    }
    search_free(search);
    driver_free(team.driver);
}

TEST(a_failure_of_one_thread_ends_the_run) {
    SearchSettings settings = play_settings();
    Team team = {0};
    team_init(&team, THREADS, 1, made_up(1, point_at(3, 1)));
    team.evaluators[2].fail_after = 30;
    Search *search = search_of(&settings, 1, position_empty(9, 0.5f));
    Error fault = {0};
    search_begin(search, &(SearchLimits){0});
    EXPECT_STATUS(ERR_IO, driver_run(team.driver, search, &(DriverRun){0}, &fault));
    EXPECT_CONTAINS(fault.message, "made up");
    team.evaluators[2].fail_after = 0;
    search_begin(search, &(SearchLimits){.playouts = 100});
    EXPECT_OK(driver_run(team.driver, search, &(DriverRun){0}, err));
    check_tree(search);
    search_free(search);
    driver_free(team.driver);
}

typedef struct {
    int calls;
    int64_t visits;
    atomic_bool stop;
    Report report;
} Watch;

/* Checks that the search does not change while it is reported: visits of the root, of the moves and
 * playouts agree. */
static void on_progress(void *context, const Search *search) {
    Watch *watch = context;
    int64_t before = search_root_visits(search), visits = before > 0;
    EXPECT_TRUE(before >= watch->visits);
    watch->visits = before;
    search_report(search, &watch->report);
    for (int i = 0; i < watch->report.move_count; i++)
        visits += watch->report.moves[i].visits;
    EXPECT_INT(before, search_root_visits(search));
    EXPECT_INT(before, visits);
    EXPECT_INT(before, watch->report.playouts); /* time control uses these */
    if (++watch->calls == 20) atomic_store(&watch->stop, true);
}

static bool after_ten(void *context, const Search *search, double elapsed) {
    Watch *watch = context;
    EXPECT_TRUE(elapsed >= 0);
    EXPECT_TRUE(search_root_visits(search) > 0);
    return ++watch->calls >= 10;
}

TEST(a_search_stands_still_while_it_is_reported) {
    SearchSettings settings = play_settings();
    Team team = {0};
    Watch *watch = calloc(1, sizeof *watch);
    MadeUp like = made_up(1, point_at(3, 1));
    like.ownership = true;
    team_init(&team, THREADS, 1, like);
    Search *search = search_of(&settings, 1, position_empty(9, 0.5f));
    search_keep_ownership(search, true);
    search_begin(search, &(SearchLimits){0});
    EXPECT_OK(driver_run(team.driver, search,
                         &(DriverRun){.stop = &watch->stop,
                                      .on_progress = on_progress,
                                      .context = watch,
                                      .interval_seconds = 0.001},
                         err));
    EXPECT_INT(20, watch->calls);
    watch->calls = 0;
    EXPECT_OK(driver_run(team.driver, search,
                         &(DriverRun){.is_enough = after_ten, .context = watch}, err));
    EXPECT_INT(10, watch->calls);
    check_tree(search);
    float mean[BOARD_POINTS_MAX], stdev[BOARD_POINTS_MAX];
    EXPECT_TRUE(search_ownership(search, POINT_NONE, mean, stdev));
    search_free(search);
    driver_free(team.driver);
    free(watch);
}

TEST(gumbel_roots_can_be_split) {
    SearchSettings settings = play_settings();
    Team team = {0};
    settings.gumbel.on = true;
    team_init(&team, THREADS, 1, made_up(1, point_at(3, 1)));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    search_begin(search, &(SearchLimits){.visits = 400});
    EXPECT_OK(driver_run(team.driver, search, &(DriverRun){0}, err));
    EXPECT_INT(400, search_root_visits(search));
    Report *report = report_of_search(search);
    EXPECT_INT(point_at(3, 1), report->choice);
    free(report);
    check_tree(search);
    search_free(search);
    driver_free(team.driver);
}

typedef struct {
    SharedLock lock;
    int64_t entered[THREADS], sum; /* sum: written only by a thread that alone holds the lock */
    bool bad;
} Place;

static void go_in_and_out(void *context, int thread) {
    Place *place = context;
    for (int i = 0; i < 2000; i++) {
        shared_lock_enter(&place->lock, thread);
        place->entered[thread]++;
        shared_lock_leave(&place->lock, thread);
        if (i % 50 != thread) continue;
        shared_lock_begin_exclusive(&place->lock);
        int64_t sum = 0;
        for (int k = 0; k < THREADS; k++)
            sum += place->entered[k];
        place->bad = place->bad || sum < place->sum;
        place->sum = sum;
        shared_lock_end_exclusive(&place->lock);
    }
}

TEST(exclusive_use_of_a_shared_lock_excludes_all) {
    Place *place = calloc(1, sizeof *place);
    shared_lock_init(&place->lock, THREADS);
    EXPECT_OK(thread_parallel(THREADS, go_in_and_out, place, err));
    EXPECT_FALSE(place->bad);
    EXPECT_INT(2000, place->entered[0]);
    shared_lock_clear(&place->lock);
    free(place);
}

TEST(wrong_numbers_of_threads_are_refused) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, POINT_PASS);
    Evaluator *evaluators[1] = {&evaluator.base};
    Driver *driver = NULL;
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    EXPECT_STATUS(ERR_ARGUMENT, driver_new_threads(evaluators, 0, &driver, NULL));
    EXPECT_STATUS(ERR_ARGUMENT,
                  driver_new_threads(evaluators, SEARCH_THREADS_MAX + 1, &driver, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, search_split(search, SEARCH_THREADS_MAX + 1, NULL));
    EXPECT_FALSE(search_root_ready(search));
    search_free(search);
}

/* Threads take visits of the limit in portions, and give back those that fail. In the end, exactly
 * as many visits have been made as the limit allows. */
TEST(every_visit_of_the_limit_is_made_once) {
    for (int visits = 2; visits < 90; visits++) {
        SearchSettings settings = with_leaves(play_settings(), 1 + visits % 3);
        Team team = {0};
        team_init(&team, THREADS, 1 + visits % 3, made_up(1, POINT_PASS));
        /* on so small a board, descents often fail because nodes wait for evaluations */
        Search *search = search_of(&settings, 1, position_empty(2, 0.5f));
        search_begin(search, &(SearchLimits){.visits = visits});
        EXPECT_OK(driver_run(team.driver, search, &(DriverRun){0}, err));
        EXPECT_INT(visits, search_root_visits(search));
        EXPECT_INT(visits, search_playouts(search));
        check_tree(search);
        search_free(search);
        driver_free(team.driver);
    }
}

/* An evaluator whose human policy is its ordinary policy. */
typedef struct {
    Evaluator base;
    MadeUp made;
} People;

static Status people_evaluate(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                              Evaluation *out, Error *err) {
    (void)err;
    for (int i = 0; i < count; i++) {
        made_up_one(&((People *)evaluator)->made, requests[i].position, &out[i]);
        if (!requests[i].options.human) continue;
        out[i].has_human = true;
        memcpy(out[i].human_policy, out[i].policy, sizeof out[i].human_policy);
    }
    clock_sleep_us(20);
    return OK;
}

static const EvaluatorClass PEOPLE = {"people", people_evaluate, NULL};

/* Weightless visits count for the child but not for the edge, so the edge has at most the visits of
 * the child. */
TEST(human_visits_of_the_root_work_in_threads) {
    SearchSettings settings = play_settings();
    settings.human.root_weightless = 0.3;
    settings.human.root_weightful = 0.2;
    settings.more_passing_hacks = true;
    People people[THREADS];
    Evaluator *evaluators[THREADS];
    Driver *driver;
    for (int i = 0; i < THREADS; i++) {
        people[i] = (People){{&PEOPLE, 1, 0, false}, made_up(1, point_at(3, 1))};
        evaluators[i] = &people[i].base;
    }
    EXPECT_OK(driver_new_threads(evaluators, THREADS, &driver, err));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    search_begin(search, &(SearchLimits){.visits = 1000});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    EXPECT_TRUE(search->methods.edge_choosers.count == 2 && search_can_split(search));
    EXPECT_INT(1000, search_root_visits(search));
    const Tree *tree = &search->tree;
    for (size_t i = 0; i < tree->node_count; i++) {
        EXPECT_TRUE(tree->nodes[i].state != NODE_WAITING);
        for (uint32_t k = 0; k < tree->nodes[i].child_count; k++) {
            const Edge *edge = &tree->edges[tree->nodes[i].edges + k];
            EXPECT_INT(0, edge->waiting);
            EXPECT_TRUE(edge->visits <= tree->nodes[edge->child].visits);
        }
    }
    search_free(search);
    driver_free(driver);
}

/* Methods at the root use its lock, so they work with several threads. */
TEST(methods_of_the_root_work_in_threads) {
    SearchSettings settings = play_settings();
    settings.wide_root_noise = 0.04;
    settings.ending_bonus = 0.5;
    settings.futile_visits = 0.2;
    Team team = {0};
    MadeUp like = made_up(1, point_at(3, 1));
    like.ownership = true;
    team_init(&team, THREADS, 1, like);
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    search_set_hint(search, point_at(0, 0));
    search_begin(search, &(SearchLimits){.visits = 1500});
    EXPECT_TRUE(search->methods.changes_root_choice && search_can_split(search));
    EXPECT_OK(driver_run(team.driver, search, &(DriverRun){0}, err));
    EXPECT_INT(1500, search_root_visits(search));
    check_tree(search);
    search_free(search);
    driver_free(team.driver);
}

TEST_MAIN(RUN(human_visits_of_the_root_work_in_threads), RUN(every_visit_of_the_limit_is_made_once),
          RUN(methods_of_the_root_work_in_threads),
          RUN(threads_keep_the_limit_and_leave_a_whole_tree),
          RUN(threads_find_what_one_thread_finds), RUN(leaves_at_once_grow_on_each_thread),
          RUN(a_full_tree_ends_the_search_of_all_threads),
          RUN(a_failure_of_one_thread_ends_the_run),
          RUN(a_search_stands_still_while_it_is_reported), RUN(gumbel_roots_can_be_split),
          RUN(exclusive_use_of_a_shared_lock_excludes_all),
          RUN(wrong_numbers_of_threads_are_refused))
