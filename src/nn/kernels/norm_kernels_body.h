/* norm_kernels_body.h - the code of the kernels of norm_kernels.h. norm_kernels.c includes it once
 * for each instruction set through kernel_variants.h, which defines KERNEL(name), KERNEL_TARGET and
 * KERNEL_NAME. The loops are written so that compilers vectorise them. */

/* Defines a function that sums an expression over the channels of a row. Sixteen partial sums make
 * the order of additions the same with every instruction set. */
#define KERNEL_SUM(name, term, ...)                                                                \
    KERNEL_TARGET static inline float KERNEL(name)(size_t count, __VA_ARGS__) {                    \
        float partial[16] = {0}, sum = 0.0f;                                                       \
        size_t whole = count / 16 * 16;                                                            \
        for (size_t at = 0; at < whole; at += 16) {                                                \
            for (size_t k = 0; k < 16; k++) {                                                      \
                size_t i = at + k;                                                                 \
                partial[k] += (term);                                                              \
            }                                                                                      \
        }                                                                                          \
        for (size_t i = whole; i < count; i++)                                                     \
            sum += (term);                                                                         \
        for (size_t k = 0; k < 16; k++)                                                            \
            sum += partial[k];                                                                     \
        return sum;                                                                                \
    }
KERNEL_SUM(sum, x[i], const float *x)
KERNEL_SUM(sum_squares, (x[i] - mean) * (x[i] - mean), const float *x, float mean)
KERNEL_SUM(sum_slopes, dy[i] * gain[i], const float *dy, const float *gain)
KERNEL_SUM(sum_products, dy[i] * gain[i] * (x[i] - mean), const float *dy, const float *gain,
           const float *x, float mean)
#undef KERNEL_SUM

/* Adds dy * (x - mean) * r to the gradient of the gain, for each channel of one row. */
KERNEL_TARGET static inline void KERNEL(add_gains)(size_t count, const float *restrict x,
                                                   const float *restrict dy, float mean, float r,
                                                   float *restrict gradient) {
    for (size_t c = 0; c < count; c++)
        gradient[c] += dy[c] * (x[c] - mean) * r;
}

/* Computes dx = dy * gain * r + x * slope + shift or, with `add`, adds this to dx. */
KERNEL_TARGET static inline void KERNEL(slopes)(size_t count, const float *restrict x,
                                                const float *restrict dy,
                                                const float *restrict gain, float r, float slope,
                                                float shift, bool add, float *restrict dx) {
    if (add) {
        for (size_t c = 0; c < count; c++)
            dx[c] += dy[c] * gain[c] * r + x[c] * slope + shift;
    } else {
        for (size_t c = 0; c < count; c++)
            dx[c] = dy[c] * gain[c] * r + x[c] * slope + shift;
    }
}

KERNEL_TARGET static void KERNEL(layer_norm)(const LayerNormCall *call) {
    size_t channels = call->channels;
    const float *restrict gain = call->gain, *restrict bias = call->bias;
    for (size_t row = 0; row < call->rows; row++) {
        const float *restrict x = call->x + row * channels;
        float *restrict y = call->y + row * channels;
        if (call->mask && call->mask[row] == 0.0f) {
            memset(y, 0, channels * sizeof *y);
            continue;
        }
        float mean = KERNEL(sum)(channels, x) / (float)channels,
              variance = KERNEL(sum_squares)(channels, x, mean) / (float)channels,
              r = 1.0f / sqrtf(variance + call->epsilon);
        for (size_t c = 0; c < channels; c++)
            y[c] = (x[c] - mean) * r * gain[c] + bias[c];
        if (!call->saved) continue;
        call->saved[2 * row] = mean;
        call->saved[2 * row + 1] = r;
    }
}

KERNEL_TARGET static void KERNEL(layer_norm_backward)(const LayerNormSlopes *call) {
    size_t channels = call->channels;
    for (size_t row = 0; row < call->rows; row++) {
        const float *restrict x = call->x + row * channels, *restrict dy =
                                                                call->dy + row * channels;
        float mean = call->saved[2 * row], r = call->saved[2 * row + 1];
        if (call->dx) {
            /* dx = r (g - mean of g - z * mean of (g z)) with g = dy * gain and z = (x - mean) r,
             * written as dy * gain * r + x * slope + shift */
            float mean_g = KERNEL(sum_slopes)(channels, dy, call->gain) / (float)channels,
                  product = KERNEL(sum_products)(channels, dy, call->gain, x, mean),
                  slope = -r * r * r * product / (float)channels;
            KERNEL(slopes)
            (channels, x, dy, call->gain, r, slope, -r * mean_g - slope * mean, call->add,
             call->dx + row * channels);
        }
        if (call->gain_gradient) KERNEL(add_gains)(channels, x, dy, mean, r, call->gain_gradient);
        float *restrict bias = call->bias_gradient;
        for (size_t c = 0; bias && c < channels; c++)
            bias[c] += dy[c];
    }
}

