/* options.h - the flags of a command. One table serves parsing, --help and messages. A command with
 * settings also takes `--set key=value` and `--config FILE`. Use: fill a CommandUsage, then call
 * options_parse(). Threading: confined. */
#pragma once
#include "base/settings.h"

typedef enum {
    OPTION_FLAG = 1,
    OPTION_TEXT,
    OPTION_INT,
    OPTION_NUMBER,
    OPTION_DURATION
} OptionType;

typedef struct {
    const char *name; /* without the dashes; NULL ends a table */
    OptionType type;
    void *target;      /* by type: bool, const char *, int, double, double (seconds) */
    double min, max;   /* bounds of a number; both 0: none */
    const char *value; /* what the help calls the value, as in "FILE" */
    const char *help;
} Option;

typedef struct {
    const char *name;     /* as in "match" */
    const char *synopsis; /* as in "aji match --black PLAYER --white PLAYER [--games N]" */
    const char *summary;  /* one line */
    const char *details;  /* paragraphs and examples below the options; may be NULL */
    const Option *options;
    const SettingsGroup *settings; /* NULL: none */
    int min_words, max_words;      /* how many words without dashes the command takes */
} CommandUsage;

typedef enum { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_WRONG } OptionsResult;

/* Parses argv[1..]. Words without dashes go to `words` (at most `max_words`) and their number to
 * *word_count. Settings files are applied before --set, in whatever order they are given. "--x v"
 * and "--x=v" mean the same.
 *   OPTIONS_RUN: the command goes on.
 *   OPTIONS_HELP: the help was printed on stdout.
 *   OPTIONS_WRONG: the fault was printed on stderr; the command returns 2. */
OptionsResult options_parse(const CommandUsage *usage, int argc, char **argv, const char **words,
                            int *word_count);
/* Prints words on stdout from the present column `at` on, at most to column `width`. Further lines
 * begin at column `indent`. */
void options_print_wrapped(const char *text, int at, int indent, int width);
