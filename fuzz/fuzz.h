/* fuzz.h - what the fuzz entries share: a check that also works in release builds, ways to read the
 * input as text or in pieces, and a folder for the files of this process. */
#pragma once
#define _GNU_SOURCE /* nftw */
#include <ftw.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/* Ends the process if `good` is false. Unlike assert(), it also works in release builds. */
#define CHECK(good) fuzz_check((good), __FILE__, __LINE__, #good)
static inline void fuzz_check(bool good, const char *file, int line, const char *what) {
    if (good) return;
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    abort();
}

/* Returns a copy of the input with a final 0. The caller frees it by free(). */
static inline char *fuzz_text(const uint8_t *bytes, size_t count) {
    char *text = malloc(count + 1);
    CHECK(text != NULL);
    if (count) memcpy(text, bytes, count);
    text[count] = 0;
    return text;
}

/* An input that is read piece by piece. */
typedef struct {
    const uint8_t *at;
    size_t left;
} FuzzInput;

/* Returns the next byte, or 0 at the end. */
static inline uint8_t fuzz_byte(FuzzInput *input) {
    if (!input->left) return 0;
    input->left--;
    return *input->at++;
}

/* Copies the next `count` bytes to `out`. After the end of the input they are zeros. */
static inline void fuzz_bytes(FuzzInput *input, void *out, size_t count) {
    size_t there = count < input->left ? count : input->left;
    memset(out, 0, count);
    if (there) memcpy(out, input->at, there);
    input->at += there;
    input->left -= there;
}

static char fuzz_folder[128]; /* "" before the first call of fuzz_path() */

static inline int fuzz_remove_entry(const char *path, const struct stat *info, int kind,
                                    struct FTW *where) {
    (void)info, (void)kind, (void)where;
    return remove(path);
}

static inline void fuzz_remove_folder(void) {
    CHECK(!nftw(fuzz_folder, fuzz_remove_entry, 16, FTW_DEPTH | FTW_PHYS));
}

/* Returns the path of a file in a folder that belongs to this process. A normal exit removes the
 * folder with all files in it; after a failed CHECK the folder stays. If $TMPDIR is set, the folder
 * is made there. Otherwise it is made in /dev/shm if this exists. /dev/shm is in memory and
 * therefore fast, and the tested code syncs many files. */
static inline Path fuzz_path(const char *name) {
    const char *parent = getenv("TMPDIR");
    Path path;
    if (!*fuzz_folder) {
        if (!parent) parent = file_exists("/dev/shm") ? "/dev/shm" : "/tmp";
        CHECK(snprintf(fuzz_folder, sizeof fuzz_folder, "%s/aji-fuzz-XXXXXX", parent) <
              (int)sizeof fuzz_folder);
        CHECK(mkdtemp(fuzz_folder) != NULL);
        CHECK(!atexit(fuzz_remove_folder));
    }
    CHECK(!path_join(&path, fuzz_folder, name, NULL));
    return path;
}

/* Writes a file only by the C library, not by the code that is tested. */
static inline void fuzz_write(const char *path, const void *bytes, size_t count) {
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK(fwrite(bytes, 1, count, file) == count);
    CHECK(fclose(file) == 0);
}

/* Writes the input as a tensor file (nn/graph/tensor_file.h). Such a file begins with the length
 * of its header. A fuzzer that changes the header can hardly keep this length right. Therefore
 * an input may also begin with '{'. Then it consists of a header, a 0 byte and the data, and
 * this function writes the length before them. */
static inline void fuzz_write_tensors(const char *path, const uint8_t *bytes, size_t count) {
    const uint8_t *end = count && *bytes == '{' ? memchr(bytes, 0, count) : NULL;
    if (!end) {
        fuzz_write(path, bytes, count);
        return;
    }
    size_t header = (size_t)(end - bytes);
    char *all = malloc(count + 8);
    CHECK(all != NULL);
    for (int i = 0; i < 8; i++)
        all[i] = (char)((uint64_t)header >> 8 * i);
    memcpy(all + 8, bytes, header);
    memcpy(all + 8 + header, end + 1, count - header - 1);
    fuzz_write(path, all, count + 7);
    free(all);
}
