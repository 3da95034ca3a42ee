/* command_group.h - commands that consist of subcommands, such as `aji net`: finding the
 * subcommand, the help, and messages. Threading: confined. */
#pragma once

typedef struct {
    const char *word; /* such as "info"; NULL ends a table */
    /* Takes arguments as main() does; argv[0] is the word of the subcommand. Reads them with
     * options_parse(), and returns the exit code. */
    int (*run)(int argc, char **argv);
} Subcommand;

typedef struct {
    const char *name;    /* such as "net" */
    const char *summary; /* one line */
    const char *details; /* paragraphs and examples below the list of subcommands, or NULL */
    const Subcommand *parts;
} CommandGroup;

/* Runs the subcommand argv[1], or prints a help or a message. Returns the exit code. */
int command_group_run(const CommandGroup *group, int argc, char **argv);
