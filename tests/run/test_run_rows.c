/* How the row files of a run are counted. */
#define _GNU_SOURCE /* nftw */
#include "base/log.h"
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

static void publish_games(const RunDirectory *run, int games) {
    Journal *journal;
    Rows rows = made_rows(LENGTH, LENGTH, LENGTH, 3, 1);
    EXPECT_OK(journal_open(run, 0, "w", LENGTH, &journal, err));
    for (int i = 0; i < games; i++)
        EXPECT_OK(journal_add(journal, "(;GM[1]FF[4]SZ[4])\n", &rows, err));
    journal_note(journal, 500, 7e6);
    EXPECT_OK(journal_publish(journal, err));
    rows_clear(&rows);
}

static void expect_said(const Folder *folder, const char *words, bool wanted) {
    Arena arena = {0};
    char *text;
    size_t length;
    EXPECT_OK(
        file_read(path_in(folder->text, "log.txt").text, 1 << 20, &arena, &text, &length, err));
    if (!!strstr(text, words) != wanted) fail_msg("\"%s\": wanted %d in %s", words, wanted, text);
    arena_clear(&arena);
}

/* Opens a run with two games. Their note, the .count file beside their rows, is replaced by `note`
 * unless that is NULL. Checks the evaluations that the run counts, and whether it warns of the
 * note. */
static void expect_work(const char *note, size_t length, int64_t evaluations, bool warns) {
    Folder folder = make_folder();
    RunDirectory run;
    RunConfig config = tiny(1);
    Cycle *cycle;
    EXPECT_OK(run_directory_open(folder.text, &run, err));
    publish_games(&run, 2);
    if (note)
        EXPECT_OK(
            file_write(path_in(run.rows.text, "000000/w-0000.count").text, note, length, err));
    EXPECT_OK(cycle_open(folder.text, &config, NULL, &cycle, err));
    EXPECT_INT(2, cycle_totals(cycle).games);
    EXPECT_INT(6, cycle_totals(cycle).rows);
    EXPECT_INT(evaluations, cycle_totals(cycle).evaluations);
    cycle_close(cycle);
    expect_said(&folder, "000000/w-0000.count is damaged", warns);
    remove_folder(&folder);
}

TEST(the_games_of_a_damaged_note_are_counted_in_the_game_file) {
    static const char GOOD[] = "crc32 00000000\ngames 2\nrows 6\nevaluations 500\n";
    expect_work(NULL, 0, 500, false);
    expect_work(GOOD, strlen(GOOD), 0, true);    /* a wrong checksum */
    expect_work(GOOD, 0, 0, true);               /* an empty file */
    expect_work("games 2\nevalua", 14, 0, true); /* cut off */
    expect_work("\0\0\0\0\0\0\0\0", 8, 0, true); /* a block of zeros */
    /* Earlier versions wrote no checksum. */
    expect_work("games 2\nevaluations 40\nmultiply_adds 9\n", 39, 40, false);
}

/* Whichever bit of a note flips, the note counts as damaged. */
TEST(a_flipped_bit_of_a_note_is_found) {
    Folder folder = make_folder();
    RunDirectory run;
    Arena arena = {0};
    char *note;
    size_t length;
    EXPECT_OK(run_directory_open(folder.text, &run, err));
    publish_games(&run, 2);
    Path path = path_in(run.rows.text, "000000/w-0000.count"),
         rows = path_in(run.rows.text, "000000/w-0000.npz");
    EXPECT_OK(file_read(path.text, 4096, &arena, &note, &length, err));
    log_to_stderr(LOG_ERROR); /* each damaged note causes a warning */
    for (size_t bit = 0; bit < 8 * length; bit++) {
        note[bit / 8] ^= (char)(1 << bit % 8);
        EXPECT_OK(file_write(path.text, note, length, err));
        note[bit / 8] ^= (char)(1 << bit % 8);
        WorkNote found = work_note_read(rows.text);
        EXPECT_INT(2, found.games);
        EXPECT_INT(0, found.evaluations);
    }
    EXPECT_OK(file_write(path.text, note, length, err));
    EXPECT_INT(500, work_note_read(rows.text).evaluations);
    log_to_stderr(LOG_WARNING);
    arena_clear(&arena);
    remove_folder(&folder);
}

/* A row file may be replaced by that of other games. Its note then belongs to the former file. */
TEST(a_row_file_that_contradicts_its_note_is_reported) {
    Folder folder = make_folder();
    RunDirectory run;
    RunConfig config = tiny(1);
    Cycle *cycle;
    EXPECT_OK(run_directory_open(folder.text, &run, err));
    publish_games(&run, 2);
    made_file(path_in(run.rows.text, "000000/w-0000.npz").text, LENGTH, LENGTH, LENGTH, 9, 1);
    EXPECT_OK(cycle_open(folder.text, &config, NULL, &cycle, err));
    EXPECT_INT(9, cycle_totals(cycle).rows);
    cycle_close(cycle);
    expect_said(&folder, "000000/w-0000.npz has 9 rows, but its note says 6", true);
    remove_folder(&folder);
}

TEST_MAIN(RUN(games_without_rows_are_counted_once),
          RUN(the_games_of_a_damaged_note_are_counted_in_the_game_file),
          RUN(a_flipped_bit_of_a_note_is_found),
          RUN(a_row_file_that_contradicts_its_note_is_reported))
