#include "cli/engine/program_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "go/board.h"

static void add_folder(ProgramFolders *folders, const char *path) {
    if (!file_is_directory(path)) return;
    for (int i = 0; i < folders->count; i++) {
        if (file_same(folders->paths[i].text, path)) return;
    }
    Path *added = &folders->paths[folders->count];
    if (!path_join(added, path, "", NULL)) folders->count++;
}

/* Cuts the last part off a path. Returns that part, or NULL if there is none. */
static const char *cut(char *path) {
    char *slash = strrchr(path, '/');
    if (!slash) return NULL;
    *slash = 0;
    return slash + 1;
}

/* Adds the folders that are found from the place of the program. */
static void add_beside_program(ProgramFolders *folders, const char *kind) {
    char program[900], path[1000];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return;
    program[length] = 0;
    if (!cut(program) || !cut(program)) return; /* PREFIX, or build */
    char prefix[sizeof program];
    memcpy(prefix, program, sizeof prefix);
    const char *build = cut(program);
    if (build && strcmp(build, "build") == 0) {
        snprintf(path, sizeof path, "%s/%s", program, kind);
        add_folder(folders, path);
    }
    snprintf(path, sizeof path, "%s/share/aji/%s", prefix, kind);
    add_folder(folders, path);
}

void program_folders(const char *kind, ProgramFolders *out) {
    const char *named = strcmp(kind, "nets") == 0 ? getenv("AJI_NETS") : NULL;
    *out = (ProgramFolders){0};
    if (named && *named) add_folder(out, named);
    add_folder(out, kind);
    add_beside_program(out, kind);
}

Status program_config(const char *name, Path *out, Error *err) {
    static const char KIND[] = "configs/";
    size_t length = sizeof KIND - 1;
    ProgramFolders folders = {0};
    if (!file_exists(name) && strncmp(name, KIND, length) == 0)
        program_folders("configs", &folders);
    for (int i = 0; i < folders.count; i++) {
        if (path_join(out, folders.paths[i].text, name + length, NULL)) continue;
        if (file_exists(out->text)) return OK;
    }
    if (strlen(name) >= sizeof out->text)
        return fail(err, ERR_ARGUMENT, "the name of a settings file is too long: %.60s...", name);
    snprintf(out->text, sizeof out->text, "%s", name);
    return OK;
}

bool program_net_board(const char *name, int *width, int *height) {
    int length = 0;
    return path_has_ending(name, ".aji") &&
           sscanf(name, "%2dx%2d-%n", width, height, &length) == 2 && length > 0 && *width >= 2 &&
           *height >= 2 && *width <= BOARD_SIDE_MAX && *height <= BOARD_SIDE_MAX;
}
