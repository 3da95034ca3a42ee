#include "base/hash_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The hashes are in an open hash table with linear probing. Its size is a power of two, and at most
 * half of its places are in use. Hash 0 marks an unused place. */

static size_t find_place(const HashSet *set, const uint64_t hash[2]) {
    size_t at = hash[0] & (set->size - 1);
    while ((set->places[at][0] || set->places[at][1]) &&
           (set->places[at][0] != hash[0] || set->places[at][1] != hash[1]))
        at = (at + 1) & (set->size - 1);
    return at;
}

static Status grow(HashSet *set, Error *err) {
    HashSet larger = {.size = set->size ? 2 * set->size : 1024, .count = set->count};
    Status status = mem_new(larger.size, sizeof *larger.places, &larger.places, err);
    if (status) return status;
    for (size_t i = 0; i < set->size; i++) {
        if (set->places[i][0] || set->places[i][1])
            memcpy(larger.places[find_place(&larger, set->places[i])], set->places[i],
                   sizeof *set->places);
    }
    free(set->places);
    *set = larger;
    return OK;
}

Status hash_set_add(HashSet *set, const uint64_t hash[2], bool *known, Error *err) {
    Status status = 2 * (set->count + 1) > set->size ? grow(set, err) : OK;
    if (status) return status;
    size_t at = find_place(set, hash);
    *known = set->places[at][0] || set->places[at][1];
    if (*known) return OK;
    memcpy(set->places[at], hash, sizeof *set->places);
    set->count++;
    return OK;
}

void hash_set_clear(HashSet *set) {
    free(set->places);
    *set = (HashSet){0};
}
