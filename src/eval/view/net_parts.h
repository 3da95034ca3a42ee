/* net_parts.h - the parts of a net, for listings: the start, each block, the tip, the heads. Ops
 * are named "part.layer". Threading: free functions. */
#pragma once
#include "base/strbuf.h"
#include "nn/graph/net.h"

typedef struct {
    char name[32];
    char kind[40]; /* of blocks: "residual", "global pooling", "attention" or "feed-forward", after
                        "nested " in a bottleneck; "" for other parts */
    char layers[96];           /* layers with weight matrices, as "2 conv 3x3, dense" */
    Value last;                /* its last op; for a block, the one that the next block reads */
    int in_channels, channels; /* inputs of its first layer, outputs of its last op */
    int64_t parameters;        /* trained ones */
} NetPart;

/* Lists the parts in the order of their first ops. Inputs, and ops before the first name, belong to
 * no part. The caller frees `*out` by free(). ERR_MEMORY. */
MUST_USE Status net_parts(const Net *net, NetPart **out, int *count, Error *err);
/* Multiply-adds that the part needs for one position. */
double net_part_multiply_adds(const Net *net, const NetPart *part, int height, int width);
/* The name of the part that the op at `value` belongs to; "": none. */
typedef struct {
    char text[32];
} PartName;
PartName net_part_of(const Program *program, Value value);
/* Finds a layer by the name of an output ("policy"), of an op ("block0.conv1"), of an input, of a
 * part ("block0": its last op), or by the number of an op. ERR_ARGUMENT: there is none; the message
 * suggests the nearest name. */
MUST_USE Status net_find_layer(const Net *net, const char *text, Value *out, Error *err);
