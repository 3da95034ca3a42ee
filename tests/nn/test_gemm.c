/* Matrix products in f32, and of pairs of bf16, against sums in double precision. */
#include "base/error.h" /* before cmocka defines the word fail */
#include "base/rng.h"
#include "nn/kernels/bf16.h"
#include "nn/kernels/gemm.h"
#include "test.h"

static float *drawn(Rng *rng, int count) {
    float *x = calloc((size_t)count, sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < count; i++)
        x[i] = (float)rng_normal(rng);
    return x;
}

/* Checks all products c[p] = a[p] b[p] of a batch. gemm.h says how the matrices lie in memory. */
static void check_batch(Rng *rng, GemmBatchShape s) {
    float *a = drawn(rng, s.rows * s.matrices * s.stride),
          *b = drawn(rng, s.matrices * s.depth * s.columns),
          *c = drawn(rng, s.rows * s.matrices * s.columns);
    gemm_batch(&s, a, b, c);
    for (int row = 0; row < s.rows; row++) {
        for (int i = 0; i < s.matrices * s.columns; i++) {
            int p = i / s.columns, column = i % s.columns;
            double sum = 0;
            for (int k = 0; k < s.depth; k++)
                sum += (double)a[(row * s.matrices + p) * s.stride + k] *
                       (double)b[(p * s.depth + k) * s.columns + column];
            EXPECT_NEAR(sum, c[row * s.matrices * s.columns + i], 1e-4);
        }
    }
    free(a);
    free(b);
    free(c);
}

/* Whole numbers from -4 to 4, which bf16 represents exactly: as floats, and as pairs of bf16. */
typedef struct {
    float *values, *pairs;
} Pairs;

static Pairs drawn_pairs(Rng *rng, int count) {
    Pairs out = {calloc((size_t)count, 2 * sizeof(float)), calloc((size_t)count, sizeof(float))};
    assert_non_null(out.values);
    assert_non_null(out.pairs);
    for (int i = 0; i < count; i++) {
        uint32_t low, high;
        for (int k = 2 * i; k < 2 * i + 2; k++)
            out.values[k] = (float)(rng_below(rng, 9) - 4);
        memcpy(&low, &out.values[2 * i], sizeof low);
        memcpy(&high, &out.values[2 * i + 1], sizeof high);
        low = low >> 16 | (high & 0xffff0000u);
        memcpy(&out.pairs[i], &low, sizeof low);
    }
    return out;
}

static void free_pairs(const Pairs *pairs) {
    free(pairs->values);
    free(pairs->pairs);
}

static double product_of(const Pairs *a, int i, const Pairs *b, int k) {
    return (double)(a->values[2 * i] * b->values[2 * k]) +
           (double)(a->values[2 * i + 1] * b->values[2 * k + 1]);
}

/* Checks gemm_batch() and gemm_batch_add_transposed(). */
static void check_batch_of_pairs(Rng *rng, GemmBatchShape s) {
    Pairs a = drawn_pairs(rng, s.rows * s.matrices * s.stride),
          b = drawn_pairs(rng, s.matrices * s.depth * s.columns),
          at = drawn_pairs(rng, s.depth * s.matrices * s.rows),
          bt = drawn_pairs(rng, s.depth * s.matrices * s.columns);
    int count = s.rows * s.matrices * s.columns;
    float *c = drawn(rng, count), *ct = calloc((size_t)count, sizeof *ct);
    assert_non_null(ct);
    gemm_batch(&s, a.pairs, b.pairs, c);
    gemm_batch_add_transposed(&s, at.pairs, bt.pairs, ct);
    for (int i = 0; i < count; i++) {
        int row = i / (s.matrices * s.columns), p = i / s.columns % s.matrices,
            column = i % s.columns;
        double sum = 0, transposed = 0;
        for (int k = 0; k < s.depth; k++) {
            sum += product_of(&a, (row * s.matrices + p) * s.stride + k, &b,
                              (p * s.depth + k) * s.columns + column);
            transposed += product_of(&at, (k * s.matrices + p) * s.rows + row, &bt,
                                     (k * s.matrices + p) * s.columns + column);
        }
        EXPECT_NEAR(sum, c[i], 0);
        EXPECT_NEAR(transposed, ct[(p * s.rows + row) * s.columns + column], 0);
    }
    free_pairs(&a);
    free_pairs(&b);
    free_pairs(&at);
    free_pairs(&bt);
    free(c);
    free(ct);
}

TEST(a_batch_of_pairs_agrees_with_the_definition) {
    Rng rng = rng_seeded(9);
    if (!gemm_can_bf16()) SKIP("this processor has no AVX512_BF16");
    for (int columns = 16; columns <= 112; columns += 16)
        check_batch_of_pairs(&rng, (GemmBatchShape){1 + columns % 3, 1 + rng_below(&rng, 20), 22,
                                                    24, columns, true});
    /* this depth is cut into blocks of 128 */
    check_batch_of_pairs(&rng, (GemmBatchShape){2, 13, 300, 301, 32, true});
}

