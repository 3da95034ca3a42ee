#include "base/file_walk.h"

#include <sys/stat.h>

#include "base/file.h"

enum { DEPTH_MAX = 16 };

static Status walk_path(const FileWalk *walk, const char *path, int depth, Error *err) {
    struct stat info;
    Arena arena = {0};
    char **names;
    int count = 0;
    if (stat(path, &info)) return fail(err, ERR_IO, "%s: there is no such file or folder", path);
    if (!S_ISDIR(info.st_mode)) return walk->visit(walk->context, path, info.st_size, err);
    if (depth > DEPTH_MAX)
        return fail(err, ERR_IO, "%s: folders are nested more than %d deep", path, DEPTH_MAX);
    Status status = directory_list(path, &arena, &names, &count, err);
    for (int i = 0; i < count && !status; i++) {
        Path inner;
        status = path_join(&inner, path, names[i], err);
        if (status || stat(inner.text, &info)) continue;
        if (walk->except && file_same(inner.text, walk->except)) continue;
        if (S_ISDIR(info.st_mode) || walk->is_wanted(walk->context, names[i]))
            status = walk_path(walk, inner.text, depth + 1, err);
    }
    arena_clear(&arena);
    return status;
}

Status file_walk(const char *path, const FileWalk *walk, Error *err) {
    return walk_path(walk, path, 0, err);
}
