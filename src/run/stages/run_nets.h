/* run_nets.h - the newest accepted net of a run as one process has it, for whoever plays by it.
 * Threading: confined. */
#pragma once
#include "run/store/run_plan.h"
#include "run/store/run_store.h"

typedef struct {
    int number;      /* of the newest accepted net; 0: there is none */
    int64_t rows;    /* of the run when that net was made; 0: there is none */
    int64_t samples; /* that the net was trained on; while a candidate is judged, those of that */
    Net *net;        /* NULL: random play */
    Net *player;     /* the same in int8 for self-play; NULL: self-play runs `net` */
    char name[80];   /* of its file; "random" */
} RunNets;

void run_nets_clear(RunNets *nets);
/* Loads the newest net that is whole; broken ones are set aside. */
MUST_USE Status run_nets_load(RunNets *nets, const RunPlan *plan, const RunStore *store,
                              Error *err);
/* Whether the directory has a newer one. */
MUST_USE Status run_nets_find_newer(const RunNets *nets, const RunStore *store, bool *out,
                                    Error *err);
/* The net that was accepted is the newest now. */
void run_nets_adopt(RunNets *nets, Net *net /* taken */, const char *path, int64_t rows);
/* Makes `player`: for int8 each net is measured anew. Nets that cannot run so, or not closely
 * enough, run in bf16 or f32 where the choice is `auto`. */
MUST_USE Status run_nets_make_player(RunNets *nets, const RunPlan *plan, Error *err);
/* Multiply-adds of one evaluation by the net; 0: by random play. */
double run_nets_cost(const RunNets *nets, int edge);
/* The largest edge of the boards that are played with the newest net of the directory. A process
 * that does all the work also has room for larger boards whose rows are there. */
MUST_USE Status run_nets_find_edge(const RunPlan *plan, const RunStore *store, int *out,
                                   Error *err);
/* Whether the newest net is the first one with which larger boards are played than this process has
 * room for. Never true where all work is training or judging. */
bool run_nets_have_outgrown(const RunNets *nets, const RunPlan *plan);
