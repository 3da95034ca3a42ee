/* trunk.h - the blocks of a trunk, in order, and the text that describes them. The text is a list
 * of blocks joined by "+". A block may be followed by options in parentheses. A block, or a list in
 * parentheses, may be followed by "*" and a number of repetitions. Examples are
 *     residual*5
 *     (residual*2+pooled)*3
 *     attention(heads=4,rotary=fixed)+swiglu(inner=128)
 * The options of blocks are those of BLOCK_FIELDS. Threading: immutable. */
#pragma once
#include "eval/arch/arch_source.h"
#include "eval/arch/blocks/blocks.h"

enum { TRUNK_BLOCKS_MAX = 200 };
typedef struct {
    const Block *kind;
    BlockOptions options;
    TextPlace place; /* in the description of the trunk */
} TrunkBlock;
typedef struct {
    TrunkBlock blocks[TRUNK_BLOCKS_MAX];
    int count;
} Trunk;

/* Parses a description. Messages say at which character, counted from 1, something is wrong.
 * ERR_SYNTAX: the text is not a list of this form. ERR_ARGUMENT: there is no such block or option,
 * a value is out of its bounds, options contradict each other, or there are more than
 * TRUNK_BLOCKS_MAX blocks. */
MUST_USE Status trunk_parse(const char *text, Trunk *out, Error *err);
/* Lists the blocks of a net with these settings: those of arch.trunk or, if it is empty, those that
 * follow from arch.blocks, arch.block and arch.pool_every. Messages tell the place in `source`,
 * the text from which the settings come, unless it is NULL. The errors are those of trunk_parse();
 * ERR_ARGUMENT also means that the options of a block do not fit the net. */
MUST_USE Status trunk_find(const ArchSettings *settings, const ArchSource *source, Trunk *out,
                           Error *err);
/* Does what trunk_find() does, for settings that come from no text. */
MUST_USE Status trunk_of(const ArchSettings *settings, Trunk *out, Error *err);
/* Adds block number `index`, counted from 0. In it, the norm and the activation of its own options
 * replace those of the net. */
Value trunk_build_block(NetBuilder *builder, const TrunkBlock *block, int index, Value x);
/* Returns whether all blocks of the trunk are blocks of transformers (Block.of_transformer). */
bool trunk_is_transformer(const Trunk *trunk);
/* Returns how many of the blocks are encoder blocks. */
int trunk_encoders(const Trunk *trunk);
