/* int4_weights.h - rounds the weights of a net to 4 bits, with a scale for each group of 32 or 64
 * weights (nn/graph/packed_weights.h). Only weights are rounded; the arithmetic of the net stays
 * the same. Threading: free functions. */
#pragma once
#include "nn/graph/net.h"

#define INT4_WEIGHT_MAX 1e30f /* the largest absolute value of a weight that can be rounded */

/* Rounds the weights of all convolutions and dense layers of the trunk, except layers that read an
 * input of the net. So the first layer and the heads stay as they are. Notes in the net that the
 * rounded weights are to be packed when the net is saved. `group` weights share a scale. Sets
 * `*layers` to the number of layers that are rounded. ERR_ARGUMENT: `group` is neither 32 nor 64,
 * or a weight is NaN or has an absolute value above 1e30. ERR_UNSUPPORTED: there are no such
 * layers. On failure the net may be changed. */
MUST_USE Status int4_round_net(Net *net, int group, int *layers, Error *err);

/* Returns the scale with which int4_round_group() rounds, or 0 if all weights become 0. */
float int4_scale(size_t count, const float *weights);
/* Rounds one group of `count` weights, whose absolute values are at most 1e30, to s q, where q is a
 * whole number from -7 to 7. The function tries several bf16 numbers as the scale s, and takes the
 * scale with the smallest squared error. If all absolute values are below 1e-30, all weights become
 * 0. */
void int4_round_group(size_t count, float *weights);
