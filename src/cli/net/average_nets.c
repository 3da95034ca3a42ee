/* `aji net average`: the mean of several nets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/options/options.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "cli/net/net_commands.h"
#include "eval/formats/net_file.h"
#include "nn/graph/net_average.h"

enum { NETS_MAX = 256 };

static const char DETAILS[] =
    "The nets must have the same layers. Nets of one run have the same layers if the run has not\n"
    "changed to a larger net between them. The mean of nets from the end of a training is often\n"
    "better than each of them. Batch norms get the mean of the running statistics. OUT must be a\n"
    "new file: if you forget OUT, no net is overwritten.\n"
    "  aji net average aji-run-9/nets/00004[0-9]-*.aji mean.aji\n"
    "  aji net average --weights 3,1 new.aji old.aji mean.aji";

/* Reads "3,1" as one weight for each net. */
static Status read_weights(const char *text, int count, double weights[NETS_MAX], Error *err) {
    const char *at = text;
    for (int i = 0; i < count; i++) {
        char word[40];
        size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < 39 ? length : 39), at);
        Status status = parse_double(word, "--weights", 1e-9, 1e9, &weights[i], err);
        if (status) return ERR_ARGUMENT;
        at += length;
        if ((*at == ',') != (i + 1 < count))
            return fail(err, ERR_ARGUMENT, "--weights: %d numbers are wanted, one for each net",
                        count);
        at += *at == ',';
    }
    return OK;
}

static Status average(const char *const *paths, int count, const char *weights, const char *to,
                      Error *err) {
    Net *nets[NETS_MAX] = {0};
    double factors[NETS_MAX];
    Net *mean = NULL;
    int other = 0;
    Status status = net_file_ending(to, err);
    if (!status && file_exists(to))
        status = fail(err, ERR_ARGUMENT, "%s exists already; name a new file for the mean", to);
    if (!status && weights) status = read_weights(weights, count, factors, err);
    for (int i = 0; i < count && !status; i++)
        status = net_run_load("net average", paths[i], &nets[i], err);
    if (!status) status = net_average(nets, weights ? factors : NULL, count, &other, &mean, err);
    if (other) status = fail_within(err, status, "%s and %s", paths[0], paths[other]);
    if (!status) status = net_file_save(mean, to, err);
    if (!status) printf("%s: the mean of %d nets\n", to, count);
    for (int i = 0; i < count; i++)
        net_free(nets[i]);
    net_free(mean);
    return status;
}

int net_average_command(int argc, char **argv) {
    const char *words[NETS_MAX + 1], *weights = NULL;
    int count;
    const Option options[] = {{"weights", OPTION_TEXT, &weights, 0, 0, "W,W...",
                               "one weight for each net (default: equal ones)"},
                              {0}};
    const CommandUsage usage = {"net average",
                                "aji net average [--weights W,W...] NET NET... OUT",
                                "writes a net with the mean of the weights of several nets",
                                DETAILS,
                                options,
                                NULL,
                                3,
                                NETS_MAX + 1};
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    return command_end(usage.name, average(words, count - 1, weights, words[count - 1], &err),
                       &err);
}
