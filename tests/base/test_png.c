/* PNG files, taken apart again with zlib. */
#include <zlib.h>

#include "base/formats/png.h"
#include "test.h"

static unsigned long number_at(const char *at) {
    const unsigned char *b = (const unsigned char *)at;
    return (unsigned long)b[0] << 24 | (unsigned long)b[1] << 16 | (unsigned long)b[2] << 8 | b[3];
}

/* Checks the chunk at *at with its checksum, and moves *at behind it. */
static const char *next_chunk(const char **at, const char *kind, unsigned long *length) {
    const char *bytes = *at + 8;
    *length = number_at(*at);
    EXPECT_TRUE(memcmp(*at + 4, kind, 4) == 0);
    EXPECT_INT(crc32(0, (const unsigned char *)*at + 4, (unsigned)*length + 4),
               number_at(bytes + *length));
    *at = bytes + *length + 4;
    return bytes;
}

TEST(pixels_come_back) {
    static const unsigned char RGB[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 250, 251, 252};
    unsigned char rows[64];
    unsigned long length, count = sizeof rows;
    StrBuf png = {0};
    EXPECT_OK(png_encode(RGB, 2, 2, &png, err));
    EXPECT_TRUE(memcmp(png.text, "\x89PNG\r\n\x1a\n", 8) == 0);
    const char *at = png.text + 8, *header = next_chunk(&at, "IHDR", &length);
    EXPECT_INT(13, length);
    EXPECT_INT(2, number_at(header));
    EXPECT_INT(2, number_at(header + 4));
    EXPECT_TRUE(memcmp(header + 8, "\10\2\0\0\0", 5) == 0); /* 8 bits, red green blue */
    const char *data = next_chunk(&at, "IDAT", &length);
    EXPECT_INT(Z_OK, uncompress(rows, &count, (const unsigned char *)data, length));
    EXPECT_INT(2 * 7, count);
    EXPECT_TRUE(rows[0] == 0 && memcmp(rows + 1, RGB, 6) == 0);
    EXPECT_TRUE(rows[7] == 0 && memcmp(rows + 8, RGB + 6, 6) == 0);
    next_chunk(&at, "IEND", &length);
    EXPECT_INT(0, length);
    EXPECT_INT(png.length, at - png.text);
    strbuf_clear(&png);
}

TEST(impossible_pictures_are_refused) {
    StrBuf png = {0};
    EXPECT_STATUS(ERR_ARGUMENT, png_encode((const unsigned char *)"", 0, 1, &png, NULL));
    EXPECT_STATUS(ERR_ARGUMENT, png_encode((const unsigned char *)"", 1, 65536, &png, NULL));
    EXPECT_INT(0, png.length);
}

TEST_MAIN(RUN(pixels_come_back), RUN(impossible_pictures_are_refused))
