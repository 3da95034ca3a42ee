#include "cli/run_command.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cli/commands.h"
#include "run/run_directory.h"

/* A fair komi of small boards under area rules, where the field knows it; else 7. */
static double komi_of(int size) {
    return size == 5 ? 24 : size == 6 ? 4 : size == 7 ? 9 : 7;
}

static Status set_size(RunCommand *command, Error *err) {
    char text[64];
    if (!command->size) return OK;
    snprintf(text, sizeof text, "selfplay.sizes=%d:1", command->size);
    Status status = settings_assign(command->groups, text, err);
    snprintf(text, sizeof text, "selfplay.komi_mean=%g", komi_of(command->size));
    return status ? status : settings_assign(command->groups, text, err);
}

/* --size names the board of a new run; one that is there keeps its own. */
static Status check_size(const RunCommand *command, Error *err) {
    char text[64];
    snprintf(text, sizeof text, "%d:1", command->size);
    if (!command->size || !command->directory || !run_directory_has_settings(command->directory) ||
        strcmp(command->config.selfplay.sizes, text) == 0)
        return OK;
    return fail(err, ERR_ARGUMENT,
                "%s has boards %s; --size %d needs a run of its own (more sizes in one run: --set "
                "selfplay.sizes=...)",
                command->directory, command->config.selfplay.sizes, command->size);
}

/* What an earlier start wrote down. */
static Status load_known(RunCommand *command, Error *err) {
    Path path;
    if (!command->directory) return OK;
    if (!*command->directory) return fail(err, ERR_ARGUMENT, "--run: the name is empty");
    if (path_join(&path, command->directory, "run.cfg", NULL) || !file_exists(path.text)) return OK;
    return settings_load(command->groups, path.text, err);
}

/* A command that goes on with a run makes none of a mistyped name. */
static Status check_existing(const RunCommand *command, Error *err) {
    if (!command->existing || run_directory_has_begun(command->directory)) return OK;
    return fail(err, ERR_IO, "%s: no run is there (it has no run.cfg); aji learn begins one",
                command->directory);
}

/* Workers that are started together with the one that begins the run. */
static void await_run(const RunCommand *command) {
    enum { LONGEST = 30 };
    if (!command->existing || !command->directory || !command->seconds || *command->seconds < 0 ||
        run_directory_has_begun(command->directory))
        return;
    fprintf(stderr, "aji %s: waits for a run to begin in %s, %d s at most\n", command->name,
            command->directory, LONGEST);
    for (int i = 0; i < 10 * LONGEST && !run_directory_has_settings(command->directory); i++)
        clock_sleep_ms(100);
}

static void name_directory(RunCommand *command) {
    if (command->directory) return;
    snprintf(command->name_buffer, sizeof command->name_buffer, "aji-run-%.*s",
             (int)strcspn(command->config.selfplay.sizes, ":, "), command->config.selfplay.sizes);
    command->directory = command->name_buffer;
}

int run_command_fail(const RunCommand *command, Status status, const Error *err) {
    if (status == ERR_SYNTAX) status = ERR_ARGUMENT; /* of files of settings */
    return command_end(command->name, status, err);
}

int run_command_read(RunCommand *command, int argc, char **argv) {
    Option options[16] = {
        {"run", OPTION_TEXT, &command->directory, 0, 0, "DIR",
         "the run's directory; default ./aji-run-SIZE"},
        {"size", OPTION_INT, &command->size, 2, 19, "N",
         "edge of the board; default 7, or what the run has"},
    };
    const char *words[1];
    int count = 0, used = 2;
    Error err = {0};
    for (const Option *extra = command->extra; extra && extra->name && used < 15; extra++)
        options[used++] = *extra;
    run_config_defaults(&command->config);
    run_config_groups(&command->config, command->groups);
    const CommandUsage usage = {command->name,
                                command->synopsis,
                                command->summary,
                                command->details,
                                options,
                                command->groups,
                                0,
                                1};
    OptionsResult result = options_parse(&usage, argc, argv, words, &count);
    if (result != OPTIONS_RUN) return result == OPTIONS_HELP ? 0 : 2;
    await_run(command);
    /* Once more in order: the run's own settings, the file, the size, the flags. */
    run_config_defaults(&command->config);
    if (!command->directory && !count) {
        Status sized = set_size(command, &err);
        if (sized) return run_command_fail(command, sized, &err);
        name_directory(command);
    }
    Status status = load_known(command, &err);
    if (!status) status = check_size(command, &err);
    if (!status && count) status = settings_load(command->groups, words[0], &err);
    if (!status) status = set_size(command, &err);
    if (status) return run_command_fail(command, status, &err);
    if (options_parse(&usage, argc, argv, words, &count) != OPTIONS_RUN) return 2;
    name_directory(command);
    status = check_existing(command, &err);
    return status ? run_command_fail(command, status, &err) : -1;
}
