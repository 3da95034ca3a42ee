/* run_clock.h - the time that a run has worked, the multiply-adds that its nets have cost, and when
 * work must end: at a deadline, with a budget of multiply-adds, or when a stop is asked for.
 * Threading: confined, but for `evaluations`, run_clock_add_evaluations() and
 * run_clock_must_stop(), which the threads of self-play use while the clock's own thread waits. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    double started, seconds_before; /* seconds of work: before this start, and since `started` */
    double deadline;                /* in clock_seconds(); 0: none */
    atomic_llong evaluations;       /* by nets and by random play, of the run */
    double multiply_adds;           /* of the run, when `counted` evaluations were made */
    int64_t counted;
    double cost;               /* multiply-adds of each evaluation since then */
    double multiply_adds_kept; /* the index, or a note, has this many */
    int64_t evaluations_noted; /* a note has this many */
    double budget;             /* of multiply-adds; 0: no end */
    bool ends_at_net;          /* work beyond the budget goes on to the next net */
    double phase_started;      /* self-play that is under way, or the last one */
    int64_t phase_evaluations; /* of the run, when it began */
    double speed;              /* evaluations a second of the last self-play */
    double next_keep;          /* when totals are kept the next time while a phase is under way */
} RunClock;

void run_clock_start(RunClock *clock); /* working time counts from now on */
double run_clock_seconds(const RunClock *clock);
/* Work ends this many seconds from now; 0 or less: there is no deadline. */
void run_clock_set_deadline(RunClock *clock, double seconds);
/* Work ends with this many multiply-adds in all, 0: never. `at_net`: with the net that is being
 * made then. */
void run_clock_set_budget(RunClock *clock, double multiply_adds, bool at_net);
bool run_clock_is_spent(const RunClock *clock); /* the budget is used up */
bool run_clock_must_stop(const RunClock *clock);

int64_t run_clock_evaluations(const RunClock *clock);
void run_clock_add_evaluations(RunClock *clock, int64_t count); /* by self-play, here */
double run_clock_multiply_adds(const RunClock *clock);
void run_clock_settle(RunClock *clock);               /* brings `multiply_adds` up to date */
void run_clock_use_net(RunClock *clock, double cost); /* of each evaluation from here on */
/* Multiply-adds that the index knows already, with the evaluations that they come from. */
void run_clock_add_known(RunClock *clock, double multiply_adds, int64_t evaluations);

void run_clock_begin_phase(RunClock *clock);
void run_clock_end_phase(RunClock *clock);
double run_clock_speed(const RunClock *clock, bool playing); /* of this self-play, or the last */
