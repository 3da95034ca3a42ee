/* selfplay_net.h - a net as self-play runs it: in 8 bits where processor and net allow, behind the
 * cache that its workers share. Threading: free functions. */
#pragma once
#include "eval/evaluators/evaluator.h"
#include "eval/precision/precision_report.h"
#include "nn/graph/net.h"
#include "play/setup/selfplay_settings.h"

typedef struct {
    Precision precision;
    const SelfplaySettings *settings;
    int threads; /* that measure; 0: one */
    uint64_t seed;
    int64_t rows; /* of the run, by which sizes are played */
} SelfplayNetSetup;
/* For PRECISION_INT8, and for PRECISION_AUTO where the processor is fast in it: a copy of the net
 * with the steps of int8, measured on positions of games that it plays by its policy on boards, by
 * rules and with komi of the settings, and with a report on others of them, by which PRECISION_AUTO
 * then chooses int8 or not. The same for the same seed with any number of threads. The caller frees
 * it. *out NULL: the net does as it is; so it does by PRECISION_AUTO where it cannot be measured,
 * which is logged. Else ERR_UNSUPPORTED: the net has no convolutions for int8; ERR_ARGUMENT: its
 * numbers are not finite, or settings cannot be read. */
MUST_USE Status selfplay_net_new(const Net *net, const SelfplayNetSetup *setup, Comparison *report,
                                 Net **out, Error *err);
/* Whether a net that came from there with this report runs in int8; NULL does not. */
bool selfplay_net_is_int8(const Net *player_net, Precision precision, const Comparison *report);

typedef struct {
    const Net *net;         /* may be freed afterwards */
    EvaluationCache *cache; /* borrowed */
    Precision precision;
    int batch;      /* positions that a call evaluates at most */
    int board_size; /* the longest side of their boards */
    uint64_t seed;  /* of the symmetry of each evaluation */
    bool ownership; /* evaluations have it: search.ending_bonus looks at it */
} SelfplayEvaluatorSetup;
/* For one worker. Errors are those of evaluator_net_new(). */
MUST_USE Status selfplay_evaluator_new(const SelfplayEvaluatorSetup *setup, Evaluator **out,
                                       Error *err);
