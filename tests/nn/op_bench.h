/* op_bench.h - runs one op over random shapes and masks. It compares the op's backward with finite
 * differences of the op's forward. The loss is sum(dy * y), in double precision. */
#pragma once
#include "nn/graph/program.h"
#include "nn/ops/op_table.h"
#include "test.h"

enum { TENSOR_MAX = 4096 };

typedef struct {
    Op op;
    OpCall call;
    float x[2][TENSOR_MAX], parameters[4][TENSOR_MAX], dx[2][TENSOR_MAX], gradients[4][TENSOR_MAX];
    float y[TENSOR_MAX], dy[TENSOR_MAX], saved[TENSOR_MAX], mask[TENSOR_MAX], area[TENSOR_MAX],
        running[2][TENSOR_MAX];
    size_t x_counts[2], parameter_counts[4], y_count;
} Bench;

static inline void draw(Rng *rng, float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = (float)rng_normal(rng);
}

/* Draws a board size for each sample. Boards lie in the upper left corner of the buffer, as in
 * batches of mixed sizes. */
static inline void draw_masks(Bench *bench, Rng *rng) {
    int h = bench->call.height, w = bench->call.width;
    for (int b = 0; b < bench->call.n; b++) {
        int rows = 1 + rng_below(rng, h), columns = 1 + rng_below(rng, w);
        bench->area[b] = (float)(rows * columns);
        for (int r = 0; r < h * w; r++)
            bench->mask[b * h * w + r] = r / w < rows && r % w < columns;
    }
}

static inline Bench *bench_new(OpKind kind, ValueKind shape, Rng *rng) {
    Bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    int channels = 1 + rng_below(rng, 9), n = 1 + rng_below(rng, 3);
    bench->op = (Op){.kind = kind, .shape = shape, .channels = channels, .inputs = {0, -1}};
    OpCall *call = &bench->call;
    *call = (OpCall){.op = &bench->op,
                     .n = n,
                     .active = n,
                     .height = 2 + rng_below(rng, 4),
                     .width = 2 + rng_below(rng, 4),
                     .in_channels = {channels, channels},
                     .training = true};
    call->in_rows = call->rows = shape == KIND_SPATIAL ? call->height * call->width
                                 : shape == KIND_LIST  ? 1 + rng_below(rng, 6)
                                                       : 1;
    call->mask = bench->mask;
    call->area = bench->area;
    call->saved = bench->saved;
    call->y = bench->y;
    call->dy = bench->dy;
    for (int i = 0; i < 2; i++)
        call->x[i] = bench->x[i];
    for (int i = 0; i < 4; i++)
        call->parameters[i] = bench->parameters[i];
    draw_masks(bench, rng);
    return bench;
}

/* Sets the counts from the shapes, and draws inputs, parameters and dy. A sample of the second
 * input has `second_rows` rows. `parameter_counts` has 4 counts, or is NULL if the op has no
 * parameters. */
static inline void bench_fill(Bench *bench, Rng *rng, size_t inputs, size_t second_rows,
                              const size_t *parameter_counts) {
    const OpCall *call = &bench->call;
    bench->x_counts[0] = (size_t)(call->n * call->in_rows * call->in_channels[0]);
    bench->x_counts[1] =
        inputs > 1 ? (size_t)call->n * second_rows * (size_t)call->in_channels[1] : 0;
    bench->y_count = (size_t)(call->n * call->rows * bench->op.channels);
    assert_true(bench->x_counts[0] <= TENSOR_MAX && bench->y_count <= TENSOR_MAX);
    for (int i = 0; i < 2; i++)
        draw(rng, bench->x[i], bench->x_counts[i]);
    for (int i = 0; i < 4 && parameter_counts; i++)
        bench->parameter_counts[i] = parameter_counts[i];
    for (int i = 0; i < 4; i++)
        draw(rng, bench->parameters[i], bench->parameter_counts[i]);
    draw(rng, bench->dy, bench->y_count);
}

static inline double loss(Bench *bench) {
    double sum = 0;
    op_class(bench->op.kind)->forward(&bench->call);
    for (size_t i = 0; i < bench->y_count; i++)
        sum += (double)bench->dy[i] * (double)bench->y[i];
    return sum;
}

/* Compares `slopes`, the gradient of the loss with respect to `values`, with finite differences.
 * `before` has the elements of `slopes` as they were before backward added to them. */
static inline void compare(Bench *bench, float *values, const float *slopes, size_t count,
                           double before, double step, double tolerance) {
    for (size_t i = 0; i < count; i++) {
        float value = values[i], up = value + (float)step, down = value - (float)step;
        values[i] = up;
        double more = loss(bench);
        values[i] = down;
        double less = loss(bench);
        values[i] = value;
        EXPECT_NEAR((more - less) / ((double)up - (double)down) + before, slopes[i], tolerance);
    }
}

/* Checks that backward overwrites dx where `first` is true, adds to dx elsewhere, and always adds
 * to the gradients of parameters. So before backward all dx are 3 and all gradients 2. */
static inline void check_backward(Bench *bench, Rng *rng, double step, double tolerance) {
    OpCall *call = &bench->call;
    for (int i = 0; i < 2; i++) {
        call->first[i] = rng_below(rng, 2);
        call->dx[i] = bench->x_counts[i] ? bench->dx[i] : NULL;
        for (size_t k = 0; k < bench->x_counts[i]; k++)
            bench->dx[i][k] = 3;
    }
    for (int i = 0; i < 4; i++) {
        call->gradients[i] = bench->parameter_counts[i] ? bench->gradients[i] : NULL;
        for (size_t k = 0; k < bench->parameter_counts[i]; k++)
            bench->gradients[i][k] = 2;
    }
    loss(bench);
    op_class(bench->op.kind)->backward(call);
    for (int i = 0; i < 2; i++)
        compare(bench, bench->x[i], bench->dx[i], bench->x_counts[i], call->first[i] ? 0 : 3, step,
                tolerance);
    for (int i = 0; i < 4; i++)
        compare(bench, bench->parameters[i], bench->gradients[i], bench->parameter_counts[i], 2,
                step, tolerance);
}
