/* Convolutions in int8: an example by hand, many shapes against the definition, the largest sums,
 * values that are not finite, the same bits with every instruction set, and rounding to int8. */
#include "base/rng.h"
#include "nn/backends/backend.h"
#include "nn/kernels/conv/conv_int8.h"
#include "nn/kernels/infer_kernels.h"
#include "nn/kernels/int8/int8_activation.h"
#include "test.h"

/* A board of one row of three cells. With the zero point 10 they have the values 1, 2 and 0. The
 * middle row of the kernel is 3, -2, 127, so the scale of the weights is 1. The bias is 1/2. */
TEST(an_example_by_hand) {
    static const float weights[9] = {0, 0, 0, 3, -2, 127, 0, 0, 0}, bias = 0.5f, step = 1.0f;
    static const uint8_t x[3] = {11, 12, 10}, zero_point = 10, zero_point_out = 4;
    const ConvInt8Setup setup = {.height = 1,
                                 .width = 3,
                                 .in_channels = 1,
                                 .out_channels = 1,
                                 .kernel = 3,
                                 .weights = weights,
                                 .bias = &bias,
                                 .input_scales = &step,
                                 .input_zero_points = &zero_point};
    ConvInt8 *conv;
    float y[3], inverse_scale = 0.5f;
    const float residual[3] = {0.0f, 1.0f, 2.0f};
    uint8_t y_int8[3];
    EXPECT_OK(conv_int8_new(&setup, &conv, err));
    conv_int8_board(conv, &(ConvInt8Call){.x = x, .y = y});
    EXPECT_NEAR(-2 * 1 + 127 * 2 + 0.5, y[0], 1e-4);
    EXPECT_NEAR(3 * 1 - 2 * 2 + 0.5, y[1], 1e-4);
    EXPECT_NEAR(3 * 2 + 0.5, y[2], 1e-4);
    conv_int8_board(conv, &(ConvInt8Call){.x = x, .y = y, .residual = residual, .relu = true});
    EXPECT_NEAR(0.5, y[1], 1e-4);
    EXPECT_NEAR(8.5, y[2], 1e-4);
    conv_int8_board(conv, &(ConvInt8Call){.x = x,
                                          .y_int8 = y_int8,
                                          .relu = true,
                                          .inverse_scales = &inverse_scale,
                                          .zero_points = &zero_point_out});
    EXPECT_INT(130, y_int8[0]); /* 252.5 / 2 + 4 */
    EXPECT_INT(4, y_int8[1]);   /* relu of -0.5 */
    EXPECT_INT(7, y_int8[2]);   /* 6.5 / 2 + 4 */
    conv_int8_free(conv);
}

typedef struct {
    int height, width, in, out, kernel;
    float *weights, *bias, *scales, *residual, *y, *want, *inverse_scales;
    uint8_t *x, *zero_points, *y_int8, *zero_points_out;
} Case;

static void *room(size_t count, size_t size) {
    void *made = calloc(count, size);
    assert_non_null(made);
    return made;
}

static Case case_new(Rng *rng, int height, int width, int in, int out, int kernel) {
    Case c = {.height = height, .width = width, .in = in, .out = out, .kernel = kernel};
    size_t cells = (size_t)(height * width), taps = (size_t)(kernel * kernel), wide = (size_t)out;
    c.weights = room(wide * taps * (size_t)in, 4);
    c.bias = room(wide, 4), c.inverse_scales = room(wide, 4), c.zero_points_out = room(wide, 1);
    c.scales = room((size_t)in, 4), c.zero_points = room((size_t)in, 1);
    c.x = room(cells * (size_t)in, 1), c.y_int8 = room(cells * wide, 1);
    c.residual = room(cells * wide, 4), c.y = room(cells * wide, 4);
    c.want = room(cells * wide, 4);
    for (size_t i = 0; i < wide * taps * (size_t)in; i++)
        c.weights[i] = (float)rng_normal(rng);
    for (int i = 0; i < in; i++) {
        c.scales[i] = 0.01f + 0.02f * (float)rng_uniform(rng);
        c.zero_points[i] = (uint8_t)rng_below(rng, 60);
    }
    for (size_t i = 0; i < cells * (size_t)in; i++)
        c.x[i] = (uint8_t)rng_below(rng, 128);
    for (int o = 0; o < out; o++) {
        c.bias[o] = (float)rng_normal(rng);
        c.inverse_scales[o] = 3.0f + (float)rng_uniform(rng);
        c.zero_points_out[o] = (uint8_t)rng_below(rng, 90);
    }
    for (size_t i = 0; i < cells * wide; i++)
        c.residual[i] = (float)rng_normal(rng);
    return c;
}

