/* from_sgf.h - makes rows for training and validation from games in SGF. The games are chosen by
 * sgf_scan.h. row_job.h says what the folder then has, and how the work goes on after a kill; the
 * file of games is games.sgfs, with the games that were kept, each on a line, without what was cut
 * off. Threading: confined (threads inside). */
#pragma once
#include "data/row_shards.h"
#include "data/sgf_scan.h"

typedef struct {
    const char *const *paths; /* files, archives and folders */
    int path_count;
    const char *folder;
    const SgfFilterSettings *filter;
    const SgfRowsSettings *rows;
    const RowShardsSettings *shards;
    const SgfScanWatch *scan_watch;     /* may be NULL */
    const RowShardsWatch *shards_watch; /* may be NULL; called for training, then validation */
} FromSgfSetup;

/* Does all the work that is left. ERR_ARGUMENT: a setting is impossible, or the folder has rows of
 * other games or settings. ERR_IO: a path does not exist, or a file cannot be read or written.
 * ERR_SYNTAX: no game is left, or a file of an earlier call is damaged. ERR_MEMORY, ERR_STOPPED. */
MUST_USE Status from_sgf_run(const FromSgfSetup *setup, Error *err);
