/* Compares the sizes of windows with the formulas of other programs, and checks which rows of a run
 * count for the size of the window. */
#include "data/window.h"
#include "test.h"

typedef struct {
    int64_t total; /* rows of the run */
    double window; /* rows that the window should have */
} Row;

static void expect_windows(const WindowSettings *config, const Row *rows, int count,
                           double within) {
    for (int i = 0; i < count; i++)
        EXPECT_NEAR(1, (double)window_rows(config, rows[i].total) / rows[i].window, within);
}

static WindowSettings defaults(void) {
    WindowSettings config;
    settings_defaults(WINDOW_FIELDS, &config);
    return config;
}

TEST(window_grows_as_in_the_paper) {
    static const Row ROWS[] = {
        {1000000, 0.49e6}, {10000000, 2.2e6}, {100000000, 12.0e6}, {241000000, 23.2e6}};
    const WindowSettings config = defaults();
    EXPECT_INT(250000, config.min);
    expect_windows(&config, ROWS, 4, 0.02);
}

/* KataGo, python/shuffle.py: min_rows and taper_window_scale are 250,000, the exponent is 0.65, and
 * at first the window grows by 0.4 rows for each new row. */
TEST(window_grows_as_that_of_katago_does_now) {
    static const Row ROWS[] = {{1000000, 0.47e6},
                               {10000000, 1.8e6},
                               {100000000, 7.7e6},
                               {241000000, 13.5e6},
                               {1000000000, 33.9e6}};
    WindowSettings config = defaults();
    config.alpha = 0.65;
    expect_windows(&config, ROWS, 5, 0.02);
    config.taper = 250000; /* the same as 0 */
    expect_windows(&config, ROWS, 5, 0.02);
}

/* KataGo, python/selfplay/synchronous_loop.sh: the growth begins at 100,000 rows and has the scale
 * 50,000. The expected numbers were computed by KataGo's form of the formula, which has x^alpha -
 * s^alpha (window.h). */
TEST(the_scale_may_differ_from_the_minimum) {
    static const Row ROWS[] = {
        {1000000, 277827.01}, {10000000, 1029451.63}, {100000000, 4370978.67}};
    const WindowSettings config = {100000, 50000, 0.65, 0.4, false};
    expect_windows(&config, ROWS, 3, 1e-5);
    EXPECT_INT(99999, window_rows(&config, 99999));
    EXPECT_INT(100000, window_rows(&config, 100000));
    EXPECT_INT(100039, window_rows(&config, 100100)); /* at first nearly 0.4 rows for each row */
}

/* In p3achygo, the setting beta (window.h) is 0.5. The minimum of 100,000 rows changes nothing in
 * these cases. */
TEST(window_grows_as_that_of_p3achygo) {
    static const Row ROWS[] = {{50000, 50000},         {100000, 100000},
                               {250000, 250000},       {1000000, 554737.85},
                               {10000000, 2734235.76}, {100000000, 14990453.18}};
    WindowSettings config = defaults();
    config.beta = 0.5;
    expect_windows(&config, ROWS, 6, 1e-5);
}

TEST(random_play_counts_up_to_the_minimum) {
    WindowSettings config = {1000, 0, 0.75, 0.4, false};
    EXPECT_INT(5000, window_usable(&config, 5000, 4000));
    config.random_capped = true;
    EXPECT_INT(5000, window_usable(&config, 5000, 1000));
    EXPECT_INT(2000, window_usable(&config, 5000, 4000));
    EXPECT_INT(1000, window_usable(&config, 5000, 5000));
    /* More rows of random play than rows: all 3000 rows count as random play, so 1000 remain. */
    EXPECT_INT(1000, window_usable(&config, 3000, 5000));
    EXPECT_INT(700, window_usable(&config, 700, 700));
}

TEST(a_small_run_is_all_in_the_window) {
    WindowSettings config = {.min = 1000, .alpha = 0.75, .beta = 0.4};
    EXPECT_INT(0, window_rows(&config, 0));
    EXPECT_INT(999, window_rows(&config, 999));
    EXPECT_INT(1000, window_rows(&config, 1000));
    for (int64_t total = 1001; total < 100000; total += 77) {
        int64_t rows = window_rows(&config, total);
        EXPECT_TRUE(rows >= 1000 && rows <= total && rows <= window_rows(&config, total + 77));
    }
}

TEST_MAIN(RUN(window_grows_as_in_the_paper), RUN(window_grows_as_that_of_katago_does_now),
          RUN(the_scale_may_differ_from_the_minimum), RUN(window_grows_as_that_of_p3achygo),
          RUN(random_play_counts_up_to_the_minimum), RUN(a_small_run_is_all_in_the_window))
