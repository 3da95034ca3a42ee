#include "base/options/usage_form.h"

#include <stdio.h>
#include <string.h>

#include "base/options/usage_help.h"
#include "base/options/usage_man.h"
#include "base/options/usage_shell.h"

static void print_name(const CommandUsage *usage) {
    printf("%s\n", usage->name);
}

static const struct {
    const char *word;
    void (*print)(const CommandUsage *usage);
} FORMS[] = {
    [USAGE_TEXT] = {"text", usage_help_print},       [USAGE_NAME] = {"name", print_name},
    [USAGE_ITEM] = {"item", usage_help_item},        [USAGE_MAN] = {"man", usage_man_print},
    [USAGE_MAN_ITEM] = {"man-item", usage_man_item}, [USAGE_BASH] = {"bash", usage_shell_bash},
    [USAGE_ZSH] = {"zsh", usage_shell_zsh},          [USAGE_FISH] = {"fish", usage_shell_fish},
};

UsageForm usage_form_of(const char *word) {
    for (size_t i = 0; word && i < sizeof FORMS / sizeof *FORMS; i++) {
        if (strcmp(FORMS[i].word, word) == 0) return (UsageForm)i;
    }
    return USAGE_TEXT;
}

const char *usage_form_word(UsageForm form) {
    return FORMS[form].word;
}

void usage_form_print(const CommandUsage *usage, UsageForm form) {
    FORMS[form].print(usage);
}