static void case_free(Case *c) {
    void *const ALL[] = {c->weights,     c->bias,   c->scales,         c->residual,
                         c->y,           c->want,   c->inverse_scales, c->x,
                         c->zero_points, c->y_int8, c->zero_points_out};
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++)
        free(ALL[i]);
}

static void run(const Case *c, float *y, uint8_t *y_int8, bool relu, bool winograd) {
    const ConvInt8Setup setup = {.height = c->height,
                                 .width = c->width,
                                 .in_channels = c->in,
                                 .out_channels = c->out,
                                 .kernel = c->kernel,
                                 .weights = c->weights,
                                 .bias = c->bias,
                                 .input_scales = c->scales,
                                 .input_zero_points = c->zero_points,
                                 .winograd = winograd};
    ConvInt8 *conv;
    EXPECT_OK(conv_int8_new(&setup, &conv, err));
    const ConvInt8Call call = {.x = c->x,
                               .residual = c->residual,
                               .relu = relu,
                               .y = y,
                               .y_int8 = y_int8,
                               .inverse_scales = c->inverse_scales,
                               .zero_points = c->zero_points_out};
    conv_int8_board(conv, &call);
    conv_int8_free(conv);
}

enum { IN_CHANNELS = 32, OUT_CHANNELS = 16, SIDE = 5 };

/* Runs a convolution by Winograd. The kernel from input channel o to output channel o has a 1 in
 * the middle, and all other weights are 0. So output channel o is input channel o, except for
 * rounding. */
static void keep_board(const uint8_t *x, uint8_t zero_point, float *y) {
    static float weights[OUT_CHANNELS * 9 * IN_CHANNELS], scales[IN_CHANNELS];
    static uint8_t zero_points[IN_CHANNELS];
    for (int o = 0; o < OUT_CHANNELS; o++)
        weights[(o * 9 + 4) * IN_CHANNELS + o] = 1.0f;
    for (int i = 0; i < IN_CHANNELS; i++) {
        scales[i] = 1.0f;
        zero_points[i] = zero_point;
    }
    const ConvInt8Setup setup = {.height = SIDE,
                                 .width = SIDE,
                                 .in_channels = IN_CHANNELS,
                                 .out_channels = OUT_CHANNELS,
                                 .kernel = 3,
                                 .weights = weights,
                                 .input_scales = scales,
                                 .input_zero_points = zero_points,
                                 .winograd = true};
    ConvInt8 *conv;
    EXPECT_OK(conv_int8_new(&setup, &conv, err));
    conv_int8_board(conv, &(ConvInt8Call){.x = x, .y = y});
    conv_int8_free(conv);
}

/* The transform of the inputs rounds the sum of two neighbouring cells to a multiple of 8/5, and
 * their difference to a multiple of 225/127. The result is half of the sum plus or minus half of
 * the difference, so its error is at most (8/5 + 225/127) / 4 = 0.84. */
