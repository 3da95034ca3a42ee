/* net_parts.h - lists the parts of a net: the start, each block, the tip (the norm after the last
 * block) and the heads. An op with a name of the form "PART.LAYER" belongs to the part PART. An op
 * without such a name belongs to the part of the op before it. Threading: free functions. */
#pragma once
#include "base/strbuf.h"
#include "nn/graph/net.h"

typedef struct {
    char name[32];
    /* for a block: "residual", "global pooling", "attention", "encoder", "feed-forward" or
     * "gates by place", with "nested " before it if the block contains blocks; for other
     * parts: "" */
    char kind[40];
    char layers[96];           /* its convolutions, dense layers ..., as "2 conv 3x3, dense" */
    Value last;                /* its last op; the next block reads the last op of a block */
    int in_channels, channels; /* inputs of its first op, outputs of its last op */
    int64_t parameters;        /* how many trained numbers it has */
} NetPart;

/* Lists the parts in the order of their first ops. Inputs belong to no part; ops before the first
 * op with a name of this form do not either. The caller frees `*out` by free(). ERR_MEMORY. */
MUST_USE Status net_parts(const Net *net, NetPart **out, int *count, Error *err);
/* Describes one op of a net. */
typedef struct {
    Value value;
    char name[72];             /* the name of the op, or PART.NAME where NAME is
                                * OpClass.fixed_name */
    char kind[48];             /* such as "conv 3x3", "dense", "bias" */
    int in_channels, channels; /* in_channels: of its first input or, without inputs, of its output;
                                * channels: of its output */
    int64_t parameters;        /* how many trained numbers of its own it has */
} NetLayer;

/* Returns the layer of any op, also of one without trained numbers and multiply-adds. */
NetLayer net_layer_of(const Net *net, Value value);
/* Lists, in their order, the ops that have trained numbers of their own or take multiply-adds.
 * program_op_multiply_adds() gives their costs. The caller frees `*out` by free(). ERR_MEMORY. */
MUST_USE Status net_layers(const Net *net, NetLayer **out, int *count, Error *err);
/* Returns how many multiply-adds the part needs for one position. */
double net_part_multiply_adds(const Net *net, const NetPart *part, int height, int width);
typedef struct {
    char text[32];
} PartName;
/* Returns the name of the part to which the op at `value` belongs, or "" if it belongs to none. */
PartName net_part_of(const Program *program, Value value);
/* Finds an op by its number or by a name. The name may be that of an output ("policy"), of an op
 * ("block0.conv1"), of an input, or of a part ("block0", which means the last op of the part).
 * ERR_ARGUMENT: there is no such op; if `text` is similar to a name, the message suggests this
 * name. */
MUST_USE Status net_find_layer(const Net *net, const char *text, Value *out, Error *err);
