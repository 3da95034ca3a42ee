/* Inference with oneDNN and our own kernels against the reference backend, over random programs,
 * board sizes, masks and numbers of samples. */
#include "base/clock.h"
#include "nn/infer/infer.h"
#include "nn/infer/infer_quantisation.h"
#include "nn/kernels/infer_kernels.h"
#include "test.h"

enum { PLANES = 9, GLOBALS = 5 };

static Value normed(Program *program, Rng *rng, const char *name, Value x) {
    char text[96];
    if (rng_below(rng, 2)) {
        const BatchNormKind kind = {1e-5, 0.01, strlen(name) % 2 == 1, false};
        x = program_batch_norm_of(program, name, x, kind);
    } else {
        snprintf(text, sizeof text, "%s.s", name);
        if (rng_below(rng, 2)) x = program_scale(program, text, x, 0.9);
        snprintf(text, sizeof text, "%s.f", name);
        if (strlen(name) % 2) x = program_fixed_scale(program, text, x, 0.7);
        snprintf(text, sizeof text, "%s.b", name);
        x = program_bias(program, text, x);
    }
    x = program_activation(program, x, (Activation)rng_below(rng, 5));
    return program_mask(program, x);
}

static Value pool_branch(Program *program, Rng *rng, const char *name, Value t, int channels) {
    char text[96];
    snprintf(text, sizeof text, "%s.g", name);
    Value g = program_conv(program, text, t, 5 + rng_below(rng, 12), 3, -1.0);
    snprintf(text, sizeof text, "%s.gn", name);
    g = normed(program, rng, text, g);
    Value v = program_global_pool(program, g,
                                  rng_below(rng, 2) ? POOL_MEAN_SCALE_MAX : POOL_MEAN_SCALE_SCALE);
    snprintf(text, sizeof text, "%s.d", name);
    return program_dense(program, text, v, channels, -1.0);
}

/* A pre-activation residual block. Half of these blocks have a global-pooling branch, whose vector
 * is added to the channels or, in a third of them, multiplies the channels. */
static Value block(Program *program, Rng *rng, int index, Value x, int channels) {
    char name[64];
    snprintf(name, sizeof name, "b%d.n1", index);
    Value t = normed(program, rng, name, x);
    int inner = 8 + rng_below(rng, 20);
    snprintf(name, sizeof name, "b%d.c1", index);
    Value r = program_conv(program, name, t, inner, rng_below(rng, 2) ? 3 : 1, -1.0);
    if (rng_below(rng, 2)) {
        snprintf(name, sizeof name, "b%d.p", index);
        Value v = pool_branch(program, rng, name, t, inner);
        r = rng_below(rng, 3) ? program_add_broadcast(program, r, v)
                              : program_mul_broadcast(program, r, v);
    }
    snprintf(name, sizeof name, "b%d.n2", index);
    r = normed(program, rng, name, r);
    snprintf(name, sizeof name, "b%d.c2", index);
    r = program_conv(program, name, r, channels, 3, -0.5);
    return rng_below(rng, 2) ? program_add(program, x, r) : program_add(program, r, x);
}

static Value layer_norm(Program *program, const char *name, Value x) {
    const Op op = {.kind = OP_LAYER_NORM, .inputs = {x, -1}, .epsilon = 1e-3f};
    return program_add_op(program, name, op);
}

/* Attention and a gated layer, each after a norm. */
static Value transformer(Program *program, Rng *rng, int index, Value x, int channels) {
    char name[64];
    int kv_heads = 1 + rng_below(rng, 2);
    AttentionShape shape = {.heads = kv_heads * (1 + rng_below(rng, 3)),
                            .kv_heads = kv_heads,
                            .query_channels = 2 * (1 + rng_below(rng, 10)),
                            .value_channels = 1 + rng_below(rng, 20)};
    snprintf(name, sizeof name, "t%d.n1", index);
    Value n = program_rms_norm(program, name, x, 1e-3, rng_below(rng, 3) == 0);
    snprintf(name, sizeof name, "t%d.qkv", index);
    Value y = program_dense(
        program, name, n,
        (shape.heads + kv_heads) * shape.query_channels + kv_heads * shape.value_channels, -1.0);
    float frequencies[2 * 2 * 20];
    for (int i = 0; i < 80; i++)
        frequencies[i] = (float)rng_normal(rng);
    snprintf(name, sizeof name, "t%d.rotary", index);
    Value turned =
        rng_below(rng, 4) ? program_rotary(program, name, y, shape, frequencies, true) : y;
    if (rng_below(rng, 4) == 0) program_output(program, name, program_mask(program, turned));
    y = program_attention(program, turned, shape);
    snprintf(name, sizeof name, "t%d.out", index);
    x = program_add(program, x, program_dense(program, name, y, channels, -0.5));
    snprintf(name, sizeof name, "t%d.n2", index);
    n = rng_below(rng, 2) ? program_rms_norm(program, name, x, 1e-3, false)
                          : layer_norm(program, name, x);
    if (rng_below(rng, 2)) n = program_mask(program, n);
    snprintf(name, sizeof name, "t%d.up", index);
    y = program_activation(program, program_dense(program, name, n, 21, -1.0), ACTIVATION_SILU);
    snprintf(name, sizeof name, "t%d.gate", index);
    y = program_multiply(program, y, program_dense(program, name, n, 21, -1.0));
    snprintf(name, sizeof name, "t%d.down", index);
    return program_add(program, x, program_dense(program, name, y, channels, -0.5));
}

