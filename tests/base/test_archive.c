/* Zip and gzip: files are read back as they were written. Files that are cut short, that are
 * damaged, or that unpack to too much are refused. */
#define _GNU_SOURCE /* fread_unlocked */
#include <errno.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/formats/archive.h"
#include "base/rng.h"
#include "gzip.h"
#include "scratch.h"

/* The functions below replace fread() and ferror() of the C library. After a test has set
 * `failing_read` to n, the n-th call of fread() fails as on a broken disk. If `failing_read` is 0,
 * no call fails. */
static atomic_int failing_read;
static atomic_bool read_failed;

size_t fread(void *bytes, size_t size, size_t count, FILE *stream) {
    if (failing_read && !--failing_read) {
        read_failed = true;
        errno = EIO;
        return 0;
    }
    return (fread_unlocked)(bytes, size, count, stream);
}

int ferror(FILE *stream) {
    return read_failed || ferror_unlocked(stream);
}

static Path write_zip(const Scratch *scratch, const char *name, int level) {
    static char zeros[50000];
    Path path = scratch_path(scratch, name);
    ZipWriter *writer;
    EXPECT_OK(zip_writer_open(path.text, level, &writer, err));
    EXPECT_OK(zip_writer_add(writer, "empty.npy", NULL, 0, err));
    EXPECT_OK(zip_writer_add(writer, "short.npy", "A\0B", 3, err));
    EXPECT_OK(zip_writer_add(writer, "long.npy", zeros, sizeof zeros, err));
    EXPECT_OK(zip_writer_commit(writer, err));
    return path;
}

static Status read_zip(const char *path, size_t limit, Error *err) {
    Arena arena = {0};
    ZipMember *members;
    int count;
    Status status = zip_read(path, limit, &arena, &members, &count, err);
    arena_clear(&arena);
    return status;
}

/* Reads the bytes of a file, which the test may then damage. */
static unsigned char *load(const char *path, Arena *arena, size_t *length) {
    char *text;
    EXPECT_OK(file_read(path, 1 << 24, arena, &text, length, err));
    return (unsigned char *)text;
}

TEST(members_are_read_back) {
    Scratch scratch = scratch_new();
    for (int level = 0; level <= 9; level += 3) {
        Path path = write_zip(&scratch, "a.npz", level);
        Arena arena = {0};
        ZipMember *members;
        int count;
        EXPECT_OK(zip_read(path.text, 50003, &arena, &members, &count, err));
        EXPECT_INT(3, count);
        EXPECT_TEXT("empty.npy", members[0].name);
        EXPECT_INT(0, members[0].count);
        EXPECT_INT(3, members[1].count);
        EXPECT_TRUE(memcmp(members[1].bytes, "A\0B", 3) == 0);
        EXPECT_INT(50000, members[2].count);
        EXPECT_INT(0, members[2].bytes[49999]);
        arena_clear(&arena);
    }
    scratch_remove(&scratch);
}

TEST(a_member_is_looked_at_without_the_others) {
    Scratch scratch = scratch_new();
    unsigned char bytes[8] = {0};
    Path path = write_zip(&scratch, "a.npz", 6);
    ZipPeek peek = {.name = "short", .ending = ".npy", .capacity = sizeof bytes, .bytes = bytes};
    EXPECT_OK(zip_peek(path.text, &peek, err));
    EXPECT_INT(3, peek.count);
    EXPECT_INT(3, peek.size);
    EXPECT_INT(50003, peek.total_size);
    EXPECT_TRUE(memcmp(bytes, "A\0B", 3) == 0);
    peek.name = "long.npy";
    EXPECT_OK(zip_peek(path.text, &peek, err));
    EXPECT_INT(8, peek.count);
    EXPECT_INT(50000, peek.size);
    EXPECT_INT(50003, peek.total_size);
    peek.name = "shor";
    EXPECT_STATUS(ERR_SYNTAX, zip_peek(path.text, &peek, NULL));
    peek.name = "empty";
    EXPECT_OK(zip_peek(path.text, &peek, err));
    EXPECT_INT(0, peek.count);
    Path other = scratch_path(&scratch, "none.npz");
    EXPECT_STATUS(ERR_IO, zip_peek(other.text, &peek, NULL));
    EXPECT_OK(file_write(other.text, "PK not", 6, err));
    EXPECT_STATUS(ERR_SYNTAX, zip_peek(other.text, &peek, NULL));
    scratch_remove(&scratch);
}

