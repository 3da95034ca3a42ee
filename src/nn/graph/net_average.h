/* net_average.h - the mean of the weights of several nets. Threading: free functions. */
#pragma once
#include "nn/graph/net.h"

/* Makes a net whose values are weighted means over `nets`, which must have the same program. The
 * running statistics of batch norms are averaged, too. The new net gets the notes "architecture"
 * and "meaning" of the first net, if the first net has them, and no other notes. `weights` may be
 * NULL, which means equal weights; otherwise all must be above 0. The caller frees `*out`.
 * ERR_ARGUMENT: net number `*other`, counted from 0, has another program than the first net. After
 * other errors `*other` is 0. ERR_MEMORY. */
MUST_USE Status net_average(Net *const *nets, const double *weights, int count, int *other,
                            Net **out, Error *err);
