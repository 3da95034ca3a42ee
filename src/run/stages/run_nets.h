/* run_nets.h - the newest accepted net of a run that this process knows, and the int8 copy of it
 * that self-play uses. Threading: confined. */
#pragma once
#include "run/store/run_plan.h"
#include "run/store/run_store.h"

typedef struct {
    int number;      /* of the newest accepted net; 0: there is none */
    int newest;      /* that number, or the higher one of a net that is damaged and passed over */
    int64_t rows;    /* of the run when that net was made; 0: there is none */
    int64_t samples; /* that the net was trained on; of the candidate while one is judged */
    Net *net;        /* NULL: random play */
    Net *player;     /* the same net in int8 for self-play; NULL: self-play uses `net` */
    char name[80];   /* of its file; "random" if there is none */
} RunNets;

void run_nets_clear(RunNets *nets);
/* Loads the newest net that is whole. A process that makes nets sets damaged ones aside; others
 * pass over them with a warning. ERR_UNSUPPORTED: a newer version of the program has made the
 * newest one. */
MUST_USE Status run_nets_load(RunNets *nets, const RunPlan *plan, const RunStore *store,
                              Error *err);
/* Whether the directory has a newer net. */
MUST_USE Status run_nets_find_newer(const RunNets *nets, const RunStore *store, bool *out,
                                    Error *err);
/* Makes a net that was just accepted the newest one. */
void run_nets_adopt(RunNets *nets, Net *net /* taken */, const char *path, int64_t rows);
/* Makes `player` if run.precision wants int8, by a new calibration for each net. With `auto` a net
 * that cannot run in int8, or not closely enough to f32, runs in bf16 or f32. */
MUST_USE Status run_nets_make_player(RunNets *nets, const RunPlan *plan, Error *err);
/* Multiply-adds of one evaluation by the net on boards of side `edge`; 0 in random play. */
double run_nets_cost(const RunNets *nets, int edge);
/* The side of the largest boards that are played with the newest net of the directory. In a process
 * that does all the work it is larger if the run already has rows of larger boards. */
MUST_USE Status run_nets_find_edge(const RunPlan *plan, const RunStore *store, int *out,
                                   Error *err);
/* Whether the newest net is the first one with which larger boards are played than this process has
 * room for. Always false in a process that only trains or only gates. */
bool run_nets_have_outgrown(const RunNets *nets, const RunPlan *plan);
