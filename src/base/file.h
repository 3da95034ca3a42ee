/* file.h - reading whole files, writing files atomically (to a temporary file that is synced to
 * disk and renamed), directories, free space. Threading: any thread, but two threads must not write
 * the same path at the same time. */
#pragma once
#include "base/error.h"
#include "base/memory.h"
#include <stdint.h>
#include <stdio.h>

/* Reads a whole file, or a pipe to its end, into `arena` and adds a final 0. ERR_IO: the file
 * cannot be read, or is larger than `limit_bytes`. */
MUST_USE Status file_read(const char *path, size_t limit_bytes, Arena *arena, char **text,
                          size_t *length, Error *err);

/* A file that is read in parts, because its first parts say how much follows. */
typedef struct {
    FILE *stream;
    const char *path; /* borrowed */
} FileReader;
MUST_USE Status file_reader_open(const char *path, FileReader *out, Error *err);
/* Reads the next `max_bytes` bytes, or fewer at the end of the file. The caller frees `*bytes`.
 * Memory is allocated as the bytes arrive, so a `max_bytes` that is far too large costs nothing. */
MUST_USE Status file_reader_take(FileReader *reader, size_t max_bytes, char **bytes, size_t *length,
                                 Error *err);
void file_reader_close(FileReader *reader); /* {0} is fine */

/* Writes to a temporary file beside `path`, syncs it to disk and renames it. On failure `path` is
 * unchanged, and the temporary file is gone. A pipe, a device or a name such as /dev/stdout is
 * written directly instead. */
MUST_USE Status file_write(const char *path, const void *bytes, size_t count, Error *err);

/* Does what file_write() does, for content that is written piece by piece. Write to file->stream,
 * then commit or abandon the file. Until then the temporary file, PATH.PID.tmp, is locked. */
typedef struct {
    FILE *stream;
    char *path, *temporary; /* `temporary` is NULL if the file is written directly */
} AtomicFile;
MUST_USE Status atomic_file_open(const char *path, AtomicFile *out, Error *err);
MUST_USE Status atomic_file_commit(AtomicFile *file, Error *err); /* closes on failure too */
void atomic_file_abandon(AtomicFile *file);

/* Checks, before long work, that the file can be written. The file stays as it is. A pipe or device
 * is not checked. */
MUST_USE Status file_can_write(const char *path, Error *err);

/* Appends a line. First removes an unfinished last line, which a writer leaves if it is killed or
 * the disk is full. Must not be used for files with several writers. */
MUST_USE Status file_append_line(const char *path, const char *line, Error *err);
bool file_exists(const char *path);
bool file_is_directory(const char *path);
int64_t file_bytes(const char *path);                      /* -1 if there is no such file */
bool file_same(const char *a, const char *b);              /* both exist and are the same file */
MUST_USE Status file_remove(const char *path, Error *err); /* OK if there is no such file */
MUST_USE Status file_rename(const char *from, const char *to, Error *err);
/* Syncs a directory to disk, so that the names in it survive a loss of power. The functions of this
 * header that make, rename or remove files do this themselves, except file_append_line() and the
 * functions that remove temporary files. But if a process is killed after it has changed a name and
 * before it has synced the directory, a loss of power can still undo this change later. Failures
 * are ignored. */
void directory_sync(const char *path);
void file_sync_name(const char *path); /* syncs the directory in which the file is */
/* Makes the directory and its parents. It is no error if the directory exists. */
MUST_USE Status directory_make(const char *path, Error *err);
/* Removes the files of a directory and the directory itself. It is no error if there is no such
 * directory. ERR_IO: something cannot be removed, for example a directory inside. */
MUST_USE Status directory_remove(const char *path, Error *err);
int64_t disk_free_bytes(const char *path); /* -1 if this is unknown */

/* Lists the names in a directory in sorted order; they live in `arena`. Leaves out ".", ".." and
 * names that end in ".tmp" (files that are being written). For a directory that does not exist,
 * the list is empty. */
MUST_USE Status directory_list(const char *path, Arena *arena, char ***names, int *count,
                               Error *err);

/* Removes the temporary files (NAME.PID.tmp) whose writers are gone, and returns how many it
 * removed. The writer of a file is gone if no process holds the lock of the file, on this machine
 * or on another machine that shares the directory. On a file system without locks all files
 * stay. */
int directory_sweep(const char *path);

/* A path of limited length. */
typedef struct {
    char text[1024];
} Path;
/* Joins "a" and "b" to "a/b". ERR_ARGUMENT: the result does not fit into a Path. */
MUST_USE Status path_join(Path *out, const char *directory, const char *name, Error *err);
const char *path_name(const char *path); /* what follows the last '/', or all of it */
bool path_has_ending(const char *path, const char *ending); /* for example ".sgf" */
