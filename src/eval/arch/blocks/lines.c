/* Blocks of long lines (GoNN, README, the wide low-rank block of February 2018):
 *     y = x + (across2 a(down1 a(x)) + down2 a(across1 a(x))) / 2
 * a is norm, activation and mask. down1 is a k x 1 convolution from all channels to the inner
 * channels; the option `inner` is their number (64 by default), and k is the option `length`.
 * across1 is a 1 x k convolution with the weights of down1. across2 (1 x k) and down2 (k x 1) lead
 * back to all channels; they also share one set of weights. So a board that is mirrored at a
 * diagonal gives a mirrored result, with one exception: the norm between down1 and across2 differs
 * from the norm between across1 and down2. */
#include <math.h>
#include <stdio.h>

#include "eval/arch/blocks/blocks.h"

enum { USUAL_CHANNELS = 64 };

Value block_lines(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    Program *program = builder->program;
    int inner = options->inner ? options->inner : USUAL_CHANNELS, k = options->length,
        channels = builder->settings->channels;
    Value a = builder_norm(builder, builder_layer(index, "norm1").text, x, PLACE_OTHER,
                           builder_variance(builder, index));
    Value down = program_conv_of(program, builder_layer(index, "down1").text, a, inner,
                                 (ConvKind){.height = k, .width = 1},
                                 builder_first_deviation(builder, 1, 1));
    Value across = program_conv_of(program, builder_layer(index, "across1").text, a, inner,
                                   (ConvKind){.height = 1, .width = k, .weights_of = down}, 0);
    down = builder_norm(builder, builder_layer(index, "norm2").text, down, PLACE_LAST, 1);
    across = builder_norm(builder, builder_layer(index, "norm3").text, across, PLACE_LAST, 1);
    /* the mean of two such terms has half of the variance of each term */
    Value back = program_conv_of(program, builder_layer(index, "across2").text, down, channels,
                                 (ConvKind){.height = 1, .width = k},
                                 builder_last_deviation(builder) * sqrt(2)),
          other = program_conv_of(program, builder_layer(index, "down2").text, across, channels,
                                  (ConvKind){.height = k, .width = 1, .weights_of = back}, 0);
    back = program_fixed_scale(program, builder_layer(index, "half1").text, back, 0.5);
    other = program_fixed_scale(program, builder_layer(index, "half2").text, other, 0.5);
    return program_add(program, program_add(program, x, back), other);
}
