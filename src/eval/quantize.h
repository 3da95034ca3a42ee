/* quantize.h - makes a net ready for precision int8: finds the steps of the bytes that its
 * convolutions read, by channel, from positions. Jacob et al. 2018, "Quantization and training of
 * neural networks for efficient integer-arithmetic-only inference". Threading: free functions. */
#pragma once
#include "base/progress.h"
#include "go/position.h"
#include "nn/net.h"

typedef struct {
    const Position *const *positions; /* of boards as the net will see them */
    int position_count;
    const char *human_profile; /* of nets that are told who plays; NULL: rank_1d */
    uint64_t seed;
    bool tiles;  /* convolutions of 3 x 3 by Winograd's tiles: faster, and coarser */
    int threads; /* that look for the steps, which are the same with any number; 0: one */
    const ProgressWatch *watch; /* told of the positions seen; NULL: none */
} QuantizeCall;

/* Gives the net its scales (nn/infer_scales.h). In bytes go the convolutions of the trunk: those
 * whose result reaches a later sum of the trunk, but for the first ones, which read the input, and
 * for those that scales_can() refuses; so first layer and heads stay as they are. `*layers`: how
 * many. ERR_UNSUPPORTED: there are none; ERR_ARGUMENT: no positions, or on these the net's numbers
 * are not finite. On failure the net is as before. */
MUST_USE Status quantize_net(Net *net, const QuantizeCall *call, int *layers, Error *err);

/* Whether quantize_net() would find convolutions: ERR_UNSUPPORTED. */
MUST_USE Status quantize_check(const Net *net, Error *err);

/* The step and the byte for 0 that write `count` finite numbers as bytes with the least squared
 * error. */
void quantize_range(const float *values, int count, float *step, uint8_t *zero);
/* Draws the steps of the channels of a value together: step^0.35 * widest^0.65. */
void quantize_balance(int channels, float *steps, uint8_t *zeros);
