/* branch.h - the two convolutions that several kinds of blocks have, without the sum with their
 * input. Threading: confined. */
#pragma once
#include "eval/arch/blocks/block_options.h"
#include "eval/arch/blocks/net_builder.h"

typedef struct {
    const char *prefix; /* how the names of its layers begin, such as "block3" */
    int inner;          /* channels after the first convolution */
    int pooled;         /* how many of these are pooled over the board */
    PoolKind pooling;   /* what pooling gives for each of them */
    int kernel;         /* width of its convolutions */
    int dilated;        /* how many of the inner channels come from a dilated convolution */
    int dilation;       /* the distance between neighbouring taps of that one */
    double variance;    /* of its input, at the start of training */
    int in_row;         /* see builder_first_deviation() */
} Branch;

/* Returns how a block with these options pools. */
PoolKind branch_pooling(const NetBuilder *builder, const BlockOptions *options);
/* Returns the branch of a block of the trunk, by the block's options. */
Branch branch_of(const NetBuilder *builder, const BlockOptions *options, const char *prefix,
                 int index);
/* Add the branch of a residual block, and that of one that pools. The result has as many channels
 * as x. Only the branch of a residual block has a dilated convolution. */
Value branch_residual(NetBuilder *builder, const Branch *branch, Value x);
Value branch_pooled(NetBuilder *builder, const Branch *branch, Value x);
