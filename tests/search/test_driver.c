/* The driver: limits of a search, failures of the evaluator, leaves that are evaluated at once, and
 * many searches that share batches. */
#include "search/core/search_private.h"
#include "search/made_up.h"
#include "search/tree/search_presets.h"

typedef struct {
    int calls;
    int64_t last_visits;
} Watched;

static void on_progress(void *context, const Search *search) {
    Watched *seen = context;
    seen->calls++;
    EXPECT_TRUE(search_root_visits(search) >= seen->last_visits);
    seen->last_visits = search_root_visits(search);
}

TEST(a_search_runs_to_its_limits) {
    SearchSettings settings = with_leaves(play_settings(), 8);
    MadeUp evaluator = made_up(8, point_at(2, 2));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    Driver *driver = NULL;
    Watched seen = {0};
    EXPECT_OK(driver_new(&evaluator.base, &driver, err));
    search_begin(search, &(SearchLimits){.visits = 300});
    DriverRun run = {.on_progress = on_progress, .context = &seen};
    EXPECT_OK(driver_run(driver, search, &run, err));
    EXPECT_INT(300, search_root_visits(search));
    EXPECT_TRUE(seen.calls > 10);
    Report *report = report_of_search(search);
    EXPECT_INT(point_at(2, 2), report->moves[0].point);
    free(report);
    search_begin(search, &(SearchLimits){.playouts = 50});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    EXPECT_INT(350, search_root_visits(search));
    driver_free(driver);
    search_free(search);
}

TEST(a_stopped_search_has_a_move) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, point_at(2, 2));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    Driver *driver = NULL;
    atomic_bool stop = true;
    EXPECT_OK(driver_new(&evaluator.base, &driver, err));
    search_begin(search, &(SearchLimits){0});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){.stop = &stop}, err));
    EXPECT_TRUE(search_root_visits(search) >= 1);
    EXPECT_TRUE(search_root_visits(search) < 5);
    EXPECT_OK(driver_run(driver, search, &(DriverRun){.seconds = 0.02}, err));
    EXPECT_TRUE(search_root_visits(search) >= 2);
    driver_free(driver);
    search_free(search);
}

/* A search without limits ends before its counts of visits could overflow: from TREE_VISITS_MAX
 * visits on, the tree counts as full. */
TEST(endless_searches_end_before_counts_overflow) {
    SearchSettings settings = play_settings();
    MadeUp first = made_up(1, point_at(1, 1)), second = made_up(1, point_at(1, 1));
    Evaluator *evaluators[2] = {&first.base, &second.base};
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    for (int threads = 1; threads <= 2; threads++) {
        Driver *driver;
        search_begin(search, &(SearchLimits){.visits = 50});
        EXPECT_OK(driver_new_threads(evaluators, threads, &driver, err));
        EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
        search->tree.nodes[0].visits = TREE_VISITS_MAX - 5;
        search_begin(search, &(SearchLimits){0});
        EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
        EXPECT_TRUE(search_tree_full(search));
        EXPECT_TRUE(search_root_visits(search) >= TREE_VISITS_MAX);
        EXPECT_TRUE(search_root_visits(search) < TREE_VISITS_MAX + 10);
        search_clear_tree(search);
        driver_free(driver);
    }
    search_free(search);
}

TEST(a_failed_evaluation_is_passed_on) {
    SearchSettings settings = with_leaves(play_settings(), 4);
    MadeUp evaluator = made_up(4, point_at(2, 2));
    evaluator.fail_after = 20;
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    Driver *driver = NULL;
    EXPECT_OK(driver_new(&evaluator.base, &driver, err));
    search_begin(search, &(SearchLimits){.visits = 100});
    EXPECT_STATUS(ERR_IO, driver_run(driver, search, &(DriverRun){0}, NULL));
    evaluator.fail_after = 0;
    search_begin(search, &(SearchLimits){.visits = 100});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    EXPECT_INT(100, search_root_visits(search));
    driver_free(driver);
    search_free(search);
}

TEST(a_search_that_was_not_begun_is_an_error) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, point_at(2, 2));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    Driver *driver = NULL;
    EXPECT_OK(driver_new(&evaluator.base, &driver, err));
    EXPECT_STATUS(ERR_ARGUMENT, driver_run(driver, search, &(DriverRun){0}, NULL));
    driver_free(driver);
    search_free(search);
}

/* With leaf_visits = 20, a search collects two leaves at once from 20 visits on, three from 40 on
 * and four from 60 on. It never collects more than the evaluator's batch. */
