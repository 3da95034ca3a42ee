/* trim.h - a net without the outputs that nobody reads: inference never computes what leads to them
 * alone. The score distribution, which only training reads, would take most of the time of a small
 * net. Threading: immutable. */
#pragma once
#include "nn/net.h"

/* A copy with only the outputs named in `wanted` (ends with NULL); those that the net lacks are
 * passed over. Of the notes only those by which precision is chosen are copied. The caller frees
 * it. ERR_MEMORY. */
MUST_USE Status prune_outputs(const Net *net, const char *const *wanted, Net **out, Error *err);
/* A copy whose outputs "value.0", "value.1" ... are what the ops at `values` (`count` of them, any
 * of the net's) make, in this order. */
MUST_USE Status prune_outputs_to_values(const Net *net, const Value *values, int count, Net **out,
                                        Error *err);
