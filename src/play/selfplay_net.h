/* selfplay_net.h - a net as self-play runs it: in 8 bits where processor and net allow. Threading:
 * free functions. */
#pragma once
#include "eval/precision_report.h"
#include "nn/net.h"
#include "play/selfplay_settings.h"

/* A copy of the net with the steps of int8, measured on games as the settings begin them, and with
 * a report on other such positions, by which PRECISION_AUTO chooses int8 or not. The caller frees
 * it. ERR_UNSUPPORTED: the net has no convolutions for int8. */
MUST_USE Status selfplay_net_new(const Net *net, const SelfplaySettings *settings, uint64_t seed,
                                 PrecisionReport *report, Net **out, Error *err);
