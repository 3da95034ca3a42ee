/* usage_shell.h - what shells need to know about a command in order to complete its
 * command line.
 * The files in packaging/completion use it. Threading: confined. */
#pragma once
#include "base/options/usage.h"

/* Prints a case of the function _aji_describe() of aji.bash. It sets `options` to words --NAME or
 * --NAME=<VALUE>, where VALUE is "file", "setting", the possible values "a|b|c" or nothing. It sets
 * `groups` to the prefixes of the settings, and `words` to "file" if the command takes arguments
 * besides options. */
void usage_shell_bash(const CommandUsage *usage);
/* Prints a case of the function _aji_describe() of aji.zsh. It calls zsh's _arguments. */
void usage_shell_zsh(const CommandUsage *usage);
/* Prints calls of fish's `complete`. */
void usage_shell_fish(const CommandUsage *usage);

/* Prints a text between single quotes, so that bash, zsh and fish read it as it is. Puts a
 * backslash before each of the characters in `escaped`. */
void usage_shell_quoted(const char *text, const char *escaped);
/* Prints the possible values of a setting, with `separator` between them, if the setting is a
 * choice or yes/no. Prints nothing for other settings. */
void usage_shell_choices(const SettingsField *field, const char *separator);
