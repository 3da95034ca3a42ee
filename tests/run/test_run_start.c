/* What a start finds in a run's directory: rows beyond the memory of the window. */
#define _GNU_SOURCE /* nftw */
#include "data/made_rows.h"
#include "run/tiny_run.h"

static Path path_in(const Folder *run, const char *name) {
    Path path;
    EXPECT_OK(path_join(&path, run->text, name, err));
    return path;
}

/* A row file of 4x4 boards, as self-play with net 1 leaves it. */
static void put_rows(const Folder *run, const char *name, size_t rows) {
    Path folder = path_in(run, "rows/000001");
    EXPECT_OK(directory_make(folder.text, err));
    made_file(path_in(run, name).text, 4, 4, 4, rows, rows);
}

TEST(rows_that_memory_drops_are_rows_of_the_run) {
    Folder run = make_folder();
    RunConfig config = tiny(1);
    Cycle *cycle;
    size_t each = ((size_t)config.loader.memory_mb << 20) / rows_bytes(4) * 2 / 3;
    put_rows(&run, "rows/000001/a.npz", each);
    put_rows(&run, "rows/000001/b.npz", each);
    put_rows(&run, "rows/000001/c.npz", each);
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
        EXPECT_INT(3 * each, cycle_totals(cycle).rows);
        cycle_close(cycle);
    }
    remove_folder(&run);
}

TEST_MAIN(RUN(rows_that_memory_drops_are_rows_of_the_run))
