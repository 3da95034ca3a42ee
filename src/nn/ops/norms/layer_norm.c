/* Layer norm (Ba, Kiros and Hinton 2016, "Layer normalization", equations 3 and 4). Mean and
 * variance are those over the channels of one row:
 *     y = z * gain + bias   with z = (x - mean) * r and r = 1 / sqrt(variance + epsilon)
 *     dx = r * (g - mean of g - z * mean of (g * z))   with g = dy * gain
 *     dgain = sum of dy * z over all rows
 *     dbias = sum of dy over all rows
 * The same formula applies off the board, where a row of zeros becomes the bias. A net has a mask
 * after the norm where that matters. */
#include <math.h>

#include "nn/ops/op.h"

typedef struct {
    float mean, r;
} Statistics;

/* Forward keeps two numbers for each row: its mean and its r. */
static size_t saved(const Op *op, int n, int cells) {
    return 2 * (size_t)n * (size_t)op_rows(op, 1, cells);
}

static Statistics statistics_of(size_t channels, const float *x, double epsilon) {
    double sum = 0, squares = 0, count = (double)channels;
    for (size_t c = 0; c < channels; c++)
        sum += (double)x[c];
    double mean = sum / count;
    for (size_t c = 0; c < channels; c++)
        squares += ((double)x[c] - mean) * ((double)x[c] - mean);
    return (Statistics){(float)mean, (float)(1 / sqrt(squares / count + epsilon))};
}

static void forward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, channels = (size_t)call->op->channels;
    const float *gain = call->parameters[0], *bias = call->parameters[1];
    for (size_t row = 0; row < rows; row++) {
        const float *x = call->x[0] + row * channels;
        float *y = call->y + row * channels;
        Statistics of_row = statistics_of(channels, x, (double)call->op->epsilon);
        call->saved[2 * row] = of_row.mean;
        call->saved[2 * row + 1] = of_row.r;
        for (size_t c = 0; c < channels; c++)
            y[c] = (x[c] - of_row.mean) * of_row.r * gain[c] + bias[c];
    }
}

static void add_gradients(const OpCall *call, size_t row, Statistics of_row) {
    size_t channels = (size_t)call->op->channels;
    const float *x = call->x[0] + row * channels, *dy = call->dy + row * channels;
    float *gain = call->gradients[0], *bias = call->gradients[1];
    for (size_t c = 0; gain && c < channels; c++)
        gain[c] += dy[c] * (x[c] - of_row.mean) * of_row.r;
    for (size_t c = 0; bias && c < channels; c++)
        bias[c] += dy[c];
}

static void backward_row(const OpCall *call, size_t row, Statistics of_row) {
    size_t channels = (size_t)call->op->channels;
    const float *gain = call->parameters[0], *x = call->x[0] + row * channels,
                *dy = call->dy + row * channels;
    float *dx = call->dx[0] + row * channels;
    double sum = 0, product = 0;
    for (size_t c = 0; c < channels; c++) {
        float g = dy[c] * gain[c], z = (x[c] - of_row.mean) * of_row.r;
        sum += (double)g;
        product += (double)g * (double)z;
    }
    float mean_g = (float)(sum / (double)channels), mean_gz = (float)(product / (double)channels);
    for (size_t c = 0; c < channels; c++) {
        float g = dy[c] * gain[c], z = (x[c] - of_row.mean) * of_row.r;
        dx[c] = (call->first[0] ? 0 : dx[c]) + of_row.r * (g - mean_g - z * mean_gz);
    }
}

static void backward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows;
    for (size_t row = 0; row < rows; row++) {
        Statistics of_row = {call->saved[2 * row], call->saved[2 * row + 1]};
        add_gradients(call, row, of_row);
        if (call->dx[0]) backward_row(call, row, of_row);
    }
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    if (!(op->epsilon > 0 && op->epsilon <= 1))
        return "a layer norm needs an epsilon above 0 and at most 1";
    parameters[0] = (ParameterSpec){
        .name = "gain", .rank = 1, .dims = {op->channels}, .trained = true, .init = INIT_ONE};
    parameters[1] = (ParameterSpec){
        .name = "bias", .rank = 1, .dims = {op->channels}, .trained = true, .init = INIT_ZERO};
    return NULL;
}

static const OpField FIELDS[] = {OP_FIELD("epsilon", OP_FIELD_REAL, epsilon), {0}};

const OpClass OP_CLASS_LAYER_NORM = {.word = "layer_norm",
                                     .phrase = "a layer norm",
                                     .inputs = 1,
                                     .fields = FIELDS,
                                     .in_place = true,
                                     .shape = shape,
                                     .saved = saved,
                                     .forward = forward,
                                     .backward = backward};
