/* net_index.h - enters the nets of a run into its index (run_index.h), with the totals of the run
 * when each net was made. Threading: confined. */
#pragma once
#include "run/store/run_clock.h"
#include "run/store/run_plan.h"
#include "run/store/run_store.h"

/* The parts of a run that this module uses. */
typedef struct {
    const RunPlan *plan;
    RunStore *store; /* with an index */
    RunClock *clock;
    int64_t games; /* number of games of the run */
} NetIndexParts;

/* The reason why the index lacks nets that are in the directory. The samples and rows of a net
 * always come from its file. If the net was made earlier, its multiply-adds come from its file,
 * too, and its games, evaluations and seconds are not known (0). If the net was made just now,
 * these four numbers are the present totals of the run. */
typedef enum {
    NETS_LOST, /* the index was lost; this is logged as a warning */
    NETS_LEFT, /* the nets were made while no process wrote the index */
    NETS_CAME  /* the nets were made just now */
} NetsNew;

/* Adds the nets of the directory that the index lacks, or has under another file name. `which` says
 * why the index lacks them. */
MUST_USE Status net_index_update(const NetIndexParts *parts, NetsNew which, Error *err);
/* Warns if the index of the run in `directory` lacks nets of the run, or has them under other file
 * names. `nets` are the nets of the index, in order of number. Nets of the run that are newer than
 * all nets of the index do not count, because a run at work may not have added them to the index
 * yet. This is for commands that only read the index. */
void net_index_compare(const char *directory, const IndexedNet *nets, int count);
/* Adds a net. `multiply_adds` is what the run had cost when the net was made, or 0 if this is not
 * known. On failure the index is unchanged. */
MUST_USE Status net_index_add(RunStore *store, const IndexedNet *net, double multiply_adds,
                              Error *err);
