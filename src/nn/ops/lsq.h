/* lsq.h - rounding with learned steps (Esser et al. 2019, "Learned Step Size Quantization", section
 * 2): what is shared by the op of activations (fake_quantize.c) and by the trainer, which rounds
 * weights (nn/learn/latent_weights.h). With a step s > 0 and levels from -below to above,
 *     v = x / s
 *     y = s round(clip(v, -below, above))
 * round() rounds to the nearest whole number, ties to even. Steps are stored and learned as their
 * logarithms, so that they stay positive, and so that an optimiser whose steps do not depend on the
 * size of the gradient changes a small step as fast as a large one (Jain et al. 2019, "Trained
 * quantization thresholds", section 3.3). Threading: free functions. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* The levels of weights in int8 and of activations in 8 bits. */
enum { LSQ_WEIGHT_LEVEL = 127, LSQ_ACTIVATION_LEVELS = 255 };

float lsq_step(float log_step); /* exp(log_step), which is kept within e^-40 and e^40 */
/* Writes y, which may be x. */
void lsq_forward(size_t count, float step, float below, float above, const float *x, float *y);
/* The gradients of the straight-through estimator (equations 3 and 5):
 *     dy/dx = 1 where -below < v < above, else 0
 *     dy/ds = round(v) - v where -below < v < above, else -below or above
 * Writes dx or, with `add`, adds to it; it may be NULL, or be dy. Returns the sum of dy * dy/ds. */
double lsq_backward(size_t count, float step, float below, float above, const float *x,
                    const float *dy, float *dx, bool add);
/* The factor of the gradient of a step that `count` values share, where `level` is the highest
 * level (section 2.2):
 *     1 / sqrt(count * level) */
double lsq_gradient_scale(double count, double level);
