/* Convolutions of training by Winograd's tiles against the definition: all edges, so that every
 * tile is cut off somewhere, and several chunks of boards. */
#include "conv_case.h"
#include "nn/kernels/conv_tiles.h"

#define ROUNDING 1e-4

static void check(Rng *rng, ConvTilesShape shape, int n, bool add) {
    const ConvHalfSpec spec = {shape.height, shape.width, shape.in_channels, shape.out_channels, 3};
    Case c = case_new(rng, spec, n, false);
    float *scratch = drawn(rng, conv_tiles_scratch(&shape), false); /* nothing is expected there */
    case_define(&c, add);
    conv_tiles_forward(&shape, n, c.x, c.w, c.y, scratch);
    conv_tiles_backward_data(&shape, n, c.dy, c.w, c.dx, add, scratch);
    conv_tiles_backward_weights(&shape, n, c.x, c.dy, c.gradient, scratch);
    case_compare("forward", &spec, c.y2, c.y, c.y_count, 9 * shape.in_channels, ROUNDING);
    case_compare("data", &spec, c.dx2, c.dx, c.x_count, 9 * shape.out_channels, ROUNDING);
    case_compare("weights", &spec, c.gradient2, c.gradient, c.w_count,
                 n * shape.height * shape.width, ROUNDING);
    free(scratch);
    case_free(&c);
}

static bool skipped(void) {
    const ConvTilesShape usual = {9, 9, 96, 96};
    if (conv_tiles_can(&usual)) return false;
    print_message("skipped: this processor has no AVX-512\n");
    return true;
}

TEST(all_edges_agree_with_the_definition) {
    Rng rng = rng_seeded(5);
    if (skipped()) return;
    for (int edge = 1; edge <= 19; edge++) {
        const ConvTilesShape shape = {edge, 1 + (edge * 7) % 19, 16 + rng_below(&rng, 60),
                                      16 + rng_below(&rng, 60)};
        check(&rng, shape, 2, edge % 2);
    }
}

TEST(many_boards_agree_with_the_definition) {
    Rng rng = rng_seeded(6);
    if (skipped()) return;
    check(&rng, (ConvTilesShape){5, 5, 32, 96}, 150, true); /* 64 boards are a chunk */
    check(&rng, (ConvTilesShape){9, 9, 96, 32}, 40, false);
    check(&rng, (ConvTilesShape){19, 19, 48, 112}, 9, true);
}

TEST(few_channels_are_not_for_it) {
    EXPECT_FALSE(conv_tiles_can(&(ConvTilesShape){9, 9, 15, 96}));
    EXPECT_FALSE(conv_tiles_can(&(ConvTilesShape){9, 9, 96, 8}));
}

TEST(fewer_instructions_are_obeyed) {
    const ConvTilesShape usual = {9, 9, 96, 96};
    if (skipped()) return;
    EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1));
    EXPECT_FALSE(conv_tiles_can(&usual));
    EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
}

TEST_MAIN(RUN(all_edges_agree_with_the_definition), RUN(many_boards_agree_with_the_definition),
          RUN(few_channels_are_not_for_it), RUN(fewer_instructions_are_obeyed))
