/* How much the value of the root changes while a search grows: by hand, and in real searches. */
#include "made_up.h"
#include "search/core/root_changes.h"

enum { COUNT = REPORT_ROOT_VARIANCES };

/* The utility of the root after n visits is 1 / n. */
TEST(changes_are_squared_between_powers_of_four) {
    static const struct {
        int visits, known;
    } CASES[] = {{0, 0}, {1, 0}, {3, 0}, {4, 1}, {15, 1}, {16, 2}, {64, 3}, {255, 3}, {300, 4}};
    static const double WANTED[COUNT] = {0.75 * 0.75, 0.1875 * 0.1875, 0.046875 * 0.046875,
                                         0.01171875 * 0.01171875};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        RootChanges changes = {0};
        float squares[COUNT];
        for (int visits = 1; visits <= CASES[k].visits; visits++)
            root_changes_note(&changes, visits, 1 / (float)visits);
        EXPECT_INT(CASES[k].known, root_changes_squares(&changes, squares));
        for (int i = 0; i < CASES[k].known; i++)
            EXPECT_NEAR(WANTED[i], squares[i], 1e-9);
    }
}

/* The root begins with more than one visit, because a part of an older tree was kept. */
TEST(a_kept_tree_knows_no_changes) {
    RootChanges changes = {0};
    float squares[COUNT];
    for (int visits = 3; visits <= 300; visits++)
        root_changes_note(&changes, visits, 1 / (float)visits);
    EXPECT_INT(0, root_changes_squares(&changes, squares));
}

/* A search of 300 visits says what searches of fewer visits find. */
TEST(a_search_notes_the_values_that_shorter_searches_find) {
    static const int MARKS[COUNT + 1] = {1, 4, 16, 64, 256};
    MadeUp evaluator = made_up(1, point_at(1, 1));
    SearchSettings settings = win_loss_settings();
    double utility[COUNT + 1];
    evaluator.by_area = true;
    for (int i = 0; i <= COUNT; i++) {
        Search *search = search_of(&settings, 1, position_empty(4, 0.5f));
        run_visits(search, &evaluator.base, MARKS[i]);
        Report *report = report_of_search(search);
        EXPECT_INT(i, report->root_variance_count);
        utility[i] = (double)report->utility;
        free(report);
        search_free(search);
    }
    Search *search = search_of(&settings, 1, position_empty(4, 0.5f));
    run_visits(search, &evaluator.base, 300);
    Report *report = report_of_search(search);
    EXPECT_INT(COUNT, report->root_variance_count);
    for (int i = 0; i < COUNT; i++) {
        double change = utility[i + 1] - utility[i];
        EXPECT_TRUE(change != 0);
        EXPECT_NEAR(change * change, report->root_variances[i], 1e-8);
    }
    free(report);
    search_free(search);
}

/* Only a search that begins with an empty tree and runs on one thread knows its changes. */
TEST(searches_that_go_on_or_share_their_tree_know_none) {
    for (int how = 0; how < 3; how++) {
        MadeUp evaluators[2] = {made_up(1, point_at(1, 1)), made_up(1, point_at(1, 1))};
        Evaluator *both[2] = {&evaluators[0].base, &evaluators[1].base};
        SearchSettings settings = win_loss_settings();
        settings.playouts_per_thread = 1;
        Search *search = search_of(&settings, 1, position_empty(4, 0.5f));
        Driver *driver = NULL;
        EXPECT_OK(driver_new_threads(both, how ? 1 : 2, &driver, err));
        search_begin(search, &(SearchLimits){.visits = how ? 30 : 300});
        EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
        Report *report = report_of_search(search);
        EXPECT_INT(how ? 2 : 0, report->root_variance_count);
        if (how == 1) EXPECT_OK(search_play(search, report->moves[0].point, true, err));
        if (how) {
            search_begin(search, &(SearchLimits){.visits = 300});
            EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
            search_report(search, report);
            EXPECT_INT(300, report->visits);
            EXPECT_INT(0, report->root_variance_count);
        }
        free(report);
        driver_free(driver);
        search_free(search);
    }
}

TEST_MAIN(RUN(changes_are_squared_between_powers_of_four), RUN(a_kept_tree_knows_no_changes),
          RUN(a_search_notes_the_values_that_shorter_searches_find),
          RUN(searches_that_go_on_or_share_their_tree_know_none))
