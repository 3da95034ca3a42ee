/* If a disk fails for a while, no file of the run is set aside or lost, and the run continues. */
#define _GNU_SOURCE /* nftw */
#include <errno.h>
#include <fcntl.h>

#include "run/tiny_run.h"

/* fopen() as in the C library, except that it fails `failures_left` times, with `failing_errno`,
 * when it opens files with this ending for reading. */
static const char *failing_ending;
static int failing_errno, failures_left, failures;

FILE *fopen(const char *path, const char *mode) {
    bool reads = mode[0] == 'r', writes = mode[0] == 'w';
    if (reads && failing_ending && failures_left && path_has_ending(path, failing_ending)) {
        failures_left--;
        failures++;
        errno = failing_errno;
        return NULL;
    }
    int flags = strchr(mode, '+') ? O_RDWR : reads ? O_RDONLY : O_WRONLY;
    flags |= reads ? 0 : writes ? O_CREAT | O_TRUNC : O_CREAT | O_APPEND;
    int file = open(path, flags | O_CLOEXEC, 0666);
    return file < 0 ? NULL : fdopen(file, mode);
}

static int bad_files;

static int count_bad(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info, (void)kind, (void)where;
    bad_files += path_has_ending(path, ".bad");
    return 0;
}

/* Works until net 2, removes the file `index` (NULL: no file), and works until net 3. When the work
 * after net 2 begins, files with this ending cannot be read. Checks that no file was set aside. */
static void expect_nothing_aside(const char *ending, const char *index, int error) {
    Folder run = make_folder();
    RunConfig config = tiny(2);
    Error err = {0};
    EXPECT_STATUS(OK, run_whole(run.text, &config, false, &err));
    if (index) EXPECT_STATUS(OK, file_remove(path_in(run.text, index).text, &err));
    config.run.nets = 3;
    failing_ending = ending;
    failing_errno = error;
    failures = 0;
    failures_left = 2;
    for (int i = 0; i < 2 && run_whole(run.text, &config, false, &err); i++)
        EXPECT_CONTAINS(err.message, strerror(error)); /* a start that fails gives the reason */
    failing_ending = NULL;
    EXPECT_TRUE(failures > 0);
    EXPECT_STATUS(OK, run_whole(run.text, &config, false, &err));
    bad_files = 0;
    EXPECT_INT(0, nftw(run.text, count_bad, 16, FTW_PHYS));
    EXPECT_INT(0, bad_files);
    remove_folder(&run);
}

TEST(rows_that_cannot_be_read_now_stay) {
    expect_nothing_aside(".npz", NULL, EIO);
    expect_nothing_aside(".npz", NULL, ENOMEM);
}

TEST(rows_stay_without_an_index_too) {
    expect_nothing_aside(".npz", "run.db", EIO);
    expect_nothing_aside(".npz", "run.db", EMFILE);
}

TEST(nets_and_checkpoints_that_cannot_be_read_now_stay) {
    expect_nothing_aside(".aji", NULL, EACCES);
}

TEST_MAIN(RUN(rows_that_cannot_be_read_now_stay), RUN(rows_stay_without_an_index_too),
          RUN(nets_and_checkpoints_that_cannot_be_read_now_stay))
