/* evaluator.h - evaluators, which turn positions into evaluations. Make an evaluator with one of
 * the functions evaluator_..._new(), and wrap it in other evaluators if wanted (cached, human,
 * checked). Call evaluator_evaluate() with batches of requests. Free the outermost evaluator with
 * evaluator_free(). Threading: an evaluator is confined; the table of a cache is shared. */
#pragma once
#include "eval/evaluators/evaluation.h"
#include "eval/features/features.h"
#include "nn/infer/infer.h"

/* Options that may differ from one request to the next. {0} has the defaults. */
typedef struct {
    /* White's playout doubling advantage: log2 of the ratio of White's playouts to Black's. Nets
     * with features before version 7 do not read it. */
    float white_doublings;
    float policy_optimism; /* 0 to 1; see RawOutputs.optimism */
    /* The evaluation is the mean over a number of symmetries: the larger of this number and the
     * evaluator's own number. 0 and 1 mean the evaluator's own number. */
    int symmetries;
    /* features.h explains these two options. An option is on if it is set here or in the
     * evaluator. */
    bool conservative_pass, passing_hacks;
    float history_hidden; /* 0 to 1; see features.h */
    float draw_shift;     /* the value of a draw for White in wins, minus 1/2 */
    bool human;           /* also give human_policy, if the evaluator can */
} EvaluationOptions;
typedef struct {
    const Position *position; /* borrowed */
    EvaluationOptions options;
} EvaluationRequest;
/* Returns a hash that caches combine with the hash of the position. It is 0 for the default
 * options. */
uint64_t evaluation_options_hash(const EvaluationOptions *options);

/* Returns `features`, which are the evaluator's own, changed by the options for a position of this
 * mover. */
FeatureOptions evaluation_features(const FeatureOptions *features, const EvaluationOptions *options,
                                   Color mover);

typedef struct Evaluator Evaluator;
typedef struct {
    const char *name;
    Status (*evaluate)(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                       Evaluation *out, Error *err);
    void (*free)(Evaluator *evaluator);
} EvaluatorClass;
struct Evaluator {
    const EvaluatorClass *class;
    int batch; /* the maximum number of positions in a call */
    /* the number of evaluations so far, without those that came from a cache; an evaluation under
     * several symmetries counts once for each symmetry */
    int64_t evaluations;
    /* whether evaluations depend on the last moves also where Position.valid_turns hides them: nets
     * with features before version 7 */
    bool reads_all_moves;
};

/* out[i] is the evaluation of requests[i]. On failure `out` is unset. ERR_ARGUMENT: `count` is
 * above the batch size, or a board or an option does not fit the evaluator. ERR_UNSUPPORTED: an
 * output of a net is not finite, or the net is only for boards of another size. */
MUST_USE Status evaluator_evaluate(Evaluator *evaluator, const EvaluationRequest *requests,
                                   int count, Evaluation *out, Error *err);
void evaluator_free(Evaluator *evaluator); /* and those that it wraps; NULL is fine */

/* Makes an evaluator that gives equal priors to all legal moves, even chances to win, and the score
 * 0. */
MUST_USE Status evaluator_uniform_new(int batch, Evaluator **out, Error *err);
/* Makes an evaluator of random numbers, as KataGo uses before it has its first net. Priors are
 * proportional to exponentials of normally distributed numbers, and values are nearly even. The
 * position and `seed` determine the numbers. */
MUST_USE Status evaluator_random_new(int batch, uint64_t seed, Evaluator **out, Error *err);

enum { SYMMETRY_BY_POSITION = -2 };
typedef struct {
    int batch, buffer_width, buffer_height;
    Precision precision;
    const char *backend; /* as InferSetup.backend */
    /* The symmetry of the inputs, 0 to 7. With -1 it is drawn each time at random, from `seed`;
     * with SYMMETRY_BY_POSITION the position and `seed` determine it. */
    int symmetry;
    int symmetries; /* the number of symmetries that are averaged, 0 to 8; 0 means 1 */
    uint64_t seed;
    bool ownership;           /* whether evaluations have ownership */
    float policy_temperature; /* 0 counts as 1 */
    /* The players, for nets that are conditioned on them, in the form of metadata_profile().
     * Borrowed only during the call of evaluator_net_new(). */
    const char *human_profile;
    /* Three members are ignored. `version` comes from the net, the playout doubling advantage comes
     * from the request, and the evaluator has its own `ladders`. */
    FeatureOptions features;
} NetEvaluatorSetup;
/* Makes an evaluator that runs a net. The net may be freed afterwards. ERR_ARGUMENT: a field of
 * `setup` is out of range, or the net needs a `human_profile`, and this is missing.
 * ERR_UNSUPPORTED: an input or output of the net is missing, or infer_new() refuses the net,
 * precision or backend. ERR_SYNTAX: the note in which the net holds its model format cannot be
 * read. */
MUST_USE Status evaluator_net_new(const Net *net, const NetEvaluatorSetup *setup, Evaluator **out,
                                  Error *err);

/* A table of evaluations with limited memory, which any number of cached evaluators share. Its keys
 * combine a hash of the position, usually position_state_hash(), and evaluation_options_hash().
 * Threading: shared. */
typedef struct EvaluationCache EvaluationCache;
MUST_USE Status evaluation_cache_new(int64_t bytes, EvaluationCache **out, Error *err);
void evaluation_cache_free(EvaluationCache *cache);
void evaluation_cache_clear(EvaluationCache *cache);
int64_t evaluation_cache_hits(const EvaluationCache *cache);
int64_t evaluation_cache_lookups(const EvaluationCache *cache);
/* Makes an evaluator that answers from `cache` if it can, and otherwise asks `inner` and stores the
 * answer. The cache does not keep human_policy. So a cached evaluator must not wrap an evaluator of
 * evaluator_human_new(), but the reverse is allowed. Takes `inner`, also on failure; `cache` is
 * borrowed. */
MUST_USE Status evaluator_cached_new(Evaluator *inner, EvaluationCache *cache, Evaluator **out,
                                     Error *err);

/* Makes a cached evaluator whose keys come from position_path_hash(), which also covers the earlier
 * moves and boards that a net reads. This gives fewer hits. But if the answers of `inner` do not
 * depend on which positions were evaluated before, the answers of this evaluator do not either. */
MUST_USE Status evaluator_cached_exact_new(Evaluator *inner, EvaluationCache *cache,
                                           Evaluator **out, Error *err);

/* Makes an evaluator that gives the answers of `first` and, if a request wants it, the policy of
 * `human` as human_policy. `human` always evaluates without optimism. Takes both evaluators if it
 * succeeds; on failure the caller still owns them. ERR_MEMORY. */
MUST_USE Status evaluator_human_new(Evaluator *first, Evaluator *human, Evaluator **out,
                                    Error *err);

/* Makes an evaluator that runs both of the given ones and gives the answers of `first`. It fails
 * with ERR_ARGUMENT if their values of win, loss or a prior differ by more than `tolerance`. Takes
 * both, also on failure. */
MUST_USE Status evaluator_checked_new(Evaluator *first, Evaluator *second, float tolerance,
                                      Evaluator **out, Error *err);
