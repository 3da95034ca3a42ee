/* net_index.h - enters the nets of a run into its index, with the totals of the run when each was
 * made. Threading: confined. */
#pragma once
#include "run/store/run_clock.h"
#include "run/store/run_plan.h"
#include "run/store/run_store.h"

/* The parts of a run that this uses. */
typedef struct {
    const RunPlan *plan;
    RunStore *store; /* with an index */
    RunClock *clock;
    int64_t games; /* of the run */
} NetIndexParts;

/* Why the index lacks nets of the directory. Nets that were made earlier have only the totals that
 * their files hold; a net that was made just now has the present totals of the run. */
typedef enum {
    NETS_LOST, /* the index was lost, which is logged as a warning */
    NETS_LEFT, /* they were made while no process wrote the index */
    NETS_CAME  /* they were made just now */
} NetsNew;

/* Adds the nets of the directory that the index lacks. */
MUST_USE Status net_index_update(const NetIndexParts *parts, NetsNew which, Error *err);
/* Adds a net with the multiply-adds that the run had cost by then (0: not known). On failure the
 * index is as before. */
MUST_USE Status net_index_add(RunStore *store, const IndexedNet *net, double multiply_adds,
                              Error *err);
