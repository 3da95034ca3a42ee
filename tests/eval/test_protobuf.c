/* The wire format of Protocol Buffers: what is written is read again, and damaged bytes are refused
 * without reading past their end. */
#include <string.h>

#include "base/rng.h"
#include "eval/formats/protobuf.h"
#include "test.h"

static ProtoBytes bytes_of(const StrBuf *buf) {
    return (ProtoBytes){(const unsigned char *)strbuf_text(buf), buf->length};
}

/* The examples are those of protobuf.dev, "Encoding": field 1 with the number 150, and field 2 with
 * the text "testing". */
TEST(examples_of_the_documentation) {
    StrBuf out = {0};
    ProtoField field;
    proto_add_int(&out, 1, 150);
    proto_add_text(&out, 2, "testing");
    EXPECT_INT(12, (int)out.length);
    EXPECT_TRUE(memcmp(out.text, "\x08\x96\x01\x12\x07testing", 12) == 0);
    ProtoBytes from = bytes_of(&out);
    EXPECT_TRUE(proto_read_field(&from, &field));
    EXPECT_INT(1, (int)field.number);
    EXPECT_INT(PROTO_VARINT, field.wire);
    EXPECT_INT(150, (int)field.value);
    EXPECT_TRUE(proto_read_field(&from, &field));
    EXPECT_INT(2, (int)field.number);
    EXPECT_INT(7, (int)field.bytes.left);
    EXPECT_TRUE(memcmp(field.bytes.at, "testing", 7) == 0);
    EXPECT_INT(0, (int)from.left);
    EXPECT_FALSE(proto_read_field(&from, &field));
    strbuf_clear(&out);
}

/* A field that was written, to be compared with what is read. */
typedef struct {
    int number;
    ProtoWire wire;
    uint64_t value;
    char text[16];
} Written;

static Written write_random(StrBuf *out, Rng *rng) {
    Written w = {.number = 1 + rng_below(rng, rng_below(rng, 2) ? 20 : (1 << 29) - 1)};
    StrBuf message = {0};
    switch (rng_below(rng, 4)) {
    case 0:
        w.wire = PROTO_VARINT;
        w.value = rng_next(rng) >> rng_below(rng, 64);
        proto_add_int(out, w.number, (int64_t)w.value);
        break;
    case 1:
        w.wire = PROTO_32;
        w.value = rng_next(rng) & UINT32_MAX;
        proto_add_fixed32(out, w.number, (uint32_t)w.value);
        break;
    case 2:
        w.wire = PROTO_LENGTH;
        snprintf(w.text, sizeof w.text, "%d", rng_below(rng, 1 << 30));
        proto_add_text(out, w.number, w.text);
        break;
    default:
        w.wire = PROTO_LENGTH;
        snprintf(w.text, sizeof w.text, "m%d", rng_below(rng, 1000));
        strbuf_add(&message, w.text);
        proto_add_message(out, w.number, &message);
    }
    strbuf_clear(&message);
    return w;
}

TEST(random_fields_are_read_as_they_were_written) {
    enum { FIELDS = 40 };
    Rng rng = rng_seeded(1);
    for (int round = 0; round < 200; round++) {
        Written written[FIELDS];
        StrBuf out = {0};
        for (int i = 0; i < FIELDS; i++)
            written[i] = write_random(&out, &rng);
        ProtoBytes from = bytes_of(&out);
        for (int i = 0; i < FIELDS; i++) {
            ProtoField field;
            EXPECT_TRUE(proto_read_field(&from, &field));
            EXPECT_INT(written[i].number, (int)field.number);
            EXPECT_INT(written[i].wire, field.wire);
            if (field.wire == PROTO_LENGTH) {
                EXPECT_INT((int)strlen(written[i].text), (int)field.bytes.left);
                EXPECT_TRUE(memcmp(field.bytes.at, written[i].text, field.bytes.left) == 0);
            } else {
                EXPECT_TRUE(written[i].value == field.value);
            }
        }
        EXPECT_INT(0, (int)from.left);
        strbuf_clear(&out);
    }
}

TEST(floats_keep_their_bits) {
    static const float VALUES[] = {0, -0.0f, 1.5f, -3e38f, 1e-40f};
    for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
        StrBuf out = {0};
        ProtoField field;
        proto_add_float(&out, 3, VALUES[i]);
        ProtoBytes from = bytes_of(&out);
        EXPECT_TRUE(proto_read_field(&from, &field));
        float got = proto_float(&field);
        EXPECT_TRUE(memcmp(&got, &VALUES[i], sizeof got) == 0);
        strbuf_clear(&out);
    }
}

static bool reads(const char *bytes, size_t count) {
    /* A copy of exactly this size lets the sanitizers see reads past its end. */
    unsigned char *copy = malloc(count ? count : 1);
    ProtoField field;
    memcpy(copy, bytes, count);
    ProtoBytes from = {copy, count};
    bool good = proto_read_field(&from, &field);
    free(copy);
    return good;
}

#define READS(text) reads(text, sizeof(text) - 1)

TEST(damaged_fields_are_refused) {
    EXPECT_FALSE(READS(""));
    EXPECT_FALSE(READS("\x08"));                     /* no value */
    EXPECT_FALSE(READS("\x08\x96"));                 /* the number goes on, but the bytes end */
    EXPECT_FALSE(READS("\x00\x01"));                 /* field 0 */
    EXPECT_FALSE(READS("\x80\x80\x80\x80\x10\x01")); /* field 2^29 */
    EXPECT_TRUE(READS("\xf8\xff\xff\xff\x0f\x01"));  /* field 2^29 - 1 */
    EXPECT_FALSE(READS("\x0b"));                     /* groups, which are no longer used */
    EXPECT_FALSE(READS("\x0c"));
    EXPECT_FALSE(READS("\x0e\x01\x01\x01\x01"));             /* the form 6 */
    EXPECT_FALSE(READS("\x0d\x01\x02\x03"));                 /* 3 of 4 bytes */
    EXPECT_FALSE(READS("\x09\x01\x02\x03\x04\x05\x06\x07")); /* 7 of 8 bytes */
    EXPECT_FALSE(READS("\x0a\x03"
                       "ab")); /* longer than the bytes that follow */
    EXPECT_FALSE(READS("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
                       "ab"));
    /* The largest number has 10 bytes, of which the last is 1. */
    EXPECT_TRUE(READS("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"));
    EXPECT_FALSE(READS("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"));
    EXPECT_FALSE(READS("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")); /* 11 bytes */
}

TEST_MAIN(RUN(examples_of_the_documentation), RUN(random_fields_are_read_as_they_were_written),
          RUN(floats_keep_their_bits), RUN(damaged_fields_are_refused))
