#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/options.h"
#include "cli/commands.h"
#include "cli/data_from_sgf.h"
#include "data/row_file.h"
#include "data/row_files.h"
#include "data/row_picture.h"
#include "data/row_stats.h"

extern const char cmd_data_summary[];
/* Sets the usage to that of the subcommand `word`, if this is show, stats or check, each of which
 * has a help of its own. The usage for show keeps the options. */
static void choose_usage(const char *word, CommandUsage *usage) {
    static const CommandUsage USAGES[] = {
        {"data show", "aji data show FILE [--row N] [--columns N]",
         "draws one row with its targets as boards",
         "  aji data show aji-run-7/rows/000003/w000-0000.npz --row 12", NULL, NULL, 1, 64},
        {"data stats", "aji data stats PATH...", "prints statistics of all rows",
         "A folder stands for all .npz files below it.", NULL, NULL, 1, 64},
        {"data check", "aji data check PATH...",
         "reads every file completely and names the broken ones",
         "A folder stands for all .npz files below it. The exit code is 1 if a file is broken.",
         NULL, NULL, 1, 64},
    };
    for (size_t i = 0; i < sizeof USAGES / sizeof *USAGES; i++) {
        const Option *options = i == 0 ? usage->options : NULL;
        if (strcmp(USAGES[i].name + strlen("data "), word) != 0) continue;
        *usage = USAGES[i];
        usage->options = options;
        return;
    }
}

int cmd_data(int argc, char **argv);
const char cmd_data_summary[] =
    "makes and inspects training rows: data from-sgf, show, stats, check";

static const char DETAILS[] =
    "Rows are in KataGo's .npz files. A folder stands for all such files below it.\n"
    "  from-sgf  makes rows from games in SGF; it has a help and settings of its own\n"
    "  show      draws one row with its targets as boards\n"
    "  stats     prints statistics of all rows\n"
    "  check     reads every file completely and names the broken ones; exit code 1 if there are "
    "any\n"
    "  aji data from-sgf games/ --out rows\n"
    "  aji data show aji-run-7/rows/000003/w000-0000.npz --row 12\n"
    "  aji data check aji-run-7/rows";

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

static Status print_survey(const Survey *survey, const char *word, Error *err) {
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

int cmd_data(int argc, char **argv) {
    enum { PATHS_MAX = 64 };
    if (argc > 1 && strcmp(argv[1], "from-sgf") == 0) return data_from_sgf(argc - 1, argv + 1);
    const char *words[PATHS_MAX] = {NULL};
    int row = 0, columns = 100, count;
    const Option options[] = {
        {"row", OPTION_INT, &row, 0, 1e9, "N",
         "show: index of the row in the file, from 0 (default 0)"},
        {"columns", OPTION_INT, &columns, 20, 1000, "N",
         "show: width of the text in columns (default 100)"},
        {0},
    };
    CommandUsage usage = {
        "data",
        "aji data from-sgf GAMES... | data show FILE [--row N] | data stats PATH... "
        "| data check PATH...",
        cmd_data_summary,
        DETAILS,
        options,
        NULL,
        1,
        PATHS_MAX};
    choose_usage(argc > 1 ? argv[1] : "", &usage);
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    Status status;
    bool shows = strcmp(words[0], "show") == 0,
         surveys = strcmp(words[0], "stats") == 0 || strcmp(words[0], "check") == 0;
    if (shows && count == 2)
        status = show(words[1], row, columns, &err);
    else if ((shows || surveys) && count < 2)
        status = fail(&err, ERR_ARGUMENT, "data %s: a %s is missing", words[0],
                      shows ? "row file (.npz)" : "row file or a folder of them");
    else if (shows)
        status = fail(&err, ERR_ARGUMENT, "data show draws one file, but %d were named", count - 1);
    else if (surveys)
        status = survey_all(words[0], words + 1, count - 1, &err);
    else
        status = fail(
            &err, ERR_ARGUMENT,
            "there is no `aji data %.40s`; use show FILE, stats PATH, check PATH or from-sgf GAMES",
            words[0]);
    return command_end("data", status, &err);
}
