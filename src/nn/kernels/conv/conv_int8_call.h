/* conv_int8_call.h - the setup of a convolution in int8 (conv_int8.h), and the arguments of a call,
 * which all files of this convolution share. Threading: types without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int height, width, in_channels, out_channels, kernel; /* kernel is odd */
    const float *weights;                                 /* (out, kernel, kernel, in) */
    const float *bias;                                    /* (out); NULL means 0 */
    const float *input_scales;                            /* (in), > 0 */
    const uint8_t *input_zero_points;                     /* (in) */
    bool winograd; /* use Winograd where the shape allows it: faster, but less exact */
} ConvInt8Setup;

/* The arguments for one board. The call computes
 *     y = relu(convolution of x + bias + residual)     (without `relu`, the sum itself)
 * and stores it as floats or as int8:
 *     y_int8 = round(y * inverse_scale + zero_point), limited to 0 to 255 */
typedef struct {
    const uint8_t *x;      /* (height, width, in) */
    const float *residual; /* (height, width, out), may be y; NULL means 0 */
    bool relu;
    float *y;                    /* (height, width, out); NULL means that y_int8 is stored */
    uint8_t *y_int8;             /* (height, width, out), if y is NULL */
    const float *inverse_scales; /* (out), of y_int8 */
    const uint8_t *zero_points;  /* (out), of y_int8 */
} ConvInt8Call;
