/* hash_set.h - a set of 128-bit hashes, for example of games, to find copies of them. {0} is an
 * empty set.
 * Threading: confined. */
#pragma once
#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t (*places)[2];
    size_t size, count;
} HashSet;

/* Adds a hash. Sets `*known` to whether the set had this hash already. ERR_MEMORY. */
MUST_USE Status hash_set_add(HashSet *set, const uint64_t hash[2], bool *known, Error *err);
void hash_set_clear(HashSet *set);
