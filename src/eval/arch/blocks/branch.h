/* branch.h - the residual branch that several kinds of blocks have: two convolutions with their
 * norms and activations, without the sum with the input of the block. Threading: confined. */
#pragma once
#include "eval/arch/blocks/block_options.h"
#include "eval/arch/blocks/net_builder.h"

typedef struct {
    const char *prefix; /* how the names of its layers begin, such as "block3" */
    int inner;          /* channels after the first convolution, pooled ones included */
    /* How many of the inner channels are pooled over the board. If fewer than 8 inner channels
     * remain, branch_pooled() has 8 channels that are not pooled. */
    int pooled;
    PoolKind pooling; /* what pooling gives for each of them */
    int kernel;       /* width of its convolutions */
    int dilated;      /* how many of the inner channels come from a dilated convolution */
    int dilation;     /* the distance between neighbouring taps of that convolution */
    double variance;  /* of the input of the branch, at the start of training */
    int in_row;       /* see builder_first_deviation() */
} Branch;

/* Returns the kind of pooling in a block with these options. */
PoolKind branch_pooling(const NetBuilder *builder, const BlockOptions *options);
/* Returns the branch of block number `index` of the trunk, as its options describe it. */
Branch branch_of(const NetBuilder *builder, const BlockOptions *options, const char *prefix,
                 int index);
/* Add the branch of a residual block: without pooling, and with pooling. The result has as many
 * channels as x. Only branch_residual() has a dilated convolution. */
Value branch_residual(NetBuilder *builder, const Branch *branch, Value x);
Value branch_pooled(NetBuilder *builder, const Branch *branch, Value x);
