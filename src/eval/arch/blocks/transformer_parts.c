#include "eval/arch/blocks/transformer_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/arch/blocks/attention_maps.h"
#include "eval/arch/blocks/option_layers.h"

static const double THETA = 100; /* see program_fixed_rotary() */
/* Learned frequencies begin at random absolute values between these bounds, uniformly distributed
 * on a logarithmic scale, and with random signs. */
static const double FREQUENCY_MIN = 0.02, FREQUENCY_MAX = 1;
enum { USUAL_HEAD_CHANNELS = 32 };

/* Adds a matrix and a bias. */
static Value dense_with_bias(NetBuilder *builder, int index, const char *layer, Value x,
                             int channels, double deviation) {
    char bias[32];
    snprintf(bias, sizeof bias, "%.20sbias", layer);
    Value y =
        program_dense(builder->program, builder_layer(index, layer).text, x, channels, deviation);
    return program_bias(builder->program, builder_layer(index, bias).text, y);
}

/* The matrices begin with the standard deviation
 *     1 / sqrt(3 fan-in)
 * because KataGo's are uniformly distributed from -1 / sqrt(fan-in) to 1 / sqrt(fan-in). */
double transformer_deviation(const NetBuilder *builder, bool last) {
    bool fixup = builder->block && builder->block->norm == BLOCK_NORM_FIXUP;
    if (fixup && last) return 0;
    return -sqrt(1.0 / 6) / (fixup ? sqrt((double)builder->settings->blocks) : 1);
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

/* Returns the standard deviation sqrt(2 beta / (inputs + outputs)): Glorot's, with beta as a factor
 * of the variance. */
static double deep_deviation(double beta, int inputs, int outputs) {
    return sqrt(2 * beta / (inputs + outputs));
}

/* Adds a matrix and, with DeepNorm, a bias. `last` is true for the matrix that leads back to the
 * trunk. */
static Value add_dense(NetBuilder *builder, const DeepNorm *deep, double beta, int index,
                       const char *layer, Value x, int channels, bool last) {
    int inputs = program_op(builder->program, x)->channels;
    if (deep)
        return dense_with_bias(builder, index, layer, x, channels,
                               deep_deviation(beta, inputs, channels));
    return program_dense(builder->program, builder_layer(index, layer).text, x, channels,
                         transformer_deviation(builder, last));
}

/* Adds relu(W y)^2 with a square matrix W and, if `deep` is not NULL, a bias: relu(W y + c)^2. */
static Value add_process(NetBuilder *builder, const DeepNorm *deep, int index, Value y) {
    Program *program = builder->program;
    int channels = program_op(program, y)->channels;
    y = add_dense(builder, deep, deep ? deep->beta : 1, index, "process", y, channels, false);
    y = program_activation(program, y, ACTIVATION_RELU);
    return program_multiply(program, y, y);
}

Value transformer_attention(NetBuilder *builder, const BlockOptions *options, int index, Value x,
                            const DeepNorm *deep) {
    Program *program = builder->program;
    int channels = builder->settings->channels;
    AttentionShape shape = shape_of(options, channels);
    int queries = shape.heads * shape.query_channels, keys = shape.kv_heads * shape.query_channels,
        values = shape.kv_heads * shape.value_channels;
    if (x < 0) return -1;
    Value y;
    if (deep) { /* queries and keys begin with another variance than values */
        Value q = add_dense(builder, deep, 1, index, "q", x, queries, false),
              k = add_dense(builder, deep, 1, index, "k", x, keys, false),
              v = add_dense(builder, deep, deep->beta, index, "v", x, values, false);
        y = program_concat(program, program_concat(program, q, k), v);
    } else {
        y = add_dense(builder, NULL, 1, index, "qkv", x, queries + keys + values, false);
    }
    y = add_rotary(builder, options, index, shape, y);
    y = attention_with_terms(builder, options, index, shape, x, y);
    if (options->process && y >= 0) y = add_process(builder, deep, index, y);
    return y < 0 ? -1
                 : add_dense(builder, deep, deep ? deep->beta : 1, index, "out", y, channels, true);
}

DeepNorm deep_norm_of(const NetBuilder *builder) {
    double layers = builder->encoders > 0 ? builder->encoders : 1;
    return (DeepNorm){pow(2 * layers, -0.25), pow(8 * layers, -0.25)};
}

Value transformer_post_norm(NetBuilder *builder, const BlockOptions *options, int index,
                            const char *layer, Value x, Value branch) {
    char scale[32];
    snprintf(scale, sizeof scale, "%.20salpha", layer);
    if (options->dropout > 0)
        branch = program_add_op(
            builder->program, "",
            (Op){.kind = OP_DROPOUT, .inputs = {branch}, .rate = 0.01f * (float)options->dropout});
    branch = program_fixed_scale(builder->program, builder_layer(index, scale).text, branch,
                                 deep_norm_of(builder).alpha);
    return option_norm(builder, options, index, layer, program_add(builder->program, x, branch));
}

Value transformer_feed_forward(NetBuilder *builder, const BlockOptions *options, int index, Value x,
                               int inner, const DeepNorm *deep) {
    int channels = builder->settings->channels;
    if (x < 0) return -1;
    Value y = dense_with_bias(builder, index, "up", x, inner,
                              deep ? deep_deviation(deep->beta, channels, inner)
                                   : transformer_deviation(builder, false));
    y = option_activation(builder, options, index, "up", y);
    return dense_with_bias(builder, index, "down", y, channels,
                           deep ? deep_deviation(deep->beta, inner, channels)
                                : transformer_deviation(builder, true));
}
