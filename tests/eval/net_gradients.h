/* net_gradients.h - checks the gradients of a whole net by finite differences. */
#pragma once
#include "eval/arch/arch.h"
#include "eval/features/features.h"
#include "nn/learn/learn.h"
#include "test.h"

enum { SIZE = 5, BATCH = 2 };

/* The size of the buffer, and the size of the second board of the batch. The first board fills the
 * buffer. */
typedef struct {
    int height, width, rows, columns;
} GradientShape;

/* Adds a random number to every trained weight, because layers whose weights start at 0 would hide
 * the layers before them. */
static inline void move_all(Net *net) {
    Rng rng = rng_seeded(5);
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        float *values = net_values(net, i);
        for (size_t k = 0; k < spec->count && spec->trained; k++)
            values[k] += 0.1f * (float)(rng_uniform(&rng) - 0.5);
    }
}

static inline void fill_inputs(Learn *learn, const Program *program, GradientShape shape,
                               uint64_t seed) {
    Rng rng = rng_seeded(seed);
    int cells = shape.height * shape.width;
    float *planes = learn_input(learn, program_find_input(program, "planes")),
          *globals = learn_input(learn, program_find_input(program, "globals"));
    for (int i = 0; i < BATCH * cells; i++) {
        int row = i % cells / shape.width, column = i % shape.width;
        bool on = i < cells || (row < shape.rows && column < shape.columns);
        for (int k = 0; k < FEATURE_PLANES; k++)
            planes[i * FEATURE_PLANES + k] = on && (k == 0 || rng_below(&rng, 3) == 0);
    }
    for (int i = 0; i < BATCH * FEATURE_GLOBALS; i++)
        globals[i] = (float)(2 * rng_uniform(&rng) - 1);
}

static inline size_t output_count(const Program *program, int output, GradientShape shape) {
    const Op *op = program_op(program, program_output_value(program, output));
    return (size_t)(BATCH * program_rows(op->shape, op->rows, shape.height, shape.width)) *
           (size_t)op->channels;
}

/* Runs the net and returns the sum of all elements of its outputs, each multiplied by a random
 * factor. The factors are such that each output contributes about as much as any other. With
 * `gradients`, the gradients of the outputs are set to these factors. */
static inline double weighted_sum(Learn *learn, const Program *program, GradientShape shape,
                                  bool gradients) {
    Rng rng = rng_seeded(13);
    double sum = 0;
    EXPECT_OK(learn_forward(learn, BATCH, true, err));
    for (int i = 0; i < program_output_count(program); i++) {
        size_t count = output_count(program, i, shape);
        double part = 8 / sqrt((double)count);
        for (size_t k = 0; k < count; k++) {
            double weight = part * (2 * rng_uniform(&rng) - 1);
            sum += weight * (double)learn_output(learn, i)[k];
            if (gradients) learn_output_gradient(learn, i)[k] = (float)weight;
        }
    }
    return sum;
}

/* Moves the trained weights by `step` times a random direction, which is always the same. Returns
 * the scalar product of this direction and the gradient that `learn` has. */
static inline double move(Net *net, Learn *learn, double step) {
    const Program *program = net_program(net);
    Rng rng = rng_seeded(17);
    double along = 0;
    for (int i = 0; i < program_parameter_count(program); i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        for (size_t k = 0; k < spec->count && spec->trained; k++) {
            double direction = 2 * rng_uniform(&rng) - 1;
            net_values(net, i)[k] += (float)(step * direction);
            along += direction * (double)learn_gradient(learn, i)[k];
        }
    }
    return along;
}

/* Slopes of weighted_sum() along a random direction. */
typedef struct {
    double along; /* by the gradient */
    double found; /* by the difference of two steps, one to each side */
    double bend;  /* the slope to one side minus that to the other side */
} GradientCheck;

static inline GradientCheck check_gradient(Net *net, Learn *learn, GradientShape shape,
                                           uint64_t seed) {
    const double STEP = 2e-4;
    const Program *program = net_program(net);
    fill_inputs(learn, program, shape, seed);
    learn_clear_gradients(learn);
    double here = weighted_sum(learn, program, shape, true);
    EXPECT_OK(learn_backward(learn, err));
    double along = move(net, learn, STEP), above = weighted_sum(learn, program, shape, false);
    move(net, learn, -2 * STEP);
    double below = weighted_sum(learn, program, shape, false);
    move(net, learn, STEP);
    return (GradientCheck){along, (above - below) / (2 * STEP), (above + below - 2 * here) / STEP};
}

/* Checks that the gradient gives the same slope as the finite difference. If the slopes to both
 * sides differ, a step has crossed a kink, such as that of a maximum over the board. Then the check
 * is repeated with other inputs, up to ten times in all. `words` describes the net in messages. */
static inline void expect_gradients_of(Net *net, const char *words, double tolerance,
                                       GradientShape shape) {
    const LearnSetup setup = {
        .batch = BATCH, .height = shape.height, .width = shape.width, .precision = PRECISION_F32};
    Learn *learn;
    GradientCheck got = {0, 0, 1};
    EXPECT_OK(learn_new(net, &setup, &learn, err));
    for (uint64_t seed = 11; seed < 21; seed++) {
        got = check_gradient(net, learn, shape, seed);
        if (fabs(got.bend) <= tolerance * (1 + fabs(got.along))) break;
    }
    if (!(fabs(got.along - got.found) <= tolerance * (1 + fabs(got.along))))
        fail_msg("%s: %dx%d with %dx%d: the gradient is %g, the difference %g, the bend %g", words,
                 shape.width, shape.height, shape.columns, shape.rows, got.along, got.found,
                 got.bend);
    EXPECT_TRUE(fabs(got.along) > 1e-3);
    learn_free(learn);
}

/* Checks the gradients on buffers and boards of several shapes. If the net is for boards of 5 x 5
 * only, it checks them only on these boards. */
static inline void expect_gradients(Net *net, const char *words, double tolerance) {
    static const GradientShape SHAPES[] = {{5, 5, 5, 4}, {4, 7, 3, 3}, {6, 3, 2, 3}};
    if (program_only_side(net_program(net)) == SIZE) {
        expect_gradients_of(net, words, tolerance, (GradientShape){SIZE, SIZE, SIZE, SIZE});
        return;
    }
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++)
        expect_gradients_of(net, words, tolerance, SHAPES[i]);
}
