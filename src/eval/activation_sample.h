/* observe.h - numbers that flow through a net: of chosen values of its program, a sample from
 * random cells of given positions. Threading: free functions. */
#pragma once
#include "base/progress.h"
#include "go/position.h"
#include "nn/net.h"

typedef struct {
    int channels, count, capacity; /* rows that are filled, rows that there is room for */
    float *rows;                   /* (capacity, channels), on the board only */
} ActivationSample;

typedef struct {
    const Position *const *positions;
    int position_count;
    const char *human_profile; /* of nets that are told who plays; NULL: rank_1d */
    int capacity;              /* rows wanted of each value */
    uint64_t seed;
    const ProgressWatch *watch; /* told of the positions seen; NULL: none */
} ActivationSampleCall;

/* values[i]: spatial values of the net's program; out[i], which activation_sample_clear() clears, has its
 * rows from the same cells as all others. Positions are seen in random symmetries, in f32.
 * ERR_UNSUPPORTED: the net's inputs are not those of a position. */
MUST_USE Status activation_sample_values(const Net *net, const ActivationSampleCall *call,
                                         const Value *values, int count, ActivationSample *out,
                                         Error *err);
void activation_sample_clear(ActivationSample *observed); /* {0} is fine */
