/* run_store.h - the files of a run as one process uses them: the directory, the index, and the
 * locks that give the right to train and to make nets. Threading: confined, except `directory`,
 * which is immutable. */
#pragma once
#include "run/store/run_directory.h"
#include "run/store/run_index.h"
#include "run/store/run_lock.h"
#include <stdbool.h>

typedef struct {
    RunDirectory directory;
    RunIndex *index;          /* NULL in a process that does not write it */
    RunLock training, gating; /* the locks that give the right to this work */
} RunStore;

void run_store_init(RunStore *store); /* nothing is open or locked */
void run_store_close(RunStore *store);
MUST_USE Status run_store_open_index(RunStore *store, Error *err);
void run_store_close_index(RunStore *store);

/* Makes this process the only one that trains, or that makes nets, until it unlocks. ERR_IO:
 * another process holds the lock. */
MUST_USE Status run_store_lock_training(RunStore *store, Error *err);
MUST_USE Status run_store_lock_gating(RunStore *store, Error *err);
/* Checks before a write that this process has not lost the locks that it took. ERR_IO: it has. */
MUST_USE Status run_store_check_locks(RunStore *store, Error *err);
bool run_store_trains(const RunStore *store);
bool run_store_gates(const RunStore *store);
void run_store_unlock_training(RunStore *store);
void run_store_unlock_gating(RunStore *store);
