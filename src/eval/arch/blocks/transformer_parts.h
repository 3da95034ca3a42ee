/* transformer_parts.h - the layers that several blocks of transformers share. `index` is the number
 * of the block, and `layer` the name of a layer in it. Threading: confined. */
#pragma once
#include "eval/arch/blocks/block_options.h"
#include "eval/arch/blocks/net_builder.h"

/* Two factors that let deep transformers learn although a norm follows each sum (encoder.c). */
typedef struct {
    double alpha; /* multiplies the branch before it is added to x */
    double beta;  /* multiplies the variance of initial weights */
} DeepNorm;
/* Returns the factors for the number of encoder blocks in the net. A net without encoder blocks
 * gets the factors for one block. */
DeepNorm deep_norm_of(const NetBuilder *builder);

/* Adds the norm of x + alpha * branch. With the option `dropout`, training drops numbers of the
 * branch. */
Value transformer_post_norm(NetBuilder *builder, const BlockOptions *options, int index,
                            const char *layer, Value x, Value branch);
/* transformer_attention() adds attention with the matrices before and after it.
 * transformer_feed_forward() adds a feed-forward layer: two matrices with `inner` channels between
 * them. With `deep`, all matrices have biases, and the initial weights are those of DeepNorm. If
 * `deep` is NULL, the matrices of attention have no biases, and the initial weights are those of
 * KataGo's transformers. */
Value transformer_attention(NetBuilder *builder, const BlockOptions *options, int index, Value x,
                            const DeepNorm *deep);
Value transformer_feed_forward(NetBuilder *builder, const BlockOptions *options, int index, Value x,
                               int inner, const DeepNorm *deep);
/* Returns the argument `deviation` for program_dense() that gives the initial weights of KataGo's
 * transformers. With the norm fixup, the last matrix of a block begins at 0, and the others
 * are scaled as in builder_first_deviation(). */
double transformer_deviation(const NetBuilder *builder, bool last);
