/* observe.h - numbers that flow through a net: of chosen values of its program, a sample from
 * random cells of given positions. Threading: free functions. */
#pragma once
#include "base/progress.h"
#include "go/position.h"
#include "nn/net.h"

typedef struct {
    int channels, count, capacity; /* rows that are filled, rows that there is room for */
    float *rows;                   /* (capacity, channels), on the board only */
} Observed;

typedef struct {
    const Position *const *positions;
    int position_count;
    const char *human_profile; /* of nets that are told who plays; NULL: rank_1d */
    int capacity;              /* rows wanted of each value */
    uint64_t seed;
    const ProgressWatch *watch; /* told of the positions seen; NULL: none */
} ObserveCall;

/* values[i]: spatial values of the net's program; out[i], which observe_clear() clears, has its
 * rows from the same cells as all others. Positions are seen in random symmetries, in f32.
 * ERR_UNSUPPORTED: the net's inputs are not those of a position. */
MUST_USE Status observe_values(const Net *net, const ObserveCall *call, const Value *values,
                               int count, Observed *out, Error *err);
void observe_clear(Observed *observed); /* {0} is fine */
