#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/settings.h"
#include "base/thread.h"
#include "build_info.h"
#include "cli/commands.h"

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

static void print_help(void) {
    printf("Aji learns Go by playing itself; play, review and experiment with it.\n\nusage: aji "
           "COMMAND [options]\n\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  %-10s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
    printf("\n`aji COMMAND --help` shows a command's options. `./aji test`, in the source folder, "
           "runs "
           "the tests.\n");
}

static const Command *find_command(const char *name) {
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(COMMANDS[i].name, name) == 0) return &COMMANDS[i];
    }
    return NULL;
}

static int unknown(const char *name) {
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[i] = COMMANDS[i].name;
    const char *nearest = nearest_word(name, names, COMMAND_COUNT);
    fprintf(stderr, "aji: there is no command \"%.60s\"", name);
    if (nearest) fprintf(stderr, "; did you mean %s?", nearest);
    fprintf(stderr, "\n`aji --help` lists them.\n");
    return 2;
}

static int run(const char *word, int argc, char **argv) {
    char help[] = "--help";
    if (strcmp(word, "--version") == 0) {
        printf("aji %s (%s, %s, %s)\n", BUILD_VERSION, BUILD_REVISION, BUILD_TYPE, BUILD_COMPILER);
        return 0;
    }
    bool asks = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
    if (asks && argc < 3) {
        print_help();
        return 0;
    }
    const Command *command = find_command(asks ? argv[2] : word);
    if (!command) return unknown(asks ? argv[2] : word);
    if (asks) return command->run(2, (char *[]){argv[2], help, NULL});
    return command->run(argc - 1, argv + 1);
}

/* What a command printed must have arrived, as on a disk with room. Who reads a pipe may have seen
 * enough, as `head` does. */
static int check_output(const char *word, int code) {
    bool lost = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) == 0 && !lost) return code;
    if (!errno) (void)!write(STDOUT_FILENO, "\n", 1); /* meets the cause again, where it lasts */
    if (errno == EPIPE || code) return code;
    fprintf(stderr, "aji %s: cannot write the output: %s\n", word,
            errno ? strerror(errno) : "a part of it was lost");
    return 1;
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "--help";
    stop_install();
    return check_output(word, run(word, argc, argv));
}
