/* run_store.h - the files of a run as one process uses them: the directory, the index, and two
 * locks. One lock gives a process the right to train. The other lock gives a process the right to
 * gate: to judge candidates, and to write accepted candidates to nets/ (stage_gate.h).
 * Threading: confined, except `directory`, which is immutable. */
#pragma once
#include "run/store/index/run_index.h"
#include "run/store/run_directory.h"
#include "run/store/run_lock.h"
#include <stdbool.h>

typedef struct {
    RunDirectory directory;
    RunIndex *index;          /* NULL in a process that does not write it */
    RunLock training, gating; /* the locks on train.lock and nets.lock */
} RunStore;

void run_store_init(RunStore *store); /* begins with nothing open and nothing locked */
void run_store_close(RunStore *store);
MUST_USE Status run_store_open_index(RunStore *store, Error *err);
void run_store_close_index(RunStore *store);

/* Make this process the only one that trains, or the only one that gates, until it releases the
 * lock. ERR_IO: another process holds the lock. */
MUST_USE Status run_store_lock_training(RunStore *store, Error *err);
MUST_USE Status run_store_lock_gating(RunStore *store, Error *err);
/* Checks that this process still holds the locks that it took. A process that trains or gates
 * calls this before it writes nets, checkpoints or totals. ERR_IO: a lock is lost. */
MUST_USE Status run_store_check_locks(RunStore *store, Error *err);
bool run_store_trains(const RunStore *store); /* whether it holds the lock for training */
bool run_store_gates(const RunStore *store);  /* whether it holds the lock for gating */
void run_store_unlock_training(RunStore *store);
void run_store_unlock_gating(RunStore *store);
