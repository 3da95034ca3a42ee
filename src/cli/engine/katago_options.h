/* katago_options.h - reads command lines and configs that were written for KataGo. They have
 * options with one dash, and settings that Aji may not have.
 * Threading: free functions. */
#pragma once
#include "base/settings.h"

/* What an option of KataGo means here. */
typedef struct {
    const char *name; /* "-model"; NULL ends a table */
    const char *ours; /* "--net", KATAGO_CONFIG or KATAGO_OVERRIDE */
} KatagoOption;
#define KATAGO_CONFIG "config"     /* takes a file of settings */
#define KATAGO_OVERRIDE "override" /* takes "key=value,key=value" */

/* Replaces the options of KataGo by Aji's, and applies KataGo's configs and assignments to
 * `groups`. Settings that Aji does not have are reported on stderr and ignored. *argc may become
 * smaller. ERR_ARGUMENT, ERR_SYNTAX: a value is missing or wrong. ERR_IO: a config cannot be
 * read. */
MUST_USE Status katago_options_take(const KatagoOption *options, const SettingsGroup *groups,
                                    int *argc, char **argv, Error *err);
