/* learn_matrix.h - a convolution or dense layer for training, by the fastest code for its shape on
 * this processor: our own or oneDNN's. Threading: confined. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/backends/onednn/learn_onednn.h"
#include "nn/kernels/conv/conv_bf16.h"
#include "nn/kernels/conv/conv_winograd.h"
#include "nn/kernels/transformer/dense_amx.h"
#include "nn/ops/op.h"

/* At most one of `pair`, `bf16`, `dense` and `winograd` is set. If none of them is set,
 * learn_matrix_is_there() is false, and the caller must run the op in another way. */
typedef struct {
    OnednnPair *pair;        /* oneDNN's code */
    ConvBf16 *bf16;          /* our code in bf16 */
    DenseAmx *dense;         /* our code for dense layers in bf16 with AMX */
    bool winograd;           /* our code by Winograd, in f32 or bf16 */
    ConvWinogradShape shape; /* with `winograd`: the shape of the layer */
    float *spare;            /* with `pair`: holds dx before it is added to the caller's dx */
} LearnMatrix;

MUST_USE Status learn_matrix_new(OnednnLearn *onednn, const OnednnPairSetup *setup,
                                 LearnMatrix *out, Error *err);
void learn_matrix_clear(LearnMatrix *matrix); /* {0} is fine */
bool learn_matrix_is_there(const LearnMatrix *matrix);
size_t learn_matrix_scratch(const LearnMatrix *matrix); /* floats that a call needs */
/* Allocates `spare`, which layers of oneDNN need if they have to add to the caller's dx. `elements`
 * is the number of elements of dx. */
MUST_USE Status learn_matrix_make_spare(LearnMatrix *matrix, size_t elements, Error *err);
/* `kept`, here and below, says whether the weights are the same as in the last call of the same
 * function. */
MUST_USE Status learn_matrix_forward(LearnMatrix *matrix, const OpCall *call, bool kept,
                                     float *scratch, Error *err);
/* Adds to the gradient of the weights, and overwrites dx or adds to it, as OpCall.first says.
 * `elements` is the number of elements of dx. */
MUST_USE Status learn_matrix_backward(LearnMatrix *matrix, const OpCall *call, bool kept,
                                      size_t elements, float *scratch, Error *err);