TEST(winograd_of_the_identity_keeps_a_board) {
    static float y[SIDE * SIDE * OUT_CHANNELS];
    static uint8_t x[SIDE * SIDE * IN_CHANNELS];
    for (int k = 0; k < SIDE * SIDE * IN_CHANNELS; k++)
        x[k] = (uint8_t)(20 + (k * 7) % 31);
    keep_board(x, 20, y);
    for (int cell = 0; cell < SIDE * SIDE; cell++) {
        for (int o = 0; o < OUT_CHANNELS; o++)
            EXPECT_NEAR(x[cell * IN_CHANNELS + o] - 20, y[cell * OUT_CHANNELS + o], 0.9);
    }
}

/* The result is half of the sum of two neighbouring cells plus or minus half of their difference.
 * For 255 beside 0, half of the sum is rounded to 127.2. The difference is beyond the range of int8
 * and becomes 128 * 225/127, of which half is 113.4. For 255 beside 255, the sum is beyond the
 * range and becomes 408, of which half is 204, and the difference is 0. */
TEST(transforms_beyond_the_range_of_int8_saturate) {
    static float y[SIDE * SIDE * OUT_CHANNELS];
    static uint8_t x[SIDE * SIDE * IN_CHANNELS];
    for (int k = 0; k < IN_CHANNELS; k++)
        x[(2 * SIDE + 2) * IN_CHANNELS + k] = x[4 * SIDE * IN_CHANNELS + k] =
            x[(4 * SIDE + 1) * IN_CHANNELS + k] = 255;
    keep_board(x, 0, y);
    EXPECT_NEAR(127.2 + 113.4, y[(2 * SIDE + 2) * OUT_CHANNELS + 3], 0.1);
    EXPECT_NEAR(204, y[4 * SIDE * OUT_CHANNELS + 3], 0.1);
    EXPECT_NEAR(204, y[(4 * SIDE + 1) * OUT_CHANNELS + 15], 0.1);
    EXPECT_NEAR(0, y[(2 * SIDE + 4) * OUT_CHANNELS + 3], 0.1);
}

/* Returns the root mean square of the error of c->y, divided by that of the exact results. The
 * exact results are computed in double precision with unrounded weights. */
static double distance(const Case *c) {
    double error = 0.0, squares = 0.0;
    for (int at = 0; at < c->height * c->width * c->out; at++) {
        int cell = at / c->out, o = at % c->out, edge = c->kernel / 2;
        double sum = (double)c->bias[o] + (double)c->residual[at];
        for (int k = 0; k < c->kernel * c->kernel * c->in; k++) {
            int tap = k / c->in, i = k % c->in;
            int y = cell / c->width + tap / c->kernel - edge,
                x = cell % c->width + tap % c->kernel - edge;
            if (y < 0 || x < 0 || y >= c->height || x >= c->width) continue;
            double value = (double)(c->x[(y * c->width + x) * c->in + i] - c->zero_points[i]) *
                           (double)c->scales[i];
            sum += value * (double)c->weights[o * c->kernel * c->kernel * c->in + k];
        }
        error += (sum - (double)c->y[at]) * (sum - (double)c->y[at]);
        squares += sum * sum;
    }
    return sqrt(error / squares);
}

static const int SHAPES[][5] = {
    {9, 9, 96, 96, 3},  {19, 19, 8, 16, 3},  {7, 7, 33, 70, 3},   {5, 11, 22, 50, 5},
    {6, 7, 64, 40, 3},  {13, 13, 64, 32, 1}, {3, 2, 5, 1, 3},     {1, 1, 16, 130, 3},
    {4, 21, 12, 64, 3}, {2, 2, 32, 17, 3},   {19, 19, 32, 33, 3}, {1, 4, 1, 3, 1},
    {2, 2, 1, 1, 5},    {1, 1, 32, 64, 3},   {1, 40, 32, 112, 3}, {40, 1, 64, 16, 3},
    {5, 37, 32, 64, 3}, {8, 17, 48, 50, 3},  {3, 32, 128, 20, 5}};

