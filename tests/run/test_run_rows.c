/* How the row files of a run are counted. */
#define _GNU_SOURCE /* nftw */
#include "data/made_rows.h"
#include "run/store/journal.h"
#include "run/tiny_run.h"

enum { LENGTH = 4 };

/* A game of which no move was searched in full has no rows. */
static void publish_a_game_without_rows(const RunDirectory *run) {
    Journal *journal;
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, 0, 1);
    EXPECT_OK(journal_open(run, 0, "w", LENGTH, &journal, err));
    EXPECT_OK(journal_add(journal, "(;GM[1]FF[4]SZ[4])\n", &rows, err));
    EXPECT_OK(journal_publish(journal, err));
    rows_clear(&rows);
}

TEST(games_without_rows_are_counted_once) {
    Folder folder = make_folder();
    RunDirectory run;
    RunConfig config = tiny(1);
    Cycle *cycle;
    EXPECT_OK(run_directory_open(folder.text, &run, err));
    publish_a_game_without_rows(&run);
    for (int start = 0; start < 3; start++) {
        EXPECT_OK(cycle_open(folder.text, &config, NULL, &cycle, err));
        EXPECT_INT(1, cycle_totals(cycle).games);
        EXPECT_INT(0, cycle_totals(cycle).rows);
        cycle_close(cycle);
    }
    EXPECT_TRUE(file_exists(path_in(run.rows.text, "000000/w-0000.npz").text));
    remove_folder(&folder);
}

TEST_MAIN(RUN(games_without_rows_are_counted_once))
