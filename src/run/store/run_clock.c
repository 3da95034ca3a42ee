#include "run/store/run_clock.h"

#include "base/clock.h"
#include "base/thread.h"

/* A phase must last this long before its speed is certain enough to be shown. */
static const double PHASE_MIN_SECONDS = 0.5;

void run_clock_start(RunClock *clock) {
    clock->started = clock_seconds();
}

double run_clock_seconds(const RunClock *clock) {
    return clock->seconds_before + clock_seconds() - clock->started;
}

void run_clock_set_deadline(RunClock *clock, double seconds) {
    clock->deadline = seconds > 0 ? clock_seconds() + seconds : 0;
}

void run_clock_set_budget(RunClock *clock, double multiply_adds, bool at_net) {
    clock->budget = multiply_adds;
    clock->ends_at_net = at_net;
}

bool run_clock_is_spent(const RunClock *clock) {
    return clock->budget > 0 && run_clock_multiply_adds(clock) >= clock->budget;
}

bool run_clock_must_stop(const RunClock *clock) {
    return stop_requested() || (clock->deadline > 0 && clock_seconds() >= clock->deadline) ||
           (!clock->ends_at_net && run_clock_is_spent(clock));
}

int64_t run_clock_evaluations(const RunClock *clock) {
    return atomic_load_explicit(&clock->evaluations, memory_order_relaxed);
}

void run_clock_add_evaluations(RunClock *clock, int64_t count) {
    atomic_fetch_add_explicit(&clock->evaluations, count, memory_order_relaxed);
}

double run_clock_multiply_adds(const RunClock *clock) {
    return clock->multiply_adds +
           clock->cost * (double)(run_clock_evaluations(clock) - clock->counted);
}

void run_clock_settle(RunClock *clock) {
    clock->multiply_adds = run_clock_multiply_adds(clock);
    clock->counted = run_clock_evaluations(clock);
}

void run_clock_use_net(RunClock *clock, double cost) {
    run_clock_settle(clock);
    clock->cost = cost;
}

void run_clock_add_known(RunClock *clock, double multiply_adds, int64_t evaluations) {
    clock->multiply_adds += multiply_adds;
    clock->multiply_adds_kept += multiply_adds;
    clock->counted += evaluations;
    run_clock_add_evaluations(clock, evaluations);
}

void run_clock_begin_phase(RunClock *clock) {
    clock->phase_started = clock_seconds();
    clock->phase_evaluations = run_clock_evaluations(clock);
}

static double phase_speed(const RunClock *clock, double seconds) {
    return (double)(run_clock_evaluations(clock) - clock->phase_evaluations) / seconds;
}

void run_clock_end_phase(RunClock *clock) {
    double seconds = clock_seconds() - clock->phase_started;
    if (seconds > 0) clock->speed = phase_speed(clock, seconds);
}

double run_clock_speed(const RunClock *clock, bool playing) {
    double seconds = clock_seconds() - clock->phase_started;
    return playing && seconds > PHASE_MIN_SECONDS ? phase_speed(clock, seconds) : clock->speed;
}
