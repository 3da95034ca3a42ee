#include "run/store/run_directory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/strbuf.h"

Status run_directory_name(const char *root, RunDirectory *out, Error *err) {
    const struct {
        Path *path;
        const char *name;
    } PARTS[] = {
        {&out->root, ""},
        {&out->nets, "nets"},
        {&out->candidates, "candidates"},
        {&out->rejected, "rejected"},
        {&out->rows, "rows"},
        {&out->games, "games"},
        {&out->matches, "matches"},
        {&out->train, "train"},
        {&out->report, "report"},
        {&out->config, "run.cfg"},
        {&out->database, "run.db"},
        {&out->log, "log.txt"},
    };
    Status status = OK;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS && !status; i++)
        status = path_join(PARTS[i].path, root, PARTS[i].name, err);
    return status;
}

Status run_directory_open(const char *root, RunDirectory *out, Error *err) {
    const Path *const FOLDERS[] = {&out->nets,  &out->candidates, &out->rejected, &out->rows,
                                   &out->games, &out->train,      &out->report};
    Status status = run_directory_name(root, out, err);
    if (!status) status = directory_make(root, err);
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS && !status; i++) {
        status = directory_make(FOLDERS[i]->text, err);
        if (!status) directory_sync(FOLDERS[i]->text);
    }
    directory_sync(root);
    return status;
}

int run_directory_sweep(const RunDirectory *run) {
    const Path *const FOLDERS[] = {&run->root,     &run->nets,  &run->candidates,
                                   &run->rejected, &run->rows,  &run->games,
                                   &run->matches,  &run->train, &run->report};
    int removed = 0;
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        bool parted = FOLDERS[i] == &run->rows || FOLDERS[i] == &run->games ||
                      FOLDERS[i] == &run->matches ||
                      FOLDERS[i] == &run->train; /* these have subfolders */
        Arena arena = {0};
        char **names;
        int count = 0;
        Path path;
        removed += directory_sweep(FOLDERS[i]->text);
        if (!parted || directory_list(FOLDERS[i]->text, &arena, &names, &count, NULL)) count = 0;
        for (int k = 0; k < count; k++) {
            if (!strchr(names[k], '.') && !path_join(&path, FOLDERS[i]->text, names[k], NULL))
                removed += directory_sweep(path.text);
        }
        arena_clear(&arena);
    }
    return removed;
}

NetNumber net_number(int number) {
    NetNumber text;
    snprintf(text.text, sizeof text.text, "%06d", number);
    return text;
}

/* Returns the number at the beginning of a file's name, or -1 if there is none. */
static int number_of(const char *name) {
    char *end;
    long number = strtol(name, &end, 10);
    return end > name && number >= 0 && number < 1000000 ? (int)number : -1;
}

Status run_directory_nets(const RunDirectory *run, Arena *arena, char ***paths, int **numbers,
                          int *count, Error *err) {
    char **names;
    int found;
    *count = 0;
    Status status = directory_list(run->nets.text, arena, &names, &found, err);
    if (status) return status;
    *paths = arena_alloc(arena, mem_array_bytes((size_t)found + 1, sizeof **paths));
    *numbers = arena_alloc(arena, mem_array_bytes((size_t)found + 1, sizeof **numbers));
    if (!*paths || !*numbers) return fail(err, ERR_MEMORY, "no room for the list of nets");
    for (int i = 0; i < found; i++) {
        Path path;
        int number = number_of(names[i]);
        if (number < 0 || !path_has_ending(names[i], ".aji")) continue;
        status = path_join(&path, run->nets.text, names[i], err);
        if (status) return status;
        (*paths)[*count] = arena_copy(arena, path.text, strlen(path.text));
        (*numbers)[*count] = number;
        if (!(*paths)[*count]) return fail(err, ERR_MEMORY, "no room for the list of nets");
        (*count)++;
    }
    return OK;
}

Status run_directory_newest_net(const RunDirectory *run, int *number, Path *path, Error *err) {
    Arena arena = {0};
    char **paths;
    int *numbers, count;
    *number = 0;
    path->text[0] = 0;
    Status status = run_directory_nets(run, &arena, &paths, &numbers, &count, err);
    if (!status && count) {
        *number = numbers[count - 1];
        snprintf(path->text, sizeof path->text, "%s", paths[count - 1]);
    }
    arena_clear(&arena);
    return status;
}

Status run_directory_read_newest(const RunDirectory *run, int *number, Net **out, Error *err) {
    Arena arena = {0};
    char **paths;
    int *numbers, count = 0;
    *out = NULL;
    *number = 0;
    Status status = run_directory_nets(run, &arena, &paths, &numbers, &count, err);
    for (int i = count - 1; i >= 0 && !status && !*out; i--) {
        Error fault = {0};
        Status read = net_load(paths[i], out, &fault);
        if (!read)
            *number = numbers[i];
        else if (read != ERR_SYNTAX && file_exists(paths[i])) /* if gone, it was set aside */
            status = fail(err, read, "%s", fault.message);
    }
    arena_clear(&arena);
    return status;
}

typedef struct {
    char **paths;
    int count, capacity;
} PathList;

