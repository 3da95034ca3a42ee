#include "cli/data/data_from_foreign.h"

#include <stdio.h>

#include "base/options/options.h"
#include "cli/data/data_work.h"
#include "data/foreign/from_foreign.h"

#define OUTPUT                                                                                     \
    "The folder --out then has\n"                                                                  \
    "  train/        row files for `aji train`\n"                                                  \
    "  validation/   row files of other games: the fraction rows.validation of all games\n"        \
    "  summary.txt   numbers of files, positions, games and rows\n"                                \
    "  problems.txt  the files and positions that could not be used, and why\n"                    \
    "  games.bin     the games that were used\n"                                                   \
    "Copies of a game are dropped. After Ctrl-C or a kill the same command continues the work.\n"

static const char LEELA_ZERO_DETAILS[] =
    "FILES are Leela Zero's training files (.gz, .txt, .bin), archives of them (.tar, .tar.gz, "
    ".zip),\n"
    "or folders. The command reads both the text with 19 lines for each position and the packed\n"
    "form (version 2). Positions that follow each other become games again. The rows have the\n"
    "board with its history, the search's policy and the result. The files have no komi, score or\n"
    "owners of points. So komi and rules are those of positions.komi and positions.rules, and the\n"
    "losses that need the score or the owners leave these rows out.\n" OUTPUT
    "  aji data from-leela-zero training/ --out rows\n"
    "  aji train rows/train --validation rows/validation --arch b6c96-mish";

static const char LC0_DETAILS[] =
    "FILES are chunks with lc0's records of the versions 3 to 7 (.gz, .chunk), archives of them, "
    "or\n"
    "folders. Records of chess are refused. In records of Go, the input format is 361, the fields\n"
    "for castling hold the size of the board and the komi, and the planes hold the stones.\n"
    "docs/methods/selfplay.md describes the layout. The rules are those of "
    "positions.rules.\n" OUTPUT "  aji data from-lc0 chunks/ --out rows";

static Status show_scan(void *context, const FileSourcesState *state, const ForeignCounts *counts,
                        Error *err) {
    char text[128];
    snprintf(text, sizeof text, "%lld positions, %lld rows, %lld unusable",
             (long long)counts->positions, (long long)counts->rows,
             (long long)(counts->damaged + counts->refused + counts->no_policy));
    return data_work_show_scan(context, state, text, err);
}

/* Runs a command that reads files of this format. */
static int run(const ForeignFormat *format, const char *name, const char *summary,
               const char *details, int argc, char **argv) {
    const char *words[DATA_PATHS_MAX], *out = "aji-rows";
    char synopsis[128];
    int count;
    static ForeignRowsSettings rows;
    static RowShardsSettings shards;
    static RowPointSettings points;
    const SettingsGroup groups[] = {{"positions", FOREIGN_ROWS_FIELDS, &rows},
                                    {"rows", ROW_SHARDS_FIELDS, &shards},
                                    {"rows", ROW_POINT_FIELDS, &points},
                                    {0}};
    const Option options[] = {
        {"out", OPTION_TEXT, &out, 0, 0, "DIR", "folder for the rows (default ./aji-rows)"}, {0}};
    snprintf(synopsis, sizeof synopsis, "aji %s FILES... [--out DIR] [--set KEY=VALUE]", name);
    const CommandUsage usage = {name,    synopsis, summary, details,
                                options, groups,   1,       DATA_PATHS_MAX};
    Error err = {0};
    for (const SettingsGroup *group = groups; group->prefix; group++)
        settings_defaults(group->fields, group->target);
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    DataWork work = data_work_begin();
    const ForeignWatch scan_watch = {show_scan, &work};
    const RowShardsWatch shards_watch = {data_work_show_shards, &work};
    const FromForeignSetup setup = {.format = format,
                                    .paths = words,
                                    .path_count = count,
                                    .folder = out,
                                    .rows = &rows,
                                    .points = &points,
                                    .shards = &shards,
                                    .scan_watch = &scan_watch,
                                    .shards_watch = &shards_watch};
    Status status = from_foreign_run(&setup, &err);
    return data_work_end(&work, name, out, status, &err);
}

int data_from_leela_zero(int argc, char **argv) {
    return run(&FOREIGN_LEELA_ZERO, "data from-leela-zero",
               "makes rows for training from Leela Zero's training files", LEELA_ZERO_DETAILS, argc,
               argv);
}

int data_from_lc0(int argc, char **argv) {
    return run(&FOREIGN_LC0, "data from-lc0",
               "makes rows for training from records of Go in lc0's chunks", LC0_DETAILS, argc,
               argv);
}
