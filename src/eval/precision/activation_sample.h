/* activation_sample.h - samples of the activations inside a net, for calibration: chosen values of
 * its program, at random cells of given positions. Threading: free functions. */
#pragma once
#include "base/progress.h"
#include "go/position.h"
#include "nn/graph/net.h"

typedef struct {
    int channels, count,
        capacity; /* count: rows that are filled; capacity: rows that are allocated */
    float *rows;  /* (capacity, channels), on the board only */
} ActivationSample;

typedef struct {
    const Position *const *positions;
    int position_count;
    const char *human_profile; /* for nets that are conditioned on the players; NULL: rank_1d */
    int capacity;              /* rows wanted of each value */
    uint64_t seed;
    const ProgressWatch *watch; /* progress in positions; NULL: none */
} ActivationSampleCall;

/* Fills out[i] with rows of the spatial value values[i] of the net's program; all values are
 * sampled at the same cells. The net runs in f32, on positions under random symmetries. The caller
 * clears each out[i] by activation_sample_clear(). ERR_UNSUPPORTED: an input of the net is not one
 * that encodes a position. */
MUST_USE Status activation_sample_values(const Net *net, const ActivationSampleCall *call,
                                         const Value *values, int count, ActivationSample *out,
                                         Error *err);
void activation_sample_clear(ActivationSample *observed); /* {0} is fine */
