/* Bottleneck blocks (He et al. 2016, "Deep Residual Learning for Image Recognition", section 4.1),
 * with two inner convolutions, or more by the option `layers`, as in p3achygo and KataGo:
 *     y = x + W4 a(W3 a(W2 a(W1 a(x))))
 * a is norm, activation and mask. W1 is a 1 x 1 convolution to half of the channels (or to the
 * option `inner`), W2 and W3 are 3 x 3 convolutions among these, and W4 is a 1 x 1
 * convolution back to all channels. */
#include <stdio.h>

#include "eval/arch/blocks/blocks.h"

enum { USUAL_LAYERS = 2 };

Value block_bottleneck(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    const ArchSettings *settings = builder->settings;
    int inner = options->inner ? options->inner : settings->inner_channels;
    int convolutions = 2 + (options->layers ? options->layers : USUAL_LAYERS);
    if (!inner) inner = settings->channels / 2;
    char name[48];
    Value y = x;
    for (int i = 1; i <= convolutions; i++) {
        bool first = i == 1, last = i == convolutions;
        snprintf(name, sizeof name, "block%d.norm%d", index, i);
        y = builder_norm(builder, name, y, last ? PLACE_LAST : PLACE_OTHER, first ? index + 1 : 1);
        snprintf(name, sizeof name, "block%d.conv%d", index, i);
        y = program_conv(builder->program, name, y, last ? settings->channels : inner,
                         first || last ? 1 : options->kernel,
                         last ? builder_last_deviation(builder)
                              : builder_first_deviation(builder, 1, convolutions - 1));
    }
    return program_add(builder->program, x, y);
}
