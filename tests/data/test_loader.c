/* Batches from made-up files: what memory keeps of them. Rows are told apart by their
 * TARGET_TURN. */
#include "data/loader.h"
#include "data/made_rows.h"

enum { LENGTH = 5 };

static LoaderConfig plain(int batch) {
    return (LoaderConfig){.batch = batch, .length = LENGTH, .memory_mb = 16, .seed = 1};
}

/* A file of `count` rows with turns from `first` on. */
static void add_rows(Loader *loader, int length, int first, int count) {
    TestPath path = test_path("loader.npz");
    Rows rows = made_rows(length, LENGTH, LENGTH, (size_t)count, (uint64_t)first + 1);
    for (int n = 0; n < count; n++)
        rows.targets[n * ROW_GLOBAL_TARGETS + TARGET_TURN] = (float)(first + n);
    EXPECT_OK(row_file_write(path.text, &rows, err));
    EXPECT_OK(loader_add_file(loader, path.text, err));
    rows_clear(&rows);
    remove(path.text);
}

static int turn_of(const Batch *batch, int n) {
    return (int)batch->targets[n * ROW_GLOBAL_TARGETS + TARGET_TURN];
}

TEST(what_memory_drops_was_added_all_the_same) {
    LoaderConfig config = plain(4);
    config.memory_mb = 1;
    Loader *loader;
    EXPECT_OK(loader_new(&config, &loader, err));
    int each = (int)((1 << 20) / rows_bytes(LENGTH)) / 2 + 1; /* two are more than fits */
    for (int i = 0; i < 3; i++) {
        add_rows(loader, LENGTH, i * each, each);
        EXPECT_INT(each, loader_rows(loader));
        EXPECT_INT((i + 1) * each, loader_rows_added(loader));
    }
    Batch batch;
    EXPECT_OK(loader_next(loader, &batch, err));
    for (int n = 0; n < batch.count; n++)
        EXPECT_TRUE(turn_of(&batch, n) >= 2 * each);
    loader_free(loader);
}

TEST_MAIN(RUN(what_memory_drops_was_added_all_the_same))
