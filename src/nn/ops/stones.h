/* stones.h - the stones of the position, for ops that read them. The stones are in the second input
 * of the op, which usually is the input planes of the net. In this input, channel 1 is not 0 at the
 * stones of the mover, and channel 2 is not 0 at the stones of the opponent. Threading: free
 * functions without state. */
#pragma once
#include "nn/ops/op.h"

typedef enum { STONE_NONE, STONE_OWN, STONE_OTHER } Stone;

/* Returns the stone at a cell. `cell` is its index among the cells of all samples. */
static inline Stone stone_at(const OpCall *call, size_t cell) {
    const float *planes = call->x[1] + cell * (size_t)call->in_channels[1];
    if (call->mask[cell] == 0) return STONE_NONE;
    return planes[STONE_OWN] != 0 ? STONE_OWN : planes[STONE_OTHER] != 0 ? STONE_OTHER : STONE_NONE;
}

/* For OpClass.shape of such an op: returns what is wrong with its inputs, or NULL. */
static inline const char *stones_fault(const Op *const *inputs) {
    if (inputs[0]->shape != KIND_SPATIAL || inputs[1]->shape != KIND_SPATIAL)
        return "an op that reads stones needs two spatial inputs";
    return inputs[1]->channels > STONE_OTHER ? NULL : "the second input has no planes of stones";
}
