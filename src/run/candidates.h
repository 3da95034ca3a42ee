/* candidates.h - candidates/SAMPLES-HASH.aji: the trainer's averaged nets on their way to a gate
 * that is a process of its own. Only the newest is of use. Threading: confined. */
#pragma once
#include "run/cycle_private.h"

/* Writes the trainer's averaged net as the newest, and removes those before it. */
MUST_USE Status candidate_offer(Cycle *cycle, Error *err);
/* The newest one before the gate. `*found` false: there is none. ERR_STOPPED: it is undecided and
 * stays. */
MUST_USE Status candidate_gate(Cycle *cycle, bool *found, Error *err);
