/* evaluator.h - anything that turns positions into evaluations. Evaluators compose: uniform, net,
 * cached, checked; a net's may be means over symmetries. Threading: an evaluator is confined, but
 * for the cache's table, which several cached evaluators share. */
#pragma once
#include "eval/evaluation.h"
#include "eval/features.h"
#include "nn/infer.h"

/* What may differ from one request to the next; {0}: nothing special. */
typedef struct {
    float white_doublings; /* White's playout doubling advantage, Black's is its negative: log2 of
                              the ratio of playouts; nets before version 7 do not see it */
    float policy_optimism; /* 0 to 1; heads.h */
    int symmetries; /* 2..8: the mean over so many different ones, or over the evaluator's own
                       number where that is more; 0, 1: that */
    bool conservative_pass, passing_hacks; /* features.h; besides those of the evaluator */
    bool human; /* the policy of a net of human play too, where the evaluator has one */
} EvaluationOptions;
typedef struct {
    const Position *position; /* borrowed */
    EvaluationOptions options;
} EvaluationRequest;
/* 0: nothing special; else what the options change a position's key by. */
uint64_t evaluation_options_hash(const EvaluationOptions *options);

typedef struct Evaluator Evaluator;
typedef struct {
    const char *name;
    Status (*evaluate)(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                       Evaluation *out, Error *err);
    void (*free)(Evaluator *evaluator);
} EvaluatorClass;
struct Evaluator {
    const EvaluatorClass *class;
    int batch;           /* the most positions a call may bring */
    int64_t evaluations; /* that reached a net (or what stands for one) */
};

/* out[i] belongs to requests[i]. A failure leaves `out` unset. ERR_ARGUMENT: too many, or a net is
 * asked what it cannot be. */
MUST_USE Status evaluator_evaluate(Evaluator *evaluator, const EvaluationRequest *requests,
                                   int count, Evaluation *out, Error *err);
void evaluator_free(Evaluator *evaluator); /* also what it owns; NULL is fine */

/* Equal priors on legal moves, even game, score 0. */
MUST_USE Status evaluator_uniform_new(int batch, Evaluator **out, Error *err);
/* Priors proportional to exp of a normal number, values near even: KataGo's stand-in before the
 * first net. Deterministic by position and seed. */
MUST_USE Status evaluator_random_new(int batch, uint64_t seed, Evaluator **out, Error *err);

enum { SYMMETRY_BY_POSITION = -2 };
typedef struct {
    int batch, buffer_width, buffer_height;
    Precision precision;
    const char *backend;
    int symmetry;   /* 0..7; -1: a random one each time, from `seed`; SYMMETRY_BY_POSITION: one that
                       position and `seed` decide */
    int symmetries; /* 2..8: every evaluation is the mean over so many; 0, 1: one only */
    uint64_t seed;
    bool ownership;            /* decode it */
    float policy_temperature;  /* 0: 1 */
    const char *human_profile; /* of nets that are told who plays: metadata_profile(); borrowed for
                                  the call that makes the evaluator */
    FeatureOptions features;   /* its version is the net's and its advantage the request's, whatever
                                  they say */
} NetEvaluatorSetup;
/* The net may be freed afterwards. ERR_ARGUMENT: a config or a net that does not do. */
MUST_USE Status evaluator_net_new(const Net *net, const NetEvaluatorSetup *config, Evaluator **out,
                                  Error *err);

/* A table bounded by bytes, sharded with locks, shared by any number of cached evaluators. Key:
 * position_state_hash() and evaluation_options_hash(). Threading: shared. */
typedef struct EvaluationCache EvaluationCache;
MUST_USE Status evaluation_cache_new(int64_t bytes, EvaluationCache **out, Error *err);
void evaluation_cache_free(EvaluationCache *cache);
void evaluation_cache_clear(EvaluationCache *cache);
int64_t evaluation_cache_hits(const EvaluationCache *cache);
int64_t evaluation_cache_lookups(const EvaluationCache *cache);
MUST_USE Status evaluator_cached_new(Evaluator *inner /* taken, also on failure */,
                                     EvaluationCache *cache /* borrowed */, Evaluator **out,
                                     Error *err);

/* The same with position_path_hash() as the key: fewer hits, but over an evaluator whose answers
 * depend on the position alone so do its own, whatever was asked before. */
MUST_USE Status evaluator_cached_exact_new(Evaluator *inner, EvaluationCache *cache,
                                           Evaluator **out, Error *err);

/* The first's answers, with the second's policy as human_policy where it is asked for. Both are
 * taken, on success; the second is not told of optimism. */
MUST_USE Status evaluator_human_new(Evaluator *first, Evaluator *human, Evaluator **out,
                                    Error *err);

/* Runs both (taken, also on failure) and fails when win, loss or a prior differ by more than
 * `tolerance`; answers with the first's. */
MUST_USE Status evaluator_checked_new(Evaluator *first, Evaluator *second, float tolerance,
                                      Evaluator **out, Error *err);
