/* usage_help.h - the help of a command. Threading: confined. */
#pragma once
#include "base/options/usage.h"

void usage_help_print(const CommandUsage *usage);
/* Prints synopsis and summary, for a list of commands. */
void usage_help_item(const CommandUsage *usage);
