#include "cli/engine/session_net.h"

#include <stdio.h>
#include <string.h>

#include "cli/engine/builtin_nets.h"
#include "cli/engine/program_files.h"
#include "eval/formats/net_file.h"

Status session_net_load(const char *command, const char *word, const char *precision,
                        SessionNet *out, Error *err) {
    *out = (SessionNet){.command = command, .seed = 1};
    if (precision_parse(precision, &out->precision, err))
        return fail_within(err, ERR_ARGUMENT, "--precision");
    if (net_run_file(command, word, &out->file, err)) return ERR_ARGUMENT;
    out->run = net_run_find(out->file.text);
    if (strcmp(out->file.text, "uniform") == 0) return OK;
    Status status = net_file_load(out->file.text, &out->net, err);
    return status ? status : model_format_of(out->net, &out->model_format, err);
}

void session_net_clear(SessionNet *net) {
    net_free(net->net);
    net->net = NULL;
}

NetTitle session_net_title(const SessionNet *net) {
    NetTitle title;
    const char *name = path_name(net->file.text);
    int length = (int)net_file_stem(name);
    snprintf(title.text, sizeof title.text, "%.*s", length < 90 ? length : 90, name);
    return title;
}

/* Each thread makes an evaluator for the board, but one warning is enough. */
static void warn_of_board(SessionNet *net, int width, int height) {
    if (net->warned.width == width && net->warned.height == height) return;
    net->warned.width = width;
    net->warned.height = height;
    net_run_warn(&net->run, net->command, net->file.text, width, height);
}

static Status make_evaluator(void *context, const EvaluatorSpec *spec, Evaluator **out,
                             Error *err) {
    SessionNet *net = context;
    *out = NULL;
    if (!net->net) return evaluator_uniform_new(search_settings_batch(1), out, err);
    warn_of_board(net, spec->width, spec->height);
    NetEvaluatorSetup config = {.batch = search_settings_batch(1),
                                .buffer_width = spec->width,
                                .buffer_height = spec->height,
                                .precision = spec->symmetry < 0 ? net->precision : PRECISION_F32,
                                .symmetry = spec->symmetry,
                                .seed = net->seed,
                                .ownership = true,
                                .features = FEATURE_OPTIONS_DEFAULT};
    search_settings_evaluator(spec->search, &config);
    if (spec->symmetry >= 0) config.symmetries = 0;
    Status status = evaluator_net_new(net->net, &config, out, err);
    return status ? fail_within(err, status, "%.200s", net->file.text) : OK;
}

void session_net_use(SessionNet *net, SessionSetup *setup) {
    setup->make_evaluator = make_evaluator;
    setup->context = net;
    if (!net->net) return;
    setup->net_name = net->file.text;
    setup->net_title = net_note(net->net, "name");
    setup->model_format = &net->model_format;
}

void session_net_board(const SessionNet *net, int *width, int *height) {
    (void)net_run_start(&net->run, BOARD_SIDE_MAX, width, height);
}

static Status refuse(int width, int height, const StrBuf *boards, Error *err) {
    char board[32] = "";
    if (width) snprintf(board, sizeof board, " for %dx%d", width, height);
    if (boards->length)
        return fail(err, ERR_ARGUMENT,
                    "the folders of nets have no net%s (only for%s). Choose one of these sizes "
                    "with --size, "
                    "name a net or the folder of a run, or learn one: aji learn --size %d",
                    board, boards->text, width);
    return fail(err, ERR_ARGUMENT,
                "there is no net%s: no folder with nets was found. Name a net or the folder "
                "of a run, or learn one in ten minutes: aji learn --time 10m",
                board);
}

/* Looks for the net in one folder. `*best` stays NULL if there is none. Adds the boards of all nets
 * in the folder to `boards`. */
static Status look_in(const char *folder, Arena *arena, int *width, int *height, StrBuf *boards,
                      const char **best, Error *err) {
    char **names;
    int count, area = 0, wanted_width = *width, wanted_height = *height;
    Status status = directory_list(folder, arena, &names, &count, err);
    for (int i = 0; i < count && !status; i++) {
        int x, y;
        if (!program_net_board(names[i], &x, &y)) continue;
        char board[32];
        snprintf(board, sizeof board, " %dx%d", x, y);
        if (!strstr(strbuf_text(boards), board)) strbuf_add(boards, board);
        bool fits = wanted_width ? x == wanted_width && y == wanted_height : x * y >= area;
        if (!fits) continue;
        *best = names[i];
        area = x * y;
        *width = x;
        *height = y;
    }
    return status;
}

Status session_net_of_folder(int *width, int *height, Path *out, Error *err) {
    Arena arena = {0};
    StrBuf boards = {0};
    ProgramFolders folders;
    const char *best = NULL;
    Status status = OK;
    program_folders("nets", &folders);
    for (int i = 0; i < folders.count && !best && !status; i++) {
        const char *folder = folders.paths[i].text;
        status = look_in(folder, &arena, width, height, &boards, &best, err);
        if (best && !status) status = path_join(out, folder, best, err);
    }
    if (!status && !best && (!*width || builtin_nets_play(*width, *height))) {
        Path folder;
        status = builtin_nets_folder(&folder, err);
        if (!status) status = look_in(folder.text, &arena, width, height, &boards, &best, err);
        if (!status && best) status = path_join(out, folder.text, best, err);
    }
    if (!status && !best) status = refuse(*width, *height, &boards, err);
    strbuf_clear(&boards);
    arena_clear(&arena);
    return status;
}

Status session_net_default(const char *command, int width, int height, Path *out, Error *err) {
    Status status = session_net_of_folder(&width, &height, out, err);
    if (!status)
        fprintf(stderr, "aji %s: no net was named, so the net for %dx%d is used: %s\n", command,
                width, height, out->text);
    return status;
}
