#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/options/options.h"
#include "cli/command_group.h"
#include "cli/commands.h"
#include "cli/data/data_from_foreign.h"
#include "cli/data/data_from_sgf.h"
#include "cli/data/data_problems.h"
#include "data/rows/row_file.h"
#include "data/rows/row_files.h"
#include "data/rows/row_picture.h"
#include "data/rows/row_stats.h"

extern const char cmd_data_summary[];
int cmd_data(int argc, char **argv);
const char cmd_data_summary[] =
    "makes and inspects training rows: data from-sgf, from-leela-zero, from-lc0, problems, show, "
    "stats, check";

static const char DETAILS[] =
    "Rows are in .npz files of KataGo's format. A folder stands for all such files below it.\n"
    "  aji data from-sgf games/ --out rows\n"
    "  aji data show aji-run-7/rows/000003/w000-0000.npz --row 12\n"
    "  aji data check aji-run-7/rows";
enum { PATHS_MAX = 64 };

typedef struct {
    RowStats stats;
    int64_t files, broken, rows;
} Survey;

/* Names a broken file and goes on without it. */
static Status survey_file(Survey *survey, const char *path, Error *err) {
    Rows rows;
    Error fault = {0};
    survey->files++;
    if (row_file_read(path, &rows, &fault)) {
        survey->broken++;
        printf("broken: %s\n", fault.message);
        return OK;
    }
    survey->rows += (int64_t)rows.count;
    Status status = row_stats_add(&survey->stats, &rows, err);
    rows_clear(&rows);
    return status;
}

static Status print_survey(Survey *survey, const char *word, Error *err) {
    if (strcmp(word, "stats") == 0 && survey->broken < survey->files) {
        StrBuf text = {0};
        row_stats_write(&survey->stats, &text);
        Status status = strbuf_status(&text, err);
        if (!status) fputs(strbuf_text(&text), stdout);
        strbuf_clear(&text);
        if (status) return status;
    } else if (strcmp(word, "check") == 0) {
        printf("%lld files with %lld rows are whole\n", (long long)(survey->files - survey->broken),
               (long long)survey->rows);
    }
    if (!survey->broken) return OK;
    return fail(err, ERR_SYNTAX, "%lld of %lld files are broken", (long long)survey->broken,
                (long long)survey->files);
}

static Status survey_all(const char *word, const char *const *paths, int count, Error *err) {
    Survey survey = {0};
    RowFiles files;
    Status status = row_files_find(paths, count, &files, err);
    for (int i = 0; i < files.count && !status; i++)
        status = survey_file(&survey, files.paths[i], err);
    if (!status) status = print_survey(&survey, word, err);
    row_files_clear(&files);
    row_stats_clear(&survey.stats);
    return status;
}

static Status show(const char *path, int row, int columns, Error *err) {
    Rows rows;
    StrBuf text = {0};
    struct stat info;
    if (!stat(path, &info) && S_ISDIR(info.st_mode))
        return fail(err, ERR_ARGUMENT, "%s is a folder; name one of the .npz files in it", path);
    Status status = row_file_read(path, &rows, err);
    if (status) return status;
    status = row_picture(&rows, (size_t)row, columns, &text, err);
    if (!status) fputs(strbuf_text(&text), stdout);
    strbuf_clear(&text);
    rows_clear(&rows);
    return status;
}

static int show_command(int argc, char **argv) {
    const char *words[1];
    int row = 0, columns = 100, count;
    const Option options[] = {
        {"row", OPTION_INT, &row, 0, 1e9, "N", "index of the row in the file, from 0 (default 0)"},
        {"columns", OPTION_INT, &columns, 20, 1000, "N",
         "width of the text in columns (default 100)"},
        {0},
    };
    const CommandUsage usage = {.name = "data show",
                                .synopsis = "aji data show FILE [--row N] [--columns N]",
                                .summary = "draws one row with its targets as boards",
                                .details =
                                    "  aji data show aji-run-7/rows/000003/w000-0000.npz --row 12",
                                .options = options,
                                .min_words = 1,
                                .max_words = 1};
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    return command_end(usage.name, show(words[0], row, columns, &err), &err);
}

/* Runs one of the two commands that read all rows of files. */
static int survey_command(const CommandUsage *usage, int argc, char **argv) {
    const char *words[PATHS_MAX];
    int count;
    OptionsResult parsed = options_parse(usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    return command_end(usage->name, survey_all(argv[0], words, count, &err), &err);
}

static int stats_command(int argc, char **argv) {
    const CommandUsage usage = {.name = "data stats",
                                .synopsis = "aji data stats PATH...",
                                .summary = "prints statistics of all rows",
                                .details = "A folder stands for all .npz files below it.",
                                .min_words = 1,
                                .max_words = PATHS_MAX};
    return survey_command(&usage, argc, argv);
}

static int check_command(int argc, char **argv) {
    const CommandUsage usage = {.name = "data check",
                                .synopsis = "aji data check PATH...",
                                .summary = "reads every file completely and names the broken ones",
                                .details = "A folder stands for all .npz files below it. The exit "
                                           "code is 1 if a file is broken.",
                                .min_words = 1,
                                .max_words = PATHS_MAX};
    return survey_command(&usage, argc, argv);
}

int cmd_data(int argc, char **argv) {
    static const Subcommand PARTS[] = {
        {"from-sgf", data_from_sgf}, {"from-leela-zero", data_from_leela_zero},
        {"from-lc0", data_from_lc0}, {"problems", data_problems},
        {"show", show_command},      {"stats", stats_command},
        {"check", check_command},    {0}};
    const CommandGroup group = {"data", cmd_data_summary, DETAILS, PARTS};
    return command_group_run(&group, argc, argv);
}
