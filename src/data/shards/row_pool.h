/* row_pool.h - the row files of a training window. The pool gives out their rows in random order.
 * Each pass uses each training row once, unless the files in the window change during the pass.
 * Call row_pool_new(), then row_pool_add() or row_pool_list() for each file, then
 * row_pool_set_window(), then row_pool_next() for each sample.
 * A window that fits in memory is kept there. A larger window is streamed: while training uses the
 * rows in one half of the memory, the other half is filled with files that are drawn at random.
 * (The pools of GoNN and lczero-training work in this way too, but do not read whole files at
 * once.) Files that were only listed are read little by little, so that the first rows are given
 * out before all files are read.
 * Threading: confined. */
#pragma once
#include "base/rng.h"
#include "data/rows/row.h"

typedef struct {
    int length;          /* all boards must fit into length x length */
    size_t memory_bytes; /* limit for rows in memory; a single file may be larger */
    float validation;    /* fraction of the games whose rows row_pool_next() leaves out */
    bool only_held_out;  /* keep only the rows of these games, for validation */
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
/* Drops the oldest file again and again, as long as the files after it have at least `rows` rows.
 * The newest file always stays. */
void row_pool_set_window(RowPool *pool, int64_t rows);
int64_t row_pool_rows(const RowPool *pool);  /* rows in the window */
int64_t row_pool_added(const RowPool *pool); /* rows of all files, including dropped files */
/* Gives the next row, borrowed until the pool is used again. Which row this is depends on `rng`,
 * on the earlier calls and on the files, never on timing. ERR_ARGUMENT: there are no rows that can
 * be read, or all rows are for validation. ERR_IO: a file that exists cannot be read; the call may
 * be repeated. */
MUST_USE Status row_pool_next(RowPool *pool, Rng *rng, const Rows **rows, size_t *row, Error *err);

/* A file that was damaged or missing when it was read. It is no longer in the window. */
typedef struct {
    char *path; /* the caller frees it */
    int64_t rows;
    char reason[256];
} BadFile;
/* Gives one of these files, each only once. Returns false if there are no more. */
bool row_pool_take_bad(RowPool *pool, BadFile *out);

/* For validation: the rows that are in memory now are stored in blocks. A block has the rows of one
 * file and may be empty. */
size_t row_pool_blocks(const RowPool *pool);
const Rows *row_pool_block(const RowPool *pool, size_t index);
int64_t row_pool_changes(const RowPool *pool); /* grows whenever these blocks change */
/* Returns whether a row is for validation. The hash of the row's game decides this, so the answer
 * is the same for all rows of a game. */
bool row_pool_is_held_out(const RowPool *pool, const Rows *rows, size_t row);
size_t row_pool_memory(const RowPool *pool); /* bytes of the rows in memory */
