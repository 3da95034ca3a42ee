/* The settings that a run derives from the size of its boards. */
#include "run/store/size_rules.h"
#include "test.h"

static RunConfig of(const char *sizes) {
    RunConfig config;
    run_config_defaults(&config);
    snprintf(config.selfplay.sizes, sizeof config.selfplay.sizes, "%s", sizes);
    EXPECT_OK(size_rules_defaults(&config, err));
    return config;
}

TEST(the_7x7_rules_are_the_defaults) {
    RunConfig defaults, rules = of("7:1");
    SettingsGroup groups[2][RUN_GROUPS];
    StrBuf texts[2] = {{0}, {0}};
    run_config_defaults(&defaults);
    run_config_groups(&defaults, groups[0]);
    run_config_groups(&rules, groups[1]);
    for (int i = 0; i < 2; i++)
        settings_write(groups[i], &texts[i]);
    EXPECT_TEXT(strbuf_text(&texts[0]), strbuf_text(&texts[1]));
    strbuf_clear(&texts[0]);
    strbuf_clear(&texts[1]);
}

TEST(larger_boards_begin_with_smaller_ones) {
    static const struct {
        int width, height;
        const char *sizes;
    } CASES[] = {{7, 7, "7:1"},
                 {9, 9, "9:1"},
                 {10, 10, "10:1"},
                 {19, 7, "19x7:1"},
                 {9, 13, "9:1, 9x13:9@60000"},
                 {11, 11, "9:1, 11:9@60000"},
                 {13, 13, "9:1, 13:9@60000"},
                 {14, 9, "9:1, 13:3@60000, 14x9:9@120000"},
                 {19, 19, "9:1, 13:3@60000, 19:9@120000"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char sizes[SETTINGS_TEXT_SIZE];
        size_rules_boards(CASES[i].width, CASES[i].height, sizes);
        EXPECT_TEXT(CASES[i].sizes, sizes);
        (void)of(sizes); /* they can be read */
    }
}

TEST(komi_is_the_fair_one_where_it_is_known) {
    static const struct {
        const char *sizes;
        double komi;
    } CASES[] = {{"2:1", 1},   {"5:1", 24},  {"6:1", 4},      {"7:1", 9},
                 {"8:1", 10},  {"9:1", 7},   {"13:1", 7},     {"19:1", 7},
                 {"9x7:1", 7}, {"5x9:1", 7}, {"7:5, 9:1", 7}, {"9:1, 7:9", 7}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        EXPECT_NEAR(CASES[i].komi, of(CASES[i].sizes).selfplay.komi.mean, 0);
}

/* From each size to the next larger one, settings change in one direction only. */
TEST(larger_boards_have_more_rows_and_fewer_samples_of_each) {
    RunConfig before = of("5:1");
    for (int edge = 6; edge <= 19; edge++) {
        char sizes[16];
        snprintf(sizes, sizeof sizes, "%d:1", edge);
        RunConfig now = of(sizes);
        EXPECT_TRUE(now.run.rows_first >= before.run.rows_first);
        EXPECT_TRUE(now.run.rows_cycle >= before.run.rows_cycle);
        EXPECT_TRUE(now.window.min >= before.window.min);
        EXPECT_TRUE(now.selfplay.full.visits >= before.selfplay.full.visits);
        EXPECT_TRUE(now.selfplay.ramp.rows >= before.selfplay.ramp.rows);
        EXPECT_TRUE(now.run.samples_per_row <= before.run.samples_per_row);
        /* From 9x9 on, openings have the same mean number of moves on all boards. */
        if (edge >= 9)
            EXPECT_NEAR(0.06 * 81, now.selfplay.opening.area_fraction * edge * edge, 1e-4);
        before = now;
    }
    EXPECT_NEAR(16, of("7:1").run.samples_per_row, 0);
    EXPECT_NEAR(12, of("9:1").run.samples_per_row, 0.1);
    EXPECT_INT(120, of("9:1").selfplay.full.visits);
    EXPECT_INT(24, of("9:1").selfplay.cheap.visits);
}

TEST(the_largest_of_several_sizes_counts_also_if_it_comes_later) {
    RunConfig mixed = of("9:4, 13:10@200000, 19:35@500000"), large = of("19:1");
    snprintf(mixed.selfplay.sizes, sizeof mixed.selfplay.sizes, "19:1");
    EXPECT_INT(large.run.rows_first, mixed.run.rows_first);
    EXPECT_NEAR(large.run.samples_per_row, mixed.run.samples_per_row, 0);
    EXPECT_TRUE(strcmp(large.run.arch, mixed.run.arch) == 0);
}

TEST(sizes_that_cannot_be_read_are_refused) {
    RunConfig config;
    Error fault = {0};
    run_config_defaults(&config);
    snprintf(config.selfplay.sizes, sizeof config.selfplay.sizes, "20:1");
    EXPECT_STATUS(ERR_ARGUMENT, size_rules_defaults(&config, &fault));
    EXPECT_CONTAINS(fault.message, "selfplay.sizes");
}

TEST(the_description_names_what_was_chosen) {
    StrBuf text = {0};
    RunConfig config = of("13:1");
    size_rules_describe(&config, &text);
    EXPECT_CONTAINS(strbuf_text(&text), "boards: 13x13; komi 7 on average; net b5c48");
    EXPECT_CONTAINS(strbuf_text(&text), "searches of 120 visits for moves that become training "
                                        "rows, of 24 for the others; at first 40% of "
                                        "these visits");
    EXPECT_CONTAINS(strbuf_text(&text), "first training after 4720 rows, then every 2500");
    strbuf_clear(&text);
}

TEST_MAIN(RUN(larger_boards_begin_with_smaller_ones), RUN(the_7x7_rules_are_the_defaults),
          RUN(komi_is_the_fair_one_where_it_is_known),
          RUN(larger_boards_have_more_rows_and_fewer_samples_of_each),
          RUN(the_largest_of_several_sizes_counts_also_if_it_comes_later),
          RUN(sizes_that_cannot_be_read_are_refused), RUN(the_description_names_what_was_chosen))
