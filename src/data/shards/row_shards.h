/* row_shards.h - the second stage of making rows from games: makes the rows of the games in an
 * index and spreads them over row files. The games are taken in a random order. As soon as the
 * games that were taken have at least `pool_rows` rows together, they form a pool, and the next
 * pool begins. The rows of a pool are shuffled and spread over shards, which are row files of at
 * most `shard_rows` rows. So the rows of a game are in random places, but only in the files of one
 * pool. (GoNN, cpp/write.cpp, has a pool and several passes instead.) Each row is in exactly one
 * shard. The same index and settings give the same bytes with any number of threads.
 * Threading: confined (threads inside). */
#pragma once
#include "data/rows/row.h"
#include "data/shards/game_index.h"
#include "data/shards/row_shards_settings.h"

typedef struct {
    int64_t rows;       /* of all pools */
    int64_t rows_done;  /* counts a row half when it is made, and half when it is written */
    int64_t rows_found; /* rows of pools whose files all existed; part of rows_done */
    int shards, shards_done;
} RowShardsState;

/* A function that is called during the work, on the caller's thread, to tell how far the work is.
 * If the function returns anything but OK, for example ERR_STOPPED, the work ends. */
typedef struct {
    Status (*report)(void *context, const RowShardsState *state, Error *err);
    void *context;
} RowShardsWatch;

/* Makes the rows of a game. */
typedef struct {
    /* Adds the rows of a game to `rows`. `bytes` are the game's `entry->bytes` bytes of the file of
     * games, and a 0 behind them. Several threads may call this at the same time. ERR_SYNTAX: the
     * bytes are no game. */
    Status (*make)(const void *context, const char *bytes, const GameIndexEntry *entry, Rng *rng,
                   Rows *rows, Error *err);
    const void *context;
    bool players;           /* whether the rows have the column of the players */
    unsigned point_columns; /* the columns of row_points.h that they have */
} RowMaker;

typedef struct {
    const char *games_path; /* the file of games to which the index belongs */
    const char *folder;     /* gets the shards as 000000.npz and so on; must exist */
    RowMaker maker;
    const RowShardsSettings *settings;
    const RowShardsWatch *watch; /* may be NULL */
    bool validation;             /* true: takes the games for validation; false: the others */
} RowShardsSetup;

/* Makes the shards that do not exist yet. The index must be shuffled (game_index_shuffle()).
 * `*state` is set also on failure. ERR_IO: a file cannot be read or written. ERR_SYNTAX: the file
 * of games does not belong to the index. ERR_MEMORY, ERR_STOPPED. */
MUST_USE Status row_shards_write(const RowShardsSetup *setup, const GameIndex *index,
                                 RowShardsState *state, Error *err);