TEST(all_shapes_are_near_the_definition) {
    Rng rng = rng_seeded(1);
    for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++) {
        const int *shape = SHAPES[s];
        Case c = case_new(&rng, shape[0], shape[1], shape[2], shape[3], shape[4]);
        run(&c, c.y, NULL, false, false);
        double far = distance(&c);
        if (!(far < 0.02)) fail_msg("shape %zu: the relative error is %g", s, far);
        run(&c, c.y, NULL, false, true);
        far = distance(&c);
        if (!(far < 0.03)) fail_msg("shape %zu by Winograd: the relative error is %g", s, far);
        case_free(&c);
    }
}

/* Draws inputs and zero points from 0 to 255. Half of the inputs are 0 or 255. */
static void draw_all_bytes(Rng *rng, Case *c) {
    for (int i = 0; i < c->height * c->width * c->in; i++)
        c->x[i] = (uint8_t)(rng_below(rng, 2) ? 255 * rng_below(rng, 2) : rng_below(rng, 256));
    for (int i = 0; i < c->in; i++)
        c->zero_points[i] = (uint8_t)rng_below(rng, 256);
}

/* Values of ONEDNN_MAX_CPU_ISA. `isa` is what backend_isa() then returns, if the processor has at
 * least that. */
static const struct {
    const char *name;
    BackendIsa isa;
} LIMITS[] = {{"SSE41", ISA_GENERIC},
              {"AVX2", ISA_AVX2},
              {"AVX512_CORE", ISA_AVX512},
              {"AVX512_CORE_VNNI", ISA_AVX512_VNNI},
              {"AVX512_CORE_BF16", ISA_AVX512_BF16}};

TEST(every_instruction_set_gives_the_same_bytes) {
    Rng rng = rng_seeded(2);
    int shapes = sizeof SHAPES / sizeof *SHAPES;
    for (int s = 0; s < 2 * shapes; s++) {
        const int *shape = SHAPES[s % shapes];
        bool winograd = s >= shapes;
        Case c = case_new(&rng, shape[0], shape[1], shape[2], shape[3], shape[4]);
        size_t values = (size_t)(shape[0] * shape[1] * shape[3]);
        uint8_t *plain = room(values, 1);
        if (s % 2) draw_all_bytes(&rng, &c);
        run(&c, c.y, NULL, true, winograd);
        run(&c, NULL, c.y_int8, true, winograd);
        for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++) {
            EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", LIMITS[i].name, 1));
            run(&c, c.want, NULL, true, winograd);
            run(&c, NULL, plain, true, winograd);
            EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
            EXPECT_INT(0, memcmp(c.y, c.want, values * sizeof *c.y));
            EXPECT_INT(0, memcmp(c.y_int8, plain, values));
        }
        free(plain);
        case_free(&c);
    }
}

/* The sum of 9 * 7,367 = 66,303 products of 255 and 127 or -127 is +-2,147,222,655. The largest
 * integer of 32 bits is 2,147,483,647. With one more channel the sum would not fit, so the
 * convolution is refused. */
TEST(the_largest_sums_fit) {
    enum { IN = 7367, OUT = 2, CELLS = 9 };
    float *weights = room(OUT * 9 * (IN + 1), sizeof *weights),
          *scales = room(IN + 1, sizeof *scales), y[CELLS * OUT];
    uint8_t *x = room(CELLS * IN, 1), *zero_points = room(IN + 1, 1);
    for (int i = 0; i < IN + 1; i++)
        scales[i] = 1.0f;
    for (int k = 0; k < OUT * 9 * IN; k++)
        weights[k] = k < 9 * IN ? 127.0f : -127.0f;
    memset(x, 255, CELLS * IN);
    ConvInt8Setup setup = {.height = 3,
                           .width = 3,
                           .in_channels = IN,
                           .out_channels = OUT,
                           .kernel = 3,
                           .weights = weights,
                           .input_scales = scales,
                           .input_zero_points = zero_points};
    for (int plain = 0; plain < 2; plain++) {
        ConvInt8 *conv;
        if (plain) EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "SSE41", 1));
        EXPECT_OK(conv_int8_new(&setup, &conv, err));
        conv_int8_board(conv, &(ConvInt8Call){.x = x, .y = y});
        EXPECT_NEAR(2147222655.0, y[4 * OUT], 500);
        EXPECT_NEAR(-2147222655.0, y[4 * OUT + 1], 500);
        EXPECT_NEAR(255.0 * 127 * 4 * IN, y[0], 500); /* at a corner 4 taps are on the board */
        conv_int8_free(conv);
        EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
    }
    ConvInt8 *none;
    setup.in_channels = IN + 1;
    EXPECT_STATUS(ERR_UNSUPPORTED, conv_int8_new(&setup, &none, NULL));
    assert_null(none);
    free(weights), free(scales), free(x), free(zero_points);
}

