/* learn_norm.h - layer norm and RMS norm while learning, by the kernels of norm_kernels.h. The
 * results differ from those of the definitions in nn/ops/ only by the rounding of sums. Threading:
 * free functions. */
#pragma once
#include "nn/ops/op.h"

bool learn_norm_can(const Op *op); /* whether it is one of these norms */
/* These replace OpClass.forward and OpClass.backward, and keep the same numbers in call->saved. */
void learn_norm_forward(const OpCall *call);
void learn_norm_backward(const OpCall *call);
