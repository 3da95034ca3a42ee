/* run_command.h - what the commands on a run directory share: settings file, --run, --set, opening
 * and closing. Threading: confined. */
#pragma once
#include "base/options.h"
#include "run/cycle/cycle.h"

typedef struct {
    const char *name, *synopsis, *summary, *details;
    const Option *extra;   /* options of its own besides --run; may be NULL */
    bool existing;         /* the run must be there */
    const double *seconds; /* --time of a worker, which waits a while for its run; < 0: not given */
    const char *directory; /* --run; NULL: the default by size */
    const char *size;      /* --size, "13" or "9x13"; NULL: as the settings say */
    bool begins;           /* read by the rules for a new run, not from a run.cfg */
    RunConfig config;
    SettingsGroup groups[RUN_GROUPS];
    char name_buffer[64];
} RunCommand;

/* Reads everything into `command`; the settings of a run that exists are the start, then the file,
 * then flags. -1: go on; else the exit code. */
int run_command_read(RunCommand *command, int argc, char **argv);
/* Prints the message and gives the exit code. */
int run_command_fail(const RunCommand *command, Status status, const Error *err);
