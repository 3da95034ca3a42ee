/* scratch.h - a temporary folder for the files of a test. */
#pragma once
#include "base/file.h"
#include "test.h"
#include <unistd.h>

typedef struct {
    char path[128];
} Scratch;

static inline Scratch scratch_new(void) {
    Scratch scratch = {"/dev/shm/aji-test-XXXXXX"}; /* in memory, because syncing to disk is slow */
    if (mkdtemp(scratch.path)) return scratch;
    scratch = (Scratch){"/tmp/aji-test-XXXXXX"};
    if (!mkdtemp(scratch.path)) fail_msg("no folder for files in /tmp");
    return scratch;
}

/* Removes the files and the empty folders of the folder, then the folder itself. The test fails if
 * a .tmp file, which directory_list() does not list, was left. */
static inline void scratch_remove(const Scratch *scratch) {
    Arena arena = {0};
    char **names;
    int count;
    EXPECT_OK(directory_list(scratch->path, &arena, &names, &count, err));
    for (int i = 0; i < count; i++) {
        Path path;
        EXPECT_OK(path_join(&path, scratch->path, names[i], err));
        if (rmdir(path.text)) EXPECT_OK(file_remove(path.text, err));
    }
    arena_clear(&arena);
    if (rmdir(scratch->path)) fail_msg("%s is not empty: a .tmp file was left", scratch->path);
}

static inline Path scratch_path(const Scratch *scratch, const char *name) {
    Path path;
    EXPECT_OK(path_join(&path, scratch->path, name, err));
    return path;
}

/* Writes bytes to a file without using the code under test. */
static inline Path scratch_file(const Scratch *scratch, const char *name, const void *bytes,
                                size_t count) {
    Path path = scratch_path(scratch, name);
    FILE *stream = fopen(path.text, "wb");
    if (!stream || fwrite(bytes, 1, count, stream) != count || fclose(stream))
        fail_msg("cannot write %s", path.text);
    return path;
}

static inline void expect_file(const char *path, const char *text) {
    Arena arena = {0};
    char *found;
    size_t length;
    EXPECT_OK(file_read(path, 1 << 20, &arena, &found, &length, err));
    EXPECT_TEXT(text, found);
    EXPECT_INT(strlen(text), length);
    arena_clear(&arena);
}
