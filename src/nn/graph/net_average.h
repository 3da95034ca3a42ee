/* net_average.h - the mean of the weights of several nets. Threading: free functions. */
#pragma once
#include "nn/graph/net.h"

/* Makes a net whose values are weighted means over `nets`, which must have the same program. The
 * running statistics of batch norms are averaged, too. Of the first net's notes the new net gets
 * "architecture" and "meaning", if they are there, and no others. `weights` may be NULL, which
 * means equal weights; otherwise all must be above 0. The caller frees `*out`. ERR_ARGUMENT: the
 * net with the index `*other` has another program than the first one; after other errors `*other`
 * is 0. ERR_MEMORY. */
MUST_USE Status net_average(Net *const *nets, const double *weights, int count, int *other,
                            Net **out, Error *err);
