/* options.h - the options of a command. One table serves parsing, --help and messages. A command
 * with settings also takes `--set key=value` and `--config FILE`. A command fills a CommandUsage
 * and calls options_parse(). Threading: confined. */
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
    void *target;      /* by type: bool *, const char **, int *, double *, double * (seconds) */
    double min, max;   /* for INT and NUMBER: the bounds; if both are 0, there are none */
    const char *value; /* what the help calls the value, for example "FILE" */
    const char *help;
} Option;

typedef struct {
    const char *name;     /* for example "match" */
    const char *synopsis; /* such as "aji match --black PLAYER --white PLAYER [--games N]" */
    const char *summary;  /* one line */
    const char *details;  /* paragraphs and examples below the options; may be NULL */
    const Option *options;
    const SettingsGroup *settings; /* NULL if the command has no settings */
    int min_words, max_words;      /* how many arguments besides options the command takes */
} CommandUsage;

typedef enum { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_WRONG } OptionsResult;

/* Parses argv[1..]. Arguments that are no options go to `words` (at most `max_words`), and their
 * number to `*word_count`. After "--" no argument is an option. Settings files are applied before
 * --set, whatever their order on the command line. "--x v" and "--x=v" mean the same. Returns
 *   OPTIONS_RUN     if the command is to run,
 *   OPTIONS_HELP    if the help was printed on stdout,
 *   OPTIONS_WRONG   if an error was printed on stderr; the command then ends with exit code 2. */
OptionsResult options_parse(const CommandUsage *usage, int argc, char **argv, const char **words,
                            int *word_count);
/* The width of the terminal in columns. The environment variable COLUMNS overrules it. The width is
 * 100 if neither is known, or if it would be less than 40. */
int options_width(void);
/* Prints the text of a help on stdout. Lines that begin without a blank form paragraphs, which are
 * wrapped to the terminal, at most to 100 columns. Lines that begin with blanks stay as they are,
 * except that in a line such as "  show   draws one row" the explanation is wrapped. */
void options_print_text(const char *text);
/* Prints a text on stdout and breaks it at blanks into lines of at most `width` columns. The first
 * line continues at column `at`, where the cursor is now; the others begin at column `indent`. */
void options_print_wrapped(const char *text, int at, int indent, int width);
