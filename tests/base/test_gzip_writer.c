/* Files that are written piece by piece. */
#include "base/formats/archive.h"
#include "base/formats/gzip_writer.h"
#include "base/rng.h"
#include "scratch.h"

enum { PIECES = 3000, LONGEST = 200 };

/* Writes random bytes, which cannot be compressed, in pieces of many lengths. Then writes all of
 * them again as one piece. `all` gets every byte written. Returns the number of bytes written. */
static size_t write_pieces(GzipWriter *writer, unsigned char *all) {
    Rng rng = rng_seeded(3);
    size_t count = 0;
    for (int i = 0; i < PIECES; i++) {
        size_t length = (size_t)rng_below(&rng, LONGEST), first = count;
        for (size_t k = 0; k < length; k++)
            all[count++] = (unsigned char)rng_next(&rng);
        gzip_writer_add(writer, all + first, length);
    }
    memcpy(all + count, all, count);
    gzip_writer_add(writer, all + count, count);
    return 2 * count;
}

TEST(pieces_read_back) {
    Scratch folder = scratch_new();
    Path path = scratch_path(&folder, "a.gz");
    unsigned char *all = malloc(2 * PIECES * LONGEST);
    assert_non_null(all);
    for (int level = 0; level <= 9; level += 3) {
        Arena arena = {0};
        GzipWriter *writer;
        char *bytes;
        size_t count;
        EXPECT_OK(gzip_writer_open(path.text, level, &writer, err));
        size_t wanted = write_pieces(writer, all);
        EXPECT_OK(gzip_writer_commit(writer, err));
        if (!level) EXPECT_INT(wanted, file_bytes(path.text));
        EXPECT_OK(gzip_read(path.text, (GzipLimit){.bytes = wanted}, &arena, &bytes, &count, err));
        EXPECT_INT(wanted, count);
        EXPECT_TRUE(memcmp(all, bytes, count) == 0);
        arena_clear(&arena);
    }
    free(all);
    scratch_remove(&folder);
}

TEST(what_is_abandoned_leaves_nothing) {
    Scratch folder = scratch_new();
    Path path = scratch_path(&folder, "a.gz");
    GzipWriter *writer;
    EXPECT_OK(file_write(path.text, "before", 6, err));
    EXPECT_OK(gzip_writer_open(path.text, 6, &writer, err));
    gzip_writer_add(writer, "after", 5);
    gzip_writer_abandon(writer);
    gzip_writer_abandon(NULL);
    EXPECT_INT(6, file_bytes(path.text));
    Path nowhere = scratch_path(&folder, "none/a.gz");
    EXPECT_STATUS(ERR_IO, gzip_writer_open(nowhere.text, 6, &writer, NULL));
    EXPECT_TRUE(!writer);
    scratch_remove(&folder);
}

TEST_MAIN(RUN(pieces_read_back), RUN(what_is_abandoned_leaves_nothing))
