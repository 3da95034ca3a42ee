/* net_gradients.h - checks the gradients of a whole net by finite differences. */
#pragma once
#include "eval/arch/arch.h"
#include "eval/features/features.h"
#include "nn/learn/learn.h"
#include "test.h"

enum { SIZE = 5, CELLS = SIZE * SIZE, BATCH = 2 };

/* Moves every trained number, so that what starts at zero counts. */
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

static inline void fill_inputs(Learn *learn, const Program *program) {
    Rng rng = rng_seeded(11);
    bool whole = program_only_side(program) == SIZE;
    float *planes = learn_input(learn, program_find_input(program, "planes")),
          *globals = learn_input(learn, program_find_input(program, "globals"));
    for (int i = 0; i < BATCH * CELLS; i++) {
        /* the second board is one column narrower, if the net can read such a board */
        bool on = i / CELLS == 0 || i % SIZE < 4 || whole;
        for (int k = 0; k < FEATURE_PLANES; k++)
            planes[i * FEATURE_PLANES + k] = on && (k == 0 || rng_below(&rng, 3) == 0);
    }
    for (int i = 0; i < BATCH * FEATURE_GLOBALS; i++)
        globals[i] = (float)(2 * rng_uniform(&rng) - 1);
}

/* A weighted sum of the policy and the value; `gradients`: set them to the weights. */
static inline double weighted_sum(Learn *learn, const Program *program, bool gradients) {
    static const char *const OUTPUTS[] = {"policy", "value"};
    Rng rng = rng_seeded(13);
    double sum = 0;
    EXPECT_OK(learn_forward(learn, BATCH, true, err));
    for (int i = 0; i < 2; i++) {
        int output = program_find_output(program, OUTPUTS[i]);
        int rows = i == 0 ? CELLS : 1;
        int channels = program_op(program, program_output_value(program, output))->channels;
        for (int k = 0; k < BATCH * rows * channels; k++) {
            double weight = 2 * rng_uniform(&rng) - 1;
            sum += weight * (double)learn_output(learn, output)[k];
            if (gradients) learn_output_gradient(learn, output)[k] = (float)weight;
        }
    }
    return sum;
}

/* Moves all trained numbers by `step` along a random direction; returns the gradient along it. */
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

/* The gradient along a random direction against the difference of a weighted sum of outputs. */
static inline void expect_gradients(Net *net, double tolerance) {
    const LearnSetup setup = {
        .batch = BATCH, .height = SIZE, .width = SIZE, .precision = PRECISION_F32};
    const double STEP = 2e-4;
    Learn *learn;
    EXPECT_OK(learn_new(net, &setup, &learn, err));
    const Program *program = net_program(net);
    fill_inputs(learn, program);
    for (int i = 0; i < program_output_count(program); i++) {
        const Op *op = program_op(program, program_output_value(program, i));
        size_t count =
            (size_t)(BATCH * program_rows(op->shape, op->rows, SIZE, SIZE)) * (size_t)op->channels;
        memset(learn_output_gradient(learn, i), 0, count * sizeof(float));
    }
    learn_clear_gradients(learn);
    weighted_sum(learn, program, true);
    EXPECT_OK(learn_backward(learn, err));
    double along = move(net, learn, STEP), above = weighted_sum(learn, program, false);
    move(net, learn, -2 * STEP);
    double below = weighted_sum(learn, program, false);
    EXPECT_NEAR(along, (above - below) / (2 * STEP), tolerance * (1 + fabs(along)));
    EXPECT_TRUE(fabs(along) > 1e-3);
    learn_free(learn);
}
