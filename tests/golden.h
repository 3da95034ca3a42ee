/* golden.h - what KataGo answered, from tests/golden (its README says how each file was made) or
 * from the folder that AJI_GOLDEN names, whose files are read in place of those of the same names.
 * Some of it was asked of nets that are not in this repository: AJI_NETS names a folder with them,
 * and without it those tests are skipped. */
#pragma once
#include "base/archive.h"
#include "base/file.h"
#include "base/json.h"
#include "test.h"

/* The path of a golden file, as it stands or packed as NAME.gz; false: the folder has neither. */
static inline bool golden_find(const char *folder, const char *name, Path *out) {
    char packed[512];
    snprintf(packed, sizeof packed, "%s.gz", name);
    EXPECT_OK(path_join(out, folder, name, err));
    if (file_exists(out->text)) return true;
    EXPECT_OK(path_join(out, folder, packed, err));
    return file_exists(out->text);
}

/* The folder that a file and those that go with it come from: AJI_GOLDEN if it has that file. */
static inline const char *golden_folder(const char *name) {
    const char *named = getenv("AJI_GOLDEN");
    Path path;
    if (!named || !*named) return "tests/golden";
    if (!file_exists(named)) fail_msg("AJI_GOLDEN names %s, which is not there", named);
    return golden_find(named, name, &path) ? named : "tests/golden";
}

/* A whole file, 0-terminated, in `arena`. */
static inline char *golden_read(const char *folder, const char *name, Arena *arena) {
    const GzipLimit limit = {.bytes = (size_t)1 << 28};
    Path path;
    char *text;
    size_t count;
    if (!golden_find(folder, name, &path)) fail_msg("%s has no %s", folder, name);
    EXPECT_OK(gzip_read(path.text, limit, arena, &text, &count, err));
    return text;
}

/* Calls `each` for every line of a file of JSON lines; returns how many there were, at least one.
 */
static inline int golden_rows_in(const char *folder, const char *name,
                                 void (*each)(const json_t *row, void *context), void *context) {
    Arena arena = {0};
    int rows = 0;
    for (char *line = golden_read(folder, name, &arena); *line; rows++) {
        size_t span = strcspn(line, "\n");
        json_t *row;
        EXPECT_OK(json_parse(line, span, &row, err));
        each(row, context);
        json_decref(row);
        line += span + (line[span] == '\n');
    }
    arena_clear(&arena);
    EXPECT_TRUE(rows > 0);
    return rows;
}

static inline int golden_rows(const char *name, void (*each)(const json_t *row, void *context),
                              void *context) {
    return golden_rows_in(golden_folder(name), name, each, context);
}

/* Where KataGo's net of that file name is; NULL: no folder was named, SKIP(). A net that is missing
 * in a folder that was named fails. */
static inline const char *katago_net(const char *file, Path *path) {
    const char *folder = getenv("AJI_NETS");
    if (!folder || !*folder) return NULL;
    EXPECT_OK(path_join(path, folder, file, err));
    if (!file_exists(path->text)) fail_msg("AJI_NETS has no %s", path->text);
    return path->text;
}
#define NO_KATAGO_NET(file) SKIP("AJI_NETS names no folder with KataGo's net %s", file)
