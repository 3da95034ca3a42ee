/* Files with named sections, and Student's t. */
#include "base/sections.h"
#include "base/settings.h"
#include "base/statistic.h"
#include "test.h"

TEST(each_part_keeps_its_lines) {
    static const char TEXT[] = "x = 1\n# [no] part\n [first] # why\ny = 2\n\n[second.part]\nz = 3";
    Arena arena = {0};
    Section *sections;
    int count;
    EXPECT_OK(sections_parse(TEXT, "file", &arena, &sections, &count, err));
    EXPECT_INT(3, count);
    EXPECT_TEXT("", sections[0].name);
    EXPECT_TEXT("first", sections[1].name);
    EXPECT_INT(3, sections[1].line);
    EXPECT_TEXT("second.part", sections[2].name);
    EXPECT_TEXT("x = 1\n# [no] part\n", sections[0].text);
    EXPECT_TEXT("\ny = 2\n\n", sections[1].text);
    EXPECT_TEXT("\nz = 3", sections[2].text);
    arena_clear(&arena);
}

typedef struct {
    int y;
} Numbers;
static const SettingsField FIELDS[] = {FIELD_INT(Numbers, y, 0, 0, 9, "a number"), {0}};

TEST(messages_name_the_line_of_the_file) {
    static const char TEXT[] = "\n[a]\ny = 3\n[b]\n\ny = 30\n";
    Numbers numbers = {0};
    const SettingsGroup groups[] = {{"n", FIELDS, &numbers}, {0}};
    Arena arena = {0};
    Section *sections;
    int count;
    Error error = {0};
    EXPECT_OK(sections_parse(TEXT, "file", &arena, &sections, &count, err));
    EXPECT_OK(settings_parse_from(groups, sections[1].text, "file", sections[1].line, err));
    EXPECT_INT(3, numbers.y);
    EXPECT_STATUS(ERR_ARGUMENT,
                  settings_parse_from(groups, sections[2].text, "file", sections[2].line, &error));
    EXPECT_CONTAINS(error.message, "file:6");
    arena_clear(&arena);
}

TEST(impossible_names_of_sections_are_refused) {
    static const char *const BAD[] = {"[]\n",
                                      "a = 1\n[a b]\n",
                                      "[a\n",
                                      "[a/b]\n",
                                      "[a]\n[b]\n[a]\n",
                                      "[a] b\n",
                                      "[01234567890123456789012345678901234567890]\n"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        Arena arena = {0};
        Section *sections;
        int count;
        if (sections_parse(BAD[i], "file", &arena, &sections, &count, NULL) != ERR_SYNTAX)
            fail_msg("\"%s\" is not refused", BAD[i]);
        arena_clear(&arena);
    }
}

/* The first seven values are from printed tables. */
TEST(students_t) {
    EXPECT_NEAR(12.7062, student_quantile(0.025, 1), 1e-3);
    EXPECT_NEAR(4.30265, student_quantile(0.025, 2), 1e-4);
    EXPECT_NEAR(3.18245, student_quantile(0.025, 3), 1e-4);
    EXPECT_NEAR(2.22814, student_quantile(0.025, 10), 1e-4);
    EXPECT_NEAR(2.09302, student_quantile(0.025, 19), 1e-4);
    EXPECT_NEAR(1.81246, student_quantile(0.05, 10), 1e-4);
    EXPECT_NEAR(1.96, student_quantile(0.025, 100000), 1e-3);
    EXPECT_NEAR(0.75, student_probability(1, 1), 1e-12); /* 1/2 + atan(1) / pi */
    EXPECT_NEAR(0.5, student_probability(0, 7), 1e-12);
    EXPECT_NEAR(1, student_probability(2, 5) + student_probability(-2, 5), 1e-12);
}

TEST_MAIN(RUN(each_part_keeps_its_lines), RUN(messages_name_the_line_of_the_file),
          RUN(impossible_names_of_sections_are_refused), RUN(students_t))