TEST(the_same_members_make_the_same_bytes) {
    Scratch scratch = scratch_new();
    Arena arena = {0};
    size_t first, second;
    unsigned char *one = load(write_zip(&scratch, "a.npz", 6).text, &arena, &first);
    unsigned char *two = load(write_zip(&scratch, "b.npz", 6).text, &arena, &second);
    EXPECT_INT(first, second);
    EXPECT_TRUE(memcmp(one, two, first) == 0);
    arena_clear(&arena);
    scratch_remove(&scratch);
}

TEST(nothing_is_seen_before_the_commit) {
    Scratch scratch = scratch_new();
    Path path = scratch_file(&scratch, "a.npz", "before", 6);
    ZipWriter *writer;
    EXPECT_OK(zip_writer_open(path.text, 6, &writer, err));
    EXPECT_OK(zip_writer_add(writer, "x.npy", "x", 1, err));
    expect_file(path.text, "before");
    zip_writer_abandon(writer);
    zip_writer_abandon(NULL);
    expect_file(path.text, "before");
    scratch_remove(&scratch); /* fails if a .tmp file was left */
}

TEST(writers_need_a_folder) {
    ZipWriter *writer = (ZipWriter *)&writer;
    Error err = {0};
    char path[1200];
    EXPECT_STATUS(ERR_IO, zip_writer_open("/nowhere/at/all.npz", 6, &writer, &err));
    EXPECT_TRUE(writer == NULL);
    EXPECT_CONTAINS(err.message, "/nowhere/at/all.npz");
    memset(path, 'p', sizeof path);
    path[sizeof path - 1] = 0;
    EXPECT_STATUS(ERR_IO, zip_writer_open(path, 6, &writer, &err)); /* the name is too long */
}

TEST(the_limit_is_on_all_members_together) {
    Scratch scratch = scratch_new();
    Path path = write_zip(&scratch, "a.npz", 6);
    Error err = {0};
    EXPECT_STATUS(OK, read_zip(path.text, 50003, &err));
    EXPECT_STATUS(ERR_SYNTAX, read_zip(path.text, 50002, &err));
    EXPECT_CONTAINS(err.message, "long.npy unpacks to 50000 bytes");
    EXPECT_STATUS(ERR_SYNTAX, read_zip(path.text, 0, &err));
    scratch_remove(&scratch);
}

/* 30 MB of zeros are packed into about 30 kB. With a limit of 1 MB they are refused before anything
 * is unpacked. */
TEST(zip_bombs_are_refused) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "bomb.npz");
    size_t size = 30000000, length;
    char *zeros;
    EXPECT_OK(mem_new(size, 1, &zeros, err));
    ZipWriter *writer;
    EXPECT_OK(zip_writer_open(path.text, 9, &writer, err));
    EXPECT_OK(zip_writer_add(writer, "zeros", zeros, size, err));
    EXPECT_OK(zip_writer_commit(writer, err));
    free(zeros);
    EXPECT_TRUE(file_bytes(path.text) < 40000);
    Error err = {0};
    EXPECT_STATUS(ERR_SYNTAX, read_zip(path.text, 1000000, &err));
    EXPECT_CONTAINS(err.message, "more than expected");
    /* The headers now state a size that is too small. No byte beyond this size is unpacked. */
    Arena arena = {0};
    unsigned char *bytes = load(path.text, &arena, &length);
    for (size_t i = 0; i + 4 <= length; i++) {
        if (bytes[i] == 0x80 && bytes[i + 1] == 0xc3 && bytes[i + 2] == 0xc9 && bytes[i + 3] == 1)
            bytes[i + 3] = 0, bytes[i + 2] = 1; /* 30000000 becomes 115584 */
    }
    path = scratch_file(&scratch, "less.npz", bytes, length);
    EXPECT_STATUS(ERR_SYNTAX, read_zip(path.text, 1000000, &err));
    EXPECT_CONTAINS(err.message, "cut short or fails its checksum");
    arena_clear(&arena);
    scratch_remove(&scratch);
}