/* In each case a weight, the product of a weight and a scale, or a bias is not finite. Both ways to
 * compute the convolution refuse this: the direct sum and Winograd. */
TEST(what_is_not_finite_is_refused) {
    enum { IN = 32, OUT = 16 };
    static float weights[OUT * 9 * IN], scales[IN], bias[OUT];
    static const uint8_t zero_points[IN] = {0};
    const struct {
        float *at;
        float wrong;
    } CASES[] = {
        {&weights[700], NAN}, {&weights[3], INFINITY}, {&scales[1], 1e38f}, {&bias[2], NAN}};
    for (int k = 0; k < OUT * 9 * IN; k++)
        weights[k] = 100.0f;
    for (int i = 0; i < IN; i++)
        scales[i] = 1.0f;
    for (int winograd = 0; winograd < 2; winograd++) {
        const ConvInt8Setup setup = {.height = 2,
                                     .width = 2,
                                     .in_channels = IN,
                                     .out_channels = OUT,
                                     .kernel = 3,
                                     .weights = weights,
                                     .bias = bias,
                                     .input_scales = scales,
                                     .input_zero_points = zero_points,
                                     .winograd = winograd};
        for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
            ConvInt8 *conv;
            Error error = {0};
            float right = *CASES[i].at;
            *CASES[i].at = CASES[i].wrong;
            EXPECT_STATUS(ERR_ARGUMENT, conv_int8_new(&setup, &conv, &error));
            EXPECT_CONTAINS(error.message, "finite");
            assert_null(conv);
            *CASES[i].at = right;
        }
    }
}

/* The weights are denormal numbers, so the result is the bias plus the residual. */
TEST(denormal_weights_count_as_zero) {
    Rng rng = rng_seeded(3);
    for (int winograd = 0; winograd < 2; winograd++) {
        Case c = case_new(&rng, 3, 3, 32, 16, 3);
        for (int k = 0; k < 16 * 9 * 32; k++)
            c.weights[k] = 1e-41f;
        run(&c, c.y, NULL, false, winograd);
        for (int k = 0; k < 9 * 16; k++)
            EXPECT_NEAR(c.bias[k % 16] + c.residual[k], c.y[k], 1e-6);
        case_free(&c);
    }
}

/* If the residual is NaN, the output is 0 in f32 with relu, and 0 in int8 without relu. This holds
 * for the instructions of this processor and for plain C. */
TEST(nan_becomes_zero) {
    Rng rng = rng_seeded(4);
    for (int k = 0; k < 4; k++) {
        Case c = case_new(&rng, 2, 2, 32, 17, 3);
        bool winograd = k % 2;
        if (k / 2) EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "SSE41", 1));
        for (int i = 0; i < 4 * 17; i++)
            c.residual[i] = NAN;
        run(&c, c.y, NULL, true, winograd);
        run(&c, NULL, c.y_int8, false, winograd);
        for (int i = 0; i < 4 * 17; i++) {
            EXPECT_NEAR(0.0, c.y[i], 0.0);
            EXPECT_INT(0, c.y_int8[i]);
        }
        EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
        case_free(&c);
    }
}

