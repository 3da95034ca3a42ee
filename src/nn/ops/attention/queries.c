/* The products of queries with the keys of all points, as in attention before the softmax (Vaswani
 * et al. 2017, section 3.2.1). x0 is spatial and has for each point i a key of d channels. x1 is a
 * vector of P queries, each of d channels. The output has P channels:
 *     y[i, p] = sum over j of x0[i, j] x1[p d + j] / sqrt(d)
 * The gradients are
 *     dx0[i, j]      = sum over p of dy[i, p] x1[p d + j] / sqrt(d)
 *     dx1[p d + j]   = sum over i of dy[i, p] x0[i, j] / sqrt(d) */
#include <math.h>

#include "nn/ops/op.h"

static void forward(const OpCall *call) {
    size_t rows = (size_t)call->rows, keys = (size_t)call->in_channels[0],
           queries = (size_t)call->op->channels;
    float scale = 1 / sqrtf((float)keys);
    for (size_t n = 0; n < (size_t)call->n; n++) {
        for (size_t i = 0; i < rows; i++) {
            const float *key = call->x[0] + (n * rows + i) * keys;
            for (size_t p = 0; p < queries; p++)
                call->y[(n * rows + i) * queries + p] =
                    scale * op_dot(keys, key, call->x[1] + (n * queries + p) * keys);
        }
    }
}

static void backward(const OpCall *call) {
    size_t rows = (size_t)call->rows, keys = (size_t)call->in_channels[0],
           queries = (size_t)call->op->channels;
    float scale = 1 / sqrtf((float)keys);
    op_begin_gradient(call, 0);
    for (size_t n = 0; n < (size_t)call->n; n++) {
        const float *query = call->x[1] + n * queries * keys;
        float *dquery = call->dx[1] ? call->dx[1] + n * queries * keys : NULL;
        for (size_t k = 0; dquery && call->first[1] && k < queries * keys; k++)
            dquery[k] = 0;
        for (size_t i = 0; i < rows; i++) {
            const float *key = call->x[0] + (n * rows + i) * keys,
                        *dy = call->dy + (n * rows + i) * queries;
            float *dkey = call->dx[0] ? call->dx[0] + (n * rows + i) * keys : NULL;
            for (size_t p = 0; p < queries; p++) {
                if (dkey) op_add_scaled(keys, scale * dy[p], query + p * keys, dkey);
                if (dquery) op_add_scaled(keys, scale * dy[p], key, dquery + p * keys);
            }
        }
    }
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)parameters;
    int keys = op->channels;
    bool good = op->shape == KIND_SPATIAL && inputs[1]->shape == KIND_VECTOR &&
                inputs[1]->channels % keys == 0;
    op->channels = inputs[1]->channels / keys;
    if (good) return NULL;
    return "a spatial input and a vector are wanted, and the channels of the vector must be a "
           "multiple of the channels of the spatial input";
}

static double multiply_adds(const Op *op, int in_channels, int rows, int cells) {
    (void)cells;
    return (double)rows * in_channels * op->channels;
}

const OpClass OP_CLASS_QUERIES = {.word = "queries",
                                  .phrase = "queries to points",
                                  .fixed_name = "queries",
                                  .inputs = 2,
                                  .shape = shape,
                                  .multiply_adds = multiply_adds,
                                  .forward = forward,
                                  .backward = backward};
