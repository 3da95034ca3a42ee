/* Numbers of 16 bits: values from the standard, all numbers there and back, and rounding to the
 * nearest number, checked against the two neighbours. */
#include "base/error.h" /* before cmocka defines a macro fail() */
#include "base/float16.h"
#include "base/rng.h"
#include "test.h"

#include <math.h>

TEST(values_of_the_standard) {
    static const struct {
        uint16_t bits;
        float value;
    } CASES[] = {{0x0000, 0},           {0x3c00, 1},        {0xc000, -2},
                 {0x3555, 0x1.554p-2f}, {0x7bff, 65504},    {0x0001, 0x1p-24f},
                 {0x03ff, 0x3ffp-24f},  {0x0400, 0x1p-14f}, {0x7c00, INFINITY},
                 {0xfc00, -INFINITY}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        EXPECT_INT(CASES[i].bits, float16_bits(CASES[i].value));
        EXPECT_TRUE(float16_value(CASES[i].bits) == CASES[i].value);
    }
    EXPECT_INT(0x8000, float16_bits(-0.0f));
    EXPECT_TRUE(signbit(float16_value(0x8000)));
    EXPECT_TRUE(isnan(float16_value(float16_bits(NAN))));
}

TEST(each_number_comes_back) {
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        float value = float16_value((uint16_t)bits);
        if (isnan(value)) {
            EXPECT_TRUE((bits & 0x7fff) > 0x7c00);
        } else if (float16_bits(value) != bits) {
            fail_msg("%04x comes back as %04x", bits, float16_bits(value));
        }
    }
}

/* Positive numbers have the order of their bits, so the neighbours of a number have the bits before
 * and after its own. */
TEST(rounding_takes_the_nearest_number_and_the_even_one_of_two) {
    Rng rng = rng_seeded(1);
    for (int i = 0; i < 200000; i++) {
        uint16_t low = (uint16_t)rng_below(&rng, 0x7bff);
        double below = (double)float16_value(low),
               above = (double)float16_value((uint16_t)(low + 1));
        double middle = (below + above) / 2; /* a float, too */
        float value = i % 4 ? (float)(below + (above - below) * rng_uniform(&rng)) : (float)middle;
        uint16_t found = float16_bits(value), wanted;
        if ((double)value == middle)
            wanted = low % 2 ? (uint16_t)(low + 1) : low;
        else
            wanted = (double)value < middle ? low : (uint16_t)(low + 1);
        if (found != wanted)
            fail_msg("%a becomes %04x, but %04x is nearest", (double)value, found, wanted);
        EXPECT_INT(wanted | 0x8000, float16_bits(-value));
    }
}

TEST(large_numbers_become_infinity) {
    EXPECT_INT(0x7bff, float16_bits(65519.99f));
    EXPECT_INT(0x7c00, float16_bits(65520));
    EXPECT_INT(0xfc00, float16_bits(-1e30f));
}

TEST_MAIN(RUN(values_of_the_standard), RUN(each_number_comes_back),
          RUN(rounding_takes_the_nearest_number_and_the_even_one_of_two),
          RUN(large_numbers_become_infinity))
