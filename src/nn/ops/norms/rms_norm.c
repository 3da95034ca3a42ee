/* RMS norm (Zhang and Sennrich 2019, "Root mean square layer normalization"):
 *     y = x * r * gain   with r = 1 / sqrt(mean of x^2 + epsilon)
 * The mean is over the channels of one row. With `whole_board` it is over the channels of all cells
 * on the mask. y is 0 off the mask. For backward let m be the number of elements of one mean, and
 * let s be the sum of dy * gain * x over these elements:
 *     dx = r * (dy * gain - x * r^2 * s / m)
 *     dgain = sum of dy * x * r over all rows on the mask */
#include <math.h>

#include "nn/ops/op.h"

static size_t saved(const Op *op, int n, int cells) {
    size_t rows = op->shape == KIND_SPATIAL ? (size_t)cells : (size_t)(op->rows > 1 ? op->rows : 1);
    return (size_t)n * rows; /* r; with `whole_board` only the first row of a sample has it */
}

/* Returns how many rows share a mean: all rows of a sample, or one. */
static size_t group_of(const OpCall *call) {
    return call->op->whole_board ? (size_t)call->rows : 1;
}

static bool is_on(const OpCall *call, size_t row) {
    return call->op->shape != KIND_SPATIAL || call->mask[row] != 0;
}

OP_LOOP static double sum_squares(size_t count, const float *x) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)x[i] * (double)x[i];
    return sum;
}

/* Returns the number of elements of one mean. */
static double elements_of(const OpCall *call, size_t group) {
    double channels = call->op->channels;
    return call->op->whole_board ? channels * (double)call->area[group] : channels;
}

static void forward(const OpCall *call) {
    size_t channels = (size_t)call->op->channels, together = group_of(call),
           groups = (size_t)call->n * (size_t)call->rows / together;
    const float *gain = call->parameters[0];
    for (size_t g = 0; g < groups; g++) {
        double sum = 0;
        for (size_t row = g * together; row < (g + 1) * together; row++) {
            if (is_on(call, row)) sum += sum_squares(channels, call->x[0] + row * channels);
        }
        float r = (float)(1 / sqrt(sum / elements_of(call, g) + (double)call->op->epsilon));
        call->saved[g * together] = r;
        for (size_t row = g * together; row < (g + 1) * together; row++) {
            const float *x = call->x[0] + row * channels;
            float *y = call->y + row * channels, on = is_on(call, row) ? r : 0;
            for (size_t c = 0; c < channels; c++)
                y[c] = x[c] * on * gain[c];
        }
    }
}

OP_LOOP static double sum_products(size_t count, const float *a, const float *b, const float *c) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)(a[i] * b[i] * c[i]);
    return sum;
}

OP_LOOP static void add_gains(size_t count, float r, const float *restrict x,
                              const float *restrict dy, float *restrict gradient) {
    for (size_t c = 0; c < count; c++)
        gradient[c] += dy[c] * x[c] * r;
}

OP_LOOP static void add_slopes(size_t count, float r, float correction, const float *restrict x,
                               const float *restrict gain, const float *restrict dy,
                               float *restrict dx) {
    for (size_t c = 0; c < count; c++)
        dx[c] += r * (dy[c] * gain[c] - x[c] * correction);
}

static void backward_row(const OpCall *call, size_t row, float r, float correction) {
    size_t channels = (size_t)call->op->channels;
    const float *x = call->x[0] + row * channels, *dy = call->dy + row * channels;
    if (call->gradients[0]) add_gains(channels, r, x, dy, call->gradients[0]);
    if (call->dx[0])
        add_slopes(channels, r, correction, x, call->parameters[0], dy,
                   call->dx[0] + row * channels);
}

static void backward(const OpCall *call) {
    size_t channels = (size_t)call->op->channels, together = group_of(call),
           groups = (size_t)call->n * (size_t)call->rows / together;
    op_begin_gradient(call, 0);
    for (size_t g = 0; g < groups; g++) {
        float r = call->saved[g * together];
        double sum = 0;
        for (size_t row = g * together; row < (g + 1) * together; row++) {
            if (is_on(call, row))
                sum += sum_products(channels, call->dy + row * channels, call->parameters[0],
                                    call->x[0] + row * channels);
        }
        float correction = (float)((double)r * (double)r * sum / elements_of(call, g));
        for (size_t row = g * together; row < (g + 1) * together; row++) {
            if (is_on(call, row)) backward_row(call, row, r, correction);
        }
    }
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    if (!(op->epsilon > 0 && op->epsilon <= 1) || (op->whole_board && op->shape != KIND_SPATIAL))
        return "an RMS norm needs an epsilon above 0 and at most 1, and with whole_board also a "
               "spatial input";
    parameters[0] = (ParameterSpec){
        .name = "gain", .rank = 1, .dims = {op->channels}, .trained = true, .init = INIT_ONE};
    return NULL;
}

static const OpField FIELDS[] = {OP_FIELD("epsilon", OP_FIELD_REAL, epsilon),
                                 OP_FIELD("whole_board", OP_FIELD_BOOL, whole_board),
                                 {0}};

const OpClass OP_CLASS_RMS_NORM = {.word = "rms_norm",
                                   .phrase = "an RMS norm",
                                   .inputs = 1,
                                   .fields = FIELDS,
                                   .shape = shape,
                                   .saved = saved,
                                   .forward = forward,
                                   .backward = backward};
