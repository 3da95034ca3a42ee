/* usage_man.h - pages of the manual, in roff with the macros "man". Threading: confined. */
#pragma once
#include "base/options/usage.h"

/* Prints the sections of a command's page, without its first line, the title. */
void usage_man_print(const CommandUsage *usage);
/* Prints synopsis, summary and the name of the page, for a list of commands. */
void usage_man_item(const CommandUsage *usage);
/* Prints text as roff: escapes what roff would read as a command, and shows what stands between
 * backquotes in bold. */
void usage_man_text(const char *text);
/* Prints CommandUsage.details as roff: paragraphs, words with their explanations, and examples. */
void usage_man_details(const char *details);
/* Prints the name of a command's page: "aji-NAME", with '-' for each blank of the name. */
void usage_man_page_name(const char *name);
