/* commands.h - what commands share: exit codes and messages. A command is a file cmd_NAME.c with
 * cmd_NAME() and its summary in one line (command_table.h). The exit codes are
 *     0    done
 *     1    failed; also if main() finds that the output could not be written
 *     2    wrong use
 *     130  stopped by a signal before the work was done. But learn, selfplay, train, gate and serve
 *          return 0, since a stop is their usual end.
 * Threading: confined. */
#pragma once
#include "base/error.h"
#include "base/json.h"

/* The exit code of a command that ended with `status`: 0 for OK, 2 for ERR_ARGUMENT, 130 for
 * ERR_STOPPED, else 1. */
int command_code(Status status);
/* Prints the message of a failure on stderr, and returns the exit code. `name` is the command, such
 * as "net info". */
int command_end(const char *name, Status status, const Error *err);
/* Prints `object` on one line, with numbers of `digits` significant digits, and releases it.
 * ERR_MEMORY: `object` is NULL or cannot be written. */
MUST_USE Status command_json(json_t *object, int digits, Error *err);
