/* sgf_index.h - the list of the games that become rows: where each is in the file of kept games,
 * and how many rows it has. The list is written when all games have been read, so that a list that
 * exists is complete. Threading: confined. */
#pragma once
#include "base/error.h"
#include "base/hash.h"
#include <stdint.h>

typedef struct {
    uint64_t offset; /* of its line in the file of games */
    uint32_t bytes;  /* of its line */
    uint32_t rows;
    uint64_t hash[2];    /* GameRecord.hash */
    uint32_t validation; /* 1: its rows are for validation */
    uint32_t unused;
} SgfIndexEntry;
_Static_assert(sizeof(SgfIndexEntry) == 40, "the file has this layout");

typedef struct {
    HashText origin; /* identifies the sources and settings that the games came from */
    int32_t length;  /* height and width of the rows' frames */
    SgfIndexEntry *entries;
    size_t count, capacity;
} SgfIndex;

MUST_USE Status sgf_index_add(SgfIndex *index, const SgfIndexEntry *entry, Error *err);
/* Writes the list with a checksum. Numbers are little-endian. */
MUST_USE Status sgf_index_save(const SgfIndex *index, const char *path, Error *err);
/* Reads a list, which the caller clears. ERR_SYNTAX: the file is damaged. */
MUST_USE Status sgf_index_load(const char *path, SgfIndex *out, Error *err);
/* Orders the games at random. The order depends only on the hashes and the seed. The call changes
 * hash[0] of the entries. */
void sgf_index_shuffle(SgfIndex *index, uint64_t seed);
void sgf_index_clear(SgfIndex *index);
