/* katago_put_blocks.h - finds the blocks of KataGo's trunk among the ops of a net and writes them
 * (cpp/neuralnet/desc.cpp). Threading: confined. */
#pragma once
#include "eval/formats/katago_parts.h"

/* The value that the first of the blocks before `end` reads; `*count`: how many blocks there
 * are. */
Value katago_blocks_begin(const KatagoParts *parts, Value end, int *count);
/* Writes the `count` blocks that end in `end`. */
void katago_put_blocks(KatagoParts *parts, Value end, int count);
/* Channels inside the blocks, which the file states for information: of ordinary blocks, and of the
 * branches of pooling blocks that are not pooled (regular) and pooled. */
typedef struct {
    int middle, regular, pooled;
} KatagoWidths;
KatagoWidths katago_block_widths(KatagoParts *parts, Value end, int count);
