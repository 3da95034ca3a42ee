/* f16_weights.h - rounds the weights of a net to 16 bits (base/float16.h), so that its file is half
 * as large. Only weights are rounded; the arithmetic of the net stays the same. Threading: free
 * functions. */
#pragma once
#include "nn/graph/net.h"

/* Rounds the weights of all trained matrices and kernels, and notes in the net that the file holds
 * them in 16 bits (nn/graph/packed_weights.h). A matrix stays as it is if an absolute value in it
 * is above 65504, or if it already has another packed form. Vectors, such as biases, also stay as
 * they are. Sets `*rounded` to the number of rounded weights. Empties the net's report on
 * precisions, because it was measured with the weights before rounding. On failure the net may be
 * changed. */
MUST_USE Status f16_round_net(Net *net, int64_t *rounded, Error *err);
