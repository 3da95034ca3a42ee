/* The kernels of layer norm and RMS norm against the definitions of the ops, forward and backward,
 * over random shapes and masks. test_isa.sh repeats this with fewer instruction sets. */
#include <math.h>

#include "base/error.h" /* before cmocka defines the word fail */
#include "base/rng.h"
#include "nn/kernels/norm_kernels.h"
#include "nn/ops/op_table.h"
#include "test.h"

enum { ROWS_MAX = 40, CHANNELS_MAX = 400, ELEMENTS_MAX = ROWS_MAX * CHANNELS_MAX, ROUNDS = 60 };

typedef struct {
    Op op, input;
    OpCall call;
    float x[ELEMENTS_MAX], dy[ELEMENTS_MAX], gain[CHANNELS_MAX], bias[CHANNELS_MAX];
    float mask[ROWS_MAX], area[ROWS_MAX];
    bool add;
} Case;

/* What forward and backward write. */
typedef struct {
    float y[ELEMENTS_MAX], dx[ELEMENTS_MAX], gain_gradient[CHANNELS_MAX],
        bias_gradient[CHANNELS_MAX], saved[2 * ROWS_MAX];
} Results;

static void draw_values(Rng *rng, float *values, size_t count, double deviation, double mean) {
    for (size_t i = 0; i < count; i++)
        values[i] = (float)(mean + deviation * rng_normal(rng));
}

/* Draws a norm over 1 to 4 boards of 1 to 10 cells. Some inputs are far from 0, so that their mean
 * is large beside their deviation. */
static void draw(Case *c, OpKind kind, Rng *rng) {
    int samples = 1 + rng_below(rng, 4), cells = 1 + rng_below(rng, ROWS_MAX / 4),
        channels = 1 + rng_below(rng, rng_below(rng, 2) ? 40 : CHANNELS_MAX);
    c->op = (Op){.kind = kind,
                 .inputs = {0, -1},
                 .shape = KIND_SPATIAL,
                 .channels = channels,
                 .epsilon = rng_below(rng, 2) ? 1e-5f : 1e-3f,
                 .whole_board = kind == OP_RMS_NORM && rng_below(rng, 2)};
    c->input = c->op;
    c->add = rng_below(rng, 2);
    size_t count = (size_t)(samples * cells * channels);
    draw_values(rng, c->x, count, 1, rng_below(rng, 3) ? 0 : 10);
    draw_values(rng, c->dy, count, 1, 0);
    draw_values(rng, c->gain, (size_t)channels, 0.5, 1);
    draw_values(rng, c->bias, (size_t)channels, 1, 0);
    for (int n = 0; n < samples; n++) {
        c->area[n] = 0;
        for (int k = n * cells; k < (n + 1) * cells; k++)
            c->area[n] += c->mask[k] = (float)(rng_below(rng, 4) > 0);
        if (c->area[n] < 1) c->area[n] = c->mask[n * cells] = 1;
    }
    const Op *inputs[2] = {&c->input, NULL};
    c->call = op_call(&c->op, inputs, 1, cells);
    c->call.n = c->call.active = samples;
    c->call.mask = c->mask;
    c->call.area = c->area;
    c->call.x[0] = c->x;
    c->call.dy = c->dy;
    c->call.first[0] = !c->add;
    c->call.parameters[0] = c->gain;
    c->call.parameters[1] = c->bias;
}

/* Fills the gradients with numbers to which backward adds. */
static void begin(Results *results) {
    Rng rng = rng_seeded(3);
    draw_values(&rng, results->dx, ELEMENTS_MAX, 1, 0);
    draw_values(&rng, results->gain_gradient, CHANNELS_MAX, 1, 0);
    draw_values(&rng, results->bias_gradient, CHANNELS_MAX, 1, 0);
}

static void run_definition(const Case *c, Results *results) {
    OpCall call = c->call;
    begin(results);
    call.y = results->y;
    call.saved = results->saved;
    call.dx[0] = results->dx;
    call.gradients[0] = results->gain_gradient;
    call.gradients[1] = results->bias_gradient;
    op_class(c->op.kind)->forward(&call);
    op_class(c->op.kind)->backward(&call);
}

static void run_layer_norm(const Case *c, Results *results, bool slopes, bool gradients) {
    size_t rows = (size_t)c->call.n * (size_t)c->call.rows, channels = (size_t)c->op.channels;
    norm_kernels_select()->layer_norm(&(LayerNormCall){.rows = rows,
                                                       .channels = channels,
                                                       .x = c->x,
                                                       .gain = c->gain,
                                                       .bias = c->bias,
                                                       .epsilon = c->op.epsilon,
                                                       .y = results->y,
                                                       .saved = results->saved});
    norm_kernels_select()->layer_norm_backward(
        &(LayerNormSlopes){.rows = rows,
                           .channels = channels,
                           .x = c->x,
                           .dy = c->dy,
                           .gain = c->gain,
                           .saved = results->saved,
                           .add = c->add,
                           .dx = slopes ? results->dx : NULL,
                           .gain_gradient = gradients ? results->gain_gradient : NULL,
                           .bias_gradient = gradients ? results->bias_gradient : NULL});
}

