#include "cli/engine/net_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/engine/program_files.h"
#include "eval/formats/net_file.h"
#include "run/rating/best_net.h"
#include "run/store/run_config.h"

Status net_run_file(const char *command, const char *word, Path *out, Error *err) {
    int length = snprintf(out->text, sizeof out->text, "%s", word);
    if (length < 0 || (size_t)length >= sizeof out->text)
        return fail(err, ERR_ARGUMENT, "\"%.40s...\" is too long for the name of a file", word);
    if (!file_is_directory(word)) return OK;
    Status status = best_net_find(word, out, err);
    if (!status) fprintf(stderr, "aji %s: the net of %s is %s\n", command, word, out->text);
    return status;
}

Status net_run_load(const char *command, const char *word, Net **out, Error *err) {
    Path file;
    *out = NULL;
    Status status = net_run_file(command, word, &file, err);
    return status ? status : net_file_load(file.text, out, err);
}

/* Returns how many rows the run had when the net was made, by the note in the net's file. If the
 * file has no such note, returns INT64_MAX: the net counts as trained on all boards of the run. */
static int64_t rows_of_net(const char *path) {
    Net *net;
    long long rows = INT64_MAX;
    if (net_file_load(path, &net, NULL)) return INT64_MAX;
    const char *note = net_note(net, "rows");
    if (note && parse_int(note, "rows", 0, INT64_MAX, &rows, NULL)) rows = INT64_MAX;
    net_free(net);
    return rows;
}

static void find_largest_board(NetRun *run) {
    for (int i = 0; i < run->choices.size_count; i++) {
        const SizeChoice *size = &run->choices.sizes[i];
        if (size->from_rows > run->choices.rows || size->weight <= 0) continue;
        if (size->width * size->height <= run->width * run->height) continue;
        run->width = size->width;
        run->height = size->height;
    }
}

/* Sets the board to that in the note of the net, if the net has such a note. */
static void read_board(const char *path, NetRun *run) {
    Net *net;
    int width, height, length = 0;
    if (!path_has_ending(path, ".aji") || !file_exists(path) || net_load(path, &net, NULL)) return;
    const char *note = net_note(net, "board");
    if (note && sscanf(note, "%2dx%2d%n", &width, &height, &length) == 2 && !note[length] &&
        width >= 2 && height >= 2 && width <= BOARD_SIDE_MAX && height <= BOARD_SIDE_MAX) {
        run->width = width;
        run->height = height;
    }
    net_free(net);
}

NetRun net_run_find(const char *net) {
    NetRun run = {0};
    RunConfig *config;
    const char *name = path_name(net);
    int folder = (int)(name - net);
    if (!program_net_board(name, &run.width, &run.height)) run.width = run.height = 0;
    if (strcmp(net, "uniform") == 0 || mem_new(1, sizeof *config, &config, NULL)) return run;
    int length = snprintf(run.folder, sizeof run.folder, "%.*s..", folder, net);
    run.known = length > 0 && (size_t)length < sizeof run.folder && file_exists(net) &&
                !run_config_load(run.folder, config, NULL) &&
                !game_choices_read(&config->selfplay, &run.choices, NULL);
    if (run.known) {
        run.choices.rows = strchr(config->selfplay.sizes, '@') ? rows_of_net(net) : INT64_MAX;
        run.has_rectangles = config->selfplay.rectangle_probability > 0;
        run.boards = selfplay_sizes_text(&config->selfplay);
        run.rules = game_usual_rules(&run.choices);
        run.rules.komi = run_config_komi(config);
        run.width = run.height = 0;
        find_largest_board(&run);
        run.known = run.width > 0;
    }
    if (!run.width) read_board(net, &run);
    free(config);
    return run;
}

Rules net_run_start(const NetRun *run, int side, int *width, int *height) {
    *width = run->width ? run->width : side;
    *height = run->width ? run->height : side;
    return run->known ? run->rules : rules_tromp_taylor();
}

bool net_run_plays(const NetRun *run, int width, int height) {
    bool has_width = false, has_height = false;
    for (int i = 0; run->known && i < run->choices.size_count; i++) {
        const SizeChoice *size = &run->choices.sizes[i];
        if (size->from_rows > run->choices.rows) continue;
        if (size->width == width && size->height == height) return true;
        has_width = has_width || size->width == width;
        has_height = has_height || size->height == height;
    }
    return !run->known || (run->has_rectangles && has_width && has_height);
}

float net_run_komi(const NetRun *run, int width, int height) {
    bool is_own = run->known && net_run_plays(run, width, height);
    return is_own ? run->rules.komi : rules_tromp_taylor().komi;
}

void net_run_warn(const NetRun *run, const char *command, const char *net, int width, int height) {
    if (net_run_plays(run, width, height)) return;
    fprintf(
        stderr,
        "aji %s: %s was trained on other boards (%s); what it says about %dx%d is not reliable\n",
        command, path_name(net), run->boards.text, width, height);
}
