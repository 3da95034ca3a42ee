#include <stddef.h>

#include "base/thread.h"
#include "cli/bench.h"
#include "cli/command_group.h"

extern const char cmd_bench_summary[];
int cmd_bench(int argc, char **argv);
const char cmd_bench_summary[] = "measures speed on this machine: bench net, bench search, ...";

int cmd_bench(int argc, char **argv) {
#define BENCH(name) {#name, bench_##name},
    static const Subcommand PARTS[] = {
#include "benches.inc"
        {0}};
    char help[] = "--help";
    const CommandGroup group = {"bench", cmd_bench_summary, NULL, PARTS};
    stop_uninstall(); /* a benchmark has nothing to save: signals end it immediately */
    if (argc < 2) return command_group_run(&group, 2, (char *[]){argv[0], help, NULL});
    return command_group_run(&group, argc, argv);
}
