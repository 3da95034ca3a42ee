/* A table of ladders. The hash of a board decides which entry can hold the ladders of the board. */
#include "go/ladder/ladder_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum { ENTRIES = 4096 };

typedef struct {
    uint64_t key;                        /* 0 if the entry is empty */
    uint64_t words[3 * BOARD_WORDS_MAX]; /* the three sets of a LadderMap, one by one */
} Entry;

struct LadderMemory {
    Entry entries[ENTRIES];
};

Status ladder_memory_new(LadderMemory **out, Error *err) {
    return mem_new(1, sizeof **out, out, err);
}

void ladder_memory_free(LadderMemory *memory) {
    free(memory);
}

void ladder_recall(LadderMemory *memory, const Board *board, LadderMap *out) {
    if (!memory) {
        ladder_find(board, out);
        return;
    }
    uint64_t key = hash_mix(board->hash ^ (uint64_t)board->ko << 32) | 1;
    Entry *entry = &memory->entries[(key >> 32) % ENTRIES];
    uint64_t *const parts[] = {out->laddered, out->working[0], out->working[1]};
    size_t words = (size_t)board_words(board), bytes = words * sizeof(uint64_t);
    bool known = entry->key == key;
    if (!known) ladder_find(board, out);
    entry->key = key;
    for (size_t i = 0; i < 3; i++) {
        if (known)
            memcpy(parts[i], entry->words + i * words, bytes);
        else
            memcpy(entry->words + i * words, parts[i], bytes);
    }
}
