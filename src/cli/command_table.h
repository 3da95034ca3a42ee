/* command_table.h - the table of the program's commands, which the build makes from the files
 * src/cli/cmd_NAME.c. Threading: immutable. */
#pragma once

typedef struct {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit code */
    const char *summary;
} Command;

/* The command at this index, in the order of the names, or NULL after the last one. */
const Command *command_table_at(int index);
const Command *command_table_find(const char *name); /* NULL if there is none */
