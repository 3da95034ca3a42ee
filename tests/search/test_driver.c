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

TEST(runs_to_the_limits) {
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

TEST(stops_when_asked_but_has_a_move) {
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

/* Counts of visits do not overflow, however long nobody says stop: the tree is full before. */
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

/* Two at once from 20 visits on, four from 60 on. */
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
    evaluator = made_up(3, point_at(2, 2)); /* which takes no more */
    search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &evaluator.base, 300);
    EXPECT_INT(3, evaluator.largest);
    search_free(search);
}

/* Leaves of 10 ms each, in batches of one, two and four: after 70 ms four more would end at 110,
 * one at 80. (A machine that sleeps longer begins fewer.) */
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

/* Ten searches over a small batch see what each would see alone. */
static void check_shared_batches(const SearchSettings *settings, int batch, int rounds_most) {
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
    EXPECT_TRUE(rounds <= rounds_most); /* the longest, not their sum */
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
    check_shared_batches(&settings, 3, 70); /* which takes no more than three of a search */
}

TEST(one_position_outside_a_search) {
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

TEST_MAIN(RUN(runs_to_the_limits), RUN(stops_when_asked_but_has_a_move),
          RUN(endless_searches_end_before_counts_overflow), RUN(a_failed_evaluation_is_passed_on),
          RUN(a_search_that_was_not_begun_is_an_error), RUN(leaves_at_once_grow_with_the_tree),
          RUN(no_batch_begins_that_would_end_too_late), RUN(many_searches_share_batches),
          RUN(one_position_outside_a_search))
