/* blocks.h - the kinds of blocks of a trunk, as one table. To add a kind, write its builder in a
 * file of its own, declare it here, and add a row in blocks.c. Threading: immutable table; building
 * is confined. */
#pragma once
#include "eval/arch/blocks/block_options.h"
#include "eval/arch/blocks/net_builder.h"

typedef struct {
    const char *name;    /* the word in a net's description; NULL ends the table */
    const char *help;    /* what it computes, and its source */
    const char *options; /* which options of BLOCK_FIELDS it has: their names, joined by blanks */
    /* Whether it is a block of transformers. If all blocks of a trunk are blocks of transformers,
     * arch.tip=auto means that the trunk ends with an RMS norm of the whole board. */
    bool of_transformer;
    /* Adds block number `index`, counted from 0, which reads x. Both x and the result have
     * `builder->settings->channels` channels. */
    Value (*build)(NetBuilder *builder, const BlockOptions *options, int index, Value x);
} Block;
extern const Block BLOCKS[];

const Block *block_find(const char *name);                     /* NULL if there is no such block */
bool block_has_option(const Block *block, const char *option); /* a name in BLOCK_FIELDS */

Value block_residual(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_pooled(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_squeeze(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_stem(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_resnet(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_bottleneck(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_nested(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_broadcast(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_chain(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_ladder(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_lines(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_attention(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_swiglu(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_ffn(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_gate(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_embedding(NetBuilder *builder, const BlockOptions *options, int index, Value x);
Value block_encoder(NetBuilder *builder, const BlockOptions *options, int index, Value x);
