/* conv_case.h - a convolution of random values, and its results by the definition of the op. */
#pragma once
#include "base/rng.h"
#include "nn/kernels/conv/conv_bf16.h"
#include "nn/ops/op_table.h"
#include "test.h"

typedef struct {
    ConvBf16Setup setup;
    int n;
    size_t x_count, y_count, w_count;
    /* The kernel under test writes y, dx and gradient. The definition writes y2, dx2 and gradient2,
     * which begin with the same values. */
    float *x, *y, *w, *dy, *dx, *gradient, *y2, *dx2, *gradient2;
} Case;

/* Rounds to the nearest bf16, ties to even. */
static inline float rounded(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits + 0x7fffu + (bits >> 16 & 1u)) & 0xffff0000u;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

static inline float *drawn(Rng *rng, size_t count, bool round) {
    float *values = calloc(count, sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < count; i++)
        values[i] = round ? rounded((float)rng_normal(rng)) : (float)rng_normal(rng);
    return values;
}

static inline float *copied(const float *values, size_t count) {
    float *copy = malloc(count * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, values, count * sizeof *copy);
    return copy;
}

/* Draws a case. With `round`, x, w and dy are numbers that bf16 represents. */
static inline Case case_new(Rng *rng, ConvBf16Setup setup, int n, bool round) {
    Case c = {.setup = setup, .n = n};
    size_t cells = (size_t)(n * setup.height * setup.width);
    c.x_count = cells * (size_t)setup.in_channels;
    c.y_count = cells * (size_t)setup.out_channels;
    c.w_count = (size_t)(setup.out_channels * setup.in_channels * setup.kernel * setup.kernel);
    c.x = drawn(rng, c.x_count, round);
    c.w = drawn(rng, c.w_count, round);
    c.dy = drawn(rng, c.y_count, round);
    c.y = drawn(rng, c.y_count, false); /* to be overwritten */
    c.dx = drawn(rng, c.x_count, false);
    c.gradient = drawn(rng, c.w_count, false);
    c.y2 = copied(c.y, c.y_count);
    c.dx2 = copied(c.dx, c.x_count);
    c.gradient2 = copied(c.gradient, c.w_count);
    return c;
}

static inline void case_free(Case *c) {
    float *const ALL[] = {c->x, c->y, c->w, c->dy, c->dx, c->gradient, c->y2, c->dx2, c->gradient2};
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++)
        free(ALL[i]);
}

/* Computes y2, dx2 and gradient2 by the definition. With `add`, the gradient of x is added to dx2;
 * otherwise it overwrites dx2. */
static inline void case_define(const Case *c, bool add) {
    const Op op = {.kind = OP_CONV,
                   .channels = c->setup.out_channels,
                   .kernel_h = c->setup.kernel,
                   .kernel_w = c->setup.kernel,
                   .dilation = 1};
    const Op input = {.shape = KIND_SPATIAL, .channels = c->setup.in_channels};
    OpCall call = op_call(&op, (const Op *[]){&input, NULL}, c->setup.height, c->setup.width);
    call.n = c->n;
    call.x[0] = c->x;
    call.parameters[0] = c->w;
    call.y = c->y2;
    call.dy = c->dy;
    call.dx[0] = c->dx2;
    call.first[0] = !add;
    call.gradients[0] = c->gradient2;
    op_class(OP_CONV)->forward(&call);
    op_class(OP_CONV)->backward(&call);
}

/* Fails if a value of `got` is off by more than
 *     rounding * sqrt(terms) * (1 + |wanted value|)
 * which is about the largest rounding error of a sum of `terms` terms. `rounding` is the relative
 * error of one term. */
static inline void case_compare(const char *what, const ConvBf16Setup *s, const float *want,
                                const float *got, size_t count, int terms, double rounding) {
    double tolerance = rounding * sqrt((double)terms);
    for (size_t i = 0; i < count; i++) {
        if (!(fabs((double)want[i] - (double)got[i]) <= tolerance * (1 + fabs((double)want[i]))))
            fail_msg(
                "%s: board %dx%d, %d to %d channels, kernel size %d: value %zu is %g, wanted %g",
                what, s->width, s->height, s->in_channels, s->out_channels, s->kernel, i,
                (double)got[i], (double)want[i]);
    }
}
