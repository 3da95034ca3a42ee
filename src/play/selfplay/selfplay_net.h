/* selfplay_net.h - a net as self-play runs it: in int8 if processor and net allow, behind the
 * cache that its workers share. Threading: free functions. */
#pragma once
#include "eval/evaluators/evaluator.h"
#include "eval/precision/precision_report.h"
#include "nn/graph/net.h"
#include "play/setup/selfplay_settings.h"

typedef struct {
    Precision precision;
    const SelfplaySettings *settings;
    int threads; /* threads of the calibration; 0: one */
    uint64_t seed;
    int64_t rows; /* rows of the run, which decide the board sizes that are played */
} SelfplayNetSetup;
/* Makes the int8 net of self-play, for PRECISION_INT8, and for PRECISION_AUTO if the processor
 * is fast in int8: a copy of the net with scales and zero points. These are calibrated on
 * positions of games that the net plays by its policy, with sizes, rules and komi of the
 * settings. *report compares int8 with f32 on other positions of these games; by it
 * PRECISION_AUTO chooses int8 or not. The result does not depend on the number of threads. The
 * caller frees *out. *out is NULL if the net is to be used as it is; with PRECISION_AUTO also if
 * it cannot be calibrated, which is logged. Otherwise ERR_UNSUPPORTED: the net has no
 * convolutions for int8; ERR_ARGUMENT: its activations are not finite, or settings cannot be
 * read. */
MUST_USE Status selfplay_net_new(const Net *net, const SelfplayNetSetup *setup, Comparison *report,
                                 Net **out, Error *err);
/* Whether a net that selfplay_net_new() made with this report runs in int8. NULL does not. */
bool selfplay_net_is_int8(const Net *player_net, Precision precision, const Comparison *report);

typedef struct {
    const Net *net;         /* may be freed afterwards */
    EvaluationCache *cache; /* borrowed */
    Precision precision;
    int batch;      /* positions that a call evaluates at most */
    int board_size; /* the longest side of their boards */
    uint64_t seed;  /* of the symmetry of each evaluation */
    bool ownership; /* evaluations have ownership, which search.ending_bonus needs */
} SelfplayEvaluatorSetup;
/* The evaluator of one worker. Errors are those of evaluator_net_new(). */
MUST_USE Status selfplay_evaluator_new(const SelfplayEvaluatorSetup *setup, Evaluator **out,
                                       Error *err);
