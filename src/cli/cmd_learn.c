#include <stdio.h>

#include "base/clock.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/run_command.h"
#include "run/store/size_rules.h"

extern const char cmd_learn_summary[];
int cmd_learn(int argc, char **argv);
const char cmd_learn_summary[] = "learns Go by playing itself: self-play, training, gating, rating";

static const char DETAILS[] =
    "Without arguments: 7x7, ten minutes, in ./aji-run-7. The same command goes on where it was.\n"
    "  aji learn configs/learn-9x9.cfg --time 1h --run my-9x9";

static void describe(const RunCommand *command) {
    StrBuf text = {0};
    printf("run in %s; Ctrl-C stops, the same command goes on\n", command->directory);
    size_rules_describe(&command->config, &text);
    if (command->begins) printf("%s", strbuf_text(&text));
    strbuf_clear(&text);
}

/* Opens the run, works until its time is over or larger boards begin, and ends with the table of
 * nets unless they do. `*left`: seconds that are left then; < 0: none are. */
static Status learn_one_size(const RunCommand *command, bool first, double *left, double compute,
                             Progress *progress, Error *err) {
    Cycle *cycle;
    double begun = clock_seconds(), seconds = *left;
    Status status = cycle_open_alone(command->directory, &command->config, progress, &cycle, err);
    if (status) return status;
    if (first) describe(command);
    cycle_limit_compute(cycle, compute, false);
    status = cycle_run(cycle, seconds, err);
    *left = seconds - (clock_seconds() - begun);
    bool grows = !status && cycle_outgrown(cycle) && (seconds == 0 || *left > 0);
    if (grows && seconds == 0) *left = 0;
    if (!grows) *left = -1;
    StrBuf text = {0};
    Error fault = {0};
    if (!grows && (!status || status == ERR_STOPPED)) {
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

static Status learn(const RunCommand *command, double seconds, double compute, Error *err) {
    Progress progress = progress_start(stdout, 5);
    Status status = learn_one_size(command, true, &seconds, compute, &progress, err);
    while (!status && seconds >= 0)
        status = learn_one_size(command, false, &seconds, compute, &progress, err);
    return status;
}

int cmd_learn(int argc, char **argv) {
    double seconds = -1, compute = 0;
    Error err = {0};
    const Option extra[] = {{"time", OPTION_DURATION, &seconds, 0, 0, "TIME",
                             "how long to work now, as in 10m or 1h30m; 0: until Ctrl-C; default "
                             "10m, or no end with --compute"},
                            {"compute", OPTION_NUMBER, &compute, 0, 1e30, "N",
                             "net multiply-adds of the whole run at which it ends, as in 4e11: "
                             "those of each evaluation "
                             "in self-play, three times those of each training sample"},
                            {0}};
    static RunCommand command;
    command = (RunCommand){.name = "learn",
                           .synopsis = "aji learn [CONFIG.cfg] [--run DIR] [--time 10m] [--compute "
                                       "N] [--size 7] [--set KEY=VALUE]",
                           .summary = cmd_learn_summary,
                           .details = DETAILS,
                           .extra = extra};
    int code = run_command_read(&command, argc, argv);
    if (code >= 0) return code;
    if (seconds < 0) seconds = compute > 0 ? 0 : 600;
    Status status = learn(&command, seconds, compute, &err);
    return status ? run_command_fail(&command, status, &err) : 0;
}
