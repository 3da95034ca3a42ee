/* The usual komi of a game. */
#include "go/komi.h"
#include "test.h"

static double usual(const char *name, int width, int height, int handicap) {
    Rules rules;
    EXPECT_OK(rules_parse_with_komi(name, &rules, err));
    return komi_usual(&rules, width, height, handicap);
}

TEST(rules_size_and_handicap_decide) {
    EXPECT_NEAR(6.5, usual("japanese", 19, 19, 0), 0);
    EXPECT_NEAR(7.5, usual("chinese", 9, 9, 0), 0);
    EXPECT_NEAR(7.5, usual("chinese", 9, 13, 0), 0);
    EXPECT_NEAR(0.5, usual("chinese", 19, 19, 2), 0);
    EXPECT_NEAR(9, usual("japanese", 7, 7, 0), 0);
    EXPECT_NEAR(24, usual("chinese", 5, 5, 0), 0);
    EXPECT_NEAR(7, usual("chinese", 5, 7, 0), 0);
    EXPECT_NEAR(7, komi_fair(1, 1), 0);
    EXPECT_NEAR(1, komi_fair(2, 2), 0);
}

TEST_MAIN(RUN(rules_size_and_handicap_decide))
