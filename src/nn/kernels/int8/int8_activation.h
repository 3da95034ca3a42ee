/* int8_activation.h - a gain and a shift for each channel, an activation, and rounding to int8, all
 * in one pass with AVX-512. Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "nn/graph/program.h"

typedef struct {
    int cells, channels;
    const float *x;              /* (cells, channels) */
    const float *gains, *shifts; /* (channels) */
    Activation activation;
    const float *inverse_scales; /* (channels): 1 / scale of the integers */
    const uint8_t *zero_points;  /* (channels) */
    /* y = round(activation(x * gain + shift) * inverse_scale + zero_point), limited to 0 to 255.
     * The relative error of Mish and SiLU is below 1e-5 down to -87, and the absolute error of tanh
     * is below 3e-6. x must be finite or NaN. NaN becomes the zero point if the activation is relu,
     * and otherwise 0. */
    uint8_t *y;
} Int8ActivationCall;

/* Needs AVX-512 (backend_isa()). */
void int8_activation(const Int8ActivationCall *call);
