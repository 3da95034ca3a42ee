/* sgf_scan.h - the first stage of making rows from games. It reads the games of many files. It cuts
 * a game before the first move that cannot be used (sgf_record.h). It drops games that the filters
 * refuse, and duplicates. It writes the games that are left to one file with an index.
 * Threading: confined. */
#pragma once
#include "data/sgf/sgf_counts.h"
#include "data/sgf/sgf_rows_settings.h"
#include "data/shards/game_index.h"
#include "eval/evaluators/evaluator.h"
#include "sgf/sgf_sources.h"

/* A function that is called during the scan, to tell how far it is. If the function returns
 * anything but OK, for example ERR_STOPPED, the scan ends. */
typedef struct {
    Status (*report)(void *context, const FileSourcesState *state, const SgfCounts *counts,
                     Error *err);
    void *context;
} SgfScanWatch;

typedef struct {
    SgfSources *sources;
    const SgfFilter *filter;
    const SgfRowsSettings *settings;
    Evaluator *evaluator; /* for sgf_settle_by_net(); NULL: it is not called */
    const RowShardsSettings *shards;
    const char *games_path; /* gets the kept games, each on a line */
    /* Gets a line for each file or game of which at least a part cannot be read, and for each game
     * whose first board or komi is not allowed. */
    const char *problems_path;
    const SgfScanWatch *watch; /* may be NULL */
} SgfScanSetup;

/* Reads all games. Sets `counts`, and sets `entries` and `length` of the index. The caller clears
 * the index. Both files appear only after all games have been read. ERR_IO: a file cannot be
 * written. ERR_MEMORY. If the watch ends the scan, its status is returned. */
MUST_USE Status sgf_scan_run(const SgfScanSetup *setup, GameIndex *index, SgfCounts *counts,
                             Error *err);
