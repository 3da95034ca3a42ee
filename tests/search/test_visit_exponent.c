/* The power of the visits with which exploration grows, by hand. Utility is win - loss, White's. */
#include "made_root.h"

extern const SearchMethod METHOD_VISIT_EXPONENT;

static SearchSettings settings_of(double exponent) {
    SearchSettings s = win_loss_settings();
    s.c_puct = 1;
    s.c_puct_log = s.c_puct_stdev_scale = 0;
    s.visit_exponent = exponent;
    return s;
}

/* Two moves of prior 1/2, with 10 visits worth .3 and 5 visits worth .2 to the mover. */
static Search *search_of_two_moves(const SearchSettings *settings, Color mover) {
    static const float policy[10] = {0.5f, 0.5f, -1, -1, -1, -1, -1, -1, -1, -1};
    Search *search = search_with_root(settings, policy);
    search->tree.nodes[0].mover = (uint8_t)mover;
    for (int i = 0; i < 2; i++) {
        (void)tree_add_child(&search->tree, 0, color_other(mover));
        float value = i ? 0.2f : 0.3f;
        root_set_child(search, i, i ? 5 : 10, mover == COLOR_WHITE ? value : -value, 0.1f);
    }
    return search;
}

static int chosen_by(const SearchSettings *settings, Color mover) {
    Search *search = search_of_two_moves(settings, mover);
    int chosen = search_select_by_methods(search, &search->root, 0);
    search_free(search);
    return chosen;
}

/* 16^(1/4 - 1/2) = 1/2 and 16^(1 - 1/2) = 4, so that 8 = 2 sqrt(16) becomes 4 = 2 16^(1/4) or
 * 32 = 2 16. Without a visit, .01^(-1/4) = sqrt(10). */
TEST(factors_by_hand) {
    const double exponents[] = {0.25, 1, 0.25}, totals[] = {15.99, 15.99, 0},
                 factors[] = {0.5, 4, sqrt(10)};
    for (int i = 0; i < 3; i++) {
        SearchSettings settings = settings_of(exponents[i]);
        Choice choice = {.settings = &settings, .total = totals[i]};
        Term term = {.prior = 0.5, .value = 0.1, .weight = 3, .exploration = 8};
        double factor = METHOD_VISIT_EXPONENT.prepare(&choice, NULL);
        EXPECT_NEAR(factors[i], factor, 1e-9);
        EXPECT_FALSE(METHOD_VISIT_EXPONENT.term(&choice, NULL, factor, NULL, &term));
        EXPECT_NEAR(8 * factors[i], term.exploration, 1e-9);
        EXPECT_NEAR(0.1, term.value, 0);
        EXPECT_NEAR(0.5, term.prior, 0);
    }
}

/* With exploration E the second move is chosen if  .2 + E/2 / 6 > .3 + E/2 / 11, that is from
 * E = 2.64 on. E is 15.01^e: 2.58 for e = .35, 2.72 for e = .37, and 3.87 without the method. */
TEST(choices_by_hand) {
    const double exponents[] = {0.1, 0.35, 0.37, 0.5, 1};
    for (int i = 0; i < 5; i++) {
        SearchSettings settings = settings_of(exponents[i]);
        EXPECT_INT(i >= 2, chosen_by(&settings, COLOR_WHITE));
        EXPECT_INT(i >= 2, chosen_by(&settings, COLOR_BLACK));
    }
}

/* Of PUCT-V alone E is c2 ln 15 = 2.71 c2 whatever the exponent is: the second move is chosen for
 * c2 = 1, the first for c2 = .97, where it is 2.63. */
TEST(what_puct_v_adds_stays_as_it_is) {
    const double exponents[] = {0.1, 0.5, 1};
    for (int i = 0; i < 3; i++) {
        SearchSettings settings = settings_of(exponents[i]);
        settings.c_puct = 0;
        settings.puct_v = 1;
        EXPECT_INT(1, chosen_by(&settings, COLOR_WHITE));
        settings.puct_v = 0.97;
        EXPECT_INT(0, chosen_by(&settings, COLOR_WHITE));
    }
}

TEST(off_is_plain_and_on_may_split) {
    SearchSettings settings = settings_of(0.5);
    Search *search = search_of_two_moves(&settings, COLOR_WHITE);
    EXPECT_FALSE(method_set_find(&search->methods, &METHOD_VISIT_EXPONENT)->active);
    EXPECT_FALSE(search->methods.changes_root_choice);
    search_free(search);
    settings = settings_of(0.3);
    search = search_of_two_moves(&settings, COLOR_WHITE);
    EXPECT_TRUE(method_set_find(&search->methods, &METHOD_VISIT_EXPONENT)->active);
    EXPECT_TRUE(search->methods.changes_inner_choice && search->methods.changes_root_choice);
    EXPECT_TRUE(search_can_split(search));
    search_free(search);
}

TEST_MAIN(RUN(factors_by_hand), RUN(choices_by_hand), RUN(what_puct_v_adds_stays_as_it_is),
          RUN(off_is_plain_and_on_may_split))