static void run_rms_norm(const Case *c, Results *results, bool slopes, bool gradients) {
    const float *area = c->op.whole_board ? c->area : NULL;
    norm_kernels_select()->rms_norm(&(RmsNormCall){.samples = c->call.n,
                                                   .cells = c->call.rows,
                                                   .channels = c->op.channels,
                                                   .x = c->x,
                                                   .gain = c->gain,
                                                   .mask = c->mask,
                                                   .area = area,
                                                   .epsilon = c->op.epsilon,
                                                   .y = results->y,
                                                   .saved = results->saved});
    norm_kernels_select()->rms_norm_backward(
        &(RmsNormSlopes){.samples = c->call.n,
                         .cells = c->call.rows,
                         .channels = c->op.channels,
                         .x = c->x,
                         .dy = c->dy,
                         .gain = c->gain,
                         .mask = c->mask,
                         .area = area,
                         .saved = results->saved,
                         .add = c->add,
                         .dx = slopes ? results->dx : NULL,
                         .gain_gradient = gradients ? results->gain_gradient : NULL});
}

static void compare(const float *want, const float *got, size_t count, double tolerance) {
    for (size_t i = 0; i < count; i++)
        EXPECT_NEAR(want[i], got[i], tolerance * (1 + fabs((double)want[i])));
}

/* The tolerances allow for inputs with a mean of 10, where x - mean loses one decimal digit. */
static void compare_all(const Case *c, const Results *want, const Results *got) {
    size_t channels = (size_t)c->op.channels,
           count = (size_t)c->call.n * (size_t)c->call.rows * channels;
    compare(want->y, got->y, count, 2e-5);
    compare(want->dx, got->dx, count, 1e-4);
    compare(want->gain_gradient, got->gain_gradient, channels, 1e-4);
    compare(want->bias_gradient, got->bias_gradient, channels, 1e-5);
}

/* If some gradients are not wanted, they are not written, and the other gradients do not change. */
static void check_parts(const Case *c, const Results *want,
                        void (*run)(const Case *, Results *, bool, bool)) {
    static Results got, start;
    size_t bytes = (size_t)c->op.channels * sizeof(float),
           all = (size_t)c->call.n * (size_t)c->call.rows * bytes;
    begin(&start);
    begin(&got);
    run(c, &got, true, false);
    assert_memory_equal(want->dx, got.dx, all);
    assert_memory_equal(start.gain_gradient, got.gain_gradient, bytes);
    begin(&got);
    run(c, &got, false, true);
    assert_memory_equal(start.dx, got.dx, all);
    assert_memory_equal(want->gain_gradient, got.gain_gradient, bytes);
    assert_memory_equal(want->bias_gradient, got.bias_gradient, bytes);
}

static void check(OpKind kind, void (*run)(const Case *, Results *, bool, bool)) {
    static Case drawn;
    static Results want, got;
    Rng rng = rng_seeded(7);
    print_message("kernels: %s\n", norm_kernels_select()->name);
    for (int round = 0; round < ROUNDS; round++) {
        draw(&drawn, kind, &rng);
        run_definition(&drawn, &want);
        begin(&got);
        run(&drawn, &got, true, true);
        compare_all(&drawn, &want, &got);
        check_parts(&drawn, &got, run);
    }
}

TEST(layer_norms_agree_with_the_definition) {
    check(OP_LAYER_NORM, run_layer_norm);
}

TEST(rms_norms_agree_with_the_definition) {
    check(OP_RMS_NORM, run_rms_norm);
}

/* In inference, rows off the mask become 0 instead of the bias. */
TEST(a_layer_norm_may_have_a_mask) {
    enum { ROWS = 3, CHANNELS = 19 };
    float x[ROWS * CHANNELS], gain[CHANNELS], bias[CHANNELS], plain[ROWS * CHANNELS],
        masked[ROWS * CHANNELS];
    const float mask[ROWS] = {1, 0, 1};
    Rng rng = rng_seeded(1);
    draw_values(&rng, x, ROWS * CHANNELS, 1, 0);
    draw_values(&rng, gain, CHANNELS, 1, 0);
    draw_values(&rng, bias, CHANNELS, 1, 0);
    LayerNormCall call = {.rows = ROWS,
                          .channels = CHANNELS,
                          .x = x,
                          .gain = gain,
                          .bias = bias,
                          .epsilon = 1e-3f,
                          .y = plain};
    norm_kernels_select()->layer_norm(&call);
    call.mask = mask;
    call.y = masked;
    norm_kernels_select()->layer_norm(&call);
    for (int i = 0; i < ROWS * CHANNELS; i++)
        EXPECT_NEAR(mask[i / CHANNELS] * plain[i], masked[i], 0);
}

TEST_MAIN(RUN(layer_norms_agree_with_the_definition), RUN(rms_norms_agree_with_the_definition),
          RUN(a_layer_norm_may_have_a_mask))
