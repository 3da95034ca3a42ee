/* Row files: files that a reader would refuse are not written, and rows are read back as they were
 * written. */
#define _GNU_SOURCE /* mkdtemp */
#include "data/made_rows.h"

#include "base/formats/archive.h"
#include "base/scratch.h"

TEST(files_that_readers_refuse_are_not_written) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "a.npz");
    Error err = {0};
    for (int length = 2; length <= 19; length++) {
        size_t max_rows = row_file_max_rows(length), bytes = rows_bytes(length);
        EXPECT_TRUE(max_rows * bytes + 8 * 256 <= (size_t)1 << 30); /* the reader's limit */
        EXPECT_TRUE((max_rows + 1) * bytes + 8 * 256 > (size_t)1 << 30);
        /* The call is refused before it reads the arrays, so they may be NULL. */
        Rows rows = {.length = length, .count = max_rows + 1, .capacity = max_rows + 1};
        EXPECT_STATUS(ERR_ARGUMENT, row_file_write(path.text, &rows, &err));
        EXPECT_CONTAINS(err.message, "a.npz: ");
        EXPECT_FALSE(file_exists(path.text));
    }
    EXPECT_TRUE(row_file_max_rows(19) < 141000); /* 141,000 rows take more than 1 GiB */
    scratch_remove(&scratch);
}

/* Rows.search_values counts the values that the visits of a search found. A file has this column
 * only if one of its counts is not 0, because other programs do not know this column. */
TEST(search_values_are_written_if_there_are_any) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "a.npz");
    for (int any = 0; any < 2; any++) {
        Rows rows = made_rows(3, 3, 3, 2, 1), more;
        Arena arena = {0};
        ZipMember *members;
        int count;
        rows.search_values[REPORT_VALUE_BUCKETS + 50] = any ? 600 : 0;
        EXPECT_OK(row_file_write(path.text, &rows, err));
        EXPECT_OK(zip_read(path.text, 1 << 20, &arena, &members, &count, err));
        EXPECT_INT(7 + any, count);
        EXPECT_OK(row_file_read(path.text, &more, err));
        EXPECT_INT(any ? 600 : 0, more.search_values[REPORT_VALUE_BUCKETS + 50]);
        EXPECT_INT(0, more.search_values[50]);
        arena_clear(&arena);
        rows_clear(&rows);
        rows_clear(&more);
    }
    scratch_remove(&scratch);
}

/* Packs rows as a journal stores them, and reads them back. If `spread`, one of the numbers in
 * Rows.search_values is not 0; otherwise this column is left out. */
static void expect_packed(int length, bool spread) {
    Rows rows = made_rows(length, 2, 2, 5, 1), more = {.length = length};
    if (spread) rows.search_values[REPORT_VALUE_BUCKETS * 3 + 7] = 5;
    StrBuf packed = {0};
    rows_to_bytes(&rows, &packed);
    EXPECT_OK(strbuf_status(&packed, err));
    size_t each = rows_bytes(length) - !spread * REPORT_VALUE_BUCKETS * sizeof(int16_t);
    EXPECT_INT(5 * each, packed.length);
    for (int i = 0; i < 2; i++)
        EXPECT_OK(rows_from_bytes(&more, packed.text, packed.length, 5, err));
    EXPECT_INT(10, more.count);
    EXPECT_INT(spread ? 5 : 0, more.search_values[REPORT_VALUE_BUCKETS * 8 + 7]);
    EXPECT_STATUS(ERR_SYNTAX, rows_from_bytes(&more, packed.text, packed.length - 1, 5, NULL));
    EXPECT_STATUS(ERR_SYNTAX,
                  rows_from_bytes(&more, packed.text, packed.length, (size_t)1 << 61, NULL));
    EXPECT_INT(10, more.count);
    Rows second = {.length = length};
    StrBuf again = {0};
    EXPECT_OK(rows_append(&second, &more, 5, 5, err));
    rows_to_bytes(&second, &again);
    EXPECT_INT(packed.length, again.length);
    EXPECT_INT(0, memcmp(packed.text, again.text, again.length));
    EXPECT_OK(rows_from_bytes(&more, "", 0, 0, err));
    EXPECT_INT(10, more.count);
    strbuf_clear(&packed);
    strbuf_clear(&again);
    rows_clear(&rows);
    rows_clear(&more);
    rows_clear(&second);
}

TEST(packed_rows_are_read_back) {
    for (int length = 2; length <= 19; length += 17) {
        expect_packed(length, false);
        expect_packed(length, true);
    }
}

TEST_MAIN(RUN(files_that_readers_refuse_are_not_written),
          RUN(search_values_are_written_if_there_are_any), RUN(packed_rows_are_read_back))