static void add_heads(Program *program, Rng *rng, Value x) {
    Value policy = program_mask(program, program_dense(program, "policy", x, 2, -1.0));
    program_output(program, "policy", policy);
    Value hidden = program_conv(program, "head", x, 12, 1, -1.0);
    hidden = normed(program, rng, "head.n", hidden);
    Value pooled = program_global_pool(program, hidden, POOL_MEAN_SCALE_SCALE);
    Value v = program_bias(program, "v1.b", program_dense(program, "v1", pooled, 16, -1.0));
    v = program_activation(program, v, ACTIVATION_RELU);
    program_output(program, "value",
                   program_bias(program, "v2.b", program_dense(program, "v2", v, 3, -1.0)));
    program_output(program, "ownership",
                   program_activation(program, program_dense(program, "own", hidden, 1, -1.0),
                                      ACTIVATION_TANH));
    Value both = program_concat(program, hidden, x);
    program_output(program, "both", program_mask(program, program_slice(program, both, 3, 14)));
    const float bins[] = {-0.5f, 0.0f, 0.5f, 1.0f};
    Value list =
        program_dense(program, "bins.d", program_constant(program, "bins", 4, 1, bins), 6, -1.0);
    list = program_add_broadcast(program, list, program_dense(program, "v3", v, 6, -1.0));
    list = program_activation(program, list, ACTIVATION_RELU);
    program_output(program, "score", program_dense(program, "bins.e", list, 1, -1.0));
}

static Net *random_net(uint64_t seed) {
    Rng rng = rng_seeded(seed);
    Program *program;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, PLANES);
    Value globals = program_input(program, "globals", KIND_VECTOR, GLOBALS);
    program_set_mask(program, planes, 0);
    int channels = 8 + rng_below(&rng, 30);
    Value x = program_conv(program, "start", planes, channels, rng_below(&rng, 2) ? 5 : 3, -1.0);
    x = program_add_broadcast(program, x,
                              program_dense(program, "globals.d", globals, channels, -1.0));
    int blocks = 1 + rng_below(&rng, 3);
    for (int i = 0; i < blocks; i++)
        x = seed % 3 ? block(program, &rng, i, x, channels)
                     : transformer(program, &rng, i, x, channels);
    x = normed(program, &rng, "end", x);
    add_heads(program, &rng, x);
    Net *net;
    EXPECT_OK(net_new(program, &rng, &net, err));
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        if (spec->rank != 1) continue; /* change only norms and biases; variances stay positive */
        float *values = net_values(net, p);
        for (size_t i = 0; i < spec->count; i++)
            values[i] += (float)(0.3 * rng_uniform(&rng));
    }
    return net;
}

/* Random planes on a board of height x width in the corner of the buffer, and zeros outside. */
static void fill_sample(Rng *rng, float *planes, int buffer_h, int buffer_w, int height,
                        int width) {
    for (int y = 0; y < buffer_h; y++) {
        for (int x = 0; x < buffer_w; x++) {
            float *cell = planes + (y * buffer_w + x) * PLANES;
            bool on = y < height && x < width;
            for (int c = 0; c < PLANES; c++)
                cell[c] = on && c ? (float)rng_normal(rng) : (float)on;
        }
    }
}

static void fill(Infer *infer, uint64_t seed, int count, int size, bool mixed) {
    Rng rng = rng_seeded(seed);
    float *planes = infer_input(infer, 0), *globals = infer_input(infer, 1);
    for (int n = 0; n < count; n++) {
        int height = mixed ? 2 + rng_below(&rng, size - 1) : size,
            width = mixed ? 2 + rng_below(&rng, size - 1) : size;
        fill_sample(&rng, planes + n * size * size * PLANES, size, size, height, width);
        for (int i = 0; i < GLOBALS; i++)
            globals[n * GLOBALS + i] = (float)rng_normal(&rng);
    }
}

