/* Archives that are read one member at a time. In archives of all kinds, all wanted members are
 * read. Damaged members are named, and the members after them are still read. */
#include <zlib.h>

#include "base/formats/archive_reader.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "scratch.h"

static void save(const Scratch *scratch, const char *name, const StrBuf *bytes, Path *out) {
    *out = scratch_path(scratch, name);
    EXPECT_OK(file_write(out->text, bytes->text, bytes->length, err));
}

static void save_gzip(const Scratch *scratch, const char *name, const StrBuf *bytes, Path *out) {
    *out = scratch_path(scratch, name);
    gzFile file = gzopen(out->text, "wb");
    EXPECT_INT(bytes->length, gzwrite(file, bytes->text, (unsigned)bytes->length));
    EXPECT_INT(Z_OK, gzclose(file));
}

static void pad(StrBuf *tar) {
    static const char ZERO[512];
    strbuf_add_bytes(tar, ZERO, (512 - tar->length % 512) % 512);
}

/* Adds a member as tar writes it. The header has a checksum, the sum of its bytes. */
static void add_member(StrBuf *tar, const char *name, char type, const char *content, size_t size) {
    char header[512] = {0};
    unsigned sum = 0;
    snprintf(header, 100, "%s", name);
    snprintf(header + 124, 12, "%011o", (unsigned)size);
    memset(header + 148, ' ', 8);
    header[156] = type;
    memcpy(header + 257,
           "ustar\0"
           "00",
           8);
    for (int i = 0; i < 512; i++)
        sum += (unsigned char)header[i];
    snprintf(header + 148, 8, "%06o", sum);
    strbuf_add_bytes(tar, header, sizeof header);
    strbuf_add_bytes(tar, content, size);
    pad(tar);
}

static void end_tar(StrBuf *tar) {
    static const char ZERO[1024];
    strbuf_add_bytes(tar, ZERO, sizeof ZERO);
}

static bool is_game(const char *name) {
    return path_has_ending(name, ".sgf");
}

/* Reads the archive to its end, and writes each member as "name=content;" and each failure as
 * "!;". */
static void read_all(const char *path, size_t limit, StrBuf *out, Error *fault) {
    ArchiveReader *reader;
    ArchiveReaderSetup setup = {.member_bytes = limit, .is_wanted = is_game};
    bool done = false;
    if (archive_reader_open(path, &setup, &reader, fault)) {
        strbuf_add(out, "refused");
        return;
    }
    for (int i = 0; i < 100 && !done; i++) {
        ZipMember member;
        if (archive_reader_next(reader, &member, &done, fault))
            strbuf_add(out, "!;");
        else if (!done)
            strbuf_addf(out, "%s=%.*s;", member.name, (int)member.count, (char *)member.bytes);
    }
    EXPECT_TRUE(done);
    archive_reader_close(reader);
}

static void expect_members(const char *want, const char *path, size_t limit, const char *message) {
    StrBuf got = {0};
    Error fault = {0};
    read_all(path, limit, &got, &fault);
    EXPECT_TEXT(want, strbuf_text(&got));
    EXPECT_CONTAINS(fault.message, message);
    strbuf_clear(&got);
}

static void make_tar(StrBuf *tar) {
    add_member(tar, "folder/", '5', "", 0);
    add_member(tar, "folder/a.sgf", '0', "first", 5);
    add_member(tar, "read.me", '0', "no game", 7);
    add_member(tar, "longname", 'L', "a/long/name.sgf", 16);
    add_member(tar, "cut", '0', "second", 6);
    add_member(tar, "pax", 'x', "18 path=pax/n.sgf\n", 18);
    add_member(tar, "other", '0', "third", 5);
    add_member(tar, "empty.sgf", 0, "", 0);
}

static const char ALL[] = "folder/a.sgf=first;a/long/name.sgf=second;pax/n.sgf=third;empty.sgf=;";

TEST(tar_archives_give_all_members) {
    Scratch scratch = scratch_new();
    StrBuf tar = {0};
    Path path;
    make_tar(&tar);
    end_tar(&tar);
    save(&scratch, "x.tar", &tar, &path);
    expect_members(ALL, path.text, 100, "");
    save_gzip(&scratch, "x.tar.gz", &tar, &path);
    expect_members(ALL, path.text, 100, "");
    save_gzip(&scratch, "x.tgz", &tar, &path);
    expect_members(ALL, path.text, 100, "");
    strbuf_clear(&tar);
    scratch_remove(&scratch);
}

