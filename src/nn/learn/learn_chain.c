#include "nn/learn/learn_chain.h"

#include "nn/ops/op.h"

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

enum { BLOCK = 16 }; /* channels whose sums stay in registers */

/* Runs `width` channels of all rows, beginning with channel `first`. `width` is at most BLOCK and a
 * constant in each caller, so that the compiler can unroll the loops over it. */
static inline void backward_few(const ChainCall *call, size_t first, size_t width, bool add) {
    size_t channels = call->channels;
    const float *restrict x = call->x + first, *restrict dy = call->dy + first;
    float *restrict dx = call->dx + first;
    float gain[BLOCK], bias[BLOCK], gain_sum[BLOCK], bias_sum[BLOCK];
    for (size_t c = 0; c < width; c++) {
        gain[c] = call->gain ? call->gain[first + c] : 1;
        bias[c] = call->bias[first + c];
        gain_sum[c] = call->gain ? call->gain_gradient[first + c] : 0;
        bias_sum[c] = call->bias_gradient[first + c];
    }
    for (size_t r = 0; r < call->rows; r++, x += channels, dy += channels, dx += channels) {
        float on = call->mask ? call->mask[r] : 1;
        for (size_t c = 0; c < width; c++) {
            float slope = x[c] * gain[c] + bias[c] > 0 ? dy[c] * on : 0;
            bias_sum[c] += slope;
            gain_sum[c] += x[c] * slope;
            dx[c] = (add ? dx[c] : 0) + slope * gain[c];
        }
    }
    for (size_t c = 0; c < width; c++) {
        if (call->gain) call->gain_gradient[first + c] = gain_sum[c];
        call->bias_gradient[first + c] = bias_sum[c];
    }
}

OP_LOOP static void backward_written(const ChainCall *call, size_t first) {
    backward_few(call, first, BLOCK, false);
}

OP_LOOP static void backward_added(const ChainCall *call, size_t first) {
    backward_few(call, first, BLOCK, true);
}

OP_LOOP static void backward_half_block_written(const ChainCall *call, size_t first) {
    backward_few(call, first, BLOCK / 2, false);
}

OP_LOOP static void backward_half_block_added(const ChainCall *call, size_t first) {
    backward_few(call, first, BLOCK / 2, true);
}

static void backward_one(const ChainCall *call, size_t c) {
    float gain = call->gain ? call->gain[c] : 1, bias = call->bias[c];
    for (size_t r = 0; r < call->rows; r++) {
        size_t at = r * call->channels + c;
        float x = call->x[at], on = call->mask ? call->mask[r] : 1,
              slope = x * gain + bias > 0 ? call->dy[at] * on : 0;
        call->bias_gradient[c] += slope;
        if (call->gain) call->gain_gradient[c] += x * slope;
        call->dx[at] = (call->add ? call->dx[at] : 0) + slope * gain;
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
    size_t first = 0;
    for (; first + BLOCK <= call->channels; first += BLOCK)
        (call->add ? backward_added : backward_written)(call, first);
    for (; first + BLOCK / 2 <= call->channels; first += BLOCK / 2)
        (call->add ? backward_half_block_added : backward_half_block_written)(call, first);
    for (; first < call->channels; first++)
        backward_one(call, first);
}
