#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "base/thread.h"
#include "cli/bench.h"
#include "cli/commands.h"

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

static int report_unknown(const char *word) {
    const char *names[sizeof BENCHES / sizeof *BENCHES];
    int count = (int)(sizeof names / sizeof *names);
    fprintf(stderr, "aji bench: \"%.60s\" is not one of", word);
    for (int i = 0; i < count; i++) {
        names[i] = BENCHES[i].name;
        fprintf(stderr, "%s %s", i ? "," : "", names[i]);
    }
    const char *nearest = nearest_word(word, names, count);
    if (nearest) fprintf(stderr, "; did you mean %s?", nearest);
    fprintf(stderr, "\n`aji bench --help` shows how it is used.\n");
    return 2;
}

int cmd_bench(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "--help";
    stop_uninstall(); /* a benchmark has nothing to save: signals end it at once */
    for (size_t i = 0; i < sizeof BENCHES / sizeof *BENCHES; i++) {
        if (strcmp(BENCHES[i].name, word) == 0) return BENCHES[i].run(argc - 1, argv + 1);
    }
    if (strcmp(word, "--help") != 0 && strcmp(word, "-h") != 0) return report_unknown(word);
    StrBuf usage = {0};
    strbuf_add(&usage, "usage: aji bench NAME [options]; NAME is one of:");
    for (size_t i = 0; i < sizeof BENCHES / sizeof *BENCHES; i++)
        strbuf_addf(&usage, " %s", BENCHES[i].name);
    options_print_text(cmd_bench_summary);
    printf("\n");
    options_print_text(strbuf_text(&usage));
    options_print_text("`aji bench NAME --help` shows the options of one.");
    strbuf_clear(&usage);
    return 0;
}
