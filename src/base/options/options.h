/* options.h - the options of a command. One table serves parsing, --help and messages. A command
 * with settings also takes `--set key=value` and `--config FILE`. A command fills a CommandUsage
 * and calls options_parse(). Every command has the option --help. An option such as --help=man
 * prints the help in another form, for the manual and for shells (usage_form.h). Threading:
 * confined. */
#pragma once
#include "base/options/usage.h"

typedef enum { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_WRONG } OptionsResult;

/* Parses argv[1..]. Arguments that are no options go to `words` (at most `max_words`), and their
 * number to `*word_count`. After "--" no argument is an option. Settings files are applied before
 * --set, whatever their order on the command line. "--x v" and "--x=v" mean the same. Returns
 *   OPTIONS_RUN     if the command is to run,
 *   OPTIONS_HELP    if the help was printed on stdout,
 *   OPTIONS_WRONG   if an error was printed on stderr; the command then ends with exit code 2. */
OptionsResult options_parse(const CommandUsage *usage, int argc, char **argv, const char **words,
                            int *word_count);