static size_t output_size(const Net *net, int output, int size) {
    const Op *op = program_op(net_program(net), program_output_value(net_program(net), output));
    int rows = op->shape == KIND_SPATIAL ? size * size : op->shape == KIND_LIST ? op->rows : 1;
    return (size_t)rows * (size_t)op->channels;
}

static bool on_board(const Net *net, int output, const float *planes, size_t index) {
    const Op *op = program_op(net_program(net), program_output_value(net_program(net), output));
    return op->shape != KIND_SPATIAL || planes[index / (size_t)op->channels * PLANES] != 0.0f;
}

/* Returns the largest difference between the outputs or, with `mean`, the root mean square of the
 * differences. In both cases it is divided by the root mean square of the wanted output. Cells off
 * the board do not count. */
static double difference(const Net *net, Infer *want, const Infer *got, int output, int count,
                         int size, bool mean) {
    size_t values = output_size(net, output, size) * (size_t)count;
    const float *a = infer_output(want, output), *b = infer_output(got, output);
    double squares = 0.0, errors = 0.0, worst = 0.0, number = 0.0;
    for (size_t i = 0; i < values; i++) {
        if (!on_board(net, output, infer_input(want, 0), i)) continue;
        double distance = fabs((double)a[i] - (double)b[i]);
        if (!(distance <= worst)) worst = distance;
        squares += (double)a[i] * (double)a[i];
        errors += distance * distance;
        number += 1.0;
    }
    return (mean ? sqrt(errors / number) : worst) / (sqrt(squares / number) + 1e-3);
}

static void quantise_evenly(Net *net);

/* Takes ownership of the net. */
static void compare_net(Net *net, uint64_t seed, Precision precision, double tolerance) {
    Rng rng = rng_seeded(seed);
    int size = 3 + rng_below(&rng, 8), batch = 1 + rng_below(&rng, 11);
    InferSetup setup = {.batch = batch,
                        .height = size,
                        .width = size,
                        .precision = PRECISION_F32,
                        .backend = "reference"};
    Infer *want, *got;
    EXPECT_OK(infer_new(net, &setup, &want, err));
    setup.backend = NULL;
    setup.precision = precision;
    if (precision == PRECISION_INT8) quantise_evenly(net);
    EXPECT_OK(infer_new(net, &setup, &got, err));
    for (int turn = 0; turn < 3; turn++) {
        int count = turn ? 1 + rng_below(&rng, batch) : batch;
        fill(want, seed + (uint64_t)turn, count, size, turn != 1);
        fill(got, seed + (uint64_t)turn, count, size, turn != 1);
        EXPECT_OK(infer_run(want, count, err));
        EXPECT_OK(infer_run(got, count, err));
        for (int o = 0; o < program_output_count(net_program(net)); o++) {
            double distance =
                difference(net, want, got, o, count, size, precision == PRECISION_INT8);
            if (!(distance <= tolerance)) {
                fail_msg("net %d, %s: output %s differs by %g of its root mean square", (int)seed,
                         precision_name(precision), program_output_name(net_program(net), o),
                         distance);
            }
        }
    }
    infer_free(want);
    infer_free(got);
    net_free(net);
}

static void compare(uint64_t seed, Precision precision, double tolerance) {
    compare_net(random_net(seed), seed, precision, tolerance);
}

TEST(f32_agrees_with_the_definition) {
    for (uint64_t seed = 1; seed <= 40; seed++)
        compare(seed, PRECISION_F32, 1e-4);
}

TEST(bf16_agrees_within_its_rounding) {
    if (!backend_has_bf16()) print_message("bf16 is not native here; oneDNN emulates it\n");
    for (uint64_t seed = 1; seed <= 20; seed++)
        compare(seed, PRECISION_BF16, 0.15);
}

/* Gives the convolutions of the blocks, whose names begin with b, a quantisation for inputs from
 * -27.6 to 36.4, which is wide enough. */
static void quantise_evenly(Net *net) {
    const Program *program = net_program(net);
    Quantisation *quantisation;
    int count = 0;
    EXPECT_OK(quantisation_new(program_op_count(program), &quantisation, err));
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        if (op->kind != OP_CONV || op->name[0] != 'b') continue;
        EXPECT_OK(quantisation_set_layer(quantisation, count, op->name,
                                         program_op(program, op->inputs[0])->channels, err));
        for (int c = 0; c < quantisation->layers[count].channels; c++) {
            quantisation->layers[count].scales[c] = 64.0f / 255.0f;
            quantisation->layers[count].zero_points[c] = 110;
        }
        count++;
    }
    quantisation->count = count;
    EXPECT_OK(quantisation_write(quantisation, net, err));
    quantisation_free(quantisation);
}

