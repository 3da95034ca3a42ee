/* Convolutions by Winograd in inference against the definition: kernels of 3 x 3 and 5 x 5 in one
 * plan, where they share their scratch memory; square and other boards; and more tiles than are
 * computed at once, or fewer. */
#include "nn/infer/infer.h"
#include "nn/infer/infer_lower.h"
#include "test.h"

enum { PLANES = 17 }; /* enough for Winograd, but no multiple of the 16 floats of a register */

static Value add_conv(Program *program, const char *name, Value x, int channels, int kernel) {
    char bias[32];
    snprintf(bias, sizeof bias, "%s.b", name);
    return program_bias(program, bias, program_conv(program, name, x, channels, kernel, -1));
}

/* A net of narrow and wide layers: the scratch memory must fit the largest. */
static Net *mixed_net(void) {
    Rng rng = rng_seeded(3);
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, PLANES);
    program_set_mask(program, planes, 0);
    Value x = add_conv(program, "start", planes, 33, 5);
    Value y = program_mask(program, program_activation(program, x, ACTIVATION_RELU));
    y = add_conv(program, "wide", y, 90, 3);
    y = program_mask(program, program_activation(program, y, ACTIVATION_MISH));
    y = add_conv(program, "narrow", y, 16, 5);
    y = program_conv(program, "back", program_mask(program, y), 33, 3, -1);
    program_output(program, "sum", program_add(program, x, y));
    program_output(program, "plain", program_conv(program, "plain", planes, 20, 5, -1));
    EXPECT_OK(net_new(program, &rng, &net, err));
    return net;
}

static void fill(Infer *infer, int count, int height, int width) {
    Rng rng = rng_seeded(8);
    float *x = infer_input(infer, 0);
    for (int i = 0; i < count * height * width * PLANES; i++)
        x[i] = i % PLANES ? (float)rng_normal(&rng) : 1;
    for (int i = 0; i < count * height * width; i += 5) /* some cells are off the board */
        memset(x + (size_t)(i * PLANES), 0, PLANES * sizeof *x);
}

static void compare(const Net *net, int height, int width, int count) {
    InferSetup setup = {.batch = count, .height = height, .width = width};
    Infer *got, *want;
    EXPECT_OK(infer_new(net, &setup, &got, err));
    setup.backend = "reference";
    EXPECT_OK(infer_new(net, &setup, &want, err));
    fill(got, count, height, width);
    fill(want, count, height, width);
    EXPECT_OK(infer_run(got, count, err));
    EXPECT_OK(infer_run(want, count, err));
    for (int output = 0; output < 2; output++) {
        int channels =
            program_op(net_program(net), program_output_value(net_program(net), output))->channels;
        for (int i = 0; i < count * height * width * channels; i++) {
            float a = infer_output(want, output)[i], b = infer_output(got, output)[i];
            if (!(fabsf(a - b) <= 1e-3f * (1 + fabsf(a))))
                fail_msg("%dx%d, %d boards, output %d: %g at %d, wanted %g", width, height, count,
                         output, (double)b, i, (double)a);
        }
    }
    infer_free(got);
    infer_free(want);
}

TEST(kernels_of_both_sizes_share_their_scratch) {
    static const int SIZES[][2] = {{1, 1}, {2, 19}, {19, 3}, {5, 6}, {7, 10}, {13, 11}, {19, 19}};
    Net *net = mixed_net();
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        for (int count = 1; count <= 7; count += 3)
            compare(net, SIZES[i][0], SIZES[i][1], count);
    }
    net_free(net);
}

TEST(nan_is_not_hidden) {
    enum { EDGE = 9, CELL = 3 * EDGE + 4 };
    Net *net = mixed_net();
    Infer *infer;
    const InferSetup setup = {.batch = 1, .height = EDGE, .width = EDGE};
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    fill(infer, 1, EDGE, EDGE);
    infer_input(infer, 0)[CELL * PLANES + 3] = NAN;
    EXPECT_OK(infer_run(infer, 1, err));
    EXPECT_TRUE(isnan(infer_output(infer, 1)[(size_t)(CELL * 20)]));
    infer_free(infer);
    net_free(net);
}

/* A net with one nested bottleneck block: a 1 x 1 convolution from 160 to `inner` channels, two
 * convolutions with the size `kernel`, and a 1 x 1 convolution back to 160 channels. */
