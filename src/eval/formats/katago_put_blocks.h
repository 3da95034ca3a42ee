/* katago_put_blocks.h - finds the blocks of KataGo's trunk among the ops of a net and writes them
 * (cpp/neuralnet/desc.cpp). Threading: confined. */
#pragma once
#include "eval/formats/katago_parts.h"

/* Finds the sequence of blocks that ends in `end`. Returns the value that the first block reads,
 * and sets `*count` to the number of blocks. */
Value katago_blocks_begin(const KatagoParts *parts, Value end, int *count);
/* Writes the `count` blocks that end in `end`. */
void katago_put_blocks(KatagoParts *parts, Value end, int count);
/* The numbers of channels inside blocks, which the file states only for information. In pooling
 * blocks, `pooled` channels are pooled and `regular` channels are not. `middle` is the number of
 * inner channels of ordinary and of nested blocks. If blocks of one kind differ, the number of the
 * first block is taken. */
typedef struct {
    int middle, regular, pooled;
} KatagoWidths;
KatagoWidths katago_block_widths(KatagoParts *parts, Value end, int count);
