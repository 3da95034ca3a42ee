/* prune_outputs.h - copies of a net with other outputs. Inference does not compute ops that lead to
 * no output. This matters for play: the score distribution, which search does not read, would take
 * most of the time of a small net. Threading: immutable. */
#pragma once
#include "nn/graph/net.h"

/* Makes a copy that has only the outputs named in `wanted`, a list that ends with NULL. Names that
 * the net does not have are ignored. The copy gets only those notes of the net that decide which
 * precision is used. The caller frees the copy. ERR_MEMORY. */
MUST_USE Status prune_outputs(const Net *net, const char *const *wanted, Net **out, Error *err);
/* Makes a copy whose outputs are the results of the `count` ops at `values`, in this order, under
 * the names "value.0", "value.1" ... The caller frees it. ERR_MEMORY. */
MUST_USE Status prune_outputs_to_values(const Net *net, const Value *values, int count, Net **out,
                                        Error *err);
