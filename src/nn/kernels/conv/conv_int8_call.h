/* conv_int8_call.h - what a convolution in int8 (conv_int8.h) is made from, and what a call of it
 * brings: shared by the kernels that do its parts. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int height, width, in_channels, out_channels, kernel; /* kernel is odd */
    const float *weights;                                 /* (out, kernel, kernel, in) */
    const float *bias;                                    /* (out); NULL: 0 */
    const float *input_scales;                            /* (in), > 0 */
    const uint8_t *input_zero_points;                     /* (in): the bytes that stand for 0 */
    bool winograd; /* by Winograd's tiles where the shape allows: faster, and coarser */
} ConvInt8Setup;

/* What happens to the sums of one board: y = relu(convolution + bias + residual), as floats or as
 * bytes round(y * rates + zeros), within 0 to 255. */
typedef struct {
    const uint8_t *x;      /* (height, width, in) */
    const float *residual; /* (height, width, out), may be y; NULL: 0 */
    bool relu;
    float *y;                    /* (height, width, out), or */
    uint8_t *y_int8;             /* the same, where y is NULL */
    const float *inverse_scales; /* of bytes: 1 / step, (out) */
    const uint8_t *zero_points;  /* of bytes, (out) */
} ConvInt8Call;
