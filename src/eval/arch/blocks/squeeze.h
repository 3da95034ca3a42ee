/* squeeze.h - squeeze and excitation, which several kinds of blocks have (squeeze.c has the
 * formula). Threading: confined. */
#pragma once
#include "eval/arch/blocks/net_builder.h"

/* Scales and shifts the channels of `branch` by numbers that are computed from `mean`, a vector
 * with their means over the board. `index` is the number of the block, and `hidden` the number of
 * hidden units. */
Value squeeze_branch(NetBuilder *builder, int index, Value mean, int hidden, Value branch);
