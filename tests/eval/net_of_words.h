/* net_of_words.h - makes a net with random weights from its description ("b2c16-fixup"). */
#pragma once
#include "eval/arch/arch.h"
#include "test.h"

static inline Net *net_of_words(const char *words, uint64_t seed) {
    Rng rng = rng_seeded(seed);
    Net *net = NULL;
    EXPECT_OK(arch_build_text(words, &rng, &net, err));
    return net;
}
