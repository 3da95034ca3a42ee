/* run_clock.h - how long a run has worked, the multiply-adds that its nets have cost, and when work
 * must end: at a deadline, when a budget of multiply-adds is spent, or when a stop is requested.
 *
 * The multiply-adds of self-play are computed from the number of evaluations. The field
 * `multiply_adds` is the total after `counted` evaluations, and each later evaluation adds `cost`.
 * Training adds its multiply-adds to this field directly (run_trainers.c). run_clock_settle()
 * brings `multiply_adds` and `counted` up to date. Call it before you read one of these fields.
 * run_clock_use_net() changes `cost` and calls run_clock_settle() before that.
 * Threading: confined, except `evaluations`, run_clock_add_evaluations() and
 * run_clock_must_stop(), which the threads of self-play use while the clock's own thread waits. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    double started;           /* when this process began to work, in clock_seconds() */
    double seconds_before;    /* seconds that the run had worked in earlier processes */
    double deadline;          /* in clock_seconds(); 0 if there is none */
    atomic_llong evaluations; /* evaluations of the run, including those of random play */
    double multiply_adds;     /* multiply-adds of the run, after `counted` evaluations */
    int64_t counted;
    double cost;               /* multiply-adds of each evaluation after the first `counted` */
    double multiply_adds_kept; /* the part of `multiply_adds` that is in the index or in notes */
    int64_t evaluations_noted; /* how many evaluations are in notes (WorkNote in journal.h) */
    double budget;             /* multiply-adds of the run after which work ends; 0: none */
    bool ends_at_net;          /* the net that is being made is completed before work ends */
    double phase_started;      /* when the present or last phase of self-play began */
    int64_t phase_evaluations; /* evaluations of the run when that phase began */
    double speed;              /* evaluations per second in the last phase of self-play */
    double next_keep;          /* when the totals are saved next during a phase */
} RunClock;

void run_clock_start(RunClock *clock);           /* begins to count working time */
double run_clock_seconds(const RunClock *clock); /* seconds that the run has worked */
/* Sets the deadline to this many seconds from now. If `seconds` is 0 or less, there is no
 * deadline. */
void run_clock_set_deadline(RunClock *clock, double seconds);
/* Sets a budget: work ends when the run has cost this many multiply-adds in all. 0 means that there
 * is no budget. If `at_net` is true, the net that is being made at that time is completed first. */
void run_clock_set_budget(RunClock *clock, double multiply_adds, bool at_net);
bool run_clock_is_spent(const RunClock *clock); /* the budget is used up */
/* Returns whether work must end now: a stop was requested, the deadline has passed, or the budget
 * is used up. With `at_net` the budget does not count here, because cycle_run() then ends the work
 * after the net. */
bool run_clock_must_stop(const RunClock *clock);

int64_t run_clock_evaluations(const RunClock *clock);
void run_clock_add_evaluations(RunClock *clock, int64_t count); /* made by this process */
double run_clock_multiply_adds(const RunClock *clock);
void run_clock_settle(RunClock *clock); /* brings `multiply_adds` and `counted` up to date */
/* Makes each evaluation from now on cost this many multiply-adds. */
void run_clock_use_net(RunClock *clock, double cost);
/* Adds work that this process has not done itself and that is in the index already. */
void run_clock_add_known(RunClock *clock, double multiply_adds, int64_t evaluations);

/* Mark the beginning and the end of a phase of self-play, whose speed is measured. */
void run_clock_begin_phase(RunClock *clock);
void run_clock_end_phase(RunClock *clock);
/* Returns the evaluations per second of the present phase of self-play if `playing` is true, and of
 * the last phase otherwise. */
double run_clock_speed(const RunClock *clock, bool playing);
