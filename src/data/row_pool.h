/* row_pool.h - the files of a window, and their rows in a random order, each once a pass. A window
 * that fits in memory is kept there. A larger one is read in turns: files drawn at random fill half
 * of the memory while the rows of the other half are used up (as the pools of GoNN and of
 * lczero-training, by whole files). What is listed is read little by little, so that the first rows
 * are there at once. Threading: confined. */
#pragma once
#include "base/rng.h"
#include "data/row.h"

typedef struct {
    int length;          /* boards fit in it */
    size_t memory_bytes; /* of rows at once, but for a file that alone is larger */
    float validation;    /* share of the games whose rows row_pool_next() leaves out */
} RowPoolSetup;

typedef struct RowPool RowPool;
MUST_USE Status row_pool_new(const RowPoolSetup *config, RowPool **out, Error *err);
void row_pool_free(RowPool *pool); /* NULL is fine */

/* Reads a file as the newest of the window. ERR_SYNTAX: it is bad, or its boards are too large. */
MUST_USE Status row_pool_add(RowPool *pool, const char *path, Error *err);
/* The same of a file that is said to have `count` rows and is read when they are needed. */
MUST_USE Status row_pool_list(RowPool *pool, const char *path, int64_t count, Error *err);
/* Drops the oldest files as long as at least `rows` stay. */
void row_pool_set_window(RowPool *pool, int64_t rows);
int64_t row_pool_rows(const RowPool *pool);  /* in the window */
int64_t row_pool_added(const RowPool *pool); /* of all files, dropped ones too */
/* The next row, until the pool is touched again. Depends on `rng`, the calls before and the files,
 * not on timing. ERR_ARGUMENT: there are none, or all are for validation. ERR_IO: a file that is
 * there cannot be read; the call may be repeated. */
MUST_USE Status row_pool_next(RowPool *pool, Rng *rng, const Rows **rows, size_t *row, Error *err);

/* Files that turned out bad, or gone, when they were read; they are no longer in the window. */
typedef struct {
    char *path; /* the caller frees it */
    int64_t rows;
    char reason[256];
} BadFile;
bool row_pool_take_bad(RowPool *pool, BadFile *out);

/* What is in memory now, for validation. */
size_t row_pool_blocks(const RowPool *pool);
const Rows *row_pool_block(const RowPool *pool, size_t index);
int64_t row_pool_changes(const RowPool *pool); /* grows when these become others */
/* Whether a row's game is for validation: by its hash, so that all its rows are. */
bool row_pool_is_held(const RowPool *pool, const Rows *rows, size_t row);
size_t row_pool_memory(const RowPool *pool); /* bytes of rows in memory */