TEST(sizes_beyond_the_ratio_of_deflate_are_refused) {
    Scratch scratch = scratch_new();
    Path path = write_zip(&scratch, "a.npz", 6);
    Arena arena = {0};
    size_t length;
    unsigned char *bytes = load(path.text, &arena, &length);
    int changed = 0;
    for (size_t i = 0; i + 4 <= length; i++) {
        if (bytes[i] != 0x50 || bytes[i + 1] != 0xc3 || bytes[i + 2] || bytes[i + 3]) continue;
        bytes[i + 3] = 0x40; /* 50000 becomes a number above a billion */
        changed++;
    }
    EXPECT_TRUE(changed > 0);
    path = scratch_file(&scratch, "more.npz", bytes, length);
    Error err = {0};
    EXPECT_STATUS(ERR_SYNTAX, read_zip(path.text, (size_t)1 << 40, &err));
    EXPECT_CONTAINS(err.message, "claims to unpack to 1073791824 bytes");
    arena_clear(&arena);
    scratch_remove(&scratch);
}

TEST(cut_archives_are_refused) {
    Scratch scratch = scratch_new();
    Arena arena = {0};
    size_t length;
    unsigned char *bytes = load(write_zip(&scratch, "a.npz", 6).text, &arena, &length);
    for (size_t keep = 0; keep < length; keep++) {
        Path path = scratch_file(&scratch, "cut.npz", bytes, keep);
        Error err = {0};
        EXPECT_STATUS(ERR_SYNTAX, read_zip(path.text, 1 << 20, &err));
        EXPECT_CONTAINS(err.message, "cut.npz");
    }
    arena_clear(&arena);
    scratch_remove(&scratch);
}

/* One byte is changed. Either the archive is refused, or it still gives the members that were
 * written. The members stay the same, for example, if the byte belongs to a date. */
TEST(damaged_archives_never_give_other_bytes) {
    Scratch scratch = scratch_new();
    Arena arena = {0};
    Rng rng = rng_seeded(1);
    size_t length;
    int refused = 0;
    unsigned char *bytes = load(write_zip(&scratch, "a.npz", 6).text, &arena, &length);
    for (size_t at = 0; at < length; at++) {
        unsigned char kept = bytes[at];
        bytes[at] ^= (unsigned char)(1 + rng_below(&rng, 255));
        Path path = scratch_file(&scratch, "bent.npz", bytes, length);
        bytes[at] = kept;
        Arena members_arena = {0};
        ZipMember *members;
        int count;
        if (zip_read(path.text, 1 << 20, &members_arena, &members, &count, NULL)) {
            refused++;
        } else {
            for (int i = 0; i < count; i++) {
                bool is_short = members[i].count == 3;
                if (is_short) EXPECT_TRUE(memcmp(members[i].bytes, "A\0B", 3) == 0);
                if (!is_short) EXPECT_TRUE(members[i].count == 0 || members[i].count == 50000);
                for (size_t k = 0; !is_short && k < members[i].count; k++)
                    EXPECT_INT(0, members[i].bytes[k]);
            }
        }
        arena_clear(&members_arena);
    }
    EXPECT_TRUE(refused > 100);
    arena_clear(&arena);
    scratch_remove(&scratch);
}

/* No checksum covers the names and the number of the members. If a reader of rows does not find a
 * member, it takes the file for an older one, which has no such member. So an archive with a
 * damaged name must be refused. */
