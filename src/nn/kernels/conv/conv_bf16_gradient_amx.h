/* conv_bf16_gradient_amx.h - does what gradient_pack_dy() and gradient_run() of
 * conv_bf16_gradient.h do, with AMX. Call these functions only if the member `amx` of the shape is
 * true. Threading: free functions without state. */
#pragma once
#include "nn/kernels/conv/conv_bf16_gradient.h"

void gradient_pack_dy_amx(const GradientShape *shape, const float *dy, uint32_t *dy2);
void gradient_run_amx(const GradientShape *shape, int boards, const uint32_t *x2,
                      const uint32_t *dy2, float *gradient);
