/* transformer_net.h - small nets with one block of attention and one gated block, for tests that
 * compare fast code with the definition: random layouts of the heads, channels, boards and masks. */
#pragma once
#include "nn/graph/net.h"
#include "test.h"

enum { PLANES = 4, BATCH = 5 };

typedef struct {
    AttentionShape heads;
    int channels, inner, height, width, count;
    bool rotated, gate_first, branch;
    bool head; /* the net ends with two more layers, with biases, activations and masks */
} Layout;

static inline Layout layout_drawn(Rng *rng) {
    Layout layout = {.channels = 16 * (1 + rng_below(rng, 3)),
                     .inner = 16 * (1 + rng_below(rng, 4)),
                     .height = 6 + rng_below(rng, 8),
                     .width = 6 + rng_below(rng, 8),
                     .count = 1 + rng_below(rng, BATCH),
                     .rotated = rng_below(rng, 4) > 0,
                     .gate_first = rng_below(rng, 2),
                     .branch = rng_below(rng, 4) == 0};
    layout.heads.kv_heads = 1 + rng_below(rng, 2);
    layout.heads.heads = layout.heads.kv_heads * (1 + rng_below(rng, 3));
    layout.heads.query_channels = 16 * (1 + rng_below(rng, 3));
    layout.heads.value_channels = 16 * (1 + rng_below(rng, 2));
    return layout;
}

static inline Value attention_block(Program *program, const Layout *layout, Value x) {
    AttentionShape a = layout->heads;
    int channels = (a.heads + a.kv_heads) * a.query_channels + a.kv_heads * a.value_channels;
    Value y = program_dense(program, "qkv", program_rms_norm(program, "norm", x, 1e-3, false),
                            channels, -1);
    if (layout->rotated) y = program_rotary(program, "rotary", y, a, NULL, true);
    y = program_dense(program, "out", program_attention(program, y, a), layout->channels, -1);
    return program_add(program, x, y);
}

static inline Value gated_block(Program *program, const Layout *layout, Value x) {
    Value norm = program_rms_norm(program, "norm2", x, 1e-3, false);
    const char *first = layout->gate_first ? "gate" : "up",
               *second = layout->gate_first ? "up" : "gate";
    Value a = program_dense(program, first, norm, layout->inner, -1),
          b = program_dense(program, second, norm, layout->inner, -1),
          up = layout->gate_first ? b : a, gate = layout->gate_first ? a : b;
    Value y = program_multiply(program, program_activation(program, up, ACTIVATION_SILU), gate);
    y = program_dense(program, "down", y, layout->channels, -1);
    if (layout->branch) y = program_add(program, y, norm); /* another reader of the input */
    return program_add(program, x, y);
}

static inline Net *net_of(const Layout *layout, Rng *rng) {
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, PLANES);
    program_set_mask(program, planes, 0);
    Value x = program_conv(program, "start", planes, layout->channels, 1, -1);
    x = gated_block(program, layout, attention_block(program, layout, x));
    if (layout->head) {
        x = program_mask(
            program, program_activation(program, program_bias(program, "b1", x), ACTIVATION_MISH));
        x = program_conv(program, "c1", x, layout->inner, 1, -1);
        x = program_mask(
            program, program_activation(program, program_bias(program, "b2", x), ACTIVATION_MISH));
        x = program_conv(program, "c2", x, layout->channels, 1, -1);
    }
    program_output(program, "y", x);
    EXPECT_OK(program_status(program, err));
    EXPECT_OK(net_new(program, rng, &net, err));
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        for (size_t i = 0; strstr(spec->name, "rates") && i < spec->count; i++)
            net_values(net, p)[i] = (float)rng_uniform(rng);
        for (size_t i = 0; spec->rank == 1 && i < spec->count; i++)
            net_values(net, p)[i] += (float)(0.3 * rng_uniform(rng));
    }
    return net;
}

/* Draws the planes of all samples. At least half of each board is on the mask. */
static inline void draw_planes(const Layout *layout, float *x, Rng *rng) {
    int cells = layout->height * layout->width;
    for (int i = 0; i < BATCH * cells; i++, x += PLANES) {
        x[0] = i % cells < cells / 2 || rng_below(rng, 3) > 0;
        for (int c = 1; c < PLANES; c++)
            x[c] = x[0] * (float)rng_normal(rng);
    }
}

/* Returns the length of the difference, divided by the length of `want` or by `least`, whichever is
 * larger. */
static inline double distance(const float *want, const float *got, size_t count, double least) {
    double squares = 0, length = 0;
    for (size_t i = 0; i < count; i++) {
        squares += pow((double)want[i] - (double)got[i], 2);
        length += pow((double)want[i], 2);
    }
    return sqrt(squares) / fmax(sqrt(length), least);
}
