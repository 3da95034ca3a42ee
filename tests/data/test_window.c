#include "data/window.h"
#include "test.h"

TEST(window_grows_as_in_the_paper) {
    WindowConfig config;
    settings_defaults(WINDOW_FIELDS, &config);
    config.least = 250000;
    const struct {
        int64_t total;
        double window;
    } ROWS[] = {{1000000, 0.49e6}, {10000000, 2.2e6}, {100000000, 12.0e6}, {241000000, 23.2e6}};
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(1, (double)window_rows(&config, ROWS[i].total) / ROWS[i].window, 0.02);
}

TEST(everything_is_in_a_small_window) {
    WindowConfig config = {1000, 0.75f, 0.4f};
    EXPECT_INT(0, window_rows(&config, 0));
    EXPECT_INT(999, window_rows(&config, 999));
    EXPECT_INT(1000, window_rows(&config, 1000));
    for (int64_t total = 1001; total < 100000; total += 77) {
        int64_t rows = window_rows(&config, total);
        EXPECT_TRUE(rows >= 1000 && rows <= total && rows <= window_rows(&config, total + 77));
    }
}

TEST_MAIN(RUN(window_grows_as_in_the_paper), RUN(everything_is_in_a_small_window))
