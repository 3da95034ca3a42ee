/* infer_onednn.h - convolutions and dense layers of inference on oneDNN (2.x), with bias, sum and
 * activation inside. Single-threaded: each call must come from a thread that called
 * onednn_infer_single(). Threading: confined. */
#pragma once
#include <stddef.h>

#include "nn/graph/program.h"

typedef struct OnednnInfer OnednnInfer; /* engine and stream */
typedef struct OnednnLayer OnednnLayer; /* one primitive with its weights */

/* Weights in the layout that a primitive likes, for layers of any number of samples and thread. */
typedef struct OnednnWeights OnednnWeights;
void onednn_weights_free(OnednnWeights *weights); /* NULL is fine */

typedef struct {
    bool dense;   /* (samples, in) to (samples, out); else a convolution on (samples, h, w, in) */
    int matrices; /* > 0: as many products, (samples, matrices, source_stride) of which the first `in`
                     count, to (samples, matrices, out) by weights (matrices, in, out), f32 */
    int source_stride;
    int samples, height, width, in_channels, out_channels, kernel_h, kernel_w;
    bool bf16;     /* bf16 arithmetic and source */
    bool bf16_out; /* bf16 destination */
    bool sum;      /* adds to what the destination holds */
    Activation activation;
    const float *weights; /* (out, kh, kw, in); copied in the layout that the primitive likes */
    const float *bias;    /* NULL: none; borrowed as long as the layer lives */
    OnednnWeights *
        *packed; /* where such layers keep their weights, NULL before the first; they live
                             longer than the layers. Read and written only here, under a lock, so
                             that threads may share it. NULL: nowhere */
} OnednnLayerSetup;

/* What oneDNN makes at its first use for all threads is made, once, so that none meets it half
 * made. Threading: shared. onednn_infer_new() does it. */
void onednn_infer_prepare(void);
void onednn_infer_single(void); /* this thread's oneDNN work stays on it */

MUST_USE Status onednn_infer_new(OnednnInfer **out, Error *err);
void onednn_infer_free(OnednnInfer *infer);

MUST_USE Status onednn_layer_new(OnednnInfer *infer, const OnednnLayerSetup *setup,
                                 OnednnLayer **out, Error *err);
void onednn_layer_free(OnednnLayer *layer);
size_t onednn_layer_scratch_bytes(const OnednnLayer *layer);

/* `scratch` has onednn_layer_scratch_bytes(), on a 64-byte boundary. */
MUST_USE Status onednn_layer_run(OnednnLayer *layer, const void *source, void *destination,
                                 void *scratch, Error *err);
