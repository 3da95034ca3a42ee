/* sgf_scan.h - the first stage of making rows from games: reads the games of many files, cuts off
 * what cannot be used of a game (sgf_record.h), drops duplicates and games that the filters refuse,
 * and writes the other games to one file with an index. Threading: confined. */
#pragma once
#include "data/game_index.h"
#include "data/sgf_counts.h"
#include "data/sgf_rows_settings.h"
#include "sgf/sgf_sources.h"

/* Is told how far the scan is. If it returns anything but OK, for example ERR_STOPPED, the scan
 * ends. */
typedef struct {
    Status (*report)(void *context, const FileSourcesState *state, const SgfCounts *counts,
                     Error *err);
    void *context;
} SgfScanWatch;

typedef struct {
    SgfSources *sources;
    const SgfFilter *filter;
    const SgfRowsSettings *settings;
    const RowShardsSettings *shards;
    const char *games_path; /* gets the kept games, each on a line */
    /* Gets a line for each file or game that cannot be read, or only in part, and for each game
     * whose first board or komi is not allowed. */
    const char *problems_path;
    const SgfScanWatch *watch; /* may be NULL */
} SgfScanSetup;

/* Reads all games. Sets `counts`, and `entries` and `length` of the index, which the caller clears.
 * Both files appear when all games have been read. ERR_IO: a file cannot be written. ERR_MEMORY.
 * If the watch ends the scan, its error is returned. */
MUST_USE Status sgf_scan_run(const SgfScanSetup *setup, GameIndex *index, SgfCounts *counts,
                             Error *err);
