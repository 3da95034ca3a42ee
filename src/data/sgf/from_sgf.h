/* from_sgf.h - makes rows for training and validation from games in SGF. sgf_scan.h chooses
 * the games. row_job.h says what the folder has at the end, and how the work goes on after a kill.
 * The file of games is games.sgfs. It has the games that were kept, each on a line of its own and
 * without the moves that were cut off. Threading: confined (threads inside). */
#pragma once
#include "data/sgf/sgf_scan.h"
#include "data/shards/row_shards.h"

typedef struct {
    const char *const *paths; /* files, archives and folders */
    int path_count;
    const char *folder;
    const SgfFilterSettings *filter;
    const SgfRowsSettings *rows;
    const RowPointSettings *points; /* NULL: rows get none of these columns */
    const RowShardsSettings *shards;
    Evaluator *evaluator;           /* of rows->net, for boards of any size; NULL: there is none */
    const SgfScanWatch *scan_watch; /* may be NULL */
    const RowShardsWatch *shards_watch; /* may be NULL; called for training, then validation */
} FromSgfSetup;

/* Does the whole work, or what an earlier call left undone. ERR_ARGUMENT: a setting is impossible,
 * or the folder has rows of other games or settings. ERR_IO: a path does not exist, or a file
 * cannot be read or written. ERR_SYNTAX: no game is left, or a file of an earlier call is damaged.
 * ERR_MEMORY, ERR_STOPPED. */
MUST_USE Status from_sgf_run(const FromSgfSetup *setup, Error *err);
