#include "nn/kernels/infer_kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "nn/backends/backend.h"
#if defined(__x86_64__)
#include "nn/kernels/avx512.h"
#include "nn/kernels/int8/int8_activation.h"
#endif

float infer_activate(Activation activation, float x) {
    switch (activation) {
    case ACTIVATION_IDENTITY:
        break;
    case ACTIVATION_RELU:
        return x > 0.0f ? x : 0.0f;
    case ACTIVATION_MISH:
        return x * tanhf(x > 20.0f ? x : log1pf(expf(x)));
    case ACTIVATION_SILU:
        return x / (1.0f + expf(-x));
    case ACTIVATION_TANH:
        return tanhf(x);
    }
    return x;
}

void infer_mask_int8(uint8_t *values, const float *mask, int rows, const uint8_t *zero_points,
                     size_t channels) {
    for (int i = 0; i < rows; i++, values += channels) {
        if (mask[i] == 0.0f) memcpy(values, zero_points, channels);
    }
}

void infer_mask_rows(void *values, const float *mask, int rows, size_t row_bytes) {
    unsigned char *row = values;
    for (int i = 0; i < rows; i++, row += row_bytes) {
        if (mask[i] == 0.0f) memset(row, 0, row_bytes);
    }
}

#if defined(__x86_64__)
/* The variant for AVX-512 has this function instead of that of infer_kernels_body.h. */
static void avx512_elementwise_int8(const ElementwiseCall *call, uint8_t *y) {
    size_t channels = (size_t)call->channels, values = (size_t)call->cells * channels;
    float *gains = call->scratch, *shifts = gains + channels;
    for (size_t n = 0; n < (size_t)call->samples; n++) {
        const float *add = call->vector_add ? call->vector_add + n * channels : NULL,
                    *mul = call->vector_mul ? call->vector_mul + n * channels : NULL;
        for (size_t c = 0; c < channels && (!n || add || mul); c++) {
            gains[c] = (call->scale ? call->scale[c] : 1.0f) * (mul ? mul[c] : 1.0f);
            shifts[c] = (call->bias ? call->bias[c] : 0.0f) + (add ? add[c] : 0.0f);
        }
        int8_activation(&(Int8ActivationCall){.cells = call->cells,
                                              .channels = call->channels,
                                              .x = call->x + n * values,
                                              .gains = gains,
                                              .shifts = shifts,
                                              .activation = call->activation,
                                              .inverse_scales = call->inverse_scales,
                                              .zero_points = call->zero_points,
                                              .y = y + n * values});
    }
    if (call->mask)
        infer_mask_int8(y, call->mask, call->samples * call->cells, call->zero_points, channels);
}
#endif

#define KERNEL_BODY "nn/kernels/infer_kernels_body.h"
#include "nn/kernels/kernel_variants.h"

const InferKernels *infer_kernels_select(void) {
#if defined(__x86_64__)
    if (backend_isa() >= ISA_AVX512) return &avx512_table;
    if (backend_isa() >= ISA_AVX2) return &avx2_table;
#endif
    return &generic_table;
}
