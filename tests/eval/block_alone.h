/* block_alone.h - runs one block of a trunk on a small board, with given weights and inputs. */
#pragma once
#include "eval/arch/arch.h"
#include "eval/arch/blocks/blocks.h"
#include "eval/arch/trunk.h"
#include "nn/infer/infer.h"
#include "test.h"

/* Returns a net of one or more blocks of 8 channels. `block` describes them as in a trunk:
 * "ffn(inner=4)". Its parameters are 0, except those whose names contain "scale.gain": these gains
 * of norms are 1.
 * `*program` is set to the net's program, which the net owns. */
static inline Net *block_alone(const char *block, Program **program) {
    ArchSettings settings;
    Trunk trunk;
    Net *net;
    char words[200];
    Rng rng = rng_seeded(1);
    snprintf(words, sizeof words, "c8,trunk=%s", block);
    EXPECT_OK(arch_parse(words, &settings, err));
    EXPECT_OK(trunk_of(&settings, &trunk, err));
    EXPECT_OK(program_new(program, err));
    Value x = program_input(*program, "planes", KIND_SPATIAL, 8);
    NetBuilder builder = {.program = *program,
                          .settings = &settings,
                          .planes = x,
                          .encoders = trunk_encoders(&trunk)};
    program_set_mask(*program, x, 0);
    for (int i = 0; i < trunk.count; i++)
        x = trunk_build_block(&builder, &trunk.blocks[i], i, x);
    program_output(*program, "out", x);
    EXPECT_OK(net_new(*program, &rng, &net, err));
    for (int i = 0; i < program_parameter_count(*program); i++) {
        const ParameterSpec *spec = program_parameter(*program, i);
        if (strstr(spec->name, "scale.gain")) continue;
        memset(net_values(net, i), 0, spec->count * sizeof(float));
    }
    return net;
}

static inline float *values_named(Net *net, const char *name) {
    const Program *program = net_program(net);
    for (int i = 0; i < program_parameter_count(program); i++) {
        if (strcmp(program_parameter(program, i)->name, name) == 0) return net_values(net, i);
    }
    fail_msg("the net has no %s", name);
    return NULL;
}

/* Runs the net on a board of side x side points, in a buffer that has one column more. At points of
 * the board, channel 0 (the mask) and channel 2 are 1, and channel 1 has `numbers`, row by row. All
 * other inputs are 0. */
static inline Infer *run_block(const Net *net, int side, const float *numbers) {
    Infer *infer;
    const InferSetup setup = {.batch = 1, .height = side, .width = side + 1};
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    float *x = infer_input(infer, 0);
    memset(x, 0, (size_t)(side * (side + 1)) * 8 * sizeof *x);
    for (int i = 0; i < side * side; i++) {
        float *cell = x + (i / side * (side + 1) + i % side) * 8;
        cell[0] = cell[2] = 1;
        cell[1] = numbers[i];
    }
    EXPECT_OK(infer_run(infer, 1, err));
    return infer;
}

/* Does the same as run_block(). Also checks that the result is 0 at the point to the right of the
 * first row, which is off the board. */
static inline Infer *run_alone(const Net *net, int side, const float *numbers) {
    Infer *infer = run_block(net, side, numbers);
    for (int c = 0; c < 8; c++)
        EXPECT_NEAR(0, infer_output(infer, 0)[side * 8 + c], 0);
    return infer;
}

/* Returns the eight channels of point i in the output; points are numbered row by row. */
static inline const float *point_of(Infer *infer, int side, int i) {
    return infer_output(infer, 0) + (i / side * (side + 1) + i % side) * 8;
}
