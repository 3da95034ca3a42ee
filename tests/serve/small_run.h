/* small_run.h - the folder of a run for tests of the server: settings, an index with three nets,
 * games between them and a curve, and a file of self-play games. */
#pragma once
#include "base/file.h"
#include "run/store/index/run_index.h"
#include "run/store/run_directory.h"
#include "test.h"
#include "test_path.h"

enum { SMALL_RUN_POINTS = 100 };

typedef struct {
    Path folder;
} SmallRun;

static inline void small_run_file(const SmallRun *run, const char *name, const char *text) {
    Path path;
    EXPECT_OK(path_join(&path, run->folder.text, name, err));
    EXPECT_OK(file_write(path.text, text, strlen(text), err));
}

static inline void small_run_index(const char *path) {
    RunIndex *index;
    EXPECT_OK(run_index_open(path, &index, err));
    for (int i = 1; i <= 3; i++) {
        IndexedNet net = {.number = i, .samples = 1000 * i, .rows = 100 * i, .seconds = 10 * i};
        snprintf(net.file, sizeof net.file, "00000%d-abc.aji", i);
        EXPECT_OK(run_index_add_net(index, &net, err));
        EXPECT_OK(run_index_add_games(index, &(EloGames){i, i - 1, 8, 1, 1}, "rating", err));
    }
    EXPECT_OK(run_index_add_games(index, &(EloGames){3, ANCHOR_NUMBER, 5, 0, 5}, "GNU Go", err));
    for (int i = 0; i < SMALL_RUN_POINTS; i++)
        EXPECT_OK(run_index_add_metric(index, "loss", 10 * i, i, i == 50 ? 9 : 1, err));
    EXPECT_OK(run_index_set_value(index, "seconds", 33, err));
    EXPECT_OK(run_index_set_value(index, "evaluations", 123456, err));
    run_index_close(index);
}

/* Makes the folder ROOT/NAME. */
static inline SmallRun small_run_make(const char *root, const char *name) {
    static const char GAMES[] = "(;FF[4]GM[1]SZ[5]PB[one]PW[two]RU[Chinese]KM[7]RE[B+3];B[cc];W[dd]"
                                "C[0.36 0.64 0.00 -4.7 v=9 weight=0.21])\n"
                                "no game\n"
                                "(;FF[4]GM[1]SZ[7:5]PB[one]PW[two]RU[Chinese]KM[7]RE[W+R];B[cc])\n";
    SmallRun run;
    RunDirectory directory;
    Path games;
    EXPECT_OK(path_join(&run.folder, root, name, err));
    EXPECT_OK(run_directory_open(run.folder.text, &directory, err));
    small_run_file(&run, "run.cfg", "selfplay.sizes = 5\n");
    for (int i = 1; i <= 3; i++) {
        char net[32];
        snprintf(net, sizeof net, "nets/00000%d-abc.aji", i);
        small_run_file(&run, net, "a net");
    }
    EXPECT_OK(path_join(&games, directory.games.text, "000003", err));
    EXPECT_OK(directory_make(games.text, err));
    small_run_file(&run, "games/000003/w000-0000.sgfs", GAMES);
    small_run_file(&run, "log.txt", "the run began\n");
    small_run_index(directory.database.text);
    return run;
}

static inline void small_run_remove(const SmallRun *run) {
    static const char *const INNER[] = {
        "nets",  "candidates", "rejected", "rows",    "games/000003",
        "games", "train",      "report",   "matches", ""};
    for (size_t i = 0; i < sizeof INNER / sizeof *INNER; i++) {
        Path path;
        EXPECT_OK(path_join(&path, run->folder.text, INNER[i], err));
        EXPECT_OK(directory_remove(path.text, err));
    }
}
