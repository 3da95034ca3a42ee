/* block_fit.h - whether the options of a block fit each other and the net. Threading: free
 * functions. */
#pragma once
#include "eval/arch/blocks/blocks.h"

typedef struct {
    const char *name; /* the option at fault or, if `of_net` is set, the setting of the net */
    bool of_net;
    char text[300]; /* what is wrong with it */
} BlockMisfit;

/* Returns true if something does not fit; `*out` then says what. `index` is the number of the
 * block. `settings` are those of the net; if they are NULL, the options are only checked against
 * each other. */
bool block_misfit(const Block *block, const BlockOptions *options, int index,
                  const ArchSettings *settings, BlockMisfit *out);