TEST(a_member_beyond_the_limit_is_passed_over) {
    Scratch scratch = scratch_new();
    StrBuf tar = {0};
    Path path;
    make_tar(&tar);
    end_tar(&tar);
    save(&scratch, "x.tar", &tar, &path);
    expect_members("folder/a.sgf=first;!;pax/n.sgf=third;empty.sgf=;", path.text, 5,
                   "a/long/name.sgf has 6 bytes, more than the limit of 5");
    strbuf_clear(&tar);
    scratch_remove(&scratch);
}

TEST(a_tar_that_is_cut_gives_what_is_whole) {
    Scratch scratch = scratch_new();
    StrBuf tar = {0};
    Path path;
    make_tar(&tar);
    end_tar(&tar);
    tar.length = 512 + 512 + 256; /* in the middle of the block with the content of a.sgf */
    save(&scratch, "x.tar", &tar, &path);
    expect_members("!;", path.text, 100, "cut short in ");
    tar.length = 512 + 1024; /* after this block */
    save(&scratch, "x.tar", &tar, &path);
    expect_members("folder/a.sgf=first;!;", path.text, 100, "the archive is cut short");
    tar.text[512 + 3]++; /* makes the checksum wrong */
    save(&scratch, "x.tar", &tar, &path);
    expect_members("!;", path.text, 100, "a header is broken");
    tar.length = 0;
    save(&scratch, "x.tar", &tar, &path);
    expect_members("!;", path.text, 100, "the archive is cut short");
    strbuf_clear(&tar);
    scratch_remove(&scratch);
}

TEST(a_gzip_stream_that_is_cut_is_named) {
    Scratch scratch = scratch_new();
    StrBuf tar = {0}, packed = {0};
    Path path;
    Rng rng = rng_seeded(5);
    char noise[20000];
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)rng_next(&rng);
    add_member(&tar, "a.sgf", '0', "first", 5);
    add_member(&tar, "noise", '0', noise, sizeof noise);
    add_member(&tar, "b.sgf", '0', "second", 6);
    end_tar(&tar);
    save_gzip(&scratch, "x.tar.gz", &tar, &path);
    expect_members("a.sgf=first;b.sgf=second;", path.text, 100, "");
    Arena arena = {0};
    char *text;
    size_t length;
    EXPECT_OK(file_read(path.text, 1 << 20, &arena, &text, &length, err));
    strbuf_add_bytes(&packed, text, length / 2);
    save(&scratch, "x.tar.gz", &packed, &path);
    expect_members("a.sgf=first;!;", path.text, 100, "cut short");
    arena_clear(&arena);
    strbuf_clear(&packed);
    strbuf_clear(&tar);
    scratch_remove(&scratch);
}

TEST(an_archive_that_unpacks_to_too_much_is_given_up) {
    Scratch scratch = scratch_new();
    StrBuf tar = {0};
    Path path;
    size_t size = 5 << 20;
    char *zeros = calloc(size, 1);
    for (int i = 0; i < 16; i++)
        add_member(&tar, "zeros.sgf", '0', zeros, size);
    add_member(&tar, "b.sgf", '0', "never read", 10);
    end_tar(&tar);
    save_gzip(&scratch, "x.tar.gz", &tar, &path);
    StrBuf got = {0};
    Error fault = {0};
    read_all(path.text, 100, &got, &fault);
    EXPECT_CONTAINS(fault.message, "unpacks to more than 64 MiB plus 200 times its size");
    EXPECT_TRUE(!strstr(strbuf_text(&got), "never"));
    strbuf_clear(&got);
    free(zeros);
    strbuf_clear(&tar);
    scratch_remove(&scratch);
}