TEST(int8_agrees_within_its_rounding) {
    for (uint64_t seed = 1; seed <= 20; seed++)
        compare(seed, PRECISION_INT8, 0.3);
}

static bool takes_int8(int kernel, int dilation, int in_channels, int out_channels) {
    const Op op = {.kind = OP_CONV,
                   .kernel_h = kernel,
                   .kernel_w = kernel,
                   .dilation = dilation,
                   .channels = out_channels};
    return quantisation_can(&op, in_channels);
}

/* 1 x 1 convolutions to at most 4 channels (INFER_SMALL_CHANNELS) run in f32 in a plain loop. This
 * is so even if the net has a quantisation for them. */
TEST(small_convolutions_are_never_in_int8) {
    for (int channels = 1; channels <= 6; channels++) {
        Rng rng = rng_seeded((uint64_t)channels);
        Program *program;
        EXPECT_OK(program_new(&program, err));
        Value planes = program_input(program, "planes", KIND_SPATIAL, PLANES);
        program_input(program, "globals", KIND_VECTOR, GLOBALS);
        program_set_mask(program, planes, 0);
        Value x = program_conv(program, "start", planes, 12, 3, -1.0);
        Value y = program_mask(program, program_activation(program, x, ACTIVATION_RELU));
        y = program_conv(program, "b.pre", y, channels, 1, -1.0);
        y = program_mask(program, program_activation(program, y, ACTIVATION_RELU));
        y = program_conv(program, "b.inner", y, channels, 3, -1.0);
        y = program_mask(program, program_activation(program, y, ACTIVATION_RELU));
        x = program_add(program, x, program_conv(program, "b.post", y, 12, 1, -1.0));
        program_output(program, "x", program_mask(program, x));
        Net *net;
        EXPECT_OK(net_new(program, &rng, &net, err));
        compare_net(net, (uint64_t)channels, PRECISION_INT8, 0.3);
    }
    EXPECT_FALSE(takes_int8(1, 1, 32, 4));
    EXPECT_TRUE(takes_int8(1, 1, 32, 5));
    EXPECT_TRUE(takes_int8(3, 1, 32, 4));
    EXPECT_TRUE(takes_int8(3, 1, 7367, 4));
    EXPECT_FALSE(takes_int8(3, 1, 7368, 4));
    EXPECT_FALSE(takes_int8(1, 1, 16385, 8));
    EXPECT_FALSE(takes_int8(3, 2, 32, 32));
    const Op line = {.kind = OP_CONV, .kernel_h = 1, .kernel_w = 9, .dilation = 1, .channels = 32};
    EXPECT_FALSE(quantisation_can(&line, 32));
}

/* The convolution "b.int8" reads the value x in int8, and "other" reads it in bf16. The step that
 * rounds x to int8 reads f32. */
TEST(a_value_is_read_in_int8_and_in_bf16) {
    Rng rng = rng_seeded(5);
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, PLANES);
    program_input(program, "globals", KIND_VECTOR, GLOBALS);
    program_set_mask(program, planes, 0);
    Value x = program_conv(program, "start", planes, 12, 3, -1.0);
    x = program_mask(program, program_activation(program, x, ACTIVATION_RELU));
    Value y = program_conv(program, "b.int8", x, 12, 3, -1.0);
    x = program_add(program, y, program_conv(program, "other", x, 12, 1, -1.0));
    program_output(program, "x", program_mask(program, x));
    EXPECT_OK(net_new(program, &rng, &net, err));
    compare_net(net, 5, PRECISION_INT8, 0.3);
}

#define UP "{\"up\": {\"rows\": true, \"channels\": 2, "

