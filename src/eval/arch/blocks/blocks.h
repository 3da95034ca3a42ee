/* blocks.h - the kinds of blocks of a trunk, as one table. To add a block, write its
 * builder in a file of its own, declare it here, and add a row in blocks.c. Threading: immutable
 * table; building is confined. */
#pragma once
#include "eval/arch/blocks/net_builder.h"

typedef struct {
    const char *name; /* the word in a net's description; NULL ends the table */
    const char *help; /* what it computes, and its source */
    /* Adds block number `index`, counted from 0, which reads x. Both x and the result have
     * `settings->channels` channels. */
    Value (*build)(NetBuilder *builder, int index, Value x);
} Block;
extern const Block BLOCKS[];

const Block *block_find(const char *name); /* NULL if there is no such block */

Value block_residual(NetBuilder *builder, int index, Value x);
Value block_pooled(NetBuilder *builder, int index, Value x);
Value block_squeeze(NetBuilder *builder, int index, Value x);
Value block_bottleneck(NetBuilder *builder, int index, Value x);
/* Adds the two convolutions of block_residual() without the sum with x. */
Value block_residual_branch(NetBuilder *builder, int index, Value x);
