/* The komi at which the game is even, found for given values of win - loss and lead. */
#include "play/setup/fair_komi.h"
#include "test.h"

static FairKomi begin_for(float komi, ScoringRule scoring, bool lead) {
    FairKomi fair;
    Position position = {0};
    Rules rules = rules_tromp_taylor();
    rules.scoring = scoring;
    rules.komi = komi;
    EXPECT_OK(position_init(&position, 9, 9, &rules, err));
    fair_komi_begin(&fair, &position, lead);
    position_clear(&position);
    EXPECT_NEAR(komi, fair.komi, 0);
    return fair;
}

static FairKomi begin(float komi, ScoringRule scoring) {
    return begin_for(komi, scoring, true);
}

/* Returns White's win - loss at `komi`. `values` has it at the komi 6, 6.5 ... 8.5. At lower komi
 * it is -0.9, and at higher komi 0.9. */
static double by_table(const double values[6], float komi) {
    int index = (int)lroundf((komi - 6) * 2);
    return index < 0 ? -0.9 : index > 5 ? 0.9 : values[index];
}

static const double TABLE[] = {-0.5, -0.4, -0.1, 0.2, 0.3, 0.6};

static double solved(FairKomi fair, const double values[6]) {
    while (!fair_komi_receive(&fair, by_table(values, fair.komi), (double)fair.komi - 6.1))
        EXPECT_TRUE(fair.try_count < 20);
    return fair.even;
}

TEST(the_crossing_is_interpolated) {
    EXPECT_NEAR(7 + 0.5 * 0.1 / 0.3, solved(begin(6, SCORING_TERRITORY), TABLE), 1e-6);
}

/* The means of the neighbours are (-0.4 + 0.2) / 2 = -0.1 at 7 and (-0.1 + 0.3) / 2 = 0.1 at 7.5.
 * Means are used only if the answer is for a lead, and not if it is for the komi of a game. */
TEST(leads_of_area_scoring_average_the_neighbours) {
    EXPECT_NEAR(7.25, solved(begin(6, SCORING_AREA), TABLE), 1e-6);
    EXPECT_NEAR(7 + 0.5 * 0.1 / 0.3, solved(begin_for(6, SCORING_AREA, false), TABLE), 1e-6);
}

/* In NEAR, the means are 0.025 at 7 and 0.125 at 7.5. The line through these means crosses 0 at
 * 6.875. In FAR, the means are 0.075 and 0.125. The line crosses 0 at 6.25, which is more than half
 * a point below 7, so the answer is clamped to 6.5. In WHOLE, win - loss is 0 at komi 7, so no
 * means are needed. */
TEST(means_cross_beyond_their_two_places) {
    static const double NEAR[] = {-0.6, -0.25, -0.1, 0.3, 0.35, 0.6},
                        FAR[] = {-0.6, -0.15, -0.1, 0.3, 0.35, 0.6},
                        WHOLE[] = {-0.6, -0.15, 0, 0.3, 0.35, 0.6};
    EXPECT_NEAR(6.875, solved(begin(6, SCORING_AREA), NEAR), 1e-6);
    EXPECT_NEAR(6.5, solved(begin(6, SCORING_AREA), FAR), 1e-6);
    EXPECT_NEAR(7, solved(begin(6, SCORING_AREA), WHOLE), 1e-6);
}

TEST(far_leads_are_found_in_few_searches) {
    static const double EVEN[] = {-60, -7.3, 0, 7.3, 55.2};
    for (size_t k = 0; k < sizeof EVEN / sizeof *EVEN; k++) {
        for (float start = -70; start <= 70; start += 35) {
            FairKomi fair = begin(start, SCORING_TERRITORY);
            for (bool done = false; !done;) {
                double away = (double)fair.komi - EVEN[k];
                done = fair_komi_receive(&fair, tanh(away / 6), 0.8 * away);
            }
            EXPECT_NEAR(EVEN[k], fair.even, 0.02);
            EXPECT_TRUE(fair.try_count <= 19);
        }
    }
}

TEST(steps_are_not_larger_than_the_one_before) {
    FairKomi fair = begin(7, SCORING_TERRITORY);
    EXPECT_FALSE(fair_komi_receive(&fair, -0.5, -20)); /* Black is ahead */
    EXPECT_NEAR(27, fair.komi, 0);
    EXPECT_FALSE(fair_komi_receive(&fair, -0.5, -50));
    EXPECT_NEAR(17, fair.komi, 0); /* the lead grew, so half of the change is taken back */
    fair = begin(7, SCORING_TERRITORY);
    EXPECT_FALSE(fair_komi_receive(&fair, -0.5, -20));
    EXPECT_FALSE(fair_komi_receive(&fair, -0.65, -20));
    EXPECT_NEAR(17, fair.komi, 0); /* half is taken back: Black wins more often than before */
    fair = begin(7, SCORING_TERRITORY);
    EXPECT_FALSE(fair_komi_receive(&fair, -1, -20));
    EXPECT_FALSE(fair_komi_receive(&fair, -1, -50));
    EXPECT_NEAR(47, fair.komi, 0); /* 20 more: if win - loss is -1, a larger lead does not count */
    fair = begin(7, SCORING_TERRITORY);
    EXPECT_FALSE(fair_komi_receive(&fair, -1, -20));
    EXPECT_FALSE(fair_komi_receive(&fair, -1, -22));
    EXPECT_NEAR(47, fair.komi, 0); /* 20 more, not 22 */
    fair = begin(90, SCORING_TERRITORY);
    EXPECT_FALSE(fair_komi_receive(&fair, -1, -90));
    EXPECT_NEAR(101, fair.komi, 0); /* the maximum: area + 20 */
}

/* If lead and win - loss disagree about who is ahead, the lead does not change komi. The search for
 * the other end of the window (fair_komi.h) begins immediately, in the direction that win - loss
 * asks for. */
TEST(lead_and_value_that_disagree_make_no_step) {
    FairKomi fair = begin(7, SCORING_TERRITORY);
    EXPECT_FALSE(fair_komi_receive(&fair, 0.3, -20));
    EXPECT_NEAR(6, fair.komi, 0);
    fair = begin(7, SCORING_TERRITORY);
    EXPECT_FALSE(fair_komi_receive(&fair, -0.3, 20));
    EXPECT_NEAR(8, fair.komi, 0);
}

TEST(values_that_never_cross_end_at_the_window) {
    FairKomi fair = begin(7, SCORING_TERRITORY);
    while (!fair_komi_receive(&fair, 1, 0)) /* White wins whatever the komi */
        EXPECT_TRUE(fair.try_count < 20);
    EXPECT_NEAR(7 - 32, fair.even, 0.51);
}

TEST_MAIN(RUN(the_crossing_is_interpolated), RUN(leads_of_area_scoring_average_the_neighbours),
          RUN(means_cross_beyond_their_two_places), RUN(lead_and_value_that_disagree_make_no_step),
          RUN(far_leads_are_found_in_few_searches), RUN(steps_are_not_larger_than_the_one_before),
          RUN(values_that_never_cross_end_at_the_window))
