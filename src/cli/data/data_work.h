/* data_work.h - what all commands that make rows from files share: the display of progress, and the
 * summary at the end. Threading: confined. */
#pragma once
#include "base/formats/file_sources.h"
#include "base/progress.h"
#include "data/shards/row_shards.h"

enum { DATA_PATHS_MAX = 256 };

/* The state of the display. The commands work in two stages: they first read the files, and then
 * make the rows. The rows for training and those for validation count as separate stages. */
typedef struct {
    Progress progress;
    double start;      /* seconds: when the command began */
    double began;      /* seconds: when this stage began */
    double heard;      /* seconds: when a function of this file was last told of progress */
    int64_t last_rows; /* RowShardsState.rows in the last call of data_work_show_shards() */
} DataWork;

DataWork data_work_begin(void);
/* Shows how many of the files the command has read. `text` says what they contain, such as numbers
 * of games. ERR_STOPPED: the user wants to stop. */
MUST_USE Status data_work_show_scan(DataWork *work, const FileSourcesState *state, const char *text,
                                    Error *err);
/* Shows how many of the rows are made. This is the function of a RowShardsWatch, and `context` is
 * the DataWork. ERR_STOPPED: the user wants to stop. */
MUST_USE Status data_work_show_shards(void *context, const RowShardsState *state, Error *err);
/* Prints the summary of the folder, or the failure of the command. Returns the exit code. */
int data_work_end(DataWork *work, const char *command, const char *folder, Status status,
                  Error *err);
