/* Files: reading with a limit, atomic writing, folders and paths. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "scratch.h"

static Status read_file(const char *path, size_t limit, Error *err) {
    Arena arena = {0};
    char *text = (char *)&arena;
    size_t length;
    Status status = file_read(path, limit, &arena, &text, &length, err);
    if (status) EXPECT_TRUE(text == NULL);
    arena_clear(&arena);
    return status;
}

TEST(files_are_read_whole) {
    Scratch scratch = scratch_new();
    Path path = scratch_file(&scratch, "a", "one\0two\n", 8);
    Arena arena = {0};
    char *text;
    size_t length;
    EXPECT_OK(file_read(path.text, 8, &arena, &text, &length, err));
    EXPECT_INT(8, length);
    EXPECT_TRUE(memcmp(text, "one\0two\n", 9) == 0); /* a 0 comes after the last byte */
    path = scratch_file(&scratch, "empty", "", 0);
    EXPECT_OK(file_read(path.text, 0, &arena, &text, &length, err));
    EXPECT_INT(0, length);
    EXPECT_TEXT("", text);
    arena_clear(&arena);
    scratch_remove(&scratch);
}

TEST(what_cannot_be_read_is_told) {
    Scratch scratch = scratch_new();
    Error err = {0};
    Path path = scratch_file(&scratch, "a", "123456789", 9);
    EXPECT_STATUS(ERR_IO, read_file(path.text, 8, &err));
    EXPECT_CONTAINS(err.message, "has 9 bytes, at most 8");
    EXPECT_STATUS(ERR_IO, read_file(scratch.path, 100, &err));
    EXPECT_CONTAINS(err.message, "is a directory");
    EXPECT_STATUS(ERR_IO, read_file("/nowhere/a", 100, &err));
    EXPECT_CONTAINS(err.message, "cannot read /nowhere/a: No such file");
    Arena arena = {.limit_bytes = 4};
    char *text;
    size_t length;
    EXPECT_STATUS(ERR_MEMORY, file_read(path.text, 100, &arena, &text, &length, &err));
    arena_clear(&arena);
    scratch_remove(&scratch);
}

typedef struct {
    const char *path;
    size_t count;
} Pipe;

static void *fill_pipe(void *argument) {
    const Pipe *pipe = argument;
    FILE *stream = fopen(pipe->path, "wb");
    for (size_t i = 0; stream && i < pipe->count; i++)
        fputc('a' + (int)(i % 26), stream);
    if (stream) fclose(stream);
    return NULL;
}

/* A path may lead to a pipe, such as a shell's <(command). The size of a pipe is 0 before it is
 * read. */
TEST(pipes_are_read_to_their_end) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "pipe");
    EXPECT_INT(0, mkfifo(path.text, 0600));
    static const size_t COUNTS[] = {0, 5, 300000};
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
        Pipe pipe = {path.text, COUNTS[i]};
        pthread_t thread;
        Arena arena = {0};
        char *text;
        size_t length = 1;
        EXPECT_INT(0, pthread_create(&thread, NULL, fill_pipe, &pipe));
        EXPECT_OK(file_read(path.text, 300000, &arena, &text, &length, err));
        pthread_join(thread, NULL);
        EXPECT_INT(COUNTS[i], length);
        for (size_t k = 0; k < length; k++)
            EXPECT_INT('a' + (int)(k % 26), text[k]);
        EXPECT_INT(0, text[length]);
        arena_clear(&arena);
    }
    scratch_remove(&scratch);
}

TEST(endless_files_are_stopped_at_the_limit) {
    Error err = {0};
    EXPECT_STATUS(ERR_IO, read_file("/dev/zero", 100000, &err));
    EXPECT_CONTAINS(err.message, "/dev/zero");
    EXPECT_CONTAINS(err.message, "100000");
}

TEST(files_are_replaced_whole) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "a");
    EXPECT_OK(file_write(path.text, "first", 5, err));
    expect_file(path.text, "first");
    EXPECT_OK(file_write(path.text, "2nd", 3, err));
    expect_file(path.text, "2nd");
    EXPECT_OK(file_write(path.text, NULL, 0, err));
    expect_file(path.text, "");
    scratch_remove(&scratch);
}

