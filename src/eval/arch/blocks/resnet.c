/* Residual blocks of the original form, with an activation behind each sum (He et al. 2016, "Deep
 * residual learning for image recognition", section 3), as in the towers of AlphaZero and lc0:
 *     y = act(x + s(n2(W2 act(n1(W1 x)))))
 * W1 and W2 are convolutions, n1 and n2 norms. By the option `squeeze`, s is squeeze and excitation
 * (squeeze.c); otherwise s(r) = r. A tower begins with a block of kind `stem`, which is a norm and
 * an activation behind the first convolution of the net, and needs no norm behind its last block
 * (arch.tip = none). */
#include "eval/arch/blocks/blocks.h"
#include "eval/arch/blocks/squeeze.h"

Value block_stem(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    (void)options;
    return builder_norm(builder, builder_layer(index, "norm").text, x, PLACE_OTHER, 1);
}

Value block_resnet(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    Program *program = builder->program;
    if (x < 0) return -1;
    /* The first convolution must read zeros off the board. Most blocks end with a mask. */
    if (program_op(program, x)->kind != OP_MASK) x = program_mask(program, x);
    int channels = builder->settings->channels,
        inner = builder_inner_channels(builder, options->inner, channels);
    Value y = program_conv(program, builder_layer(index, "conv1").text, x, inner, options->kernel,
                           builder_first_deviation(builder, 1, 1));
    y = builder_norm(builder, builder_layer(index, "norm1").text, y, PLACE_OTHER, 1);
    y = program_conv(program, builder_layer(index, "conv2").text, y, channels, options->kernel,
                     builder_last_deviation(builder));
    y = builder_norm_alone(builder, builder_layer(index, "norm2").text, y, PLACE_LAST, 1);
    if (options->squeeze)
        y = squeeze_branch(builder, index, program_global_pool(program, y, POOL_MEAN),
                           options->squeeze, y);
    y = builder_activation(builder, builder_layer(index, "sum").text, program_add(program, x, y));
    return program_mask(program, y);
}
