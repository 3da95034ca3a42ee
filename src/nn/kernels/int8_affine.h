/* int8_affine.h - a gain and a shift by channel, relu, and rounding to bytes in one pass, for
 * AVX-512. Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int cells, channels;
    const float *x;              /* (cells, channels) */
    const float *gains, *shifts; /* (channels); rates may be in them */
    const uint8_t *zero_points;  /* (channels) */
    bool relu;
    uint8_t *y; /* round(relu(x * gain + shift) + zero), within 0 to 255; of what is no number the
                   least that there is */
} Int8AffineCall;

bool int8_affine_can(void); /* by backend_isa() */
void int8_affine(const Int8AffineCall *call);
