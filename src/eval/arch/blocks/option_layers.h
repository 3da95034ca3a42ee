/* option_layers.h - the norm and the activation that the options of a block choose. `index` is the
 * number of the block, and `layer` the name of a layer in it. Threading: confined. */
#pragma once
#include "eval/arch/blocks/block_options.h"
#include "eval/arch/blocks/net_builder.h"

/* Adds the norm that the option `norm` chooses; ROW_NORM_AUTO means an RMS norm. */
Value option_norm(NetBuilder *builder, const BlockOptions *options, int index, const char *layer,
                  Value x);
/* Adds the activation that the option `activation` chooses, after the layer `layer`. */
Value option_activation(NetBuilder *builder, const BlockOptions *options, int index,
                        const char *layer, Value x);
