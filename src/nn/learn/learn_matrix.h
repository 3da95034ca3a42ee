/* learn_matrix.h - a convolution or dense layer while it learns, by the fastest kernels there are
 * for its shape here: our own, or oneDNN's. Threading: confined. */
#pragma once
#include "nn/backends/backend.h"
#include "nn/backends/onednn/learn_onednn.h"
#include "nn/kernels/conv/conv_bf16.h"
#include "nn/kernels/conv/conv_winograd.h"
#include "nn/ops/op.h"

typedef struct {
    OnednnPair *pair;        /* of oneDNN, */
    ConvBf16 *bf16;          /* or of our own in bf16, */
    ConvWinogradShape shape; /* or, if tiles, by those; none of the three: there is no such layer */
    bool winograd;
    float *spare; /* of a pair: dx where dx already has a gradient */
} LearnMatrix;

MUST_USE Status learn_matrix_new(OnednnLearn *onednn, const OnednnPairSetup *setup,
                                 LearnMatrix *out, Error *err);
void learn_matrix_clear(LearnMatrix *matrix); /* {0} is fine */
bool learn_matrix_is_there(const LearnMatrix *matrix);
size_t learn_matrix_scratch(const LearnMatrix *matrix); /* numbers that a call needs */
/* A pair whose dx is added to; `numbers` of dx. */
MUST_USE Status learn_matrix_make_spare(LearnMatrix *matrix, size_t elements, Error *err);
/* `kept`: the weights are those of the last such call. */
MUST_USE Status learn_matrix_forward(LearnMatrix *matrix, const OpCall *call, bool kept,
                                     float *scratch, Error *err);
/* Adds to the gradient of the weights; `numbers` of dx. */
MUST_USE Status learn_matrix_backward(LearnMatrix *matrix, const OpCall *call, bool kept,
                                      size_t elements, float *scratch, Error *err);
