/* selfplay_net.h - a net as self-play runs it: in int8 if the processor and the net allow it, and
 * behind the cache that all workers share. Threading: free functions. */
#pragma once
#include "eval/evaluators/evaluator.h"
#include "eval/precision/precision_report.h"
#include "nn/graph/net.h"
#include "play/setup/selfplay_settings.h"

typedef struct {
    Precision precision;
    const SelfplaySettings *settings;
    int threads; /* threads of the calibration; 0 is the same as 1 */
    uint64_t seed;
    int64_t rows; /* rows of the run, which decide the board sizes that are played */
} SelfplayNetSetup;
/* Makes the int8 net of self-play: a copy of the net with scales and zero points. They are
 * calibrated on positions of games that the net plays by its policy, with the sizes, rules and komi
 * of the settings. `*report` compares int8 with f32 on other positions of these games, and decides
 * whether PRECISION_AUTO uses int8. The result does not depend on the number of threads.
 * The caller frees `*out`. It is NULL if the net is to be used as it is. With PRECISION_AUTO this
 * is so if the processor is not fast in int8, or if the net cannot be calibrated. The second case
 * is logged. With precisions other than PRECISION_AUTO and PRECISION_INT8, `*out` is always NULL.
 * Two errors occur only with PRECISION_INT8. ERR_UNSUPPORTED: the net has no layers for int8.
 * ERR_ARGUMENT: the activations of the net are not finite, or the settings cannot be read. */
MUST_USE Status selfplay_net_new(const Net *net, const SelfplayNetSetup *setup, Comparison *report,
                                 Net **out, Error *err);
/* Returns whether `player_net`, which selfplay_net_new() made with this report, runs in int8.
 * Returns false if `player_net` is NULL. */
bool selfplay_net_is_int8(const Net *player_net, Precision precision, const Comparison *report);

typedef struct {
    const Net *net;         /* may be freed afterwards */
    EvaluationCache *cache; /* borrowed */
    Precision precision;
    int batch;                    /* maximum number of positions that a call evaluates */
    int board_size;               /* the longest side of the boards of these positions */
    uint64_t seed;                /* seed of the random symmetry of each evaluation */
    const SearchSettings *search; /* what the searches need of evaluations; outlives them */
} SelfplayEvaluatorSetup;
/* Makes the evaluator of one worker. Errors are those of evaluator_net_new(). */
MUST_USE Status selfplay_evaluator_new(const SelfplayEvaluatorSetup *setup, Evaluator **out,
                                       Error *err);
