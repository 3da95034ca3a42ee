/* commands.h - a command is a file cmd_NAME.c with cmd_NAME() and its one-line summary; the build
 * lists them. Exit codes: 0 done, 1 failed (main() adds: what was printed did not arrive), 2 wrong
 * use, 130 stopped. Threading: confined. */
#pragma once
#include "base/error.h"
#include "base/json.h"

typedef struct {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the name */
    const char *summary;
} Command;

/* The exit code of a command that came to this: 2 for ERR_ARGUMENT, 130 for ERR_STOPPED. */
int command_code(Status status);
/* The same; a failure is told on stderr. `name` as in "net info". */
int command_end(const char *name, Status status, const Error *err);
/* Prints `object`, which it takes, in one line with so many digits. ERR_MEMORY: also of NULL. */
MUST_USE Status command_json(json_t *object, int digits, Error *err);
