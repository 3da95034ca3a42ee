/* Convolutions for training by Winograd against the definition: on all board sizes, so that tiles
 * are cut off in every way, and with several chunks of boards. In bf16, whole numbers, which are
 * not rounded there, show that the sums are right, and other numbers show how much is rounded. */
#include "conv_case.h"
#include "nn/kernels/conv/conv_winograd.h"
#include "nn/kernels/winograd.h"

#define ROUNDING 1e-4

static ConvBf16Setup setup_of(const ConvWinogradShape *shape) {
    return (ConvBf16Setup){shape->height, shape->width, shape->in_channels, shape->out_channels, 3};
}

static void run(const Case *c, const ConvWinogradShape *shape, bool add) {
    Rng rng = rng_seeded(7);
    float *scratch =
        drawn(&rng, conv_winograd_scratch(shape), false); /* the contents must not matter */
    conv_winograd_forward(shape, c->n, c->x, c->w, c->y, scratch);
    conv_winograd_backward_data(shape, c->n, c->dy, c->w, c->dx, add, scratch);
    conv_winograd_backward_weights(shape, c->n, c->x, c->dy, c->gradient, scratch);
    free(scratch);
}

/* -scale, 0 or scale */
static void draw_whole(Rng *rng, int scale, float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = (float)(scale * (rng_below(rng, 3) - 1));
}

/* Filters with one weight each, at a random place. */
static void draw_single(Rng *rng, int scale, const ConvWinogradShape *shape, float *weights) {
    memset(weights, 0, (size_t)(shape->in_channels * shape->out_channels) * 9 * sizeof *weights);
    for (int o = 0; o < shape->out_channels; o++) {
        for (int i = 0; i < shape->in_channels; i++)
            weights[(o * 9 + rng_below(rng, 9)) * shape->in_channels + i] =
                (float)(scale * (rng_below(rng, 3) - 1));
    }
}

/* In bf16 the transforms of these numbers are exact: G times 6, or times 15 with tiles of 4 x 4, is
 * whole, and for a filter of one weight the products of two of its elements are at most 256. */
static void check(Rng *rng, ConvWinogradShape shape, int n, bool add) {
    const ConvBf16Setup setup = setup_of(&shape);
    Case c = case_new(rng, setup, n, false);
    if (shape.bf16) {
        draw_whole(rng, 1, c.x, c.x_count);
        bool three = winograd_for_bf16(shape.height, shape.width).tile == 3;
        draw_single(rng, three ? 36 : 225, &shape, c.w);
        draw_whole(rng, 1, c.dy, c.y_count);
    }
    case_define(&c, add);
    run(&c, &shape, add);
    case_compare("forward", &setup, c.y2, c.y, c.y_count, 9 * shape.in_channels, ROUNDING);
    case_compare("data", &setup, c.dx2, c.dx, c.x_count, 9 * shape.out_channels, ROUNDING);
    case_compare("weights", &setup, c.gradient2, c.gradient, c.w_count,
                 n * shape.height * shape.width, ROUNDING);
    case_free(&c);
}

/* The deviation of the error, against that of the values. */
static double error_of(const float *want, const float *got, size_t count) {
    double errors = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        errors += pow((double)want[i] - (double)got[i], 2);
        all += pow((double)want[i], 2);
    }
    return sqrt(errors / all);
}

static bool has_winograd(bool bf16) {
    const ConvWinogradShape usual = {9, 9, 96, 96, bf16};
    return conv_winograd_can(&usual);
}

static void check_all_edges(bool bf16) {
    Rng rng = rng_seeded(5);
    for (int edge = 1; edge <= 19; edge++) {
        const ConvWinogradShape shape = {edge, 1 + (edge * 7) % 19, 16 + rng_below(&rng, 60),
                                         16 + rng_below(&rng, 60), bf16};
        check(&rng, shape, 2, edge % 2);
    }
}

