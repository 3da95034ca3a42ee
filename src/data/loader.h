/* loader.h - makes training batches from a window, which consists of the newest row files of a run.
 * Rows are drawn at random. Each pass over the window uses each training row once, unless the files
 * in the window change during the pass. Each sample gets a random symmetry, and some of its last
 * moves may be hidden. While the caller uses one batch, a thread makes the next batch.
 * Call loader_new(), then loader_add_file() or loader_list_file() for each file, then
 * loader_set_window(), then loader_next() for each step.
 * Rows are kept in memory if they take at most memory_mb. row_pool.h says what happens to larger
 * windows.
 * Batch k depends only on the settings, on k, and on the files and windows that were set before the
 * caller asked for batch k - 1 (for k = 0: before it asked for batch 0). It never depends on
 * timing.
 * Threading: confined (a thread inside). */
#pragma once
#include "data/batch.h"
#include "data/focus.h"
#include "data/shards/row_pool.h"
#include "data/window.h"

/* Whether rows without a lead target use their final score as lead. With BY_FILE they do so only if
 * no row of their file has a lead target, which shows that nobody searched for leads in these
 * games. */
typedef enum {
    LEAD_FROM_SCORE_BY_FILE,
    LEAD_FROM_SCORE_ALWAYS,
    LEAD_FROM_SCORE_NEVER
} LeadFromScore;

/* Which of the last moves a sample shows: either the row's masks say this, or it is drawn at random
 * each time the row is used. */
typedef enum { HISTORY_OF_ROW, HISTORY_DRAWN } HistoryMasks;

typedef struct {
    int batch;         /* rows of a batch */
    int length;        /* height and width of the tensors */
    bool symmetries;   /* apply one of the 8 symmetries to each sample */
    bool history_drop; /* hide some of the last five moves */
    int history_masks; /* HistoryMasks; the masks of a row are its targets 36 to 40 */
    /* Probabilities that a move is shown if all newer moves are shown. The first number is for the
     * newest move, the second for the move before it, and so on; the last number is also for all
     * older moves. Used with HISTORY_DRAWN. An empty text means 0.98. */
    char history_kept[SETTINGS_TEXT_SIZE];
    int lead_from_score; /* LeadFromScore */
    FocusSettings focus; /* which rows are passed over */
    int64_t memory_mb;
    uint64_t seed;
    bool boards; /* batches have Batch.boards and search_values (heads_need_boards()) */
    /* Probability that a sample does not show who played. So the net also learns to play without
     * this information. Used with `players`. */
    double players_hidden;
    bool players;           /* batches have Batch.players: the net reads who played */
    unsigned point_columns; /* the columns of row_points.h that batches have */
    bool q_values;          /* batches have Batch.q_values: what the searches found for each move */
    double validation;      /* fraction of the games whose rows are kept for loader_validation() */
    bool only_validation;   /* no row of another game is kept, so loader_next() has none */
} LoaderSettings;
extern const SettingsField LOADER_FIELDS[]; /* all but length, seed, only_validation, and
                                               which arrays batches have */

typedef struct Loader Loader;
/* ERR_ARGUMENT, ERR_SYNTAX: a setting is wrong. ERR_MEMORY. */
MUST_USE Status loader_new(const LoaderSettings *settings, Loader **out, Error *err);
void loader_free(Loader *loader);
/* Reads a file and adds its rows as the newest. ERR_SYNTAX: the file is damaged, or its boards are
 * larger than the tensors. The message has the reason. The caller should not use the file again. */
MUST_USE Status loader_add_file(Loader *loader, const char *path, Error *err);
/* Adds a file as the newest without reading it. The caller says that it has `rows` rows. The file
 * is read when its rows are needed. */
MUST_USE Status loader_list_file(Loader *loader, const char *path, int64_t rows, Error *err);
/* Hands out, one after the other, the files that were dropped from the window because they were
 * damaged or missing when they were read. Returns false if there are no more. */
bool loader_take_bad(Loader *loader, BadFile *out);
/* Drops the oldest file again and again, as long as the files after it have at least `rows` rows.
 * The newest file always stays. */
void loader_set_window(Loader *loader, int64_t rows);
int64_t loader_rows(Loader *loader);       /* rows in the window */
int64_t loader_rows_added(Loader *loader); /* rows of all files, including dropped files */
/* Gives the next batch. ERR_ARGUMENT: there are no rows that can be read, or all rows are for
 * validation. ERR_IO: a file that exists cannot be read; the call may be repeated. */
MUST_USE Status loader_next(Loader *loader, Batch *out, Error *err);
/* Gives batch `number` (counted from 0) of the validation rows that are in memory. Each of these
 * rows is in exactly one batch, without symmetry and with all of its last five moves. After the
 * last batch, `out->count` is 0. The batch belongs to the loader, and the next call of
 * loader_validation() overwrites it. */
MUST_USE Status loader_validation(Loader *loader, int number, Batch *out, Error *err);
/* Sets `*out` to the number of validation rows that are in memory. ERR_MEMORY. */
MUST_USE Status loader_validation_rows(Loader *loader, int64_t *out, Error *err);
