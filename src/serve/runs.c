#define _XOPEN_SOURCE 700 /* realpath */

#include "serve/runs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/hash.h"
#include "base/settings.h"
#include "play/setup/game_setup.h"
#include "run/store/run_directory.h"

static const double LIVE_SECONDS = 60;

RunName run_name(const char *folder) {
    RunName name = {""};
    char whole[sizeof(Path)];
    /* A path such as "." or ".." does not have the name of the folder, and after a "/" at the end
     * path_name() would find no name. */
    char *real = realpath(folder, NULL);
    snprintf(whole, sizeof whole, "%s", real ? real : folder);
    free(real);
    snprintf(name.text, sizeof name.text, "%.100s", path_name(whole));
    return name;
}

void runs_add_root(RunRoots *roots, const char *folder) {
    char *real = realpath(folder, NULL);
    const char *path = real ? real : folder;
    bool known = roots->count == RUN_ROOTS_MAX || strlen(path) >= sizeof roots->folders[0].text;
    for (int i = 0; i < roots->count; i++)
        known = known || strcmp(roots->folders[i].text, path) == 0;
    if (!known)
        snprintf(roots->folders[roots->count++].text, sizeof roots->folders[0].text, "%s", path);
    free(real);
}

static void id_of(const char *folder, char id[NET_ID_MAX]) {
    RunName name = run_name(folder);
    net_id_make(name.text, (int)strlen(name.text), -1, id);
}

/* A run has the file run.cfg. A folder that has only nets is not a run, for example the folder of
 * the nets that are installed with the program. */
static bool is_run(const char *folder) {
    Path config;
    return !path_join(&config, folder, "run.cfg", NULL) && file_exists(config.text);
}

/* Calls found() for each run, until a call returns true. Returns whether a call returned true. */
static bool each_run(const RunRoots *roots, bool (*found)(void *context, const char *folder),
                     void *context) {
    bool done = false;
    for (int i = 0; i < roots->count && !done; i++) {
        const char *root = roots->folders[i].text;
        Arena arena = {0};
        char **names;
        int count = 0;
        if (is_run(root)) {
            done = found(context, root);
            continue;
        }
        if (directory_list(root, &arena, &names, &count, NULL)) count = 0;
        for (int k = 0; k < count && !done; k++) {
            Path folder;
            if (!path_join(&folder, root, names[k], NULL) && is_run(folder.text))
                done = found(context, folder.text);
        }
        arena_clear(&arena);
    }
    return done;
}

/* When this file of the folder was changed, as runs_changed() says it. 0: it is empty, or there is
 * no such file. SQLite makes an empty run.db-wal even for a reader. */
static double file_changed(const char *folder, const char *name) {
    Path path;
    struct stat info;
    if (path_join(&path, folder, name, NULL) || stat(path.text, &info) || !info.st_size) return 0;
    return (double)info.st_mtim.tv_sec + 1e-9 * (double)info.st_mtim.tv_nsec;
}

double runs_changed(const char *folder) {
    static const char *const FILES[] = {"run.db", "run.db-wal", "log.txt", "nets"};
    double newest = 0;
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        double changed = file_changed(folder, FILES[i]);
        if (changed > newest) newest = changed;
    }
    return newest;
}

bool runs_is_live(double changed) {
    return (double)time(NULL) - changed < LIVE_SECONDS;
}

static json_t *describe(const char *folder) {
    RunDirectory run;
    Path newest;
    int number = 0;
    char id[NET_ID_MAX];
    double changed = runs_changed(folder);
    if (run_directory_name(folder, &run, NULL)) return NULL;
    if (run_directory_newest_net(&run, &number, &newest, NULL)) number = 0;
    id_of(folder, id);
    return json_pack("{s:s,s:s,s:s,s:i,s:I,s:b}", "id", id, "name", run_name(folder).text, "folder",
                     folder, "nets", number, "changed", (json_int_t)changed, "live",
                     runs_is_live(changed));
}

