/* row_job.h - the work that makes a folder of rows for training and validation from files of games.
 * It has two stages: the caller's `scan` chooses the games, and row_shards.h makes the rows. At the
 * end the folder has
 *   GAMES         the games that were kept (`games_name`)
 *   games.index   where each of them is in this file, and how many rows it has
 *   problems.txt  the files and games that could not be used, and why
 *   summary.txt   how many games and rows there are, and of what kind
 *   settings.cfg  the settings
 *   train/        row files for training (row_shards.h)
 *   validation/   row files of other games, for validation
 * If the process is killed, the same call continues the work later. If the first stage was not
 * complete, it begins again. The second stage makes only the row files that are missing. The bytes
 * of all files are the same as without the kill.
 * Threading: confined (threads inside). */
#pragma once
#include "base/file.h"
#include "base/formats/file_sources.h"
#include "base/strbuf.h"
#include "data/shards/row_shards.h"

/* The files of the folder. */
typedef struct {
    Path games, index, problems, summary, settings, train, validation;
} RowJobFiles;

/* The first stage. Writes `files->games` and `files->problems`, fills `index` except for its
 * origin, and adds the text of summary.txt to `summary`. */
typedef struct {
    Status (*run)(void *context, const RowJobFiles *files, GameIndex *index, StrBuf *summary,
                  Error *err);
    void *context;
} RowScan;

typedef struct {
    const char *folder, *games_name;
    const FileSources *sources; /* the files that are scanned */
    /* All settings that the rows depend on. The folder may be used again only with these settings
     * and the same sources. */
    const SettingsGroup *groups;
    const RowShardsSettings *shards;
    RowScan scan;
    RowMaker maker[2];           /* for training, and for validation */
    const RowShardsWatch *watch; /* may be NULL; called for training, then validation */
} RowJobSetup;

/* Does the whole work, or what an earlier call left undone. ERR_ARGUMENT: the folder has rows of
 * other games or settings. ERR_IO: a file cannot be read or written. ERR_SYNTAX: no game is left,
 * or a file of an earlier call is damaged. ERR_MEMORY, ERR_STOPPED. */
MUST_USE Status row_job_run(const RowJobSetup *setup, Error *err);