TEST(no_flipped_bit_hides_a_member) {
    Scratch scratch = scratch_new();
    Arena arena = {0};
    size_t length;
    Path path = write_zip(&scratch, "a.zip", 1);
    unsigned char *bytes = load(path.text, &arena, &length);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        Arena its = {0};
        ZipMember *members;
        int count;
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        scratch_file(&scratch, "a.zip", bytes, length);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        if (!zip_read(path.text, 1 << 20, &its, &members, &count, NULL)) {
            EXPECT_INT(3, count);
            EXPECT_TEXT("empty.npy", members[0].name);
            EXPECT_TEXT("short.npy", members[1].name);
            EXPECT_TEXT("long.npy", members[2].name);
        }
        arena_clear(&its);
    }
    arena_clear(&arena);
    scratch_remove(&scratch);
}

TEST(files_that_are_no_archives_are_refused) {
    Scratch scratch = scratch_new();
    Error err = {0};
    EXPECT_STATUS(ERR_IO, read_zip("/nowhere/a.npz", 100, &err));
    EXPECT_CONTAINS(err.message, "No such file");
    Path path = scratch_file(&scratch, "text.npz", "not a zip archive at all", 24);
    EXPECT_STATUS(ERR_SYNTAX, read_zip(path.text, 100, &err));
    EXPECT_CONTAINS(err.message, "is not a zip archive");
    EXPECT_STATUS(ERR_IO, read_zip(scratch.path, 100, &err));
    EXPECT_CONTAINS(err.message, "is a directory");
    scratch_remove(&scratch);
}

static Status peek_zip(const char *path, Error *err) {
    unsigned char bytes[8];
    ZipPeek peek = {.name = "short", .ending = ".npy", .capacity = sizeof bytes, .bytes = bytes};
    return zip_peek(path, &peek, err);
}

/* Whichever read fails, the error is that of the disk. It does not say that the archive is
 * damaged. */
TEST(a_failing_disk_is_no_damaged_archive) {
    Scratch scratch = scratch_new();
    Path path = write_zip(&scratch, "a.npz", 6);
    for (int peek = 0; peek < 2; peek++) {
        int failed = 0;
        for (;; failed++) {
            Error err = {0};
            failing_read = failed + 1;
            Status status = peek ? peek_zip(path.text, &err) : read_zip(path.text, 1 << 20, &err);
            bool reached = read_failed;
            failing_read = 0;
            read_failed = false;
            if (!reached) {
                EXPECT_STATUS(OK, status);
                break;
            }
            EXPECT_STATUS(ERR_IO, status);
            EXPECT_CONTAINS(err.message, "a.npz: Input/output error");
        }
        EXPECT_TRUE(failed > 5);
    }
    scratch_remove(&scratch);
}

/* Runs in a child process that may not open any more files. */
TEST(too_many_open_files_are_no_damaged_archive) {
    Scratch scratch = scratch_new();
    Path path = write_zip(&scratch, "a.npz", 6);
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        Error err = {0};
        struct rlimit few = {3, 3};
        bool good = !setrlimit(RLIMIT_NOFILE, &few) &&
                    read_zip(path.text, 1 << 20, &err) == ERR_IO &&
                    strstr(err.message, strerror(EMFILE)) && peek_zip(path.text, &err) == ERR_IO;
        _exit(good ? 0 : 1);
    }
    EXPECT_INT(child, waitpid(child, &status, 0));
    EXPECT_INT(0, status);
    scratch_remove(&scratch);
}

static Status read_gzip(const char *path, size_t limit, char *out, size_t *count, Error *err) {
    Arena arena = {0};
    char *bytes;
    Status status = gzip_read(path, (GzipLimit){.bytes = limit}, &arena, &bytes, count, err);
    if (!status && out) memcpy(out, bytes, *count);
    arena_clear(&arena);
    return status;
}