static Status list_rows_of(const char *folder, Arena *arena, PathList *list, Error *err) {
    char **names;
    int found;
    Status status = directory_list(folder, arena, &names, &found, err);
    for (int i = 0; i < found && !status; i++) {
        Path path;
        if (!path_has_ending(names[i], ".npz")) continue;
        status = path_join(&path, folder, names[i], err);
        if (status) return status;
        if (list->count == list->capacity) {
            int wanted = list->capacity ? 2 * list->capacity : 64;
            char **grown = arena_alloc(arena, mem_array_bytes((size_t)wanted, sizeof *grown));
            if (!grown) return fail(err, ERR_MEMORY, "no room for the list of row files");
            if (list->count) memcpy(grown, list->paths, (size_t)list->count * sizeof *grown);
            list->paths = grown;
            list->capacity = wanted;
        }
        char *copy = arena_copy(arena, path.text, strlen(path.text));
        if (!copy) return fail(err, ERR_MEMORY, "no room for the list of row files");
        list->paths[list->count++] = copy;
    }
    return status;
}

Status run_directory_row_files(const RunDirectory *run, Arena *arena, char ***paths, int *count,
                               Error *err) {
    char **folders;
    int found;
    PathList list = {0};
    Status status = directory_list(run->rows.text, arena, &folders, &found, err);
    for (int i = 0; i < found && !status; i++) {
        Path folder;
        if (number_of(folders[i]) < 0) continue;
        status = path_join(&folder, run->rows.text, folders[i], err);
        if (!status) status = list_rows_of(folder.text, arena, &list, err);
    }
    *paths = list.paths;
    *count = list.count;
    return status;
}

Status run_directory_checkpoints(const char *folder, Arena *arena, char ***paths, int *count,
                                 Error *err) {
    static const char PREFIX[] = "checkpoint-";
    char **names;
    int found;
    *count = 0;
    Status status = directory_list(folder, arena, &names, &found, err);
    if (status) return status;
    *paths = arena_alloc(arena, mem_array_bytes((size_t)found + 1, sizeof **paths));
    if (!*paths) return fail(err, ERR_MEMORY, "no room for the list of checkpoints");
    for (int i = 0; i < found; i++) {
        Path path;
        if (strncmp(names[i], PREFIX, strlen(PREFIX)) != 0 || !path_has_ending(names[i], ".aji"))
            continue;
        status = path_join(&path, folder, names[i], err);
        if (status) return status;
        (*paths)[*count] = arena_copy(arena, path.text, strlen(path.text));
        if (!(*paths)[(*count)++]) return fail(err, ERR_MEMORY, "no room for the checkpoints");
    }
    return OK;
}

bool run_directory_has_begun(const char *root) {
    RunDirectory run;
    Arena arena = {0};
    char **paths;
    int *numbers, count = 0;
    bool begun = !path_join(&run.config, root, "run.cfg", NULL) && file_exists(run.config.text);
    if (!begun && !path_join(&run.nets, root, "nets", NULL))
        begun = !run_directory_nets(&run, &arena, &paths, &numbers, &count, NULL) && count;
    if (!begun && !path_join(&run.rows, root, "rows", NULL))
        begun = !run_directory_row_files(&run, &arena, &paths, &count, NULL) && count;
    if (!begun && !path_join(&run.train, root, "train", NULL))
        begun = !run_directory_checkpoints(run.train.text, &arena, &paths, &count, NULL) && count;
    arena_clear(&arena);
    return begun;
}

Status run_directory_check_foreign(const char *root, Error *err) {
    static const char *const SIGNS[][2] = {{"train.cfg", "aji train DATA"},
                                           {"games.index", "aji data from-..."}};
    Path path;
    Status status = path_join(&path, root, "run.cfg", err);
    if (status || file_exists(path.text)) return status;
    for (int i = 0; i < 2 && !status; i++) {
        status = path_join(&path, root, SIGNS[i][0], err);
        if (!status && file_exists(path.text))
            status = fail(err, ERR_ARGUMENT,
                          "%s is a folder of `%s`; a run needs a folder of its own (--run DIR)",
                          root, SIGNS[i][1]);
    }
    return status;
}

bool run_directory_has_settings(const char *root) {
    Path path;
    Arena arena = {0};
    char *text;
    size_t length;
    if (path_join(&path, root, "run.cfg", NULL) || !file_exists(path.text)) return false;
    bool says = file_read(path.text, 1 << 20, &arena, &text, &length, NULL) != OK;
    for (const char *at = says ? "" : text; *at && !says;) {
        at += strspn(at, " \t\r\n");
        says = *at && *at != '#';
        at += strcspn(at, "\n");
    }
    arena_clear(&arena);
    return says;
}

enum { ASIDE_MAX = 1000 };

void run_directory_set_aside(const char *path, const char *reason) {
    Path aside;
    int length = snprintf(aside.text, sizeof aside.text, "%s.bad", path);
    for (int i = 2; length > 0 && file_exists(aside.text) && i < ASIDE_MAX; i++)
        length = snprintf(aside.text, sizeof aside.text, "%s.%d.bad", path, i);
    bool moved =
        length > 0 && (size_t)length < sizeof aside.text && !file_rename(path, aside.text, NULL);
    log_warning("%s %s: %s", path, moved ? "is set aside as .bad" : "cannot be used", reason);
}
