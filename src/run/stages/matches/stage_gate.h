/* stage_gate.h - the gate, which judges candidates (newly trained nets). If gating is on, a
 * candidate plays a match against the newest net. A candidate that passes is written to nets/ and
 * becomes the newest net. Other candidates are written to rejected/. Threading: confined (threads
 * inside). */
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
    int64_t samples; /* number of samples that the candidate was trained on */
} GateParts;

/* Judges a candidate and writes it. If run.gate_games is 0, or if there is no earlier net, every
 * candidate passes. */
MUST_USE Status stage_gate(const GateParts *parts, Net *net /* taken */, Error *err);
/* Writes the net to FOLDER/NUMBER-HASH.aji with the totals of the run as notes. If the disk is full
 * or out of reach, tries again for a while (disk_retry.h). Before the call `*path` is the folder,
 * and after it `*path` is the file. */
MUST_USE Status stage_gate_write(const GateParts *parts, Net *net, const char *number, Path *path,
                                 Error *err);