TEST(rounded_weights_are_read_back) {
    Net *net = random_net(1);
    Quantisation *quantisation;
    EXPECT_OK(net_set_note(net, QUANTISATION_NOTE,
                           UP "\"fine\": true, \"scales\": [0.5, 2], "
                              "\"weights\": \"7f8100ff\"}}",
                           err));
    for (int i = 0; i < 2; i++) { /* the note above, then what quantisation_write() wrote */
        EXPECT_OK(quantisation_read(net, &quantisation, err));
        const LayerQuantisation *layer = quantisation_find(quantisation, "up", 2);
        assert_non_null(layer);
        EXPECT_TRUE(layer->by_rows && layer->fine);
        EXPECT_INT(2, layer->outputs);
        EXPECT_INT(127, layer->weights[0]);
        EXPECT_INT(-127, layer->weights[1]);
        EXPECT_INT(0, layer->weights[2]);
        EXPECT_INT(-1, layer->weights[3]);
        EXPECT_NEAR(0.5, layer->weight_scales[0], 0);
        EXPECT_NEAR(2, layer->weight_scales[1], 0);
        EXPECT_OK(quantisation_write(quantisation, net, err));
        quantisation_free(quantisation);
    }
    net_free(net);
}

TEST(fine_weights_and_corrections_are_read_back) {
    Net *net = random_net(1);
    Quantisation *quantisation;
    EXPECT_OK(net_set_note(net, QUANTISATION_NOTE,
                           "{\"up\": {\"rows\": true, \"channels\": 2, \"fine_weights\": true}, "
                           "\"v\": {\"channels\": 3, \"correction\": [0.5, -1]}}",
                           err));
    for (int i = 0; i < 2; i++) { /* the note above, then what quantisation_write() wrote */
        EXPECT_OK(quantisation_read(net, &quantisation, err));
        EXPECT_INT(2, quantisation->count);
        const LayerQuantisation *up = quantisation_find(quantisation, "up", 2),
                                *v = quantisation_find(quantisation, "v", 3);
        EXPECT_TRUE(up->by_rows && up->fine_weights && !up->weights && !up->correction);
        EXPECT_INT(2, v->correction_count);
        EXPECT_NEAR(0.5, v->correction[0], 0);
        EXPECT_NEAR(-1, v->correction[1], 0);
        EXPECT_OK(quantisation_write(quantisation, net, err));
        quantisation_free(quantisation);
    }
    net_free(net);
}

TEST(quantisation_is_read_back_or_refused) {
    static const char *const WRONG[] = {"{",
                                        "[]",
                                        "{\"b0.c1\": {\"steps\": [1], \"zeros\": [1, 2]}}",
                                        "{\"b0.c1\": {\"steps\": [0], \"zeros\": [1]}}",
                                        "{\"b0.c1\": {\"steps\": [1e99], \"zeros\": [1]}}",
                                        "{\"b0.c1\": {\"steps\": [1], \"zeros\": [256]}}",
                                        "{\"up\": {\"rows\": true}}",
                                        "{\"up\": {\"rows\": true, \"channels\": 16385}}",
                                        UP "\"weights\": \"7f81\"}}",
                                        UP "\"scales\": [1], \"weights\": \"7f\"}}",
                                        UP "\"scales\": [1], \"weights\": \"7f80\"}}",
                                        UP "\"scales\": [1], \"weights\": \"7fG1\"}}",
                                        UP "\"scales\": [0], \"weights\": \"7f81\"}}",
                                        UP "\"scales\": [], \"weights\": \"\"}}",
                                        "{\"v\": {\"correction\": [1]}}",
                                        "{\"v\": {\"channels\": 2, \"correction\": []}}",
                                        "{\"v\": {\"channels\": 2, \"correction\": [1e99]}}"};
    Net *net = random_net(1);
    Quantisation *quantisation;
    quantise_evenly(net);
    EXPECT_OK(quantisation_read(net, &quantisation, err));
    EXPECT_TRUE(quantisation->count > 0);
    const LayerQuantisation *layer = quantisation_find(quantisation, quantisation->layers[0].name,
                                                       quantisation->layers[0].channels);
    EXPECT_NEAR(64.0 / 255.0, layer->scales[0], 1e-7);
    EXPECT_INT(110, layer->zero_points[0]);
    assert_null(quantisation_find(quantisation, layer->name, layer->channels + 1));
    quantisation_free(quantisation);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        EXPECT_OK(net_set_note(net, QUANTISATION_NOTE, WRONG[i], err));
        EXPECT_STATUS(ERR_SYNTAX, quantisation_read(net, &quantisation, NULL));
        assert_null(quantisation);
    }
    net_free(net);
}

static Precision chosen(const Net *net, const char *limit) {
    Infer *infer;
    const InferSetup setup = {.batch = 1, .height = 5, .width = 5, .precision = PRECISION_AUTO};
    if (limit) EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", limit, 1));
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    Precision precision = infer_precision(infer);
    infer_free(infer);
    if (limit) EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
    return precision;
}

