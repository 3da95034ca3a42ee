#include "base/options/usage_shell.h"

#include <stdio.h>
#include <string.h>

void usage_shell_quoted(const char *text, const char *escaped) {
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'') {
            printf("'\\''");
            continue;
        }
        if (strchr(escaped, *text)) putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

void usage_shell_choices(const SettingsField *field, const char *separator) {
    const char *words = field->type == FIELD_TYPE_CHOICE ? field->text
                        : field->type == FIELD_TYPE_BOOL ? "true|false"
                                                         : "";
    for (; *words; words++) {
        if (*words == '|')
            printf("%s", separator);
        else
            putchar(*words);
    }
}

/* How a shell completes the value of an option. */
typedef enum { VALUE_NONE, VALUE_ANY, VALUE_FILE, VALUE_WORDS, VALUE_SETTING } ValueKind;

static ValueKind value_kind(const Option *option) {
    static const char *const FILES[] = {"FILE", "DIR",    "FOLDER", "PATH",
                                        "NET",  "PLAYER", "SGF...", "RUN"};
    if (!option->value) return VALUE_NONE;
    if (strcmp(option->name, "set") == 0 && strcmp(option->value, "KEY=VALUE") == 0)
        return VALUE_SETTING;
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        if (strcmp(option->value, FILES[i]) == 0) return VALUE_FILE;
    }
    return strchr(option->value, '|') ? VALUE_WORDS : VALUE_ANY;
}

/* Prints the words of "a|b|c" with blanks between them. */
static void print_words(const char *words) {
    for (; *words; words++)
        putchar(*words == '|' ? ' ' : *words);
}

static void print_groups(const CommandUsage *usage) {
    for (const SettingsGroup *group = usage->settings; group && group->prefix; group++)
        printf("%s%s.", group == usage->settings ? "" : " ", group->prefix);
}

void usage_shell_bash(const CommandUsage *usage) {
    const Option *option;
    printf("    '%s')\n        options='", usage->name);
    for (int i = 0; (option = usage_option(usage, i)) != NULL; i++) {
        ValueKind kind = value_kind(option);
        const char *words[] = {[VALUE_ANY] = "",
                               [VALUE_FILE] = "file",
                               [VALUE_WORDS] = option->value,
                               [VALUE_SETTING] = "setting"};
        printf("%s--%s", i ? " " : "", option->name);
        if (kind != VALUE_NONE) printf("=<%s>", words[kind]);
    }
    printf("'\n");
    if (usage->settings) {
        printf("        groups='");
        print_groups(usage);
        printf("'\n");
    }
    if (usage->max_words) printf("        words=file\n");
    printf("        ;;\n");
}

static void print_zsh_option(const CommandUsage *usage, const Option *option) {
    char head[80], action[SETTINGS_TEXT_SIZE] = "";
    ValueKind kind = value_kind(option);
    bool repeats = kind == VALUE_SETTING;
    snprintf(head, sizeof head, "%s--%s%s", repeats ? "*" : "", option->name,
             option->value ? "=" : "");
    printf(" \\\n            ");
    usage_shell_quoted(head, "");
    printf("'['");
    usage_shell_quoted(option->help, "[]:\\");
    printf("']'");
    if (!option->value) return;
    usage_shell_quoted(":", "");
    usage_shell_quoted(option->value, ":");
    snprintf(action, sizeof action, "%s",
             kind == VALUE_FILE      ? ":_files"
             : kind == VALUE_SETTING ? ":_aji_setting "
                                     : ":");
    printf("'%s", action);
    if (kind == VALUE_SETTING) print_groups(usage);
    if (kind == VALUE_WORDS) {
        putchar('(');
        print_words(option->value);
        putchar(')');
    }
    putchar('\'');
}

void usage_shell_zsh(const CommandUsage *usage) {
    const Option *option;
    printf("    '%s')\n", usage->name);
    printf("        _arguments -S");
    for (int i = 0; (option = usage_option(usage, i)) != NULL; i++)
        print_zsh_option(usage, option);
    if (usage->max_words) printf(" \\\n            '*:file:_files'");
    printf("\n        ;;\n");
}

static void begin_fish(const CommandUsage *usage) {
    printf("complete -c aji -n \"__aji_at '%s'\"", usage->name);
}

static void print_fish_option(const CommandUsage *usage, const Option *option) {
    ValueKind kind = value_kind(option);
    begin_fish(usage);
    printf(" -l %s%s -d ", option->name,
           kind == VALUE_NONE   ? ""
           : kind == VALUE_FILE ? " -r -F"
                                : " -x");
    usage_shell_quoted(option->help, "\\");
    if (kind == VALUE_SETTING) {
        printf(" -a '(__aji_settings ");
        print_groups(usage);
        printf(")'");
    } else if (kind == VALUE_WORDS) {
        printf(" -a '");
        print_words(option->value);
        printf("'");
    }
    printf("\n");
}

void usage_shell_fish(const CommandUsage *usage) {
    const Option *option;
    const char *part = strchr(usage->name, ' ');
    if (part) {
        printf("complete -c aji -n \"__aji_ends '%.*s'\" -a %s -d ", (int)(part - usage->name),
               usage->name, part + 1);
        usage_shell_quoted(usage->summary, "\\");
        printf("\n");
    }
    for (int i = 0; (option = usage_option(usage, i)) != NULL; i++)
        print_fish_option(usage, option);
    if (!usage->max_words) return;
    begin_fish(usage);
    printf(" -F\n");
}
