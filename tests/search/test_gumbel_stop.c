/* Some rounds of sequential halving end early because they are settled. Others are extended because
 * they are not. Numbers are worked out by hand. t(n, p) is the quantile p of Student's distribution
 * with n degrees of freedom. */
#include <math.h>

#include "made_root.h"

static SearchSettings gumbel_settings(void) {
    SearchSettings settings = win_loss_settings();
    settings.gumbel.on = true;
    settings.gumbel.visit_scale = 0.1;
    settings.gumbel.stop_confidence = 0.95;
    return settings;
}

/* Makes a root with White to move and `count` moves of equal priors, in a halving of `simulations`
 * simulations. Each move has had `visits` visits, with the mean square `square` of the utility. The
 * mean utility is 0.2 for the first half of the moves and -0.2 for the second. */
static Search *search_made(const SearchSettings *settings, int count, int visits, float square,
                           int64_t simulations) {
    float policy[10];
    for (int i = 0; i < 10; i++)
        policy[i] = i < count ? 1.0f / (float)count : -1;
    Search *search = search_with_root_after(settings, POINT_PASS, policy, simulations + 1);
    search->tree.nodes[0].visits = 1 + count * visits;
    for (int i = 0; i < count; i++) {
        int index = tree_add_child(&search->tree, 0, COLOR_BLACK);
        Edge *edge = root_edge(search, index);
        edge->visits = visits;
        edge->weight = (float)visits;
        edge->utility = i < count / 2 ? 0.2f : -0.2f;
        edge->utility_sq = square;
    }
    gumbel_begin(&search->gumbel, &search->frame, &search->tree, policy, simulations, &search->rng);
    EXPECT_INT(count, search->gumbel.count);
    for (int i = 0; i < count; i++)
        search->gumbel.candidates[i].start = search->gumbel.candidates[i].base = 0;
    return search;
}

/* Returns how many visits of the round gumbel_end_round() skips, for a root of search_made(). */
static int64_t skipped(const SearchSettings *settings, int count, int visits, float square,
                       int64_t simulations) {
    Search *search = search_made(settings, count, visits, square, simulations);
    int64_t skip = gumbel_end_round(&search->gumbel, &search->frame, &search->tree);
    search_free(search);
    return skip;
}

/* Two moves get 40 visits each in one round. Whether it is settled is tested after each quarter,
 * that is, every 10 visits. The means are 0.4 apart, so after 10 visits the round is settled if
 * t sqrt(Var / 10) <= 0.2. With t(9, 0.975) = 2.262157, this is Var <= 0.078165. Var has the
 * divisor n - 1, so the mean square may be at most 0.04 + 0.9 * 0.078165 = 0.110349. */
TEST(two_moves_by_hand) {
    SearchSettings settings = gumbel_settings();
    EXPECT_INT(60, skipped(&settings, 2, 10, 0.1102f, 80));
    EXPECT_INT(0, skipped(&settings, 2, 10, 0.1105f, 80));
    EXPECT_INT(40, skipped(&settings, 2, 20, 0.1105f, 80)); /* settled by twice the visits */
    EXPECT_INT(0, skipped(&settings, 2, 11, 0.05f, 80));    /* 11 is no quarter of the round */
    EXPECT_INT(0, skipped(&settings, 2, 5, 0.05f, 40));     /* fewer than 10 visits */
    EXPECT_INT(20, skipped(&settings, 2, 10, 0.05f, 40));
    settings.gumbel.stop_confidence = 0.9; /* t(9, 0.95) = 1.833113: 0.04 + 0.9 * 0.119037 */
    EXPECT_INT(60, skipped(&settings, 2, 10, 0.147f, 80));
    EXPECT_INT(0, skipped(&settings, 2, 10, 0.1473f, 80));
    settings.gumbel.stop_confidence = 0;
    EXPECT_INT(0, skipped(&settings, 2, 10, 0.05f, 80));
}

/* Four moves are halved in two rounds, and get 20 visits each in the first round. The probability
 * of error of this round is 1 - sqrt(0.95). It is divided among the two moves of a half and the two
 * sides of the distribution: t(9, 1 - 0.0063304) = 3.103036. So Var <= 0.041541, and the mean
 * square may be at most 0.04 + 0.9 * 0.041541 = 0.077387. */
TEST(the_confidence_is_that_of_all_rounds) {
    SearchSettings settings = gumbel_settings();
    EXPECT_INT(40, skipped(&settings, 4, 10, 0.0772f, 160));
    EXPECT_INT(0, skipped(&settings, 4, 10, 0.0776f, 160));
}

/* After a round that ended early, the next one goes on with the two best moves, as after a whole
 * round. */
TEST(the_next_round_goes_on_as_after_a_whole_one) {
    SearchSettings settings = gumbel_settings();
    Search *search = search_made(&settings, 4, 10, 0.05f, 160);
    search_adapt_round(search);
    EXPECT_INT(40, search->skipped);
    EXPECT_INT(80, search_visits_left(search, search_root_visits(search)));
    for (int i = 0; i < 8; i++) {
        int index = gumbel_select(&search->gumbel, &search->frame, &search->tree, NULL);
        EXPECT_TRUE(index == 0 || index == 1);
        root_edge(search, index)->visits++;
    }
    for (int i = 0; i < 4; i++)
        EXPECT_INT(i < 2 ? 14 : 10, root_edge(search, i)->visits);
    search_free(search);
}

/* Visits that are skipped count towards the limit, so the search ends sooner. Without
 * stop_confidence it makes all 800 visits. */
