/* game_index.h - the list of the games that become rows: where each game is in the file of kept
 * games, and how many rows it has. The list is written only after all games have been read, so a
 * list that exists is complete. Threading: confined. */
#pragma once
#include "base/error.h"
#include "base/hash.h"
#include <stdint.h>

typedef struct {
    uint64_t offset; /* of the game in the file of games */
    uint32_t bytes;  /* of the game in this file */
    uint32_t rows;
    uint64_t hash[2];    /* GameRecord.hash */
    uint32_t validation; /* 1: its rows are for validation */
    uint32_t unused;
} GameIndexEntry;
_Static_assert(sizeof(GameIndexEntry) == 40, "the file has this layout");

typedef struct {
    HashText origin; /* identifies the sources and settings that the games came from */
    int32_t length;  /* height and width of the rows' frames */
    GameIndexEntry *entries;
    size_t count, capacity;
} GameIndex;

/* Returns whether a game with this hash is for validation. The answer depends only on hash[1]. The
 * loader, which can set games of its own aside (LoaderSettings.validation), uses only hash[0]. So
 * the two choices are independent, and both can be used together. */
bool game_index_is_validation(const uint64_t hash[2], double fraction);
MUST_USE Status game_index_add(GameIndex *index, const GameIndexEntry *entry, Error *err);
/* Writes the list with a checksum. Numbers are little-endian. */
MUST_USE Status game_index_save(const GameIndex *index, const char *path, Error *err);
/* Reads a list, which the caller clears. ERR_SYNTAX: the file is damaged. */
MUST_USE Status game_index_load(const char *path, GameIndex *out, Error *err);
/* Puts the games in a random order that depends only on their hashes and the seed. The call
 * overwrites hash[0] of the entries. */
void game_index_shuffle(GameIndex *index, uint64_t seed);
void game_index_clear(GameIndex *index);