static bool add_listed(void *context, const char *folder) {
    json_t *list = context, *run = describe(folder), *other;
    size_t index, at = 0;
    const char *id = json_string_value(json_object_get(run, "id"));
    bool known = false;
    json_array_foreach(list, index, other) {
        known = known || strcmp(json_string_value(json_object_get(other, "id")), id ? id : "") == 0;
        if (json_integer_value(json_object_get(other, "changed")) >=
            json_integer_value(json_object_get(run, "changed")))
            at = index + 1;
    }
    if (run && !known)
        json_array_insert_new(list, at, run);
    else
        json_decref(run);
    return json_array_size(list) >= RUNS_LISTED_MAX;
}

json_t *runs_list(const RunRoots *roots) {
    json_t *list = json_array();
    if (list) (void)each_run(roots, add_listed, list);
    return list;
}

/* Adds a run to the number of runs_state(). The order of the runs does not matter. */
static bool add_state(void *context, const char *folder) {
    uint64_t *state = context;
    double nets = file_changed(folder, "nets");
    uint64_t seed = runs_is_live(runs_changed(folder)) ? 1 : 0;
    seed = hash_bytes(&nets, sizeof nets, seed);
    *state += hash_bytes(folder, strlen(folder), seed);
    return false;
}

uint64_t runs_state(const RunRoots *roots) {
    uint64_t state = 0;
    (void)each_run(roots, add_state, &state);
    return state;
}

typedef struct {
    const char *id;
    Path *out;
} Wanted;

static bool has_id(void *context, const char *folder) {
    const Wanted *wanted = context;
    char id[NET_ID_MAX];
    id_of(folder, id);
    if (strcmp(id, wanted->id) != 0) return false;
    snprintf(wanted->out->text, sizeof wanted->out->text, "%s", folder);
    return true;
}

bool runs_find(const RunRoots *roots, const char *id, Path *out) {
    return each_run(roots, has_id, &(Wanted){id, out});
}

bool runs_board(const RunConfig *config, int *width, int *height) {
    GameChoices choices;
    *width = *height = 0;
    if (game_choices_read(&config->selfplay, &choices, NULL)) return false;
    for (int i = 0; i < choices.size_count; i++) {
        const SizeChoice *size = &choices.sizes[i];
        if (size->width * size->height <= *width * *height) continue;
        *width = size->width;
        *height = size->height;
    }
    return *width > 0;
}

static void set_boards(const char *folder, ServedNet *net) {
    RunConfig *config = malloc(sizeof *config);
    if (config && !run_config_load(folder, config, NULL)) {
        BoardSizesText sizes = selfplay_sizes_text(&config->selfplay);
        snprintf(net->boards, sizeof net->boards, "%.60s", sizes.text);
        (void)runs_board(config, &net->width, &net->height);
    }
    free(config);
}

bool runs_find_net(const RunRoots *roots, const char *id, ServedNet *out) {
    const char *dot = strrchr(id, '.');
    char run_id[NET_ID_MAX];
    Path folder;
    RunDirectory run;
    Arena arena = {0};
    char **paths;
    int *numbers, count = 0;
    *out = (ServedNet){.id = ""};
    if (!dot || strlen(id) >= sizeof run_id || dot[1] < '0' || dot[1] > '9') return false;
    long long wanted;
    if (parse_int(dot + 1, "net", 0, INT_MAX, &wanted, NULL)) return false;
    snprintf(run_id, sizeof run_id, "%.*s", (int)(dot - id), id);
    if (!runs_find(roots, run_id, &folder) || run_directory_name(folder.text, &run, NULL))
        return false;
    if (run_directory_nets(&run, &arena, &paths, &numbers, &count, NULL)) count = 0;
    for (int i = 0; i < count; i++) {
        if (numbers[i] != wanted) continue;
        snprintf(out->id, sizeof out->id, "%s", id);
        snprintf(out->title, sizeof out->title, "%.100s net %lld", run_name(folder.text).text,
                 wanted);
        snprintf(out->file.text, sizeof out->file.text, "%s", paths[i]);
    }
    arena_clear(&arena);
    if (*out->id) set_boards(folder.text, out);
    return *out->id != 0;
}
