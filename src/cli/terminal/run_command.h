/* run_command.h - what learn, selfplay, train and gate share: a run directory, a file of settings,
 * --run, --size and --set.
 * Threading: confined. */
#pragma once
#include "base/options/options.h"
#include "run/cycle/cycle.h"

typedef struct {
    const char *name, *synopsis, *summary, *details;
    const Option *extra;   /* further options of the command; may be NULL */
    bool existing;         /* the run must exist already */
    const double *seconds; /* --time, below 0 if not given; if it is given, the command waits for an
                              `existing` run to begin */
    const char *directory; /* --run; NULL means that the board size gives the name */
    const char *size;      /* --size, "13" or "9x13"; NULL means as the settings say */
    bool begins;           /* the run is new: there was no run.cfg */
    RunConfig config;
    SettingsGroup groups[RUN_GROUPS];
    char name_buffer[64];
} RunCommand;

/* Reads the command line into `command`. Settings come from the run if it exists, and otherwise
 * from the defaults for its board size. The file of settings overrides them, and flags override
 * both. Returns -1 if the command can go on, and otherwise its exit code. */
int run_command_read(RunCommand *command, int argc, char **argv);
/* Prints the message of a failure. Returns the exit code. */
int run_command_end(const RunCommand *command, Status status, const Error *err);
