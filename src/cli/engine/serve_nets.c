#include "cli/engine/serve_nets.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/settings.h"
#include "cli/engine/session_net.h"
#include "eval/formats/net_file.h"
#include "run/store/run_directory.h"
#include "serve/runs.h"

static bool has_id(const ServeNets *nets, const char *id) {
    for (int i = 0; i < nets->count; i++) {
        if (strcmp(nets->nets[i].id, id) == 0) return true;
    }
    return false;
}

/* Gives the net another id if an earlier one has its id. */
static void make_unique(const ServeNets *nets, ServedNet *net) {
    char id[NET_ID_MAX];
    memcpy(id, net->id, sizeof id);
    for (int i = 2; has_id(nets, net->id); i++)
        snprintf(net->id, sizeof net->id, "%.*s-%d", NET_ID_MAX - 16, id, i);
}

static bool has_file(const ServeNets *nets, const char *file) {
    for (int i = 0; i < nets->count; i++) {
        if (strcmp(nets->nets[i].file.text, file) == 0) return true;
    }
    return false;
}

static Status add(ServeNets *nets, ServedNet *net, Error *err) {
    if (has_file(nets, net->file.text)) return OK;
    Status status =
        mem_grow(&nets->nets, &nets->capacity, (size_t)nets->count + 1, sizeof *nets->nets, err);
    if (status) return status;
    make_unique(nets, net);
    NetRun run = net_run_find(net->file.text);
    net->width = run.width;
    net->height = run.height;
    if (run.known) snprintf(net->boards, sizeof net->boards, "%.60s", run.boards.text);
    nets->nets[nets->count++] = *net;
    return OK;
}

static Status add_file(ServeNets *nets, const char *path, Error *err) {
    ServedNet net = {.id = ""};
    const char *name = path_name(path);
    int stem = (int)net_file_stem(name);
    if (strlen(path) >= sizeof net.file.text)
        return fail(err, ERR_ARGUMENT, "\"%.40s...\" is too long for the name of a file", path);
    if (strcmp(path, "uniform") != 0 && !file_exists(path))
        return fail(err, ERR_IO, "there is no file %s", path);
    snprintf(net.file.text, sizeof net.file.text, "%s", path);
    snprintf(net.title, sizeof net.title, "%.*s", stem < NET_TITLE_MAX ? stem : NET_TITLE_MAX - 1,
             name);
    net_id_make(name, stem, -1, net.id);
    return add(nets, &net, err);
}

/* Adds the best net of a run, whose id and title name the run and the number of the net. */
static Status add_run(ServeNets *nets, const char *folder, Error *err) {
    ServedNet net = {.id = ""};
    Status status = net_run_file("serve", folder, &net.file, err);
    if (status) return status;
    /* The name of the file begins with the number of the net. */
    char digits[16];
    const char *file = path_name(net.file.text);
    long long number;
    snprintf(digits, sizeof digits, "%.*s", (int)strspn(file, "0123456789"), file);
    status = parse_int(digits, file, 0, INT_MAX, &number, err);
    if (status) return status;
    RunName name = run_name(folder);
    snprintf(net.title, sizeof net.title, "%.100s net %lld", name.text, number);
    net_id_make(name.text, (int)strlen(name.text), (int)number, net.id);
    return add(nets, &net, err);
}

/* Whether a file of a folder is a net. The endings .bin, .txt and .pb do not count, because files
 * of other kinds have them too. */
static bool is_net(const char *name) {
    static const char *const ENDINGS[] = {".aji", ".bin.gz", ".txt.gz", ".pb.gz"};
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++)
        if (path_has_ending(name, ENDINGS[i])) return true;
    return false;
}

static Status add_folder(ServeNets *nets, const char *folder, Error *err) {
    Arena arena = {0};
    char **names;
    int count, before = nets->count;
    Status status = directory_list(folder, &arena, &names, &count, err);
    for (int i = 0; i < count && !status; i++) {
        Path path;
        if (!is_net(names[i])) continue;
        status = path_join(&path, folder, names[i], err);
        if (!status) status = add_file(nets, path.text, err);
    }
    if (!status && nets->count == before)
        status = fail(err, ERR_ARGUMENT, "the folder %s has no nets", folder);
    arena_clear(&arena);
    return status;
}

/* Adds the nets of the folder in which the net for the largest board was found, this one first. */
static Status add_own(ServeNets *nets, Error *err) {
    int width = 0, height = 0;
    Path best, folder;
    Status status = session_net_of_folder(&width, &height, &best, err);
    if (!status) status = add_file(nets, best.text, err);
    if (status) return status;
    int length = (int)(path_name(best.text) - best.text);
    snprintf(folder.text, sizeof folder.text, "%.*s", length > 1 ? length - 1 : length, best.text);
    return add_folder(nets, folder.text, err);
}

Status serve_nets_find(const char *const *words, int count, ServeNets *out, Error *err) {
    Status status = count ? OK : add_own(out, err);
    for (int i = 0; i < count && !status; i++) {
        if (!file_is_directory(words[i]))
            status = add_file(out, words[i], err);
        else if (run_directory_has_begun(words[i]))
            status = add_run(out, words[i], err);
        else
            status = add_folder(out, words[i], err);
    }
    return status;
}

void serve_nets_clear(ServeNets *nets) {
    free(nets->nets);
    *nets = (ServeNets){0};
}

static void close_net(void *context, EngineParts *parts) {
    AnalysisNets *nets = parts->parts;
    (void)context;
    analysis_free(parts->analysis);
    if (nets) analysis_nets_clear(nets);
    free(nets);
    *parts = (EngineParts){0};
}

static Status open_net(void *context, const char *file, EngineParts *out, Error *err) {
    AnalysisNets *nets;
    *out = (EngineParts){0};
    Status status = mem_new(1, sizeof *nets, &nets, err);
    if (status) return status;
    *nets = *(const AnalysisNets *)context;
    snprintf(nets->net_file.text, sizeof nets->net_file.text, "%s", file);
    nets->net_path = nets->net_file.text;
    out->parts = nets;
    status = analysis_nets_load(nets, err);
    if (!status) status = analysis_new(&nets->setup, &out->analysis, err);
    if (status) close_net(context, out);
    return status;
}

EngineSource serve_nets_source(const AnalysisNets *nets) {
    return (EngineSource){.open = open_net, .close = close_net, .context = (void *)(uintptr_t)nets};
}
