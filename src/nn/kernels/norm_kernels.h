/* norm_kernels.h - layer norm and RMS norm, forward and backward, in a version for each instruction
 * set. nn/ops/norms/layer_norm.c and nn/ops/norms/rms_norm.c have the formulas, which sum in double
 * precision; here a row is summed in f32, in sixteen parts. Channels come last in all values. A
 * mask has 1 for each cell on the board and 0 for each cell off it; if it is NULL, all cells are on
 * the board. Threading: the table is immutable. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    size_t rows, channels;
    const float *x, *gain, *bias; /* x (rows, channels); gain, bias (channels) */
    const float *mask;            /* (rows); where the mask is 0, y is 0 */
    float epsilon;
    float *y; /* (rows, channels); must not be x */
    /* (rows, 2): the mean of each row and its r, for backward. Rows where the mask is 0 are not
     * written. NULL: not wanted */
    float *saved;
} LayerNormCall;

/* Backward has no mask: `saved` must come from a call without one. Each of the last three members
 * may be NULL if it is not wanted. */
typedef struct {
    size_t rows, channels;
    const float *x, *dy, *gain, *saved;
    bool add;                             /* add to dx instead of overwriting it */
    float *dx;                            /* (rows, channels) */
    float *gain_gradient, *bias_gradient; /* (channels), added to */
} LayerNormSlopes;

typedef struct {
    int samples, cells, channels;
    const float *x, *gain, *mask; /* x (samples, cells, channels); gain (channels) */
    /* NULL means that each cell has a mean square of its own. Otherwise the mean is over all cells
     * on the mask of a sample, and `area` (samples) is the number of these cells. */
    const float *area;
    float epsilon;
    float *y; /* the shape of x; must not be x; 0 off the mask */
    /* (samples, cells): r of each cell on the mask, for backward; with `area` only the first cell
     * of a sample has it. NULL: not wanted */
    float *saved;
} RmsNormCall;

/* `dx` and `gain_gradient` may be NULL if they are not wanted. */
typedef struct {
    int samples, cells, channels;
    const float *x, *dy, *gain, *mask, *area, *saved; /* as in RmsNormCall; dy has the shape of x */
    bool add;                                         /* add to dx instead of overwriting it */
    float *dx;
    float *gain_gradient; /* (channels), added to */
} RmsNormSlopes;

typedef struct {
    const char *name; /* "generic", "avx2", "avx512" */
    void (*layer_norm)(const LayerNormCall *call);
    void (*layer_norm_backward)(const LayerNormSlopes *call);
    void (*rms_norm)(const RmsNormCall *call);
    void (*rms_norm_backward)(const RmsNormSlopes *call);
} NormKernels;

const NormKernels *norm_kernels_select(void);
