/* Variants of Gumbel search after p3achygo and mctx, with numbers worked out by hand. */
#include <math.h>

#include "made_root.h"
#include "search/result/choose.h"

static SearchSettings gumbel_settings(void) {
    SearchSettings settings = win_loss_settings();
    settings.gumbel.on = true;
    settings.gumbel.min_visits = 0;
    return settings;
}

/* Checks how many visits each of m moves gets from n simulations if the better moves come first. */
static void expect_rounds(bool rounded, int64_t n, int m, const int *wanted) {
    int counts[64] = {0};
    for (int64_t t = 0; t < n; t++) {
        int64_t visits = halving_scheduled_rounds(rounded, n, m, t);
        int k = 0;
        while (k < m && counts[k] != visits)
            k++;
        EXPECT_TRUE(k < m);
        counts[k]++;
    }
    for (int k = 0; k < m; k++)
        EXPECT_INT(wanted[k], counts[k]);
}

TEST(rounds_of_2023_by_hand) {
    /* 2 rounds: 32 / 8 = 4 for each of 4 moves, then the other 16 visits for 2 */
    expect_rounds(false, 32, 4, (const int[]){12, 12, 4, 4});
    /* 3 rounds: 64 / 24 = 2 for each of 8 moves, 64 / 12 = 5 for each of 4, the last 28 for 2 */
    expect_rounds(false, 64, 8, (const int[]){21, 21, 7, 7, 2, 2, 2, 2});
    expect_rounds(false, 10, 3, (const int[]){4, 3, 3}); /* one round, and one visit is left */
    /* 2 rounds: 40 / 12 = 3 for each of 6 moves, then 22 / 3 = 7 for each of 3; one is left */
    expect_rounds(false, 40, 6, (const int[]){11, 10, 10, 3, 3, 3});
    expect_rounds(false, 5, 1, (const int[]){5});
}

TEST(rounds_of_2026_by_hand) {
    expect_rounds(true, 32, 4, (const int[]){12, 12, 4, 4});
    /* 64 / 24 = 2.67 is rounded to 3 for each of 8 moves, 5.33 to 5 for each of 4, and 10.67 to 11
     * for each of 2. But only 20 visits are left for the last two moves */
    expect_rounds(true, 64, 8, (const int[]){18, 18, 8, 8, 3, 3, 3, 3});
    const int wanted[17] = {0, 1, 2, 2, 4, 5, 5, 5, 8, 9, 10, 11, 11, 11, 11, 11, 16};
    for (int m = 1; m <= 16; m++)
        EXPECT_INT(wanted[m], halving_without_three(m));
}

/* Makes a root with White to move, the priors 0.5, 0.3, 0.2, and the utility 0 from its own
 * evaluation. The first two moves have 3 visits and 1, with the utilities 0.2 and -0.2. The largest
 * utility is 1. */
static Search *search_made(const SearchSettings *settings) {
    const float policy[10] = {0.5f, 0.3f, 0.2f, -1, -1, -1, -1, -1, -1, -1},
                utilities[2] = {0.2f, -0.2f};
    const int visits[2] = {3, 1};
    Search *search = search_with_root_after(settings, POINT_PASS, policy, 5);
    search->tree.nodes[0].visits = 5;
    for (int i = 0; i < 2; i++) {
        int index = tree_add_child(&search->tree, 0, COLOR_BLACK);
        root_set_child(search, index, visits[i], utilities[i], 0.04f);
        Node *child = root_child(search, index);
        child->score_mean = 10 * utilities[i];
        child->score_mean_sq = 4;
        child->lead = 5 * utilities[i];
    }
    puct_recompute(&search->frame, &search->tree, 0, true);
    gumbel_begin(&search->gumbel, &search->frame, &search->tree, policy, 4, &search->rng);
    return search;
}

static void expect_improved(const SearchSettings *settings, double a, double b, double c) {
    const double sigmas[3] = {a, b, c}, priors[3] = {0.5, 0.3, 0.2};
    double total = 0;
    float policy[MOVES_MAX];
    Search *search = search_made(settings);
    for (int i = 0; i < 3; i++)
        total += priors[i] * exp(sigmas[i]);
    gumbel_improved(&search->gumbel, &search->frame, &search->tree, policy);
    for (int i = 0; i < 3; i++)
        EXPECT_NEAR(priors[i] * exp(sigmas[i]) / total, policy[i], 1e-5);
    search_free(search);
}

/* On [0, 1] the values are 0.6, 0.4 and v_mix = (0.5 + 4 (0.3 + 0.12) / 0.8) / 5 = 0.52. As
 * utilities they are 0.2, -0.2 and v_mix = 4 (0.1 - 0.06) / 0.8 / 5 = 0.04. */
