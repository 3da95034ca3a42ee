/* selfplay_net.h - a net as self-play runs it: in 8 bits where processor and net allow. Threading:
 * free functions. */
#pragma once
#include "eval/precision_report.h"
#include "nn/net.h"
#include "play/selfplay_settings.h"

/* For PRECISION_INT8, and for PRECISION_AUTO where the processor is fast in it: a copy of the net
 * with the steps of int8, measured on positions of games that it plays by its policy on boards, by
 * rules and with komi of the settings, and with a report on others of them, by which PRECISION_AUTO
 * then chooses int8 or not. The same for the same seed. The caller frees it. *out NULL: the net
 * does as it is, or for PRECISION_AUTO has to. ERR_UNSUPPORTED: PRECISION_INT8, and the net has no
 * convolutions for it; ERR_ARGUMENT: PRECISION_INT8, and its numbers are not finite, or settings
 * cannot be read. */
MUST_USE Status selfplay_net_new(const Net *net, Precision precision,
                                 const SelfplaySettings *settings, uint64_t seed,
                                 Comparison *report, Net **out, Error *err);