TEST(gzipped_and_plain_files_are_read_back) {
    Scratch scratch = scratch_new();
    static char text[200000], out[200000];
    size_t count;
    Rng rng = rng_seeded(2);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)rng_below(&rng, 7);
    Path path = scratch_path(&scratch, "a.gz");
    write_gzip(path.text, text, sizeof text, 6);
    EXPECT_TRUE(file_bytes(path.text) < (int64_t)sizeof text / 2);
    EXPECT_OK(read_gzip(path.text, sizeof text, out, &count, err));
    EXPECT_INT(sizeof text, count);
    EXPECT_TRUE(memcmp(text, out, count) == 0);
    write_gzip(path.text, "", 0, 6);
    EXPECT_OK(read_gzip(path.text, 0, NULL, &count, err));
    EXPECT_INT(0, count);
    path = scratch_file(&scratch, "plain", "plain\0text", 10);
    EXPECT_OK(read_gzip(path.text, 10, out, &count, err));
    EXPECT_INT(10, count);
    EXPECT_TRUE(memcmp("plain\0text", out, 10) == 0);
    scratch_remove(&scratch);
}

/* If one gzip file follows another, both are unpacked to one text, as gzip itself does. A file that
 * is cut anywhere is refused, and so is a second file that is cut. */
TEST(gzip_in_memory_is_unpacked) {
    Scratch scratch = scratch_new();
    static const char TEXT[] = "sixteen planes of a position of Leela Zero";
    Path path = scratch_path(&scratch, "a.gz");
    Arena arena = {0};
    size_t length, count;
    char *out;
    Error err = {0};
    write_gzip(path.text, TEXT, strlen(TEXT), 6);
    unsigned char *bytes = load(path.text, &arena, &length);
    char twice[512];
    EXPECT_TRUE(2 * length <= sizeof twice);
    memcpy(twice, bytes, length);
    memcpy(twice + length, bytes, length);
    EXPECT_STATUS(OK, gzip_unpack(twice, 2 * length, 1000, &arena, &out, &count, &err));
    EXPECT_INT(2 * strlen(TEXT), count);
    EXPECT_TRUE(memcmp(out, TEXT, strlen(TEXT)) == 0);
    EXPECT_TEXT(TEXT, out + strlen(TEXT));
    for (size_t keep = 0; keep < length; keep++)
        EXPECT_STATUS(ERR_SYNTAX, gzip_unpack(twice, keep, 1000, &arena, &out, &count, &err));
    EXPECT_STATUS(ERR_SYNTAX, gzip_unpack(twice, length + 9, 1000, &arena, &out, &count, &err));
    EXPECT_STATUS(ERR_SYNTAX,
                  gzip_unpack(bytes, length, strlen(TEXT) - 1, &arena, &out, &count, &err));
    EXPECT_CONTAINS(err.message, "unpacks to more than 41 bytes");
    bytes[length / 2] ^= 1;
    EXPECT_STATUS(ERR_SYNTAX, gzip_unpack(bytes, length, 1000, &arena, &out, &count, &err));
    arena_clear(&arena);
    scratch_remove(&scratch);
}

TEST(gzip_keeps_its_limit) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "zeros.gz");
    static char zeros[3000000];
    size_t count;
    Error err = {0};
    write_gzip(path.text, zeros, sizeof zeros, 9);
    EXPECT_STATUS(OK, read_gzip(path.text, sizeof zeros, NULL, &count, &err));
    EXPECT_STATUS(ERR_SYNTAX, read_gzip(path.text, sizeof zeros - 1, NULL, &count, &err));
    EXPECT_CONTAINS(err.message, "unpacks to more than 2999999 bytes");
    scratch_remove(&scratch);
}

/* 3 MB of zeros are packed into about 3 kB. With a GzipLimit.ratio of 500 they are refused before
 * all of them are unpacked. */
