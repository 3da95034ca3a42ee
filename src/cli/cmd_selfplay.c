#include <stdio.h>

#include "base/clock.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/terminal/run_command.h"
#include "run/store/run_directory.h"

extern const char cmd_selfplay_summary[];
int cmd_selfplay(int argc, char **argv);
const char cmd_selfplay_summary[] =
    "plays games with the newest net of a run and adds the rows of the games to the run";

static const char DETAILS[] =
    "Any number of these processes may work on a run, on all machines that can reach the "
    "directory of the run. They may run beside `aji train` and `aji gate`, or beside `aji "
    "learn`. Each process uses a newer net as soon as there is one.";

/* The work that is left. When larger boards begin, the run is opened again to do the rest. */
typedef struct {
    int64_t rows;   /* 0 means no limit */
    double seconds; /* 0 means no limit; CYCLE_ONCE if --time was not given */
    bool continues; /* there is work left, with larger boards */
} Left;

static Status work_on_one_size(const RunCommand *command, Left *left, Progress *progress,
                               Error *err) {
    Cycle *cycle;
    double begun = clock_seconds();
    left->continues = false;
    Status status =
        cycle_open_as(CYCLE_PLAYS, command->directory, &command->config, progress, &cycle, err);
    if (status) return status;
    CycleTotals before = cycle_totals(cycle);
    status = cycle_work_selfplay(cycle, left->rows, left->seconds, err);
    progress_end(progress);
    CycleTotals now = cycle_totals(cycle);
    if (!status)
        printf("%s: %lld new games with %lld rows; the newest net is %d\n", command->directory,
               (long long)(now.games - before.games), (long long)now.played, now.net);
    double spent = clock_seconds() - begun;
    left->continues = !status && cycle_outgrown(cycle) && !stop_requested() &&
                      (left->rows == 0 || now.played < left->rows) &&
                      (left->seconds <= 0 || spent < left->seconds);
    if (left->rows) left->rows -= now.played;
    if (left->seconds > 0) left->seconds -= spent;
    cycle_close(cycle);
    return status;
}

static Status work(const RunCommand *command, int amount, double seconds, Error *err) {
    Progress progress = progress_start(stdout, 5);
    Left left = {.rows = amount, .seconds = seconds};
    if (!run_directory_has_begun(command->directory))
        printf("%s: a new run; until it has a net, games are random play\n", command->directory);
    Status status;
    do
        status = work_on_one_size(command, &left, &progress, err);
    while (!status && left.continues);
    return status;
}

int cmd_selfplay(int argc, char **argv) {
    int amount = 0;
    double seconds = CYCLE_ONCE;
    Error err = {0};
    const Option extra[] = {{"rows", OPTION_INT, &amount, 1, 2e9, "N",
                             "training rows to make (default 2000; with --time no limit)"},
                            {"time", OPTION_DURATION, &seconds, 0, 0, "TIME",
                             "how long to play, such as 10m or 90 (seconds); 0: until Ctrl-C"},
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
    return run_command_end(&command, status, &err);
}
