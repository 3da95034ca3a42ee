/* infer_onednn.h - convolutions, dense layers and batched matrix products for inference with oneDNN
 * (2.x), with bias, sum and activation fused. Single-threaded: each call must come from a thread
 * that called onednn_infer_single(). Threading: confined. */
#pragma once
#include <stddef.h>

#include "nn/graph/program.h"

typedef struct OnednnInfer OnednnInfer; /* an engine and a stream */
typedef struct OnednnLayer OnednnLayer; /* a primitive with its weights */

/* Weights packed in the layout of a primitive. Layers of any number of samples, in any thread, may
 * use them. */
typedef struct OnednnWeights OnednnWeights;
void onednn_weights_free(OnednnWeights *weights); /* NULL is fine */

typedef struct {
    bool dense; /* (samples, in) to (samples, out); else a convolution of (samples, h, w, in) */
    /* > 0: a batch of so many products of (samples, matrices, source_stride), of which the first
     * `in` elements are used, with weights (matrices, in, out) to (samples, matrices, out), in
     * f32 */
    int matrices;
    int source_stride;
    int samples, height, width, in_channels, out_channels, kernel_h, kernel_w;
    bool bf16;     /* bf16 arithmetic and source */
    bool bf16_out; /* bf16 destination */
    bool sum;      /* adds to the destination */
    Activation activation;
    const float *weights; /* (out, kh, kw, in); copied when they are packed */
    const float *bias;    /* NULL: none; borrowed as long as the layer lives */
    /* Where layers with these weights keep them packed; NULL before the first such layer. The
     * packed weights live longer than the layers. They are read and written only here, under a
     * lock, so that threads may share them. NULL: nowhere. */
    OnednnWeights **packed;
} OnednnLayerSetup;

/* Lets oneDNN make what all threads share before any thread uses it. onednn_infer_new() calls this.
 * Threading: shared. */
void onednn_infer_prepare(void);
void onednn_infer_single(void); /* keeps oneDNN's work for this thread on this thread */

MUST_USE Status onednn_infer_new(OnednnInfer **out, Error *err);
void onednn_infer_free(OnednnInfer *infer);

MUST_USE Status onednn_layer_new(OnednnInfer *infer, const OnednnLayerSetup *setup,
                                 OnednnLayer **out, Error *err);
void onednn_layer_free(OnednnLayer *layer);
size_t onednn_layer_scratch_bytes(const OnednnLayer *layer);

/* `scratch` has onednn_layer_scratch_bytes() bytes and begins on a 64-byte boundary. */
MUST_USE Status onednn_layer_run(OnednnLayer *layer, const void *source, void *destination,
                                 void *scratch, Error *err);
