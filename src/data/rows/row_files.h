/* row_files.h - finds the row files that a user names. Threading: confined. */
#pragma once
#include "base/memory.h"

typedef struct {
    char **paths;
    int count;
    Arena arena; /* holds the texts of the paths */
    size_t capacity;
} RowFiles;
/* Lists the files among `paths`. For each folder among `paths`, lists all .npz files in the folder
 * and its subfolders, in the order of their names. The caller clears `*out`. ERR_IO: a file or
 * folder does not exist or cannot be read, or no row file was found. */
MUST_USE Status row_files_find(const char *const *paths, int count, RowFiles *out, Error *err);
void row_files_clear(RowFiles *files);
