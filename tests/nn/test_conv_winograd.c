/* Convolutions for training by Winograd against the definition: on boards of all heights and
 * widths, so that the tiles at the edges are cut off in every way, and on more boards than run at
 * once. In bf16, numbers whose transforms are exact show that the sums are right, and random
 * numbers show how large the rounding error is. */
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

/* Draws values of -scale, 0 or scale. */
static void draw_whole(Rng *rng, int scale, float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = (float)(scale * (rng_below(rng, 3) - 1));
}

/* Draws filters with one weight of -scale, 0 or scale at a random place; the other weights are
 * 0. */
static void draw_single(Rng *rng, int scale, const ConvWinogradShape *shape, float *weights) {
    memset(weights, 0, (size_t)(shape->in_channels * shape->out_channels) * 9 * sizeof *weights);
    for (int o = 0; o < shape->out_channels; o++) {
        for (int i = 0; i < shape->in_channels; i++)
            weights[(o * 9 + rng_below(rng, 9)) * shape->in_channels + i] =
                (float)(scale * (rng_below(rng, 3) - 1));
    }
}

/* In bf16, x and dy are -1, 0 or 1, and each filter has one weight, so that all transforms are
 * exact. A filter becomes its weight times products of two elements of G (conv_winograd.h). These
 * elements are multiples of 1/6 for tiles of 3 x 3 results, and of 1/15 for 4 x 4. So a weight of
 * 6^2 or 15^2 gives whole numbers. None of them is larger than 256, so bf16 represents them. */
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

/* Returns the root mean square of the errors, divided by that of the wanted values. */
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
    /* 64 tiles are multiplied at once. On 5 x 5 these are the tiles of 64 boards or, in bf16, of 16
     * boards */
    check(&rng, (ConvWinogradShape){5, 5, 32, 96, bf16}, 151, true);
    check(&rng, (ConvWinogradShape){9, 9, 96, 32, bf16}, 41, false);
    check(&rng, (ConvWinogradShape){19, 19, 48, 112, bf16}, 9, true);
}

TEST(boards_of_all_sizes_agree_with_the_definition) {
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

/* conv_winograd.h says that the error is about 1.4% of the standard deviation of the results. */
TEST(rounding_in_bf16_has_the_documented_error) {
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

/* The number of products on a board is its number of tiles times the number of products of a tile.
 * A tile of 3 x 3 results has 25 products, and a tile of 4 x 4 results has 36. */
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

TEST(layers_with_few_channels_are_refused) {
    EXPECT_FALSE(conv_winograd_can(&(ConvWinogradShape){9, 9, 15, 96, false}));
    EXPECT_FALSE(conv_winograd_can(&(ConvWinogradShape){9, 9, 96, 8, false}));
    EXPECT_FALSE(conv_winograd_can(&(ConvWinogradShape){9, 9, 64, 64, true}));
}

TEST(a_limit_of_the_instruction_set_is_obeyed) {
    if (!has_winograd(false)) SKIP("this processor has no AVX-512");
    EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1));
    EXPECT_FALSE(conv_winograd_can(&(ConvWinogradShape){9, 9, 96, 96, false}));
    EXPECT_FALSE(conv_winograd_can(&(ConvWinogradShape){9, 9, 96, 96, true}));
    EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
}

TEST_MAIN(RUN(boards_of_all_sizes_agree_with_the_definition),
          RUN(many_boards_agree_with_the_definition), RUN(whole_numbers_are_exact_in_bf16),
          RUN(rounding_in_bf16_has_the_documented_error), RUN(the_cut_for_bf16_by_hand),
          RUN(layers_with_few_channels_are_refused), RUN(a_limit_of_the_instruction_set_is_obeyed))
