#include "cli/terminal/run_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/engine/program_files.h"
#include "run/store/run_directory.h"
#include "run/store/size_rules.h"

/* Reads --size, "13" or "9x13", and writes the value of selfplay.sizes for a run of that size. */
static Status read_size(const RunCommand *command, char sizes[SETTINGS_TEXT_SIZE], Error *err) {
    char *end;
    long width = strtol(command->size, &end, 10),
         height = *end == 'x' ? strtol(end + 1, &end, 10) : width;
    if (*end || width < 2 || width > BOARD_SIDE_MAX || height < 2 || height > BOARD_SIDE_MAX)
        return fail(err, ERR_ARGUMENT,
                    "--size: \"%.40s\" is not N or WIDTHxHEIGHT with sides of 2 to %d",
                    command->size, BOARD_SIDE_MAX);
    size_rules_boards((int)width, (int)height, sizes);
    return OK;
}

static Status set_size(RunCommand *command, Error *err) {
    char sizes[SETTINGS_TEXT_SIZE];
    if (!command->size) return OK;
    Status status = read_size(command, sizes, err);
    return status ? status : settings_set(command->groups, "selfplay.sizes", sizes, err);
}

/* Whether the run is for boards of this size, either alone or after smaller ones with which the run
 * begins. */
static bool run_has_size(const RunCommand *command, const char *sizes) {
    char alone[SETTINGS_TEXT_SIZE];
    snprintf(alone, sizeof alone, "%.40s:1", command->size);
    return strcmp(command->config.selfplay.sizes, sizes) == 0 ||
           strcmp(command->config.selfplay.sizes, alone) == 0;
}

/* --size chooses the boards of a new run. A run that exists keeps its boards, and --size must be
 * their size. */
static Status check_size(const RunCommand *command, Error *err) {
    char sizes[SETTINGS_TEXT_SIZE];
    if (!command->size || !command->directory || !run_directory_has_settings(command->directory))
        return OK;
    Status status = read_size(command, sizes, err);
    if (status || run_has_size(command, sizes)) return status;
    return fail(err, ERR_ARGUMENT,
                "%s plays on %s; --size %.40s needs another run (for several sizes in one run: "
                "--set selfplay.sizes=...)",
                command->directory, selfplay_sizes_text(&command->config.selfplay).text,
                command->size);
}

/* Reads run.cfg if there is one. `*exists` says whether there is. */
static Status load_run_settings(RunCommand *command, bool *exists, Error *err) {
    Path path;
    *exists = false;
    if (!command->directory) return OK;
    if (!*command->directory) return fail(err, ERR_ARGUMENT, "--run: the name is empty");
    if (path_join(&path, command->directory, "run.cfg", NULL) || !file_exists(path.text)) return OK;
    *exists = true;
    return run_config_add(command->directory, &command->config, err);
}

/* Checks that the run exists. A command that continues a run must not make a new one if the name is
 * mistyped. */
static Status check_existing(const RunCommand *command, Error *err) {
    if (!command->existing || run_directory_has_begun(command->directory)) return OK;
    if (stop_requested()) return fail(err, ERR_STOPPED, "stopped before a run began");
    return fail(err, ERR_IO, "%s: no run is there (it has no run.cfg); `aji learn` begins one",
                command->directory);
}

/* Waits for a run to begin, since a command with --time may start at the same time as the process
 * that begins the run. */
static void await_run(const RunCommand *command) {
    enum { SECONDS_MAX = 30 };
    if (!command->existing || !command->directory || !command->seconds || *command->seconds < 0 ||
        run_directory_has_begun(command->directory))
        return;
    fprintf(stderr, "aji %s: waiting at most %d s for a run to begin in %s\n", command->name,
            SECONDS_MAX, command->directory);
    for (int i = 0; i < 10 * SECONDS_MAX && !run_directory_has_settings(command->directory) &&
                    !stop_requested();
         i++)
        clock_sleep_ms(100);
}

