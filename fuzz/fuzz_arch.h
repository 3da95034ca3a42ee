/* fuzz_arch.h - for the entries that build nets from descriptions: whether a net is small enough to
 * be built quickly. */
#pragma once
#include "fuzz.h"

#include "eval/arch/arch.h"
#include "eval/arch/trunk.h"

/* Returns whether the options of all blocks are small. */
static inline bool fuzz_trunk_is_small(const ArchSettings *settings) {
    Trunk trunk;
    CHECK(!trunk_of(settings, &trunk, NULL) && trunk.count == settings->blocks);
    for (int i = 0; i < trunk.count; i++) {
        const BlockOptions *o = &trunk.blocks[i].options;
        if (o->inner > 32 || o->kernel > 5 || o->pool > 32 || o->layers > 3 || o->heads > 8 ||
            o->query > 32 || o->value > 32)
            return false;
        bool maps = o->maps || o->tables;
        if (maps && (o->side > 7 || o->map_rank > 8 || o->map_channels > 32 ||
                     o->map_hidden > 256 || o->map_gen > 256))
            return false;
    }
    return true;
}

static inline bool fuzz_arch_is_small(const ArchSettings *settings) {
    return settings->blocks <= 3 && settings->channels <= 32 && settings->inner_channels <= 32 &&
           settings->pool_channels <= 32 && settings->policy_channels <= 32 &&
           settings->value_channels <= 32 && settings->value_hidden <= 32 &&
           fuzz_trunk_is_small(settings);
}
