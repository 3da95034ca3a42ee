/* Moves that a search must avoid, and ownership averaged over the leaves of a search. */
#include "made_up.h"
#include "search/tree/search_presets.h"

static SearchAvoid avoid_all_but(Color color, Point point, int size, int until) {
    SearchAvoid avoid = {0};
    for (int i = 0; i <= size * size; i++)
        avoid.until[color][i] = (uint16_t)until;
    avoid.until[color][move_index(point, size, size)] = 0;
    return avoid;
}

static Report *search_avoiding(Search *search, const SearchAvoid *avoid, Point good, int visits) {
    static Report report;
    MadeUp made = made_up(1, good);
    Driver *driver;
    EXPECT_OK(driver_new(&made.base, &driver, err));
    search_set_avoid(search, avoid);
    search_begin(search, &(SearchLimits){.visits = visits});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    search_report(search, &report);
    driver_free(driver);
    return &report;
}

TEST(an_avoided_move_has_no_visits_until_it_is_allowed) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    SearchAvoid avoid = {0};
    avoid.until[COLOR_BLACK][4] = 1; /* the good point */
    Report *report = search_avoiding(search, &avoid, point_at(1, 1), 100);
    for (int i = 0; i < report->move_count; i++)
        EXPECT_TRUE(report->moves[i].point != point_at(1, 1));
    EXPECT_INT(9, report->move_count);
    report = search_avoiding(search, NULL, point_at(1, 1), 100);
    EXPECT_INT(100, report->visits); /* the old tree was not kept */
    EXPECT_INT(point_at(1, 1), report->moves[0].point);
    search_free(search);
}

/* `until` counts moves since the root. Black avoids all moves but A3, and White avoids all but C1.
 * Black's second move is at depth 2. So with `until` = 3, Black should still avoid all moves but A3
 * there. But A3 is occupied by then, so that Black would have no move left. In this case no move is
 * avoided. */
TEST(moves_are_avoided_up_to_a_depth) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    for (int until = 1; until <= 3; until++) {
        SearchAvoid avoid = avoid_all_but(COLOR_BLACK, point_at(0, 0), 3, until);
        SearchAvoid white = avoid_all_but(COLOR_WHITE, point_at(2, 2), 3, 9);
        memcpy(avoid.until[COLOR_WHITE], white.until[COLOR_WHITE], sizeof white.until[0]);
        Report *report = search_avoiding(search, &avoid, point_at(1, 1), 60);
        EXPECT_INT(1, report->move_count);
        EXPECT_INT(point_at(0, 0), report->moves[0].point);
        EXPECT_INT(point_at(2, 2), report->moves[0].line[1]);
        /* at depth 2 Black may take the good point */
        EXPECT_INT(point_at(1, 1), report->moves[0].line[2]);
    }
    search_free(search);
}

TEST(ownership_is_the_average_of_the_leaves) {
    SearchSettings settings;
    float mean[BOARD_POINTS_MAX], stdev[BOARD_POINTS_MAX];
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    MadeUp made = made_up(1, point_at(1, 1));
    made.ownership = true; /* 0.25 for the player to move */
    Driver *driver;
    EXPECT_OK(driver_new(&made.base, &driver, err));
    EXPECT_FALSE(search_ownership(search, POINT_NONE, mean, stdev));
    search_keep_ownership(search, true);
    search_begin(search, &(SearchLimits){.visits = 1});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    EXPECT_TRUE(search_ownership(search, POINT_NONE, mean, stdev));
    EXPECT_NEAR(0.25, mean[8], 1e-6);
    EXPECT_NEAR(0, stdev[8], 1e-6);
    search_begin(search, &(SearchLimits){.visits = 2});
    EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
    EXPECT_TRUE(search_ownership(search, POINT_NONE, mean, stdev));
    EXPECT_NEAR(0, mean[8], 1e-6); /* 0.25 for Black at one leaf, for White at the other */
    EXPECT_NEAR(0.25, stdev[8], 1e-6);
    static Report report;
    search_report(search, &report);
    EXPECT_TRUE(search_ownership(search, report.moves[0].point, mean, stdev));
    EXPECT_NEAR(-0.25, mean[0], 1e-6);
    search_clear_tree(search);
    EXPECT_FALSE(search_ownership(search, POINT_NONE, mean, stdev));
    driver_free(driver);
    search_free(search);
}

TEST_MAIN(RUN(an_avoided_move_has_no_visits_until_it_is_allowed),
          RUN(moves_are_avoided_up_to_a_depth), RUN(ownership_is_the_average_of_the_leaves))
