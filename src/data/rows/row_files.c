#include "data/rows/row_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/file_walk.h"

static Status add_file(void *context, const char *path, int64_t bytes, Error *err) {
    RowFiles *out = context;
    (void)bytes;
    char *copy = arena_copy(&out->arena, path, strlen(path));
    Status status = copy ? mem_grow(&out->paths, &out->capacity, (size_t)out->count + 1,
                                    sizeof *out->paths, err)
                         : fail(err, ERR_MEMORY, "no memory for the names of row files");
    if (!status) out->paths[out->count++] = copy;
    return status;
}

static bool is_wanted(void *context, const char *name) {
    (void)context;
    return path_has_ending(name, ".npz");
}

Status row_files_find(const char *const *paths, int count, RowFiles *out, Error *err) {
    *out = (RowFiles){0};
    const FileWalk walk = {.is_wanted = is_wanted, .visit = add_file, .context = out};
    Status status = OK;
    for (int i = 0; i < count && !status; i++)
        status = file_walk(paths[i], &walk, err);
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
