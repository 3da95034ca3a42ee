/* file_walk.h - visits the files of a folder and its subfolders. Threading: any thread. */
#pragma once
#include "base/error.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    /* Whether a file with this name, found in a folder, is wanted. */
    bool (*is_wanted)(void *context, const char *name);
    const char *except; /* a file or folder that is skipped if it is found inside; may be NULL */
    /* Receives each file and its size. If it fails, the walk ends with its status. */
    Status (*visit)(void *context, const char *path, int64_t bytes, Error *err);
    void *context;
} FileWalk;
/* Visits the wanted files of a folder and its subfolders in the order of their names. If `path` is
 * a file, visits it whatever its name is. ERR_IO: there is no such path, a folder cannot be read,
 * or folders are nested more than 16 deep. ERR_MEMORY. */
MUST_USE Status file_walk(const char *path, const FileWalk *walk, Error *err);
