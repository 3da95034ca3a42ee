#include <stdio.h>

#include "base/clock.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "cli/settings/set_words.h"
#include "cli/terminal/run_command.h"
#include "run/cycle/first_net.h"
#include "run/store/size_rules.h"

extern const char cmd_learn_summary[];
int cmd_learn(int argc, char **argv);
const char cmd_learn_summary[] =
    "learns Go by self-play: plays, trains, gates and rates nets in turn";

static const char DETAILS[] =
    "Without arguments the command learns 7x7 for ten minutes, in ./aji-run-7. If you start the "
    "same command again, it continues where it stopped.\n"
    "  aji learn configs/learn-9x9.cfg --time 1h --run my-9x9";

/* `seconds` is the time limit, or 0 if there is none. */
static void print_start(const RunCommand *command, double seconds) {
    StrBuf text = {0};
    printf("run in %s%s%s; Ctrl-C stops it, the same command continues it\n", command->directory,
           seconds > 0 ? " for " : "", seconds > 0 ? clock_duration_text(seconds).text : "");
    size_rules_describe(&command->config, &text);
    if (command->begins) printf("%s", strbuf_text(&text));
    strbuf_clear(&text);
}

/* Opens the run and works on it. Returns when the work is done, or when larger boards begin.
 * Because the run must be opened again for larger boards, the caller then calls this function
 * again. If the work is done, or was stopped, prints the table of nets. `*left` is the number of
 * seconds of work that are left. 0 means no limit, and a number below 0 means that the work is
 * done. */
static Status learn_one_size(const RunCommand *command, bool first, double *left, double compute,
                             Progress *progress, Error *err) {
    Cycle *cycle;
    double begun = clock_seconds(), seconds = *left;
    Status status = cycle_open_alone(command->directory, &command->config, progress, &cycle, err);
    if (status) return status;
    if (first) print_start(command, seconds);
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

/* Makes the run begin with this net, if one is given. A run that began with this net goes on.
 * `sets_arch`: the user also gives an architecture. */
static Status begin_from(RunCommand *command, const char *net, bool sets_arch, Error *err) {
    Path file;
    if (!net) return OK;
    if (sets_arch)
        return fail(err, ERR_ARGUMENT,
                    "--set run.arch and --from exclude each other: a net brings its architecture "
                    "along");
    Status status = net_run_file("learn", net, &file, err);
    if (status) return status;
    if (command->begins)
        return first_net_begin(command->directory, &command->config, file.text, err);
    return first_net_check(command->directory, file.text, err);
}

int cmd_learn(int argc, char **argv) {
    double seconds = -1, compute = 0;
    const char *from = NULL;
    Error err = {0};
    const Option extra[] = {
        {"time", OPTION_DURATION, &seconds, 0, 0, "TIME",
         "how long to work in this call, such as 10m, 1h30m or 90 (seconds); 0: until Ctrl-C "
         "(default 10m; no limit with --compute)"},
        {"compute", OPTION_NUMBER, &compute, 0, 1e30, "N",
         "total compute at which the run ends, in multiply-adds of nets, such as "
         "4e11; each evaluation of self-play counts once, each training sample "
         "three times"},
        {"from", OPTION_TEXT, &from, 0, 0, "NET",
         "net with which a new run begins, such as one that `aji train` made from games of people; "
         "the run gets its architecture"},
        {0}};
    static RunCommand command;
    command = (RunCommand){.name = "learn",
                           .synopsis = "aji learn [CONFIG.cfg] [--run DIR] [--from NET] [--time "
                                       "10m] [--compute N] [--size 7] [--set KEY=VALUE]",
                           .summary = cmd_learn_summary,
                           .details = DETAILS,
                           .extra = extra};
    int code = run_command_read(&command, argc, argv);
    if (code >= 0) return code;
    if (seconds < 0) seconds = compute > 0 ? 0 : 600;
    Status status = begin_from(&command, from, set_words_have(argc, argv, "run.arch"), &err);
    if (!status) status = learn(&command, seconds, compute, &err);
    if (status == ERR_STOPPED) status = OK; /* Ctrl-C and SIGTERM are the usual end of a run */
    return run_command_end(&command, status, &err);
}
