/* infer_kernels.h - the loops of inference that are not matrix products, for the instruction sets
 * of this processor. Channels last; `cells` is height * width. Masks hold one float a cell, 0 or 1,
 * (samples, cells); NULL: all on. Threading: the table is immutable. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nn/graph/program.h"

typedef struct {
    int samples, cells, channels;
    const float *x;                       /* (samples, cells, channels) */
    const float *scale, *bias;            /* (channels); NULL: 1 and 0 */
    const float *vector_add, *vector_mul; /* (samples, channels); NULL: 0 and 1 */
    const float *residual;                /* as x; NULL: 0 */
    const float *mask;
    Activation activation;
    float *scratch;              /* 2 * channels */
    const float *inverse_scales; /* of bytes: 1 / step, (channels) */
    const uint8_t *zero_points;  /* of bytes: what stands for 0, (channels) */
} ElementwiseCall;

/* 1 x 1 convolutions with at most this many output channels run on small_conv() in f32: the kernels
 * of oneDNN pad channels to whole registers. */
enum { INFER_SMALL_CHANNELS = 4 };

typedef struct {
    int samples, cells, in_channels, out_channels;
    const float *x, *weights, *bias, *mask; /* weights (out, in); bias NULL: 0 */
    Activation activation;
    float *y;
} SmallConvCall;

typedef struct {
    int samples, cells, channels;
    PoolKind pool;
    const float *x, *mask, *area; /* area: cells on the mask, (samples) */
    float *y;                     /* (samples, 3 * channels) */
} PoolCall;

typedef struct {
    int samples, cells, channels;
    const float *x, *gain, *mask; /* as above */
    const float *area;            /* one mean a sample, over so many cells; NULL: one a cell */
    float epsilon;
    float *y;
} RmsNormCall;

typedef struct {
    const char *name; /* "generic", "avx2", "avx512" */
    void (*elementwise)(const ElementwiseCall *call, float *y);
    void (*elementwise_bf16)(const ElementwiseCall *call,
                             uint16_t *y); /* rounds to nearest even bf16 */
    void (*elementwise_int8)(const ElementwiseCall *call,
                             uint8_t *y); /* round(value * rate + zero) within 0 to 255 */
    void (*small_conv)(const SmallConvCall *call);
    void (*pool)(const PoolCall *call);
    void (*multiply)(size_t count, const float *a, const float *b, float *y);
    void (*rms_norm)(const RmsNormCall *call);
    /* Each row of `stride` numbers: exp(x - most) of the first `count`, 0 in the rest; sums[row].
     */
    void (*softmax_exp)(int rows, int count, int stride, float *x, float *sums);
    /* c (rows, columns) = a (rows, inner) b (inner, columns) */
    void (*gemm)(int rows, int depth, int columns, const float *a, const float *b, float *c);
} InferKernels;

const InferKernels *infer_kernels_select(void);

/* Writes 0 where the mask is 0. `row_bytes`: of one cell. */
void infer_mask_rows(void *values, const float *mask, int rows, size_t row_bytes);
/* The same for bytes, of which zeros[c] stands for 0. */
void infer_mask_int8(uint8_t *values, const float *mask, int rows, const uint8_t *zero_points,
                     size_t channels);

float infer_activate(Activation activation, float x); /* the plain definition */
