/* Small runs from beginning to end: the same seed twice, kills at any moment, an interrupt, a full
 * disk. Each run is a process of its own. */
#define _GNU_SOURCE /* unshare */
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/rng.h"
#include "base/small_disk.h"
#include "base/thread.h"
#include "run/cycle/cycle_private.h"
#include "run/run_tree.h"

enum { KILLS = 20, NETS = 3 };

/* Starts a child process that works on the run. Its exit code is the Status. */
static pid_t start_run(const char *directory, const RunConfig *config) {
    fflush(NULL);
    pid_t child = fork();
    if (child) return child;
    Error err = {0};
    stop_install();
    log_to_stderr(LOG_ERROR);
    _exit((int)run_whole(directory, config, true, &err));
}

/* Returns the child's exit code, -1 if it was killed, or -2 if it still runs after a minute. */
static int wait_for(pid_t child) {
    for (int i = 0; i < 6000; i++) {
        int status;
        if (waitpid(child, &status, WNOHANG) == child)
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        clock_sleep_ms(10);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return -2;
}

TEST(one_seed_makes_the_same_bytes_twice) {
    Folder runs[2] = {make_folder(), make_folder()}, other = make_folder();
    RunConfig config = tiny(NETS);
    for (int i = 0; i < 2; i++)
        EXPECT_INT(0, wait_for(start_run(runs[i].text, &config)));
    config.run.seed = 2;
    EXPECT_INT(0, wait_for(start_run(other.text, &config)));
    static const char *const PARTS[] = {"rows", "games", "nets"};
    for (int i = 0; i < 3; i++) {
        Tree first = tree_of(&runs[0], PARTS[i]), again = tree_of(&runs[1], PARTS[i]);
        EXPECT_TRUE(first.files >= NETS);
        EXPECT_INT(first.files, again.files);
        EXPECT_INT(first.sum, again.sum);
        EXPECT_TRUE(tree_of(&other, PARTS[i]).sum != first.sum);
    }
    EXPECT_TRUE(tree_of(&runs[0], "rows").rows >= 100 * NETS);
    EXPECT_TRUE(tree_of(&runs[0], "games").games > 0);
    for (int i = 0; i < 2; i++)
        remove_folder(&runs[i]);
    remove_folder(&other);
}

/* Counts what is finished: the files of the run and the games in journals, which become files here
 * as at the next start. */
static Tree finished(const Folder *run, const char *part) {
    RunDirectory directory;
    int games;
    EXPECT_OK(run_directory_open(run->text, &directory, err));
    EXPECT_OK(journal_recover(&directory, &games, err));
    return tree_of(run, part);
}

/* Checks that the index has counted each game that has rows exactly once, and that no unfinished
 * files are left. */
static void expect_index_of_files(const Folder *run) {
    RunDirectory directory;
    RunIndex *index;
    Arena arena = {0};
    char **paths;
    int count;
    int64_t games = 0;
    EXPECT_OK(run_directory_open(run->text, &directory, err));
    EXPECT_OK(run_directory_row_files(&directory, &arena, &paths, &count, err));
    for (int i = 0; i < count; i++) {
        char *text;
        size_t length;
        Path path = path_in(directory.games.text, paths[i] + strlen(directory.rows.text) + 1);
        strcpy(strrchr(path.text, '.'), ".sgf"); /* as long as ".npz" */
        strcat(path.text, "s");
        EXPECT_OK(file_read(path.text, 1 << 24, &arena, &text, &length, err));
        for (size_t k = 0; k < length; k++)
            games += text[k] == '\n';
    }
    EXPECT_OK(run_index_open(directory.database.text, &index, err));
    EXPECT_INT(games, run_index_value(index, GAMES_FACT));
    EXPECT_TRUE(run_index_value(index, "evaluations") > 0);
    run_index_close(index);
    EXPECT_INT(0, run_directory_sweep(&directory));
    arena_clear(&arena);
}

TEST(a_killed_run_goes_on_and_loses_nothing) {
    Folder run = make_folder();
    RunConfig config = tiny(NETS + 2);
    Rng rng = rng_seeded(7);
    int64_t rows = 0, games = 0, nets = 0;
    int killed = 0;
    for (int i = 0; i < KILLS; i++) {
        pid_t child = start_run(run.text, &config);
        clock_sleep_ms(20 + rng_below(&rng, 200));
        kill(child, SIGKILL);
        int code = wait_for(child);
        EXPECT_TRUE(code == -1 || code == 0); /* it was killed, or had ended before */
        killed += code == -1;
        Tree now_rows = finished(&run, "rows"), now_games = finished(&run, "games"),
             now_nets = tree_of(&run, "nets");
        EXPECT_TRUE(now_rows.rows >= rows && now_games.games >= games && now_nets.files >= nets);
        rows = now_rows.rows;
        games = now_games.games;
        nets = now_nets.files;
    }
    EXPECT_TRUE(killed > 3);
    EXPECT_INT(0, wait_for(start_run(run.text, &config)));
    EXPECT_INT(NETS + 2, tree_of(&run, "nets").files);
    Tree end = tree_of(&run, "rows");
    /* If a start finds at least half of the rows of a cycle, it trains on them immediately. */
    int64_t min = 100 + 50 * (NETS + 1);
    if (end.rows < rows || end.rows < min)
        fail_msg("%lld rows at the end, %lld before", (long long)end.rows, (long long)rows);
    EXPECT_TRUE(file_exists(path_in(run.text, "report/index.html").text));
    expect_index_of_files(&run);
    remove_folder(&run);
}

/* Waits for the first net of a running run, at most a minute. */
static void wait_for_a_net(const Folder *run) {
    Path nets = path_in(run->text, "nets");
    int count = 0;
    for (int i = 0; i < 6000 && !count; i++) {
        Arena arena = {0};
        char **names;
        clock_sleep_ms(10);
        EXPECT_OK(directory_list(nets.text, &arena, &names, &count, err));
        arena_clear(&arena);
    }
}

TEST(an_interrupt_stops_and_the_next_start_goes_on) {
    Folder run = make_folder();
    RunConfig config = tiny(0);
    pid_t child = start_run(run.text, &config);
    wait_for_a_net(&run);
    kill(child, SIGINT);
    EXPECT_INT(ERR_STOPPED, wait_for(child));
    Tree rows = finished(&run, "rows");
    EXPECT_TRUE(rows.rows > 0);
    int64_t nets = tree_of(&run, "nets").files;
    config.run.nets = (int)nets + 1;
    EXPECT_INT(0, wait_for(start_run(run.text, &config)));
    EXPECT_INT(nets + 1, tree_of(&run, "nets").files);
    EXPECT_TRUE(tree_of(&run, "rows").rows >= rows.rows);
    remove_folder(&run);
}

/* Works on a run whose disk of a few MB is full at first. The calling process must be a child,
 * because its mounts change. Returns 0 if all is well, 99 if this machine allows no such disk, and
 * else what failed. */
static int run_on_small_disk(const Folder *run, const RunConfig *config) {
    Path disk, ballast, directory;
    Error err = {0};
    if (!mount_small_disk(run->text, "size=6m")) return 99;
    if (path_join(&disk, run->text, "run", &err) ||
        path_join(&ballast, run->text, "ballast", &err) ||
        path_join(&directory, disk.text, "log.txt", &err))
        return 98;
    Cycle *cycle;
    if (cycle_open(disk.text, config, NULL, &cycle, &err)) return 98;
    if (!fill_disk(ballast.text)) return 97;
    pid_t child = fork();
    if (child == 0) { /* this child makes room after a while */
        clock_sleep_ms(1500);
        _exit(remove(ballast.text) ? 1 : 0);
    }
    Status status = cycle_run(cycle, 0, &err);
    waitpid(child, NULL, 0);
    cycle_close(cycle);
    if (status) return (int)status;
    Arena arena = {0};
    char *text;
    size_t length;
    if (file_read(directory.text, 1 << 24, &arena, &text, &length, &err)) return 96;
    int nets = 0;
    DIR *folder = opendir(path_join(&directory, disk.text, "nets", &err) ? "/" : directory.text);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        nets += strstr(entry->d_name, ".aji") != NULL;
    if (folder) closedir(folder);
    bool told = strstr(text, "MB are free") && strstr(text, "enough free space");
    arena_clear(&arena);
    return !told ? 95 : nets != NETS ? 94 : 0;
}

TEST(a_full_disk_is_reported_and_waited_for) {
    Folder run = make_folder();
    RunConfig config = tiny(NETS);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        log_to_stderr(LOG_ERROR);
        _exit(run_on_small_disk(&run, &config));
    }
    int code = wait_for(child);
    remove_folder(&run);
    if (code == 99) SKIP("no disk may be mounted here");
    EXPECT_INT(0, code);
}

TEST_MAIN(RUN(one_seed_makes_the_same_bytes_twice), RUN(a_killed_run_goes_on_and_loses_nothing),
          RUN(an_interrupt_stops_and_the_next_start_goes_on),
          RUN(a_full_disk_is_reported_and_waited_for))
