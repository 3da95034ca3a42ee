/* The setting visit_exponent, the power of the visits with which exploration grows, with numbers
 * worked out by hand. Utility is White's win - loss. */
#include "made_root.h"

extern const SearchMethod METHOD_VISIT_EXPONENT;

static SearchSettings settings_of(double exponent) {
    SearchSettings s = win_loss_settings();
    s.c_puct = 1;
    s.c_puct_log = s.c_puct_stdev_scale = 0;
    s.visit_exponent = exponent;
    return s;
}

/* Makes a root with two moves of the prior 1/2. For the mover, the first has 10 visits and the
 * utility 0.3, and the second 5 visits and 0.2. */
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

/* The method multiplies exploration by (W + 0.01)^(exponent - 1/2), where W is the weight of all
 * moves:
 *     16^(1/4 - 1/2) = 1/2:   8 = 2 sqrt(16) becomes 4 = 2 * 16^(1/4)
 *     16^(1 - 1/2) = 4:       8 becomes 32 = 2 * 16
 *     0.01^(1/4 - 1/2) = sqrt(10), without a visit */
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

/* With the exploration E, the second move is chosen if 0.2 + E/2 / 6 > 0.3 + E/2 / 11. This is so
 * from E = 2.64 on. E is 15.01^exponent: 2.58 for the exponent 0.35, 2.72 for 0.37, and 3.87 for
 * 0.5. The exponent 0.5 turns the method off. */
TEST(choices_by_hand) {
    const double exponents[] = {0.1, 0.35, 0.37, 0.5, 1};
    for (int i = 0; i < 5; i++) {
        SearchSettings settings = settings_of(exponents[i]);
        EXPECT_INT(i >= 2, chosen_by(&settings, COLOR_WHITE));
        EXPECT_INT(i >= 2, chosen_by(&settings, COLOR_BLACK));
    }
}

/* With PUCT-V and c_puct = 0, E is c2 ln 15 = 2.71 c2, whatever the exponent is. So the second move
 * is chosen for c2 = 1, and the first for c2 = 0.97, where E is 2.63. */
TEST(the_exponent_does_not_change_puct_v) {
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

TEST(the_method_is_off_at_one_half_and_may_split) {
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

TEST_MAIN(RUN(factors_by_hand), RUN(choices_by_hand), RUN(the_exponent_does_not_change_puct_v),
          RUN(the_method_is_off_at_one_half_and_may_split))
