#include "cli/commands.h"
#include "cli/run_command.h"
#include <stdio.h>

extern const char cmd_selfplay_summary[];
int cmd_selfplay(int argc, char **argv);
const char cmd_selfplay_summary[] = "plays games with the newest net of a run and adds their rows";

static Status work(const RunCommand *command, int amount, Error *err) {
    Cycle *cycle;
    Progress progress = progress_start(stdout, 5);
    Path path;
    bool begins = !path_join(&path, command->directory, "run.cfg", NULL) && !file_exists(path.text);
    Status status = cycle_open(command->directory, &command->config, &progress, &cycle, err);
    if (status) return status;
    CycleTotals before = cycle_totals(cycle);
    if (begins) printf("%s: a new run; without a net, games are random play\n", command->directory);
    status = cycle_selfplay(cycle, amount, err);
    progress_end(&progress);
    CycleTotals now = cycle_totals(cycle);
    if (!status)
        printf("%s: %lld new games with net %d; %lld rows in all\n", command->directory,
               (long long)(now.games - before.games), now.net, (long long)now.rows);
    cycle_close(cycle);
    return status;
}

int cmd_selfplay(int argc, char **argv) {
    int amount = 2000;
    Error err = {0};
    const Option extra[] = {
        {"rows", OPTION_INT, &amount, 1, 2e9, "N", "rows to make; default 2000"}, {0}};
    static RunCommand command;
    command = (RunCommand){.name = "selfplay",
                           .synopsis = "aji selfplay --run DIR [--rows N] [--set KEY=VALUE]",
                           .summary = cmd_selfplay_summary,
                           .extra = extra};
    int code = run_command_read(&command, argc, argv);
    if (code >= 0) return code;
    Status status = work(&command, amount, &err);
    return status ? run_command_fail(&command, status, &err) : 0;
}
