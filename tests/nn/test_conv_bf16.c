/* Convolutions in bf16 against the definition, on inputs that are bf16 numbers already, over random
 * shapes; and chains of gain, bias, relu and mask against their formula. */
#include "conv_case.h"
#include "nn/learn/learn_chain.h"

#define ROUNDING 1.6e-5

static void check(Rng *rng, ConvBf16Setup setup, int n, bool add) {
    ConvBf16 *conv;
    Case c = case_new(rng, setup, n, true);
    case_define(&c, add);
    EXPECT_OK(conv_bf16_new(&setup, &conv, err));
    int taps = setup.kernel * setup.kernel;
    for (int again = 0; again < 2; again++) { /* the second round must not depend on the first */
        float *dx = copied(c.dx, c.x_count), *gradient = copied(c.gradient, c.w_count);
        conv_bf16_forward(conv, n, c.x, c.w, c.y);
        conv_bf16_backward_data(conv, n, c.dy, c.w, dx, add);
        conv_bf16_backward_weights(conv, n, c.x, c.dy, gradient);
        case_compare("forward", &setup, c.y2, c.y, c.y_count, taps * setup.in_channels, ROUNDING);
        case_compare("data", &setup, c.dx2, dx, c.x_count, taps * setup.out_channels, ROUNDING);
        case_compare("weights", &setup, c.gradient2, gradient, c.w_count,
                     n * setup.height * setup.width, ROUNDING);
        free(dx);
        free(gradient);
    }
    conv_bf16_free(conv);
    case_free(&c);
}

static bool has_bf16(void) {
    const ConvBf16Setup usual = {7, 7, 32, 32, 3};
    return conv_bf16_can(&usual);
}

/* If `limited`, the kernels use no more than AVX512_BF16; otherwise they use all instructions of
 * the processor. This makes a difference if the processor has AMX. */
static void limit_instructions(bool limited) {
    if (limited)
        EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16", 1));
    else
        EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
}

TEST(random_shapes_agree_with_the_definition) {
    Rng rng = rng_seeded(5);
    if (!has_bf16()) SKIP("this processor has no AVX512_BF16");
    for (int i = 0; i < 120; i++) {
        limit_instructions(i % 2);
        const ConvBf16Setup setup = {1 + rng_below(&rng, 12), 1 + rng_below(&rng, 12),
                                     1 + rng_below(&rng, 40), 1 + rng_below(&rng, 40),
                                     1 + 2 * rng_below(&rng, 3)};
        check(&rng, setup, 1 + rng_below(&rng, 4), rng_below(&rng, 2));
    }
    limit_instructions(false);
}

TEST(shapes_of_real_nets_agree_with_the_definition) {
    Rng rng = rng_seeded(6);
    const ConvBf16Setup SETUPS[] = {{7, 7, 32, 32, 3},  {7, 7, 22, 32, 3},   {5, 5, 32, 24, 3},
                                    {9, 9, 64, 48, 3},  {13, 13, 32, 8, 3},  {19, 19, 48, 64, 3},
                                    {1, 64, 19, 32, 1}, {1, 1, 5, 3, 1},     {6, 6, 80, 96, 3},
                                    {9, 9, 48, 80, 3},  {13, 13, 48, 48, 3}, {19, 19, 40, 80, 3},
                                    {8, 17, 96, 32, 5}, {1, 32, 128, 33, 3}, {32, 1, 32, 16, 3}};
    if (!has_bf16()) SKIP("this processor has no AVX512_BF16");
    for (size_t i = 0; i < 2 * sizeof SETUPS / sizeof *SETUPS; i++) {
        limit_instructions(i % 2);
        check(&rng, SETUPS[i / 2], i / 2 == 0 ? 20 : 2, i / 2 % 2);
    }
    limit_instructions(false);
}

/* The gradient of one board does not depend on the boards of an earlier call, even if they held
 * NaN. */
