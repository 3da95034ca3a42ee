/* int8_affine.h - a gain and a shift for each channel, an optional relu, and rounding to int8, all
 * in one pass with AVX-512. Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int cells, channels;
    const float *x;              /* (cells, channels) */
    const float *gains, *shifts; /* (channels), already divided by the scales of y */
    const uint8_t *zero_points;  /* (channels) */
    bool relu;
    /* y = round(relu(x * gain + shift) + zero_point), limited to 0 to 255. NaN becomes the zero
     * point if `relu` is set, and otherwise 0. */
    uint8_t *y;
} Int8AffineCall;

bool int8_affine_can(void); /* whether backend_isa() has what int8_affine() needs */
void int8_affine(const Int8AffineCall *call);
