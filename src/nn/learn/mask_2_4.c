#include "nn/learn/mask_2_4.h"

#include <math.h>

enum { GROUP = 4, KEPT = 2 };

size_t mask_2_4_bytes(size_t count) {
    return count / GROUP;
}

/* Keeps a weight if fewer than two weights of its group come before it. Larger absolute values come
 * before smaller ones, and of two equal ones the earlier comes first. */
static unsigned choose_group(const float *weights) {
    unsigned kept = 0;
    for (int i = 0; i < GROUP; i++) {
        int before = 0;
        for (int k = 0; k < GROUP; k++) {
            float mine = fabsf(weights[i]), other = fabsf(weights[k]);
            before += other > mine || (other == mine && k < i);
        }
        if (before < KEPT) kept |= 1u << i;
    }
    return kept;
}

void mask_2_4_choose(size_t count, const float *weights, unsigned char *mask) {
    for (size_t g = 0; g < count / GROUP; g++)
        mask[g] = (unsigned char)choose_group(weights + g * GROUP);
}

void mask_2_4_apply(size_t count, const unsigned char *mask, float factor, float *weights) {
    for (size_t k = 0; k < count; k++) {
        if (!(mask[k / GROUP] >> k % GROUP & 1)) weights[k] = factor != 0 ? factor * weights[k] : 0;
    }
}

void mask_2_4_prune(size_t count, float *weights) {
    for (size_t g = 0; g < count / GROUP; g++) {
        unsigned char kept = (unsigned char)choose_group(weights + g * GROUP);
        mask_2_4_apply(GROUP, &kept, 0, weights + g * GROUP);
    }
}

bool mask_2_4_is_valid(size_t count, const unsigned char *mask) {
    for (size_t g = 0; g < count / GROUP; g++) {
        unsigned bits = mask[g];
        int kept = 0;
        for (int i = 0; i < GROUP; i++)
            kept += bits >> i & 1;
        if (bits >> GROUP || kept != KEPT) return false;
    }
    return true;
}
