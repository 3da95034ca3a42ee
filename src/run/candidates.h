/* candidates.h - nets on their way into a run: before the gate, and waiting for it. Threading:
 * confined to the process that holds the gate, or offers. */
#pragma once
#include "run/cycle_private.h"

/* The net goes before the gate, or through it where none is set, into nets/ or rejected/. */
MUST_USE Status gate_decide(Cycle *cycle, Net *net /* taken */, Error *err);
/* Writes "NUMBER-HASH.aji" into the folder, with what the run has come to; waits for room. */
MUST_USE Status gate_write_net(Cycle *cycle, Net *net, const char *folder, const char *number,
                               Path *path, Error *err);
/* Candidates, candidates/SAMPLES-HASH.aji: the trainer's averaged nets on their way to a gate that
 * is a process of its own. Only the newest is of use. */
MUST_USE Status candidate_offer(Cycle *cycle, Error *err);
/* The newest one before the gate. `*found` false: there is none. */
MUST_USE Status candidate_gate(Cycle *cycle, bool *found, Error *err);
