/* dense_amx.h - dense layers for training with AMX: factors in bf16, sums in f32. Rows run in
 * groups, so that their packed values stay in the L1 and L2 caches. The same call always gives the
 * same bits. Threading: confined. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct DenseAmx DenseAmx;

/* Whether backend_isa() has AMX and this kernel supports layers of this shape: both numbers of
 * channels are multiples of 16. */
bool dense_amx_can(int in_channels, int out_channels);
/* ERR_UNSUPPORTED: dense_amx_can() is false. */
MUST_USE Status dense_amx_new(int in_channels, int out_channels, DenseAmx **out, Error *err);
void dense_amx_free(DenseAmx *dense);            /* NULL is fine */
size_t dense_amx_scratch(const DenseAmx *dense); /* floats that a call needs */

/* Writes y = x times the transpose of the weights, with x (rows, in), weights (out, in) and y
 * (rows, out), all in f32. The layer keeps a copy of the weights in bf16. If `weights` is NULL, it
 * uses the copy from the last call with weights. dense_amx_backward() keeps a copy of its own in
 * the same way. */
void dense_amx_forward(DenseAmx *dense, size_t rows, const float *x, const float *weights, float *y,
                       float *scratch);

typedef struct {
    size_t rows;
    const float *x, *dy;  /* x is NULL if the gradient of the weights is not wanted */
    const float *weights; /* NULL: those of the last call; unused if dx is NULL */
    float *dx;            /* NULL if not wanted */
    bool add;             /* to dx, which is otherwise overwritten */
    float *scratch;
} DenseAmxBackward;
/* Computes the gradient of x, and sums up the gradient of the weights. */
void dense_amx_backward(DenseAmx *dense, const DenseAmxBackward *call);
/* Adds the gradient of the weights to `gradient` (out, in): the sum over all calls of
 * dense_amx_backward() since the last call of this function. */
void dense_amx_add_gradient(DenseAmx *dense, float *gradient);
