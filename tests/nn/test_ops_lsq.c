/* Rounding with learned steps: values and gradients by hand, and the estimate of the gradient
 * against differences of a function without rounding that has this gradient. */
#include <math.h>

#include "nn/ops/lsq.h"
#include "op_bench.h"

/* The step is 0.5, and the levels go from -2 to 253. v = x / 0.5 is -6, -1.8, 0.6, 400 and 0.25.
 * The first is clipped to -2 and the fourth to 253, so the levels are -2, -2, 1, 253 and 0. The
 * derivatives with respect to the step are -2, -2 + 1.8, 1 - 0.6, 253 and 0 - 0.25. Their sum is
 * 250.95. */
TEST(values_by_hand) {
    const float x[5] = {-3, -0.9f, 0.3f, 200, 0.125f}, dy[5] = {1, 1, 1, 1, 1};
    const float wanted[5] = {-1, -1, 0.5f, 126.5f, 0}, passed[5] = {0, 1, 1, 0, 1};
    float y[5], dx[5] = {10, 10, 10, 10, 10};
    lsq_forward(5, 0.5f, 2, 253, x, y);
    EXPECT_NEAR(250.95, lsq_backward(5, 0.5f, 2, 253, x, dy, dx, true), 1e-4);
    for (int i = 0; i < 5; i++) {
        EXPECT_NEAR(wanted[i], y[i], 1e-6);
        EXPECT_NEAR(10 + passed[i], dx[i], 1e-6);
    }
    EXPECT_NEAR(250.95, lsq_backward(5, 0.5f, 2, 253, x, dy, dx, false), 1e-4);
    EXPECT_NEAR(0, dx[0], 0);
    EXPECT_NEAR(250.95, lsq_backward(5, 0.5f, 2, 253, x, dy, NULL, false), 1e-4);
}

TEST(the_scale_of_the_gradient_by_hand) {
    EXPECT_NEAR(0.1, lsq_gradient_scale(20, 5), 1e-12); /* 1 / sqrt(20 * 5) */
}

TEST(steps_stay_positive_and_finite) {
    EXPECT_NEAR(1, lsq_step(0), 0);
    EXPECT_NEAR(0.5, lsq_step(logf(0.5f)), 1e-6);
    EXPECT_TRUE(lsq_step(-1e9f) > 0 && isfinite(lsq_step(1e9f)));
}

/* A number halfway between two levels is rounded to the even one. A number that is rounded already
 * does not change if it is rounded again. */
TEST(rounding_again_changes_nothing) {
    const float halves[4] = {0.5f, 1.5f, -0.5f, -2.5f};
    float y[64], again[64];
    lsq_forward(4, 1, 10, 10, halves, y);
    EXPECT_TRUE(y[0] == 0 && y[1] == 2 && y[2] == 0 && y[3] == -2);
    Rng rng = rng_seeded(2);
    for (int round = 0; round < 500; round++) {
        float step = lsq_step((float)(8 * rng_normal(&rng)));
        for (int i = 0; i < 64; i++)
            y[i] = step * 80 * (float)rng_normal(&rng);
        lsq_forward(64, step, 127, 127, y, y);
        lsq_forward(64, step, 127, 127, y, again);
        EXPECT_TRUE(memcmp(y, again, sizeof y) == 0);
    }
}

/* The estimate is the gradient of a function in which the rounding error e = round(v) - v of each
 * element is a constant. Within the range of the levels, y is then
 *     s (x / s + e) = x + s e
 * and elsewhere s times the lowest or the highest level. Returns the sum of dy * y over the
 * elements of the sample `only`, or over all samples if it is -1. In `errors`, -3 stands for an
 * element below the range, and 3 for one above it. */
static double loss_of(const Bench *bench, double log_step, const double *errors, double below,
                      double above, int only) {
    const OpCall *call = &bench->call;
    size_t elements = (size_t)call->rows * (size_t)bench->op.channels;
    double sum = 0, step = exp(log_step);
    for (size_t i = 0; i < bench->y_count; i++) {
        size_t b = i / elements;
        if (only >= 0 && b != (size_t)only) continue;
        double x = (double)bench->x[0][i], error = errors[i];
        double y = error > 2 ? step * above : error < -2 ? -step * below : x + step * error;
        sum += (double)bench->dy[i] * y;
    }
    return sum;
}

