#include "eval/arch/blocks/blocks.h"

#include <string.h>

const Block BLOCKS[] = {
    {"residual", "two convolutions with pre-activation (Wu 2019, appendix A)", block_residual},
    {"pooled",
     "a residual block in which some channels of the first convolution are pooled over the board, "
     "mapped and added to the others (Wu 2019, section 3.3)",
     block_pooled},
    {"squeeze",
     "a residual block whose branch is scaled and shifted, channel by channel, by numbers that are "
     "computed from its mean over the board (Hu et al. 2018; Lc0)",
     block_squeeze},
    {"bottleneck",
     "two convolutions of 3 x 3 on half of the channels, between two of 1 x 1 that lead there and "
     "back (He et al. 2016; p3achygo; KataGo)",
     block_bottleneck},
    {0},
};

const Block *block_find(const char *name) {
    for (const Block *block = BLOCKS; block->name; block++) {
        if (strcmp(block->name, name) == 0) return block;
    }
    return NULL;
}
