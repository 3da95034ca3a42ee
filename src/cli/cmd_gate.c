#include <stdio.h>

#include "base/thread.h"
#include "cli/commands.h"
#include "cli/terminal/run_command.h"

extern const char cmd_gate_summary[];
int cmd_gate(int argc, char **argv);
const char cmd_gate_summary[] =
    "tests a run's newest candidate in games; if accepted, it becomes the newest net";

static const char DETAILS[] =
    "Candidates are the nets that `aji train` writes. Without --time the gate tests one "
    "candidate. If there is none, it tests the net of the newest checkpoint. With --time the "
    "gate tests one candidate after the other and waits for new ones. Run it beside `aji train` "
    "and any number of `aji selfplay`. If the time runs out before a decision, the candidate is "
    "tested again at the next start.";

static Status work(const RunCommand *command, double seconds, Error *err) {
    Cycle *cycle;
    Progress progress = progress_start(stdout, 5);
    Status status =
        cycle_open_as(CYCLE_GATES, command->directory, &command->config, &progress, &cycle, err);
    if (status) return status;
    CycleTotals before = cycle_totals(cycle);
    status = cycle_work_gate(cycle, seconds, err);
    progress_end(&progress);
    CycleTotals now = cycle_totals(cycle);
    if (!status && now.net > before.net)
        printf("%s: accepted, net %d is the newest\n", command->directory, now.net);
    else if (!status)
        printf("%s: no candidate accepted, net %d is still the newest\n", command->directory,
               now.net);
    cycle_close(cycle);
    return status;
}

int cmd_gate(int argc, char **argv) {
    int amount = -1;
    double seconds = CYCLE_ONCE;
    Error err = {0};
    const Option extra[] = {{"games", OPTION_INT, &amount, 0, 1e6, "N",
                             "games that decide; 0: accept without games (default run.gate_games)"},
                            {"time", OPTION_DURATION, &seconds, 0, 0, "TIME",
                             "test candidates as they come, for this long, such as 10m or 90 "
                             "(seconds); 0: until Ctrl-C"},
                            {0}};
    static RunCommand command;
    command =
        (RunCommand){.name = "gate",
                     .synopsis = "aji gate --run DIR [--games N] [--time T] [--set KEY=VALUE]",
                     .summary = cmd_gate_summary,
                     .details = DETAILS,
                     .existing = true,
                     .seconds = &seconds,
                     .extra = extra};
    int code = run_command_read(&command, argc, argv);
    if (code >= 0) return code;
    if (amount >= 0) command.config.run.gate_games = amount;
    Status status = work(&command, seconds, &err);
    return run_command_end(&command, status, &err);
}
