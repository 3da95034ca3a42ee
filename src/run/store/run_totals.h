/* run_totals.h - the totals of a run in its index: seconds of work, evaluations, games and
 * multiply-adds. Several processes may add multiply-adds. The other totals are written by the
 * process that trains. Threading: confined, except run_totals_keep_meanwhile(). */
#pragma once
#include "run/store/run_rows.h"

/* Opens the index and reads the totals. */
MUST_USE Status run_totals_open(RunStore *store, RunClock *clock, RunRows *rows, Error *err);
/* Writes the totals, and reads the multiply-adds and games that the index then has. If the process
 * has no index open, this only brings the clock up to date (run_clock_settle()). */
MUST_USE Status run_totals_keep(RunStore *store, RunClock *clock, RunRows *rows, Error *err);
/* Writes the totals every few seconds during a phase of self-play, except while another process
 * writes. Only one thread of self-play may call this. It changes nothing that the other threads
 * read. */
void run_totals_keep_meanwhile(RunStore *store, RunClock *clock);
