#include "nn/learn_chain.h"

#include "nn/op.h"

OP_LOOP static void forward_plain(size_t rows, size_t channels, const float *restrict x,
                                  const float *restrict bias, const float *mask,
                                  float *restrict y) {
    for (size_t r = 0; r < rows; r++, x += channels, y += channels) {
        float on = mask ? mask[r] : 1;
        for (size_t c = 0; c < channels; c++) {
            float value = x[c] + bias[c];
            y[c] = (value > 0 ? value : 0) * on;
        }
    }
}

OP_LOOP static void forward_gained(size_t rows, size_t channels, const float *restrict x,
                                   const float *restrict gain, const float *restrict bias,
                                   const float *mask, float *restrict y) {
    for (size_t r = 0; r < rows; r++, x += channels, y += channels) {
        float on = mask ? mask[r] : 1;
        for (size_t c = 0; c < channels; c++) {
            float value = x[c] * gain[c] + bias[c];
            y[c] = (value > 0 ? value : 0) * on;
        }
    }
}

OP_LOOP static void backward_plain(size_t rows, size_t channels, const float *restrict x,
                                   const float *restrict bias, const float *mask,
                                   const float *restrict dy, float *restrict dx, bool add,
                                   float *restrict bias_gradient) {
    for (size_t r = 0; r < rows; r++, x += channels, dy += channels, dx += channels) {
        float on = mask ? mask[r] : 1;
        for (size_t c = 0; c < channels; c++) {
            float slope = x[c] + bias[c] > 0 ? dy[c] * on : 0;
            bias_gradient[c] += slope;
            dx[c] = (add ? dx[c] : 0) + slope;
        }
    }
}

OP_LOOP static void backward_gained(size_t rows, size_t channels, const float *restrict x,
                                    const float *restrict gain, const float *restrict bias,
                                    const float *mask, const float *restrict dy,
                                    float *restrict dx, bool add, float *restrict gain_gradient,
                                    float *restrict bias_gradient) {
    for (size_t r = 0; r < rows; r++, x += channels, dy += channels, dx += channels) {
        float on = mask ? mask[r] : 1;
        for (size_t c = 0; c < channels; c++) {
            float slope = x[c] * gain[c] + bias[c] > 0 ? dy[c] * on : 0;
            bias_gradient[c] += slope;
            gain_gradient[c] += x[c] * slope;
            dx[c] = (add ? dx[c] : 0) + slope * gain[c];
        }
    }
}

void chain_forward(const ChainCall *call) {
    if (call->gain)
        forward_gained(call->rows, call->channels, call->x, call->gain, call->bias, call->mask,
                       call->y);
    else
        forward_plain(call->rows, call->channels, call->x, call->bias, call->mask, call->y);
}

void chain_backward(const ChainCall *call) {
    if (call->gain)
        backward_gained(call->rows, call->channels, call->x, call->gain, call->bias, call->mask,
                        call->dy, call->dx, call->add, call->gain_gradient, call->bias_gradient);
    else
        backward_plain(call->rows, call->channels, call->x, call->bias, call->mask, call->dy,
                       call->dx, call->add, call->bias_gradient);
}
