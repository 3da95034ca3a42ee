#include "base/formats/file_sources.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/file_walk.h"
#include "base/formats/archive_reader.h"
#include "base/strbuf.h"

enum { UNPACKED_RATIO = 200, UNPACKED_FREE_BYTES = 64 << 20 };

typedef struct {
    char *path;
    int64_t bytes;
} ListedFile;

/* The list of files, and the archive that is open. file_sources_next() takes the next member of
 * `archive`. If there is none, it opens the next file of the list. */
struct FileSources {
    FileSourcesSetup setup; /* `paths` and `except` are of use only while files are listed */
    Arena names;            /* the paths */
    ListedFile *files;
    size_t count, capacity, next; /* files[next - 1] is open */
    int64_t bytes, bytes_before;  /* bytes of all files, and of those before files[next - 1] */
    ArchiveReader *archive;       /* or NULL */
    Arena content;                /* the file that was handed out, if it is not in `archive` */
    StrBuf name;                  /* of the member that was handed out */
};

static Status add_file(void *context, const char *path, int64_t bytes, Error *err) {
    FileSources *sources = context;
    char *copy = arena_copy(&sources->names, path, strlen(path));
    Status status = copy ? mem_grow(&sources->files, &sources->capacity, sources->count + 1,
                                    sizeof *sources->files, err)
                         : fail(err, ERR_MEMORY, "no memory for the names of files");
    if (status) return status;
    sources->files[sources->count++] = (ListedFile){copy, bytes};
    sources->bytes += bytes;
    return OK;
}

static bool is_wanted(void *context, const char *name) {
    const FileSources *sources = context;
    return sources->setup.is_wanted(name) || archive_reader_can_read(name);
}

Status file_sources_open(const FileSourcesSetup *setup, FileSources **out, Error *err) {
    FileSources *sources;
    *out = NULL;
    Status status = mem_new(1, sizeof *sources, &sources, err);
    if (status) return status;
    sources->setup = *setup;
    const FileWalk walk = {is_wanted, setup->except, add_file, sources};
    for (int i = 0; i < setup->count && !status; i++) {
        if (setup->except && file_same(setup->paths[i], setup->except))
            status = fail(err, ERR_ARGUMENT,
                          "%s: the folder that is read cannot be the one that is written",
                          setup->paths[i]);
        if (!status) status = file_walk(setup->paths[i], &walk, err);
    }
    if (!status && !sources->count)
        status = fail(err, ERR_IO, "%s: there is no %s", setup->count ? setup->paths[0] : "",
                      setup->what);
    if (status)
        file_sources_close(sources);
    else
        *out = sources;
    return status;
}

void file_sources_close(FileSources *sources) {
    if (!sources) return;
    archive_reader_close(sources->archive);
    arena_clear(&sources->names);
    arena_clear(&sources->content);
    strbuf_clear(&sources->name);
    free(sources->files);
    free(sources);
}

/* Unpacks a member that is compressed itself. */
static Status unpack_member(FileSources *sources, SourceFile *member, Error *err) {
    char *bytes;
    size_t ratio = UNPACKED_FREE_BYTES + (size_t)UNPACKED_RATIO * member->count,
           most = sources->setup.bytes_max;
    Status status = gzip_unpack(member->bytes, member->count, ratio < most ? ratio : most,
                                &sources->content, &bytes, &member->count, err);
    if (status) return fail_within(err, status, "%s", member->name);
    member->bytes = bytes;
    return OK;
}

/* Reads the next member of the archive. Closes the archive and sets `*none` if there is none. */
static Status next_member(FileSources *sources, SourceFile *out, bool *none, Error *err) {
    const char *path = sources->files[sources->next - 1].path;
    ZipMember member;
    Status status = archive_reader_next(sources->archive, &member, none, err);
    if (status) return status;
    if (*none) {
        archive_reader_close(sources->archive);
        sources->archive = NULL;
        return OK;
    }
    strbuf_reset(&sources->name);
    strbuf_addf(&sources->name, "%s:%s", path, member.name);
    status = strbuf_status(&sources->name, err);
    if (status) return status;
    *out = (SourceFile){strbuf_text(&sources->name), (const char *)member.bytes, member.count};
    if (!sources->setup.unpack_members || !path_has_ending(member.name, ".gz")) return OK;
    return unpack_member(sources, out, err);
}

/* Opens the next file of the list. If it is an archive, `*opened` is set; otherwise it is read. */
static Status next_file(FileSources *sources, SourceFile *out, bool *opened, Error *err) {
    const ListedFile *file = &sources->files[sources->next];
    if (sources->next) sources->bytes_before += sources->files[sources->next - 1].bytes;
    sources->next++;
    *opened = archive_reader_can_read(file->path);
    if (*opened) {
        const ArchiveReaderSetup setup = {.member_bytes = sources->setup.bytes_max,
                                          .is_wanted = sources->setup.is_wanted};
        return archive_reader_open(file->path, &setup, &sources->archive, err);
    }
    char *bytes;
    *out = (SourceFile){.name = file->path};
    Status status = file_read(file->path, sources->setup.bytes_max, &sources->content, &bytes,
                              &out->count, err);
    if (!status) out->bytes = bytes;
    return status;
}

Status file_sources_next(FileSources *sources, SourceFile *out, bool *done, Error *err) {
    arena_clear(&sources->content);
    for (;;) {
        bool again = false;
        Status status;
        *out = (SourceFile){0};
        *done = !sources->archive && sources->next == sources->count;
        if (*done) return OK;
        status = sources->archive ? next_member(sources, out, &again, err)
                                  : next_file(sources, out, &again, err);
        if (status || !again) return status;
    }
}

FileSourcesState file_sources_state(const FileSources *sources) {
    int64_t inside = sources->archive ? archive_reader_offset(sources->archive) : 0;
    return (FileSourcesState){.files = (int)sources->count,
                              .files_read = (int)sources->next,
                              .bytes = sources->bytes,
                              .bytes_read = sources->bytes_before + inside};
}

const char *file_sources_path(const FileSources *sources, int index) {
    return index >= 0 && (size_t)index < sources->count ? sources->files[index].path : NULL;
}