static void name_directory(RunCommand *command) {
    if (command->directory) return;
    snprintf(command->name_buffer, sizeof command->name_buffer, "aji-run-%.*s",
             command->size ? (int)strlen(command->size)
                           : (int)strcspn(command->config.selfplay.sizes, ":, "),
             command->size ? command->size : command->config.selfplay.sizes);
    command->directory = command->name_buffer;
}

int run_command_end(const RunCommand *command, Status status, const Error *err) {
    if (status == ERR_SYNTAX) status = ERR_ARGUMENT; /* the mistake is in a file of settings */
    return command_end(command->name, status, err);
}

/* The command line, which is read several times: see run_command_read(). */
typedef struct {
    CommandUsage usage;
    int argc;
    char **argv;
    const char *words[1];
    int count;   /* number of words: 1 with a file of settings, or 0 */
    bool begins; /* the run is new, so --size chooses its boards */
} CommandLine;

static Status load_file(RunCommand *command, const char *name, Error *err) {
    Path path;
    Status status = program_config(name, &path, err);
    return status ? status : settings_load(command->groups, path.text, err);
}

/* Applies the file, the size and the flags, in this order. `*code` becomes the exit code if flags
 * are wrong, and otherwise -1. The message about wrong flags is already printed. */
static Status read_line(RunCommand *command, CommandLine *line, int *code, Error *err) {
    Status status = line->count ? load_file(command, line->words[0], err) : OK;
    if (!status && line->begins) status = set_size(command, err);
    *code = -1;
    if (!status && options_parse(&line->usage, line->argc, line->argv, line->words, &line->count) !=
                       OPTIONS_RUN)
        *code = 2;
    return status;
}

/* Reads the settings of a new run. Some defaults follow from the board size, which the file or the
 * flags may set. So file and flags are read twice: the first time for the size, and the second time
 * to override the defaults that follow from the size. */
static Status read_new(RunCommand *command, CommandLine *line, int *code, Error *err) {
    run_config_defaults(&command->config);
    line->begins = true;
    Status status = read_line(command, line, code, err);
    if (status || *code >= 0) return status;
    status = size_rules_defaults(&command->config, err);
    return status ? status : read_line(command, line, code, err);
}

int run_command_read(RunCommand *command, int argc, char **argv) {
    Option options[16] = {
        {"run", OPTION_TEXT, &command->directory, 0, 0, "DIR",
         "directory of the run (default ./aji-run-SIZE)"},
        {"size", OPTION_TEXT, &command->size, 0, 0, "N",
         "board size, 2 to 19 or WIDTHxHEIGHT (default 7; if the run exists, its size)"},
    };
    int used = 2, code = -1;
    bool exists = false;
    Error err = {0};
    for (const Option *extra = command->extra; extra && extra->name && used < 15; extra++)
        options[used++] = *extra;
    run_config_defaults(&command->config);
    run_config_groups(&command->config, command->groups);
    CommandLine line = {.usage = {command->name, command->synopsis, command->summary,
                                  command->details, options, command->groups, 0, 1},
                        .argc = argc,
                        .argv = argv};
    OptionsResult result = options_parse(&line.usage, argc, argv, line.words, &line.count);
    if (result != OPTIONS_RUN) return result == OPTIONS_HELP ? 0 : 2;
    await_run(command);
    /* The first pass found --run, --size and --help. Now everything is applied in order: the
     * settings of the run, or the defaults for its size; then the file, the size and the flags. */
    run_config_defaults(&command->config);
    Status status = OK;
    if (!command->directory) { /* the default name contains the board size, which file and flags set
                                */
        status = read_new(command, &line, &code, &err);
        if (status) return run_command_end(command, status, &err);
        if (code >= 0) return code;
        name_directory(command);
        run_config_defaults(&command->config);
    }
    status = load_run_settings(command, &exists, &err);
    if (!status) status = check_size(command, &err);
    line.begins = false;
    if (!status && exists)
        status = read_line(command, &line, &code, &err);
    else if (!status)
        status = read_new(command, &line, &code, &err);
    if (status) return run_command_end(command, status, &err);
    if (code >= 0) return code;
    command->begins = !exists;
    status = check_existing(command, &err);
    return status ? run_command_end(command, status, &err) : -1;
}
