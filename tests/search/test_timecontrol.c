/* How much time of a clock a move may take, worked out by hand, and whole games on a simulated
 * clock. */
#include "base/rng.h"
#include "search/result/timecontrol.h"
#include "test.h"

static TimeSettings plain(double lag) {
    TimeSettings settings;
    settings_defaults(TIME_FIELDS, &settings);
    settings.lag_seconds = lag;
    return settings;
}

static TimeBudget first_move(const TimeControl *control, const TimeSettings *settings) {
    TimeLeft left = time_at_start(control);
    return time_budget(control, &left, settings, 361, 0, 0);
}

/* On an empty board of 19x19, 0.5 (0.95 * 361 + 20) = 181.475 more moves of the player are
 * expected. Each costs 0.01 seconds besides its search. The lag is subtracted twice. */
TEST(an_absolute_clock_is_shared_among_the_moves_to_come) {
    TimeControl control = {.limited = true, .main_seconds = 1002.81475};
    TimeSettings settings = plain(0.5);

    TimeBudget budget = first_move(&control, &settings);
    EXPECT_NEAR(1000 / 181.475, budget.wanted, 1e-9);
    EXPECT_NEAR(200, budget.max, 1e-9);
    EXPECT_NEAR(0, budget.free, 0);
    /* a time below twice the lag is halved instead: 0.8 becomes 0.4, and that becomes 0.2 */
    TimeLeft left = {.main_seconds = 0.8};
    budget = time_budget(&control, &left, &settings, 9, 100, 100); /* at least 15.675 moves */
    EXPECT_NEAR((0.2 - 0.15675) / 15.675, budget.wanted, 1e-9);
    EXPECT_NEAR((0.2 - 0.15675) / 5, budget.max, 1e-9);
    control.main_seconds = 0.6; /* less than the 181.475 * 0.01 seconds of the moves to come */
    EXPECT_NEAR(0, first_move(&control, &settings).max, 1e-9);
}

/* The time above the increment is divided among 0.5 (0.75 * 361 + 15) = 142.875 moves. */
TEST(a_fischer_clock_gives_the_increment_and_more) {
    TimeControl control = {.limited = true, .main_seconds = 300, .increment_seconds = 5};
    TimeSettings settings = plain(0);
    TimeBudget budget = first_move(&control, &settings);
    EXPECT_NEAR(5 + 295 / 142.875, budget.wanted, 1e-6);
    EXPECT_NEAR(5 + 59, budget.max, 1e-6);
    control.move_cap_seconds = 6;
    budget = first_move(&control, &settings);
    EXPECT_NEAR(6, budget.max, 1e-6);
    EXPECT_NEAR(6, budget.wanted, 1e-6);
    control.main_seconds = 4; /* less than the increment: all of it may be used */
    budget = first_move(&control, &settings);
    EXPECT_NEAR(4, budget.wanted, 1e-6);
}

TEST(a_fischer_clock_gets_its_increment_up_to_its_cap) {
    TimeControl control = {
        .limited = true, .main_seconds = 10, .increment_seconds = 3, .main_cap_seconds = 12};
    TimeLeft left = time_at_start(&control);
    EXPECT_TRUE(time_spend(&control, &left, 2));
    EXPECT_NEAR(11, left.main_seconds, 1e-9);
    EXPECT_TRUE(time_spend(&control, &left, 1));
    EXPECT_NEAR(12, left.main_seconds, 1e-9);
    EXPECT_FALSE(time_spend(&control, &left, 12.5));
}

/* The main time is 100 seconds, and a period has 10. A move in main time usually gets e = 2.718
 * times the time of a period, so the main time would last for 100 / 10 / e = 3.68 moves. If more
 * moves are expected, the main time is spread over up to 1.75 times as many moves. Here about
 *     0.5 (0.5 * 361 + 10) = 95.25
 * moves are expected, so the main time is spread over 1.75 * 3.68 = 6.44 moves. */
