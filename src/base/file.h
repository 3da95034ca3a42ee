/* file.h - files read whole and written atomically (beside, fsync, rename), directories, free
 * space. Threading: any thread; two writers of one path must not meet. */
#pragma once
#include "base/error.h"
#include "base/memory.h"
#include <stdint.h>
#include <stdio.h>

/* The whole file, or a pipe to its end, 0-terminated, in `arena`. ERR_IO: cannot be read, or larger
 * than `limit_bytes`.
 */
MUST_USE Status file_read(const char *path, size_t limit_bytes, Arena *arena, char **text,
                          size_t *length, Error *err);

/* A file in parts, whose first ones say how much is to follow. */
typedef struct {
    FILE *stream;
    const char *path; /* borrowed */
} FileReader;
MUST_USE Status file_reader_open(const char *path, FileReader *out, Error *err);
/* The next bytes: `most`, or fewer at the end. `*bytes`, freed by free(), grows as they come. */
MUST_USE Status file_reader_take(FileReader *reader, size_t most, char **bytes, size_t *length,
                                 Error *err);
void file_reader_close(FileReader *reader); /* {0} is fine */

/* Writes beside `path`, flushes to disk, renames. On failure `path` is as before and nothing is
 * left. */
MUST_USE Status file_write(const char *path, const void *bytes, size_t count, Error *err);

/* The same for writers that stream: write to file->stream, then commit or abandon. Until then it is
 * PATH.PID.tmp, and locked. A pipe or device is written as it stands, under its own name. */
typedef struct {
    FILE *stream;
    char *path, *temporary; /* NULL: none, a pipe or device */
} AtomicFile;
MUST_USE Status atomic_file_open(const char *path, AtomicFile *out, Error *err);
MUST_USE Status atomic_file_commit(AtomicFile *file, Error *err); /* closes either way */
void atomic_file_abandon(AtomicFile *file);

/* Before long work: whether atomic_file_open() will do. The file is left as it is. */
MUST_USE Status file_can_write(const char *path, Error *err);

/* Whole lines stay whole: one that was begun and not ended, by a writer that was killed or found no
 * room, is taken away first. Not for files with several writers. */
MUST_USE Status file_append_line(const char *path, const char *line, Error *err);
bool file_exists(const char *path);
int64_t file_bytes(const char *path);         /* -1: not there */
bool file_same(const char *a, const char *b); /* both are there, and are one file by any path */
MUST_USE Status file_remove(const char *path, Error *err); /* not there is OK */
MUST_USE Status file_rename(const char *from, const char *to, Error *err);
MUST_USE Status directory_make(const char *path,
                               Error *err); /* with parents; there already is OK */
int64_t disk_free_bytes(const char *path);  /* -1: unknown */

/* The names in a directory, sorted, without "." and ".." and without names ending in ".tmp" (files
 * being written). In `arena`. A directory that is not there has none. */
MUST_USE Status directory_list(const char *path, Arena *arena, char ***names, int *count,
                               Error *err);

/* Removes what writers that are gone left in a directory: NAME.PID.tmp that nobody has locked, on
 * this machine or another that sees it. Returns how many; where a file system knows no locks, all
 * stay. */
int directory_sweep(const char *path);

/* "a/b" in a fixed buffer; ERR_ARGUMENT: it is too long for it. */
typedef struct {
    char text[1024];
} Path;
MUST_USE Status path_join(Path *out, const char *directory, const char *name, Error *err);
const char *path_name(const char *path);                    /* what follows the last '/' */
bool path_has_ending(const char *path, const char *ending); /* as in ".sgf" */
