/* infer_kernels.h - the loops of inference apart from the fast matrix products, in a version for
 * each instruction set. Values are channels last; `cells` is height * width. A mask holds one float
 * for each cell, 0 or 1, as (samples, cells); NULL means that all cells are on the board.
 * Threading: the table is immutable. */
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
    float *scratch;              /* room for 2 * channels */
    const float *inverse_scales; /* only for int8: 1 / scale, (channels) */
    const uint8_t *zero_points;  /* only for int8, (channels) */
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
    const float *x, *gain, *mask; /* x (samples, cells, channels); gain (channels) */
    /* (samples): one mean for each sample, over this many cells; NULL: one mean for each cell */
    const float *area;
    float epsilon;
    float *y;
} RmsNormCall;

typedef struct {
    const char *name; /* "generic", "avx2", "avx512" */
    void (*elementwise)(const ElementwiseCall *call, float *y);
    void (*elementwise_bf16)(const ElementwiseCall *call, uint16_t *y); /* rounds to nearest even */
    /* round(value * inverse_scale + zero_point), limited to 0 to 255 */
    void (*elementwise_int8)(const ElementwiseCall *call, uint8_t *y);
    void (*small_conv)(const SmallConvCall *call);
    void (*pool)(const PoolCall *call);
    void (*multiply)(size_t count, const float *a, const float *b, float *y);
    void (*rms_norm)(const RmsNormCall *call);
    /* Turns each row of `stride` elements into exp(x - maximum) of its first `count` elements and 0
     * in the rest. sums[row] is the sum of the exponentials. */
    void (*softmax_exp)(int rows, int count, int stride, float *x, float *sums);
    /* c (rows, columns) = a (rows, depth) b (depth, columns) */
    void (*gemm)(int rows, int depth, int columns, const float *a, const float *b, float *c);
} InferKernels;

const InferKernels *infer_kernels_select(void);

/* Writes 0 to the cells where the mask is 0. `row_bytes`: the size of one cell. */
void infer_mask_rows(void *values, const float *mask, int rows, size_t row_bytes);
/* Does the same for int8, where zero_points[c] stands for 0. */
void infer_mask_int8(uint8_t *values, const float *mask, int rows, const uint8_t *zero_points,
                     size_t channels);

float infer_activate(Activation activation, float x); /* the plain definition */
