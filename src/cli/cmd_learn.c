#include "base/log.h"
#include "base/options.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "run/cycle.h"
#include <stdio.h>
#include <string.h>

extern const char cmd_learn_summary[];
int cmd_learn(int argc, char **argv);
const char cmd_learn_summary[] = "learns Go by playing itself: self-play, training, gating, rating";

static const char DETAILS[] = "Without arguments: 7x7, ten minutes, in ./aji-run-7x7. The same command goes on where it was.\n"
                              "  aji learn --time 1h configs/learn-9x9.cfg --run my-9x9";

/* A fair komi of small boards under area rules, where the field knows it; else 7. */
static double komi_of(int size) {
    return size == 5 ? 24 : size == 6 ? 4 : size == 7 ? 9 : 7;
}

static Status set_size(const SettingsGroup *groups, int size, Error *err) {
    char text[64];
    snprintf(text, sizeof text, "selfplay.sizes=%d:1", size);
    Status status = settings_assign(groups, text, err);
    snprintf(text, sizeof text, "selfplay.komi_mean=%g", komi_of(size));
    return status ? status : settings_assign(groups, text, err);
}

static int tell(const Error *err, Status status) {
    fprintf(stderr, "aji learn: %s\n", err->message);
    return status == ERR_ARGUMENT || status == ERR_SYNTAX ? 2 : 1;
}

static Status learn(const char *directory, const RunConfig *config, double seconds, Error *err) {
    Cycle *cycle;
    Progress progress = progress_start(stdout, 5);
    Status status = cycle_open(directory, config, &progress, &cycle, err);
    if (status) return status;
    printf("run in %s; Ctrl-C stops, the same command goes on\n", directory);
    status = cycle_run(cycle, seconds, err);
    StrBuf text = {0};
    Error fault = {0};
    if (!status || status == ERR_STOPPED) {
        Status finished = cycle_finish(cycle, &text, &fault);
        printf("\n%s", strbuf_text(&text));
        if (finished && !status) {
            *err = fault;
            status = finished;
        }
    }
    strbuf_clear(&text);
    cycle_close(cycle);
    return status;
}

int cmd_learn(int argc, char **argv) {
    RunConfig config;
    SettingsGroup groups[RUN_GROUPS];
    const char *directory = NULL, *words[1];
    int size = 0, count = 0;
    double seconds = 600;
    char name[64];
    Error err = {0};
    run_config_defaults(&config);
    run_config_groups(&config, groups);
    const Option options[] = {
        {"run", OPTION_TEXT, &directory, 0, 0, "DIR", "the run's directory; default ./aji-run-SIZE"},
        {"time", OPTION_DURATION, &seconds, 0, 0, "TIME", "how long to work now, as in 10m or 1h30m; 0: until Ctrl-C; default 10m"},
        {"size", OPTION_INT, &size, 2, 19, "N", "edge of the board; default 7"},
        {0},
    };
    const CommandUsage usage = {"learn", "aji learn [CONFIG.cfg] [--run DIR] [--time 10m] [--size 7] [--set KEY=VALUE]", cmd_learn_summary, DETAILS, options, groups, 0, 1};
    OptionsResult result = options_parse(&usage, argc, argv, words, &count);
    if (result != OPTIONS_RUN) return result == OPTIONS_HELP ? 0 : 2;
    Status status = count ? settings_load(groups, words[0], &err) : OK;
    if (!status && size) status = set_size(groups, size, &err);
    if (!status && count) result = options_parse(&usage, argc, argv, words, &count); /* --set comes after the file */
    if (!status && size) status = set_size(groups, size, &err);
    if (status) return tell(&err, status);
    if (!directory) {
        snprintf(name, sizeof name, "aji-run-%.*s", (int)strcspn(config.selfplay.sizes, ":, "), config.selfplay.sizes);
        directory = name;
    }
    status = learn(directory, &config, seconds, &err);
    if (status == ERR_STOPPED) {
        fprintf(stderr, "%s\n", err.message);
        return 130;
    }
    return status ? tell(&err, status) : 0;
}
