/* file_sources.h - the contents of many files, one after the other. The files may be compressed
 * (.gz), they may be members of archives (.zip, .tar, .tar.gz, .tgz), and they and the archives may
 * be in folders. Only one file, or one member of an archive, is in memory at a time. Call
 * file_sources_open(), then file_sources_next() until `*done`, then file_sources_close().
 * Threading: confined. */
#pragma once
#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

typedef struct FileSources FileSources; /* opaque */

typedef struct {
    const char *const *paths; /* files and folders; files are read whatever their names are */
    int count;
    /* The folder in which the caller writes what it makes from the files. It is skipped if it is
     * found inside one of `paths`, and refused if it is one of them. NULL: there is none. */
    const char *except;
    /* Whether a file with this name is wanted. In folders and archives, other files are ignored. */
    bool (*is_wanted)(const char *name);
    size_t bytes_max; /* a file or member that has or unpacks to more is an error */
    /* Whether files that are compressed inside an archive (.gz) are unpacked too. */
    bool unpack_members;
    const char *what; /* what is looked for, for messages: "file of games (.sgf, .zip)" */
} FileSourcesSetup;
/* Lists the files. Those in folders come in the order of their names, so that the files always come
 * in the same order. ERR_ARGUMENT: `except` is one of the paths. ERR_IO: a path does not exist,
 * folders are nested more than 16 deep, or no wanted file was found. ERR_MEMORY. */
MUST_USE Status file_sources_open(const FileSourcesSetup *setup, FileSources **out, Error *err);

/* A file or a member of an archive. It is valid until the next call of file_sources_next(). */
typedef struct {
    const char *name;  /* the path; for a member of an archive "PATH:MEMBER" */
    const char *bytes; /* has a 0 behind the last byte */
    size_t count;
} SourceFile;
/* Reads the next file or member. Sets `*done` to true if there is none. Fails if a file or a member
 * cannot be read; the message names this file or member. The next call continues after it, except
 * perhaps after ERR_MEMORY. */
MUST_USE Status file_sources_next(FileSources *sources, SourceFile *out, bool *done, Error *err);

/* How far the files have been read. The list has `files` files, where an archive is one file, and
 * `files_read` of them have been opened. `bytes` is the size of all files on the disk. `bytes_read`
 * is the size of the files before the file that was opened last, plus archive_reader_offset() while
 * an archive is open. */
typedef struct {
    int files, files_read;
    int64_t bytes, bytes_read;
} FileSourcesState;
FileSourcesState file_sources_state(const FileSources *sources);
/* Returns the path of a file of the list, or NULL if `index` is not below
 * FileSourcesState.files. */
const char *file_sources_path(const FileSources *sources, int index);
void file_sources_close(FileSources *sources); /* NULL is fine */
