#include "data/rows/row_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

enum { DEPTH_MAX = 16 };

static Status add_file(const char *path, RowFiles *out, Error *err) {
    char *copy = arena_copy(&out->arena, path, strlen(path));
    Status status = copy ? mem_grow(&out->paths, &out->capacity, (size_t)out->count + 1,
                                    sizeof *out->paths, err)
                         : fail(err, ERR_MEMORY, "no memory for the names of row files");
    if (!status) out->paths[out->count++] = copy;
    return status;
}

static Status add(const char *path, int depth, RowFiles *out, Error *err) {
    struct stat info;
    Arena arena = {0};
    char **names;
    int count = 0;
    if (stat(path, &info)) return fail(err, ERR_IO, "%s: there is no such file or folder", path);
    if (!S_ISDIR(info.st_mode)) return add_file(path, out, err);
    if (depth > DEPTH_MAX)
        return fail(err, ERR_IO, "%s: folders are nested more than %d deep", path, DEPTH_MAX);
    Status status = directory_list(path, &arena, &names, &count, err);
    for (int i = 0; i < count && !status; i++) {
        Path inner;
        status = path_join(&inner, path, names[i], err);
        if (status || stat(inner.text, &info)) continue;
        if (S_ISDIR(info.st_mode) || path_has_ending(names[i], ".npz"))
            status = add(inner.text, depth + 1, out, err);
    }
    arena_clear(&arena);
    return status;
}

Status row_files_find(const char *const *paths, int count, RowFiles *out, Error *err) {
    *out = (RowFiles){0};
    Status status = OK;
    for (int i = 0; i < count && !status; i++)
        status = add(paths[i], 0, out, err);
    if (!status && !out->count)
        status = fail(err, ERR_IO, "%s%s: there is no .npz file below %s", paths[0],
                      count > 1 ? " ..." : "", count > 1 ? "any of these paths" : "it");
    if (status) row_files_clear(out);
    return status;
}

void row_files_clear(RowFiles *files) {
    arena_clear(&files->arena);
    free(files->paths);
    *files = (RowFiles){0};
}