/* Returns 1 / sqrt(mean of x^2 + epsilon) over all cells on the mask of a sample. */
KERNEL_TARGET static float KERNEL(board_scale)(const RmsNormCall *call, int sample) {
    size_t cells = (size_t)call->cells, channels = (size_t)call->channels,
           first = (size_t)sample * cells;
    double sum = 0.0, elements = (double)call->area[sample] * (double)channels;
    for (size_t row = first; row < first + cells; row++) {
        if (call->mask && call->mask[row] == 0.0f) continue;
        sum += (double)KERNEL(sum_squares)(channels, call->x + row * channels, 0.0f);
    }
    return 1.0f / sqrtf((float)(sum / elements) + call->epsilon);
}

KERNEL_TARGET static void KERNEL(rms_norm)(const RmsNormCall *call) {
    size_t channels = (size_t)call->channels;
    const float *restrict gain = call->gain;
    float r = 0.0f;
    for (int row = 0; row < call->samples * call->cells; row++) {
        const float *restrict x = call->x + (size_t)row * channels;
        float *restrict y = call->y + (size_t)row * channels;
        bool first = row % call->cells == 0;
        if (call->area && first) r = KERNEL(board_scale)(call, row / call->cells);
        if (call->area && first && call->saved) call->saved[row] = r;
        if (call->mask && call->mask[row] == 0.0f) {
            memset(y, 0, channels * sizeof *y);
            continue;
        }
        if (!call->area) {
            float mean = KERNEL(sum_squares)(channels, x, 0.0f) / (float)channels;
            r = 1.0f / sqrtf(mean + call->epsilon);
            if (call->saved) call->saved[row] = r;
        }
        for (size_t c = 0; c < channels; c++)
            y[c] = x[c] * r * gain[c];
    }
}

/* Returns the mean of dy * gain * x over all cells on the mask of a sample. */
KERNEL_TARGET static double KERNEL(board_product)(const RmsNormSlopes *call, int sample) {
    size_t cells = (size_t)call->cells, channels = (size_t)call->channels,
           first = (size_t)sample * cells;
    double sum = 0.0;
    for (size_t row = first; row < first + cells; row++) {
        if (call->mask && call->mask[row] == 0.0f) continue;
        sum += (double)KERNEL(sum_products)(channels, call->dy + row * channels, call->gain,
                                            call->x + row * channels, 0.0f);
    }
    return sum / ((double)call->area[sample] * (double)channels);
}

KERNEL_TARGET static void KERNEL(rms_norm_backward)(const RmsNormSlopes *call) {
    size_t channels = (size_t)call->channels;
    float r = 0.0f, mean = 0.0f;
    for (int row = 0; row < call->samples * call->cells; row++) {
        const float *x = call->x + (size_t)row * channels, *dy = call->dy + (size_t)row * channels;
        float *dx = call->dx ? call->dx + (size_t)row * channels : NULL;
        if (call->area && row % call->cells == 0) {
            r = call->saved[row];
            mean = (float)KERNEL(board_product)(call, row / call->cells);
        }
        if (call->mask && call->mask[row] == 0.0f) {
            if (dx && !call->add) memset(dx, 0, channels * sizeof *dx);
            continue;
        }
        if (!call->area) {
            r = call->saved[row];
            mean = KERNEL(sum_products)(channels, dy, call->gain, x, 0.0f) / (float)channels;
        }
        if (dx)
            KERNEL(slopes)(channels, x, dy, call->gain, r, -r * r * r * mean, 0.0f, call->add, dx);
        if (call->gain_gradient) KERNEL(add_gains)(channels, x, dy, 0.0f, r, call->gain_gradient);
    }
}

static const NormKernels KERNEL(table) = {KERNEL_NAME, KERNEL(layer_norm),
                                          KERNEL(layer_norm_backward), KERNEL(rms_norm),
                                          KERNEL(rms_norm_backward)};
