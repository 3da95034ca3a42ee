/* The exponentials of a softmax against exponentials in double precision. */
#include <math.h>

#include "base/error.h" /* before cmocka defines the word fail */
#include "base/rng.h"
#include "nn/kernels/gemm.h"
#include "nn/kernels/softmax.h"
#include "test.h"

enum { ROWS = 3, MAX = 400 };

/* Checks one row and its sum. `was` is the row before softmax_exp(). */
static void check_row(const float *was, const float *x, float sum, int count, int stride) {
    double max = -1e30, want = 0;
    for (int i = 0; i < count; i++)
        max = fmax(max, (double)was[i]);
    for (int i = 0; i < count; i++) {
        double below = max - (double)was[i], e = exp(-below);
        EXPECT_NEAR(e, x[i], (1e-6 + 6e-8 * below) * e + 1e-37); /* the difference is rounded */
        want += e;
    }
    EXPECT_NEAR(want, sum, 3e-6 * want);
    for (int i = count; i < stride; i++)
        EXPECT_TRUE(x[i] == 0);
}

TEST(rows_of_all_lengths_agree_with_the_definition) {
    Rng rng = rng_seeded(3);
    float was[ROWS * MAX], x[ROWS * MAX], sums[ROWS];
    if (!softmax_can()) SKIP("this processor has no AVX-512");
    for (int count = 1; count <= 365; count += count < 40 ? 1 : 13) {
        int stride = (count + 15) / 16 * 16;
        for (int i = 0; i < ROWS * stride; i++)
            x[i] = was[i] = (float)(20 * rng_normal(&rng));
        was[count / 2] = x[count / 2] = -300; /* far below the others */
        for (int row = 0; row < ROWS; row++)  /* what lies after a row must not matter */
            for (int i = count; i < stride; i++)
                x[row * stride + i] = i % 2 ? NAN : 1e30f;
        softmax_exp(ROWS, count, stride, x, sums);
        for (int row = 0; row < ROWS; row++)
            check_row(was + row * stride, x + row * stride, sums[row], count, stride);
    }
}

TEST(nan_is_not_hidden) {
    float x[32] = {0}, sum = 0;
    if (!softmax_can()) SKIP("this processor has no AVX-512");
    x[20] = NAN;
    softmax_exp(1, 30, 32, x, &sum);
    EXPECT_TRUE(isnan(sum));
}

TEST(elements_far_below_the_maximum_become_zero) {
    const float FAR[] = {-200, -1e10f, -1e15f, -1e30f, -3e38f, -INFINITY};
    float x[32] = {0}, sum = 0;
    if (!softmax_can()) SKIP("this processor has no AVX-512");
    for (int i = 0; i < 6; i++) /* in the first 16 elements and in those after them */
        x[13 + i] = FAR[i];
    softmax_exp(1, 20, 32, x, &sum);
    for (int i = 0; i < 20; i++)
        EXPECT_TRUE(x[i] == (i >= 13 && i < 19 ? 0.0f : 1.0f));
    EXPECT_TRUE(sum == 14);
}

TEST(bf16_gives_the_same_numbers_rounded) {
    float x[2 * 48], bf16[2 * 48], sums[2], bf16_sums[2];
    uint16_t bits[48];
    Rng rng = rng_seeded(9);
    if (!softmax_can() || !gemm_can_bf16()) SKIP("this processor has no AVX512_BF16");
    for (int i = 0; i < 2 * 48; i++)
        x[i] = bf16[i] = (float)(3 * rng_normal(&rng));
    softmax_exp(2, 35, 48, x, sums);
    softmax_exp_bf16(2, 35, 48, bf16, bf16_sums);
    for (int row = 0; row < 2; row++) {
        memcpy(bits, bf16 + 48 * row, sizeof bits);
        EXPECT_NEAR(sums[row], bf16_sums[row], 1e-6);
        for (int i = 0; i < 48; i++) {
            uint32_t wide = (uint32_t)bits[i] << 16;
            float value;
            memcpy(&value, &wide, sizeof value);
            EXPECT_NEAR(x[48 * row + i], value, (double)x[48 * row + i] / 256);
        }
    }
}

TEST(a_limit_of_the_instruction_set_is_obeyed) {
    EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1));
    EXPECT_FALSE(softmax_can());
    EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
}

TEST_MAIN(RUN(rows_of_all_lengths_agree_with_the_definition), RUN(nan_is_not_hidden),
          RUN(elements_far_below_the_maximum_become_zero), RUN(bf16_gives_the_same_numbers_rounded),
          RUN(a_limit_of_the_instruction_set_is_obeyed))
