/* candidates.h - the files candidates/SAMPLES-HASH.aji. A process that only trains writes its
 * averaged nets there, and a process that only gates judges the newest of them. Threading:
 * confined. */
#pragma once
#include "run/stages/matches/stage_gate.h"

/* Writes the trainer's averaged net as the newest candidate, and removes older candidates. */
MUST_USE Status candidate_offer(const GateParts *parts, const Trainer *trainer, Error *err);
/* Judges the newest candidate. Sets `*found` to false if no candidate is newer than the newest net.
 * Ignores parts->samples. ERR_STOPPED: the match ended undecided, and the candidate stays. */
MUST_USE Status candidate_gate(const GateParts *parts, bool *found, Error *err);