TEST(auto_goes_by_processor_and_report) {
    const char *given = getenv("ONEDNN_MAX_CPU_ISA");
    if (given || backend_isa() < ISA_AVX512_BF16)
        SKIP("%s", given ? "ONEDNN_MAX_CPU_ISA is given" : "this processor has no AVX512_BF16");
    Net *net = random_net(1);
    EXPECT_INT(PRECISION_BF16, chosen(net, NULL));
    EXPECT_INT(PRECISION_F32, chosen(net, "AVX2"));
    quantise_evenly(net);
    EXPECT_INT(PRECISION_BF16, chosen(net, NULL)); /* without a report there is no int8 */
    EXPECT_OK(net_set_note(net, QUANTISATION_REPORT_NOTE,
                           "{\"bf16\": {\"passes\": true}, \"int8\": {\"passes\": true}}", err));
    EXPECT_INT(PRECISION_INT8, chosen(net, NULL));
    EXPECT_INT(PRECISION_INT8, chosen(net, "AVX512_CORE_VNNI"));
    EXPECT_INT(PRECISION_F32, chosen(net, "AVX512_CORE"));
    EXPECT_OK(net_set_note(net, QUANTISATION_REPORT_NOTE,
                           "{\"bf16\": {\"passes\": false}, \"int8\": {\"passes\": false}}", err));
    EXPECT_INT(PRECISION_F32, chosen(net, NULL));
    net_free(net);
}

/* A 7x7 board gives the same values in a buffer of 9x9 as in one of 7x7. */
TEST(a_small_board_in_a_large_buffer_is_the_same) {
    for (uint64_t seed = 50; seed < 58; seed++) {
        Net *net = random_net(seed);
        InferSetup setup = {.batch = 3, .height = 7, .width = 7, .precision = PRECISION_F32};
        Infer *small, *large;
        EXPECT_OK(infer_new(net, &setup, &small, err));
        setup.height = setup.width = 9;
        EXPECT_OK(infer_new(net, &setup, &large, err));
        fill(small, seed, 3, 7, false);
        memcpy(infer_input(large, 1), infer_input(small, 1), 3 * GLOBALS * sizeof(float));
        for (int row = 0; row < 3 * 7; row++) {
            memcpy(infer_input(large, 0) + (row / 7 * 81 + row % 7 * 9) * PLANES,
                   infer_input(small, 0) + row * 7 * PLANES, 7 * PLANES * sizeof(float));
        }
        EXPECT_OK(infer_run(small, 3, err));
        EXPECT_OK(infer_run(large, 3, err));
        const Program *program = net_program(net);
        for (int o = 0; o < program_output_count(program); o++) {
            const Op *op = program_op(program, program_output_value(program, o));
            int c = op->channels, rows = op->shape == KIND_SPATIAL ? 49
                                         : op->shape == KIND_LIST  ? op->rows
                                                                   : 1;
            for (int i = 0; i < 3 * rows * c; i++) {
                int cell = i / c % 49,
                    from = op->shape == KIND_SPATIAL
                               ? (i / c / 49 * 81 + cell / 7 * 9 + cell % 7) * c + i % c
                               : i;
                float want = infer_output(small, o)[i];
                EXPECT_NEAR(want, infer_output(large, o)[from], 1e-5 * (1.0 + fabs((double)want)));
            }
        }
        infer_free(small);
        infer_free(large);
        net_free(net);
    }
}

/* The values of a sample do not depend on how many other samples the batch has, except for
 * rounding. */
TEST(the_number_of_samples_does_not_change_results) {
    Net *net = random_net(99);
    const InferSetup setup = {.batch = 40, .height = 5, .width = 5, .precision = PRECISION_F32};
    Infer *infer;
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    fill(infer, 7, 40, 5, true);
    EXPECT_OK(infer_run(infer, 40, err));
    size_t size = output_size(net, 1, 5);
    float *want = malloc(40 * size * sizeof *want);
    memcpy(want, infer_output(infer, 1), 40 * size * sizeof *want);
    for (int count = 1; count < 40; count += 3) {
        EXPECT_OK(infer_run(infer, count, err));
        for (size_t i = 0; i < (size_t)count * size; i++)
            EXPECT_NEAR(want[i], infer_output(infer, 1)[i], 2e-5 * (1.0 + fabs((double)want[i])));
    }
    free(want);
    infer_free(infer);
    net_free(net);
}

