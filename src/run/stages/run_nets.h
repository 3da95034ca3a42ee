/* run_nets.h - the newest accepted net of a run, as far as this process knows. There may also be a
 * copy of the net with scales for int8, and then self-play uses this copy. Threading: confined. */
#pragma once
#include "run/store/run_plan.h"
#include "run/store/run_store.h"

typedef struct {
    int number;      /* number of the newest accepted net; 0 if there is none */
    int newest;      /* `number`, or the higher number of a damaged net that was passed over */
    int64_t rows;    /* rows of the run when this net was made; 0 if there is no net */
    int64_t samples; /* samples of this net; while a candidate is judged, of the candidate */
    Net *net;        /* the net; NULL if there is none, and play is random */
    Net *player;     /* the same net with scales for int8, for self-play; if NULL, self-play uses
                        `net` */
    char name[80];   /* name of its file; "random" if there is none */
} RunNets;

void run_nets_clear(RunNets *nets);
/* Loads the newest net that is not damaged. A process that makes nets (cycle.h) sets damaged nets
 * aside. Other processes pass over them with a warning. If all nets are damaged or gone, the net
 * that was loaded before stays. ERR_UNSUPPORTED: a newer version of the program has made the newest
 * net. */
MUST_USE Status run_nets_load(RunNets *nets, const RunPlan *plan, const RunStore *store,
                              Error *err);
/* Sets `*out` to whether the directory has a newer net. */
MUST_USE Status run_nets_find_newer(const RunNets *nets, const RunStore *store, bool *out,
                                    Error *err);
/* Makes `net`, which was just accepted, the newest net. `path` is its file, and `rows` is the
 * number of rows of the run. */
void run_nets_adopt(RunNets *nets, Net *net /* taken */, const char *path, int64_t rows);
/* Makes `player` from the present net by selfplay_net_new() if run.precision is `int8` or `auto`.
 * With `auto`, the net runs in bf16 or f32 instead if int8 is not the fastest here, or if its
 * results in int8 differ too much from those in f32. */
MUST_USE Status run_nets_make_player(RunNets *nets, const RunPlan *plan, Error *err);
/* Multiply-adds of one evaluation by the net on boards of side `edge`; 0 in random play. */
double run_nets_cost(const RunNets *nets, int edge);
/* Finds the side of the largest boards that are played with the newest net of the directory. In
 * a process that does all kinds of work, the result is at least the side that the index has
 * recorded for training, because the run may already have rows of boards of that side. */
MUST_USE Status run_nets_find_edge(const RunPlan *plan, const RunStore *store, int *out,
                                   Error *err);
/* Returns whether the boards that are played with the newest net have become larger than this
 * process has room for. Always returns false in a process that only trains or only gates. */
bool run_nets_have_outgrown(const RunNets *nets, const RunPlan *plan);
