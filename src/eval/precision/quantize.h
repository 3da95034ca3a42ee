/* quantize.h - calibrates a net for precision int8: finds the scale and zero point of each channel
 * that its convolutions read, from positions. Jacob et al. 2018, "Quantization and training of
 * neural networks for efficient integer-arithmetic-only inference". Threading: free functions. */
#pragma once
#include "base/progress.h"
#include "go/position.h"
#include "nn/graph/net.h"

typedef struct {
    const Position *const *positions; /* on boards like those of its later use */
    int position_count;
    const char *human_profile; /* for nets that are conditioned on the players; NULL: rank_1d */
    uint64_t seed;
    bool winograd;              /* run 3 x 3 convolutions by Winograd: faster, less accurate */
    int threads;                /* they do not change the result; 0: one */
    const ProgressWatch *watch; /* progress in positions; NULL: none */
} QuantizeCall;

/* Gives the net its quantisation (nn/infer/infer_quantisation.h). The convolutions that then run in
 * int8 are those of the trunk: their results reach a later sum of the trunk, they do not read an
 * input of the net, and quantisation_can() accepts them. So the first layer and the heads stay as
 * they are. `*layers`: how many there are. ERR_UNSUPPORTED: there are none. ERR_ARGUMENT: there are
 * no positions, or an activation on them is not finite or too large. On failure the net is as
 * before. */
MUST_USE Status quantize_net(Net *net, const QuantizeCall *call, int *layers, Error *err);

/* ERR_UNSUPPORTED: quantize_net() would find no convolutions. */
MUST_USE Status quantize_check(const Net *net, Error *err);

/* The scale and the zero point with which `count` finite values are stored in 8 bits with the
 * smallest squared error. */
void quantize_range(const float *values, int count, float *scale, uint8_t *zero);
/* Moves the scales of all channels of a value towards the largest one:
 *     scale^0.35 * largest^0.65 */
void quantize_balance(int channels, float *scales, uint8_t *zeros);
