/* int8_affine.h - applies a gain and a shift by channel and relu, and rounds to int8, in one pass
 * with AVX-512. Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int cells, channels;
    const float *x;              /* (cells, channels) */
    const float *gains, *shifts; /* (channels); they may include inverse scales */
    const uint8_t *zero_points;  /* (channels) */
    bool relu;
    /* round(relu(x * gain + shift) + zero_point), limited to 0 to 255; NaN becomes the smallest
     * value that can occur */
    uint8_t *y;
} Int8AffineCall;

bool int8_affine_can(void); /* whether the function exists, by backend_isa() */
void int8_affine(const Int8AffineCall *call);
