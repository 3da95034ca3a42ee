/* from_foreign.h - makes rows for training and validation from another program's training files.
 * Their positions are joined to games (foreign_games.h). row_job.h says what the folder then has,
 * and how the work goes on after a kill; the file of games is games.bin (foreign_pack.h).
 *   A row has the position with its history, the search's policy and the next one's, the moves and
 * stones of later turns where they are known, and the result. Lead, score and owners of the points
 * are not known, and neither are means of later searches; their weights are 0.
 *   Copies of a game are dropped, which are games with the same moves, policies and result. A game
 * is for validation by its hash. All pieces of games (GameRecord.end_unknown) that do not begin at
 * the start of one are on the side of the first game or piece in their file.
 * Threading: confined (threads inside). */
#pragma once
#include "base/file_sources.h"
#include "data/foreign_position.h"
#include "data/row_shards.h"

typedef struct {
    char rules[SETTINGS_TEXT_SIZE];
    double komi;
    double keep; /* fraction of the positions */
} ForeignRowsSettings;
extern const SettingsField FOREIGN_ROWS_FIELDS[];

typedef struct {
    int64_t files, unreadable_files; /* contents of files, compressed or in archives, and of these
                                        those with no position */
    int64_t positions;               /* that could be read, kept or not */
    int64_t damaged, no_policy, refused;
    int64_t games, pieces; /* kept; a piece is no whole game */
    int64_t duplicates, too_large;
    int64_t rows, validation_rows, validation_games;
    int64_t wins[3]; /* [Color]: rows of games that this color has won; [0]: draws */
} ForeignCounts;

/* Is told how far the first stage is. If it returns anything but OK, for example ERR_STOPPED, the
 * work ends. */
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
    const RowShardsSettings *shards;
    const ForeignWatch *scan_watch;     /* may be NULL */
    const RowShardsWatch *shards_watch; /* may be NULL; called for training, then validation */
} FromForeignSetup;

/* Does all the work that is left. ERR_ARGUMENT: a setting is impossible, or the folder has rows of
 * other files or settings. ERR_IO: a path does not exist, or a file cannot be read or written.
 * ERR_SYNTAX: no game is left, or a file of an earlier call is damaged. ERR_MEMORY, ERR_STOPPED. */
MUST_USE Status from_foreign_run(const FromForeignSetup *setup, Error *err);
