/* infer_kernels_body.h - the code of the kernels of infer_kernels.h. infer_kernels.c includes it
 * once for each instruction set through kernel_variants.h, which defines KERNEL(name), KERNEL_NAME,
 * KERNEL_TARGET, KERNEL_FMA(a, b, c) = a * b + c and, for AVX-512, KERNEL_IS_AVX512. The loops over
 * channels are written so that compilers vectorise them. */

#include "nn/ops/activations/activation_body.h"

KERNEL_TARGET static inline float KERNEL(store_float)(float x) {
    return x;
}

KERNEL_TARGET static inline uint16_t KERNEL(store_bf16)(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (uint16_t)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

/* Defines a pass over all cells of a sample: y = store(activate(x * s + b + residual)), where s and
 * b are (channels). Off the mask, y is 0. */
#define KERNEL_PASS(name, type, store, activate)                                                   \
    KERNEL_TARGET static void KERNEL(name)(const ElementwiseCall *call, int sample,                \
                                           const float *restrict s, const float *restrict b,       \
                                           type *restrict y) {                                     \
        int channels = call->channels;                                                             \
        for (int cell = 0; cell < call->cells; cell++) {                                           \
            size_t at = ((size_t)sample * (size_t)call->cells + (size_t)cell) * (size_t)channels;  \
            const float *restrict x = call->x + at;                                                \
            const float *restrict r = call->residual ? call->residual + at : NULL;                 \
            type *restrict to = y + at;                                                            \
            if (call->mask && call->mask[sample * call->cells + cell] == 0.0f) {                   \
                memset(to, 0, (size_t)channels * sizeof *to);                                      \
            } else if (r) {                                                                        \
                for (int c = 0; c < channels; c++) {                                               \
                    to[c] = KERNEL(store)(KERNEL(activate)(x[c] * s[c] + b[c] + r[c]));            \
                }                                                                                  \
            } else {                                                                               \
                for (int c = 0; c < channels; c++) {                                               \
                    to[c] = KERNEL(store)(KERNEL(activate)(x[c] * s[c] + b[c]));                   \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

KERNEL_PASS(pass_identity, float, store_float, identity)
KERNEL_PASS(pass_relu, float, store_float, relu)
KERNEL_PASS(pass_mish, float, store_float, mish)
KERNEL_PASS(pass_silu, float, store_float, silu)
KERNEL_PASS(pass_tanh, float, store_float, tanh)
KERNEL_PASS(bf16_identity, uint16_t, store_bf16, identity)
KERNEL_PASS(bf16_relu, uint16_t, store_bf16, relu)
KERNEL_PASS(bf16_mish, uint16_t, store_bf16, mish)
KERNEL_PASS(bf16_silu, uint16_t, store_bf16, silu)
KERNEL_PASS(bf16_tanh, uint16_t, store_bf16, tanh)
#undef KERNEL_PASS

/* Writes to call->scratch the factors of one sample's channels, followed by the summands. */
KERNEL_TARGET static void KERNEL(sample_affine)(const ElementwiseCall *call, int sample) {
    int channels = call->channels;
    float *restrict s = call->scratch;
    float *restrict b = call->scratch + channels;
    const float *add =
        call->vector_add ? call->vector_add + (size_t)sample * (size_t)channels : NULL;
    const float *mul =
        call->vector_mul ? call->vector_mul + (size_t)sample * (size_t)channels : NULL;
    for (int c = 0; c < channels; c++) {
        s[c] = (call->scale ? call->scale[c] : 1.0f) * (mul ? mul[c] : 1.0f);
        b[c] = (call->bias ? call->bias[c] : 0.0f) + (add ? add[c] : 0.0f);
    }
}

KERNEL_TARGET static void KERNEL(elementwise)(const ElementwiseCall *call, float *y) {
    for (int sample = 0; sample < call->samples; sample++) {
        if (!sample || call->vector_add || call->vector_mul) KERNEL(sample_affine)(call, sample);
        const float *s = call->scratch, *b = call->scratch + call->channels;
        switch (call->activation) {
        case ACTIVATION_IDENTITY:
            KERNEL(pass_identity)(call, sample, s, b, y);
            break;
        case ACTIVATION_RELU:
            KERNEL(pass_relu)(call, sample, s, b, y);
            break;
        case ACTIVATION_MISH:
            KERNEL(pass_mish)(call, sample, s, b, y);
            break;
        case ACTIVATION_SILU:
            KERNEL(pass_silu)(call, sample, s, b, y);
            break;
        case ACTIVATION_TANH:
            KERNEL(pass_tanh)(call, sample, s, b, y);
            break;
        }
    }
}

KERNEL_TARGET static void KERNEL(elementwise_bf16)(const ElementwiseCall *call, uint16_t *y) {
    for (int sample = 0; sample < call->samples; sample++) {
        if (!sample || call->vector_add || call->vector_mul) KERNEL(sample_affine)(call, sample);
        const float *s = call->scratch, *b = call->scratch + call->channels;
        switch (call->activation) {
        case ACTIVATION_IDENTITY:
            KERNEL(bf16_identity)(call, sample, s, b, y);
            break;
        case ACTIVATION_RELU:
            KERNEL(bf16_relu)(call, sample, s, b, y);
            break;
        case ACTIVATION_MISH:
            KERNEL(bf16_mish)(call, sample, s, b, y);
            break;
        case ACTIVATION_SILU:
            KERNEL(bf16_silu)(call, sample, s, b, y);
            break;
        case ACTIVATION_TANH:
            KERNEL(bf16_tanh)(call, sample, s, b, y);
            break;
        }
    }
}

#ifdef KERNEL_IS_AVX512
/* int8_activation() does the work, because compilers vectorise this rounding badly. */
KERNEL_TARGET static void KERNEL(elementwise_int8)(const ElementwiseCall *call, uint8_t *y) {
    size_t values = (size_t)call->cells * (size_t)call->channels;
    for (int sample = 0; sample < call->samples; sample++) {
        if (!sample || call->vector_add || call->vector_mul) KERNEL(sample_affine)(call, sample);
        int8_activation(&(Int8ActivationCall){.cells = call->cells,
                                              .channels = call->channels,
                                              .x = call->x + (size_t)sample * values,
                                              .gains = call->scratch,
                                              .shifts = call->scratch + call->channels,
                                              .activation = call->activation,
                                              .inverse_scales = call->inverse_scales,
                                              .zero_points = call->zero_points,
                                              .y = y + (size_t)sample * values});
    }
    if (call->mask)
        infer_mask_int8(y, call->mask, call->samples * call->cells, call->zero_points,
                        (size_t)call->channels);
}
#else
/* Defines the pass of KERNEL_PASS, but with int8 results and without residual. Off the mask, y is
 * the zero point. */
#define KERNEL_INT8(name, activate)                                                                \
    KERNEL_TARGET static void KERNEL(name)(const ElementwiseCall *call, int sample,                \
                                           const float *restrict s, const float *restrict b,       \
                                           uint8_t *restrict y) {                                  \
        int channels = call->channels;                                                             \
        const float *restrict inverse_scales = call->inverse_scales;                               \
        const uint8_t *restrict zero_points = call->zero_points;                                   \
        for (int cell = 0; cell < call->cells; cell++) {                                           \
            size_t at = ((size_t)sample * (size_t)call->cells + (size_t)cell) * (size_t)channels;  \
            const float *restrict x = call->x + at;                                                \
            uint8_t *restrict to = y + at;                                                         \
            if (call->mask && call->mask[sample * call->cells + cell] == 0.0f) {                   \
                memcpy(to, zero_points, (size_t)channels);                                         \
                continue;                                                                          \
            }                                                                                      \
            for (int c = 0; c < channels; c++) {                                                   \
                float q = KERNEL(activate)(x[c] * s[c] + b[c]) * inverse_scales[c] +               \
                          (float)zero_points[c];                                                   \
                q = q > 0.0f ? q : 0.0f; /* NaN also becomes 0 */                                  \
                q = q < 255.0f ? q : 255.0f;                                                       \
                to[c] = (uint8_t)(int)(q + 0.5f);                                                  \
            }                                                                                      \
        }                                                                                          \
    }
KERNEL_INT8(int8_identity, identity)
KERNEL_INT8(int8_relu, relu)
KERNEL_INT8(int8_mish, mish)
KERNEL_INT8(int8_silu, silu)
KERNEL_INT8(int8_tanh, tanh)
#undef KERNEL_INT8

KERNEL_TARGET static void KERNEL(elementwise_int8)(const ElementwiseCall *call, uint8_t *y) {
    for (int sample = 0; sample < call->samples; sample++) {
        if (!sample || call->vector_add || call->vector_mul) KERNEL(sample_affine)(call, sample);
        const float *s = call->scratch, *b = call->scratch + call->channels;
        switch (call->activation) {
        case ACTIVATION_IDENTITY:
            KERNEL(int8_identity)(call, sample, s, b, y);
            break;
        case ACTIVATION_RELU:
            KERNEL(int8_relu)(call, sample, s, b, y);
            break;
        case ACTIVATION_MISH:
            KERNEL(int8_mish)(call, sample, s, b, y);
            break;
        case ACTIVATION_SILU:
            KERNEL(int8_silu)(call, sample, s, b, y);
            break;
        case ACTIVATION_TANH:
            KERNEL(int8_tanh)(call, sample, s, b, y);
            break;
        }
    }
}
#endif

/* Keeps sixteen partial sums, so that the order of additions is the same for every instruction
 * set. */
KERNEL_TARGET static void KERNEL(small_conv)(const SmallConvCall *call) {
    int in = call->in_channels, out = call->out_channels, whole = in / 16 * 16;
    for (int row = 0; row < call->samples * call->cells; row++) {
        const float *x = call->x + (size_t)row * (size_t)in;
        bool off = call->mask && call->mask[row] == 0.0f;
        for (int o = 0; o < out; o++) {
            const float *w = call->weights + (size_t)o * (size_t)in;
            float partial[16] = {0}, sum = call->bias ? call->bias[o] : 0.0f;
            for (int i = 0; i < whole; i += 16) {
                for (int k = 0; k < 16; k++)
                    partial[k] += x[i + k] * w[i + k];
            }
            for (int i = whole; i < in; i++)
                sum += x[i] * w[i];
            for (int k = 0; k < 16; k++)
                sum += partial[k];
            call->y[(size_t)row * (size_t)out + (size_t)o] =
                off ? 0.0f : infer_activate(call->activation, sum);
        }
    }
}

KERNEL_TARGET static void KERNEL(pool)(const PoolCall *call) {
    size_t channels = (size_t)call->channels;
    for (int sample = 0; sample < call->samples; sample++) {
        const float *x = call->x + (size_t)sample * (size_t)call->cells * channels;
        const float *mask = call->mask ? call->mask + (size_t)sample * (size_t)call->cells : NULL;
        float *restrict mean = call->y + (size_t)sample * 3 * channels;
        float *restrict second = mean + channels, *restrict third = second + channels;
        bool maximum = call->pool == POOL_MEAN_SCALE_MAX;
        for (size_t c = 0; c < channels; c++)
            mean[c] = 0.0f, third[c] = maximum ? -FLT_MAX : 0.0f;
        for (int cell = 0; cell < call->cells; cell++) {
            const float *restrict row = x + (size_t)cell * channels;
            if (mask && mask[cell] == 0.0f) continue;
            for (size_t c = 0; c < channels; c++) {
                mean[c] += row[c];
                if (maximum) third[c] = row[c] > third[c] ? row[c] : third[c];
            }
        }
        float area = call->area[sample], edge = sqrtf(area) - 14.0f;
        float inverse_area = area > 0.0f ? 1.0f / area : 0.0f;
        for (size_t c = 0; c < channels; c++) {
            mean[c] *= inverse_area;
            second[c] = mean[c] * (edge / 10.0f);
            if (!maximum)
                third[c] = mean[c] * (edge * edge / 100.0f - 0.1f);
            else if (area <= 0.0f)
                third[c] = 0.0f;
        }
    }
}

KERNEL_TARGET static void KERNEL(multiply)(size_t count, const float *restrict a,
                                           const float *restrict b, float *restrict y) {
    for (size_t i = 0; i < count; i++)
        y[i] = a[i] * b[i];
}

/* Computes the exponentials of a softmax. `stride` is a multiple of 16; elements from `count` on
 * become 0. */
KERNEL_TARGET static void KERNEL(softmax_exp)(int rows, int count, int stride, float *restrict x,
                                              float *restrict sums) {
    for (int row = 0; row < rows; row++, x += stride) {
        float partial[16] = {0}, max = x[0], sum = 0.0f;
        for (int i = count; i < stride; i++)
            x[i] = x[0];
        for (int k = 0; k < 16; k++)
            partial[k] = x[0];
        for (int i = 0; i < stride; i += 16) {
            _Pragma("GCC unroll 1") for (int k = 0; k < 16; k++) partial[k] =
                x[i + k] > partial[k] ? x[i + k] : partial[k];
        }
        for (int k = 0; k < 16; k++) {
            max = partial[k] > max ? partial[k] : max;
            partial[k] = 0.0f;
        }
        for (int i = count; i < stride; i++)
            x[i] = -INFINITY;
        for (int i = 0; i < stride; i += 16) {
            for (int k = 0; k < 16; k++) {
                float e = KERNEL(exp)(x[i + k] - max);
                x[i + k] = e;
                partial[k] += e;
            }
        }
        for (int i = count; i < stride; i++)
            x[i] = 0.0f; /* KERNEL(exp)(-infinity) is not 0 but 1e-38 */
        for (int k = 0; k < 16; k++)
            sum += partial[k];
        sums[row] = sum;
    }
}

KERNEL_TARGET static void KERNEL(gemm)(int rows, int depth, int columns, const float *restrict a,
                                       const float *restrict b, float *restrict c) {
    for (int row = 0; row < rows; row++, a += depth, c += columns) {
        for (int j = 0; j < columns; j++)
            c[j] = 0.0f;
        for (int k = 0; k < depth; k++) {
            const float *restrict right = b + (size_t)k * (size_t)columns;
            float left = a[k];
            for (int j = 0; j < columns; j++)
                c[j] += left * right[j];
        }
    }
}

static const InferKernels KERNEL(table) = {
    KERNEL_NAME,        KERNEL(elementwise), KERNEL(elementwise_bf16), KERNEL(elementwise_int8),
    KERNEL(small_conv), KERNEL(pool),        KERNEL(multiply),         KERNEL(softmax_exp),
    KERNEL(gemm)};
