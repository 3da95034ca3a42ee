/* infer_onednn.h - convolutions, dense layers and batched matrix products for inference with oneDNN
 * (2.x), with bias, sum and activation fused. So that oneDNN starts no threads, each thread must
 * call onednn_infer_single() before it calls the other functions. Threading: confined. */
#pragma once
#include <stddef.h>

#include "nn/graph/program.h"

typedef struct OnednnInfer OnednnInfer; /* an engine and a stream */
typedef struct OnednnLayer OnednnLayer; /* a primitive with its weights */

/* Weights packed in the layout that a primitive wants. Several layers may use them, for different
 * numbers of samples and in different threads. */
typedef struct OnednnWeights OnednnWeights;
void onednn_weights_free(OnednnWeights *weights); /* NULL is fine */

typedef struct {
    bool dense; /* (samples, in) to (samples, out); else a convolution of (samples, h, w, in) */
    /* If > 0, the layer is a batch of this many matrix products in f32:
     *     source        (samples, matrices, source_stride)
     *     weights       (matrices, in, out)
     *     destination   (samples, matrices, out)
     * Only the first `in` elements of each row of the source are used. */
    int matrices;
    int source_stride;
    int samples, height, width, in_channels, out_channels, kernel_h, kernel_w;
    int dilation;  /* of a convolution: the distance between neighbouring taps; 0 means 1 */
    bool bf16;     /* bf16 arithmetic and source */
    bool bf16_out; /* bf16 destination */
    bool sum;      /* before the activation, adds what the destination holds */
    Activation activation;
    /* (out, kh, kw, in) or, with `matrices`, (matrices, in, out). Only onednn_layer_new() reads
     * them. */
    const float *weights;
    const float *bias; /* (out), NULL: no bias; borrowed as long as the layer lives */
    /* The address of a pointer to packed weights. All layers with the same weights have the same
     * address here, so that they share one packed copy. `*packed` is NULL until the first of these
     * layers packs the weights. The caller frees `*packed` after the layers. Only
     * onednn_layer_new() reads and writes `*packed`, under a lock, so threads may share it. A layer
     * packs weights for itself if `packed` is NULL, or if `*packed` has another layout than the
     * layer needs. */
    OnednnWeights **packed;
} OnednnLayerSetup;

/* Makes oneDNN create the data that all threads share, before any of them uses it.
 * onednn_infer_new() calls this. Threading: shared. */
void onednn_infer_prepare(void);
void onednn_infer_single(void); /* makes oneDNN use only the calling thread for its work */

MUST_USE Status onednn_infer_new(OnednnInfer **out, Error *err);
void onednn_infer_free(OnednnInfer *infer);

MUST_USE Status onednn_layer_new(OnednnInfer *infer, const OnednnLayerSetup *setup,
                                 OnednnLayer **out, Error *err);
void onednn_layer_free(OnednnLayer *layer);
size_t onednn_layer_scratch_bytes(const OnednnLayer *layer);

/* `scratch` has onednn_layer_scratch_bytes() bytes and begins on a 64-byte boundary. */
MUST_USE Status onednn_layer_run(OnednnLayer *layer, const void *source, void *destination,
                                 void *scratch, Error *err);
