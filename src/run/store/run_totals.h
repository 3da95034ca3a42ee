/* run_totals.h - what a run has come to in all, kept in its index: seconds of work, evaluations,
 * games, multiply-adds. Several processes add multiply-adds; the one that trains keeps the rest.
 * Threading: confined, but for run_totals_keep_meanwhile(). */
#pragma once
#include "run/store/run_rows.h"

/* Opens the index and reads the totals. */
MUST_USE Status run_totals_open(RunStore *store, RunClock *clock, RunRows *rows, Error *err);
/* Keeps the totals of this process, and learns what others have added. Nothing is kept without an
 * index. */
MUST_USE Status run_totals_keep(RunStore *store, RunClock *clock, RunRows *rows, Error *err);
/* Keeps them every few seconds while a phase is under way, by one of its threads, unless another
 * process writes just then. Changes nothing that the other threads read. */
void run_totals_keep_meanwhile(RunStore *store, RunClock *clock);
