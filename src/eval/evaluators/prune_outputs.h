/* prune_outputs.h - copies of a net with other outputs. Inference does not compute ops that lead to
 * no output. This matters for play: the score distribution, which only training reads, would take
 * most of the time of a small net. Threading: immutable. */
#pragma once
#include "nn/graph/net.h"

/* A copy with only the outputs named in `wanted` (ended by NULL); names that the net does not have
 * are ignored. Of the notes only those that decide about precision are copied. The caller frees the
 * copy. ERR_MEMORY. */
MUST_USE Status prune_outputs(const Net *net, const char *const *wanted, Net **out, Error *err);
/* A copy whose outputs are "value.0", "value.1" ...: the results of the `count` ops at `values`, in
 * this order. The caller frees it. ERR_MEMORY. */
MUST_USE Status prune_outputs_to_values(const Net *net, const Value *values, int count, Net **out,
                                        Error *err);
