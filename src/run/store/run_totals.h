/* run_totals.h - the totals of a run in its index: seconds of work, evaluations, games and
 * multiply-adds. Several processes may add multiply-adds. Only the process that trains writes the
 * other totals. Threading: confined, except run_totals_keep_meanwhile(). */
#pragma once
#include "run/store/run_rows.h"

/* Opens the index and reads the totals. */
MUST_USE Status run_totals_open(RunStore *store, RunClock *clock, RunRows *rows, Error *err);
/* Writes the totals, and reads the multiply-adds and games that the index then has. If the process
 * has no index open, this only brings the clock up to date (run_clock_settle()). */
MUST_USE Status run_totals_keep(RunStore *store, RunClock *clock, RunRows *rows, Error *err);
/* Call this often during a phase of self-play. It writes the totals every few seconds, except while
 * another process writes. Only one thread of self-play may call it. It changes nothing that the
 * other threads read. */
void run_totals_keep_meanwhile(RunStore *store, RunClock *clock);
