#include "base/options/usage_man.h"

#include <stdio.h>
#include <string.h>

#include "base/options/help_text.h"

/* Prints a part of a text. `*bold` says whether the part begins between backquotes, and is updated.
 * A dash is printed as \-, because roff turns a plain '-' into a hyphen, which a shell does not
 * read as a dash. */
static void print_span(const char *text, int length, bool *bold) {
    if (length && (*text == '.' || *text == '\'')) printf("\\&");
    for (int i = 0; i < length; i++) {
        if (text[i] == '`') {
            *bold = !*bold;
            printf(*bold ? "\\fB" : "\\fR");
        } else if (text[i] == '\\') {
            printf("\\e");
        } else if (text[i] == '-') {
            printf("\\-");
        } else {
            putchar(text[i]);
        }
    }
}

void usage_man_text(const char *text) {
    bool bold = false;
    print_span(text, (int)strlen(text), &bold);
}

void usage_man_page_name(const char *name) {
    printf(*name ? "aji\\-" : "aji");
    for (; *name; name++) {
        if (*name == ' ' || *name == '-')
            printf("\\-");
        else
            putchar(*name);
    }
}

static const char *print_paragraph(const char *text, bool first) {
    bool bold = false;
    if (!first) printf(".PP\n");
    while (*text && *text != ' ' && *text != '\n') {
        int length = (int)strcspn(text, "\n");
        print_span(text, length, &bold);
        printf("\n");
        text += length + (text[length] == '\n');
    }
    return text;
}

/* Prints a line such as "  show   draws one row". */
static const char *print_definition(const char *text, int column) {
    int length = (int)strcspn(text, "\n"), begin = (int)strspn(text, " "), end = column;
    bool bold = false;
    while (text[end - 1] == ' ')
        end--;
    printf(".TP\n\\fB");
    print_span(text + begin, end - begin, &bold);
    printf("\\fR\n");
    print_span(text + column, length - column, &bold);
    printf("\n");
    return text + length + (text[length] == '\n');
}

static bool is_example(const char *text) {
    return *text == ' ' && !help_text_explanation(text, (int)strcspn(text, "\n"));
}

static const char *print_examples(const char *text) {
    printf(".RS 4\n.EX\n");
    while (is_example(text)) {
        int length = (int)strcspn(text, "\n");
        bool bold = false;
        print_span(text + 2, length - 2, &bold);
        printf("\n");
        text += length + (text[length] == '\n');
    }
    printf(".EE\n.RE\n");
    return text;
}

void usage_man_details(const char *details) {
    bool first = true; /* the heading of a section begins a paragraph itself */
    while (*details) {
        int column = help_text_explanation(details, (int)strcspn(details, "\n"));
        if (*details == '\n')
            details++;
        else if (*details != ' ')
            details = print_paragraph(details, first);
        else if (column)
            details = print_definition(details, column);
        else
            details = print_examples(details);
        first = false;
    }
}

static void print_options(const CommandUsage *usage) {
    const Option *option;
    printf(".SH OPTIONS\n");
    for (int i = 0; (option = usage_option(usage, i)) != NULL; i++) {
        printf(".TP\n\\fB\\-\\-");
        usage_man_text(option->name);
        printf("\\fR");
        if (option->value) printf(" \\fI");
        if (option->value) usage_man_text(option->value);
        printf("%s\n", option->value ? "\\fR" : "");
        usage_man_text(option->help);
        printf("\n");
    }
}

static void print_settings(const SettingsGroup *groups) {
    printf(".SH SETTINGS\n"
           "The command takes the settings of these groups, which\n"
           ".BR aji\\-settings (1)\n"
           "describes:\n");
    for (const SettingsGroup *group = groups; group->prefix; group++)
        printf("\\fB%s.*\\fR%s\n", group->prefix, group[1].prefix ? "," : ".");
}

void usage_man_print(const CommandUsage *usage) {
    printf(".SH NAME\n");
    usage_man_page_name(usage->name);
    printf(" \\- ");
    usage_man_text(usage->summary);
    printf("\n.SH SYNOPSIS\n");
    usage_man_text(usage->synopsis);
    printf("\n");
    if (usage->details) printf(".SH DESCRIPTION\n");
    if (usage->details) usage_man_details(usage->details);
    print_options(usage);
    if (usage->settings) print_settings(usage->settings);
}

void usage_man_item(const CommandUsage *usage) {
    printf(".TP\n\\fB");
    usage_man_text(usage->synopsis);
    printf("\\fR\n");
    usage_man_text(usage->summary);
    printf("; see\n.BR ");
    usage_man_page_name(usage->name);
    printf(" (1)\n");
}
