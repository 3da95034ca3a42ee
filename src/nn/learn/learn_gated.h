/* learn_gated.h - a gated layer for training with AMX, as one step:
 *     y = down (silu(up x) * (gate x)),
 * where up, gate and down are dense layers. Rows run in groups, so that the values between the
 * layers stay in the L2 cache. They are not kept: backward computes them again, which takes less
 * time than to read them from memory. Threading: confined. */
#pragma once
#include "nn/kernels/transformer/dense_amx.h"
#include "nn/ops/op.h"

/* The three layers, and their calls. Those of `up` and `gate` have the same x and dx, and that of
 * `down` has y and dy. */
typedef struct {
    DenseAmx *up, *gate, *down;
    const OpCall *up_call, *gate_call, *down_call;
} LearnGated;

size_t learn_gated_scratch(const LearnGated *gated); /* floats that a call needs */
/* `kept`: see learn_matrix.h. */
void learn_gated_forward(const LearnGated *gated, bool kept, float *scratch);
void learn_gated_backward(const LearnGated *gated, bool kept, float *scratch);
