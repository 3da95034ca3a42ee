/* quantize.h - calibrates a net for precision int8 on given positions. This finds the scale and
 * zero point of each channel that its convolutions read. It also rounds the weights of the dense
 * layers that work on every cell (weight_rounding.h); can_round() in quantize.c says for which nets
 * this is left out. The scheme is that of Jacob et al. 2018, "Quantization and training of neural
 * networks for efficient integer-arithmetic-only inference". Threading: free functions. */
#pragma once
#include "base/progress.h"
#include "go/position.h"
#include "nn/graph/net.h"

typedef struct {
    const Position *const *positions; /* on boards of the sizes on which the net will play */
    int position_count;
    const char *human_profile; /* for nets conditioned on the players; NULL means rank_1d */
    uint64_t seed;
    /* `winograd` and `attention` make the net faster and less accurate. */
    bool winograd;              /* run 3 x 3 convolutions by Winograd */
    bool attention;             /* run the products of attention in int8 (infer_attention.h) */
    int threads;                /* the number of threads, which does not change the result; 0 means
                                 * one */
    const ProgressWatch *watch; /* is told the progress in positions; may be NULL */
} QuantizeCall;

/* Gives the net its quantisation (nn/infer/infer_quantisation.h). Three conditions decide whether a
 * convolution or a dense layer over cells then runs in int8. A later sum of the trunk depends on
 * the result of the layer, the layer does not read an input of the net, and quantisation_can()
 * accepts the layer. So the first layer and the heads stay as they are. Where 8 bits are too coarse
 * for the activations or weights of a dense layer, they get 15 bits (is_fine() and Level in
 * quantize.c). The biases of the last layers are corrected (bias_correction.h). Sets `*layers`
 * to the number of layers that run in int8. ERR_UNSUPPORTED: there are none. ERR_ARGUMENT: there
 * are no positions, or an activation on them is not finite or too large. On failure the net is
 * unchanged. */
MUST_USE Status quantize_net(Net *net, const QuantizeCall *call, int *layers, Error *err);

/* Checks whether quantize_net() would find layers. ERR_UNSUPPORTED: there are none. */
MUST_USE Status quantize_check(const Net *net, Error *err);

/* Sets chosen[v] for each op v of the program. An op is chosen under three conditions: it is a
 * convolution or a dense layer, a later sum of the trunk depends on it, and it does not read an
 * input of the net. With `int8`, the op is chosen only if quantize_net() also lets it run in
 * int8. */
MUST_USE Status quantize_find(const Program *program, bool int8, bool *chosen, Error *err);
/* Whether op v is a dense layer over cells whose activations always get 15 bits, so that their
 * rounding hardly matters: attention reads its result, or it reads a product of two values. */
bool quantize_reads_15_bits(const Program *program, Value v);

/* Finds how `count` finite values are best stored in 8 bits, where the integer q stands for the
 * value (q - zero) * scale. Tries several ranges that contain 0, and sets the scale and the zero
 * point of the range with the smallest squared error. */
void quantize_range(const float *values, int count, float *scale, uint8_t *zero);
/* Moves the scales of all channels of a value towards the largest one, and adjusts the zero points.
 * A scale becomes
 *     scale^0.35 * largest^0.65 */
void quantize_balance(int channels, float *scales, uint8_t *zeros);
