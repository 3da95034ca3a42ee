#include "cli/commands.h"
#include "cli/run_command.h"
#include <stdio.h>

extern const char cmd_gate_summary[];
int cmd_gate(int argc, char **argv);
const char cmd_gate_summary[] =
    "puts the newest checkpoint before the gate; accepted, it becomes the newest net";

static Status work(const RunCommand *command, Error *err) {
    Cycle *cycle;
    Progress progress = progress_start(stdout, 5);
    Status status = cycle_open(command->directory, &command->config, &progress, &cycle, err);
    if (status) return status;
    CycleTotals before = cycle_totals(cycle);
    status = cycle_accept(cycle, err);
    progress_end(&progress);
    CycleTotals now = cycle_totals(cycle);
    if (!status && now.net > before.net)
        printf("%s: accepted, net %d is the newest\n", command->directory, now.net);
    else if (!status)
        printf("%s: rejected, the newest is still net %d\n", command->directory, now.net);
    cycle_close(cycle);
    return status;
}

int cmd_gate(int argc, char **argv) {
    int amount = -1;
    Error err = {0};
    const Option extra[] = {{"games", OPTION_INT, &amount, 0, 1e6, "N",
                             "games for the place; 0: accept; default as run.gate_games"},
                            {0}};
    static RunCommand command;
    command = (RunCommand){.name = "gate",
                           .synopsis = "aji gate --run DIR [--games N] [--set KEY=VALUE]",
                           .summary = cmd_gate_summary,
                           .existing = true,
                           .extra = extra};
    int code = run_command_read(&command, argc, argv);
    if (code >= 0) return code;
    if (amount >= 0) command.config.run.gate_games = amount;
    Status status = work(&command, &err);
    return status ? run_command_fail(&command, status, &err) : 0;
}
