/* sample_positions.h - positions on which to measure a net: games that it plays on the spot, each
 * move drawn from its policy. Threading: free functions. */
#pragma once
#include "base/progress.h"
#include "base/rng.h"
#include "go/position.h"
#include "nn/net.h"

/* Makes the first position of a game; no edge is above the call's size. */
typedef Status SampleBegin(void *context, Rng *rng, Position *out, Error *err);

typedef struct {
    int size;                  /* of the boards; with `begin`, the longest edge */
    int count;                 /* positions wanted */
    int every;                 /* about one in so many positions is taken; 0: 10 */
    const char *human_profile; /* of nets that are told who plays; NULL: rank_1d */
    uint64_t seed;
    SampleBegin *begin; /* NULL: Chinese rules and a komi near 7, by turns with Tromp-Taylor and
                           Japanese, in which case no game enters an encore */
    void *context;
    const ProgressWatch *watch; /* told of the positions taken; NULL: none */
} SampleCall;

/* out[0 .. count - 1], {0} or initialised, are the caller's to clear, also on failure. Games end
 * after two moves a point at most. The same for the same seed. Errors are those of `begin` and of
 * making and asking an evaluator (f32). */
MUST_USE Status sample_positions(const Net *net, const SampleCall *call, Position *out, Error *err);
