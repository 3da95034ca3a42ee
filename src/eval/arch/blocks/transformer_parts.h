/* transformer_parts.h - the layers that several blocks of transformers share. `index` is the number
 * of the block, and `layer` the name of a layer in it. Threading: confined. */
#pragma once
#include "eval/arch/blocks/block_options.h"
#include "eval/arch/blocks/net_builder.h"

/* What lets deep transformers with norms behind their sums learn (encoder.c): the factor of the
 * branches, and a factor of the variance of initial weights. */
typedef struct {
    double alpha, beta;
} DeepNorm;
/* Returns both by the number of encoder blocks of the net. */
DeepNorm deep_norm_of(const NetBuilder *builder);

/* Adds the norm of x + alpha * branch. */
Value transformer_post_norm(NetBuilder *builder, const BlockOptions *options, int index,
                            const char *layer, Value x, Value branch);
/* transformer_attention() adds attention and the matrices before and behind it.
 * transformer_feed_forward() adds a plain layer of each point, with `inner` channels inside. With
 * `deep`, all matrices have biases, and their first weights are those of DeepNorm. If it is NULL,
 * matrices of attention have no biases, and all matrices begin as in KataGo's transformers. */
Value transformer_attention(NetBuilder *builder, const BlockOptions *options, int index, Value x,
                            const DeepNorm *deep);
Value transformer_feed_forward(NetBuilder *builder, const BlockOptions *options, int index, Value x,
                               int inner, const DeepNorm *deep);
/* Returns the deviation of the initial weights of matrices in KataGo's transformers, as an argument
 * for program_dense(). */
double transformer_deviation(void);