TEST(the_estimate_is_a_gradient) {
    Rng rng = rng_seeded(9);
    for (int round = 0; round < 40; round++) {
        ValueKind shape = (ValueKind)rng_below(&rng, 3);
        Bench *bench = bench_new(OP_FAKE_QUANTIZE, shape, &rng);
        OpCall *call = &bench->call;
        double log_step = -5 + rng_normal(&rng), step = exp(log_step), errors[TENSOR_MAX],
               wanted = 0;
        bench->op.zero_point = rng_below(&rng, 256);
        bench->parameters[0][0] = (float)log_step;
        double below = bench->op.zero_point, above = 255 - below;
        size_t elements = (size_t)call->rows * (size_t)bench->op.channels;
        bench->y_count = elements * (size_t)call->n;
        call->area = bench->area;
        draw(&rng, bench->x[0], bench->y_count);
        draw(&rng, bench->dy, bench->y_count);
        draw_masks(bench, &rng);
        for (size_t i = 0; i < bench->y_count; i++) {
            double v = (double)bench->x[0][i] / step;
            errors[i] = v >= above ? 3 : v <= -below ? -3 : nearbyint(v) - v;
        }
        for (int b = 0; b < call->n; b++) {
            double count = shape == KIND_SPATIAL ? (double)bench->area[b] : call->rows, h = 1e-4,
                   slope = (loss_of(bench, log_step + h, errors, below, above, b) -
                            loss_of(bench, log_step - h, errors, below, above, b)) /
                           (2 * h);
            wanted += slope / sqrt(count * bench->op.channels * fmax(below, above));
        }
        call->dx[0] = bench->dx[0];
        call->first[0] = true;
        call->gradients[0] = bench->gradients[0];
        bench->gradients[0][0] = 1;
        op_class(OP_FAKE_QUANTIZE)->forward(call);
        op_class(OP_FAKE_QUANTIZE)->backward(call);
        EXPECT_NEAR(1 + wanted, bench->gradients[0][0], 2e-4 * (1 + fabs(wanted)));
        for (size_t i = 0; i < bench->y_count; i++)
            EXPECT_NEAR(fabs(errors[i]) > 2 ? 0 : bench->dy[i], bench->dx[0][i], 1e-6);
        free(bench);
    }
}

TEST(first_steps_and_zero_points) {
    Program *program;
    Op op = {.kind = OP_FAKE_QUANTIZE, .zero_point = 255};
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "x", KIND_VECTOR, 6);
    op.inputs[0] = x;
    Value y = program_add_op(program, "rounding", op);
    const ParameterSpec *spec = program_parameter(program, program_op(program, y)->parameters[0]);
    EXPECT_TEXT("rounding.log_step", spec->name);
    EXPECT_INT(1, spec->count);
    EXPECT_TRUE(spec->trained && !spec->decayed && spec->value == -4);
    Value z = program_add_op(program, "steps", (Op){.kind = OP_WEIGHT_STEP, .inputs = {x}});
    spec = program_parameter(program, program_op(program, z)->parameters[0]);
    EXPECT_TEXT("steps.log_step", spec->name);
    EXPECT_INT(6, spec->count);
    EXPECT_TRUE(spec->trained && !spec->decayed && spec->value == -6);
    const Op groups = {.kind = OP_WEIGHT_STEP, .inputs = {x}, .group = 32, .steps = 9};
    z = program_add_op(program, "groups", groups);
    EXPECT_INT(6 * 9, program_parameter(program, program_op(program, z)->parameters[0])->count);
    op.zero_point = 256;
    EXPECT_TRUE(program_add_op(program, "bad", op) < 0);
    program_free(program);
}

TEST_MAIN(RUN(values_by_hand), RUN(the_scale_of_the_gradient_by_hand),
          RUN(steps_stay_positive_and_finite), RUN(rounding_again_changes_nothing),
          RUN(the_estimate_is_a_gradient), RUN(first_steps_and_zero_points))
