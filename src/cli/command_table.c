#include "cli/command_table.h"

#include <stddef.h>
#include <string.h>

#define COMMAND(name)                                                                              \
    int cmd_##name(int argc, char **argv);                                                         \
    extern const char cmd_##name##_summary[];
#include "commands.inc"
#undef COMMAND

static const Command COMMANDS[] = {
#define COMMAND(name) {#name, cmd_##name, cmd_##name##_summary},
#include "commands.inc"
#undef COMMAND
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof *COMMANDS };

const Command *command_table_at(int index) {
    return index < COMMAND_COUNT ? &COMMANDS[index] : NULL;
}

const Command *command_table_find(const char *name) {
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(COMMANDS[i].name, name) == 0) return &COMMANDS[i];
    }
    return NULL;
}
