#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/options/help_text.h"
#include "base/settings.h"
#include "base/thread.h"
#include "build_info.h"
#include "cli/command_table.h"
#include "cli/terminal/libraries.h"
#include "nn/backends/backend.h"

static void print_help(void) {
    help_text_print("Aji learns Go by self-play. Play with it, review games, run experiments.");
    printf("\nusage: aji COMMAND [options]\n\n");
    const Command *command;
    for (int i = 0; (command = command_table_at(i)) != NULL; i++)
        help_text_wrap(command->summary, printf("  %-10s ", command->name), 13, help_text_width());
    printf("\n");
    help_text_print("`aji COMMAND --help` shows the options of a command. `./aji test`, in the "
                    "source folder, runs the tests.");
}

static void print_version(void) {
    Library library;
    printf("aji %s (%s, %s, %s)\n", BUILD_VERSION, BUILD_REVISION, BUILD_TYPE, BUILD_COMPILER);
    printf("instruction sets: %s\nlibraries:", backend_isa_name(backend_isa()));
    for (int i = 0; library_at(i, &library); i++)
        printf("%s %s %s", i ? "," : "", library.name, library.version);
    printf("\n");
}

static int report_unknown(const char *name) {
    const char *names[64];
    const Command *command;
    int count = 0;
    while (count < 64 && (command = command_table_at(count)) != NULL)
        names[count++] = command->name;
    const char *nearest = nearest_word(name, names, count);
    fprintf(stderr, "aji: there is no command \"%.60s\"", name);
    if (nearest) fprintf(stderr, "; did you mean %s?", nearest);
    fprintf(stderr, "\n`aji --help` lists the commands.\n");
    return 2;
}

static bool is_one_of(const char *word, const char *const *words) {
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words != NULL;
}

static int run(const char *word, int argc, char **argv) {
    char help[] = "--help";
    if (is_one_of(word, (const char *const[]){"--version", "version", "-v", "-V", NULL})) {
        print_version();
        return 0;
    }
    bool asks_help = is_one_of(word, (const char *const[]){"--help", "-h", "help", NULL});
    if (asks_help && argc < 3) {
        print_help();
        return 0;
    }
    const Command *command = command_table_find(asks_help ? argv[2] : word);
    if (!command) return report_unknown(asks_help ? argv[2] : word);
    if (asks_help) return command->run(2, (char *[]){argv[2], help, NULL});
    return command->run(argc - 1, argv + 1);
}

/* Returns the exit code of the program. If a part of the output could not be written, for example
 * because a disk is full, the command has failed. But it has not failed if the reader of a pipe has
 * closed the pipe early, as `head` does. */
static int code_after_output(const char *word, int code) {
    bool lost = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) == 0 && !lost) return code;
    /* The stream no longer knows why an earlier write failed. Another write may fail for the same
     * reason and set errno. */
    if (!errno) (void)!write(STDOUT_FILENO, "\n", 1);
    if (errno == EPIPE || code) return code;
    fprintf(stderr, "aji %s: cannot write the output: %s\n", word,
            errno ? strerror(errno) : "a part of it is lost");
    return 1;
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "--help";
    stop_install();
    return code_after_output(word, run(word, argc, argv));
}
