/* data_work.h - what all commands that make rows from files share: the display of progress, and the
 * summary at the end. Threading: confined. */
#pragma once
#include "base/formats/file_sources.h"
#include "base/progress.h"
#include "data/shards/row_shards.h"

enum { DATA_PATHS_MAX = 256 };

/* The state of the display. */
typedef struct {
    Progress progress;
    double start;      /* seconds: when the command began */
    double began;      /* seconds: when this stage began */
    double heard;      /* seconds: when the last report came */
    int64_t last_rows; /* rows of the part that is under way */
} DataWork;

DataWork data_work_begin(void);
/* Shows how far the first stage is; `text` says what was found. ERR_STOPPED: the user wants to
 * stop. */
MUST_USE Status data_work_show_scan(DataWork *work, const FileSourcesState *state, const char *text,
                                    Error *err);
/* Does the same for the second stage (RowShardsWatch); `context` is the DataWork. */
MUST_USE Status data_work_show_shards(void *context, const RowShardsState *state, Error *err);
/* Prints the summary of the folder, or the failure of the command. Returns the exit code. */
int data_work_end(DataWork *work, const char *command, const char *folder, Status status,
                  Error *err);
