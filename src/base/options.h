/* options.h - the flags of a command: one table gives parsing, --help and messages. Every command
 * also takes
 * `--set key=value` and `--config FILE`, which go to its settings groups. Threading: confined. */
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
    void *target;       /* bool, const char *, int, double, double (seconds) */
    double least, most; /* for numbers; both 0: any */
    const char *value;  /* "FILE" in the help */
    const char *help;
} Option;

typedef struct {
    const char *name;     /* "match" */
    const char *synopsis; /* "aji match --black SPEC --white SPEC [--games N]" */
    const char *summary;  /* one line */
    const char *details;  /* paragraphs and examples below the options; may be NULL */
    const Option *options;
    const SettingsGroup *settings; /* NULL: none */
    int least_words, most_words;   /* how many words without dashes it takes */
} CommandUsage;

typedef enum { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_WRONG } OptionsResult;

/* Parses argv[1..]; words without dashes are moved to `words` (at most `most_words`, count in
 * *word_count). Prints the help on stdout (OPTIONS_HELP) or the fault and how to get help on stderr
 * (OPTIONS_WRONG; the command returns 2). "--x v" and "--x=v" alike. Settings files are applied
 * before --set, whichever comes first. */
OptionsResult options_parse(const CommandUsage *usage, int argc, char **argv, const char **words,
                            int *word_count);
