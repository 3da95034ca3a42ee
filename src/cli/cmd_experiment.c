#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/options/options.h"
#include "cli/commands.h"
#include "cli/engine/program_files.h"
#include "run/experiment/experiment.h"

extern const char cmd_experiment_summary[];
int cmd_experiment(int argc, char **argv);
const char cmd_experiment_summary[] =
    "compares settings: learns with each at equal compute, with several seeds, and rates the nets";

static const char DETAILS[] =
    "FILE begins with the settings of all runs, including experiment.*. Then each arm has a\n"
    "section [NAME] with the settings that it changes. The other arms are compared with the "
    "first.\n"
    "Ctrl-C stops the experiment; the same command continues it.\n"
    "  aji experiment configs/experiment-ablation-7x7.cfg --out ablation\n"
    "  aji experiment configs/experiment-ablation-7x7.cfg --out ablation --rate";

/* Writes "aji-experiment-NAME", where NAME is the name of the file without its ending and without
 * "experiment-" at its start. */
static void name_directory(const char *file, char *out, size_t size) {
    static const char PREFIX[] = "experiment-";
    const char *name = path_name(file), *dot = strrchr(name, '.');
    if (strncmp(name, PREFIX, strlen(PREFIX)) == 0) name += strlen(PREFIX);
    snprintf(out, size, "aji-experiment-%.*s", dot ? (int)(dot - name) : 200, name);
}

static Status work(Experiment *experiment, bool only_rate, Error *err) {
    StrBuf text = {0};
    Status status = OK;
    printf("%d arms, %d seeds each, in %s; Ctrl-C stops it, the same command continues it\n",
           experiment->arm_count, experiment->settings.seeds, experiment->directory);
    if (!only_rate) status = experiment_learn(experiment, err);
    if (!status) status = experiment_report(experiment, &text, err);
    progress_end(experiment->progress);
    if (!status) printf("\n%s", strbuf_text(&text));
    strbuf_clear(&text);
    return status;
}

int cmd_experiment(int argc, char **argv) {
    const char *directory = NULL, *words[1];
    char name[256];
    bool only_rate = false;
    int count = 0;
    const Option options[] = {
        {"out", OPTION_TEXT, &directory, 0, 0, "DIR",
         "folder of the experiment (default ./aji-experiment-NAME, after FILE)"},
        {"rate", OPTION_FLAG, &only_rate, 0, 0, NULL,
         "do not learn any further: rate and report the nets that are there"},
        {0},
    };
    const CommandUsage usage = {"experiment",
                                "aji experiment FILE [--out DIR] [--rate]",
                                cmd_experiment_summary,
                                DETAILS,
                                options,
                                NULL,
                                1,
                                1};
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    Experiment experiment;
    Path path;
    Progress progress = progress_start(stdout, 30);
    Status status = program_config(words[0], &path, &err);
    if (!status) status = experiment_load(path.text, &experiment, &err);
    if (!status) {
        name_directory(words[0], name, sizeof name);
        experiment.directory = directory ? directory : name;
        experiment.progress = &progress;
        status = *experiment.directory ? work(&experiment, only_rate, &err)
                                       : fail(&err, ERR_ARGUMENT, "--out: the name is empty");
        experiment_clear(&experiment);
    }
    if (status == ERR_SYNTAX) status = ERR_ARGUMENT; /* the mistake is in FILE */
    return command_end(usage.name, status, &err);
}