/* Checks y = round(activation(x * gain + shift) * inverse_scale + zero_point), limited to 0 to 255,
 * for each activation, also with numbers far beyond the range of exponentials. Checks that x[0] =
 * NaN gives the zero point with relu, and 0 otherwise. Also checks that nothing is written after
 * the last channel. */
TEST(activations_are_rounded_to_int8) {
    enum { CELLS = 3, MAX = 40, ACTIVATIONS = ACTIVATION_TANH + 1 };
    static const int CHANNELS[] = {1, 15, 16, 17, 40};
    Rng rng = rng_seeded(5);
    if (backend_isa() < ISA_AVX512) SKIP("this processor has no AVX-512");
    for (size_t n = 0; n < ACTIVATIONS * sizeof CHANNELS / sizeof *CHANNELS; n++) {
        int channels = CHANNELS[n / ACTIVATIONS];
        Activation activation = (Activation)(n % ACTIVATIONS);
        float x[CELLS * MAX], gains[MAX], shifts[MAX], scales[MAX];
        uint8_t zero_points[MAX], y[CELLS * MAX + 1];
        memset(y, 77, sizeof y);
        for (int c = 0; c < channels; c++) {
            gains[c] = (float)rng_normal(&rng);
            shifts[c] = 2.0f * (float)rng_normal(&rng);
            scales[c] = 20.0f + (float)rng_uniform(&rng);
            zero_points[c] = (uint8_t)rng_below(&rng, 256);
        }
        for (int i = 0; i < CELLS * channels; i++)
            x[i] = (i % 7 ? 4.0f : 400.0f) * (float)rng_normal(&rng);
        x[0] = NAN;
        int8_activation(&(Int8ActivationCall){.cells = CELLS,
                                              .channels = channels,
                                              .x = x,
                                              .gains = gains,
                                              .shifts = shifts,
                                              .activation = activation,
                                              .inverse_scales = scales,
                                              .zero_points = zero_points,
                                              .y = y});
        EXPECT_INT(activation == ACTIVATION_RELU ? zero_points[0] : 0, y[0]);
        for (int i = 1; i < CELLS * channels; i++) {
            int c = i % channels;
            double value = (double)infer_activate(activation, x[i] * gains[c] + shifts[c]);
            value = value * (double)scales[c] + zero_points[c];
            EXPECT_NEAR(fmin(fmax(value, 0.0), 255.0), y[i], 0.5 + 4e-3);
        }
        EXPECT_INT(77, y[CELLS * channels]);
    }
}

TEST(the_environment_limits_the_instructions) {
    BackendIsa whole = backend_isa();
    for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++) {
        EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", LIMITS[i].name, 1));
        EXPECT_INT(whole < LIMITS[i].isa ? whole : LIMITS[i].isa, backend_isa());
        EXPECT_INT(backend_isa() == ISA_AVX512_BF16, backend_has_bf16());
    }
    EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "SSE41", 1));
    EXPECT_TEXT("generic", infer_kernels_select()->name);
    EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
    EXPECT_INT(whole, backend_isa());
}

TEST(even_kernels_are_refused) {
    ConvInt8 *conv;
    EXPECT_STATUS(
        ERR_UNSUPPORTED,
        conv_int8_new(&(ConvInt8Setup){.height = 1, .width = 1, .kernel = 2}, &conv, NULL));
    assert_null(conv);
}

TEST_MAIN(RUN(an_example_by_hand), RUN(winograd_of_the_identity_keeps_a_board),
          RUN(transforms_beyond_the_range_of_int8_saturate),
          RUN(all_shapes_are_near_the_definition), RUN(every_instruction_set_gives_the_same_bytes),
          RUN(the_largest_sums_fit), RUN(what_is_not_finite_is_refused),
          RUN(denormal_weights_count_as_zero), RUN(nan_becomes_zero),
          RUN(activations_are_rounded_to_int8), RUN(the_environment_limits_the_instructions),
          RUN(even_kernels_are_refused))
