/* The two blocks of a transformer with norms before its layers (KataGo, version 1.17,
 * python/katago/train/model_pytorch.py). n is an RMS norm of each point (Zhang and Sennrich 2019).
 * - Attention between the points (Vaswani et al. 2017), whose queries and keys are rotated by the
 *   place of their point (Su et al. 2021, "RoFormer"). Several heads of queries may share one head
 *   of keys and values (Ainslie et al. 2023):
 *       y = x + W_out attention(rotate(W_qkv n(x)))
 * - A gated layer, SwiGLU (Shazeer 2020, "GLU variants improve transformer"):
 *       y = x + W_down (silu(W_up n(x)) * W_gate n(x)) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/arch/blocks/blocks.h"

static const double NORM_EPSILON = 1e-6;
static const double THETA = 100; /* see program_fixed_rotary() */
/* Learned frequencies begin between these bounds, evenly on a logarithmic scale. */
static const double FREQUENCY_MIN = 0.02, FREQUENCY_MAX = 1;
enum { USUAL_HEAD_CHANNELS = 32 };

/* The matrices begin with the standard deviation
 *     1 / sqrt(3 fan-in)
 * as in KataGo, where they are uniformly distributed from -1 / sqrt(fan-in) to 1 / sqrt(fan-in). */
static double matrix_deviation(void) {
    return -sqrt(1.0 / 6);
}

static AttentionShape shape_of(const BlockOptions *options, int channels) {
    AttentionShape shape;
    shape.heads = options->heads ? options->heads : channels / USUAL_HEAD_CHANNELS;
    if (shape.heads < 1) shape.heads = 1;
    shape.kv_heads = options->kv_heads ? options->kv_heads : shape.heads;
    int even = channels / shape.heads / 2 * 2;
    shape.query_channels = options->query ? options->query : even > 2 ? even : 2;
    shape.value_channels = options->value ? options->value : shape.query_channels;
    return shape;
}

static void set_random(float *rates, AttentionShape shape, int index) {
    Rng rng = rng_seeded((uint64_t)index + 1);
    for (int i = 0; i < shape.kv_heads * (shape.query_channels / 2) * 2; i++) {
        double size = FREQUENCY_MIN * pow(FREQUENCY_MAX / FREQUENCY_MIN, rng_uniform(&rng));
        rates[i] = (float)(rng_below(&rng, 2) ? size : -size);
    }
}

static Value add_rotary(NetBuilder *builder, const BlockOptions *options, int index,
                        AttentionShape shape, Value x) {
    if (options->rotary == ROTARY_NONE) return x;
    size_t count = (size_t)shape.kv_heads * (size_t)(shape.query_channels / 2) * 2;
    float *rates = calloc(count + 1, sizeof *rates);
    if (!rates) return program_rotary(builder->program, "", -1, shape, NULL, false);
    if (options->rotary == ROTARY_FIXED)
        program_fixed_rotary(THETA, shape, rates);
    else
        set_random(rates, shape, index);
    x = program_rotary(builder->program, builder_layer(index, "rotary").text, x, shape, rates,
                       options->rotary == ROTARY_LEARNED);
    free(rates);
    return x;
}

Value block_attention(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    Program *program = builder->program;
    int channels = builder->settings->channels;
    AttentionShape shape = shape_of(options, channels);
    int wide = (shape.heads + shape.kv_heads) * shape.query_channels +
               shape.kv_heads * shape.value_channels;
    Value y = program_rms_norm(program, builder_layer(index, "norm").text, x, NORM_EPSILON, false);
    y = program_dense(program, builder_layer(index, "qkv").text, y, wide, matrix_deviation());
    y = add_rotary(builder, options, index, shape, y);
    y = program_attention(program, y, shape);
    y = program_dense(program, builder_layer(index, "out").text, y, channels, matrix_deviation());
    return program_add(program, x, y);
}

Value block_swiglu(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    Program *program = builder->program;
    int channels = builder->settings->channels;
    int inner = builder_inner_channels(builder, options->inner, (8 * channels / 3 + 7) / 8 * 8);
    Value n = program_rms_norm(program, builder_layer(index, "norm").text, x, NORM_EPSILON, false),
          up =
              program_dense(program, builder_layer(index, "up").text, n, inner, matrix_deviation()),
          gate = program_dense(program, builder_layer(index, "gate").text, n, inner,
                               matrix_deviation());
    up = program_activation(program, up, ACTIVATION_SILU);
    Value y = program_dense(program, builder_layer(index, "down").text,
                            program_multiply(program, up, gate), channels, matrix_deviation());
    return program_add(program, x, y);
}