TEST(boards_of_an_earlier_call_are_forgotten) {
    enum { BOARDS = 16, CELLS = 9, IN = 32, OUT = 16, WEIGHTS = OUT * 9 * IN };
    static float x[BOARDS * CELLS * IN], dy[BOARDS * CELLS * OUT], gradient[WEIGHTS];
    const ConvBf16Setup setup = {3, 3, IN, OUT, 3};
    ConvBf16 *conv;
    if (!has_bf16()) SKIP("this processor has no AVX512_BF16");
    EXPECT_OK(conv_bf16_new(&setup, &conv, err));
    for (int i = 0; i < BOARDS * CELLS * IN; i++)
        x[i] = i < CELLS * IN ? 1.0f : NAN;
    for (int i = 0; i < BOARDS * CELLS * OUT; i++)
        dy[i] = 1.0f;
    conv_bf16_backward_weights(conv, BOARDS, x, dy, gradient);
    memset(gradient, 0, sizeof gradient);
    conv_bf16_backward_weights(conv, 1, x, dy, gradient);
    for (int i = 0; i < WEIGHTS; i++) {
        int tap = i / IN % 9, high = tap / 3 == 1 ? 3 : 2, wide = tap % 3 == 1 ? 3 : 2;
        EXPECT_NEAR(high * wide, gradient[i], 1e-6); /* cells whose tap is on the board */
    }
    conv_bf16_free(conv);
}

TEST(impossible_shapes_are_refused) {
    Error err = {0};
    ConvBf16 *conv;
    const ConvBf16Setup even = {7, 7, 8, 8, 2}, huge = {100, 100, 8, 8, 3};
    EXPECT_FALSE(conv_bf16_can(&even));
    EXPECT_FALSE(conv_bf16_can(&huge));
    EXPECT_STATUS(ERR_UNSUPPORTED, conv_bf16_new(&even, &conv, &err));
    EXPECT_TRUE(conv == NULL);
    conv_bf16_free(NULL);
}

/* Compares one chain (learn_chain.h) with its formula in double precision, channel by channel. */
static void check_chain(Rng *rng, size_t rows, size_t channels, bool gained, bool masked,
                        bool add) {
    size_t count = rows * channels;
    float *x = drawn(rng, count, false), *dy = drawn(rng, count, false),
          *dx = drawn(rng, count, false), *before = copied(dx, count),
          *y = drawn(rng, count, false), *gain = drawn(rng, channels, false),
          *bias = drawn(rng, channels, false), *mask = calloc(rows, sizeof *mask),
          *sums = calloc(2 * channels, sizeof *sums);
    assert_non_null(mask);
    assert_non_null(sums);
    for (size_t r = 0; r < rows; r++)
        mask[r] = rng_below(rng, 3) > 0;
    const ChainCall call = {
        rows, channels, x,    gained ? gain : NULL, bias, masked ? mask : NULL, y, dy,
        dx,   add,      sums, sums + channels};
    chain_forward(&call);
    chain_backward(&call);
    for (size_t c = 0; c < channels; c++) {
        double gain_sum = 0, bias_sum = 0, factor = gained ? (double)gain[c] : 1;
        for (size_t at = c, r = 0; r < rows; r++, at += channels) {
            double value = (double)x[at] * factor + (double)bias[c],
                   on = masked ? (double)mask[r] : 1, slope = value > 0 ? on * (double)dy[at] : 0;
            EXPECT_NEAR(value > 0 ? on * value : 0, y[at], 1e-5);
            EXPECT_NEAR((add ? (double)before[at] : 0) + slope * factor, dx[at], 1e-5);
            gain_sum += slope * (double)x[at];
            bias_sum += slope;
        }
        EXPECT_NEAR(gained ? gain_sum : 0, sums[c], 1e-4);
        EXPECT_NEAR(bias_sum, sums[channels + c], 1e-4);
    }
    float *const ALL[] = {x, dy, dx, before, y, gain, bias, mask, sums};
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++)
        free(ALL[i]);
}

TEST(chains_agree_with_their_formula) {
    Rng rng = rng_seeded(7);
    for (int i = 0; i < 64; i++)
        check_chain(&rng, 1 + (size_t)rng_below(&rng, 60), 1 + (size_t)rng_below(&rng, 50), i & 1,
                    i & 2, i & 4);
}

TEST_MAIN(RUN(random_shapes_agree_with_the_definition),
          RUN(shapes_of_real_nets_agree_with_the_definition),
          RUN(boards_of_an_earlier_call_are_forgotten), RUN(impossible_shapes_are_refused),
          RUN(chains_agree_with_their_formula))