TEST(four_scales_of_values_by_hand) {
    SearchSettings settings = gumbel_settings();
    settings.gumbel.visit_scale = 0.1;
    expect_improved(&settings, 5.3 * 0.6, 5.3 * 0.4, 5.3 * 0.52);
    settings.gumbel.sigma = GUMBEL_SIGMA_RAW;
    expect_improved(&settings, 5.3 * 0.2, 5.3 * -0.2, 5.3 * 0.04);
    settings.gumbel.sigma = GUMBEL_SIGMA_RESCALED; /* 0.4 to 0.6 become 0 to 1 */
    expect_improved(&settings, 5.3, 0, 5.3 * 0.6);
    settings.gumbel.sigma = GUMBEL_SIGMA_LOG; /* (50 + 2 ln 3) * 0.1 */
    double weight = 5 + 0.2 * log(3);
    expect_improved(&settings, weight * 0.6, weight * 0.4, weight * 0.52);
    EXPECT_NEAR(5 * 0.7, gumbel_sigma(&settings, 0, 0.7), 1e-5);
}

/* Two moves are sampled: by prior and kept value, the first and the third. With sampled_only, the
 * second has the value v_mix in the target, although it has a visit. */
TEST(moves_that_were_not_sampled_count_as_unvisited) {
    SearchSettings settings = gumbel_settings();
    settings.gumbel.visit_scale = 0.1;
    settings.gumbel.considered = 2;
    expect_improved(&settings, 5.3 * 0.6, 5.3 * 0.4, 5.3 * 0.52);
    settings.gumbel.sampled_only = true; /* sigma is 3.18, 2.12 and 2.756 */
    Search *search = search_made(&settings);
    EXPECT_INT(0, search->gumbel.candidates[0].move);
    EXPECT_INT(2, search->gumbel.candidates[1].move);
    search_free(search);
    expect_improved(&settings, 5.3 * 0.6, 5.3 * 0.52, 5.3 * 0.52);
}

/* The first move is chosen. With chosen_value, the value of the root is the mean of its own value
 * and the value of the chosen move: (0 + 3 * 0.2) / 4. Otherwise it is the mean of all visits:
 * (0 + 3 * 0.2 - 0.2) / 5. */
TEST(the_root_has_the_chosen_moves_value) {
    SearchSettings settings = gumbel_settings();
    for (int chosen = 0; chosen < 2; chosen++) {
        settings.gumbel.chosen_value = chosen;
        Search *search = search_made(&settings);
        search->gumbel.candidates[0].start = search->gumbel.candidates[1].start = 0;
        Report *report = report_of_search(search);
        double mean = chosen ? 0.15 : 0.08;
        EXPECT_INT(move_at_index(0, 3, 3), report->choice);
        EXPECT_NEAR(mean, report->win_loss, 1e-6);
        EXPECT_NEAR(mean, report->utility, 1e-6);
        EXPECT_NEAR(10 * mean, report->score_mean, 1e-5);
        EXPECT_NEAR(5 * mean, report->lead, 1e-5);
        EXPECT_NEAR(0.5 + 0.5 * mean, report->win, 1e-6);
        EXPECT_NEAR(0.5 - 0.5 * mean, report->loss, 1e-6);
        EXPECT_NEAR(sqrt((chosen ? 3 : 3.2) - 100 * mean * mean), report->score_stdev, 1e-4);
        free(report);
        search_free(search);
    }
}

/* With gumbel.temperature, moves are drawn in proportion to the improved policy to the power 1/T.
 * Otherwise the choice of the search is played. */
TEST(the_choice_may_be_drawn_by_temperature) {
    SearchSettings settings = gumbel_settings();
    settings.gumbel.visit_scale = 0.02;
    for (int sampled = 0; sampled < 2; sampled++) {
        settings.gumbel.temperature = sampled;
        Search *search = search_made(&settings);
        Report *report = report_of_search(search);
        Rng rng = rng_seeded(3);
        int first = 0;
        double share = (double)report->improved[0], other = (double)report->improved[1];
        for (int i = 0; i < 20000; i++)
            first += choose_move(report, 0.5, true, &rng) == move_at_index(0, 3, 3);
        double wanted = sampled ? share * share / (share * share + other * other) : 1;
        EXPECT_NEAR(wanted, first / 20000.0, 0.015);
        EXPECT_INT(report->choice, choose_move(report, 0, true, &rng));
        free(report);
        search_free(search);
    }
}

/* By each rule of halving, searches make exactly the visits of their limit and find the good
 * point. */
TEST(searches_by_all_rules_of_halving_keep_the_limit) {
    for (int rule = 0; rule < 3; rule++) {
        for (int visits = 2; visits <= 130; visits += 16) {
            SearchSettings settings = gumbel_settings();
            settings.gumbel.halving = (GumbelHalving)rule;
            settings.gumbel.scale = 1;
            MadeUp evaluator = made_up(1, point_at(1, 1));
            Search *search = search_of(&settings, 7, position_empty(3, 0.5f));
            run_visits(search, &evaluator.base, visits);
            Report *report = report_of_search(search);
            EXPECT_INT(visits, report->visits);
            if (visits > 20) EXPECT_INT(point_at(1, 1), report->choice);
            free(report);
            search_free(search);
        }
    }
}

TEST_MAIN(RUN(rounds_of_2023_by_hand), RUN(rounds_of_2026_by_hand),
          RUN(four_scales_of_values_by_hand), RUN(moves_that_were_not_sampled_count_as_unvisited),
          RUN(the_root_has_the_chosen_moves_value), RUN(the_choice_may_be_drawn_by_temperature),
          RUN(searches_by_all_rules_of_halving_keep_the_limit))
