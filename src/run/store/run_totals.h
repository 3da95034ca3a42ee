/* run_totals.h - the totals of a run in its index: seconds of work, evaluations, games,
 * multiply-adds. Several processes may add multiply-adds; the one that trains writes the others.
 * Threading: confined, except run_totals_keep_meanwhile(). */
#pragma once
#include "run/store/run_rows.h"

/* Opens the index and reads the totals. */
MUST_USE Status run_totals_open(RunStore *store, RunClock *clock, RunRows *rows, Error *err);
/* Writes the totals of this process, and reads what others have added. Without an index nothing is
 * written. */
MUST_USE Status run_totals_keep(RunStore *store, RunClock *clock, RunRows *rows, Error *err);
/* Writes them every few seconds during a phase of self-play, except while another process writes.
 * One thread of the phase calls this; it changes nothing that the other threads read. */
void run_totals_keep_meanwhile(RunStore *store, RunClock *clock);
