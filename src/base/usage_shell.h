/* usage_shell.h - what shells need to know of a command in order to complete its command line.
 * The files in packaging/completion use it. Threading: confined. */
#pragma once
#include "base/usage.h"

/* Prints a case of the function _aji_describe() of aji.bash. It sets `options` to words --NAME or
 * --NAME=<KIND OF VALUE>, `groups` to the prefixes of the settings, and `words` to "file" if the
 * command takes other words. */
void usage_shell_bash(const CommandUsage *usage);
/* Prints a case of the function _aji_describe() of aji.zsh. It calls zsh's
 * _arguments. */
void usage_shell_zsh(const CommandUsage *usage);
/* Prints calls of fish's `complete`. */
void usage_shell_fish(const CommandUsage *usage);

/* Prints a text between single quotes as bash, zsh and fish read it, with a backslash before each
 * of the characters in `escaped`. */
void usage_shell_quoted(const char *text, const char *escaped);
/* Prints the values of a setting that can be listed, with `separator` between them: those of a
 * choice, or true and false. Prints nothing for other settings. */
void usage_shell_choices(const SettingsField *field, const char *separator);
