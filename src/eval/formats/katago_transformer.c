#include "eval/formats/katago_transformer.h"

#include <stdlib.h>

enum { HEADS_MAX = 256, HEAD_CHANNELS_MAX = 1024 };

static Value rms_norm(KatagoLayers *layers, LayerPrefix prefix, Value x,
                      const KatagoRmsNorm *norm) {
    if (!layers_fit(layers, x, norm->channels, 0, 0)) return -1;
    x = program_rms_norm(layers->program, layers_name(prefix, "norm").text, x, norm->epsilon,
                         norm->whole);
    layers_check(layers);
    layers_fill(layers, x, 0, norm->gamma);
    return x;
}

Value katago_rms_tip(KatagoLayers *layers, LayerPrefix prefix, Value x) {
    KatagoRmsNorm norm = katago_read_tip_rms_norm(layers->file);
    x = rms_norm(layers, prefix, x, &norm);
    if (x < 0) return -1;
    x = program_bias(layers->program, layers_name(prefix, "shift").text, x);
    layers_check(layers);
    layers_fill(layers, x, 0, norm.beta);
    x = layers_activation(layers, x);
    return x < 0 ? -1 : program_mask(layers->program, x);
}

static Value read_rotary(KatagoLayers *layers, LayerPrefix prefix, Value x, AttentionShape shape,
                         bool learned) {
    KatagoFile *file = layers->file;
    int pairs = shape.query_channels / 2;
    const float *rates = NULL;
    float *own = NULL;
    katago_read_name(file);
    if (learned) {
        katago_read_int(file, "the number of heads of keys", shape.kv_heads, shape.kv_heads);
        katago_read_int(file, "the number of pairs", pairs, pairs);
        katago_read_int(file, "the number of directions", 2, 2);
        rates = katago_read_floats(file, (size_t)shape.kv_heads * (size_t)pairs * 2);
    } else {
        double theta = katago_read_positive(file, "theta");
        rates = own = calloc((size_t)shape.kv_heads * (size_t)pairs * 2 + 1, sizeof *own);
        if (!own)
            katago_file_refuse(file, ERR_MEMORY, "no memory for its angles");
        else if (katago_file_good(file))
            program_fixed_rotary(theta, shape, own);
    }
    if (x >= 0 && katago_file_good(file)) {
        x = program_rotary(layers->program, layers_name(prefix, "rotary").text, x, shape, rates,
                           learned);
        layers_check(layers);
    }
    free(own);
    return x;
}

static void check_projections(KatagoLayers *layers, AttentionShape shape,
                              const KatagoMatrix projections[3]) {
    const int wanted[3] = {shape.heads * shape.query_channels,
                           shape.kv_heads * shape.query_channels,
                           shape.kv_heads * shape.value_channels};
    static const char *const NAMES[3] = {"queries", "keys", "values"};
    for (int i = 0; i < 3 && katago_file_good(layers->file); i++) {
        if (projections[i].out != wanted[i])
            katago_file_refuse(layers->file, ERR_SYNTAX,
                               "the map to %s writes %d channels, %d are wanted", NAMES[i],
                               projections[i].out, wanted[i]);
    }
}

Value katago_attention(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth) {
    (void)depth;
    KatagoFile *file = layers->file;
    int channels = layers_channels(layers, x);
    AttentionShape shape = {0};
    shape.heads = katago_read_int(file, "the number of heads", 1, HEADS_MAX);
    shape.kv_heads = katago_read_int(file, "the number of heads of keys", 1, HEADS_MAX);
    shape.query_channels =
        katago_read_int(file, "the channels of a head of queries", 1, HEAD_CHANNELS_MAX);
    shape.value_channels =
        katago_read_int(file, "the channels of a head of values", 1, HEAD_CHANNELS_MAX);
    bool rotary = katago_read_int(file, "whether places are encoded", 0, 1),
         learned = katago_read_int(file, "whether their encoding is learned", 0, 1);
    if (katago_file_good(file) && shape.heads % shape.kv_heads != 0)
        katago_file_refuse(file, ERR_SYNTAX, "%d heads are no multiple of %d heads of keys",
                           shape.heads, shape.kv_heads);
    if (katago_file_good(file) && rotary && shape.query_channels % 2 != 0)
        katago_file_refuse(
            file, ERR_SYNTAX,
            "a head of %d channels cannot be split into pairs for the rotary encoding",
            shape.query_channels);
    KatagoRmsNorm norm = katago_read_block_rms_norm(file);
    x = rms_norm(layers, prefix, x, &norm);
    KatagoMatrix projections[3];
    for (int i = 0; i < 3; i++)
        projections[i] = katago_read_matrix(file);
    check_projections(layers, shape, projections);
    x = layers_dense(layers, prefix, "qkv", x, projections, 3);
    KatagoMatrix out = katago_read_matrix(file);
    if (katago_file_good(file) && out.out != channels)
        katago_file_refuse(file, ERR_SYNTAX, "it writes %d channels, %d are wanted", out.out,
                           channels);
    if (rotary) x = read_rotary(layers, prefix, x, shape, learned);
    if (x < 0 || !katago_file_good(file)) return -1;
    x = program_attention(layers->program, x, shape);
    layers_check(layers);
    return layers_dense(layers, prefix, "out", x, &out, 1);
}

Value katago_feed_forward(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth) {
    (void)depth;
    KatagoFile *file = layers->file;
    int channels = layers_channels(layers, x);
    katago_read_int(file, "the number of channels", channels, channels);
    int inner = katago_read_int(file, "the number of inner channels", 1, KATAGO_CHANNELS_MAX);
    int gated = katago_read_int(file, "whether it is gated", 0, 1);
    if (katago_file_good(file) && !gated)
        katago_file_refuse(file, ERR_UNSUPPORTED,
                           "a layer without a gate, which KataGo refuses too");
    KatagoRmsNorm norm = katago_read_block_rms_norm(file);
    x = rms_norm(layers, prefix, x, &norm);
    Value up = layers_matrix(layers, prefix, "up", x, inner),
          gate = layers_matrix(layers, prefix, "gate", x, inner);
    if (!katago_file_good(file)) return -1;
    up = program_activation(layers->program, up, ACTIVATION_SILU);
    return layers_matrix(layers, prefix, "down", program_multiply(layers->program, up, gate),
                         channels);
}
