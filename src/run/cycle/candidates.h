/* candidates.h - the files candidates/SAMPLES-HASH.aji, by which a process that trains hands its
 * averaged nets to a process that gates. Only the newest one matters. Threading: confined. */
#pragma once
#include "run/stages/stage_gate.h"

/* Writes the trainer's averaged net as the newest candidate, and removes older ones. */
MUST_USE Status candidate_offer(const GateParts *parts, const Trainer *trainer, Error *err);
/* Judges the newest candidate; parts->samples is ignored. `*found` is false if there is none.
 * ERR_STOPPED: the candidate is undecided and stays. */
MUST_USE Status candidate_gate(const GateParts *parts, bool *found, Error *err);