static void check_many_boards(bool bf16) {
    Rng rng = rng_seeded(6);
    check(&rng, (ConvWinogradShape){5, 5, 32, 96, bf16}, 151, true); /* chunks of 16 or 64 boards */
    check(&rng, (ConvWinogradShape){9, 9, 96, 32, bf16}, 41, false);
    check(&rng, (ConvWinogradShape){19, 19, 48, 112, bf16}, 9, true);
}

TEST(all_edges_agree_with_the_definition) {
    if (!has_winograd(false)) SKIP("this processor has no AVX-512");
    check_all_edges(false);
}

TEST(many_boards_agree_with_the_definition) {
    if (!has_winograd(false)) SKIP("this processor has no AVX-512");
    check_many_boards(false);
}

TEST(whole_numbers_are_exact_in_bf16) {
    if (!has_winograd(true)) SKIP("this processor has no AVX512_BF16");
    check_all_edges(true);
    check_many_boards(true);
}

TEST(rounding_in_bf16_is_as_told) {
    Rng rng = rng_seeded(8);
    if (!has_winograd(true)) SKIP("this processor has no AVX512_BF16");
    for (int edge = 9; edge <= 11; edge += 2) { /* tiles of 3 x 3, then of 4 x 4 */
        const ConvWinogradShape shape = {edge, edge, 96, 112, true};
        Case c = case_new(&rng, setup_of(&shape), 8, false);
        memset(c.gradient, 0, c.w_count * sizeof *c.gradient);
        memset(c.gradient2, 0, c.w_count * sizeof *c.gradient2);
        case_define(&c, false);
        run(&c, &shape, false);
        EXPECT_INT(edge == 9 ? 3 : 4, winograd_for_bf16(edge, edge).tile);
        EXPECT_NEAR(0.014, error_of(c.y2, c.y, c.y_count), 0.003);
        EXPECT_NEAR(0.014, error_of(c.dx2, c.dx, c.x_count), 0.003);
        EXPECT_NEAR(0.014, error_of(c.gradient2, c.gradient, c.w_count), 0.003);
        case_free(&c);
    }
}

/* The number of tiles times the products of each: 25 for tiles of 3 x 3 results, 36 for 4 x 4. */
TEST(the_cut_for_bf16_by_hand) {
    const struct {
        int edge, tile;
    } CASES[] = {{6, 3},   /* 4 * 25 = 100, 4 * 36 */
                 {7, 4},   /* 9 * 25 = 225, 4 * 36 = 144 */
                 {9, 3},   /* 9 * 25 = 225, 9 * 36 */
                 {11, 4},  /* 16 * 25 = 400, 9 * 36 = 324 */
                 {13, 4},  /* 25 * 25 = 625, 16 * 36 = 576 */
                 {19, 4}}; /* 49 * 25 = 1225, 25 * 36 = 900 */
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        EXPECT_INT(CASES[i].tile, winograd_for_bf16(CASES[i].edge, CASES[i].edge).tile);
}

TEST(few_channels_are_not_for_it) {
    EXPECT_FALSE(conv_winograd_can(&(ConvWinogradShape){9, 9, 15, 96, false}));
    EXPECT_FALSE(conv_winograd_can(&(ConvWinogradShape){9, 9, 96, 8, false}));
    EXPECT_FALSE(conv_winograd_can(&(ConvWinogradShape){9, 9, 64, 64, true}));
}

TEST(fewer_instructions_are_obeyed) {
    if (!has_winograd(false)) SKIP("this processor has no AVX-512");
    EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1));
    EXPECT_FALSE(conv_winograd_can(&(ConvWinogradShape){9, 9, 96, 96, false}));
    EXPECT_FALSE(conv_winograd_can(&(ConvWinogradShape){9, 9, 96, 96, true}));
    EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
}

TEST_MAIN(RUN(all_edges_agree_with_the_definition), RUN(many_boards_agree_with_the_definition),
          RUN(whole_numbers_are_exact_in_bf16), RUN(rounding_in_bf16_is_as_told),
          RUN(the_cut_for_bf16_by_hand), RUN(few_channels_are_not_for_it),
          RUN(fewer_instructions_are_obeyed))
