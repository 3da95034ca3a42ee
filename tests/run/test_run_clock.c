/* The clock of a run: what its work has cost, and when the work must end. */
#include "base/clock.h"
#include "base/error.h"
#include "run/store/run_clock.h"
#include "test.h"

/* 100 evaluations cost 5 multiply-adds each, then 10 cost 7 each. */
TEST(each_evaluation_costs_what_its_net_does) {
    RunClock clock = {0};
    run_clock_use_net(&clock, 5);
    run_clock_add_evaluations(&clock, 100);
    EXPECT_NEAR(500, run_clock_multiply_adds(&clock), 0);
    run_clock_use_net(&clock, 7);
    EXPECT_NEAR(500, clock.multiply_adds, 0);
    run_clock_add_evaluations(&clock, 10);
    EXPECT_NEAR(570, run_clock_multiply_adds(&clock), 0);
    EXPECT_INT(110, run_clock_evaluations(&clock));
    run_clock_settle(&clock);
    EXPECT_NEAR(570, clock.multiply_adds, 0);
    EXPECT_INT(110, clock.counted);
}

/* Other processes write the cost of their evaluations to the index. This process adds it to the
 * totals, but must not write it to the index again. */
TEST(what_others_did_is_counted_once) {
    RunClock clock = {0};
    run_clock_use_net(&clock, 5);
    run_clock_add_evaluations(&clock, 10);
    run_clock_add_known(&clock, 1000, 40);
    EXPECT_INT(50, run_clock_evaluations(&clock));
    EXPECT_NEAR(1050, run_clock_multiply_adds(&clock), 0);
    EXPECT_NEAR(1000, clock.multiply_adds_kept, 0);
}

/* A run whose budget is used ends immediately or, if that is asked for, only after the net in
 * progress. */
TEST(a_budget_ends_work) {
    RunClock clock = {0};
    run_clock_use_net(&clock, 1);
    run_clock_add_evaluations(&clock, 99);
    EXPECT_FALSE(run_clock_is_spent(&clock)); /* there is no budget yet */
    run_clock_set_budget(&clock, 100, false);
    EXPECT_FALSE(run_clock_is_spent(&clock));
    EXPECT_FALSE(run_clock_must_stop(&clock));
    run_clock_add_evaluations(&clock, 1);
    EXPECT_TRUE(run_clock_is_spent(&clock));
    EXPECT_TRUE(run_clock_must_stop(&clock));
    run_clock_set_budget(&clock, 100, true);
    EXPECT_TRUE(run_clock_is_spent(&clock));
    EXPECT_FALSE(run_clock_must_stop(&clock));
}

TEST(a_deadline_ends_work) {
    RunClock clock = {0};
    run_clock_set_deadline(&clock, 3600);
    EXPECT_FALSE(run_clock_must_stop(&clock));
    run_clock_set_deadline(&clock, 1e-9);
    clock_sleep_ms(1);
    EXPECT_TRUE(run_clock_must_stop(&clock));
    run_clock_set_deadline(&clock, 0);
    EXPECT_FALSE(run_clock_must_stop(&clock));
    run_clock_set_deadline(&clock, -1); /* work without a deadline */
    EXPECT_FALSE(run_clock_must_stop(&clock));
}

TEST(working_time_goes_on_from_earlier_starts) {
    RunClock clock = {.seconds_before = 7200};
    run_clock_start(&clock);
    double seconds = run_clock_seconds(&clock);
    EXPECT_TRUE(seconds >= 7200 && seconds < 7260);
}

/* When a phase of self-play has just begun, the speed is that of the phase before. */
TEST(the_speed_of_self_play) {
    RunClock clock = {.speed = 10};
    run_clock_add_evaluations(&clock, 1000); /* from earlier phases */
    run_clock_begin_phase(&clock);
    EXPECT_NEAR(10, run_clock_speed(&clock, true), 0);
    clock.phase_started -= 100;
    run_clock_add_evaluations(&clock, 50);
    EXPECT_NEAR(0.5, run_clock_speed(&clock, true), 0.01);
    EXPECT_NEAR(10, run_clock_speed(&clock, false), 0);
    run_clock_end_phase(&clock);
    EXPECT_NEAR(0.5, run_clock_speed(&clock, false), 0.01);
}

TEST_MAIN(RUN(each_evaluation_costs_what_its_net_does), RUN(what_others_did_is_counted_once),
          RUN(a_budget_ends_work), RUN(a_deadline_ends_work),
          RUN(working_time_goes_on_from_earlier_starts), RUN(the_speed_of_self_play))