TEST(main_time_before_periods_goes_in_the_opening) {
    TimeControl control = {
        .limited = true, .main_seconds = 100, .period_seconds = 10, .stones = 1, .periods = 5};
    TimeSettings settings = plain(0);
    double turns = 1.75 * 10 / exp(1);
    TimeBudget budget = first_move(&control, &settings);
    EXPECT_NEAR(fmin(100 / turns, 100 / 181.475 + 30), budget.wanted, 1e-6);
    EXPECT_NEAR(10 + 20, budget.max, 1e-6);
    TimeLeft left = {.main_seconds = 3}; /* nearly gone: the rest and one period may be used */
    budget = time_budget(&control, &left, &settings, 361, 100, 100);
    EXPECT_NEAR(13, budget.wanted, 1e-6);
    EXPECT_NEAR(13, budget.max, 1e-6);
}

TEST(a_period_is_for_one_stone_or_shared_among_several) {
    TimeControl byo = {.limited = true, .period_seconds = 10, .stones = 1, .periods = 3};
    TimeControl canadian = {.limited = true, .period_seconds = 100, .stones = 10, .periods = 1};
    TimeSettings settings = plain(0.5);
    TimeBudget budget = first_move(&byo, &settings);
    EXPECT_NEAR(9.5, budget.wanted, 1e-6);
    EXPECT_NEAR(9.5, budget.max, 1e-6);
    EXPECT_NEAR(9.5, budget.free, 1e-6); /* lost if it is not used */
    TimeLeft left = time_left_from_gtp(&byo, 10, 1);
    /* in the last period the lag is subtracted twice */
    EXPECT_NEAR(9, time_budget(&byo, &left, &settings, 361, 0, 0).max, 1e-6);
    budget = first_move(&canadian, &settings);
    EXPECT_NEAR(9.95, budget.wanted, 1e-6);
    EXPECT_NEAR(99.5 / 7.75, budget.max, 1e-6);
    EXPECT_NEAR(0, budget.free, 0);
    left = time_left_from_gtp(&canadian, 30, 1);
    EXPECT_NEAR(29, time_budget(&canadian, &left, &settings, 361, 0, 0).max, 1e-6);
}

TEST(periods_are_counted_as_the_rules_do) {
    TimeControl byo = {
        .limited = true, .main_seconds = 5, .period_seconds = 10, .stones = 1, .periods = 3};
    TimeLeft left = time_at_start(&byo);
    EXPECT_TRUE(time_spend(&byo, &left, 14)); /* takes 9 of the first period */
    EXPECT_TRUE(left.overtime);
    EXPECT_INT(3, left.periods);
    EXPECT_NEAR(10, left.period_seconds, 0);
    EXPECT_TRUE(time_spend(&byo, &left, 25)); /* uses up two periods */
    EXPECT_INT(1, left.periods);
    EXPECT_TRUE(time_spend(&byo, &left, 10));
    EXPECT_FALSE(time_spend(&byo, &left, 10.01));
    TimeControl canadian = {.limited = true, .period_seconds = 30, .stones = 2, .periods = 1};
    left = time_at_start(&canadian);
    EXPECT_TRUE(time_spend(&canadian, &left, 29));
    EXPECT_INT(1, left.stones);
    EXPECT_NEAR(1, left.period_seconds, 0);
    EXPECT_TRUE(time_spend(&canadian, &left, 0.5));
    EXPECT_INT(2, left.stones);
    EXPECT_NEAR(30, left.period_seconds, 0);
    EXPECT_FALSE(time_spend(&canadian, &left, 30.5));
    TimeControl absolute = {.limited = true, .main_seconds = 1};
    left = time_at_start(&absolute);
    EXPECT_FALSE(time_spend(&absolute, &left, 1.1));
}

