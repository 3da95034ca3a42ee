/* candidates.h - candidates/SAMPLES-HASH.aji: the trainer's averaged nets on their way to a gate
 * that is a process of its own. Only the newest is of use. Threading: confined. */
#pragma once
#include "run/stages/stage_gate.h"

/* Writes the trainer's averaged net as the newest candidate, and removes those before it. */
MUST_USE Status candidate_offer(const GateParts *parts, const Trainer *trainer, Error *err);
/* Judges the newest candidate, whatever parts->samples says. *found is false where there is none.
 * ERR_STOPPED: it is undecided and stays. */
MUST_USE Status candidate_gate(const GateParts *parts, bool *found, Error *err);
