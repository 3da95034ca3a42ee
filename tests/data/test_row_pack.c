/* Packed rows are unpacked to the same rows, and wrong bytes are refused. */
#include "base/rng.h"
#include "data/rows/row_pack.h"
#include "made_rows.h"

/* Makes rows in whose columns runs of zeros, of many lengths, alternate with other bytes. */
static Rows random_rows(int length, size_t count) {
    Rows rows = made_empty_rows(length, count);
    Rng rng = rng_seeded((uint64_t)length);
    size_t area = (size_t)(length * length);
    for (size_t n = 0; n < count; n++) {
        int16_t *q = rows.q_values + n * 3 * (area + 1);
        int8_t *values = rows.values + n * 5 * area;
        uint8_t *planes = rows.planes + n * FEATURE_PLANES * ((area + 7) / 8);
        for (size_t i = 0; i < 3 * (area + 1); i++)
            q[i] = (int16_t)(rng_below(&rng, 40) == 0 ? rng_below(&rng, 30000) : 0);
        for (size_t i = 0; i < 5 * area; i++)
            values[i] = (int8_t)(n % 2 ? rng_below(&rng, 3) - 1 : 1);
        for (size_t i = 0; i < FEATURE_PLANES * ((area + 7) / 8); i++)
            planes[i] = (uint8_t)rng_next(&rng);
        rows.targets[n * ROW_GLOBAL_TARGETS + (size_t)rng_below(&rng, 80)] = 1.5f;
    }
    return rows;
}

TEST(rows_unpack_to_what_they_were) {
    for (int length = 2; length <= 19; length += length == 2 ? 3 : 7) {
        Rows rows = random_rows(length, 20), again;
        StrBuf wanted = {0}, got = {0}, packed = {0};
        EXPECT_OK(rows_init(&again, length, err));
        for (size_t n = 0; n < rows.count; n++) {
            strbuf_reset(&packed);
            row_pack(&rows, n, &packed);
            EXPECT_TRUE(packed.length < rows_bytes(length) + 64);
            EXPECT_OK(row_unpack(&again, packed.text, packed.length, err));
        }
        rows_to_bytes(&rows, &wanted);
        rows_to_bytes(&again, &got);
        EXPECT_INT(wanted.length, got.length);
        EXPECT_TRUE(memcmp(wanted.text, got.text, got.length) == 0);
        strbuf_clear(&wanted);
        strbuf_clear(&got);
        strbuf_clear(&packed);
        rows_clear(&rows);
        rows_clear(&again);
    }
}

TEST(a_row_of_zeros_is_small) {
    Rows rows = made_empty_rows(19, 1);
    StrBuf packed = {0};
    row_pack(&rows, 0, &packed);
    EXPECT_INT(4 * 8, packed.length); /* 8 columns; for each, one piece of 4 bytes */
    strbuf_clear(&packed);
    rows_clear(&rows);
}

TEST(wrong_bytes_are_refused) {
    Rows rows = random_rows(5, 1), again;
    StrBuf packed = {0};
    Rng rng = rng_seeded(3);
    EXPECT_OK(rows_init(&again, 5, err));
    row_pack(&rows, 0, &packed);
    for (size_t count = 0; count < packed.length; count++)
        EXPECT_STATUS(ERR_SYNTAX, row_unpack(&again, packed.text, count, NULL));
    for (int i = 0; i < 2000; i++) { /* no change may cause a read past the end */
        size_t at = (size_t)rng_below(&rng, (int)packed.length);
        char before = packed.text[at];
        char *copy = malloc(packed.length); /* so that a sanitizer finds reads beyond its end */
        packed.text[at] = (char)rng_next(&rng);
        memcpy(copy, packed.text, packed.length);
        Status status = row_unpack(&again, copy, packed.length, NULL);
        EXPECT_TRUE(status == OK || status == ERR_SYNTAX);
        packed.text[at] = before;
        free(copy);
    }
    strbuf_clear(&packed);
    rows_clear(&rows);
    rows_clear(&again);
}

TEST_MAIN(RUN(rows_unpack_to_what_they_were), RUN(a_row_of_zeros_is_small),
          RUN(wrong_bytes_are_refused))
