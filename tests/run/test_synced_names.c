/* A process may be killed after it has given a file its name and before it has synced this name. A
 * later process sees the file. Before it builds on the file, it must sync the name. Otherwise a
 * loss of power could take the file away and leave what was built on it. */
#define _GNU_SOURCE /* nftw */
#include <sys/syscall.h>

#include "run/tiny_run.h"

static struct {
    ino_t directory; /* whose syncs are counted */
    int times;
} watched;

/* This replaces the function of the C library, and counts the syncs of that directory. */
int fsync(int descriptor) {
    struct stat info;
    watched.times += !fstat(descriptor, &info) && info.st_ino == watched.directory;
    return (int)syscall(SYS_fsync, descriptor);
}

static void watch(const char *path) {
    struct stat info;
    EXPECT_INT(0, stat(path, &info));
    watched.directory = info.st_ino;
    watched.times = 0;
}

TEST(a_start_syncs_the_names_that_it_finds) {
    static const char *const FOLDERS[] = {"", "nets", "rows", "games", "train", "candidates"};
    Folder folder = make_folder();
    RunDirectory run;
    EXPECT_OK(run_directory_open(folder.text, &run, err));
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        watch(path_in(folder.text, FOLDERS[i]).text);
        EXPECT_OK(run_directory_open(folder.text, &run, err));
        EXPECT_INT(1, watched.times);
    }
    remove_folder(&folder);
}

/* Another process has made net 2 and is gone. */
TEST(the_name_of_a_net_is_synced_before_the_index_has_it) {
    Folder folder = make_folder();
    RunConfig config = tiny(1);
    RunDirectory run;
    Cycle *cycle;
    int number;
    Path first;
    EXPECT_OK(run_whole(folder.text, &config, false, err));
    EXPECT_OK(run_directory_open(folder.text, &run, err));
    EXPECT_OK(run_directory_newest_net(&run, &number, &first, err));
    config.run.nets = 0;
    EXPECT_OK(cycle_open_as(CYCLE_TRAINS, folder.text, &config, NULL, &cycle, err));
    EXPECT_INT(0, link(first.text, path_in(run.nets.text, "000002-a.aji").text));
    watch(run.nets.text);
    EXPECT_OK(cycle_work_train(cycle, 32, CYCLE_ONCE, err));
    EXPECT_INT(1, watched.times);
    cycle_close(cycle);
    remove_folder(&folder);
}

TEST_MAIN(RUN(a_start_syncs_the_names_that_it_finds),
          RUN(the_name_of_a_net_is_synced_before_the_index_has_it))
