/* engine_command.h - the command lines of the engines, which are gtp, analysis and serve.
 * Threading: free functions. */
#pragma once
#include "base/options.h"
#include "cli/katago_options.h"

/* Reads the command line of a command that takes KataGo's options too and has one net, as its only
 * word or as an option that sets `*net`. Returns -1 if the command is to run. Otherwise a message
 * or the help has been printed, and the result is the exit code. */
int engine_command_parse(const CommandUsage *usage, const KatagoOption *options, int argc,
                         char **argv, const char **net);