static void expect_times_of_steps(const Infer *infer, const Program *program, bool ran) {
    int count, convs = 0, readers = 0, worked = 0;
    const OpTime *times = infer_op_times(infer, &count);
    for (int i = 0; i < count; i++) {
        const Op *op = program_op(program, times[i].op);
        /* The step "rounding" rounds the result of the op. The op may be an input or a constant. */
        bool rounds = !strcmp(times[i].code, "rounding");
        bool works = rounds || (op->kind != OP_INPUT && op->kind != OP_CONSTANT);
        if (!works || !ran) EXPECT_TRUE(times[i].forward_seconds == 0);
        EXPECT_TRUE(times[i].forward_seconds >= 0);
        EXPECT_TRUE(times[i].backward_seconds == 0);
        EXPECT_TRUE(*times[i].code);
        worked += times[i].forward_seconds > 0;
        convs += op->kind == OP_CONV && !rounds;
        readers += op->kind == OP_ATTENTION && !rounds;
    }
    for (Value v = 0; v < program_op_count(program); v++) {
        convs -= program_op(program, v)->kind == OP_CONV;
        readers -= program_op(program, v)->kind == OP_ATTENTION;
    }
    EXPECT_INT(0, convs); /* each convolution and each attention has its step */
    EXPECT_INT(0, readers);
    EXPECT_INT(ran, worked > 0);
}

/* The sum of the times of all steps is at most the time of the thread, and measuring changes no
 * result. */
static void time_a_net(uint64_t seed, Precision precision) {
    enum { SIZE = 7, BATCH = 5, RUNS = 4 };
    Net *net = random_net(seed);
    if (precision == PRECISION_INT8) quantise_evenly(net);
    const InferSetup setup = {
        .batch = BATCH, .height = SIZE, .width = SIZE, .precision = precision};
    Infer *timed, *plain;
    int count = 1;
    double sum = 0;
    EXPECT_OK(infer_new(net, &setup, &timed, err));
    EXPECT_OK(infer_new(net, &setup, &plain, err));
    fill(timed, seed, BATCH, SIZE, true);
    fill(plain, seed, BATCH, SIZE, true);
    EXPECT_OK(infer_run(timed, BATCH, err));
    EXPECT_TRUE(!infer_op_times(timed, &count));
    EXPECT_INT(0, count); /* nothing is measured before it is asked for */
    double start = clock_thread_cpu_seconds();
    EXPECT_OK(infer_time_ops(timed, err));
    for (int i = 0; i < RUNS; i++)
        EXPECT_OK(infer_run(timed, BATCH, err));
    double spent = clock_thread_cpu_seconds() - start;
    const OpTime *times = infer_op_times(timed, &count);
    for (int i = 0; i < count; i++)
        sum += times[i].forward_seconds;
    EXPECT_TRUE(sum > 0 && sum <= spent);
    expect_times_of_steps(timed, net_program(net), true);
    EXPECT_OK(infer_time_ops(timed, err));
    expect_times_of_steps(timed, net_program(net), false);
    EXPECT_OK(infer_run(plain, BATCH, err));
    for (int o = 0; o < program_output_count(net_program(net)); o++)
        assert_memory_equal(infer_output(plain, o), infer_output(timed, o),
                            BATCH * output_size(net, o, SIZE) * sizeof(float));
    infer_free(timed);
    infer_free(plain);
    net_free(net);
}

TEST(the_time_of_each_step_is_measured) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        time_a_net(seed, PRECISION_F32);
        time_a_net(seed, PRECISION_BF16);
        time_a_net(seed, PRECISION_INT8);
    }
    Net *net = random_net(1);
    const InferSetup setup = {.batch = 1, .height = 5, .width = 5, .backend = "reference"};
    Infer *infer;
    int count = 1;
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    EXPECT_OK(infer_time_ops(infer, err));
    EXPECT_TRUE(!infer_op_times(infer, &count));
    EXPECT_INT(0, count); /* the reference backend measures nothing */
    infer_free(infer);
    net_free(net);
}

TEST(wrong_configurations_are_refused) {
    Net *net = random_net(3);
    Infer *infer;
    Error error = {0};
    const InferSetup none = {.batch = 0, .height = 5, .width = 5};
    EXPECT_STATUS(ERR_ARGUMENT, infer_new(net, &none, &infer, &error));
    const InferSetup eight = {.batch = 1, .height = 5, .width = 5, .precision = PRECISION_INT8};
    EXPECT_STATUS(ERR_UNSUPPORTED, infer_new(net, &eight, &infer, &error));
    EXPECT_CONTAINS(error.message, "int8");
    const InferSetup unknown = {.batch = 1, .height = 5, .width = 5, .backend = "abacus"};
    EXPECT_STATUS(ERR_UNSUPPORTED, infer_new(net, &unknown, &infer, &error));
    EXPECT_CONTAINS(error.message, "abacus");
    const InferSetup good = {.batch = 2, .height = 5, .width = 5, .precision = PRECISION_AUTO};
    EXPECT_OK(infer_new(net, &good, &infer, err));
    EXPECT_INT(backend_has_bf16() ? PRECISION_BF16 : PRECISION_F32, infer_precision(infer));
    EXPECT_TEXT("onednn", infer_backend(infer));
    EXPECT_STATUS(ERR_ARGUMENT, infer_run(infer, 3, &error));
    infer_free(infer);
    net_free(net);
}

