/* sample_positions.h - positions on which to measure a net, from games that it plays against
 * itself: each move is drawn from its policy, without search. Threading: free functions. */
#pragma once
#include "base/progress.h"
#include "base/rng.h"
#include "go/position.h"
#include "nn/graph/net.h"

/* Makes the first position of a game; neither side of the board may exceed the call's size. */
typedef Status SampleBegin(void *context, Rng *rng, Position *out, Error *err);

typedef struct {
    int size;                  /* of the boards; with `begin`, the maximum width and height */
    int count;                 /* positions wanted */
    int every;                 /* one position in about so many is sampled; 0: 10 */
    const char *human_profile; /* for nets that are conditioned on the players; NULL: rank_1d */
    uint64_t seed;
    /* NULL: games with Chinese, Tromp-Taylor and Japanese rules in turn and a komi near 7, none of
     * which enters an encore. */
    SampleBegin *begin;
    void *context;
    const ProgressWatch *watch; /* progress in positions; NULL: none */
} SampleCall;

/* Fills out[0 .. count - 1], which are {0} or initialised before and which the caller clears, also
 * on failure. A game ends after at most two moves for each point of the board. The same seed gives
 * the same positions. Errors are those of `begin`, evaluator_net_new() and evaluator_evaluate(). */
MUST_USE Status sample_positions(const Net *net, const SampleCall *call, Position *out, Error *err);
