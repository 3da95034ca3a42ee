#include "eval/arch/blocks/option_layers.h"

/* The epsilon of RMS norms is KataGo's. That of layer norms is the default of Keras, which
 * lczero-training uses. */
static const double RMS_EPSILON = 1e-6, LAYER_EPSILON = 1e-3;

Value option_norm(NetBuilder *builder, const BlockOptions *options, int index, const char *layer,
                  Value x) {
    const BlockLayer name = builder_layer(index, layer);
    if (options->norm != ROW_NORM_LAYER)
        return program_rms_norm(builder->program, name.text, x, RMS_EPSILON, false);
    const Op norm = {.kind = OP_LAYER_NORM, .inputs = {x}, .epsilon = (float)LAYER_EPSILON};
    return program_add_op(builder->program, name.text, norm);
}

Value option_activation(NetBuilder *builder, const BlockOptions *options, int index,
                        const char *layer, Value x) {
    static const Activation FUNCTIONS[] = {[BLOCK_ACTIVATION_RELU] = ACTIVATION_RELU,
                                           [BLOCK_ACTIVATION_MISH] = ACTIVATION_MISH,
                                           [BLOCK_ACTIVATION_SILU] = ACTIVATION_SILU,
                                           [BLOCK_ACTIVATION_RELU2] = ACTIVATION_RELU};
    if (options->activation == BLOCK_ACTIVATION_NET)
        return builder_activation(builder, builder_layer(index, layer).text, x);
    Value y = program_activation(builder->program, x, FUNCTIONS[options->activation]);
    return options->activation == BLOCK_ACTIVATION_RELU2 ? program_multiply(builder->program, y, y)
                                                         : y;
}
