/* lsq.h - rounding with learned steps (Esser et al. 2019, "Learned Step Size Quantization", section
 * 2). The op that rounds activations (fake_quantize.c) and the trainer, which rounds weights
 * (nn/learn/latent_weights.h), share this file. With a step s > 0 and levels from -below to above,
 *     v = x / s
 *     y = s round(clip(v, -below, above))
 * round() rounds to the nearest whole number, ties to even. The net stores and learns the logarithm
 * of s, for two reasons (Jain et al. 2019, "Trained quantization thresholds", section 3.3). First,
 * s stays positive. Second, the updates of an optimiser such as Adam hardly depend on the size of
 * the gradient, so it changes a small s by the same factor as a large s. Threading: free
 * functions. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Weights in int8 have the levels from -127 to 127. Activations in 8 bits have 256 levels, and
 * LSQ_ACTIVATION_LEVELS is the difference between the highest and the lowest one. */
enum { LSQ_WEIGHT_LEVEL = 127, LSQ_ACTIVATION_LEVELS = 255 };

float lsq_step(float log_step); /* returns s = exp(log_step), limited to e^-40 to e^40 */
/* Writes y. The arrays x and y may be the same. */
void lsq_forward(size_t count, float step, float below, float above, const float *x, float *y);
/* Computes the gradients by the straight-through estimator (equations 3 and 5), which uses these
 * slopes of y:
 *     in x: 1 where -below < v < above, else 0
 *     in s: round(v) - v where -below < v < above, else -below or above
 * Writes dx or, with `add`, adds to it; dx may be NULL, or be dy. Returns the gradient of s: the
 * sum of dy times the slope in s. */
double lsq_backward(size_t count, float step, float below, float above, const float *x,
                    const float *dy, float *dx, bool add);
/* Returns the factor of the gradient of a step that `count` values share, where `level` is the
 * highest absolute value of a level (section 2.2):
 *     1 / sqrt(count * level) */
double lsq_gradient_scale(double count, double level);