static void make_zip(const Path *path, int members) {
    ZipWriter *writer;
    char name[32], content[32];
    EXPECT_OK(zip_writer_open(path->text, 1, &writer, err));
    EXPECT_OK(zip_writer_add(writer, "folder/", NULL, 0, err));
    EXPECT_OK(zip_writer_add(writer, "read.me", "text", 4, err));
    for (int i = 0; i < members; i++) {
        snprintf(name, sizeof name, "%d.sgf", i);
        snprintf(content, sizeof content, "game %d", i);
        EXPECT_OK(zip_writer_add(writer, name, content, strlen(content), err));
    }
    EXPECT_OK(zip_writer_commit(writer, err));
}

TEST(zip_archives_give_all_members) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "x.zip");
    make_zip(&path, 3);
    expect_members("0.sgf=game 0;1.sgf=game 1;2.sgf=game 2;", path.text, 100, "");
    scratch_remove(&scratch);
}

TEST(a_damaged_member_of_a_zip_does_not_stop_the_others) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "x.zip");
    Arena arena = {0};
    char *text;
    size_t length;
    make_zip(&path, 3);
    EXPECT_OK(file_read(path.text, 1 << 20, &arena, &text, &length, err));
    for (size_t i = 0; i + 5 < length; i++) {
        if (memcmp(text + i, "1.sgf", 5) != 0) continue;
        text[i + 7] ^= 0x55; /* in the packed content */
        break;
    }
    EXPECT_OK(file_write(path.text, text, length, err));
    expect_members("0.sgf=game 0;!;2.sgf=game 2;", path.text, 100, "1.sgf");
    EXPECT_OK(file_write(path.text, text, length / 2, err));
    expect_members("refused", path.text, 100, "is not a zip archive, or is cut short");
    arena_clear(&arena);
    scratch_remove(&scratch);
}

TEST(a_zip_member_that_unpacks_to_too_much_is_passed_over) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "x.zip");
    ZipWriter *writer;
    size_t size = (size_t)96 << 20;
    char *zeros = calloc(size, 1);
    EXPECT_OK(zip_writer_open(path.text, 9, &writer, err));
    EXPECT_OK(zip_writer_add(writer, "zeros.sgf", zeros, size, err));
    EXPECT_OK(zip_writer_add(writer, "game.sgf", "a game", 6, err));
    EXPECT_OK(zip_writer_commit(writer, err));
    free(zeros);
    EXPECT_TRUE(file_bytes(path.text) < 1 << 20);
    if (file_bytes(path.text) * 200 > 30 << 20) SKIP("zlib packs zeros less well here");
    expect_members("!;game.sgf=a game;", path.text, (size_t)1 << 30, "zeros.sgf unpacks to");
    scratch_remove(&scratch);
}

TEST(a_zip_may_have_thousands_of_members) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "x.zip");
    ArchiveReader *reader;
    ArchiveReaderSetup setup = {.member_bytes = 100};
    make_zip(&path, 3000);
    EXPECT_OK(archive_reader_open(path.text, &setup, &reader, err));
    int count = 0;
    for (bool done = false; !done; count++) {
        ZipMember member;
        EXPECT_OK(archive_reader_next(reader, &member, &done, err));
    }
    EXPECT_INT(3000 + 1 + 1, count); /* read.me, and the end */
    EXPECT_TRUE(archive_reader_offset(reader) > 0);
    archive_reader_close(reader);
    scratch_remove(&scratch);
}

TEST(a_compressed_file_is_a_member) {
    Scratch scratch = scratch_new();
    StrBuf text = {0};
    Path path;
    strbuf_add(&text, "(;SZ[9])");
    save_gzip(&scratch, "game.sgf.gz", &text, &path);
    expect_members("game.sgf=(;SZ[9]);", path.text, 100, "");
    EXPECT_FALSE(archive_reader_can_read("a.sgf"));
    strbuf_clear(&text);
    scratch_remove(&scratch);
}

TEST_MAIN(RUN(tar_archives_give_all_members), RUN(a_member_beyond_the_limit_is_passed_over),
          RUN(a_tar_that_is_cut_gives_what_is_whole), RUN(a_gzip_stream_that_is_cut_is_named),
          RUN(an_archive_that_unpacks_to_too_much_is_given_up), RUN(zip_archives_give_all_members),
          RUN(a_damaged_member_of_a_zip_does_not_stop_the_others),
          RUN(a_zip_member_that_unpacks_to_too_much_is_passed_over),
          RUN(a_zip_may_have_thousands_of_members), RUN(a_compressed_file_is_a_member))
