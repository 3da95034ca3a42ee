#include <stdio.h>
#include <string.h>

#include "base/options/options.h"
#include "base/options/usage_form.h"
#include "base/options/usage_shell.h"
#include "cli/command_table.h"
#include "cli/settings/all_settings.h"

extern const char cmd_completion_summary[];
int cmd_completion(int argc, char **argv);
const char cmd_completion_summary[] =
    "prints a script that completes command lines: completion bash, zsh or fish";

static const char DETAILS[] =
    "The script is made from the same tables as --help. If Aji was installed, the script is "
    "already in its place. Otherwise put one of these lines into the file that your shell reads "
    "at its start:\n"
    "  eval \"$(aji completion bash)\"\n"
    "  source <(aji completion zsh)\n"
    "  aji completion fish | source\n"
    "For zsh, put the line below the call of compinit.";

/* The scripts. Each script has one line FACTS. The program replaces this line by what it knows
 * about the commands. */
static const char BASH_SCRIPT[] = {
#include "completion_bash.inc"
    0};
static const char ZSH_SCRIPT[] = {
#include "completion_zsh.inc"
    0};
static const char FISH_SCRIPT[] = {
#include "completion_fish.inc"
    0};
static const char FACTS[] = "@FACTS@\n";

/* Lets every command print its usage in this form. */
static void print_usages(UsageForm form) {
    const Command *command;
    char option[32];
    snprintf(option, sizeof option, "--help=%s", usage_form_word(form));
    for (int i = 0; (command = command_table_at(i)) != NULL; i++) {
        char word[64];
        snprintf(word, sizeof word, "%s", command->name);
        (void)command->run(2, (char *[]){word, option, NULL});
    }
}

static void print_commands(void) {
    const Command *command;
    for (int i = 0; (command = command_table_at(i)) != NULL; i++)
        printf("%s%s", i ? " " : "", command->name);
}

/* Calls `print` for each setting with its full name. */
static void each_setting(void (*print)(const char *name, const SettingsField *field)) {
    RunConfig config;
    SettingsGroup groups[ALL_SETTINGS_GROUPS];
    run_config_defaults(&config);
    all_settings_groups(&config, groups);
    for (const SettingsGroup *group = groups; group->prefix; group++) {
        for (const SettingsField *field = group->fields; field->name; field++) {
            char name[128];
            snprintf(name, sizeof name, "%s.%s", group->prefix, field->name);
            print(name, field);
        }
    }
}

static void print_bash_setting(const char *name, const SettingsField *field) {
    printf("%s=", name);
    usage_shell_choices(field, "|");
    printf("\n");
}

static void print_bash_facts(void) {
    printf("_aji_commands='");
    print_commands();
    printf("'\n_aji_names='");
    print_usages(USAGE_NAME);
    printf("'\n_aji_settings='");
    each_setting(print_bash_setting);
    printf("'\n_aji_describe() { # COMMAND: sets options, groups and words\n"
           "    options= groups= words=\n    case $1 in\n");
    print_usages(USAGE_BASH);
    printf("    esac\n}\n");
}

static void print_zsh_setting(const char *name, const SettingsField *field) {
    char text[512];
    snprintf(text, sizeof text, "%s:%s", name, field->help);
    printf("    ");
    usage_shell_quoted(text, "\\");
    printf("\n");
}

static void print_zsh_choices(const char *name, const SettingsField *field) {
    printf("    %s '", name);
    usage_shell_choices(field, " ");
    printf("'\n");
}

static void print_zsh_facts(void) {
    const Command *command;
    printf("_aji_commands=(\n");
    for (int i = 0; (command = command_table_at(i)) != NULL; i++) {
        printf("    '%s:'", command->name);
        usage_shell_quoted(command->summary, "\\:");
        printf("\n");
    }
    printf(")\n_aji_names='");
    print_usages(USAGE_NAME);
    printf("'\n_aji_settings=(\n");
    each_setting(print_zsh_setting);
    printf(")\ntypeset -gA _aji_choices\n_aji_choices=(\n");
    each_setting(print_zsh_choices);
    printf(")\n_aji_describe() { # COMMAND\n    case $1 in\n");
    print_usages(USAGE_ZSH);
    printf("    esac\n}\n");
}

static void print_fish_setting(const char *name, const SettingsField *field) {
    printf("    %s=\\t", name);
    usage_shell_quoted(field->help, "\\");
    printf(" \\\n");
    if (field->type != FIELD_TYPE_CHOICE && field->type != FIELD_TYPE_BOOL) return;
    printf("    %s=", name);
    char between[160];
    snprintf(between, sizeof between, " %s=", name);
    usage_shell_choices(field, between);
    printf(" \\\n");
}

static void print_fish_facts(void) {
    const Command *command;
    printf("set -g __aji_all_settings \\\n");
    each_setting(print_fish_setting);
    printf("\n");
    for (int i = 0; (command = command_table_at(i)) != NULL; i++) {
        printf("complete -c aji -n \"__aji_ends ''\" -a %s -d ", command->name);
        usage_shell_quoted(command->summary, "\\");
        printf("\n");
    }
    print_usages(USAGE_FISH);
}

static const struct {
    const char *shell, *script;
    void (*print_facts)(void);
} SCRIPTS[] = {{"bash", BASH_SCRIPT, print_bash_facts},
               {"zsh", ZSH_SCRIPT, print_zsh_facts},
               {"fish", FISH_SCRIPT, print_fish_facts}};

int cmd_completion(int argc, char **argv) {
    const char *words[1];
    int count = 0;
    const CommandUsage usage = {.name = "completion",
                                .synopsis = "aji completion bash|zsh|fish",
                                .summary = cmd_completion_summary,
                                .details = DETAILS,
                                .min_words = 1,
                                .max_words = 1};
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    for (size_t i = 0; i < sizeof SCRIPTS / sizeof *SCRIPTS; i++) {
        if (strcmp(SCRIPTS[i].shell, words[0]) != 0) continue;
        const char *facts = strstr(SCRIPTS[i].script, FACTS);
        printf("%.*s", (int)(facts - SCRIPTS[i].script), SCRIPTS[i].script);
        SCRIPTS[i].print_facts();
        printf("%s", facts + strlen(FACTS));
        return 0;
    }
    fprintf(stderr, "aji completion: \"%.40s\" is not one of bash, zsh, fish\n", words[0]);
    return 2;
}
