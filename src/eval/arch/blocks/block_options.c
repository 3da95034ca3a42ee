#include "eval/arch/blocks/block_options.h"

#include "nn/graph/program.h"

const SettingsField BLOCK_FIELDS[] = {
    FIELD_INT(BlockOptions, inner, 0, 0, 4096,
              "channels inside the block; 0: as arch.inner_channels says. If that is 0 too, the "
              "block has as many as the trunk, but half as many in bottleneck and nested blocks, "
              "8/3 times as many in swiglu blocks, and twice as many in ffn and encoder blocks. "
              "Chain, ladder, lines and embedding blocks do not use arch.inner_channels: with 0, "
              "chain blocks have 32, ladder blocks 6 for each direction, lines blocks 64, and "
              "embedding blocks have no feed-forward layer"),
    FIELD_INT(
        BlockOptions, kernel, 3, 1, 19,
        "width of the convolutions, odd; those of 1 x 1 around a bottleneck stay as they are"),
    FIELD_INT(BlockOptions, pool, 0, 0, 4096,
              "channels that are pooled over the board; 0: as arch.pool_channels says, and none in "
              "nested blocks"),
    FIELD_INT(BlockOptions, layers, 0, 0, 16,
              "number of inner convolutions (bottleneck) or inner blocks (nested); 0: 2"),
    FIELD_INT(
        BlockOptions, heads, 0, 0, 256,
        "heads of queries, a divisor of the channels of the trunk unless `query` is given; 0: "
        "one for each 32 channels, but at least one"),
    FIELD_INT(BlockOptions, kv_heads, 0, 0, 256,
              "heads of keys and values, a divisor of the number of heads; 0: as many as heads",
              .source = "Ainslie et al. 2023"),
    FIELD_INT(BlockOptions, query, 0, 0, 1024,
              "channels of a head of queries or keys, an even number unless rotary is none; 0: "
              "the channels of the trunk divided by the number of heads, rounded down to an even "
              "number"),
    FIELD_INT(BlockOptions, value, 0, 0, 1024,
              "channels of a head of values; 0: as many as a head of queries has"),
    FIELD_CHOICE(BlockOptions, rotary, ROTARY_LEARNED, "none|fixed|learned",
                 "whether queries and keys are rotated by the place of their point, and whether "
                 "the frequencies are learned",
                 .source = "Su et al. 2021; KataGo, python/katago/train/model_pytorch.py"),
    FIELD_INT(BlockOptions, side, 19, 1, 19,
              "side of the largest board for whose points there are weights. The points of a "
              "larger board that lie beyond it take no part: gates leave them as they are, and "
              "in attention their pairs have no maps and tables",
              .source = "p3achygo, python/model.py"),
    FIELD_CHOICE(BlockOptions, norm, ROW_NORM_AUTO,
                 "auto|rms|layer|batch|fixup|fixed|renorm|fixscale|fson",
                 "norm inside the block: an RMS norm of each point; a layer norm, which also "
                 "subtracts the mean and adds a bias; or one of those that arch.norm can name; "
                 "auto: that of the net, but rms in attention, swiglu and ffn blocks and layer in "
                 "encoder and embedding blocks",
                 .source = "Zhang and Sennrich 2019; Ba, Kiros and Hinton 2016"),
    FIELD_CHOICE(BlockOptions, activation, BLOCK_ACTIVATION_AUTO,
                 "net|relu|mish|silu|relu2|prelu|identity|auto",
                 "activation function inside the block: that of the net, or another one; silu is "
                 "also called swish, and relu2 is the square of relu; in swiglu blocks that of the "
                 "gate; auto: that of the net, but silu in swiglu blocks",
                 .source = "lczero-training, README; Shazeer 2020 (gates)"),
    FIELD_CHOICE(BlockOptions, gate, GATE_BOTH, "both|multiply|add",
                 "what a gate has for each place on the board and each channel; both: a gain and "
                 "a shift; multiply: only a gain; add: only a shift",
                 .source = "lczero-training, tfprocess.py"),
    FIELD_CHOICE(BlockOptions, places, PLACES_EDGES, "edges|points",
                 "what a place of a gate is; edges: the distances of a point to the nearest "
                 "edges, so that boards of all sizes share the gates and symmetries keep them; "
                 "points: each point of the board",
                 .source = "lczero-training, tfprocess.py; edges: own"),
    FIELD_CHOICE(BlockOptions, maps, MAPS_NONE, "none|learned|fullgen|smolgen",
                 "whether a number for each pair of points is added to the logits of each head; "
                 "learned: the numbers are learned; fullgen and smolgen: they are computed from "
                 "the input of the block; with smolgen all blocks share the last matrix of this "
                 "computation",
                 .source = "lczero-training, README"),
    FIELD_CHOICE(BlockOptions, map_form, MAP_OFFSETS, "offsets|points|ranks",
                 "what a map is made of; offsets: a number for each difference of two places; "
                 "points: a number for each pair of points of one board size (the net then plays "
                 "no other); ranks: products of two vectors of each point",
                 .source = "lczero-training, README; offsets, ranks: own"),
    FIELD_BOOL(BlockOptions, map_factors, false,
               "each head has a second map m; 1 + m multiplies its weights",
               .source = "lczero-training, README"),
    FIELD_INT(BlockOptions, map_rank, 4, 1, 64, "length of the vectors of map_form = ranks"),
    FIELD_INT(BlockOptions, map_channels, 32, 1, 1024,
              "channels to which each point is compressed for generated maps",
              .source = "lczero-training, README"),
    FIELD_INT(BlockOptions, map_hidden, 256, 1, 4096, "hidden units of generated maps",
              .source = "lczero-training, README"),
    FIELD_INT(BlockOptions, map_gen, 256, 1, 4096,
              "length of the vector from which the last matrix computes the map of a head",
              .source = "lczero-training, README"),
    FIELD_CHOICE(BlockOptions, map_activation, BLOCK_ACTIVATION_SILU, "net|relu|mish|silu|relu2",
                 "activation function of generated maps; silu is also called swish",
                 .source = "lczero-training, README"),
    FIELD_CHOICE(BlockOptions, map_input, MAP_INPUT_AUTO, "auto|pool|points",
                 "what generated maps read: pooled channels of the board, or those of all points "
                 "of a board of `side`; auto: pool if map_form is offsets, otherwise points",
                 .source = "points: lczero-training, README; pool: own"),
    FIELD_CHOICE(
        BlockOptions, tables, 0, "none|q|k|qk|v|qv|kv|qkv",
        "vectors for each difference of two places and each head, which are multiplied with "
        "queries (q) or keys (k), or added to values (v); q and k need rotary=none",
        .source = "Shaw et al. 2018; lczero-training, tfprocess.py"),
    FIELD_INT(BlockOptions, dropout, 0, 0, 99,
              "percent of the numbers of each branch that become 0 while training; the others are "
              "divided by the fraction that is left; 0: off",
              .source = "Srivastava et al. 2014; lczero-training, tfprocess.py"),
    FIELD_BOOL(
        BlockOptions, process, false,
        "the outputs of the attention heads go through another matrix and the square of relu "
        "before the matrix that leads back to the trunk",
        .source = "lczero-training, README (its place is our reading)"),
    FIELD_INT(BlockOptions, dilation, 1, 1, 18,
              "distance between neighbouring taps of the dilated channels; 1: none are dilated",
              .source = "GoNN, README; Yu and Koltun 2016"),
    FIELD_INT(BlockOptions, dilated, 0, 0, 4096,
              "number of inner channels that come from the dilated convolution, if dilation is "
              "above 1; 0: a third of the inner channels",
              .source = "GoNN, README"),
    FIELD_CHOICE(BlockOptions, pooling, 0, "auto|mean_scale_max|mean_max|mean|mean_max_stdev",
                 "what pooling gives for each channel; auto: as arch.pooling says",
                 .source = "Wu 2019, section 3.3; GoNN, model.py"),
    FIELD_INT(BlockOptions, length, 9, 3, 19, "length of the kernels k x 1 and 1 x k, odd",
              .source = "GoNN, README"),
    FIELD_BOOL(BlockOptions, gate_norm, false,
               "the logits of a ladder block have the norm of the net, instead of only a bias",
               .source = "GoNN, model.py, ladder_block"),
    {0},
};