TEST(time_left_is_read_by_the_kind_of_clock) {
    TimeControl byo = {
        .limited = true, .main_seconds = 60, .period_seconds = 10, .stones = 1, .periods = 5};
    TimeControl canadian = {.limited = true, .period_seconds = 100, .stones = 10, .periods = 1};
    TimeLeft left = time_left_from_gtp(&byo, 7, 3);
    EXPECT_TRUE(left.overtime && left.periods == 3 && left.stones == 1);
    left = time_left_from_gtp(&canadian, 7, 3);
    EXPECT_TRUE(left.overtime && left.periods == 1 && left.stones == 3);
    left = time_left_from_gtp(&byo, 33, 0);
    EXPECT_TRUE(!left.overtime);
    EXPECT_NEAR(33, left.main_seconds, 0);
    EXPECT_NEAR(0, time_left_from_gtp(&byo, -3, 0).main_seconds, 0);
}

/* Of a period of 0.1 s, half is kept for the lag. If moves came 0.03 s late, twice 0.03 s are kept,
 * and with 0.06 s the whole period. */
TEST(late_moves_keep_a_larger_reserve) {
    TimeControl byo = {.limited = true, .period_seconds = 0.1, .stones = 1, .periods = 1};
    TimeControl main_time = {
        .limited = true, .main_seconds = 5, .period_seconds = 10, .stones = 1, .periods = 1};
    TimeSettings settings = plain(0.25);
    TimeLeft left = time_at_start(&byo);
    const double late[] = {0, 0.02, 0.03, 0.06}, max[] = {0.05, 0.05, 0.04, 0};
    for (int i = 0; i < 4; i++) {
        TimeBudget budget = first_move(&byo, &settings);
        time_budget_keep_reserve(&budget, &byo, &left, late[i]);
        EXPECT_NEAR(max[i], budget.max, 1e-9);
        EXPECT_NEAR(max[i], budget.wanted, 1e-9);
        EXPECT_NEAR(max[i], budget.free, 1e-9);
    }
    left = time_at_start(&main_time);
    TimeBudget budget = {.wanted = 9, .max = 14};
    time_budget_keep_reserve(&budget, &main_time, &left, 4); /* 5 + 10 - 2 * 4 = 7 */
    EXPECT_NEAR(7, budget.max, 1e-9);
    EXPECT_NEAR(7, budget.wanted, 1e-9);
}

/* With midgame_factor = 2, a move at turn 130 has twice the time. At turn 230, 1/e of the addition
 * is left. */
TEST(the_middle_game_can_have_more) {
    TimeControl control = {.limited = true, .main_seconds = 1000};
    TimeSettings settings = plain(0), more = settings;
    TimeLeft left = time_at_start(&control);
    more.midgame_factor = 2;
    const int turns[] = {0, 65, 130, 230};
    const double factors[] = {1, 1.5, 2, 1 + exp(-1)};
    for (int i = 0; i < 4; i++) {
        double once = time_budget(&control, &left, &settings, 361, turns[i], turns[i]).wanted;
        double now = time_budget(&control, &left, &more, 361, turns[i], turns[i]).wanted;
        EXPECT_NEAR(factors[i], now / once, 1e-6);
    }
}

/* Makes a report of two moves with these visits. */
static Report *report_made(int64_t first, int64_t second, double entropy, double surprise) {
    Report *report = calloc(1, sizeof *report);
    for (int i = 0; i < MOVES_MAX; i++)
        report->raw_policy[i] = i < 2 ? 0.5f : -1;
    report->move_count = 2;
    report->moves[0].visits = first;
    report->moves[1].visits = second;
    report->visits = report->playouts = first + second + 1;
    report->raw_policy_entropy = (float)entropy;
    report->policy_surprise = (float)surprise;
    return report;
}

/* Returns after how many seconds a search ends whose report stays the same, with `pace` playouts a
 * second. */
