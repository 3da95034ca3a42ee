/* Residual blocks with squeeze and excitation (Hu et al. 2018, "Squeeze-and-Excitation Networks",
 * section 3). The term b comes from Lc0's nets:
 *     y = x + sigmoid(g) * r + b
 *     (g, b) = W2 act(W1 mean(r))
 * r is the residual branch, and mean(r) is its mean over the board. g and b have one number for
 * each channel. W1 and W2 are matrices with biases. */
#include <stdio.h>

#include "eval/arch/blocks/blocks.h"
#include "eval/arch/blocks/branch.h"
#include "eval/arch/blocks/squeeze.h"

/* There is one hidden unit for every REDUCTION channels. Hu et al. 2018, section 6.1, have one for
 * every 16 channels, in wider nets. */
enum { REDUCTION = 8, HIDDEN_MIN = 8 };

Value squeeze_branch(NetBuilder *builder, int index, Value mean, int hidden, Value branch) {
    Program *program = builder->program;
    if (branch < 0) return -1;
    int channels = program_op(program, branch)->channels;
    Value squeezed = program_dense(program, builder_layer(index, "squeeze").text, mean, hidden,
                                   builder_deviation(builder, 1));
    squeezed = builder_activation(
        builder, builder_layer(index, "squeezebias").text,
        program_bias(program, builder_layer(index, "squeezebias").text, squeezed));
    Value gates =
        program_dense(program, builder_layer(index, "excite").text, squeezed, 2 * channels, 0);
    gates = program_bias(program, builder_layer(index, "excitebias").text, gates);
    Value gain = program_sigmoid(program, program_slice(program, gates, 0, channels));
    branch = program_mul_broadcast(program, branch, gain);
    return program_add_broadcast(program, branch,
                                 program_slice(program, gates, channels, channels));
}

Value block_squeeze(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    const ArchSettings *settings = builder->settings;
    Program *program = builder->program;
    int channels = settings->channels, hidden = channels / REDUCTION;
    if (hidden < HIDDEN_MIN) hidden = HIDDEN_MIN;
    char prefix[32];
    snprintf(prefix, sizeof prefix, "block%d", index);
    const Branch convolutions = branch_of(builder, options, prefix, index);
    Value branch = branch_residual(builder, &convolutions, x);
    Value mean = program_slice(program, program_global_pool(program, branch, POOL_MEAN_SCALE_MAX),
                               0, channels);
    branch = squeeze_branch(builder, index, mean, hidden, branch);
    return program_add(program, x, program_mask(program, branch));
}
