#include "cli/commands.h"
#include "cli/run_command.h"
#include <stdio.h>

extern const char cmd_train_summary[];
int cmd_train(int argc, char **argv);
const char cmd_train_summary[] = "trains on the rows of a run and writes a checkpoint";

static Status work(const RunCommand *command, int amount, Error *err) {
    Cycle *cycle;
    Progress progress = progress_start(stdout, 5);
    Status status = cycle_open(command->directory, &command->config, &progress, &cycle, err);
    if (status) return status;
    CycleTotals before = cycle_totals(cycle);
    status = cycle_train(cycle, amount, err);
    progress_end(&progress);
    CycleTotals now = cycle_totals(cycle);
    if (!status)
        printf("%s: %lld new samples, %lld in all\n", command->directory,
               (long long)(now.samples - before.samples), (long long)now.samples);
    cycle_close(cycle);
    return status;
}

int cmd_train(int argc, char **argv) {
    int amount = 20000;
    Error err = {0};
    const Option extra[] = {
        {"samples", OPTION_INT, &amount, 1, 2e9, "N", "training samples; default 20000"}, {0}};
    static RunCommand command;
    command = (RunCommand){.name = "train",
                           .synopsis = "aji train --run DIR [--samples N] [--set KEY=VALUE]",
                           .summary = cmd_train_summary,
                           .existing = true,
                           .extra = extra};
    int code = run_command_read(&command, argc, argv);
    if (code >= 0) return code;
    Status status = work(&command, amount, &err);
    return status ? run_command_fail(&command, status, &err) : 0;
}
