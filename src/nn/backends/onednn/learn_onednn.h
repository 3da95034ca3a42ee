/* learn_onednn.h - convolutions and dense layers for training with oneDNN (2.x): forward, and
 * backward to the inputs and to the weights, in f32 or with bf16 inputs and f32 sums. So that
 * oneDNN starts no threads, a thread must call onednn_infer_single() before it runs a layer.
 * Threading: confined. */
#pragma once
#include "nn/graph/program.h"

typedef struct OnednnLearn OnednnLearn; /* an engine and a stream */
typedef struct OnednnPair OnednnPair;   /* the primitives of a layer */

typedef struct {
    bool dense; /* over x (n, in); else a convolution over x (n, h, w, in) */
    int n, height, width, in_channels, out_channels, kernel_h, kernel_w;
    int dilation; /* of a convolution: the distance between neighbouring taps, at least 1 */
    bool bf16;
    bool wants_dx; /* whether backward can compute dx */
} OnednnPairSetup;

MUST_USE Status onednn_learn_new(OnednnLearn **out, Error *err);
void onednn_learn_free(OnednnLearn *learn);
MUST_USE Status onednn_pair_new(OnednnLearn *learn, const OnednnPairSetup *setup, OnednnPair **out,
                                Error *err);
void onednn_pair_free(OnednnPair *pair);
/* Overwrites y. `weights`: the present weights, (out, kh, kw, in). */
MUST_USE Status onednn_pair_forward(OnednnPair *pair, const float *x, const float *weights,
                                    float *y, Error *err);
/* Adds to `gradient`, which has the shape of the weights, and overwrites dx. dx may be NULL, and
 * must be NULL without `wants_dx`. x must be that of the last forward call. The weights of that
 * call must still be at the same address, unchanged, because they may be read again. */
MUST_USE Status onednn_pair_backward(OnednnPair *pair, const float *x, const float *dy, float *dx,
                                     float *gradient, Error *err);
