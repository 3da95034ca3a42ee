#include <limits.h>
#include <stdio.h>

#include "cli/commands.h"
#include "cli/data/train_data.h"
#include "cli/terminal/run_command.h"

extern const char cmd_train_summary[];
int cmd_train(int argc, char **argv);
const char cmd_train_summary[] =
    "trains on the rows of a run; writes checkpoints and candidates for aji gate";

static const char DETAILS[] =
    "With --time the command trains run.samples_per_row samples for each new row, and waits for "
    "more rows. Run it beside `aji gate` and any number of `aji selfplay`. Only one process may "
    "train on a run; that process also keeps the index of the run.\n"
    "  aji train DATA...   trains on a fixed set of rows, without a run; `aji train DATA --help`\n"
    "                      shows its options";

static Status work(const RunCommand *command, int amount, double seconds, Error *err) {
    Cycle *cycle;
    Progress progress = progress_start(stdout, 5);
    Status status =
        cycle_open_as(CYCLE_TRAINS, command->directory, &command->config, &progress, &cycle, err);
    if (status) return status;
    CycleTotals before = cycle_totals(cycle);
    status = cycle_work_train(cycle, amount, seconds, err);
    progress_end(&progress);
    CycleTotals now = cycle_totals(cycle);
    if (!status)
        printf("%s: %lld new samples, %lld in all\n", command->directory,
               (long long)(now.samples - before.samples), (long long)now.samples);
    cycle_close(cycle);
    return status;
}

int cmd_train(int argc, char **argv) {
    int amount = 0;
    double seconds = CYCLE_ONCE;
    Error err = {0};
    if (train_data_is_meant(argc, argv)) return train_data(argc, argv);
    const Option extra[] = {
        {"samples", OPTION_INT, &amount, 1, 2e9, "N",
         "samples to train, rounded up to whole batches (default 20000; with --time no limit)"},
        {"time", OPTION_DURATION, &seconds, 0, 0, "TIME",
         "train on new rows as they come, for this long, such as 10m or 90 (seconds); 0: until "
         "Ctrl-C"},
        {0}};
    static RunCommand command;
    command =
        (RunCommand){.name = "train",
                     .synopsis = "aji train --run DIR [--samples N] [--time T] [--set KEY=VALUE]",
                     .summary = cmd_train_summary,
                     .details = DETAILS,
                     .existing = true,
                     .seconds = &seconds,
                     .extra = extra};
    int code = run_command_read(&command, argc, argv);
    if (code >= 0) return code;
    if (!amount && seconds < 0) amount = 20000;
    int batch = command.config.loader.batch;
    if (amount > 0 && amount <= INT_MAX - batch) amount = (amount + batch - 1) / batch * batch;
    Status status = work(&command, amount, seconds, &err);
    return run_command_end(&command, status, &err);
}
