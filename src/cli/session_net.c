#include "cli/session_net.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
    static const char *const ENDINGS[] = {".aji", ".bin.gz", ".txt.gz"};
    NetTitle title;
    const char *name = path_name(net->file.text);
    int length = (int)strlen(name);
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++) {
        if (path_has_ending(name, ENDINGS[i])) length -= (int)strlen(ENDINGS[i]);
    }
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

/* Writes the path of the folder nets/, or returns false if there is none. */
static bool find_folder(Path *out) {
    char program[900];
    snprintf(out->text, sizeof out->text, "nets");
    if (file_is_directory(out->text)) return true;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return false;
    program[length] = 0;
    for (int i = 0; i < 3; i++) { /* build/release/aji, build/release, build */
        char *slash = strrchr(program, '/');
        if (!slash) return false;
        *slash = 0;
    }
    snprintf(out->text, sizeof out->text, "%s/nets", program);
    return file_is_directory(out->text);
}

/* Reads the board of a net from its name. Returns false if the name has none. */
static bool board_of_name(const char *name, int *width, int *height) {
    int length = 0;
    return path_has_ending(name, ".aji") &&
           sscanf(name, "%2dx%2d-%n", width, height, &length) == 2 && length > 0;
}

void session_net_board(const SessionNet *net, int *width, int *height) {
    (void)net_run_start(&net->run, BOARD_SIDE_MAX, width, height);
    int x, y;
    if (net->run.known || !board_of_name(path_name(net->file.text), &x, &y)) return;
    if (x < 2 || y < 2 || x > BOARD_SIDE_MAX || y > BOARD_SIDE_MAX) return;
    *width = x;
    *height = y;
}

static Status refuse(int width, int height, const StrBuf *boards, Error *err) {
    char board[32] = "";
    if (width) snprintf(board, sizeof board, " for %dx%d", width, height);
    if (boards->length)
        return fail(err, ERR_ARGUMENT,
                    "the folder nets/ has no net%s (only for%s). Choose such a board with --size, "
                    "name a net or the folder of a run, or learn one: ./aji learn --size %d",
                    board, boards->text, width);
    return fail(err, ERR_ARGUMENT,
                "there is no net%s: no folder nets/ was found. Name a net or the folder of a run, "
                "or learn one in ten minutes: ./aji learn --time 10m",
                board);
}

Status session_net_of_folder(int *width, int *height, Path *out, Error *err) {
    Arena arena = {0};
    StrBuf boards = {0};
    Path folder;
    char **names = NULL;
    const char *best = NULL;
    int count = 0, area = 0;
    Status status =
        find_folder(&folder) ? directory_list(folder.text, &arena, &names, &count, err) : OK;
    int wanted_width = *width, wanted_height = *height;
    for (int i = 0; i < count && !status; i++) {
        int x, y;
        if (!board_of_name(names[i], &x, &y)) continue;
        strbuf_addf(&boards, " %dx%d", x, y);
        bool fits = wanted_width ? x == wanted_width && y == wanted_height : x * y >= area;
        if (!fits) continue;
        best = names[i];
        area = x * y;
        *width = x;
        *height = y;
    }
    if (!status && !best) status = refuse(*width, *height, &boards, err);
    if (!status) status = path_join(out, folder.text, best, err);
    strbuf_clear(&boards);
    arena_clear(&arena);
    return status;
}
