/* `aji net metrics`: the losses of a net on row files. */
#include <inttypes.h>
#include <stdio.h>

#include "base/options/options.h"
#include "cli/commands.h"
#include "cli/engine/net_run.h"
#include "cli/net/net_commands.h"
#include "cli/net/net_progress.h"
#include "go/board.h"
#include "run/supervised/row_metrics.h"

enum { WORDS_MAX = 257 };

static const char DETAILS[] =
    "DATA are row files (.npz), or folders that stand for all such files below them. `loss` is\n"
    "the sum of all losses with the default weights of training. Accuracies are fractions of the\n"
    "rows. docs/methods/training.md describes the losses and the other numbers.\n"
    "--games lists the games with the largest policy and value loss, which are the games that the\n"
    "net expects least. For each of them it shows the hash that the rows of the game have, and a\n"
    "file with such rows.\n"
    "  aji net metrics b6c96/best.aji held-out/\n"
    "  aji net metrics NET.aji aji-run-9/rows --json";

/* Whether to show a metric. A value of exactly 0 usually means that the net lacks the head. The
 * gradient norm and the learning rate belong only to training. */
static bool is_shown(const MetricField *field, const Metrics *metrics) {
    return field->offset != offsetof(Metrics, gradient_norm) &&
           field->offset != offsetof(Metrics, learning_rate) && metrics_value(metrics, field) != 0;
}

static void print_text(const char *net, const RowMetrics *found) {
    printf("%s on %lld rows of %d files\n", net, (long long)found->rows, found->files);
    for (const MetricField *field = METRIC_FIELDS; field->name; field++) {
        if (is_shown(field, &found->mean))
            printf("%-32s %10.5f\n", field->name, metrics_value(&found->mean, field));
    }
    if (!found->worst_count) return;
    printf("the %d of %d games with the largest losses\n", found->worst_count, found->games);
    printf("%-32s %6s %9s %9s  %s\n", "hash", "rows", "policy", "value", "file");
    for (int i = 0; i < found->worst_count; i++) {
        const GameLoss *game = &found->worst[i].loss;
        printf("%016" PRIx64 "%016" PRIx64 " %6" PRId64 " %9.4f %9.4f  %s\n", game->hash[0],
               game->hash[1], game->rows, game->policy, game->value, found->worst[i].file.text);
    }
}

static json_t *games_as_json(const RowMetrics *found) {
    json_t *games = json_array();
    for (int i = 0; i < found->worst_count && games; i++) {
        const GameLoss *game = &found->worst[i].loss;
        char hash[33];
        snprintf(hash, sizeof hash, "%016" PRIx64 "%016" PRIx64, game->hash[0], game->hash[1]);
        json_array_append_new(games,
                              json_pack("{s:s, s:I, s:f, s:f, s:s}", "hash", hash, "rows",
                                        (json_int_t)game->rows, "policy", game->policy, "value",
                                        game->value, "file", found->worst[i].file.text));
    }
    return games;
}

static Status print_json(const char *net, const RowMetrics *found, Error *err) {
    json_t *object = json_pack("{s:s, s:I, s:i}", "net", net, "rows", (json_int_t)found->rows,
                               "files", found->files);
    for (const MetricField *field = METRIC_FIELDS; field->name && object; field++) {
        if (is_shown(field, &found->mean))
            json_object_set_new(object, field->name, json_real(metrics_value(&found->mean, field)));
    }
    if (object && found->worst_count)
        json_object_set_new(object, "worst_games", games_as_json(found));
    return command_json(object, 7, err);
}

static Status measure(const char *path, RowMetricsSetup *setup, bool json, Error *err) {
    Net *net;
    RowMetrics found;
    NetProgress progress;
    Status status = net_run_load("net metrics", path, &net, err);
    if (status) return status;
    net_progress_begin(&progress, "files", 0);
    setup->watch = &progress.watch;
    status = row_metrics_measure(net, setup, &found, err);
    net_progress_end(&progress);
    if (!status && json)
        status = print_json(path, &found, err);
    else if (!status)
        print_text(path, &found);
    row_metrics_clear(&found);
    net_free(net);
    return status;
}

int net_metrics_command(int argc, char **argv) {
    const char *words[WORDS_MAX];
    int count;
    bool json = false;
    RowMetricsSetup setup = {0};
    const Option options[] = {{"size", OPTION_INT, &setup.size, 2, BOARD_SIDE_MAX, "N",
                               "width and height of the net's input (default: those of the rows)"},
                              {"profile", OPTION_TEXT, &setup.profile, 0, 0, "PROFILE",
                               "player that a net conditioned on players is to imitate, such as "
                               "rank_5k or unknown (default: the player that each row names)"},
                              {"games", OPTION_INT, &setup.worst_games, 1, 1000, "N",
                               "also list the N games with the largest losses"},
                              {"json", OPTION_FLAG, &json, 0, 0, NULL, "print one JSON object"},
                              {0}};
    const CommandUsage usage = {"net metrics",
                                "aji net metrics NET DATA...",
                                "measures the losses and accuracies of a net on row files",
                                DETAILS,
                                options,
                                NULL,
                                2,
                                WORDS_MAX};
    OptionsResult parsed = options_parse(&usage, argc, argv, words, &count);
    if (parsed != OPTIONS_RUN) return parsed == OPTIONS_HELP ? 0 : 2;
    Error err = {0};
    setup.paths = (RowPaths){words + 1, count - 1};
    return command_end(usage.name, measure(words[0], &setup, json, &err), &err);
}
