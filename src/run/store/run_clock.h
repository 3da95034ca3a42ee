/* run_clock.h - how long a run has worked, the multiply-adds that its nets have cost, and when work
 * must end: at a deadline, with a budget of multiply-adds, or when a stop is requested.
 *
 * The multiply-adds are counted with the evaluations: the total of `multiply_adds` belongs to
 * `counted` evaluations, and each later one adds `cost`. Whoever changes the net or reads the total
 * for good calls run_clock_settle() first, which brings both up to date.
 * Threading: confined, except `evaluations`, run_clock_add_evaluations() and
 * run_clock_must_stop(), which the threads of self-play use while the clock's own thread waits. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    double started;           /* when this process began to work, in clock_seconds() */
    double seconds_before;    /* seconds that the run had worked before */
    double deadline;          /* in clock_seconds(); 0: none */
    atomic_llong evaluations; /* of the run, by nets and in random play */
    double multiply_adds;     /* of the run, after `counted` evaluations */
    int64_t counted;
    double cost;               /* multiply-adds of each evaluation after those */
    double multiply_adds_kept; /* how many of them the index has, or a note (journal.h) */
    int64_t evaluations_noted; /* how many evaluations a note has */
    double budget;             /* multiply-adds with which work ends; 0: none */
    bool ends_at_net;          /* when the budget is spent, the net in the making is completed */
    double phase_started;      /* when the present or last phase of self-play began */
    int64_t phase_evaluations; /* evaluations of the run when it began */
    double speed;              /* evaluations per second in the last phase of self-play */
    double next_keep;          /* when the totals are saved next during a phase */
} RunClock;

void run_clock_start(RunClock *clock);           /* begins to count working time */
double run_clock_seconds(const RunClock *clock); /* seconds that the run has worked */
/* Sets the deadline to this many seconds from now; 0 or less: there is no deadline. */
void run_clock_set_deadline(RunClock *clock, double seconds);
/* Work ends when the run has cost this many multiply-adds in all; 0: never. `at_net`: the net that
 * is being made then is completed first. */
void run_clock_set_budget(RunClock *clock, double multiply_adds, bool at_net);
bool run_clock_is_spent(const RunClock *clock); /* the budget is used up */
bool run_clock_must_stop(const RunClock *clock);

int64_t run_clock_evaluations(const RunClock *clock);
void run_clock_add_evaluations(RunClock *clock, int64_t count); /* made by this process */
double run_clock_multiply_adds(const RunClock *clock);
void run_clock_settle(RunClock *clock); /* brings `multiply_adds` up to date */
/* From now on each evaluation costs this many multiply-adds. */
void run_clock_use_net(RunClock *clock, double cost);
/* Adds multiply-adds that the index has already, and the evaluations that they come from. */
void run_clock_add_known(RunClock *clock, double multiply_adds, int64_t evaluations);

/* The beginning and the end of a phase of self-play, for its speed. */
void run_clock_begin_phase(RunClock *clock);
void run_clock_end_phase(RunClock *clock);
/* Evaluations per second: of the present phase if `playing`, otherwise of the last one. */
double run_clock_speed(const RunClock *clock, bool playing);
