/* katago_put_blocks.h - the blocks of KataGo's trunk, found among the ops of a net and written
 * (cpp/neuralnet/desc.cpp). Threading: confined. */
#pragma once
#include "eval/katago_parts.h"

/* Where the residual sums that end in `end` begin. */
Value katago_blocks_begin(const KatagoParts *parts, Value end, int *count);
/* The `count` blocks that end in `end`. */
void katago_put_blocks(KatagoParts *parts, Value end, int count);
/* Channels inside the blocks, as the file's trunk tells them for people: of ordinary blocks, of
 * the branch of pooling ones that is not pooled, and of the one that is. */
typedef struct {
    int middle, regular, pooled;
} KatagoWidths;
KatagoWidths katago_block_widths(KatagoParts *parts, Value end, int count);
