#include <stdio.h>

#include "cli/commands.h"
#include "cli/run_command.h"
#include "run/run_directory.h"

extern const char cmd_selfplay_summary[];
int cmd_selfplay(int argc, char **argv);
const char cmd_selfplay_summary[] = "plays games with the newest net of a run and adds their rows";

static const char DETAILS[] = "Any number of these may work on a run, on all machines that see its "
                              "directory; each takes up a\n"
                              "newer net as soon as there is one. With --time, also beside aji "
                              "train and aji gate, or aji learn.";

static Status work(const RunCommand *command, int amount, double seconds, Error *err) {
    Cycle *cycle;
    Progress progress = progress_start(stdout, 5);
    bool begins = !run_directory_has_begun(command->directory);
    Status status =
        cycle_open_as(CYCLE_PLAYS, command->directory, &command->config, &progress, &cycle, err);
    if (status) return status;
    CycleTotals before = cycle_totals(cycle);
    if (begins) printf("%s: a new run; without a net, games are random play\n", command->directory);
    status = cycle_work_selfplay(cycle, amount, seconds, err);
    progress_end(&progress);
    CycleTotals now = cycle_totals(cycle);
    if (!status)
        printf("%s: %lld new games with %lld rows; the newest net is %d\n", command->directory,
               (long long)(now.games - before.games), (long long)now.played, now.net);
    cycle_close(cycle);
    return status;
}

int cmd_selfplay(int argc, char **argv) {
    int amount = 0;
    double seconds = CYCLE_ONCE;
    Error err = {0};
    const Option extra[] = {
        {"rows", OPTION_INT, &amount, 1, 2e9, "N",
         "rows to make; default 2000, or no end with --time"},
        {"time", OPTION_DURATION, &seconds, 0, 0, "TIME", "how long to play; 0: until Ctrl-C"},
        {0}};
    static RunCommand command;
    command =
        (RunCommand){.name = "selfplay",
                     .synopsis = "aji selfplay --run DIR [--rows N] [--time T] [--set KEY=VALUE]",
                     .summary = cmd_selfplay_summary,
                     .details = DETAILS,
                     .extra = extra};
    int code = run_command_read(&command, argc, argv);
    if (code >= 0) return code;
    if (!amount && seconds < 0) amount = 2000;
    Status status = work(&command, amount, seconds, &err);
    return status ? run_command_fail(&command, status, &err) : 0;
}
