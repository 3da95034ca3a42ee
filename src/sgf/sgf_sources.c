#include "sgf/sgf_sources.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"

#define MEMBER_BYTES_MAX ((size_t)1 << 30)

/* sgf_sources_next() takes the next game of `games`. If there is none, it opens the next file. */
struct SgfSources {
    SgfOptions options;
    FileSources *files;
    SgfCollection *games; /* or NULL */
};

static bool is_game_file(const char *name) {
    return path_has_ending(name, ".sgf") || path_has_ending(name, ".sgfs");
}

Status sgf_sources_open(const SgfSourcesSetup *setup, SgfSources **out, Error *err) {
    const FileSourcesSetup files = {.paths = setup->paths,
                                    .count = setup->count,
                                    .except = setup->except,
                                    .is_wanted = is_game_file,
                                    .bytes_max = MEMBER_BYTES_MAX,
                                    .what = "file of games (.sgf, .sgfs, .zip, .tar.gz)"};
    SgfSources *sources;
    *out = NULL;
    Status status = mem_new(1, sizeof *sources, &sources, err);
    if (status) return status;
    if (setup->options) sources->options = *setup->options;
    status = file_sources_open(&files, &sources->files, err);
    if (status)
        sgf_sources_close(sources);
    else
        *out = sources;
    return status;
}

void sgf_sources_close(SgfSources *sources) {
    if (!sources) return;
    sgf_collection_close(sources->games);
    file_sources_close(sources->files);
    free(sources);
}

Status sgf_sources_next(SgfSources *sources, SgfGame *out, bool *done, Error *err) {
    *out = (SgfGame){0};
    for (;;) {
        if (sources->games) {
            bool none;
            *done = false;
            Status status = sgf_collection_next(sources->games, out, &none, err);
            if (status || !none) return status;
            sgf_collection_close(sources->games);
            sources->games = NULL;
        }
        SourceFile file;
        Status status = file_sources_next(sources->files, &file, done, err);
        if (!status && !*done)
            status = sgf_collection_open_text(file.name, file.bytes, file.count, &sources->options,
                                              &sources->games, err);
        if (status || *done) return status;
    }
}

const FileSources *sgf_sources_files(const SgfSources *sources) {
    return sources->files;
}
