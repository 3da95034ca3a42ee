#include "eval/formats/katago_blocks.h"

#include <string.h>

#include "eval/formats/katago_transformer.h"

enum { DEPTH_MAX = 4, INNER_MAX = 64 };

static Value ordinary(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth) {
    (void)depth;
    int channels = layers_channels(layers, x);
    Value y = layers_norm(layers, prefix, "norm1", x);
    y = layers_conv(layers, prefix, "conv1", y, 0);
    y = layers_norm(layers, prefix, "norm2", y);
    return layers_conv(layers, prefix, "conv2", y, channels);
}

static Value pooled(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth) {
    (void)depth;
    int channels = layers_channels(layers, x);
    Value a = layers_norm(layers, prefix, "norm1", x),
          r = layers_conv(layers, prefix, "conv1", a, 0),
          g = layers_conv(layers, prefix, "pool", a, 0);
    g = layers_norm(layers, prefix, "poolnorm", g);
    g = program_global_pool(layers->program, g, POOL_MEAN_SCALE_MAX);
    g = layers_matrix(layers, prefix, "poolmap", g, layers_channels(layers, r));
    r = program_add_broadcast(layers->program, r, g);
    r = layers_norm(layers, prefix, "norm2", r);
    return layers_conv(layers, prefix, "conv2", r, channels);
}

static Value nested(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth) {
    int channels = layers_channels(layers, x),
        count = katago_read_int(layers->file, "the number of inner blocks", 1, INNER_MAX);
    if (depth >= DEPTH_MAX)
        katago_file_refuse(layers->file, ERR_UNSUPPORTED, "blocks are nested too deeply");
    Value y = layers_norm(layers, prefix, "norm1", x);
    y = layers_conv(layers, prefix, "conv1", y, 0);
    for (int i = 0; i < count && katago_file_good(layers->file); i++)
        y = katago_block(layers, layers_prefix(layers, "%s.inner%d", prefix.text, i), y, depth + 1);
    y = layers_norm(layers, prefix, "norm2", y);
    return layers_conv(layers, prefix, "conv2", y, channels);
}

Value katago_block(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth) {
    static const struct {
        const char *kind;
        Value (*build)(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
    } KINDS[] = {{"ordinary_block", ordinary},
                 {"gpool_block", pooled},
                 {"nested_bottleneck_block", nested},
                 {"transformer_attention_block", katago_attention},
                 {"transformer_ffn_block", katago_feed_forward}};
    KatagoWord kind = katago_read_word(layers->file, "the kind of the next block");
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        if (strcmp(kind.text, KINDS[i].kind) != 0) continue;
        katago_read_name(layers->file);
        Value y = KINDS[i].build(layers, prefix, x, depth);
        return katago_file_good(layers->file) ? program_add(layers->program, x, y) : -1;
    }
    katago_file_refuse(layers->file, ERR_UNSUPPORTED,
                       "the next block is of the kind \"%.60s\", which Aji does not know",
                       kind.text);
    return -1;
}
