#include "eval/arch/blocks/blocks.h"

#include <string.h>

#define ATTENTION_OPTIONS                                                                          \
    "heads kv_heads query value rotary side maps map_form map_factors map_rank map_channels "      \
    "map_hidden map_gen map_activation map_input tables process"

const Block BLOCKS[] = {
    {"residual",
     "two convolutions with pre-activation (Wu 2019, appendix A), the first of which may be "
     "dilated "
     "(GoNN)",
     "inner kernel dilation dilated norm activation", false, block_residual},
    {"pooled",
     "a residual block in which some channels of the first convolution are pooled over the board, "
     "mapped and added to the others (Wu 2019, section 3.3)",
     "inner kernel pool pooling norm activation", false, block_pooled},
    {"squeeze",
     "a residual block whose branch is scaled and shifted, channel by channel, by numbers that are "
     "computed from its mean over the board (Hu et al. 2018; Lc0)",
     "inner kernel norm activation", false, block_squeeze},
    {"stem",
     "the block before resnet blocks: the norm and the activation behind the first convolution "
     "(lczero-training)",
     "norm activation", false, block_stem},
    {"resnet",
     "two convolutions with an activation behind the sum instead of before the first convolution, "
     "and squeeze and excitation by the option squeeze (He et al. 2016; lczero-training)",
     "inner kernel squeeze norm activation", false, block_resnet},
    {"bottleneck",
     "two 3 x 3 convolutions on half as many channels as the trunk has, between a 1 x 1 "
     "convolution that leads to these channels and one that leads back (He et al. 2016; "
     "p3achygo; KataGo)",
     "inner kernel layers norm activation", false, block_bottleneck},
    {"nested",
     "residual blocks on half as many channels as the trunk has, between a 1 x 1 convolution "
     "that leads to these channels and one that leads back (KataGo, "
     "python/katago/train/model_pytorch.py)",
     "inner kernel pool pooling layers norm activation", false, block_nested},
    {"broadcast",
     "a matrix over the points of the board, the same for all channels, between two convolutions "
     "of 1 x 1 (p3achygo, python/model.py)",
     "inner side norm activation", false, block_broadcast},
    {"chain",
     "the maxima over chains of stones, between two convolutions (GoNN, README, \"Chain pooling\")",
     "inner kernel norm activation", false, block_chain},
    {"ladder",
     "averages along the diagonals with weights from a convolution, which can follow ladders "
     "(GoNN, "
     "model.py, ladder_block)",
     "inner kernel gate_norm norm activation", false, block_ladder},
    {"lines",
     "the mean of two branches: a k x 1 convolution before a 1 x k convolution, and the reverse "
     "order; both branches have the same weights (GoNN, README)",
     "inner length norm activation", false, block_lines},
    {"attention",
     "attention between the points, after a norm (Vaswani et al. 2017; KataGo, "
     "python/katago/train/model_pytorch.py)",
     "norm " ATTENTION_OPTIONS, true, block_attention},
    {"swiglu",
     "a gated feed-forward layer (SwiGLU) at each point, after a norm (Shazeer 2020; KataGo, "
     "python/katago/train/model_pytorch.py)",
     "inner activation norm", true, block_swiglu},
    {"ffn",
     "a feed-forward layer without a gate at each point, after a norm (Vaswani et al. 2017; "
     "lczero-training)",
     "inner activation norm", true, block_ffn},
    {"gate",
     "gains and shifts that belong to places on the board, for each channel (lczero-training)",
     "gate places side", true, block_gate},
    {"embedding",
     "the block before the encoder blocks: an activation and the gates of a gate block; with the "
     "option inner, also norms and a feed-forward layer; with the option dense, also a matrix over "
     "all points (lczero-training)",
     "inner activation norm gate places side dense", true, block_embedding},
    {"encoder",
     "attention between the points, then a feed-forward layer at each point; a norm follows each "
     "of the two residual sums (Vaswani et al. 2017; Wang et al. 2022; lczero-training)",
     "inner activation norm dropout " ATTENTION_OPTIONS, true, block_encoder},
    {0},
};

const Block *block_find(const char *name) {
    for (const Block *block = BLOCKS; block->name; block++) {
        if (strcmp(block->name, name) == 0) return block;
    }
    return NULL;
}

bool block_has_option(const Block *block, const char *option) {
    size_t length = strlen(option);
    for (const char *at = block->options; *at; at += strspn(at, " ")) {
        size_t span = strcspn(at, " ");
        if (span == length && memcmp(at, option, length) == 0) return true;
        at += span;
    }
    return false;
}
