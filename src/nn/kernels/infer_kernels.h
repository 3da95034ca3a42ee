/* infer_kernels.h - the loops of inference other than fast matrix products and norms, in a version
 * for each instruction set. Channels come last in all values; `cells` is height * width. A mask
 * (samples, cells) has 1 for each cell on the board and 0 for each cell off it. If the mask of a
 * call is NULL, all cells are on the board. Threading: the table is immutable. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nn/graph/program.h"

/* Each pointer from `scale` to `mask` may be NULL, which is the same as factors of 1 and summands
 * of 0:
 *     y = activation(x * scale * vector_mul + bias + vector_add + residual) * mask */
typedef struct {
    int samples, cells, channels;
    const float *x;                       /* (samples, cells, channels) */
    const float *scale, *bias;            /* (channels) */
    const float *vector_add, *vector_mul; /* (samples, channels) */
    const float *residual;                /* the shape of x; elementwise_int8 ignores it */
    const float *mask;
    Activation activation;
    float *scratch;              /* room for 2 * channels */
    const float *inverse_scales; /* only for int8: 1 / scale of the integers, (channels) */
    const uint8_t *zero_points;  /* only for int8, (channels) */
} ElementwiseCall;

/* 1 x 1 convolutions with at most this many output channels always run in f32 by small_conv(),
 * because oneDNN pads channels to whole registers. */
enum { INFER_SMALL_CHANNELS = 4 };

typedef struct {
    int samples, cells, in_channels, out_channels;
    const float *x, *weights, *bias, *mask; /* weights (out, in); bias (out), NULL means 0 */
    Activation activation;
    float *y;
} SmallConvCall;

typedef struct {
    int samples, cells, channels;
    PoolKind pool;                /* POOL_MEAN_SCALE_MAX or POOL_MEAN_SCALE_SCALE */
    const float *x, *mask, *area; /* `area` (samples): the number of cells on the mask */
    float *y;                     /* (samples, 3 * channels) */
} PoolCall;

typedef struct {
    const char *name; /* "generic", "avx2", "avx512" */
    void (*elementwise)(const ElementwiseCall *call, float *y);
    void (*elementwise_bf16)(const ElementwiseCall *call, uint16_t *y); /* rounds to nearest even */
    /* y = round(v * inverse_scale + zero_point), limited to 0 to 255, where v is the result of
     * `elementwise` without residual. Off the mask, y is the zero point. */
    void (*elementwise_int8)(const ElementwiseCall *call, uint8_t *y);
    void (*small_conv)(const SmallConvCall *call);
    void (*pool)(const PoolCall *call);
    void (*multiply)(size_t count, const float *a, const float *b, float *y);
    /* Replaces the first `count` elements of each row of x (rows, stride) by exp(x - maximum of
     * these), and the rest by 0. sums[row] is the sum of the exponentials. `stride` is a multiple
     * of 16. */
    void (*softmax_exp)(int rows, int count, int stride, float *x, float *sums);
    /* c (rows, columns) = a (rows, depth) b (depth, columns) */
    void (*gemm)(int rows, int depth, int columns, const float *a, const float *b, float *c);
} InferKernels;

const InferKernels *infer_kernels_select(void);

/* Writes 0 to the cells where the mask is 0; the mask must not be NULL. `row_bytes` is the size of
 * one cell, and `rows` the number of cells. */
void infer_mask_rows(void *values, const float *mask, int rows, size_t row_bytes);
/* Does the same for int8, where zero_points[c] stands for the value 0. */
void infer_mask_int8(uint8_t *values, const float *mask, int rows, const uint8_t *zero_points,
                     size_t channels);

float infer_activate(Activation activation, float x); /* the definition, without approximations */