TEST(the_old_file_stays_until_the_commit) {
    Scratch scratch = scratch_new();
    Path path = scratch_file(&scratch, "a", "old", 3);
    AtomicFile file;
    EXPECT_OK(atomic_file_open(path.text, &file, err));
    fputs("new", file.stream);
    fflush(file.stream);
    expect_file(path.text, "old");
    atomic_file_abandon(&file);
    EXPECT_TRUE(file.stream == NULL && file.path == NULL);
    expect_file(path.text, "old");
    EXPECT_OK(atomic_file_open(path.text, &file, err));
    fputs("new", file.stream);
    EXPECT_OK(atomic_file_commit(&file, err));
    expect_file(path.text, "new");
    atomic_file_abandon(&file); /* nothing is left to abandon */
    expect_file(path.text, "new");
    scratch_remove(&scratch);
}

TEST(failed_writes_leave_nothing) {
    Scratch scratch = scratch_new();
    Error err = {0};
    Path path = scratch_path(&scratch, "folder");
    EXPECT_STATUS(OK, directory_make(path.text, &err));
    EXPECT_STATUS(ERR_IO, file_write(path.text, "a", 1, &err)); /* renamed onto a folder */
    EXPECT_CONTAINS(err.message, path.text);
    EXPECT_STATUS(ERR_IO, file_write("/nowhere/a", "a", 1, &err));
    EXPECT_CONTAINS(err.message, "/nowhere/a");
    EXPECT_STATUS(ERR_IO, file_append_line("/nowhere/a", "a", &err));
    scratch_remove(&scratch); /* fails if a .tmp file stays */
}

TEST(a_full_disk_is_reported_and_the_old_file_stays) {
    Scratch scratch = scratch_new();
    Error err = {0};
    Path path = scratch_file(&scratch, "a", "old", 3);
    AtomicFile file;
    EXPECT_STATUS(OK, atomic_file_open(path.text, &file, &err));
    FILE *full = fopen("/dev/full", "wb");
    if (!full) {
        atomic_file_abandon(&file);
        scratch_remove(&scratch);
        SKIP("there is no /dev/full");
    }
    fclose(file.stream);
    file.stream = full;
    fputs("new", file.stream);
    EXPECT_STATUS(ERR_IO, atomic_file_commit(&file, &err));
    EXPECT_CONTAINS(err.message, "No space left");
    expect_file(path.text, "old");
    EXPECT_STATUS(ERR_IO, file_append_line("/dev/full", "a", &err));
    scratch_remove(&scratch);
}

TEST(lines_are_appended) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "journal");
    EXPECT_OK(file_append_line(path.text, "one", err));
    EXPECT_OK(file_append_line(path.text, "two %d", err));
    expect_file(path.text, "one\ntwo %d\n");
    scratch_remove(&scratch);
}

/* The last line of the file has no end, because its writer was killed. The next append removes
 * it. */
TEST(an_unfinished_line_is_removed) {
    Scratch scratch = scratch_new();
    char *longer = calloc(1, 10001);
    memset(longer, 'x', 10000);
    Path path = scratch_file(&scratch, "a", "one\ntw", 6);
    EXPECT_OK(file_append_line(path.text, "three", err));
    expect_file(path.text, "one\nthree\n");
    EXPECT_OK(file_write(path.text, longer, 10000, err));
    EXPECT_OK(file_append_line(path.text, "one", err));
    expect_file(path.text, "one\n");
    longer[1] = '\n';
    EXPECT_OK(file_write(path.text, longer, 10000, err));
    EXPECT_OK(file_append_line(path.text, "one", err));
    expect_file(path.text, "x\none\n");
    free(longer);
    scratch_remove(&scratch);
}

/* The size of files is limited, so that the file has no room for the line. Nothing of the line is
 * left in the file. */
TEST(a_line_without_room_is_not_begun) {
    struct rlimit before, small;
    Scratch scratch = scratch_new();
    Path path = scratch_file(&scratch, "a", "one\n", 4);
    EXPECT_INT(0, getrlimit(RLIMIT_FSIZE, &before));
    small = before;
    small.rlim_cur = 8;
    signal(SIGXFSZ, SIG_IGN);
    EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &small));
    Status status = file_append_line(path.text, "two and more", NULL);
    EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &before));
    signal(SIGXFSZ, SIG_DFL);
    EXPECT_STATUS(ERR_IO, status);
    expect_file(path.text, "one\n");
    EXPECT_OK(file_append_line(path.text, "two", err));
    expect_file(path.text, "one\ntwo\n");
    scratch_remove(&scratch);
}

