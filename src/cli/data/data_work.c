#include "cli/data/data_work.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "data/rows/row_files.h"

DataWork data_work_begin(void) {
    double now = clock_seconds();
    return (DataWork){.progress = progress_start(stdout, 10), .start = now, .began = now};
}

/* Returns how long the rest takes if the work goes on at the mean speed of this stage. */
static TimeText time_left(const DataWork *work, double done, double total) {
    double seconds = clock_seconds() - work->began;
    return clock_duration_text(done > 0 ? seconds * (total - done) / done : 0);
}

static Status check_stop(Error *err) {
    return stop_requested() ? fail(err, ERR_STOPPED, "stopped; the same command continues the work")
                            : OK;
}

Status data_work_show_scan(DataWork *work, const FileSourcesState *state, const char *text,
                           Error *err) {
    char line[256];
    double fraction = state->bytes ? (double)state->bytes_read / (double)state->bytes : 1;
    snprintf(line, sizeof line, "reading games: file %d of %d, %s, %s left\n", state->files_read,
             state->files, text, time_left(work, fraction, 1).text);
    progress_show(&work->progress, line, line, false);
    work->heard = clock_seconds();
    return check_stop(err);
}

Status data_work_show_shards(void *context, const RowShardsState *state, Error *err) {
    DataWork *work = context;
    char line[256];
    double now = clock_seconds();
    /* Since the last call, the work may have gone on from the training rows to those for
     * validation, or the other way around. */
    if (state->rows != work->last_rows) {
        work->last_rows = state->rows;
        work->began = work->heard > 0 ? work->heard : work->began;
    }
    work->heard = now;
    double done = (double)(state->rows_done - state->rows_found),
           total = (double)(state->rows - state->rows_found), seconds = now - work->began;
    snprintf(line, sizeof line, "making rows: %lld of %lld, %d of %d files, %.0f rows/s, %s left\n",
             (long long)state->rows_done, (long long)state->rows, state->shards_done, state->shards,
             seconds > 0 ? done / seconds : 0, time_left(work, done, total).text);
    progress_show(&work->progress, line, line, false);
    return check_stop(err);
}

static Status print_summary(const char *folder, Error *err) {
    Path path;
    Arena arena = {0};
    char *text;
    size_t length;
    Status status = path_join(&path, folder, "summary.txt", err);
    if (!status) status = file_read(path.text, 1 << 20, &arena, &text, &length, err);
    if (!status) fputs(text, stdout);
    arena_clear(&arena);
    return status;
}

/* Whether a folder in the folder of the rows has a row file. */
static bool has_rows(const char *folder, const char *part) {
    Path path;
    RowFiles files = {0};
    if (path_join(&path, folder, part, NULL)) return false;
    const char *only = path.text;
    bool found = !row_files_find(&only, 1, &files, NULL) && files.count;
    row_files_clear(&files);
    return found;
}

int data_work_end(DataWork *work, const char *command, const char *folder, Status status,
                  Error *err) {
    progress_end(&work->progress);
    if (!status) status = print_summary(folder, err);
    if (!status)
        printf("\n%s: made in %s\n", folder,
               clock_duration_text(clock_seconds() - work->start).text);
    if (!status && !has_rows(folder, "validation"))
        printf(
            "%s/validation is empty: no game was drawn for it. Train without --validation, or make "
            "the rows again with a larger rows.validation.\n",
            folder);
    return command_end(command, status, err);
}
