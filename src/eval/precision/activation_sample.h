/* activation_sample.h - samples activations inside a net, for calibration. The activations are
 * those of chosen values of the net's program, at random cells of given positions. Threading: free
 * functions. */
#pragma once
#include "base/progress.h"
#include "go/position.h"
#include "nn/graph/net.h"

typedef struct {
    /* `count` rows are filled, `capacity` rows are allocated */
    int channels, count, capacity;
    float *rows; /* (capacity, channels); each is the activations of one cell of a board */
} ActivationSample;

typedef struct {
    const Position *const *positions;
    int position_count;
    const char *human_profile; /* for nets conditioned on the players; NULL means rank_1d */
    int capacity;              /* number of rows that are wanted for each value */
    uint64_t seed;
    /* Learns how many positions are done. The positions run once for each PROGRAM_OUTPUTS_MAX
     * values, and the count then begins again. May be NULL. */
    const ProgressWatch *watch;
} ActivationSampleCall;

/* values[i] is a spatial value of the net's program. Fills out[i] with rows of this value; all
 * values are sampled at the same cells. The net runs in f32, on positions under random symmetries.
 * The caller clears each out[i] by activation_sample_clear(). ERR_UNSUPPORTED: an input of the net
 * is missing or has a wrong shape, or the net is only for boards of another size. Other errors are
 * those of net_inputs_of() and of `watch`. */
MUST_USE Status activation_sample_values(const Net *net, const ActivationSampleCall *call,
                                         const Value *values, int count, ActivationSample *out,
                                         Error *err);
void activation_sample_clear(ActivationSample *observed); /* {0} is fine */
