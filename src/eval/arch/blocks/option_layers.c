#include "eval/arch/blocks/option_layers.h"

Value option_norm(NetBuilder *builder, const BlockOptions *options, int index, const char *layer,
                  Value x) {
    const BlockLayer name = builder_layer(index, layer);
    if (options->norm >= BLOCK_NORM_BATCH)
        return builder_norm_alone(builder, name.text, x, PLACE_OTHER,
                                  builder_variance(builder, index));
    return builder_point_norm(builder, name.text, x, options->norm == ROW_NORM_LAYER);
}

Value option_activation(NetBuilder *builder, const BlockOptions *options, int index,
                        const char *layer, Value x) {
    return builder_activation_of(builder, builder_option_activation(builder, options->activation),
                                 builder_layer(index, layer).text, x);
}
