/* sgf_shards.h - the second stage of making rows from games: makes the rows of the games in an
 * index and spreads them over row files. The games are taken in a random order, and as many of them
 * as have about `pool_rows` rows form a pool. The rows of a pool are shuffled and dealt to shards,
 * which are row files of `shard_rows` rows. So two rows of a game are rarely in the same part of a
 * file, and never far apart in the order of the files (GoNN, cpp/write.cpp, has a pool and several
 * passes instead). Each row is in exactly one shard, and the same index and settings give the same
 * bytes with any number of threads. Threading: confined (threads inside). */
#pragma once
#include "data/sgf_filter.h"
#include "data/sgf_index.h"
#include "data/sgf_rows_settings.h"

typedef struct {
    int64_t rows, rows_done; /* of all pools, and how far they are made and written */
    int64_t rows_found;      /* of `rows_done`: were in files already when the work began */
    int shards, shards_done;
} SgfShardsState;

/* Hears how far the work is, always from the caller's thread. Anything but OK, for example
 * ERR_STOPPED, ends it. */
typedef struct {
    Status (*report)(void *context, const SgfShardsState *state, Error *err);
    void *context;
} SgfShardsWatch;

typedef struct {
    const char *games_path; /* the file of games to which the index belongs */
    const char *folder;     /* gets the shards as 000000.npz and so on; must exist */
    const SgfFilter *filter;
    const SgfRowsSettings *settings;
    const SgfShardsWatch *watch; /* may be NULL */
    bool validation;             /* which games of the index */
} SgfShardsSetup;

/* Makes the shards that do not exist yet. The index must be shuffled (sgf_index_shuffle()).
 * `*state` is set also on failure. ERR_IO: a file cannot be read or written. ERR_SYNTAX: the file
 * of games is not that of the index. ERR_MEMORY, ERR_STOPPED. */
MUST_USE Status sgf_shards_write(const SgfShardsSetup *setup, const SgfIndex *index,
                                 SgfShardsState *state, Error *err);
