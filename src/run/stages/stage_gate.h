/* stage_gate.h - new nets: one is written, plays for its place where gating is on, and becomes the
 * newest net or is rejected. Threading: confined (threads inside). */
#pragma once
#include "run/stages/run_screen.h"

/* The parts of the run that the gate uses. */
typedef struct {
    const RunPlan *plan;
    RunStore *store;
    RunClock *clock;
    RunNets *nets;
    RunRows *rows;
    const RunScreen *screen;
    int64_t samples; /* that the net before the gate was trained on */
} GateParts;

/* Lets the net through the gate, into nets/ or rejected/. All nets pass where no games are set. */
MUST_USE Status stage_gate(const GateParts *parts, Net *net /* taken */, Error *err);
/* Writes FOLDER/NUMBER-HASH.aji, with what the run has come to; waits for room. `path`: the folder,
 * and then the file. */
MUST_USE Status stage_gate_write(const GateParts *parts, Net *net, const char *number, Path *path,
                                 Error *err);
