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

/* Does the same for a command that may have several nets. `words` has room for `usage->max_words`,
 * and `*count` becomes their number. A net that the option has set comes before them in the list of
 * nets, which the caller makes. */
int engine_command_parse_many(const CommandUsage *usage, const KatagoOption *options, int argc,
                              char **argv, const char **words, int *count);