static Net *bottleneck(int inner, int kernel) {
    Rng rng = rng_seeded(5);
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, PLANES);
    program_set_mask(program, planes, 0);
    Value x = program_mask(program, add_conv(program, "start", planes, 160, 3));
    Value y = program_mask(program, program_activation(program, x, ACTIVATION_MISH));
    y = program_mask(program, add_conv(program, "down", y, inner, 1));
    Value z = add_conv(program, "first", y, inner, kernel);
    z = program_mask(program, program_activation(program, z, ACTIVATION_MISH));
    y = program_mask(program,
                     program_add(program, y, add_conv(program, "second", z, inner, kernel)));
    y = program_mask(program, program_activation(program, y, ACTIVATION_MISH));
    x = program_mask(program, program_add(program, x, add_conv(program, "up", y, 160, 1)));
    program_output(program, "sum", x);
    program_output(program, "inner", y);
    EXPECT_OK(net_new(program, &rng, &net, err));
    return net;
}

static int count_winograd(const Net *net, int edge, Precision precision) {
    Plan *plan;
    EXPECT_OK(plan_new(net, edge, edge, precision, &plan, err));
    int count = 0;
    for (int i = 0; i < plan->count; i++)
        count += plan->steps[i].winograd;
    plan_free(plan);
    return count;
}

TEST(in_bf16_wide_layers_take_winograd_where_it_saves_enough) {
    Net *wide = bottleneck(96, 3), *narrow = bottleneck(95, 3), *large = bottleneck(96, 5);
    /* The layer "start" has 17 input channels. They are enough for Winograd in f32, but not in
     * bf16. */
    EXPECT_INT(3, count_winograd(wide, 13, PRECISION_F32));
    if (backend_isa() >= ISA_AMX) EXPECT_INT(0, count_winograd(wide, 19, PRECISION_BF16));
    EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16", 1));
    /* The comments give the products of the direct sum, divided by those of Winograd. Winograd is
     * used if this ratio is at least 3.6. */
    EXPECT_INT(2, count_winograd(wide, 9, PRECISION_BF16));    /* 729 / 196 = 3.7 */
    EXPECT_INT(2, count_winograd(wide, 19, PRECISION_BF16));   /* 3249 / 784 = 4.1 */
    EXPECT_INT(0, count_winograd(wide, 13, PRECISION_BF16));   /* 1521 / 441 = 3.4 */
    EXPECT_INT(0, count_winograd(narrow, 19, PRECISION_BF16)); /* too few channels */
    EXPECT_INT(2, count_winograd(large, 9, PRECISION_BF16));   /* 2025 / 441 = 4.6 */
    EXPECT_INT(0, count_winograd(large, 4, PRECISION_BF16));   /* 400 / 196 = 2.0 */
    EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
    net_free(wide);
    net_free(narrow);
    net_free(large);
}

TEST(winograd_between_layers_in_bf16_is_near_the_plain_net) {
    enum { EDGE = 9, BOARDS = 5 };
    Net *net = bottleneck(96, 3);
    InferSetup setup = {
        .batch = BOARDS, .height = EDGE, .width = EDGE, .precision = PRECISION_BF16};
    Infer *got, *want;
    EXPECT_OK(infer_new(net, &setup, &got, err));
    setup.precision = PRECISION_F32;
    setup.backend = "reference";
    EXPECT_OK(infer_new(net, &setup, &want, err));
    fill(got, BOARDS, EDGE, EDGE);
    fill(want, BOARDS, EDGE, EDGE);
    EXPECT_OK(infer_run(got, BOARDS, err));
    EXPECT_OK(infer_run(want, BOARDS, err));
    for (int output = 0; output < 2; output++) {
        int values = BOARDS * EDGE * EDGE * (output ? 96 : 160);
        double squares = 0, errors = 0;
        for (int i = 0; i < values; i++) {
            double a = (double)infer_output(want, output)[i],
                   b = (double)infer_output(got, output)[i];
            squares += a * a;
            errors += (a - b) * (a - b);
        }
        EXPECT_TRUE(squares > 1);
        EXPECT_NEAR(0, sqrt(errors / squares), 0.01);
    }
    infer_free(got);
    infer_free(want);
    net_free(net);
}

TEST_MAIN(RUN(in_bf16_wide_layers_take_winograd_where_it_saves_enough),
          RUN(winograd_between_layers_in_bf16_is_near_the_plain_net),
          RUN(kernels_of_both_sizes_share_their_scratch), RUN(nan_is_not_hidden))
