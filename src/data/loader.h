/* loader.h - batches from a window of row files: rows drawn at random without replacement within a
 * pass, one symmetry and history drop a row. A thread makes the next batch while the last one is
 * used. Rows are held in memory, packed, up to memory_mb; see row_pool.h for windows that are
 * larger. Batch k depends on the seed, k and the files and windows set before the call for batch k
 * - 1 (for the first: before its own), never on timing. Threading: confined (a thread inside). */
#pragma once
#include "data/batch.h"
#include "data/row_pool.h"
#include "data/window.h"

/* Whether the final score is the lead of rows whose lead was not searched for. BY_FILE: of files
 * that have no row with a lead, as their games did not look for any. */
typedef enum {
    LEAD_FROM_SCORE_BY_FILE,
    LEAD_FROM_SCORE_ALWAYS,
    LEAD_FROM_SCORE_NEVER
} LeadFromScore;

/* Which of the last moves a sample shows: by the masks of its row, or drawn anew for each. */
typedef enum { HISTORY_OF_ROW, HISTORY_DRAWN } HistoryMasks;

typedef struct {
    int batch;
    int length;      /* h = w of the tensors */
    bool symmetries; /* augment with one of the 8 */
    bool history_drop;
    int history_masks;   /* HistoryMasks; those of rows are targets 36-40 */
    int lead_from_score; /* LeadFromScore */
    int64_t memory_mb;
    uint64_t seed;
    bool boards;      /* batches have what auxiliary heads learn */
    bool q_values;    /* batches have what the searches found of each move */
    float validation; /* share of the games whose rows are kept for loader_validation() */
} LoaderSettings;
extern const ConfigField LOADER_FIELDS[]; /* all but length, seed, boards, q_values */

typedef struct Loader Loader;
MUST_USE Status loader_new(const LoaderSettings *config, Loader **out, Error *err);
void loader_free(Loader *loader);
/* Adds a file's rows as the newest. A bad file, or one whose boards are larger than the tensors, is
 * ERR_SYNTAX with the reason: the caller sets it aside. */
MUST_USE Status loader_add_file(Loader *loader, const char *path, Error *err);
/* The same of a file that is said to have `rows` rows, which is read when they are needed. */
MUST_USE Status loader_list_file(Loader *loader, const char *path, int64_t rows, Error *err);
/* One of the listed files that turned out bad, or gone, when they were read, and are left out. */
bool loader_take_bad(Loader *loader, BadFile *out);
/* Older rows are dropped, by whole files, as long as at least `rows` stay. */
void loader_set_window(Loader *loader, int64_t rows);
int64_t loader_rows(Loader *loader);       /* in the window */
int64_t loader_rows_added(Loader *loader); /* of all files, dropped ones too */
/* ERR_ARGUMENT: there are no rows, or all are for validation. ERR_IO: a file that is there cannot
 * be read; the call may be repeated. */
MUST_USE Status loader_next(Loader *loader, Batch *out, Error *err);
/* Batch `number` (from 0) of the rows in memory that are kept for validation, each row once,
 * unturned, with its whole history; count 0: there are no more. It belongs to the loader until the
 * next call. */
MUST_USE Status loader_validation(Loader *loader, int number, Batch *out, Error *err);