static double end_of(Report *report, const TimeBudget *budget, const TimeSettings *settings,
                     double pace) {
    double elapsed = 0.001;
    for (; elapsed < 100; elapsed += 0.01) {
        report->playouts = (int64_t)(pace * elapsed);
        if (time_is_enough(budget, settings, report, 361, elapsed)) break;
    }
    return elapsed;
}

TEST(an_unsettled_choice_takes_longer_and_a_clear_one_less) {
    TimeSettings settings = plain(0);
    TimeBudget budget = {.wanted = 10, .max = 30};
    settings.futile_fraction = 0;
    EXPECT_NEAR(0, time_unsettled(100, 50), 0);
    EXPECT_NEAR(0.5, time_unsettled(100, 75), 1e-9);
    EXPECT_NEAR(1, time_unsettled(100, 120), 0);
    EXPECT_NEAR(1, time_unsettled(0, 0), 0);
    EXPECT_NEAR(exp(-1), time_obviousness(&settings, 0.3, 0.1), 1e-6);
    EXPECT_NEAR(exp(-2), time_obviousness(&settings, 0.1, 0.3), 1e-6);
    Report *even = report_made(500, 500, 3, 3), *plain_one = report_made(500, 100, 3, 3),
           *clear = report_made(500, 100, 0, 0), *half = report_made(500, 375, 3, 3);
    EXPECT_NEAR(10, end_of(plain_one, &budget, &settings, 100), 0.02);
    EXPECT_NEAR(15, end_of(even, &budget, &settings, 100), 0.02);
    EXPECT_NEAR(12.5, end_of(half, &budget, &settings, 100), 0.02);
    EXPECT_NEAR(5, end_of(clear, &budget, &settings, 100), 0.02);
    budget.free = 8; /* lost if it is not used */
    EXPECT_NEAR(8, end_of(clear, &budget, &settings, 100), 0.02);
    budget.max = 11;
    EXPECT_NEAR(11, end_of(even, &budget, &settings, 100), 0.02);
    free(even);
    free(plain_one);
    free(clear);
    free(half);
}

/* The best move leads by 500 visits. In the 10 s that are left, the other move can catch up at 60
 * visits a second, but not at 40. */
TEST(a_choice_that_cannot_change_ends_the_search) {
    TimeSettings settings = plain(0);
    TimeBudget budget = {.wanted = 20, .max = 20};
    Report *report = report_made(600, 100, 3, 3);
    report->playouts = 600; /* in 10 s: 60 a second */
    EXPECT_FALSE(time_is_enough(&budget, &settings, report, 361, 10));
    report->playouts = 400;
    EXPECT_TRUE(time_is_enough(&budget, &settings, report, 361, 10));
    settings.futile_fraction = 0;
    EXPECT_FALSE(time_is_enough(&budget, &settings, report, 361, 10));
    report->raw_policy[1] = -1; /* there is only one legal move */
    EXPECT_TRUE(time_is_enough(&budget, &settings, report, 361, 0.01));
    report->move_count = 0; /* there is no move to play yet */
    EXPECT_FALSE(time_is_enough(&budget, &settings, report, 361, 1));
    EXPECT_TRUE(time_is_enough(&budget, &settings, report, 361, 20));
    free(report);
}

static const TimeControl BLITZ[] = {
    {.limited = true, .main_seconds = 15},
    {.limited = true, .main_seconds = 60},
    {.limited = true, .main_seconds = 5, .increment_seconds = 1},
    {.limited = true, .main_seconds = 1, .increment_seconds = 0.5},
    {.limited = true, .period_seconds = 1, .stones = 1, .periods = 1},
    {.limited = true, .main_seconds = 10, .period_seconds = 2, .stones = 1, .periods = 5},
    {.limited = true, .period_seconds = 10, .stones = 10, .periods = 1},
    {.limited = true, .main_seconds = 20, .period_seconds = 15, .stones = 20, .periods = 1},
    {.limited = true, .main_seconds = 3, .period_seconds = 1, .stones = 1, .periods = 30},
};

