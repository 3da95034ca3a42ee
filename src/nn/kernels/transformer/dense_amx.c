/* Forward and the gradient of x are products whose right factor is the packed weights. The gradient
 * of the weights is dy' x, whose depth is that of the rows. One of its factors must be transposed
 * for amx_gemm(): that with fewer channels, because this takes longer than to pack the other one.
 * If this is x, the product gives the transpose of the gradient. */
#include "nn/kernels/transformer/dense_amx.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "nn/kernels/transformer/amx_gemm.h"
#include "nn/kernels/transformer/amx_pack.h"

enum {
    FORWARD_ROWS = 64,   /* in a group of rows */
    BACKWARD_ROWS = 256, /* a multiple of AMX_GEMM_DEPTH, which is the depth of the gradient */
    CHANNELS_MAX = 4096
};

struct DenseAmx {
    size_t in, out, in_units, out_units;
    uint32_t *weights, *back_weights;
    bool transposed; /* the sums are (in, out), otherwise (out, in) */
    float *sums;     /* what dense_amx_add_gradient() will add to the gradient */
};

bool dense_amx_can(int in_channels, int out_channels) {
    return amx_gemm_can() && in_channels % AMX_GEMM_LANES == 0 &&
           out_channels % AMX_GEMM_LANES == 0 && in_channels <= CHANNELS_MAX &&
           out_channels <= CHANNELS_MAX;
}

Status dense_amx_new(int in_channels, int out_channels, DenseAmx **out, Error *err) {
    DenseAmx *dense;
    *out = NULL;
    if (!dense_amx_can(in_channels, out_channels))
        return fail(err, ERR_UNSUPPORTED, "no dense layer with AMX for this processor or shape");
    Status status = mem_new(1, sizeof *dense, &dense, err);
    if (status) return status;
    dense->in = (size_t)in_channels;
    dense->out = (size_t)out_channels;
    dense->in_units = amx_round_up(dense->in, AMX_GEMM_DEPTH) / 2;
    dense->out_units = amx_round_up(dense->out, AMX_GEMM_DEPTH) / 2;
    status =
        mem_new_aligned(dense->out * dense->in_units, sizeof *dense->weights, &dense->weights, err);
    if (!status)
        status = mem_new_aligned(dense->in * dense->out_units, sizeof *dense->back_weights,
                                 &dense->back_weights, err);
    dense->transposed = dense->in < dense->out;
    if (!status)
        status = mem_new_aligned(dense->in * dense->out, sizeof *dense->sums, &dense->sums, err);
    if (status)
        dense_amx_free(dense);
    else
        *out = dense;
    return status;
}

void dense_amx_free(DenseAmx *dense) {
    if (!dense) return;
    free(dense->weights);
    free(dense->back_weights);
    free(dense->sums);
    free(dense);
}

/* The scratch memory, in units of four bytes. */
typedef struct {
    uint32_t *rows;  /* a group of rows, packed for the forward pass or for the gradient of x */
    uint32_t *left;  /* the left factor of the gradient: (channels, BACKWARD_ROWS / 2) */
    uint32_t *right; /* the right factor of the gradient */
    float *tail;     /* the last rows of a result, if there are fewer than a tile has */
} Scratch;

static size_t lay_out(const DenseAmx *dense, float *scratch, Scratch *out) {
    size_t wide = amx_larger(dense->in, dense->out), narrow = dense->in + dense->out - wide;
    const size_t sizes[] = {BACKWARD_ROWS * amx_larger(dense->in_units, dense->out_units),
                            narrow * (BACKWARD_ROWS / 2), wide * (BACKWARD_ROWS / 2),
                            AMX_GEMM_LANES * wide};
    size_t starts[sizeof sizes / sizeof *sizes], total = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        starts[i] = total;
        total += amx_round_up(sizes[i], 16);
    }
    if (out)
        *out = (Scratch){(uint32_t *)(void *)(scratch + starts[0]),
                         (uint32_t *)(void *)(scratch + starts[1]),
                         (uint32_t *)(void *)(scratch + starts[2]), scratch + starts[3]};
    return total;
}

size_t dense_amx_scratch(const DenseAmx *dense) {
    return lay_out(dense, NULL, NULL);
}

/* Computes the rows of a product of which c may have any number. The last ones go through
 * `tail`. */
