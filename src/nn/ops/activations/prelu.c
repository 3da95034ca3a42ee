/* Parametric ReLU (He et al. 2015, "Delving deep into rectifiers", section 2.1), with a slope a for
 * each channel:
 *     y = x for x > 0, else a x
 *     dx = dy for x > 0, else a dy
 *     da = sum of x dy over all x <= 0
 * The slopes decay as biases do, that is, by default not at all. They start at 1/4, as in this
 * paper, unless program_prelu() says otherwise. */
#include "nn/ops/op.h"

OP_LOOP static void forward_rows(size_t rows, size_t channels, const float *x, const float *a,
                                 float *y) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < channels; c++) {
            float value = x[r * channels + c];
            y[r * channels + c] = value > 0 ? value : a[c] * value;
        }
    }
}

OP_LOOP static void backward_rows(size_t rows, size_t channels, const float *restrict x,
                                  const float *restrict a, const float *restrict dy,
                                  float *restrict dx, bool add) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < channels; c++) {
            size_t at = r * channels + c;
            dx[at] = (add ? dx[at] : 0) + (x[at] > 0 ? dy[at] : a[c] * dy[at]);
        }
    }
}

OP_LOOP static void sum_slopes(size_t rows, size_t channels, const float *restrict x,
                               const float *restrict dy, float *restrict gradient) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < channels; c++) {
            size_t at = r * channels + c;
            gradient[c] += x[at] > 0 ? 0 : x[at] * dy[at];
        }
    }
}

static void forward(const OpCall *call) {
    forward_rows((size_t)call->n * (size_t)call->rows, (size_t)call->op->channels, call->x[0],
                 call->parameters[0], call->y);
}

static void backward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, channels = (size_t)call->op->channels;
    if (call->gradients[0]) sum_slopes(rows, channels, call->x[0], call->dy, call->gradients[0]);
    if (call->dx[0])
        backward_rows(rows, channels, call->x[0], call->parameters[0], call->dy, call->dx[0],
                      !call->first[0]);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    parameters[0] = (ParameterSpec){.name = "slope",
                                    .rank = 1,
                                    .dims = {op->channels},
                                    .trained = true,
                                    .init = INIT_VALUE,
                                    .value = 0.25};
    return NULL;
}

const OpClass OP_CLASS_PRELU = {.word = "prelu",
                                .phrase = "a parametric ReLU",
                                .layer = "prelu",
                                .inputs = 1,
                                .in_place = true,
                                .shape = shape,
                                .forward = forward,
                                .backward = backward};