TEST(files_come_and_go) {
    Scratch scratch = scratch_new();
    Path a = scratch_path(&scratch, "a"), b = scratch_path(&scratch, "b");
    EXPECT_FALSE(file_exists(a.text));
    EXPECT_INT(-1, file_bytes(a.text));
    EXPECT_OK(file_remove(a.text, err)); /* no such file is OK */
    EXPECT_OK(file_write(a.text, "abc", 3, err));
    EXPECT_TRUE(file_exists(a.text));
    EXPECT_INT(3, file_bytes(a.text));
    EXPECT_OK(file_rename(a.text, b.text, err));
    EXPECT_FALSE(file_exists(a.text));
    expect_file(b.text, "abc");
    EXPECT_STATUS(ERR_IO, file_rename(a.text, b.text, NULL));
    EXPECT_STATUS(ERR_IO, file_remove(scratch.path, NULL));
    EXPECT_TRUE(disk_free_bytes(scratch.path) > 0);
    EXPECT_INT(-1, disk_free_bytes("/nowhere/at/all"));
    scratch_remove(&scratch);
}

TEST(folders_are_made_with_their_parents) {
    Scratch scratch = scratch_new();
    Error err = {0};
    Path deep = scratch_path(&scratch, "x//y/z/"), file = scratch_file(&scratch, "file", "", 0);
    EXPECT_STATUS(OK, directory_make(deep.text, &err));
    EXPECT_STATUS(OK, directory_make(deep.text, &err));
    EXPECT_TRUE(file_exists(deep.text));
    EXPECT_STATUS(ERR_IO, directory_make(file.text, &err));
    EXPECT_CONTAINS(err.message, "is a file, a directory was wanted");
    Path below;
    EXPECT_STATUS(OK, path_join(&below, file.text, "below", &err));
    EXPECT_STATUS(ERR_IO, directory_make(below.text, &err));
    EXPECT_STATUS(ERR_IO, directory_make("", &err));
    char path[1200];
    memset(path, 'p', sizeof path);
    path[sizeof path - 1] = 0;
    EXPECT_STATUS(ERR_ARGUMENT, directory_make(path, &err));
    EXPECT_INT(0, rmdir(scratch_path(&scratch, "x/y/z").text));
    EXPECT_INT(0, rmdir(scratch_path(&scratch, "x/y").text));
    scratch_remove(&scratch);
}

TEST(names_are_sorted_without_temporary_files) {
    Scratch scratch = scratch_new();
    static const char *const NAMES[] = {"b", "a10", "a9", ".hidden", "c.tmp", "tmp", ".tmp", "B"};
    static const char *const WANTED[] = {".hidden", "B", "a10", "a9", "b", "tmp"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        scratch_file(&scratch, NAMES[i], "", 0);
    Arena arena = {0};
    char **names;
    int count;
    EXPECT_OK(directory_list(scratch.path, &arena, &names, &count, err));
    EXPECT_INT(6, count);
    for (int i = 0; i < 6; i++)
        EXPECT_TEXT(WANTED[i], names[i]);
    EXPECT_OK(directory_list("/nowhere/at/all", &arena, &names, &count, err));
    EXPECT_INT(0, count);
    Path file = scratch_path(&scratch, "b");
    EXPECT_STATUS(ERR_IO, directory_list(file.text, &arena, &names, &count, NULL));
    arena_clear(&arena);
    EXPECT_OK(file_remove(scratch_path(&scratch, "c.tmp").text, err));
    EXPECT_OK(file_remove(scratch_path(&scratch, ".tmp").text, err));
    scratch_remove(&scratch);
}

TEST(paths_are_joined_or_refused) {
    Path path;
    EXPECT_OK(path_join(&path, "a", "b", err));
    EXPECT_TEXT("a/b", path.text);
    EXPECT_OK(path_join(&path, "a/", "b", err));
    EXPECT_TEXT("a/b", path.text);
    EXPECT_OK(path_join(&path, "a", "", err));
    EXPECT_TEXT("a", path.text);
    char longest[sizeof path.text - 2];
    memset(longest, 'd', sizeof longest);
    longest[sizeof longest - 1] = 0;
    EXPECT_OK(path_join(&path, longest, "b", err));
    EXPECT_INT(sizeof path.text - 1, strlen(path.text));
    EXPECT_STATUS(ERR_ARGUMENT, path_join(&path, longest, "bc", NULL));
    EXPECT_TEXT("c", path_name("a/b/c"));
    EXPECT_TEXT("c", path_name("c"));
    EXPECT_TEXT("", path_name("a/"));
    EXPECT_TRUE(path_has_ending("a/b.sgf", ".sgf"));
    EXPECT_FALSE(path_has_ending("a/b.sgfs", ".sgf"));
    EXPECT_FALSE(path_has_ending("sgf", ".sgf"));
}

/* A limit on the size of files makes writes fail as on a full disk. The messages say why. */
TEST(failed_writes_are_reported_with_their_cause) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "a");
    Error file = {0}, stream = {0};
    struct rlimit before, small;
    AtomicFile out;
    static char bytes[300000];
    EXPECT_INT(0, getrlimit(RLIMIT_FSIZE, &before));
    small = before;
    small.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &small));
    Status first = file_write(path.text, bytes, sizeof bytes, &file);
    Status second = atomic_file_open(path.text, &out, &stream);
    for (int i = 0; !second && i < 300000; i++)
        putc('x', out.stream);
    errno = 0; /* other calls in between may change it */
    if (!second) second = atomic_file_commit(&out, &stream);
    EXPECT_INT(0, setrlimit(RLIMIT_FSIZE, &before));
    EXPECT_STATUS(ERR_IO, first);
    EXPECT_CONTAINS(file.message, "/a: File too large");
    EXPECT_STATUS(ERR_IO, second);
    EXPECT_CONTAINS(stream.message, "/a: File too large");
    EXPECT_FALSE(file_exists(path.text));
    scratch_remove(&scratch);
}

