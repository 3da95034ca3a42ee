#include "base/options/usage_help.h"

#include <stdio.h>
#include <string.h>

#include "base/options/help_text.h"
#include "base/strbuf.h"

enum { HELP_INDENT = 29, NARROW = 70 };

/* Prints the help of an option beside its name, or below it if the terminal is narrow. */
static void print_option(const char *flag, const char *help) {
    int width = help_text_columns(), indent = width < NARROW ? 6 : HELP_INDENT;
    int at = printf("  %-*s ", HELP_INDENT - 3, flag);
    if (width < NARROW) at = printf("\n%*s", indent, "") - 1;
    help_text_wrap(help, at, indent, width);
}

void usage_help_print(const CommandUsage *usage) {
    help_text_print(usage->summary);
    printf("\n  ");
    help_text_wrap(usage->synopsis, 2, 6, help_text_columns());
    printf("\noptions:\n");
    const Option *option;
    for (int i = 0; (option = usage_option(usage, i)) != NULL; i++) {
        char flag[64];
        snprintf(flag, sizeof flag, "--%s%s%s", option->name, option->value ? " " : "",
                 option->value ? option->value : "");
        print_option(flag, option->help);
    }
    if (usage->details) {
        printf("\n");
        help_text_print(usage->details);
    }
    if (!usage->settings) return;
    StrBuf groups = {0};
    strbuf_add(&groups, "settings (`aji settings WORD` describes them):");
    for (const SettingsGroup *group = usage->settings; group->prefix; group++) {
        const SettingsGroup *same = usage->settings; /* the first group of the same prefix */
        while (strcmp(same->prefix, group->prefix) != 0)
            same++;
        if (same == group)
            strbuf_addf(&groups, "%s %s.*", group == usage->settings ? "" : ",", group->prefix);
    }
    printf("\n");
    help_text_wrap(strbuf_text(&groups), 0, 2, help_text_columns());
    strbuf_clear(&groups);
}

void usage_help_item(const CommandUsage *usage) {
    printf("  ");
    help_text_wrap(usage->synopsis, 2, 6, help_text_columns());
    help_text_wrap(usage->summary, printf("%*s", 6, ""), 6, help_text_columns());
}
