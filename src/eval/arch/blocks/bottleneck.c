/* Bottleneck blocks (He et al. 2016, "Deep Residual Learning for Image Recognition", section 4.1),
 * with two inner convolutions as in p3achygo and KataGo:
 *     y = x + W4 a(W3 a(W2 a(W1 a(x))))
 * a is norm, activation and mask. W1 is a 1 x 1 convolution to half of the channels (or to the
 * setting `inner_channels`), W2 and W3 are 3 x 3 convolutions among these, and W4 is a 1 x 1
 * convolution back to all channels. */
#include <math.h>
#include <stdio.h>

#include "eval/arch/blocks/blocks.h"

enum { CONVOLUTIONS = 4 };

/* Fixup multiplies the initial weights of a whole branch by one factor. As in KataGo, the three
 * convolutions before the last one share it: the weights of each are multiplied by its cube
 * root. */
static double shared_deviation(const NetBuilder *builder) {
    double without_fixup = builder_deviation(builder, 1);
    return without_fixup * cbrt(builder_first_deviation(builder, 1) / without_fixup);
}

Value block_bottleneck(NetBuilder *builder, int index, Value x) {
    const ArchSettings *settings = builder->settings;
    int inner = settings->inner_channels ? settings->inner_channels : settings->channels / 2;
    char name[48];
    Value y = x;
    for (int i = 1; i <= CONVOLUTIONS; i++) {
        bool first = i == 1, last = i == CONVOLUTIONS;
        snprintf(name, sizeof name, "block%d.norm%d", index, i);
        y = builder_norm(builder, name, y, last ? PLACE_LAST : PLACE_OTHER, first ? index + 1 : 1);
        snprintf(name, sizeof name, "block%d.conv%d", index, i);
        y = program_conv(builder->program, name, y, last ? settings->channels : inner,
                         first || last ? 1 : 3,
                         last ? builder_last_deviation(builder) : shared_deviation(builder));
    }
    return program_add(builder->program, x, y);
}
