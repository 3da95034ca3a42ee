#include "eval/arch/blocks/block_options.h"

#include "nn/graph/program.h"

const SettingsField BLOCK_FIELDS[] = {
    FIELD_INT(BlockOptions, inner, 0, 0, 4096,
              "number of channels inside the block; 0: arch.inner_channels. If "
              "arch.inner_channels is 0 too, the block has as many inner channels as the trunk "
              "has channels, but half as many in bottleneck and nested blocks, 8/3 times as many "
              "in swiglu blocks, and twice as many in ffn and encoder blocks. Chain, ladder, "
              "lines and embedding blocks do not use arch.inner_channels; with 0, chain blocks "
              "have 32 inner channels, ladder blocks 6 for each direction, lines blocks 64, and "
              "embedding blocks have no feed-forward layer"),
    FIELD_INT(
        BlockOptions, kernel, 3, 1, 19,
        "kernel width of the convolutions, odd; the 1 x 1 convolutions around a bottleneck stay "
        "1 x 1"),
    FIELD_INT(BlockOptions, pool, 0, 0, 4096,
              "number of channels that are pooled over the board; 0: as arch.pool_channels says, "
              "but none in nested blocks"),
    FIELD_INT(BlockOptions, layers, 0, 0, 16,
              "number of inner convolutions (bottleneck) or inner blocks (nested); 0: 2"),
    FIELD_INT(
        BlockOptions, heads, 0, 0, 256,
        "number of heads of queries; if `query` is 0, it must divide the number of channels of "
        "the trunk; 0: one head for each 32 channels, but at least one head"),
    FIELD_INT(BlockOptions, kv_heads, 0, 0, 256,
              "number of heads of keys and values, a divisor of the number of heads; 0: as many "
              "as heads",
              .source = "Ainslie et al. 2023"),
    FIELD_INT(BlockOptions, query, 0, 0, 1024,
              "number of channels of a head of queries or keys; it must be even, except with "
              "rotary=none; 0: the number of channels of the trunk divided by the number of "
              "heads, rounded down to an even number"),
    FIELD_INT(BlockOptions, value, 0, 0, 1024,
              "number of channels of a head of values; 0: as many as a head of queries has"),
    FIELD_CHOICE(BlockOptions, rotary, ROTARY_LEARNED, "none|fixed|learned",
                 "whether queries and keys are rotated by the place of their point, and whether "
                 "the frequencies are learned",
                 .source = "Su et al. 2021; KataGo, python/katago/train/model_pytorch.py"),
    FIELD_INT(BlockOptions, side, 19, 1, 19,
              "side of the largest board for whose points there are weights. On a larger board, "
              "the points outside a square of this side have no weights: gates leave these "
              "points as they are, and in attention their pairs have no maps and no tables",
              .source = "p3achygo, python/model.py"),
    FIELD_CHOICE(BlockOptions, norm, ROW_NORM_AUTO,
                 "auto|rms|layer|batch|fixup|fixed|renorm|fixscale|fson",
                 "norm inside the block; rms: an RMS norm of each point; layer: a layer norm, "
                 "which also subtracts the mean and adds a bias; the others: as in arch.norm; "
                 "auto: the norm of the net, but rms in attention, swiglu and ffn blocks and "
                 "layer in encoder and embedding blocks",
                 .source = "Zhang and Sennrich 2019; Ba, Kiros and Hinton 2016"),
    FIELD_CHOICE(BlockOptions, activation, BLOCK_ACTIVATION_AUTO,
                 "net|relu|mish|silu|relu2|prelu|identity|auto",
                 "activation function inside the block, in swiglu blocks the activation function "
                 "of the gate; net: that of the net; auto: that of the net, but silu in swiglu "
                 "blocks; silu is also called swish, and relu2 is the square of relu",
                 .source = "lczero-training, README; Shazeer 2020 (gates)"),
    FIELD_CHOICE(BlockOptions, gate, GATE_BOTH, "both|multiply|add",
                 "what a gate has for each place on the board and each channel; both: a gain and "
                 "a shift; multiply: only a gain; add: only a shift",
                 .source = "lczero-training, tfprocess.py"),
    FIELD_CHOICE(BlockOptions, places, PLACES_EDGES, "edges|points",
                 "what the places of a gate are; points: each point of the board is a place; "
                 "edges: points with the same distances to the nearest edges share a place, so "
                 "that boards of all sizes share the gates, and symmetries do not change them",
                 .source = "lczero-training, tfprocess.py; edges: own"),
    FIELD_CHOICE(BlockOptions, maps, MAPS_NONE, "none|learned|fullgen|smolgen",
                 "whether each head has a map, whose numbers, one for each pair of points, are "
                 "added to the logits; learned: the numbers are learned; fullgen and smolgen: "
                 "the numbers are computed from the input of the block; with smolgen all blocks "
                 "share the last matrix of this computation",
                 .source = "lczero-training, README"),
    FIELD_CHOICE(BlockOptions, map_form, MAP_OFFSETS, "offsets|points|ranks",
                 "what a map is made of; offsets: a number for each offset between two points; "
                 "points: a number for each pair of points of one board size (the net then plays "
                 "only on this size); ranks: two vectors for each point; the number of a pair is "
                 "the product of the first vector of one point and the second vector of the other",
                 .source = "lczero-training, README; offsets, ranks: own"),
    FIELD_BOOL(BlockOptions, map_factors, false,
               "each head has a second map m; 1 + m multiplies the attention weights of the head",
               .source = "lczero-training, README"),
    FIELD_INT(BlockOptions, map_rank, 4, 1, 64, "length of the vectors of map_form = ranks"),
    FIELD_INT(BlockOptions, map_channels, 32, 1, 1024,
              "number of channels to which each point is compressed for generated maps",
              .source = "lczero-training, README"),
    FIELD_INT(BlockOptions, map_hidden, 256, 1, 4096, "number of hidden units of generated maps",
              .source = "lczero-training, README"),
    FIELD_INT(BlockOptions, map_gen, 256, 1, 4096,
              "length of the vector from which the last matrix computes the map of a head",
              .source = "lczero-training, README"),
    FIELD_CHOICE(BlockOptions, map_activation, BLOCK_ACTIVATION_SILU, "net|relu|mish|silu|relu2",
                 "activation function of generated maps; silu is also called swish",
                 .source = "lczero-training, README"),
    FIELD_CHOICE(BlockOptions, map_input, MAP_INPUT_AUTO, "auto|pool|points",
                 "what generated maps read; pool: channels that are pooled over the board; "
                 "points: the channels of all points of a board whose side is the option `side`; "
                 "auto: pool if map_form is offsets, otherwise points",
                 .source = "points: lczero-training, README; pool: own"),
    FIELD_CHOICE(
        BlockOptions, tables, 0, "none|q|k|qk|v|qv|kv|qkv",
        "tables of vectors, with one vector for each head and each offset between two points; q: "
        "the vectors are multiplied with queries; k: they are multiplied with keys; v: they are "
        "added to values; q and k need rotary=none",
        .source = "Shaw et al. 2018; lczero-training, tfprocess.py"),
    FIELD_INT(BlockOptions, dropout, 0, 0, 99,
              "percentage of the numbers of each branch that training sets to 0; training "
              "divides the other numbers by the fraction that is left; 0: off",
              .source = "Srivastava et al. 2014; lczero-training, tfprocess.py"),
    FIELD_INT(BlockOptions, squeeze, 0, 0, 4096,
              "number of hidden units of squeeze and excitation; 0: the block has none (lc0: 32)",
              .source = "Hu et al. 2018; lczero-training, tfprocess.py"),
    FIELD_BOOL(
        BlockOptions, process, false,
        "before the matrix that leads back to the trunk, the outputs of the attention heads go "
        "through another matrix and the square of relu",
        .source = "lczero-training, README (its place is our reading)"),
    FIELD_INT(BlockOptions, dilation, 1, 1, 18,
              "distance between neighbouring taps of the dilated channels; 1: none are dilated",
              .source = "GoNN, README; Yu and Koltun 2016"),
    FIELD_INT(BlockOptions, dilated, 0, 0, 4096,
              "if dilation is above 1: the number of inner channels that come from the dilated "
              "convolution; 0: a third of the inner channels",
              .source = "GoNN, README"),
    FIELD_CHOICE(BlockOptions, pooling, 0, "auto|mean_scale_max|mean_max|mean|mean_max_stdev",
                 "what pooling gives for each channel; auto: as arch.pooling says",
                 .source = "Wu 2019, section 3.3; GoNN, model.py"),
    FIELD_INT(BlockOptions, length, 9, 3, 19, "length of the kernels k x 1 and 1 x k, odd",
              .source = "GoNN, README"),
    FIELD_INT(BlockOptions, dense, 0, 0, 512,
              "number of channels that one matrix over the stones at all points gives to each "
              "point of an embedding; 0: there is no such matrix (lczero-training, on 8x8: 512)",
              .source = "lczero-training, tfprocess.py"),
    FIELD_BOOL(BlockOptions, gate_norm, false,
               "in ladder blocks, the norm of the net follows the logits; otherwise only a bias "
               "does",
               .source = "GoNN, model.py, ladder_block"),
    {0},
};
