/* block_options.h - the options of a block of a trunk. Each kind of block has some of them
 * (blocks.h). Threading: immutable. */
#pragma once
#include "base/settings.h"

enum { ROTARY_NONE, ROTARY_FIXED, ROTARY_LEARNED };
enum {
    ROW_NORM_AUTO,
    ROW_NORM_RMS,
    ROW_NORM_LAYER,
    BLOCK_NORM_BATCH, /* from here on the norms NORM_BATCH ... (arch_settings.h), in the same
                       * order */
    BLOCK_NORM_FIXUP,
    BLOCK_NORM_FIXED,
    BLOCK_NORM_RENORM,
    BLOCK_NORM_FIXSCALE,
    BLOCK_NORM_FSON
};
enum {
    BLOCK_ACTIVATION_NET, /* that of the net */
    BLOCK_ACTIVATION_RELU,
    BLOCK_ACTIVATION_MISH,
    BLOCK_ACTIVATION_SILU,
    BLOCK_ACTIVATION_RELU2,
    BLOCK_ACTIVATION_PRELU,
    BLOCK_ACTIVATION_IDENTITY,
    BLOCK_ACTIVATION_AUTO /* that of the net, but silu in swiglu blocks */
};
enum { PLACES_EDGES, PLACES_POINTS };
enum { MAPS_NONE, MAPS_LEARNED, MAPS_FULLGEN, MAPS_SMOLGEN };
enum { MAP_INPUT_AUTO, MAP_INPUT_POOL, MAP_INPUT_POINTS };
/* BLOCK_FIELDS says what the members mean. */
typedef struct {
    int inner, kernel, pool, layers;
    int heads, kv_heads, query, value;
    int rotary; /* ROTARY_NONE ... */
    int side;
    int norm;       /* ROW_NORM_AUTO ... BLOCK_NORM_FSON */
    int activation; /* BLOCK_ACTIVATION_NET ... */
    int gate;       /* GateKind (nn/ops/op_kinds.h) */
    int places;     /* PLACES_EDGES ... */
    int maps;       /* MAPS_NONE ... */
    int map_form;   /* MapKind (nn/ops/op_kinds.h) */
    bool map_factors;
    int map_rank, map_channels, map_hidden, map_gen;
    int map_activation; /* BLOCK_ACTIVATION_NET ... */
    int map_input;      /* MAP_INPUT_AUTO ... */
    int tables;         /* as Op.tables, a sum: 1 for queries, 2 for keys, 4 for values */
    int dropout;        /* percent of the numbers of a branch that training drops */
    int squeeze;        /* hidden units of squeeze and excitation; 0: none */
    int dense;          /* channels of the dense layer over all points; 0: none */
    bool process;       /* whether the outputs of the heads go through another layer */
    int dilation, dilated;
    int length;
    bool gate_norm; /* whether the logits of a ladder block have a norm */
    int pooling;    /* POOLING_AUTO ... */
} BlockOptions;
extern const SettingsField BLOCK_FIELDS[];
