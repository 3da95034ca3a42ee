#include "cli/data_from_sgf.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/options.h"
#include "base/progress.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "data/from_sgf.h"

static const char DETAILS[] =
    "GAMES are SGF files (.sgf, .sgfs), archives of them (.zip, .tar, .tar.gz, .tgz, .sgf.gz), or\n"
    "folders. The folder --out then has\n"
    "  train/        row files for `aji train`\n"
    "  validation/   row files of other games, a fraction rows.validation of all\n"
    "  summary.txt   games and rows by source, rank and handicap\n"
    "  problems.txt  the files and games that could not be used, and why\n"
    "  games.sgfs    the games that were used, each on a line\n"
    "The settings filter.* choose games and players. Copies of a game are dropped, and a game\n"
    "ends before an illegal move. After Ctrl-C or a kill the same command continues the work.\n"
    "  aji data from-sgf games/ --out rows\n"
    "  aji data from-sgf kgs.tar.gz --out kgs --set filter.min_rank=4d --set "
    "filter.max_handicap=0\n"
    "  aji train rows/train --validation rows/validation --arch b6c96-mish";

enum { PATHS_MAX = 256 };

/* The state of the progress display. */
typedef struct {
    Progress progress;
    double began;      /* seconds: when this stage began */
    double heard;      /* seconds: when the last report came */
    int64_t last_rows; /* rows of the part that is under way */
} Show;

/* Returns how long the rest takes if the work goes on at the mean speed of this stage. */
static TimeText time_left(const Show *show, double done, double total) {
    double seconds = clock_seconds() - show->began;
    return clock_duration_text(done > 0 ? seconds * (total - done) / done : 0);
}

static Status check_stop(Error *err) {
    return stop_requested() ? fail(err, ERR_STOPPED, "stopped; the same command continues the work")
                            : OK;
}

static Status show_scan(void *context, const FileSourcesState *state, const SgfCounts *counts,
                        Error *err) {
    Show *show = context;
    char line[256];
    double fraction = state->bytes ? (double)state->bytes_read / (double)state->bytes : 1;
    snprintf(line, sizeof line,
             "reading games: file %d of %d, %lld games, %lld kept, %lld unreadable, %s left\n",
             state->files_read, state->files, (long long)counts->games, (long long)counts->kept,
             (long long)counts->unreadable, time_left(show, fraction, 1).text);
    progress_show(&show->progress, line, line, false);
    show->heard = clock_seconds();
    return check_stop(err);
}

static Status show_shards(void *context, const RowShardsState *state, Error *err) {
    Show *show = context;
    char line[256];
    double now = clock_seconds();
    if (state->rows != show->last_rows) { /* another part began at the last report */
        show->last_rows = state->rows;
        show->began = show->heard > 0 ? show->heard : show->began;
    }
    show->heard = now;
    double done = (double)(state->rows_done - state->rows_found),
           total = (double)(state->rows - state->rows_found), seconds = now - show->began;
    snprintf(line, sizeof line, "making rows: %lld of %lld, %d of %d files, %.0f rows/s, %s left\n",
             (long long)state->rows_done, (long long)state->rows, state->shards_done, state->shards,
             seconds > 0 ? done / seconds : 0, time_left(show, done, total).text);
    progress_show(&show->progress, line, line, false);
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

int data_from_sgf(int argc, char **argv) {
    const char *words[PATHS_MAX], *out = "aji-rows";
    int count;
    static SgfFilterSettings filter;
    static SgfRowsSettings rows;
    static RowShardsSettings shards;
    const SettingsGroup groups[] = {{"filter", SGF_FILTER_FIELDS, &filter},
                                    {"rows", SGF_ROWS_FIELDS, &rows},
                                    {"rows", ROW_SHARDS_FIELDS, &shards},
                                    {0}};
    const Option options[] = {
        {"out", OPTION_TEXT, &out, 0, 0, "DIR", "folder for the rows (default ./aji-rows)"}, {0}};
    const CommandUsage usage = {"data from-sgf",
                                "aji data from-sgf GAMES... [--out DIR] [--set KEY=VALUE]",
                                "makes rows for training from games in SGF",
                                DETAILS,
                                options,
                                groups,
                                1,
                                PATHS_MAX};
    Error err = {0};
    for (const SettingsGroup *group = groups; group->prefix; group++)
        settings_defaults(group->fields, group->target);
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Show show = {.progress = progress_start(stdout, 10), .began = clock_seconds()};
    const SgfScanWatch scan_watch = {show_scan, &show};
    const RowShardsWatch shards_watch = {show_shards, &show};
    const FromSgfSetup setup = {.paths = words,
                                .path_count = count,
                                .folder = out,
                                .filter = &filter,
                                .rows = &rows,
                                .shards = &shards,
                                .scan_watch = &scan_watch,
                                .shards_watch = &shards_watch};
    double began = clock_seconds();
    Status status = from_sgf_run(&setup, &err);
    progress_end(&show.progress);
    if (!status) status = print_summary(out, &err);
    if (!status)
        printf("\n%s: made in %s\n", out, clock_duration_text(clock_seconds() - began).text);
    return command_end(usage.name, status, &err);
}