TEST(one_file_has_several_paths) {
    Scratch scratch = scratch_new();
    Path a = scratch_file(&scratch, "a", "one", 3), b = scratch_file(&scratch, "b", "one", 3),
         dotted = scratch_path(&scratch, "./a"), hard = scratch_path(&scratch, "hard"),
         soft = scratch_path(&scratch, "soft"), none = scratch_path(&scratch, "none");
    EXPECT_INT(0, link(a.text, hard.text));
    EXPECT_INT(0, symlink("a", soft.text));
    EXPECT_TRUE(file_same(a.text, a.text) && file_same(a.text, dotted.text));
    EXPECT_TRUE(file_same(hard.text, a.text) && file_same(hard.text, soft.text));
    EXPECT_FALSE(file_same(a.text, b.text)); /* equal contents do not count */
    EXPECT_FALSE(file_same(a.text, none.text) || file_same(none.text, none.text));
    scratch_remove(&scratch);
}

typedef struct {
    const char *path;
    char text[32];
} Reader;

static void *read_pipe(void *argument) {
    Reader *reader = argument;
    FILE *stream = fopen(reader->path, "rb");
    if (stream) reader->text[fread(reader->text, 1, sizeof reader->text - 1, stream)] = 0;
    if (stream) fclose(stream);
    return NULL;
}

static bool is_ordinary(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* The bytes go into the pipe or the device, and no file is put in its place. The device is written
 * through a symbolic link, which a rename could replace. */
TEST(pipes_and_devices_are_not_replaced) {
    Scratch scratch = scratch_new();
    Path pipe = scratch_path(&scratch, "pipe"), full = scratch_path(&scratch, "full");
    Reader reader = {.path = pipe.text};
    Error fault = {0};
    pthread_t thread;
    EXPECT_INT(0, mkfifo(pipe.text, 0600));
    EXPECT_OK(file_can_write(pipe.text, err)); /* does not wait, although nobody reads yet */
    EXPECT_INT(0, pthread_create(&thread, NULL, read_pipe, &reader));
    EXPECT_OK(file_write(pipe.text, "hello", 5, err));
    pthread_join(thread, NULL);
    EXPECT_TEXT("hello", reader.text);
    EXPECT_FALSE(is_ordinary(pipe.text));
    EXPECT_INT(0, symlink("/dev/full", full.text));
    EXPECT_STATUS(ERR_IO, file_write(full.text, "hello", 5, &fault));
    EXPECT_CONTAINS(fault.message, "/full: No space left");
    EXPECT_FALSE(is_ordinary(full.text));
    EXPECT_STATUS(ERR_IO, file_write(scratch.path, "hello", 5, &fault));
    EXPECT_CONTAINS(fault.message, "is a directory, a file was wanted");
    EXPECT_STATUS(ERR_ARGUMENT, file_write("", "hello", 5, &fault));
    scratch_remove(&scratch);
}

TEST(files_can_be_checked_before_they_are_written) {
    Scratch scratch = scratch_new();
    Path a = scratch_file(&scratch, "a", "one", 3), b = scratch_path(&scratch, "b"),
         deep = scratch_path(&scratch, "none/b");
    EXPECT_OK(file_can_write(a.text, err));
    EXPECT_INT(3, file_bytes(a.text));
    EXPECT_OK(file_can_write(b.text, err));
    EXPECT_FALSE(file_exists(b.text));
    EXPECT_STATUS(ERR_IO, file_can_write(deep.text, NULL));
    EXPECT_STATUS(ERR_IO, file_can_write(scratch.path, NULL));
    scratch_remove(&scratch);
}

TEST(a_file_is_read_in_parts) {
    Scratch scratch = scratch_new();
    Path path = scratch_file(&scratch, "a", "onetwothree", 11);
    FileReader reader;
    char *bytes;
    size_t length;
    static const struct {
        size_t max;
        const char *text;
    } PARTS[] = {{3, "one"}, {0, ""}, {3, "two"}, {100, "three"}, {1, ""}};
    EXPECT_OK(file_reader_open(path.text, &reader, err));
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        EXPECT_OK(file_reader_take(&reader, PARTS[i].max, &bytes, &length, err));
        EXPECT_INT(strlen(PARTS[i].text), length);
        EXPECT_TRUE(memcmp(bytes, PARTS[i].text, length) == 0);
        free(bytes);
    }
    file_reader_close(&reader);
    EXPECT_STATUS(ERR_IO, file_reader_open(scratch.path, &reader, NULL));
    file_reader_close(&reader);
    EXPECT_STATUS(ERR_IO, file_reader_open("", &reader, NULL));
    scratch_remove(&scratch);
}

