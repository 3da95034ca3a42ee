/* from_foreign.h - makes rows for training and validation from another program's training files.
 * The positions of these files are joined to games (foreign_games.h). row_job.h says what the
 * folder has at the end, and how the work goes on after a kill. The file of games is games.bin
 * (foreign_pack.h).
 *   A row has the position with its history, the policy of its search, the policy of the next
 * turn's search, and the result. It also has the moves and stones of later turns if they are known.
 * Four kinds of targets are not known: the lead, the score, the owners of the points, and the means
 * over later searches (TARGET_TD_LONG and the next two in row.h). The weights of these targets are
 * 0.
 *   Copies of a game are dropped. Copies are games with the same moves, policies and result. The
 * hash of a game decides whether the game is for validation. A piece that does not begin at the
 * start of a game is for validation if the last game before the piece in its file is. If no game
 * comes before it, the hash of the first piece of the file decides.
 * Threading: confined (threads inside). */
#pragma once
#include "base/formats/file_sources.h"
#include "data/foreign/foreign_position.h"
#include "data/shards/row_shards.h"

typedef struct {
    char rules[SETTINGS_TEXT_SIZE];
    double komi;
    double keep; /* fraction of the positions */
} ForeignRowsSettings;
extern const SettingsField FOREIGN_ROWS_FIELDS[];

typedef struct {
    /* Files that were found; a file in an archive counts as a file. In `unreadable_files` of them
     * no position could be read. */
    int64_t files, unreadable_files;
    int64_t positions; /* that could be read, whether they were kept or not */
    int64_t damaged, no_policy, refused;
    int64_t games, pieces; /* kept ones; a piece is a part of a game (foreign_games.h) */
    int64_t duplicates, too_large;
    int64_t rows, validation_rows, validation_games;
    int64_t wins[3]; /* [Color]: rows of games that this color won; [0]: of draws */
} ForeignCounts;

/* A function that is called during the first stage, to tell how far it is. If the function returns
 * anything but OK, for example ERR_STOPPED, the work ends. */
typedef struct {
    Status (*report)(void *context, const FileSourcesState *state, const ForeignCounts *counts,
                     Error *err);
    void *context;
} ForeignWatch;

typedef struct {
    const ForeignFormat *format;
    const char *const *paths; /* files, archives and folders */
    int path_count;
    const char *folder;
    const ForeignRowsSettings *rows;
    const RowPointSettings *points; /* NULL: rows get none of these columns */
    const RowShardsSettings *shards;
    const ForeignWatch *scan_watch;     /* may be NULL */
    const RowShardsWatch *shards_watch; /* may be NULL; called for training, then validation */
} FromForeignSetup;

/* Does the whole work, or what an earlier call left undone. ERR_ARGUMENT: a setting is impossible,
 * or the folder has rows of other files or settings. ERR_IO: a path does not exist, or a file
 * cannot be read or written. ERR_SYNTAX: no game is left, or a file of an earlier call is damaged.
 * ERR_MEMORY, ERR_STOPPED. */
MUST_USE Status from_foreign_run(const FromForeignSetup *setup, Error *err);
