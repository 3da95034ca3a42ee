#include "eval/arch/blocks/option_layers.h"

Value option_norm(NetBuilder *builder, const BlockOptions *options, int index, const char *layer,
                  Value x) {
    const char *name = builder_layer(index, layer).text;
    if (options->norm >= BLOCK_NORM_BATCH)
        return builder_norm_alone(builder, name, x, PLACE_OTHER, builder_variance(builder, index));
    return builder_point_norm(builder, name, x, options->norm == ROW_NORM_LAYER);
}

Value option_activation(NetBuilder *builder, const BlockOptions *options, int index,
                        const char *layer, Value x) {
    return builder_activation_of(builder, builder_option_activation(builder, options->activation),
                                 builder_layer(index, layer).text, x);
}
