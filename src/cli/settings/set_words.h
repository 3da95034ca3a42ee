/* set_words.h - finds out whether a command line sets a setting, so that a command can refuse it
 * beside an option that would override it. Threading: free functions. */
#pragma once
#include <stdbool.h>

/* Whether the command line has "--set KEY=..." for this setting, whose group may be left out, as in
 * "--set arch=..." for "run.arch". */
bool set_words_have(int argc, char **argv, const char *key);
