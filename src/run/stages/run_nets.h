/* run_nets.h - the newest accepted net of a run as far as this process knows, and its copy with
 * scales for int8, which self-play uses if there is one. Threading: confined. */
#pragma once
#include "run/store/run_plan.h"
#include "run/store/run_store.h"

typedef struct {
    int number;      /* number of the newest accepted net; 0 if there is none */
    int newest;      /* the same, or the higher number of a damaged net that was passed over */
    int64_t rows;    /* rows of the run when that net was made; 0 if there is none */
    int64_t samples; /* samples of that net; while a candidate is judged, those of the candidate */
    Net *net;        /* the net; NULL if there is none, so that play is random */
    Net *player;     /* the same net with scales for int8, for self-play; if NULL, self-play uses
                        `net` */
    char name[80];   /* name of its file; "random" if there is none */
} RunNets;

void run_nets_clear(RunNets *nets);
/* Loads the newest net that is not damaged. A process that makes nets sets damaged ones aside;
 * others pass over them with a warning. If there is no such net, an earlier one stays loaded.
 * ERR_UNSUPPORTED: a newer version of the program has made the newest one. */
MUST_USE Status run_nets_load(RunNets *nets, const RunPlan *plan, const RunStore *store,
                              Error *err);
/* Whether the directory has a newer net. */
MUST_USE Status run_nets_find_newer(const RunNets *nets, const RunStore *store, bool *out,
                                    Error *err);
/* Makes a net that was just accepted the newest one. `path` is its file, and `rows` is the number
 * of rows of the run. */
void run_nets_adopt(RunNets *nets, Net *net /* taken */, const char *path, int64_t rows);
/* Makes `player` from the present net by selfplay_net_new() if run.precision is `int8` or `auto`.
 * With `auto`, a net that cannot run in int8 fast, or whose results in int8 differ too much from
 * those in f32, runs in bf16 or f32 instead. */
MUST_USE Status run_nets_make_player(RunNets *nets, const RunPlan *plan, Error *err);
/* Multiply-adds of one evaluation by the net on boards of side `edge`; 0 in random play. */
double run_nets_cost(const RunNets *nets, int edge);
/* Finds the side of the largest boards that are played with the newest net of the directory. In
 * a process that does all kinds of work, the result is at least the side that the index has
 * recorded for training, because the run may already have rows of boards of that side. */
MUST_USE Status run_nets_find_edge(const RunPlan *plan, const RunStore *store, int *out,
                                   Error *err);
/* Whether the boards that are played with the newest net have become larger than this process has
 * room for. It is always false in a process that only trains or only gates. */
bool run_nets_have_outgrown(const RunNets *nets, const RunPlan *plan);