static void multiply(AmxGemm product, size_t rows, float *tail) {
    size_t rest = rows % AMX_GEMM_LANES, columns = product.columns;
    product.rows = rows - rest;
    amx_gemm(&product);
    if (!rest) return;
    float *to = product.c + product.rows * product.c_stride;
    product.a += product.rows * product.a_stride;
    product.rows = AMX_GEMM_LANES;
    product.c = tail;
    product.c_stride = columns;
    if (product.add) memcpy(tail, to, rest * columns * sizeof *tail);
    amx_gemm(&product);
    memcpy(to, tail, rest * columns * sizeof *tail);
}

void dense_amx_forward(DenseAmx *dense, size_t rows, const float *x, const float *weights, float *y,
                       float *scratch) {
    Scratch s;
    lay_out(dense, scratch, &s);
    if (weights)
        amx_pack_panels_transposed(&(AmxMatrix){weights, dense->out, dense->in, dense->in, 1},
                                   dense->in_units, dense->weights);
    AmxGemm product = {.columns = dense->out,
                       .steps = dense->in_units / AMX_GEMM_UNITS,
                       .a = s.rows,
                       .b = dense->weights,
                       .a_stride = dense->in_units,
                       .b_units = dense->in_units,
                       .c_stride = dense->out};
    amx_gemm_begin();
    for (size_t first = 0; first < rows; first += FORWARD_ROWS) {
        size_t count = rows - first < FORWARD_ROWS ? rows - first : FORWARD_ROWS;
        amx_pack_rows(&(AmxMatrix){x + first * dense->in, count, dense->in, dense->in, 1},
                      dense->in_units, s.rows);
        product.c = y + first * dense->out;
        multiply(product, count, s.tail);
    }
    amx_gemm_end();
}

/* Computes the gradient of x for a group of rows. */
static void find_dx(const DenseAmx *dense, const Scratch *s, const AmxMatrix *dy, float *dx,
                    bool add) {
    amx_pack_rows(dy, dense->out_units, s->rows);
    multiply((AmxGemm){.columns = dense->in,
                       .steps = dense->out_units / AMX_GEMM_UNITS,
                       .a = s->rows,
                       .b = dense->back_weights,
                       .a_stride = dense->out_units,
                       .b_units = dense->out_units,
                       .c = dx,
                       .c_stride = dense->in,
                       .add = add},
             dy->rows, s->tail);
}

/* Adds left' right to the sums (left columns, right columns). */
static void add_sums(const Scratch *s, const AmxMatrix *left, const AmxMatrix *right, float *sums) {
    amx_pack_rows_transposed(left, BACKWARD_ROWS / 2, s->left);
    amx_pack_panels(right, BACKWARD_ROWS / 2, s->right);
    amx_gemm(&(AmxGemm){.rows = left->columns,
                        .columns = right->columns,
                        .steps = amx_round_up(left->rows, AMX_GEMM_DEPTH) / AMX_GEMM_DEPTH,
                        .a = s->left,
                        .b = s->right,
                        .a_stride = BACKWARD_ROWS / 2,
                        .b_units = BACKWARD_ROWS / 2,
                        .c = sums,
                        .c_stride = right->columns,
                        .add = true});
}

void dense_amx_backward(DenseAmx *dense, const DenseAmxBackward *call) {
    Scratch s;
    size_t in = dense->in, out = dense->out;
    lay_out(dense, call->scratch, &s);
    if (call->dx && call->weights)
        amx_pack_panels(&(AmxMatrix){call->weights, out, in, in, 1}, dense->out_units,
                        dense->back_weights);
    amx_gemm_begin();
    for (size_t first = 0; first < call->rows; first += BACKWARD_ROWS) {
        size_t count = call->rows - first < BACKWARD_ROWS ? call->rows - first : BACKWARD_ROWS;
        const AmxMatrix dy = {call->dy + first * out, count, out, out, 1},
                        x = {call->x + first * in, count, in, in, 1};
        if (call->dx) find_dx(dense, &s, &dy, call->dx + first * in, call->add);
        if (call->x)
            add_sums(&s, dense->transposed ? &x : &dy, dense->transposed ? &dy : &x, dense->sums);
    }
    amx_gemm_end();
}

void dense_amx_add_gradient(DenseAmx *dense, float *gradient) {
    size_t count = dense->in * dense->out;
    if (dense->transposed) amx_add_transposed(dense->in, dense->out, dense->sums, gradient);
    for (size_t i = 0; !dense->transposed && i < count; i++)
        gradient[i] += dense->sums[i];
    memset(dense->sums, 0, count * sizeof *dense->sums);
}
