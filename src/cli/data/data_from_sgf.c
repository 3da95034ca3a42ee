#include "cli/data/data_from_sgf.h"

#include <stdio.h>

#include "base/options/options.h"
#include "cli/data/data_work.h"
#include "cli/engine/net_run.h"
#include "data/sgf/from_sgf.h"
#include "eval/formats/net_file.h"

static const char DETAILS[] =
    "GAMES are SGF files (.sgf, .sgfs), archives of them (.zip, .tar, .tar.gz, .tgz, .sgf.gz), "
    "or\n"
    "folders. The folder --out then has\n"
    "  train/        row files for `aji train`\n"
    "  validation/   row files of other games: the fraction rows.validation of all games\n"
    "  summary.txt   games and rows by source, handicap and ranks\n"
    "  problems.txt  the files and games that could not be used, and why\n"
    "  games.sgfs    the games that were used, each on a line\n"
    "The settings filter.* choose games and players. Copies of a game are dropped. A game with "
    "an illegal move ends before this move. After Ctrl-C or a kill the same command continues "
    "the work.\n"
    "  aji data from-sgf games/ --out rows\n"
    "  aji data from-sgf kgs.tar.gz --out kgs --set filter.min_rank=4d --set "
    "filter.max_handicap=0\n"
    "  aji train rows/train --validation rows/validation --arch b6c96-mish";

static Status show_scan(void *context, const FileSourcesState *state, const SgfCounts *counts,
                        Error *err) {
    char text[128];
    snprintf(text, sizeof text, "%lld games, %lld kept, %lld unreadable", (long long)counts->games,
             (long long)counts->kept, (long long)counts->unreadable);
    return data_work_show_scan(context, state, text, err);
}

/* Loads the net of the setting rows.net, if the user named one. After the end of a game, this net
 * plays further moves until both sides pass. */
static Status load_net(SgfRowsSettings *rows, Evaluator **out, Error *err) {
    const NetEvaluatorSetup setup = {.batch = 1,
                                     .buffer_width = BOARD_SIDE_MAX,
                                     .buffer_height = BOARD_SIDE_MAX,
                                     .symmetry = SYMMETRY_BY_POSITION,
                                     .seed = 1,
                                     .features = FEATURE_OPTIONS_DEFAULT};
    Net *net;
    Path file;
    *out = NULL;
    if (!*rows->net) return OK;
    Status status = net_run_file("data from-sgf", rows->net, &file, err);
    if (!status) status = net_file_load(file.text, &net, err);
    if (status) return status;
    snprintf(rows->net_hash, sizeof rows->net_hash, "%s", net_hash(net).text);
    status = evaluator_net_new(net, &setup, out, err);
    net_free(net);
    return status ? fail_within(err, status, "%.200s", rows->net) : OK;
}

int data_from_sgf(int argc, char **argv) {
    const char *words[DATA_PATHS_MAX], *out = "aji-rows";
    int count;
    static SgfFilterSettings filter;
    static SgfRowsSettings rows;
    static RowShardsSettings shards;
    static RowPointSettings points;
    const SettingsGroup groups[] = {{"filter", SGF_FILTER_FIELDS, &filter},
                                    {"rows", SGF_ROWS_FIELDS, &rows},
                                    {"rows", ROW_SHARDS_FIELDS, &shards},
                                    {"rows", ROW_POINT_FIELDS, &points},
                                    {"rows", SGF_NET_FIELDS, &rows},
                                    {"filter", SGF_SOURCE_FIELDS, &filter},
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
                                DATA_PATHS_MAX};
    Error err = {0};
    for (const SettingsGroup *group = groups; group->prefix; group++)
        settings_defaults(group->fields, group->target);
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    DataWork work = data_work_begin();
    const SgfScanWatch scan_watch = {show_scan, &work};
    const RowShardsWatch shards_watch = {data_work_show_shards, &work};
    Evaluator *evaluator;
    Status status = load_net(&rows, &evaluator, &err);
    const FromSgfSetup setup = {.paths = words,
                                .path_count = count,
                                .folder = out,
                                .filter = &filter,
                                .rows = &rows,
                                .points = &points,
                                .shards = &shards,
                                .evaluator = evaluator,
                                .scan_watch = &scan_watch,
                                .shards_watch = &shards_watch};
    if (!status) status = from_sgf_run(&setup, &err);
    evaluator_free(evaluator);
    return data_work_end(&work, usage.name, out, status, &err);
}
