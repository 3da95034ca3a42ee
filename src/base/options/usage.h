/* usage.h - what a command takes: its options, its settings and its words. One table serves parsing
 * (options.h), --help, messages, pages of the manual and completions of shells (usage_form.h).
 * Threading: immutable. */
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

/* The option at this index: first those of the command, then --config and --set if the command has
 * settings, then --help. Returns NULL after the last one. */
const Option *usage_option(const CommandUsage *usage, int index);
