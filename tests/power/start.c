/* start.c - starts a run as `aji learn` does, again and again.
 *
 *     power_start SETTINGS.cfg
 *
 * Each line of its input names the directory of a run. For each line a new process opens the run,
 * recovers what a loss of power left, enters it into the index and ends. Then a line is printed,
 * "ok" or what went wrong. Each start needs a process of its own, because a start that fails may
 * crash. This process is forked from one that has loaded all libraries, which saves most of the
 * time. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/cycle/cycle.h"

/* Opens the run and ends it immediately, because its time limit is 1e-9 seconds. */
static Status start(const char *directory, const RunConfig *config, Error *err) {
    Cycle *cycle;
    Status status = cycle_open_alone(directory, config, NULL, &cycle, err);
    if (status) return status;
    status = cycle_run(cycle, 1e-9, err);
    cycle_close(cycle);
    return status;
}

static int start_apart(const char *directory, const RunConfig *config) {
    Error err = {0};
    int code = 0;
    pid_t child = fork();
    if (child == 0) {
        Status status = start(directory, config, &err);
        if (status) printf("%s\n", err.message);
        fflush(stdout);
        _exit(status ? 1 : 0);
    }
    if (child < 0 || waitpid(child, &code, 0) != child) code = -1;
    if (code && !WIFEXITED(code)) printf("the start crashed, with status 0x%x\n", (unsigned)code);
    if (!code) printf("ok\n");
    fflush(stdout);
    return code;
}

int main(int argc, char **argv) {
    static RunConfig config;
    SettingsGroup groups[RUN_GROUPS];
    Error err = {0};
    char line[1024];
    run_config_defaults(&config);
    run_config_groups(&config, groups);
    if (argc != 2 || settings_load(groups, argv[1], &err)) {
        fprintf(stderr, "power_start SETTINGS.cfg: %s\n", err.message);
        return 2;
    }
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        start_apart(line, &config);
    }
    return 0;
}
