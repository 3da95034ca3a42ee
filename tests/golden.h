/* golden.h - reads golden data, which are answers that were recorded from KataGo. They are in
 * tests/golden, whose README says how each file was made. The environment variable AJI_GOLDEN may
 * name another folder; its files are read in place of files of the same names in tests/golden.
 * Some answers are those of nets that are not in this repository. Tests of these answers need the
 * environment variable AJI_NETS, which names a folder with the nets; otherwise they are
 * skipped. */
#pragma once
#include "base/file.h"
#include "base/formats/archive.h"
#include "base/json.h"
#include "test.h"

/* Finds a golden file in the folder, under its name or packed as NAME.gz. Returns false if the
 * folder has neither. */
static inline bool golden_find(const char *folder, const char *name, Path *out) {
    char packed[512];
    snprintf(packed, sizeof packed, "%s.gz", name);
    EXPECT_OK(path_join(out, folder, name, err));
    if (file_exists(out->text)) return true;
    EXPECT_OK(path_join(out, folder, packed, err));
    return file_exists(out->text);
}

/* Returns the folder from which this golden file is read: the folder of AJI_GOLDEN if it has this
 * file, and otherwise tests/golden. Files that belong to the golden file are read from the same
 * folder. */
static inline const char *golden_folder(const char *name) {
    const char *named = getenv("AJI_GOLDEN");
    Path path;
    if (!named || !*named) return "tests/golden";
    if (!file_exists(named)) fail_msg("AJI_GOLDEN names %s, which is not there", named);
    return golden_find(named, name, &path) ? named : "tests/golden";
}

/* Returns the contents of a file, with a 0 at the end, in `arena`. */
static inline char *golden_read(const char *folder, const char *name, Arena *arena) {
    const GzipLimit limit = {.bytes = (size_t)1 << 28};
    Path path;
    char *text;
    size_t count;
    if (!golden_find(folder, name, &path)) fail_msg("%s has no %s", folder, name);
    EXPECT_OK(gzip_read(path.text, limit, arena, &text, &count, err));
    return text;
}

/* Calls `each` for every line of a file of JSON lines. Returns the number of lines, which must be
 * at least 1. */
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

/* Returns the path of the net of KataGo with this file name, or NULL if AJI_NETS names no folder.
 * The caller then ends the test by NO_KATAGO_NET(). If the folder lacks the net, the test fails. */
static inline const char *katago_net(const char *file, Path *path) {
    const char *folder = getenv("AJI_NETS");
    if (!folder || !*folder) return NULL;
    EXPECT_OK(path_join(path, folder, file, err));
    if (!file_exists(path->text)) fail_msg("AJI_NETS has no %s", path->text);
    return path->text;
}
#define NO_KATAGO_NET(file) SKIP("AJI_NETS names no folder with KataGo's net %s", file)