/* Games on 19x19 in which the player makes 180 moves. Each move takes a random part of the time
 * that it may take, and a random lag of at most lag_seconds. */
TEST(no_blitz_game_is_lost_on_time) {
    Rng rng = rng_seeded(3);
    TimeSettings settings = plain(0.1);
    for (size_t kind = 0; kind < sizeof BLITZ / sizeof *BLITZ; kind++) {
        const TimeControl *control = &BLITZ[kind];
        for (int game = 0; game < 50; game++) {
            TimeLeft left = time_at_start(control);
            for (int turn = 0; turn < 180; turn++) {
                TimeBudget budget = time_budget(control, &left, &settings, 361, 2 * turn, 2 * turn);
                double greed = rng_uniform(&rng);
                double taken = game % 2 && greed < 0.1
                                   ? budget.max
                                   : fmin(budget.max, 1.5 * greed * budget.wanted);
                double lag = control->period_seconds > 0 || control->increment_seconds > 0
                                 ? 0.1 * rng_uniform(&rng)
                                 : 0.005; /* on an absolute clock, larger lags would use it up */
                EXPECT_TRUE(budget.wanted >= 0 && budget.wanted <= budget.max);
                if (!time_spend(control, &left, taken + lag))
                    fail_msg("clock %zu, game %d: lost on time at turn %d", kind, game, turn);
            }
        }
    }
}

/* The factor falls from 1 at a win - loss of 0.9 to 0.4 at 1. */
TEST(won_games_take_less_time) {
    TimeSettings settings;
    settings_defaults(TIME_FIELDS, &settings);
    EXPECT_NEAR(1, time_winning_factor(&settings, 1), 0);
    settings.winning_factor = 0.4;
    EXPECT_NEAR(1, time_winning_factor(&settings, 1), 0); /* not above the default threshold, 1 */
    settings.winning_threshold = 0.9;
    EXPECT_NEAR(1, time_winning_factor(&settings, 0.89), 0);
    EXPECT_NEAR(0.7, time_winning_factor(&settings, 0.95), 1e-6);
    EXPECT_NEAR(0.4, time_winning_factor(&settings, 1), 1e-6);
}

/* 10 s are wanted. The fraction of these that is still wanted depends on the time that was spent on
 * the kept tree:
 *     after  5 s: ln(1 + e^3) / 6
 *     after 10 s: ln(2) / 6
 *     after 20 s: ln(1 + e^-6) / 6 */
TEST(time_thought_before_counts) {
    EXPECT_NEAR(10, time_carried_over(10, 0), 0);
    EXPECT_NEAR(10, time_carried_over(10, 1e-9), 1e-6);
    EXPECT_NEAR(5.08098, time_carried_over(10, 5), 1e-5);
    EXPECT_NEAR(1.15525, time_carried_over(10, 10), 1e-5);
    EXPECT_NEAR(0.00412615, time_carried_over(10, 20), 1e-8);
}

TEST_MAIN(RUN(an_absolute_clock_is_shared_among_the_moves_to_come),
          RUN(a_fischer_clock_gives_the_increment_and_more),
          RUN(a_fischer_clock_gets_its_increment_up_to_its_cap),
          RUN(main_time_before_periods_goes_in_the_opening),
          RUN(a_period_is_for_one_stone_or_shared_among_several),
          RUN(periods_are_counted_as_the_rules_do), RUN(time_left_is_read_by_the_kind_of_clock),
          RUN(late_moves_keep_a_larger_reserve), RUN(the_middle_game_can_have_more),
          RUN(an_unsettled_choice_takes_longer_and_a_clear_one_less),
          RUN(a_choice_that_cannot_change_ends_the_search), RUN(won_games_take_less_time),
          RUN(time_thought_before_counts), RUN(no_blitz_game_is_lost_on_time))