TEST(searches_end_sooner) {
    int64_t visits[3];
    for (int i = 0; i < 3; i++) {
        SearchSettings settings = gumbel_settings();
        settings.gumbel.considered = 4;
        settings.gumbel.stop_confidence = i ? 0.95 : 0;
        MadeUp made = made_up(4, point_at(0, 0)), other = made;
        Driver *driver = NULL;
        EXPECT_OK(
            i < 2 ? driver_new(&made.base, &driver, err)
                  : driver_new_threads((Evaluator *[]){&made.base, &other.base}, 2, &driver, err));
        Search *search = search_of(&settings, 3, position_empty(5, 0.5f));
        search_begin(search, &(SearchLimits){.visits = 800});
        EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
        EXPECT_TRUE(search_done(search));
        visits[i] = search_root_visits(search);
        EXPECT_TRUE(visits[i] + search->skipped >= 800);
        Report *report = report_of_search(search);
        EXPECT_INT(point_at(0, 0), report->choice);
        free(report);
        driver_free(driver);
        search_free(search);
    }
    EXPECT_INT(800, visits[0]);
    EXPECT_TRUE(visits[1] < 600 && visits[2] < 800);
}

/* Returns how many visits gumbel_extend_round() adds, for a root of search_made(). */
static int64_t drawn_out(const SearchSettings *settings, int count, int visits, float square,
                         int64_t simulations) {
    Search *search = search_made(settings, count, visits, square, simulations);
    int64_t more = gumbel_extend_round(&search->gumbel, &search->frame, &search->tree);
    search_free(search);
    return more;
}

/* Two moves with means that are 0.4 apart have had all their 20 visits of a round. With
 * t(19, 0.975) = 2.093024, the round is settled up to Var = 20 (0.2 / 2.093024)^2 = 0.182620, which
 * is the mean square 0.04 + 0.95 * 0.182620 = 0.213489. Otherwise both moves get a quarter more. */
TEST(a_round_in_doubt_is_extended) {
    SearchSettings settings = gumbel_settings();
    settings.gumbel.over_search = 2.5;
    EXPECT_INT(0, drawn_out(&settings, 2, 20, 0.2133f, 40));
    EXPECT_INT(10, drawn_out(&settings, 2, 20, 0.2137f, 40));
    EXPECT_INT(0, drawn_out(&settings, 2, 19, 0.9f, 40)); /* the round has not ended */
    EXPECT_INT(10, drawn_out(&settings, 2, 20, 0.9f, 40));
    EXPECT_INT(4, drawn_out(&settings, 2, 5, 0.04f, 10)); /* fewer than 10 visits */
    EXPECT_INT(0, skipped(&settings, 2, 10, 0.05f, 40));  /* with over_search no round ends early */
    settings.gumbel.over_search = 1;
    EXPECT_INT(0, drawn_out(&settings, 2, 20, 0.9f, 40));
}

/* A round is extended to at most 2.5 times its 20 visits for each move: 20 and six times 5. So the
 * two moves get 60 visits more, and then the search ends. */
TEST(a_round_is_extended_up_to_a_limit) {
    SearchSettings settings = gumbel_settings();
    settings.gumbel.over_search = 2.5;
    Search *search = search_made(&settings, 2, 20, 0.9f, 40);
    for (int i = 0; i < 100; i++) {
        search_adapt_round(search);
        if (!search_visits_left(search, search_root_visits(search))) break;
        int index = gumbel_select(&search->gumbel, &search->frame, &search->tree, NULL);
        search->tree.edges[search->tree.nodes[0].edges + (uint32_t)index].visits++;
        search->tree.nodes[0].visits++;
    }
    EXPECT_INT(-60, search->skipped);
    EXPECT_INT(101, search_root_visits(search));
    for (int i = 0; i < 2; i++)
        EXPECT_INT(50, search->tree.edges[search->tree.nodes[0].edges + i].visits);
    search_free(search);
}

/* Searches whose rounds are extended make more visits than their limit, but at most 2.5 times as
 * many. */
TEST(searches_in_doubt_take_longer) {
    for (int i = 0; i < 3; i++) {
        SearchSettings settings = gumbel_settings();
        settings.gumbel.considered = 4;
        settings.gumbel.over_search = 2.5;
        if (i == 1) settings.gumbel.halving = GUMBEL_HALVING_2026;
        MadeUp made = made_up(1, POINT_PASS);
        made.by_area = true;
        MadeUp other = made;
        Driver *driver = NULL;
        EXPECT_OK(
            i < 2 ? driver_new(&made.base, &driver, err)
                  : driver_new_threads((Evaluator *[]){&made.base, &other.base}, 2, &driver, err));
        Search *search = search_of(&settings, 3, position_empty(5, 0.5f));
        search_begin(search, &(SearchLimits){.visits = 200});
        EXPECT_OK(driver_run(driver, search, &(DriverRun){0}, err));
        int64_t visits = search_root_visits(search);
        EXPECT_TRUE(visits >= 200 && visits <= 500);
        if (i < 2) EXPECT_TRUE(visits > 200);
        EXPECT_INT(200, visits + search->skipped);
        driver_free(driver);
        search_free(search);
    }
}

TEST_MAIN(RUN(two_moves_by_hand), RUN(the_confidence_is_that_of_all_rounds),
          RUN(the_next_round_goes_on_as_after_a_whole_one), RUN(searches_end_sooner),
          RUN(a_round_in_doubt_is_extended), RUN(a_round_is_extended_up_to_a_limit),
          RUN(searches_in_doubt_take_longer))
