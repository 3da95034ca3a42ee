#include "cli/command_group.h"

#include <stdio.h>
#include <string.h>

#include "base/options/help_text.h"
#include "base/options/usage_form.h"

/* Lets each subcommand print its usage in this form. */
static void print_parts(const CommandGroup *group, UsageForm form) {
    char option[32];
    snprintf(option, sizeof option, "--help=%s", usage_form_word(form));
    for (const Subcommand *part = group->parts; part->word; part++) {
        char word[32];
        snprintf(word, sizeof word, "%s", part->word);
        (void)part->run(2, (char *[]){word, option, NULL});
    }
}

static void print_text(const CommandGroup *group) {
    char more[128];
    snprintf(more, sizeof more, "`aji %s WORD --help` shows more.", group->name);
    help_text_print(group->summary);
    printf("\n");
    print_parts(group, USAGE_ITEM);
    printf("\n");
    help_text_print(more);
    if (group->details) help_text_print(group->details);
}

static int print_help(const CommandGroup *group, UsageForm form) {
    char synopsis[128];
    snprintf(synopsis, sizeof synopsis, "aji %s SUBCOMMAND [options]", group->name);
    const CommandUsage usage = {.name = group->name,
                                .synopsis = synopsis,
                                .summary = group->summary,
                                .details = group->details};
    if (form == USAGE_TEXT) {
        print_text(group);
        return 0;
    }
    usage_form_print(&usage, form);
    if (form == USAGE_MAN) printf(".SH SUBCOMMANDS\n");
    if (form != USAGE_ITEM && form != USAGE_MAN_ITEM)
        print_parts(group, form == USAGE_MAN ? USAGE_MAN_ITEM : form);
    return 0;
}

static int report_wrong(const CommandGroup *group, const char *what, const char *word) {
    enum { PARTS_MAX = 32 };
    const char *words[PARTS_MAX];
    int count = 0;
    for (; count < PARTS_MAX && group->parts[count].word; count++)
        words[count] = group->parts[count].word;
    const char *nearest = *word ? nearest_word(word, words, count) : NULL;
    fprintf(stderr, "aji %s: %s%s%.40s%s; use ", group->name, what, *word ? " \"" : "", word,
            *word ? "\"" : "");
    for (int i = 0; i < count; i++)
        fprintf(stderr, "%s%s", !i ? "" : i + 1 == count ? " or " : ", ", words[i]);
    if (nearest) fprintf(stderr, "; did you mean %s?", nearest);
    fprintf(stderr, "\n`aji %s --help` shows how it is used.\n", group->name);
    return 2;
}

int command_group_run(const CommandGroup *group, int argc, char **argv) {
    static const char HELP[] = "--help=";
    if (argc < 2) return report_wrong(group, "a subcommand is missing", "");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return print_help(group, USAGE_TEXT);
    if (strncmp(argv[1], HELP, sizeof HELP - 1) == 0)
        return print_help(group, usage_form_of(argv[1] + sizeof HELP - 1));
    for (const Subcommand *part = group->parts; part->word; part++) {
        if (strcmp(argv[1], part->word) == 0) return part->run(argc - 1, argv + 1);
    }
    return report_wrong(group,
                        *argv[1] == '-' ? "there is an option before the subcommand:"
                                        : "there is no subcommand",
                        argv[1]);
}
