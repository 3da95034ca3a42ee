/* Bottleneck blocks (He et al. 2016, "Deep Residual Learning for Image Recognition", section 4.1),
 * with two inner convolutions, as in p3achygo and KataGo:
 *     y = x + W4 a(W3 a(W2 a(W1 a(x))))
 * a is norm, activation and mask. W1 is a 1 x 1 convolution from all channels to the inner
 * channels. The inner channels are half as many as the channels of the trunk, or the number that
 * the option `inner` gives. W2 and W3 are 3 x 3 convolutions from inner to inner channels. W4 is a
 * 1 x 1 convolution back to all channels. The option `layers` changes the number of inner
 * convolutions, and `kernel` their width. */
#include <stdio.h>

#include "eval/arch/blocks/blocks.h"

enum { USUAL_LAYERS = 2 };

Value block_bottleneck(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    const ArchSettings *settings = builder->settings;
    int inner = builder_inner_channels(builder, options->inner, settings->channels / 2);
    int convolutions = 2 + (options->layers ? options->layers : USUAL_LAYERS);
    Value y = x;
    for (int i = 1; i <= convolutions; i++) {
        char norm[16], conv[16];
        bool first = i == 1, last = i == convolutions;
        snprintf(norm, sizeof norm, "norm%d", i);
        snprintf(conv, sizeof conv, "conv%d", i);
        y = builder_norm(builder, builder_layer(index, norm).text, y,
                         last ? PLACE_LAST : PLACE_OTHER,
                         first ? builder_variance(builder, index) : 1);
        y = program_conv(builder->program, builder_layer(index, conv).text, y,
                         last ? settings->channels : inner, first || last ? 1 : options->kernel,
                         last ? builder_last_deviation(builder)
                              : builder_first_deviation(builder, 1, convolutions - 1));
    }
    return program_add(builder->program, x, y);
}