TEST(leaves_at_once_grow_with_the_tree) {
    SearchSettings settings = play_settings();
    settings.leaves = 4;
    settings.leaf_visits = 20;
    MadeUp evaluator = made_up(8, point_at(2, 2));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    const struct { int visits, largest; } STEPS[] = {{20, 1}, {40, 2}, {60, 3}, {300, 4}};
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
        run_visits(search, &evaluator.base, STEPS[i].visits);
        EXPECT_INT(STEPS[i].visits, search_root_visits(search));
        EXPECT_INT(STEPS[i].largest, evaluator.largest);
    }
    search_free(search);
    evaluator = made_up(3, point_at(2, 2)); /* a batch of three */
    search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &evaluator.base, 300);
    EXPECT_INT(3, evaluator.largest);
    search_free(search);
}

/* Each leaf takes 10 ms, and batches have one, two and then four leaves. After 70 ms, another batch
 * of four would end at 110 ms, which is too late for a limit of 95 ms. (On a slow machine there may
 * be fewer batches.) */
TEST(no_batch_begins_that_would_end_too_late) {
    SearchSettings settings = play_settings();
    settings.leaves = 4;
    settings.leaf_visits = 1;
    MadeUp evaluator = made_up(8, point_at(2, 2));
    evaluator.leaf_pause_us = 10000;
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    Driver *driver;
    EXPECT_OK(driver_new(&evaluator.base, &driver, err));
    search_begin(search, &(SearchLimits){0});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){.seconds = 0.095}, err));
    EXPECT_TRUE(evaluator.base.evaluations >= 1);
    EXPECT_TRUE(evaluator.base.evaluations <= 7);
    driver_free(driver);
    search_free(search);
}

/* Checks that ten searches that share batches find the same as each of them does by itself. All end
 * after at most `max_rounds` calls of driver_step(). */
static void check_shared_batches(const SearchSettings *settings, int batch, int max_rounds) {
    enum { COUNT = 10 };
    MadeUp evaluator = made_up(batch, point_at(2, 2)), alone = made_up(batch, point_at(2, 2));
    Search *searches[COUNT];
    Driver *driver = NULL;
    int active = COUNT, rounds = 0;
    EXPECT_OK(driver_new(&evaluator.base, &driver, err));
    for (int i = 0; i < COUNT; i++) {
        searches[i] = search_of(settings, (uint64_t)i, position_empty(4 + i % 2, 0.5f));
        search_begin(searches[i], &(SearchLimits){.visits = 40 + 10 * i});
    }
    for (; active && rounds < 1000; rounds++)
        EXPECT_OK(driver_step(driver, searches, COUNT, &active, err));
    EXPECT_TRUE(rounds <= max_rounds); /* about the visits of the longest search alone */
    EXPECT_INT(batch, evaluator.largest);
    for (int i = 0; i < COUNT; i++) {
        Search *other = search_of(settings, (uint64_t)i, position_empty(4 + i % 2, 0.5f));
        run_visits(other, &alone.base, 40 + 10 * i);
        Report *a = report_of_search(searches[i]), *b = report_of_search(other);
        EXPECT_INT(40 + 10 * i, a->visits);
        EXPECT_INT(b->move_count, a->move_count);
        for (int k = 0; k < a->move_count; k++) {
            EXPECT_INT(b->moves[k].point, a->moves[k].point);
            EXPECT_INT(b->moves[k].visits, a->moves[k].visits);
        }
        free(a);
        free(b);
        search_free(other);
        search_free(searches[i]);
    }
    driver_free(driver);
}

TEST(many_searches_share_batches) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &settings);
    check_shared_batches(&settings, 3, 130);
    settings.leaves = 4;
    settings.leaf_visits = 10;
    check_shared_batches(&settings, 5, 60);
    check_shared_batches(&settings, 3, 70); /* at most three leaves of a search */
}

TEST(a_position_is_evaluated_outside_a_search) {
    MadeUp evaluator = made_up(1, point_at(2, 2));
    Driver *driver = NULL;
    Position position = position_made(".....\n.....\n..X..\n.....\n.....", 5, COLOR_WHITE, 0.5f);
    Evaluation *evaluation = calloc(1, sizeof *evaluation);
    EXPECT_OK(driver_new(&evaluator.base, &driver, err));
    EXPECT_OK(
        driver_evaluate(driver, &(EvaluationRequest){.position = &position}, evaluation, err));
    EXPECT_NEAR(0.1, evaluation->win, 1e-6);
    free(evaluation);
    position_clear(&position);
    driver_free(driver);
    driver_free(NULL);
}

TEST_MAIN(RUN(a_search_runs_to_its_limits), RUN(a_stopped_search_has_a_move),
          RUN(endless_searches_end_before_counts_overflow), RUN(a_failed_evaluation_is_passed_on),
          RUN(a_search_that_was_not_begun_is_an_error), RUN(leaves_at_once_grow_with_the_tree),
          RUN(no_batch_begins_that_would_end_too_late), RUN(many_searches_share_batches),
          RUN(a_position_is_evaluated_outside_a_search))
