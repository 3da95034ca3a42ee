/* The contents of files, archives and folders come one after the other in the order of their names.
 * Files that are compressed inside an archive are unpacked, and what cannot be read is named. */
#include "base/formats/archive.h"
#include "base/formats/file_sources.h"
#include "base/strbuf.h"
#include "gzip.h"
#include "scratch.h"

static bool is_wanted(const char *name) {
    return path_has_ending(name, ".txt") || path_has_ending(name, ".txt.gz");
}

static FileSourcesSetup setup_of(const char *const *path) {
    return (FileSourcesSetup){.paths = path,
                              .count = 1,
                              .is_wanted = is_wanted,
                              .bytes_max = 100,
                              .unpack_members = true,
                              .what = "file of text (.txt)"};
}

/* Reads everything, and writes each file as "name=content;" and each failure as "!message;". Names
 * lose the path of the folder. */
static void read_all(const Scratch *scratch, const FileSourcesSetup *setup, StrBuf *out) {
    FileSources *sources;
    size_t before = strlen(scratch->path) + 1;
    EXPECT_OK(file_sources_open(setup, &sources, err));
    for (bool done = false; !done;) {
        SourceFile file;
        Error fault = {0};
        if (file_sources_next(sources, &file, &done, &fault))
            strbuf_addf(out, "!%s;", strstr(fault.message, scratch->path) + before);
        else if (!done)
            strbuf_addf(out, "%s=%s;", file.name + before, file.bytes);
    }
    FileSourcesState state = file_sources_state(sources);
    EXPECT_INT(state.files, state.files_read);
    EXPECT_TRUE(state.bytes_read <= state.bytes);
    EXPECT_TRUE(file_sources_path(sources, state.files) == NULL);
    file_sources_close(sources);
}

TEST(members_that_are_compressed_are_unpacked) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "in.txt.gz");
    Arena arena = {0};
    StrBuf out = {0};
    char *packed;
    size_t length;
    static char zeros[101];
    write_gzip(path.text, "inside", 6, 9);
    EXPECT_OK(file_read(path.text, 1000, &arena, &packed, &length, err));
    ZipWriter *zip;
    EXPECT_OK(zip_writer_open(scratch_path(&scratch, "b.zip").text, 1, &zip, err));
    EXPECT_OK(zip_writer_add(zip, "a.txt.gz", packed, length, err));
    EXPECT_OK(zip_writer_add(zip, "b.txt.gz", packed, length - 4, err));
    EXPECT_OK(zip_writer_add(zip, "c.png", packed, length, err));
    EXPECT_OK(zip_writer_add(zip, "d.txt", "plain", 5, err));
    EXPECT_OK(zip_writer_commit(zip, err));
    scratch_file(&scratch, "a.txt", "first", 5);
    scratch_file(&scratch, "c.txt", zeros, sizeof zeros);
    scratch_file(&scratch, "d.png", "no text", 7);
    const char *folder = scratch.path;
    FileSourcesSetup setup = setup_of(&folder);
    read_all(&scratch, &setup, &out);
    EXPECT_CONTAINS(strbuf_text(&out), "a.txt=first;b.zip:a.txt.gz=inside;!b.zip:b.txt.gz: the "
                                       "compressed data are cut short;b.zip:d.txt=plain;!c.txt");
    EXPECT_CONTAINS(strbuf_text(&out), ";in.txt.gz:in.txt=inside;");
    EXPECT_TRUE(!strstr(strbuf_text(&out), "png"));
    setup.unpack_members = false;
    strbuf_reset(&out);
    read_all(&scratch, &setup, &out);
    EXPECT_CONTAINS(strbuf_text(&out), "b.zip:a.txt.gz=\x1f\x8b");
    strbuf_clear(&out);
    arena_clear(&arena);
    scratch_remove(&scratch);
}

/* A small member must not unpack to gigabytes, even if the caller allows such files. */
TEST(members_that_unpack_to_far_more_are_refused) {
    enum { ZEROS = 100 << 20 };
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "a.txt.gz");
    Arena arena = {0};
    char *zeros, *packed;
    size_t length;
    SourceFile file;
    Error fault = {0};
    bool done;
    EXPECT_OK(mem_new(ZEROS, 1, &zeros, err));
    write_gzip(path.text, zeros, ZEROS, 9);
    EXPECT_OK(file_read(path.text, ZEROS, &arena, &packed, &length, err));
    ZipWriter *zip;
    EXPECT_OK(zip_writer_open(scratch_path(&scratch, "b.zip").text, 1, &zip, err));
    EXPECT_OK(zip_writer_add(zip, "a.txt.gz", packed, length, err));
    EXPECT_OK(zip_writer_commit(zip, err));
    EXPECT_OK(file_remove(path.text, err));
    const char *folder = scratch.path;
    FileSourcesSetup setup = setup_of(&folder);
    setup.bytes_max = 2 * (size_t)ZEROS;
    FileSources *sources;
    EXPECT_OK(file_sources_open(&setup, &sources, err));
    EXPECT_STATUS(ERR_SYNTAX, file_sources_next(sources, &file, &done, &fault));
    EXPECT_CONTAINS(fault.message, "b.zip:a.txt.gz: ");
    EXPECT_OK(file_sources_next(sources, &file, &done, err));
    EXPECT_TRUE(done);
    file_sources_close(sources);
    free(zeros);
    arena_clear(&arena);
    scratch_remove(&scratch);
}

TEST(folders_without_such_files_are_refused) {
    Scratch scratch = scratch_new();
    const char *folder = scratch.path;
    FileSources *sources;
    Error fault = {0};
    scratch_file(&scratch, "d.png", "no text", 7);
    FileSourcesSetup setup = setup_of(&folder);
    EXPECT_STATUS(ERR_IO, file_sources_open(&setup, &sources, &fault));
    EXPECT_CONTAINS(fault.message, "there is no file of text (.txt)");
    folder = "/nowhere/at/all";
    EXPECT_STATUS(ERR_IO, file_sources_open(&setup, &sources, &fault));
    EXPECT_CONTAINS(fault.message, "/nowhere/at/all: there is no such file or folder");
    scratch_remove(&scratch);
}

TEST_MAIN(RUN(members_that_are_compressed_are_unpacked),
          RUN(members_that_unpack_to_far_more_are_refused),
          RUN(folders_without_such_files_are_refused))
