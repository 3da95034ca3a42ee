/* learn_onednn.h - convolutions and dense layers of training on oneDNN (2.x), forward and both
 * backwards, f32 or with bf16 inputs and f32 sums. Threading: confined; each call stays on its
 * thread (see onednn_infer_single()). */
#pragma once
#include "nn/graph/program.h"

typedef struct OnednnLearn OnednnLearn; /* engine, stream and scratch memory */
typedef struct OnednnPair OnednnPair;   /* one layer */

typedef struct {
    bool dense; /* rows of `in` numbers; else (n, h, w, in) */
    int n, height, width, in_channels, out_channels, kernel;
    bool bf16;
    bool wants_dx;
} OnednnPairSetup;

MUST_USE Status onednn_learn_new(OnednnLearn **out, Error *err);
void onednn_learn_free(OnednnLearn *learn);
MUST_USE Status onednn_pair_new(OnednnLearn *learn, const OnednnPairSetup *setup, OnednnPair **out,
                                Error *err);
void onednn_pair_free(OnednnPair *pair);
/* weights (out, kh, kw, in), as they are now. y is written. */
MUST_USE Status onednn_pair_forward(OnednnPair *pair, const float *x, const float *weights,
                                    float *y, Error *err);
/* Adds to `gradient` (as weights). dx (NULL: not wanted) is written, not added to. x and weights as
 * in the forward call before. */
MUST_USE Status onednn_pair_backward(OnednnPair *pair, const float *x, const float *dy, float *dx,
                                     float *gradient, Error *err);
