/* Residual blocks with pre-activation (Wu 2019, appendix A) and, in some of them, global pooling
 * (section 3.3):
 *     y = x + W2 a(W1 a(x))
 *     y = x + W2 a(W1 a(x) + M pool(a(G a(x))))
 * a is norm, activation and mask. W1, W2 and G are convolutions, and M is a matrix. With the option
 * `dilation`, the kernels of some output channels of W1 in the first formula have taps that are
 * farther apart (GoNN, README). */
#include <stdio.h>

#include "eval/arch/blocks/blocks.h"
#include "eval/arch/blocks/branch.h"

Value block_residual(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    char prefix[32];
    snprintf(prefix, sizeof prefix, "block%d", index);
    const Branch branch = branch_of(builder, options, prefix, index);
    return program_add(builder->program, x, branch_residual(builder, &branch, x));
}

Value block_pooled(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    char prefix[32];
    snprintf(prefix, sizeof prefix, "block%d", index);
    const Branch branch = branch_of(builder, options, prefix, index);
    return program_add(builder->program, x, branch_pooled(builder, &branch, x));
}
