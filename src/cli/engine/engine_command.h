/* engine_command.h - the command lines of the engines, which are gtp, analysis and serve.
 * Threading: free functions. */
#pragma once
#include "base/options/options.h"
#include "cli/engine/katago_options.h"

/* Reads the command line of a command that takes KataGo's options too. The command has one net,
 * which is its only word or the value of an option that sets `*net`. Returns -1 if the command is
 * to run. Otherwise a message or the help has been printed, and the result is the exit code. */
int engine_command_parse(const CommandUsage *usage, const KatagoOption *options, int argc,
                         char **argv, const char **net);

/* Does the same for a command that may have several nets. `words` has room for `usage->max_words`,
 * and `*count` becomes their number. If the option has set a net, the caller puts this net before
 * the nets of the words. */
int engine_command_parse_many(const CommandUsage *usage, const KatagoOption *options, int argc,
                              char **argv, const char **words, int *count);
