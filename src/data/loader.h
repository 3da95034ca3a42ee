/* loader.h - training batches from a window of row files. Rows are drawn at random, without
 * replacement within a pass, and each gets a random symmetry and drop of history. A thread makes
 * the next batch while the caller uses the last one.
 * Use: loader_new(), loader_add_file() or loader_list_file() for each file, loader_set_window(),
 * then loader_next() for each step.
 * Rows are kept packed in memory, up to memory_mb; row_pool.h says what happens to larger windows.
 * Batch k depends on the seed, on k, and on the files and windows set before the call for batch
 * k - 1 (those of batch 0: before its own call), never on timing.
 * Threading: confined (a thread inside). */
#pragma once
#include "data/batch.h"
#include "data/row_pool.h"
#include "data/window.h"

/* Whether rows without a searched lead use their final score as lead. BY_FILE: rows do in files
 * that have no row with a lead, because their games did not search for leads. */
typedef enum {
    LEAD_FROM_SCORE_BY_FILE,
    LEAD_FROM_SCORE_ALWAYS,
    LEAD_FROM_SCORE_NEVER
} LeadFromScore;

/* Which of the last moves a sample shows: as the masks of its row say, or drawn anew each time. */
typedef enum { HISTORY_OF_ROW, HISTORY_DRAWN } HistoryMasks;

typedef struct {
    int batch;       /* rows of a batch */
    int length;      /* h = w of the tensors */
    bool symmetries; /* apply one of the 8 symmetries to each sample */
    bool history_drop;
    int history_masks;   /* HistoryMasks; the masks of a row are its targets 36 to 40 */
    int lead_from_score; /* LeadFromScore */
    int64_t memory_mb;
    uint64_t seed;
    bool boards;       /* batches have what auxiliary heads learn: Batch.boards, search_values */
    bool q_values;     /* batches have what the searches found for each move: Batch.q_values */
    double validation; /* fraction of the games whose rows are kept for loader_validation() */
} LoaderSettings;
extern const SettingsField LOADER_FIELDS[]; /* all but length, seed, boards and q_values */

typedef struct Loader Loader;
MUST_USE Status loader_new(const LoaderSettings *settings, Loader **out, Error *err);
void loader_free(Loader *loader);
/* Reads a file and adds its rows as the newest. ERR_SYNTAX, with the reason: the file is damaged,
 * or its boards are larger than the tensors; the caller sets it aside. */
MUST_USE Status loader_add_file(Loader *loader, const char *path, Error *err);
/* Adds a file, said to have `rows` rows, as the newest. It is read when its rows are needed. */
MUST_USE Status loader_list_file(Loader *loader, const char *path, int64_t rows, Error *err);
/* Hands out a listed file that was damaged or gone when it was read, and is left out. False: there
 * are no more. */
bool loader_take_bad(Loader *loader, BadFile *out);
/* Drops older rows, by whole files, as long as at least `rows` rows stay. */
void loader_set_window(Loader *loader, int64_t rows);
int64_t loader_rows(Loader *loader);       /* rows in the window */
int64_t loader_rows_added(Loader *loader); /* rows of all files, dropped ones too */
/* Gives the next batch. ERR_ARGUMENT: there are no rows, or all are for validation. ERR_IO: a file
 * that exists cannot be read; the call may be repeated. */
MUST_USE Status loader_next(Loader *loader, Batch *out, Error *err);
/* Gives batch `number` (from 0) of the validation rows that are in memory. Each row comes once,
 * without symmetry and with its whole history. A batch with count 0 says that there are no more.
 * The batch belongs to the loader until its next call. */
MUST_USE Status loader_validation(Loader *loader, int number, Batch *out, Error *err);
