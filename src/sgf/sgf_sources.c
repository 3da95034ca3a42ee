#include "sgf/sgf_sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/archive_reader.h"
#include "base/file.h"

enum { DEPTH_MAX = 16 };
#define MEMBER_BYTES_MAX ((size_t)1 << 30)

typedef struct {
    char *path;
    int64_t bytes;
} SourceFile;

/* The list of files, and the archive and the games that are open. sgf_sources_next() takes the next
 * game of `games`. If there is none, it opens the next member of `archive`, or else the next file
 * of the list. */
struct SgfSources {
    SgfOptions options;
    const char *except; /* borrowed; of use only while files are listed */
    Arena arena;        /* the paths */
    SourceFile *files;
    size_t count, capacity, next; /* files[next - 1] is open */
    int64_t bytes, bytes_before;  /* bytes of all files, and of those before files[next - 1] */
    ArchiveReader *archive;       /* or NULL */
    SgfCollection *games;         /* or NULL */
};

static bool is_game_file(const char *name) {
    return path_has_ending(name, ".sgf") || path_has_ending(name, ".sgfs");
}

static Status add_file(SgfSources *sources, const char *path, int64_t bytes, Error *err) {
    char *copy = arena_copy(&sources->arena, path, strlen(path));
    Status status = copy ? mem_grow(&sources->files, &sources->capacity, sources->count + 1,
                                    sizeof *sources->files, err)
                         : fail(err, ERR_MEMORY, "no memory for the names of files");
    if (status) return status;
    sources->files[sources->count++] = (SourceFile){copy, bytes};
    sources->bytes += bytes;
    return OK;
}

static Status add_path(SgfSources *sources, const char *path, int depth, Error *err) {
    struct stat info;
    Arena arena = {0};
    char **names;
    int count = 0;
    if (stat(path, &info)) return fail(err, ERR_IO, "%s: there is no such file or folder", path);
    if (!S_ISDIR(info.st_mode)) return add_file(sources, path, info.st_size, err);
    if (depth > DEPTH_MAX)
        return fail(err, ERR_IO, "%s: more than %d folders within each other", path, DEPTH_MAX);
    Status status = directory_list(path, &arena, &names, &count, err);
    for (int i = 0; i < count && !status; i++) {
        Path inner;
        status = path_join(&inner, path, names[i], err);
        if (status || stat(inner.text, &info)) continue;
        if (sources->except && file_same(inner.text, sources->except)) continue;
        if (S_ISDIR(info.st_mode) || is_game_file(names[i]) || archive_reader_can_read(names[i]))
            status = add_path(sources, inner.text, depth + 1, err);
    }
    arena_clear(&arena);
    return status;
}

Status sgf_sources_open(const SgfSourcesSetup *setup, SgfSources **out, Error *err) {
    SgfSources *sources;
    *out = NULL;
    Status status = mem_new(1, sizeof *sources, &sources, err);
    if (status) return status;
    if (setup->options) sources->options = *setup->options;
    sources->except = setup->except;
    for (int i = 0; i < setup->count && !status; i++)
        status = add_path(sources, setup->paths[i], 0, err);
    if (!status && !sources->count)
        status = fail(err, ERR_IO, "%s: there is no file of games (.sgf, .sgfs, .zip, .tar.gz)",
                      setup->count ? setup->paths[0] : "");
    sources->except = NULL;
    if (status)
        sgf_sources_close(sources);
    else
        *out = sources;
    return status;
}

void sgf_sources_close(SgfSources *sources) {
    if (!sources) return;
    sgf_collection_close(sources->games);
    archive_reader_close(sources->archive);
    arena_clear(&sources->arena);
    free(sources->files);
    free(sources);
}

/* Opens the next member of the archive, or closes the archive if there is none. */
static Status open_member(SgfSources *sources, Error *err) {
    const char *path = sources->files[sources->next - 1].path;
    ZipMember member;
    bool done;
    StrBuf name = {0};
    Status status = archive_reader_next(sources->archive, &member, &done, err);
    if (status) return status;
    if (done) {
        archive_reader_close(sources->archive);
        sources->archive = NULL;
        return OK;
    }
    strbuf_addf(&name, "%s:%s", path, member.name);
    status = strbuf_status(&name, err);
    if (!status)
        status = sgf_collection_open_text(strbuf_text(&name), (const char *)member.bytes,
                                          member.count, &sources->options, &sources->games, err);
    strbuf_clear(&name);
    return status;
}

static Status open_file(SgfSources *sources, Error *err) {
    const SourceFile *file = &sources->files[sources->next];
    if (sources->next) sources->bytes_before += sources->files[sources->next - 1].bytes;
    sources->next++;
    if (!archive_reader_can_read(file->path))
        return sgf_collection_open(file->path, &sources->options, &sources->games, err);
    ArchiveReaderSetup setup = {.member_bytes = MEMBER_BYTES_MAX, .is_wanted = is_game_file};
    return archive_reader_open(file->path, &setup, &sources->archive, err);
}

Status sgf_sources_next(SgfSources *sources, SgfGame *out, bool *done, Error *err) {
    *out = (SgfGame){0};
    for (;;) {
        Status status = OK;
        *done = false;
        if (sources->games) {
            bool none;
            status = sgf_collection_next(sources->games, out, &none, err);
            if (status || !none) return status;
            sgf_collection_close(sources->games);
            sources->games = NULL;
        } else if (sources->archive) {
            status = open_member(sources, err);
        } else if (sources->next < sources->count) {
            status = open_file(sources, err);
        } else {
            *done = true;
            return OK;
        }
        if (status) return status;
    }
}

SgfSourcesState sgf_sources_state(const SgfSources *sources) {
    int64_t inside = sources->archive ? archive_reader_offset(sources->archive) : 0;
    return (SgfSourcesState){.files = (int)sources->count,
                             .files_read = (int)sources->next,
                             .bytes = sources->bytes,
                             .bytes_read = sources->bytes_before + inside};
}

const char *sgf_sources_path(const SgfSources *sources, int index) {
    return index >= 0 && (size_t)index < sources->count ? sources->files[index].path : NULL;
}
