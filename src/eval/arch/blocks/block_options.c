#include "eval/arch/blocks/block_options.h"

const SettingsField BLOCK_FIELDS[] = {
    FIELD_INT(
        BlockOptions, inner, 0, 0, 4096,
        "channels inside the block; 0: as arch.inner_channels says, and if that is 0 too, as "
        "many as the trunk has, half of them in bottleneck and nested blocks, and 8/3 of them "
        "in swiglu blocks; in chain blocks 0 means 32, in ladder blocks 6 for each direction, "
        "and in lines blocks 64"),
    FIELD_INT(
        BlockOptions, kernel, 3, 1, 19,
        "width of the convolutions, odd; those of 1 x 1 around a bottleneck stay as they are"),
    FIELD_INT(BlockOptions, pool, 0, 0, 4096,
              "channels that are pooled over the board; 0: as arch.pool_channels says, and none in "
              "nested blocks"),
    FIELD_INT(BlockOptions, layers, 0, 0, 16,
              "number of inner convolutions (bottleneck) or inner blocks (nested); 0: 2"),
    FIELD_INT(BlockOptions, heads, 0, 0, 256,
              "heads of queries; 0: one for 32 channels of the trunk"),
    FIELD_INT(BlockOptions, kv_heads, 0, 0, 256,
              "heads of keys and values, a divisor of the number of heads; 0: as many as heads",
              .source = "Ainslie et al. 2023"),
    FIELD_INT(BlockOptions, query, 0, 0, 1024,
              "channels of a head of queries or keys, even; 0: the trunk's divided by the heads"),
    FIELD_INT(BlockOptions, value, 0, 0, 1024,
              "channels of a head of values; 0: as many as a head of queries has"),
    FIELD_CHOICE(BlockOptions, rotary, ROTARY_LEARNED, "none|fixed|learned",
                 "whether queries and keys are rotated by the place of their point, and whether "
                 "the frequencies are learned",
                 .source = "Su et al. 2021; KataGo, python/katago/train/model_pytorch.py"),
    FIELD_INT(BlockOptions, side, 19, 1, 19,
              "side of the largest board for whose points there are weights; on a larger board the "
              "points beyond it take no part",
              .source = "p3achygo, python/model.py"),
    FIELD_INT(BlockOptions, dilation, 1, 1, 18,
              "distance between neighbouring taps of the dilated channels; 1: none are dilated",
              .source = "GoNN, README; Yu and Koltun 2016"),
    FIELD_INT(BlockOptions, dilated, 0, 0, 4096,
              "how many of the inner channels come from the dilated convolution, with dilation "
              "above 1; 0: a third of them",
              .source = "GoNN, README"),
    FIELD_CHOICE(BlockOptions, pooling, 0, "auto|mean_scale_max|mean_max|mean",
                 "what pooling gives for each channel; auto: as arch.pooling says",
                 .source = "Wu 2019, section 3.3; GoNN, model.py"),
    FIELD_INT(BlockOptions, length, 9, 3, 19, "length of the kernels k x 1 and 1 x k, odd",
              .source = "GoNN, README"),
    {0},
};
