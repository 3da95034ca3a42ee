/* sgf_sources.h - reads the games of many files, one after the other. The files are .sgf and .sgfs
 * files. They may be compressed (.gz), be in archives (.zip, .tar, .tar.gz, .tgz), or be in
 * folders, which may also have archives. Only one file, or one member of an archive, is in memory
 * at a time. Call sgf_sources_open(), then sgf_sources_next() until `*done`, then
 * sgf_sources_close(). Threading: confined. */
#pragma once
#include "base/formats/file_sources.h"
#include "sgf/sgf_game.h"

typedef struct SgfSources SgfSources; /* opaque */

typedef struct {
    const char *const *paths; /* files and folders */
    int count;
    const char *except;        /* FileSourcesSetup.except */
    const SgfOptions *options; /* NULL: the defaults; copied except `rules` */
} SgfSourcesSetup;
/* Lists the files, as file_sources_open() does. The rules in the options must outlive `*out`.
 * ERR_IO: a path does not exist, folders are nested more than 16 deep, or no file of games was
 * found. ERR_MEMORY. */
MUST_USE Status sgf_sources_open(const SgfSourcesSetup *setup, SgfSources **out, Error *err);
/* Overwrites `*out` with the next game. The caller clears `*out`. Sets `*done` to true if there are
 * no more games. If a game, a member of an archive or the rest of a file cannot be read, fails with
 * a message that names the file and the member. The next call then continues after the part that
 * cannot be read; after ERR_MEMORY, this is not certain. */
MUST_USE Status sgf_sources_next(SgfSources *sources, SgfGame *out, bool *done, Error *err);
const FileSources *sgf_sources_files(const SgfSources *sources); /* the files that are read */
void sgf_sources_close(SgfSources *sources);                     /* NULL is fine */
