/* analysis_setup.h - what a caller passes to analysis_new().
 * Threading: immutable. */
#pragma once
#include "eval/evaluators/evaluator.h"
#include "eval/features/model_format.h"
#include "protocol/analysis/analysis_settings.h"
#include "protocol/session/evaluator_spec.h"

/* A net as the action query_models describes it to clients. */
typedef struct {
    const char *path; /* as the user gave it */
    const char *name; /* as the file of the net says */
    int version;
    bool human;                 /* the net is conditioned on a human profile */
    const char *half_precision; /* "true", "false" or "auto": whether it runs in 16 bits */
} AnalysisModel;

typedef struct {
    /* Makes an evaluator for batches of analysis_setup_places() searches. All worker threads call
     * it. */
    Status (*make_evaluator)(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err);
    /* Makes an evaluator of the second net, which predicts human moves. NULL means that there is no
     * second net. */
    Status (*make_human)(void *context, const EvaluatorSpec *spec, Evaluator **out, Error *err);
    void *context;
    EvaluationCache *cache;          /* the action clear_cache clears it; may be NULL */
    const ModelFormat *model_format; /* NULL means that the net knows every rule */
    const AnalysisModel *models;
    int model_count;
    const char *version, *revision; /* of this program */
    SearchSettings search;
    AnalysisSettings analysis;
    int64_t visits_max;    /* the most visits of a search, whatever the query says; 0: no bound */
    int threads;           /* number of workers */
    int positions_at_once; /* searched by each thread */
    /* How many more positions each thread may search. These places are only for clients that have a
     * single unanswered position, so that such a client does not wait until the long searches of
     * other clients end. */
    int extra_positions;
    int64_t seed;
    bool warn_unused; /* warn of unknown fields of queries */
} AnalysisSetup;      /* all pointers are borrowed */

/* The most positions that a thread searches at once. */
static inline int analysis_setup_places(const AnalysisSetup *setup) {
    return setup->positions_at_once + setup->extra_positions;
}
