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

#define KERNEL_BODY "nn/kernels/infer_kernels_body.h"
#include "nn/kernels/kernel_variants.h"

const InferKernels *infer_kernels_select(void) {
#if defined(__x86_64__)
    if (backend_isa() >= ISA_AVX512) return &avx512_table;
    if (backend_isa() >= ISA_AVX2) return &avx2_table;
#endif
    return &generic_table;
}