TEST(a_batch_agrees_with_the_definition) {
    Rng rng = rng_seeded(4);
    if (!gemm_can(16)) SKIP("this processor has no AVX-512");
    for (int columns = 16; columns <= 240; columns += 16)
        check_batch(&rng, (GemmBatchShape){1 + columns % 3, 1 + rng_below(&rng, 20),
                                           22 + columns % 9, 32, columns, false});
    /* this depth is cut into three blocks */
    check_batch(&rng, (GemmBatchShape){2, 13, 300, 301, 112, false});
}

TEST(one_gemm_is_written_or_added) {
    Rng rng = rng_seeded(5);
    if (!gemm_can(16)) SKIP("this processor has no AVX-512");
    float *a = drawn(&rng, 7 * 150), *b = drawn(&rng, 150 * 48), *c = drawn(&rng, 7 * 48),
          *twice = calloc(7 * 48, sizeof *twice);
    gemm(7, 150, 48, a, b, c);
    gemm(7, 150, 48, a, b, twice);
    gemm_add(7, 150, 48, a, b, twice);
    for (int i = 0; i < 7 * 48; i++)
        EXPECT_NEAR(2 * (double)c[i], twice[i], 1e-4);
    free(a);
    free(b);
    free(c);
    free(twice);
}

TEST(transposed_batches_agree_with_the_definition) {
    Rng rng = rng_seeded(6);
    const GemmBatchShape s = {.matrices = 3, .rows = 10, .depth = 21, .columns = 32};
    if (!gemm_can(16)) SKIP("this processor has no AVX-512");
    float *a = drawn(&rng, s.depth * s.matrices * s.rows),
          *b = drawn(&rng, s.depth * s.matrices * s.columns),
          *c = calloc((size_t)(s.matrices * s.rows * s.columns), sizeof *c);
    gemm_batch_add_transposed(&s, a, b, c);
    for (int i = 0; i < s.matrices * s.rows * s.columns; i++) {
        int p = i / (s.rows * s.columns), row = i / s.columns % s.rows, column = i % s.columns;
        double sum = 0;
        for (int k = 0; k < s.depth; k++)
            sum += (double)a[(k * s.matrices + p) * s.rows + row] *
                   (double)b[(k * s.matrices + p) * s.columns + column];
        EXPECT_NEAR(sum, c[i], 1e-4);
    }
    free(a);
    free(b);
    free(c);
}

static void check_pairs(Rng *rng, GemmBf16Shape s) {
    float *x = drawn(rng, s.rows * 2 * s.stride), *y = drawn(rng, 2 * s.depth * s.columns),
          *a = drawn(rng, s.rows * s.stride), *b = drawn(rng, s.depth * s.columns),
          *c = drawn(rng, s.rows * s.columns);
    for (int row = 0; row < s.rows; row++)
        bf16_pack(x + row * 2 * s.stride, 2 * s.stride, a + row * s.stride);
    for (int k = 0; k < s.depth; k++)
        bf16_interleave(y + 2 * k * s.columns, y + (2 * k + 1) * s.columns, s.columns,
                        b + k * s.columns);
    gemm_bf16(&s, a, b, c);
    for (int i = 0; i < s.rows * s.columns; i++) {
        double sum = 0, size = 0;
        for (int k = 0; k < 2 * s.depth; k++) {
            double term = (double)x[i / s.columns * 2 * s.stride + k] *
                          (double)y[k * s.columns + i % s.columns];
            sum += term;
            size += term * term;
        }
        EXPECT_NEAR(sum, c[i], 0.02 * sqrt(size)); /* each factor is rounded by at most 1 in 256 */
    }
    free(x);
    free(y);
    free(a);
    free(b);
    free(c);
}

TEST(pairs_agree_within_their_rounding) {
    Rng rng = rng_seeded(7);
    if (!gemm_can_bf16()) SKIP("this processor has no AVX512_BF16");
    for (int columns = 16; columns <= 240; columns += 16)
        check_pairs(&rng, (GemmBf16Shape){1 + rng_below(&rng, 20), 16 + columns % 5, 24, columns});
    check_pairs(&rng, (GemmBf16Shape){9, 184, 368, 32}); /* two blocks of the depth */
}

TEST(a_limit_of_the_instruction_set_is_obeyed) {
    EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_VNNI", 1));
    EXPECT_FALSE(gemm_can_bf16());
    EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1));
    EXPECT_FALSE(gemm_can(16));
    EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
    EXPECT_FALSE(gemm_can(15));
}

TEST_MAIN(RUN(a_batch_agrees_with_the_definition), RUN(a_batch_of_pairs_agrees_with_the_definition),
          RUN(one_gemm_is_written_or_added), RUN(transposed_batches_agree_with_the_definition),
          RUN(pairs_agree_within_their_rounding), RUN(a_limit_of_the_instruction_set_is_obeyed))
