/* usage_form.h - the usage of a command in several forms: the text of its help, a page of the
 * manual, and the facts from which shells complete a command line. `aji COMMAND --help=FORM` prints
 * a form on stdout. `aji manual` and `aji completion` call the commands in this way, so that there
 * is no second list of the options. Threading: confined. */
#pragma once
#include "base/options/usage.h"

typedef enum {
    USAGE_TEXT,     /* the help */
    USAGE_NAME,     /* the name, such as "net new" */
    USAGE_ITEM,     /* synopsis and summary, for the list in the help of a group of subcommands */
    USAGE_MAN,      /* the sections of a page of the manual, in roff */
    USAGE_MAN_ITEM, /* synopsis, summary and name of the page, for the list in a group's page */
    USAGE_BASH,
    USAGE_ZSH,
    USAGE_FISH
} UsageForm;

/* The form that is called `word`: "text", "name", "item", "man", "man-item", "bash", "zsh" or
 * "fish". For any other word, or NULL, it is USAGE_TEXT. */
UsageForm usage_form_of(const char *word);
const char *usage_form_word(UsageForm form);
void usage_form_print(const CommandUsage *usage, UsageForm form);
