/* The logarithm of a mixture of distributions (KataGo, python/katago/train/model_pytorch.py, the
 * score belief). x0 is a list whose channels are the logits of M distributions over its rows. x1 is
 * a vector with the logits of the weights of these distributions. For row i,
 *     y[i] = ln sum over m of softmax(x1)[m] softmax over rows(x0[., m])[i]
 * For backward let f[i, m] be the term of distribution m in this sum, divided by the sum. Let T be
 * the sum of dy over all rows:
 *     dx0[i, m] = dy[i] f[i, m] - softmax over rows(x0[., m])[i] G[m]
 *     dx1[m]    = G[m] - softmax(x1)[m] T
 *     G[m]      = sum over i of dy[i] f[i, m] */
#include <math.h>

#include "nn/ops/op.h"

enum { PARTS_MAX = 64 }; /* distributions of a mixture */

/* Returns the logarithm of the sum of exp(x[0]), exp(x[step]) ... */
static float log_sum_exp(const float *x, size_t count, size_t step) {
    float max = x[0], sum = 0;
    for (size_t i = 1; i < count; i++)
        max = fmaxf(max, x[i * step]);
    for (size_t i = 0; i < count; i++)
        sum += expf(x[i * step] - max);
    return max + logf(sum);
}

/* For each distribution of one sample: ln of its weight, and ln of the sum over its rows of
 * exp(logit). */
typedef struct {
    float weight[PARTS_MAX], sum[PARTS_MAX];
} Logs;

static Logs logs_of(const OpCall *call, size_t n) {
    size_t rows = (size_t)call->in_rows, parts = (size_t)call->in_channels[0];
    const float *x = call->x[0] + n * rows * parts, *weights = call->x[1] + n * parts;
    float total = log_sum_exp(weights, parts, 1);
    Logs logs;
    for (size_t m = 0; m < parts; m++) {
        logs.weight[m] = weights[m] - total;
        logs.sum[m] = log_sum_exp(x + m, rows, parts);
    }
    return logs;
}

static void forward(const OpCall *call) {
    size_t rows = (size_t)call->in_rows, parts = (size_t)call->in_channels[0];
    for (size_t n = 0; n < (size_t)call->n; n++) {
        const float *x = call->x[0] + n * rows * parts;
        float *y = call->y + n * rows;
        Logs logs = logs_of(call, n);
        for (size_t i = 0; i < rows; i++) {
            float terms[PARTS_MAX] = {0};
            for (size_t m = 0; m < parts; m++)
                terms[m] = logs.weight[m] + (x[i * parts + m] - logs.sum[m]);
            y[i] = log_sum_exp(terms, parts, 1);
        }
    }
}

static void backward_sample(const OpCall *call, size_t n) {
    size_t rows = (size_t)call->in_rows, parts = (size_t)call->in_channels[0];
    const float *x = call->x[0] + n * rows * parts, *y = call->y + n * rows,
                *dy = call->dy + n * rows;
    Logs logs = logs_of(call, n);
    float total = 0;
    for (size_t i = 0; i < rows; i++)
        total += dy[i];
    for (size_t m = 0; m < parts; m++) {
        float weight = logs.weight[m], sum = logs.sum[m], g = 0;
        for (size_t i = 0; i < rows; i++)
            g += dy[i] * expf(weight + (x[i * parts + m] - sum) - y[i]);
        for (size_t i = 0; call->dx[0] && i < rows; i++) {
            float *to = call->dx[0] + (n * rows + i) * parts + m, p = x[i * parts + m] - sum;
            *to = (call->first[0] ? 0 : *to) + dy[i] * expf(weight + p - y[i]) - g * expf(p);
        }
        if (!call->dx[1]) continue;
        float *to = call->dx[1] + n * parts + m;
        *to = (call->first[1] ? 0 : *to) + g - expf(weight) * total;
    }
}

static void backward(const OpCall *call) {
    for (size_t n = 0; n < (size_t)call->n; n++)
        backward_sample(call, n);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)parameters;
    bool good = op->shape == KIND_LIST && inputs[1]->shape == KIND_VECTOR &&
                op->channels == inputs[1]->channels && op->channels <= PARTS_MAX;
    op->channels = 1;
    return good ? NULL : "a list of at most 64 channels and a vector of as many were wanted";
}

const OpClass OP_CLASS_MIXTURE = {.word = "mixture",
                                  .phrase = "a mixture of distributions",
                                  .fixed_name = "mixture",
                                  .inputs = 2,
                                  .shape = shape,
                                  .forward = forward,
                                  .backward = backward};
