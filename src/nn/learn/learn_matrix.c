#include "nn/learn/learn_matrix.h"

#include <stdlib.h>

#include "base/memory.h"
#include "nn/backends/backend.h"

/* Whether the kernel is of a form that our own code can run. Only oneDNN can run convolutions that
 * are dilated or whose kernels are not square. */
static bool is_plain(const OnednnPairSetup *setup) {
    return setup->kernel_h == setup->kernel_w && setup->dilation == 1;
}

static bool takes_winograd(const OnednnPairSetup *setup, ConvWinogradShape *shape) {
    *shape = (ConvWinogradShape){setup->height, setup->width, setup->in_channels,
                                 setup->out_channels, setup->bf16};
    if (setup->bf16 && backend_prefers_direct_bf16()) return false;
    return !setup->dense && setup->kernel_h == 3 && is_plain(setup) && conv_winograd_can(shape);
}

/* If there were fewer rows, packing the weights would take most of the time of a dense layer. */
enum { DENSE_AMX_ROWS_MIN = 128 };

Status learn_matrix_new(OnednnLearn *onednn, const OnednnPairSetup *setup, LearnMatrix *out,
                        Error *err) {
    *out = (LearnMatrix){0};
    out->winograd = takes_winograd(setup, &out->shape);
    if (out->winograd) return OK;
    if (setup->bf16 && setup->dense && setup->n >= DENSE_AMX_ROWS_MIN &&
        dense_amx_can(setup->in_channels, setup->out_channels))
        return dense_amx_new(setup->in_channels, setup->out_channels, &out->dense, err);
    const ConvBf16Setup bf16 = {setup->height, setup->dense ? setup->n : setup->width,
                                setup->in_channels, setup->out_channels, setup->kernel_h};
    if (setup->bf16 && is_plain(setup) && conv_bf16_can(&bf16))
        return conv_bf16_new(&bf16, &out->bf16, err);
    Status status = onednn_pair_new(onednn, setup, &out->pair, err);
    if (status == ERR_UNSUPPORTED && setup->bf16) {
        OnednnPairSetup whole = *setup;
        whole.bf16 = false;
        status = onednn_pair_new(onednn, &whole, &out->pair, err);
    }
    return status;
}

void learn_matrix_clear(LearnMatrix *matrix) {
    onednn_pair_free(matrix->pair);
    conv_bf16_free(matrix->bf16);
    dense_amx_free(matrix->dense);
    free(matrix->spare);
}

bool learn_matrix_is_there(const LearnMatrix *matrix) {
    return matrix->pair || matrix->bf16 || matrix->dense || matrix->winograd;
}

size_t learn_matrix_scratch(const LearnMatrix *matrix) {
    return matrix->dense      ? dense_amx_scratch(matrix->dense)
           : matrix->winograd ? conv_winograd_scratch(&matrix->shape)
                              : 0;
}

Status learn_matrix_make_spare(LearnMatrix *matrix, size_t elements, Error *err) {
    return matrix->pair ? mem_new_aligned(elements, sizeof(float), &matrix->spare, err) : OK;
}

static size_t rows_of(const OpCall *call) {
    return (size_t)call->n * (size_t)call->rows;
}

/* For conv_bf16.h a dense layer is a 1 x 1 convolution of one board. The board has a single row,
 * whose cells are all rows of the batch. */
static int boards_of(const OpCall *call) {
    return call->op->kind == OP_DENSE ? 1 : call->n;
}

Status learn_matrix_forward(LearnMatrix *matrix, const OpCall *call, bool kept, float *scratch,
                            Error *err) {
    const float *weights = call->parameters[0];
    if (matrix->pair) return onednn_pair_forward(matrix->pair, call->x[0], weights, call->y, err);
    if (matrix->dense)
        dense_amx_forward(matrix->dense, rows_of(call), call->x[0], kept ? NULL : weights, call->y,
                          scratch);
    else if (matrix->bf16)
        conv_bf16_forward(matrix->bf16, boards_of(call), call->x[0], kept ? NULL : weights,
                          call->y);
    else
        conv_winograd_forward(&matrix->shape, call->n, call->x[0], weights, call->y, scratch);
    return OK;
}

static Status pair_backward(LearnMatrix *matrix, const OpCall *call, size_t elements, Error *err) {
    float *dx = call->dx[0] && !call->first[0] ? matrix->spare : call->dx[0];
    Status status =
        onednn_pair_backward(matrix->pair, call->x[0], call->dy, dx, call->gradients[0], err);
    if (status || dx == call->dx[0]) return status;
    for (size_t i = 0; i < elements; i++)
        call->dx[0][i] += dx[i];
    return OK;
}

static void bf16_backward(LearnMatrix *matrix, const OpCall *call, bool kept) {
    if (call->dx[0])
        conv_bf16_backward_data(matrix->bf16, boards_of(call), call->dy,
                                kept ? NULL : call->parameters[0], call->dx[0], !call->first[0]);
    if (call->gradients[0])
        conv_bf16_backward_weights(matrix->bf16, boards_of(call), call->x[0], call->dy,
                                   call->gradients[0]);
}

static void dense_backward(DenseAmx *dense, const OpCall *call, bool kept, float *scratch) {
    dense_amx_backward(dense, &(DenseAmxBackward){.rows = rows_of(call),
                                                  .x = call->gradients[0] ? call->x[0] : NULL,
                                                  .dy = call->dy,
                                                  .weights = kept ? NULL : call->parameters[0],
                                                  .dx = call->dx[0],
                                                  .add = !call->first[0],
                                                  .scratch = scratch});
    if (call->gradients[0]) dense_amx_add_gradient(dense, call->gradients[0]);
}

static void winograd_backward(const LearnMatrix *matrix, const OpCall *call, float *scratch) {
    if (call->dx[0])
        conv_winograd_backward_data(&matrix->shape, call->n, call->dy, call->parameters[0],
                                    call->dx[0], !call->first[0], scratch);
    if (call->gradients[0])
        conv_winograd_backward_weights(&matrix->shape, call->n, call->x[0], call->dy,
                                       call->gradients[0], scratch);
}

Status learn_matrix_backward(LearnMatrix *matrix, const OpCall *call, bool kept, size_t elements,
                             float *scratch, Error *err) {
    if (matrix->pair) return pair_backward(matrix, call, elements, err);
    if (matrix->dense)
        dense_backward(matrix->dense, call, kept, scratch);
    else if (matrix->bf16)
        bf16_backward(matrix, call, kept);
    else
        winograd_backward(matrix, call, scratch);
    return OK;
}