TEST(precisions_have_names) {
    Precision precision;
    Error error = {0};
    EXPECT_STATUS(OK, precision_parse("bf16", &precision, &error));
    EXPECT_INT(PRECISION_BF16, precision);
    EXPECT_TEXT("int8", precision_name(PRECISION_INT8));
    EXPECT_STATUS(ERR_SYNTAX, precision_parse("f64", &precision, &error));
    EXPECT_CONTAINS(error.message, "f64");
}

/* The kernels of this processor against the generic ones. */
TEST(kernels_agree) {
    Rng rng = rng_seeded(5);
    enum { SAMPLES = 2, CELLS = 6, CHANNELS = 37, COUNT = SAMPLES * CELLS * CHANNELS };
    static float x[COUNT], r[COUNT], v[COUNT], y[COUNT], scratch[2 * CHANNELS];
    static const float mask[SAMPLES * CELLS] = {1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 0};
    static float inverse_scales[CHANNELS];
    static uint8_t zero_points[CHANNELS], y_int8[COUNT];
    for (int c = 0; c < CHANNELS; c++) {
        inverse_scales[c] = 5.0f + (float)rng_uniform(&rng);
        zero_points[c] = (uint8_t)rng_below(&rng, 256);
    }
    for (int i = 0; i < COUNT; i++)
        x[i] = (float)(4.0 * rng_normal(&rng)), r[i] = (float)rng_normal(&rng),
        v[i] = (float)rng_normal(&rng);
    for (Activation a = ACTIVATION_IDENTITY; a <= ACTIVATION_TANH; a++) {
        const ElementwiseCall call = {.samples = SAMPLES,
                                      .cells = CELLS,
                                      .channels = CHANNELS,
                                      .x = x,
                                      .scale = v,
                                      .bias = r,
                                      .vector_add = v + 100,
                                      .residual = r,
                                      .mask = mask,
                                      .activation = a,
                                      .scratch = scratch};
        infer_kernels_select()->elementwise(&call, y);
        for (int i = 0; i < COUNT; i++) {
            int c = i % CHANNELS, n = i / CHANNELS / CELLS;
            float sum = x[i] * v[c] + r[c] + v[100 + n * CHANNELS + c] + r[i];
            EXPECT_NEAR(mask[i / CHANNELS] * infer_activate(a, sum), y[i],
                        2e-6 * (1.0 + fabs((double)sum)));
        }
        ElementwiseCall rounded = call;
        rounded.residual = NULL;
        rounded.inverse_scales = inverse_scales;
        rounded.zero_points = zero_points;
        infer_kernels_select()->elementwise_int8(&rounded, y_int8);
        for (int i = 0; i < COUNT; i++) {
            int c = i % CHANNELS, n = i / CHANNELS / CELLS;
            float sum = x[i] * v[c] + r[c] + v[100 + n * CHANNELS + c];
            float q = mask[i / CHANNELS] * infer_activate(a, sum) * inverse_scales[c] +
                      (float)zero_points[c];
            EXPECT_NEAR(fmin(fmax((double)q, 0.0), 255.0), y_int8[i],
                        0.5 + 1e-4 * (1.0 + fabs((double)sum)));
        }
    }
}

TEST_MAIN(RUN(f32_agrees_with_the_definition), RUN(bf16_agrees_within_its_rounding),
          RUN(int8_agrees_within_its_rounding), RUN(small_convolutions_are_never_in_int8),
          RUN(a_value_is_read_in_int8_and_in_bf16), RUN(fine_weights_and_corrections_are_read_back),
          RUN(quantisation_is_read_back_or_refused), RUN(rounded_weights_are_read_back),
          RUN(auto_goes_by_processor_and_report), RUN(a_small_board_in_a_large_buffer_is_the_same),
          RUN(the_number_of_samples_does_not_change_results),
          RUN(the_time_of_each_step_is_measured), RUN(wrong_configurations_are_refused),
          RUN(precisions_have_names), RUN(kernels_agree))
