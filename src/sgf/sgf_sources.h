/* sgf_sources.h - the games of many files, one after the other: of .sgf and .sgfs files, alone or
 * compressed (.gz), in archives (.zip, .tar, .tar.gz, .tgz), and in folders of all these. Only one
 * file, or one member of an archive, is in memory at a time. Call sgf_sources_open(), then
 * sgf_sources_next() until `*done`, then sgf_sources_close(). Threading: confined. */
#pragma once
#include "sgf/sgf_game.h"

typedef struct SgfSources SgfSources; /* opaque */

typedef struct {
    const char *const *paths; /* files and folders */
    int count;
    /* A folder that is passed over if it lies in one of the others, because it is made from their
     * games; or NULL. */
    const char *except;
    const SgfOptions *options; /* NULL: the defaults; copied, but not the rules in them */
} SgfSourcesSetup;
/* Lists the files. Those in folders come in the order of their names, so that the games always come
 * in the same order. In folders and archives, files with other endings are ignored. The rules in
 * the options must outlive the result. ERR_IO: a path does not exist, or no file of games was
 * found. ERR_MEMORY. */
MUST_USE Status sgf_sources_open(const SgfSourcesSetup *setup, SgfSources **out, Error *err);
/* Overwrites `*out` with the next game, which the caller clears. Sets `*done` to true if there is
 * none. It fails if a game, a member of an archive or the rest of a file cannot be read, with a
 * message that names the file and the member. The next call then continues after that part, except
 * perhaps after ERR_MEMORY. */
MUST_USE Status sgf_sources_next(SgfSources *sources, SgfGame *out, bool *done, Error *err);

typedef struct {
    int files, files_read;     /* of the list; an archive is one file */
    int64_t bytes, bytes_read; /* of these files as they are on the disk */
} SgfSourcesState;
SgfSourcesState sgf_sources_state(const SgfSources *sources);
/* Returns the path of a file of the list, or NULL if `index` is not below SgfSourcesState.files. */
const char *sgf_sources_path(const SgfSources *sources, int index);
void sgf_sources_close(SgfSources *sources); /* NULL is fine */
