/* Tensors of lc0's net files: numbers keep their value within half a step of 16 bits, zeros stay
 * zeros, and all encodings are read. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "eval/formats/lc0/lc0_fields.h"
#include "eval/formats/lc0/lc0_tensor.h"
#include "test.h"

enum { COUNT = 500 };

/* Writes the numbers, and reads the tensor again. Its bytes stay in `out`. */
static Lc0Tensor through(StrBuf *out, const float *values, size_t count) {
    ProtoField field;
    Lc0Tensor tensor;
    char text[80];
    strbuf_reset(out);
    lc0_tensor_add(out, 7, values, count);
    ProtoBytes from = {(const unsigned char *)out->text, out->length};
    EXPECT_TRUE(proto_read_field(&from, &field));
    EXPECT_INT(7, (int)field.number);
    EXPECT_TRUE(lc0_tensor_read(field.bytes, &tensor));
    EXPECT_TRUE(lc0_tensor_check(&tensor, LC0_LINEAR16, text) == NULL);
    EXPECT_INT((int)count, (int)tensor.count);
    return tensor;
}

TEST(numbers_are_rounded_to_the_nearest_step) {
    Rng rng = rng_seeded(3);
    StrBuf out = {0}, again = {0};
    float values[COUNT], read[COUNT], second[COUNT];
    for (int round = 0; round < 50; round++) {
        double scale = exp(6 * rng_normal(&rng)), offset = round % 3 ? 0 : 5 * rng_normal(&rng);
        for (int i = 0; i < COUNT; i++)
            values[i] = (float)(scale * (offset + rng_normal(&rng)));
        if (round % 2) values[7] = 0;
        Lc0Tensor tensor = through(&out, values, COUNT);
        double step = ((double)tensor.max - (double)tensor.min) / 65535;
        EXPECT_TRUE(lc0_tensor_decode(&tensor, read));
        for (int i = 0; i < COUNT; i++)
            EXPECT_NEAR(values[i], read[i], 0.5001 * step + 1e-7 * fabs((double)values[i]));
        if (round % 2) EXPECT_TRUE(!(fabsf(read[7]) > 0));
        /* What was read is written without a further loss. */
        Lc0Tensor third = through(&again, read, COUNT);
        EXPECT_TRUE(lc0_tensor_decode(&third, second));
        for (int i = 0; i < COUNT; i++)
            EXPECT_NEAR(0, (double)second[i] - (double)read[i], 0.01 * step);
    }
    strbuf_clear(&out);
    strbuf_clear(&again);
}

TEST(constant_and_single_numbers_are_exact) {
    static const float ONES[3] = {1, 1, 1}, ZEROS[2] = {0, 0}, SINGLE[1] = {-0.37f};
    StrBuf out = {0};
    float read[3];
    Lc0Tensor tensor = through(&out, ONES, 3);
    EXPECT_TRUE(lc0_tensor_decode(&tensor, read));
    EXPECT_TRUE(memcmp(ONES, read, sizeof ONES) == 0);
    tensor = through(&out, ZEROS, 2);
    EXPECT_TRUE(lc0_tensor_decode(&tensor, read));
    EXPECT_TRUE(memcmp(ZEROS, read, sizeof ZEROS) == 0);
    tensor = through(&out, SINGLE, 1);
    EXPECT_TRUE(lc0_tensor_decode(&tensor, read));
    EXPECT_TRUE(memcmp(SINGLE, read, sizeof SINGLE) == 0);
    tensor = through(&out, SINGLE, 0);
    EXPECT_INT(0, (int)tensor.count);
    strbuf_clear(&out);
}

/* The middle of the range -1 to 3 is 1; the other encodings have 1.5 and -2. */
TEST(all_encodings_are_read) {
    static const struct {
        int encoding;
        const char *bytes;
        size_t length;
        float first, second;
    } CASES[] = {{LC0_LINEAR16, "\x00\x00\xff\xff", 4, -1, 3},
                 {LC0_FLOAT16, "\x00\x3e\x00\xc0", 4, 1.5f, -2},
                 {LC0_BFLOAT16, "\xc0\x3f\x00\xc0", 4, 1.5f, -2},
                 {LC0_FLOAT32, "\x00\x00\xc0\x3f\x00\x00\x00\xc0", 8, 1.5f, -2}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[80];
        float read[2];
        Lc0Tensor tensor = {.min = -1,
                            .max = 3,
                            .encoding = (uint64_t)CASES[i].encoding,
                            .params = {(const unsigned char *)CASES[i].bytes, CASES[i].length}};
        EXPECT_TRUE(lc0_tensor_check(&tensor, LC0_LINEAR16, text) == NULL);
        EXPECT_INT(2, (int)tensor.count);
        EXPECT_TRUE(lc0_tensor_decode(&tensor, read));
        EXPECT_NEAR(CASES[i].first, read[0], 1e-9);
        EXPECT_NEAR(CASES[i].second, read[1], 1e-9);
    }
}

TEST(wrong_tensors_are_refused) {
    char text[80];
    float read[2];
    const unsigned char *bytes = (const unsigned char *)"\x00\x7c\x00\x00";
    Lc0Tensor tensor = {.encoding = 9, .params = {bytes, 4}};
    EXPECT_TEXT("its encoding is 9, which is not known", lc0_tensor_check(&tensor, 1, text));
    tensor = (Lc0Tensor){.params = {bytes, 3}};
    EXPECT_TEXT("it has half a number", lc0_tensor_check(&tensor, 1, text));
    tensor =
        (Lc0Tensor){.params = {bytes, 4}, .encoding = LC0_FLOAT32, .dim_count = 1, .dims = {2}};
    EXPECT_CONTAINS(lc0_tensor_check(&tensor, 1, text), "its dimensions do not fit");
    tensor = (Lc0Tensor){
        .params = {bytes, 4}, .dim_count = 3, .dims = {UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    EXPECT_CONTAINS(lc0_tensor_check(&tensor, 1, text), "its dimensions do not fit");
    tensor = (Lc0Tensor){.params = {bytes, 4}, .encoding = LC0_FLOAT16}; /* infinity */
    EXPECT_TRUE(lc0_tensor_check(&tensor, 1, text) == NULL);
    EXPECT_FALSE(lc0_tensor_decode(&tensor, read));
    static const char *const DAMAGED[] = {"\x08\x01", /* min is no float */
                                          "\x1d"
                                          "abcd",      /* params are no bytes */
                                          "\x22\x01x", /* the encoding is a text */
                                          "\x2d"
                                          "abcd", /* a dimension is a float */
                                          "\x28\x01\x28\x01\x28\x01\x28\x01\x28\x01", /* five */
                                          "\x2a\x01\x80"}; /* a packed dimension goes on */
    for (size_t i = 0; i < sizeof DAMAGED / sizeof *DAMAGED; i++) {
        ProtoBytes from = {(const unsigned char *)DAMAGED[i], strlen(DAMAGED[i])};
        EXPECT_FALSE(lc0_tensor_read(from, &tensor));
    }
    /* The range is infinite. */
    ProtoBytes infinite = {(const unsigned char *)"\x15\x00\x00\x80\x7f", 5};
    EXPECT_FALSE(lc0_tensor_read(infinite, &tensor));
}

TEST_MAIN(RUN(numbers_are_rounded_to_the_nearest_step), RUN(constant_and_single_numbers_are_exact),
          RUN(all_encodings_are_read), RUN(wrong_tensors_are_refused))
