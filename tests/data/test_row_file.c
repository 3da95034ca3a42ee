/* Row files: none is written that cannot be read. */
#define _GNU_SOURCE /* mkdtemp */
#include "data/made_rows.h"

#include "base/scratch.h"

TEST(what_would_be_refused_is_not_written) {
    Scratch scratch = scratch_new();
    Path path = scratch_path(&scratch, "a.npz");
    Error err = {0};
    for (int length = 2; length <= 19; length++) {
        size_t most = row_file_most(length), bytes = rows_bytes(length);
        EXPECT_TRUE(most * bytes + 7 * 256 <= (size_t)1 << 30); /* the reader's limit */
        EXPECT_TRUE((most + 1) * bytes + 7 * 256 > (size_t)1 << 30);
        Rows rows = {.length = length, .count = most + 1, .capacity = most + 1}; /* not looked at */
        EXPECT_STATUS(ERR_ARGUMENT, row_file_write(path.text, &rows, &err));
        EXPECT_CONTAINS(err.message, "a.npz: ");
        EXPECT_FALSE(file_exists(path.text));
    }
    EXPECT_TRUE(row_file_most(19) < 141000); /* as many were lost */
    scratch_remove(&scratch);
}

TEST(packed_rows_come_back) {
    for (int length = 2; length <= 19; length += 17) {
        Rows rows = made_rows(length, 2, 2, 5, 1), more = {.length = length};
        StrBuf packed = {0};
        rows_to_bytes(&rows, &packed);
        EXPECT_OK(strbuf_status(&packed, err));
        EXPECT_INT(5 * rows_bytes(length), packed.length);
        for (int i = 0; i < 2; i++)
            EXPECT_OK(rows_from_bytes(&more, packed.text, packed.length, 5, err));
        EXPECT_INT(10, more.count);
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
}

TEST_MAIN(RUN(what_would_be_refused_is_not_written), RUN(packed_rows_come_back))
