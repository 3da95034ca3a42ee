/* from_sgf.h - makes rows for training and validation from games in SGF. The work has two stages:
 * sgf_scan.h chooses the games, and sgf_shards.h makes the rows. The folder then has
 *   games.sgfs    the games that were kept, each on a line, without what was cut off
 *   games.index   where each of them is in games.sgfs, and how many rows it has
 *   problems.txt  the files and games that could not be read or set up, and why
 *   summary.txt   how many games and rows there are, and of what kind
 *   settings.cfg  the settings
 *   train/        row files (sgf_shards.h)
 *   validation/   row files of other games
 * If the process is killed, the same call continues the work: the first stage begins anew unless it
 * was complete, and the second stage makes the files that are missing. The bytes are the same as
 * without the kill.
 * Threading: confined (threads inside). */
#pragma once
#include "data/sgf_scan.h"
#include "data/sgf_shards.h"

typedef struct {
    const char *const *paths; /* files, archives and folders */
    int path_count;
    const char *folder;
    const SgfFilterSettings *filter;
    const SgfRowsSettings *rows;
    const SgfScanWatch *scan_watch;     /* may be NULL */
    const SgfShardsWatch *shards_watch; /* may be NULL; called for training, then validation */
} FromSgfSetup;

/* Does all the work that is left. ERR_ARGUMENT: a setting is impossible, or the folder has rows of
 * other games or settings. ERR_IO: a path does not exist, or a file cannot be read or written.
 * ERR_SYNTAX: no game is left, or a file of an earlier call is damaged. ERR_MEMORY, ERR_STOPPED. */
MUST_USE Status from_sgf_run(const FromSgfSetup *setup, Error *err);