TEST(gzip_that_grows_too_fast_is_refused) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "zeros.gz");
    static char zeros[3000000];
    Arena arena = {0};
    char *bytes;
    size_t count;
    Error err = {0};
    write_gzip(path.text, zeros, sizeof zeros, 9);
    EXPECT_STATUS(OK, gzip_read(path.text, (GzipLimit){100, 2000}, &arena, &bytes, &count, &err));
    EXPECT_STATUS(ERR_SYNTAX,
                  gzip_read(path.text, (GzipLimit){100, 500}, &arena, &bytes, &count, &err));
    EXPECT_CONTAINS(err.message, "too many for a file of which only");
    arena_clear(&arena);
    scratch_remove(&scratch);
}

TEST(gzip_that_is_cut_or_damaged_is_refused) {
    Scratch scratch = scratch_new();
    static const char TEXT[] = "a net of KataGo, say, with its weights as text";
    Path path = scratch_path(&scratch, "a.gz");
    Arena arena = {0};
    size_t length, count;
    write_gzip(path.text, TEXT, strlen(TEXT), 6);
    unsigned char *bytes = load(path.text, &arena, &length);
    for (size_t keep = 2; keep < length; keep++) { /* the first two bytes say that it is gzip */
        path = scratch_file(&scratch, "cut.gz", bytes, keep);
        EXPECT_STATUS(ERR_SYNTAX, read_gzip(path.text, 1000, NULL, &count, NULL));
    }
    for (size_t at = 10; at < length; at++) { /* data, checksum and length */
        bytes[at] ^= 1;
        path = scratch_file(&scratch, "bent.gz", bytes, length);
        EXPECT_STATUS(ERR_SYNTAX, read_gzip(path.text, 1000, NULL, &count, NULL));
        bytes[at] ^= 1;
    }
    arena_clear(&arena);
    scratch_remove(&scratch);
}

TEST(gzip_files_that_do_not_exist_are_refused) {
    Error err = {0};
    size_t count;
    EXPECT_STATUS(ERR_IO, read_gzip("/nowhere/a.gz", 10, NULL, &count, &err));
    EXPECT_CONTAINS(err.message, "/nowhere/a.gz");
}

/* A child process dies while it writes an archive to a path. This process is writing an archive to
 * the same path. The sweep removes only the temporary file of the child process. */
TEST(a_sweep_leaves_archives_that_are_being_written) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "a.npz");
    ZipWriter *writer;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(zip_writer_open(path.text, 1, &writer, NULL) ||
              zip_writer_add(writer, "half", "abc", 3, NULL));
    int status;
    EXPECT_INT(child, waitpid(child, &status, 0));
    EXPECT_INT(0, status);
    EXPECT_OK(zip_writer_open(path.text, 1, &writer, err));
    EXPECT_INT(1, directory_sweep(scratch.path));
    EXPECT_OK(zip_writer_add(writer, "whole", "abc", 3, err));
    EXPECT_OK(zip_writer_commit(writer, err));
    EXPECT_OK(read_zip(path.text, 100, err));
    scratch_remove(&scratch);
}

TEST_MAIN(RUN(members_are_read_back), RUN(a_member_is_looked_at_without_the_others),
          RUN(the_same_members_make_the_same_bytes), RUN(nothing_is_seen_before_the_commit),
          RUN(writers_need_a_folder), RUN(the_limit_is_on_all_members_together),
          RUN(zip_bombs_are_refused), RUN(sizes_beyond_the_ratio_of_deflate_are_refused),
          RUN(cut_archives_are_refused), RUN(damaged_archives_never_give_other_bytes),
          RUN(no_flipped_bit_hides_a_member), RUN(files_that_are_no_archives_are_refused),
          RUN(a_failing_disk_is_no_damaged_archive),
          RUN(too_many_open_files_are_no_damaged_archive),
          RUN(gzipped_and_plain_files_are_read_back), RUN(gzip_in_memory_is_unpacked),
          RUN(gzip_keeps_its_limit), RUN(gzip_that_grows_too_fast_is_refused),
          RUN(gzip_that_is_cut_or_damaged_is_refused),
          RUN(gzip_files_that_do_not_exist_are_refused),
          RUN(a_sweep_leaves_archives_that_are_being_written))
