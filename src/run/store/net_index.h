/* net_index.h - all nets of a run in its index, with what the run had come to when each was made.
 * Threading: confined. */
#pragma once
#include "run/store/run_clock.h"
#include "run/store/run_plan.h"
#include "run/store/run_store.h"

/* The parts of the run that this uses. */
typedef struct {
    const RunPlan *plan;
    RunStore *store; /* with an index */
    RunClock *clock;
    int64_t games; /* of the run */
} NetIndexParts;

/* Which nets the index does not know. */
typedef enum {
    NETS_LOST, /* those of a lost index, which is told; their files say what is known of them */
    NETS_LEFT, /* those that were made while no process wrote the index; the same */
    NETS_CAME  /* those that came now: what the run has come to is of them */
} NetsNew;

/* Adds the nets of the directory that the index does not know. */
MUST_USE Status net_index_update(const NetIndexParts *parts, NetsNew which, Error *err);
/* Adds a net, with what the run had cost by then (0: it is not known), or nothing of it. */
MUST_USE Status net_index_add(RunStore *store, const IndexedNet *net, double multiply_adds,
                              Error *err);
