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
    /* A folder that is skipped if it is found inside one of `paths`, for example because it holds
     * what is made from their games; or NULL. */
    const char *except;
    const SgfOptions *options; /* NULL: the defaults; copied, but not the rules in them */
} SgfSourcesSetup;
/* Lists the files. Those in folders come in the order of their names, so that the games always come
 * in the same order. In folders and archives, files with other endings are ignored. The rules in
 * the options must outlive `*out`. ERR_IO: a path does not exist, folders are nested more than 16
 * deep, or no file of games was found. ERR_MEMORY. */
MUST_USE Status sgf_sources_open(const SgfSourcesSetup *setup, SgfSources **out, Error *err);
/* Overwrites `*out` with the next game, which the caller clears. Sets `*done` to true if there is
 * none. It fails if a game, a member of an archive or the rest of a file cannot be read, with a
 * message that names the file and the member. The next call then continues after that part, except
 * perhaps after ERR_MEMORY. */
MUST_USE Status sgf_sources_next(SgfSources *sources, SgfGame *out, bool *done, Error *err);

/* How far the files have been read. The list has `files` files, where an archive is one file, and
 * `files_read` of them have been opened. `bytes` is the size of all files on the disk. `bytes_read`
 * is the size of those before the one that was opened last, plus archive_reader_offset() while an
 * archive is open. */
typedef struct {
    int files, files_read;
    int64_t bytes, bytes_read;
} SgfSourcesState;
SgfSourcesState sgf_sources_state(const SgfSources *sources);
/* Returns the path of a file of the list, or NULL if `index` is not below SgfSourcesState.files. */
const char *sgf_sources_path(const SgfSources *sources, int index);
void sgf_sources_close(SgfSources *sources); /* NULL is fine */
