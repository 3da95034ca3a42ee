/* row_pool.h - the row files of a training window. The pool gives out their rows in random order.
 * Each pass uses each training row once, unless the files in the window change during the pass.
 * Call row_pool_new(), then row_pool_add() or row_pool_list() for each file, then
 * row_pool_set_window(), then row_pool_next() for each sample.
 * A window that fits in memory is kept there. A larger one is streamed: files drawn at random fill
 * one half of the memory while training uses up the rows of the other half. (The pools of GoNN and
 * lczero-training do the same, but not by whole files.) Files that were only listed are read little
 * by little, so that the first rows are given out before all files are read.
 * Threading: confined. */
#pragma once
#include "base/rng.h"
#include "data/row.h"

typedef struct {
    int length;          /* all boards must fit into length x length */
    size_t memory_bytes; /* limit for rows in memory; a single larger file may exceed it */
    float validation;    /* fraction of the games whose rows row_pool_next() leaves out */
} RowPoolSetup;

typedef struct RowPool RowPool;
MUST_USE Status row_pool_new(const RowPoolSetup *setup, RowPool **out, Error *err);
void row_pool_free(RowPool *pool); /* NULL is fine */

/* Reads a file and adds it as the newest. ERR_SYNTAX: the file is damaged, or its boards are too
 * large. */
MUST_USE Status row_pool_add(RowPool *pool, const char *path, Error *err);
/* Adds a file as the newest without reading it. The caller says that it has `count` rows. The file
 * is read when its rows are needed. */
MUST_USE Status row_pool_list(RowPool *pool, const char *path, int64_t count, Error *err);
/* Drops the oldest files, but never the newest one, as long as the others have at least `rows`
 * rows. */
void row_pool_set_window(RowPool *pool, int64_t rows);
int64_t row_pool_rows(const RowPool *pool);  /* rows in the window */
int64_t row_pool_added(const RowPool *pool); /* rows of all files, dropped ones too */
/* Gives the next row, borrowed until the pool is used again. Which row it is depends on `rng`,
 * the calls before and the files, never on timing. ERR_ARGUMENT: there are no rows that can be
 * read, or all are for validation. ERR_IO: a file that exists cannot be read; the call may be
 * repeated. */
MUST_USE Status row_pool_next(RowPool *pool, Rng *rng, const Rows **rows, size_t *row, Error *err);

/* A file that was damaged or missing when it was read. It is no longer in the window. */
typedef struct {
    char *path; /* the caller frees it */
    int64_t rows;
    char reason[256];
} BadFile;
/* Hands out one of these files. Returns false if there are no more. */
bool row_pool_take_bad(RowPool *pool, BadFile *out);

/* Validation reads the rows that are in memory now. They lie in blocks. A block has the rows of one
 * file and may be empty. */
size_t row_pool_blocks(const RowPool *pool);
const Rows *row_pool_block(const RowPool *pool, size_t index);
int64_t row_pool_changes(const RowPool *pool); /* grows whenever these blocks change */
/* Returns whether a row is for validation. The hash of its game decides this, so that it is the
 * same for all rows of a game. */
bool row_pool_is_held_out(const RowPool *pool, const Rows *rows, size_t row);
size_t row_pool_memory(const RowPool *pool); /* bytes of the rows in memory */
