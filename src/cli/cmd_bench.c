#include "cli/bench.h"
#include "cli/commands.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

extern const char cmd_bench_summary[];
int cmd_bench(int argc, char **argv);
const char cmd_bench_summary[] = "measures speed on this machine: bench net, bench search, ...";

#define BENCH(name) {#name, bench_##name},
static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} BENCHES[] = {
#include "benches.inc"
};

int cmd_bench(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "--help";
    for (size_t i = 0; i < sizeof BENCHES / sizeof *BENCHES; i++) {
        if (strcmp(BENCHES[i].name, word) == 0) return BENCHES[i].run(argc - 1, argv + 1);
    }
    bool asks = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
    fprintf(asks ? stdout : stderr,
            "%s\n\nusage: aji bench NAME [options], with NAME one of:", cmd_bench_summary);
    for (size_t i = 0; i < sizeof BENCHES / sizeof *BENCHES; i++)
        fprintf(asks ? stdout : stderr, " %s", BENCHES[i].name);
    fprintf(asks ? stdout : stderr, "\n`aji bench NAME --help` shows its options.\n");
    return asks ? 0 : 2;
}