/* Starts a process that dies while it writes this file. */
static void leave_unfinished(const char *path) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        AtomicFile file;
        _exit(atomic_file_open(path, &file, NULL) || fputs("half", file.stream) < 0 ||
              fflush(file.stream));
    }
    int status;
    EXPECT_INT(child, waitpid(child, &status, 0));
    EXPECT_INT(0, status);
}

TEST(what_a_killed_writer_left_is_removed) {
    Scratch scratch = scratch_new();
    Path left = scratch_path(&scratch, "left"), written = scratch_path(&scratch, "written");
    static const char *const OTHERS[] = {"mine.tmp", ".12.tmp", "a.12x.tmp", "a.12.tmp.old"};
    AtomicFile file;
    leave_unfinished(left.text);
    leave_unfinished(left.text);
    EXPECT_OK(atomic_file_open(written.text, &file, err));
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        scratch_file(&scratch, OTHERS[i], "", 0);
    Path folder = scratch_path(&scratch, "folder.12.tmp");
    EXPECT_OK(directory_make(folder.text, err));
    EXPECT_INT(2, directory_sweep(scratch.path));
    EXPECT_INT(0, directory_sweep(scratch.path));
    fputs("whole", file.stream);
    EXPECT_OK(atomic_file_commit(&file, err));
    expect_file(written.text, "whole");
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        Path path = scratch_path(&scratch, OTHERS[i]);
        EXPECT_TRUE(file_exists(path.text));
        EXPECT_OK(file_remove(path.text, err));
    }
    EXPECT_INT(0, rmdir(folder.text));
    EXPECT_INT(0, directory_sweep("/nowhere/at/all"));
    scratch_remove(&scratch);
}

/* A sweep may remove a temporary file after the writer has made it and before the writer has locked
 * it. The writer then makes another one, so all writes succeed. */
TEST(a_writer_and_a_sweep_do_not_meet) {
    enum { FILES = 300 };
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "a");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int failed = 0;
        for (int i = 0; i < FILES; i++)
            failed += file_write(path.text, "whole", 5, NULL) != OK;
        _exit(failed ? 1 : 0);
    }
    int status;
    while (!waitpid(child, &status, WNOHANG))
        directory_sweep(scratch.path);
    EXPECT_INT(0, status);
    expect_file(path.text, "whole");
    scratch_remove(&scratch);
}

TEST_MAIN(RUN(files_are_read_whole), RUN(what_cannot_be_read_is_told),
          RUN(pipes_are_read_to_their_end), RUN(endless_files_are_stopped_at_the_limit),
          RUN(files_are_replaced_whole), RUN(the_old_file_stays_until_the_commit),
          RUN(failed_writes_leave_nothing), RUN(a_full_disk_is_reported_and_the_old_file_stays),
          RUN(lines_are_appended), RUN(an_unfinished_line_is_removed),
          RUN(a_line_without_room_is_not_begun), RUN(files_come_and_go),
          RUN(folders_are_made_with_their_parents), RUN(names_are_sorted_without_temporary_files),
          RUN(paths_are_joined_or_refused), RUN(failed_writes_are_reported_with_their_cause),
          RUN(one_file_has_several_paths), RUN(pipes_and_devices_are_not_replaced),
          RUN(files_can_be_checked_before_they_are_written), RUN(a_file_is_read_in_parts),
          RUN(what_a_killed_writer_left_is_removed), RUN(a_writer_and_a_sweep_do_not_meet))
