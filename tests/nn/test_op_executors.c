/* Every op of the table within a net: inference and training with their fast code, in every
 * precision, against the definitions of the ops. The op stands between layers that the executors
 * try to fuse with it. */
#include "nn/infer/infer.h"
#include "nn/infer/infer_lower.h"
#include "nn/infer/infer_quantisation.h"
#include "nn/learn/learn.h"
#include "op_instance.h"

enum { PLANES = 5, GLOBALS = 3, SIZE = 5, BATCH = 5, ROUNDS = 6 };

/* Adds a value of this kind that depends on the sample and on trained parameters. */
static Value source(Program *program, const char *name, ValueKind kind, int channels,
                    int list_rows) {
    char text[64];
    Value planes = program_input_value(program, 0), globals = program_input_value(program, 1);
    if (kind == KIND_SPATIAL) return program_conv(program, name, planes, channels, 3, -1);
    Value vector = program_dense(program, name, globals, channels, -1);
    if (kind == KIND_VECTOR) return vector;
    snprintf(text, sizeof text, "%s.list", name);
    const float values[6] = {-1, 0.5f, 2, 0.25f, -0.5f, 1};
    Value list = program_constant(program, text, list_rows, 1, values);
    snprintf(text, sizeof text, "%s.wide", name);
    list = program_dense(program, text, list, channels, -1);
    return program_add_broadcast(program, list, vector);
}

/* Adds the op. If `bare` is set, the op stands alone. Otherwise a bias stands before the op, and a
 * gain, a bias, an activation, a mask and the sum of two layers follow. With `same`, both inputs
 * are one value if they have the same shape. Returns the output of the net. */
static Value surround(Program *program, Instance instance, bool bare, bool same) {
    Value inputs[2] = {-1, -1};
    for (int i = 0; i < op_class(instance.op.kind)->inputs; i++) {
        char name[24];
        snprintf(name, sizeof name, "x%d", i);
        inputs[i] =
            source(program, name, instance.kinds[i], instance.channels[i], instance.list_rows);
        snprintf(name, sizeof name, "x%d.bias", i);
        if (!bare) inputs[i] = program_bias(program, name, inputs[i]);
        instance.op.inputs[i] = inputs[i];
    }
    if (same && inputs[1] >= 0 && instance.kinds[0] == instance.kinds[1] &&
        instance.channels[0] == instance.channels[1])
        instance.op.inputs[1] = inputs[0];
    Value y = program_add_op(program, "op", instance.op);
    EXPECT_OK(program_status(program, err));
    bool spatial = program_op(program, y)->shape == KIND_SPATIAL;
    if (bare) return y;
    y = program_scale(program, "behind.gain", y, 0.8);
    y = program_bias(program, "behind.bias", y);
    y = program_activation(program, y, ACTIVATION_MISH);
    if (spatial) y = program_mask(program, y);
    Value z = spatial ? program_conv(program, "behind", y, 8, 3, -1)
                      : program_dense(program, "behind", y, 8, -1);
    return program_add(program, z,
                       spatial ? program_conv(program, "side", y, 8, 1, -1)
                               : program_dense(program, "side", y, 8, -1));
}

static Net *net_around(OpKind kind, Rng *rng, bool bare) {
    Program *program;
    Net *net;
    Instance instance = instance_new(kind, rng);
    while (instance.op.map.kind ==
           MAP_POINTS) /* fits boards of one size only, which is never SIZE */
        instance = instance_new(kind, rng);
    if (kind == OP_BATCH_NORM) instance.op.renorm = false; /* tested in test_ops_norm.c */
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, PLANES);
    program_input(program, "globals", KIND_VECTOR, GLOBALS);
    program_set_mask(program, planes, 0);
    Value y = surround(program, instance, bare, rng_below(rng, 3) == 0);
    bool spatial = program_op(program, y)->shape == KIND_SPATIAL;
    program_output(program, "y", spatial ? program_mask(program, y) : y);
    EXPECT_OK(program_status(program, err));
    EXPECT_OK(net_new(program, rng, &net, err));
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        double deviation = spec->decayed ? sqrt((double)spec->dims[0] / (double)spec->count) : 0.3;
        for (size_t i = 0; spec->init != INIT_NORMAL && i < spec->count; i++)
            net_values(net, p)[i] +=
                (float)(deviation * (spec->decayed ? rng_normal(rng) : rng_uniform(rng)));
    }
    return net;
}

/* Boards of any size in the corner of the buffer. */
static void fill(float *planes, float *globals, uint64_t seed, int count) {
    Rng rng = rng_seeded(seed);
    for (int n = 0; n < count; n++) {
        int height = 1 + rng_below(&rng, SIZE), width = 1 + rng_below(&rng, SIZE);
        if (n == 0) height = width = SIZE;
        for (int i = 0; i < SIZE * SIZE * PLANES; i++, planes++) {
            int cell = i / PLANES;
            bool on = cell / SIZE < height && cell % SIZE < width;
            *planes = !on ? 0.0f : i % PLANES ? (float)rng_normal(&rng) : 1.0f;
        }
        for (int i = 0; i < GLOBALS; i++)
            *globals++ = (float)rng_normal(&rng);
    }
}

static size_t output_size(const Net *net) {
    const Op *op = program_op(net_program(net), program_output_value(net_program(net), 0));
    return (size_t)op_rows(op, SIZE, SIZE) * (size_t)op->channels;
}

/* Returns the length of the difference, divided by the length of `want` or by `min`, whichever is
 * larger. */
static double distance(const float *want, const float *got, size_t count, double min) {
    double squares = 0, length = 0;
    for (size_t i = 0; i < count; i++) {
        squares += pow((double)want[i] - (double)got[i], 2);
        length += pow((double)want[i], 2);
    }
    return sqrt(squares) / fmax(sqrt(length), min);
}

/* Gives the convolution "behind" a quantisation for inputs from -0.6 to 15.4, which is wide
 * enough. */
static void quantise_evenly(Net *net) {
    const Program *program = net_program(net);
    Quantisation *quantisation;
    EXPECT_OK(quantisation_new(1, &quantisation, err));
    quantisation->count = 0;
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        if (op->kind != OP_CONV || strcmp(op->name, "behind") != 0) continue;
        int channels = program_op(program, op->inputs[0])->channels;
        EXPECT_OK(
            quantisation_set_layer(quantisation, quantisation->count++, op->name, channels, err));
        for (int c = 0; c < channels; c++) {
            quantisation->layers[0].scales[c] = 16.0f / 255.0f;
            quantisation->layers[0].zero_points[c] = 10; /* mish is above -0.31 */
        }
    }
    EXPECT_OK(quantisation_write(quantisation, net, err));
    quantisation_free(quantisation);
}

static void run_infer(Infer *infer, uint64_t seed, int count) {
    fill(infer_input(infer, 0), infer_input(infer, 1), seed, count);
    EXPECT_OK(infer_run(infer, count, err));
}

static void compare_infer(const Net *net, Precision precision, double tolerance, uint64_t seed) {
    InferSetup setup = {.batch = BATCH, .height = SIZE, .width = SIZE, .backend = "reference"};
    Infer *want, *got;
    EXPECT_OK(infer_new(net, &setup, &want, err));
    setup.backend = NULL;
    setup.precision = precision;
    EXPECT_OK(infer_new(net, &setup, &got, err));
    for (int turn = 0; turn < 2; turn++) {
        int count = turn ? 2 : BATCH;
        run_infer(want, seed + (uint64_t)turn, count);
        run_infer(got, seed + (uint64_t)turn, count);
        double by = distance(infer_output(want, 0), infer_output(got, 0),
                             (size_t)count * output_size(net), 1e-2);
        if (!(by <= tolerance)) {
            const Program *program = net_program(net);
            for (Value v = 0; v < program_op_count(program); v++)
                print_message("%s ", op_class(program_op(program, v)->kind)->word);
            fail_msg("in %s the output differs by %g of its length", precision_name(precision), by);
        }
    }
    infer_free(want);
    infer_free(got);
}

static void check_infer(Precision precision, double tolerance) {
    for (int kind = 0; kind < OP_KIND_COUNT; kind++) {
        Rng rng = rng_seeded((uint64_t)kind + 1);
        for (int round = 0; round < ROUNDS && op_class((OpKind)kind)->inputs; round++) {
            Net *net = net_around((OpKind)kind, &rng, round % 3 == 0);
            if (precision == PRECISION_INT8) quantise_evenly(net);
            compare_infer(net, precision, tolerance, (uint64_t)round);
            net_free(net);
        }
    }
}

TEST(inference_agrees_with_the_definitions) {
    check_infer(PRECISION_F32, 1e-4);
}

TEST(inference_in_bf16_agrees_within_its_rounding) {
    check_infer(PRECISION_BF16, 0.05);
}

TEST(inference_in_int8_agrees_within_its_rounding) {
    check_infer(PRECISION_INT8, 0.15);
}

/* The rotary op and the attention have different heads, although both have 16 input channels. They
 * may become one step only if their heads are equal. */
TEST(rotations_of_other_heads_stay_apart) {
    const AttentionShape rotated = {2, 1, 2, 10}, attending = {1, 1, 4, 8};
    Rng rng = rng_seeded(5);
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, PLANES);
    program_input(program, "globals", KIND_VECTOR, GLOBALS);
    program_set_mask(program, planes, 0);
    Value x = program_conv(program, "qkv", planes, 16, 1, -1);
    x = program_rotary(program, "rotary", x, rotated, NULL, true);
    program_output(program, "y", program_mask(program, program_attention(program, x, attending)));
    EXPECT_OK(program_status(program, err));
    EXPECT_OK(net_new(program, &rng, &net, err));
    compare_infer(net, PRECISION_F32, 1e-5, 1);
    net_free(net);
}

/* A plan has copies of all that its steps need, also of steps that run an op by its definition. */
TEST(executors_outlive_their_net) {
    for (int kind = 0; kind < OP_KIND_COUNT; kind++) {
        Rng rng = rng_seeded((uint64_t)kind + 50);
        if (!op_class((OpKind)kind)->inputs) continue;
        Net *net = net_around((OpKind)kind, &rng, false);
        const InferSetup setup = {.batch = BATCH, .height = SIZE, .width = SIZE};
        size_t size = output_size(net);
        Infer *infer;
        EXPECT_OK(infer_new(net, &setup, &infer, err));
        net_free(net);
        run_infer(infer, 3, 2);
        for (size_t i = 0; i < 2 * size; i++)
            EXPECT_TRUE(isfinite(infer_output(infer, 0)[i]));
        infer_free(infer);
    }
}

/* The first sigmoid overwrites its convolution. The second may not, because the sum also reads that
 * convolution. */
TEST(an_op_overwrites_its_input_where_it_may) {
    Rng rng = rng_seeded(1);
    Program *program;
    Net *net;
    Plan *plan;
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "planes", KIND_SPATIAL, PLANES);
    Value a = program_sigmoid(program, program_conv(program, "a", x, 6, 3, -1));
    Value b = program_conv(program, "b", x, 6, 3, -1);
    Value c = program_add(program, program_sigmoid(program, b), b);
    program_output(program, "y", program_multiply(program, a, c));
    EXPECT_OK(net_new(program, &rng, &net, err));
    EXPECT_OK(plan_new(net, SIZE, SIZE, PRECISION_F32, &plan, err));
    int seen = 0, shared = 0;
    for (int i = 0; i < plan->count; i++) {
        const Step *step = &plan->steps[i];
        if (step->kind != STEP_DEFINITION) continue;
        bool same = step->offset == plan->steps[step->inputs[0]].offset;
        EXPECT_INT(step->in_place, same);
        seen++;
        shared += same;
    }
    EXPECT_INT(2, seen);
    EXPECT_INT(1, shared);
    plan_free(plan);
    net_free(net);
}

typedef struct {
    Net *net; /* a net of its own, because batch norm writes statistics */
    Learn *learn;
} Side;

static Side side_new(const Net *net, Precision precision, const char *backend) {
    Side side;
    const LearnSetup setup = {BATCH, SIZE, SIZE, precision, backend};
    EXPECT_OK(net_copy(net, &side.net, err));
    EXPECT_OK(learn_new(side.net, &setup, &side.learn, err));
    return side;
}

static void run_side(const Side *side, uint64_t seed, int count, bool training) {
    Rng rng = rng_seeded(seed + 1000);
    size_t elements = (size_t)count * output_size(side->net);
    fill(learn_input(side->learn, 0), learn_input(side->learn, 1), seed, count);
    EXPECT_OK(learn_forward(side->learn, count, training, err));
    float *slopes = learn_output_gradient(side->learn, 0);
    for (size_t i = 0; slopes && i < elements; i++)
        slopes[i] = (float)rng_normal(&rng);
    EXPECT_OK(learn_backward(side->learn, err));
}

typedef struct {
    double sum, count;
} Mean;

static void compare_sides(const Side *want, const Side *got, int count, double tolerance,
                          Mean *mean) {
    const Program *program = net_program(want->net);
    double by = distance(learn_output(want->learn, 0), learn_output(got->learn, 0),
                         (size_t)count * output_size(want->net), 1e-2);
    if (!(by <= tolerance)) fail_msg("the output differs by %g of its length", by);
    for (int p = 0; p < program_parameter_count(program); p++) {
        const ParameterSpec *spec = program_parameter(program, p);
        const float *gradient = learn_gradient(want->learn, p);
        by = gradient
                 ? distance(gradient, learn_gradient(got->learn, p), spec->count, 1)
                 : distance(net_values(want->net, p), net_values(got->net, p), spec->count, 1e-2);
        if (!(by <= tolerance))
            fail_msg("%s of %s differs by %g of its length",
                     gradient ? "the gradient" : "the value", spec->name, by);
        mean->sum += by;
        mean->count++;
    }
}

/* Returns the mean distance. */
static double check_learn(Precision precision, double tolerance) {
    Mean mean = {0, 0};
    for (int kind = 0; kind < OP_KIND_COUNT; kind++) {
        Rng rng = rng_seeded((uint64_t)kind + 1);
        for (int round = 0; round < ROUNDS && op_class((OpKind)kind)->inputs; round++) {
            Net *net = net_around((OpKind)kind, &rng, round % 3 == 0);
            Side want = side_new(net, PRECISION_F32, "reference"),
                 got = side_new(net, precision, NULL);
            for (int turn = 0; turn < 2; turn++) { /* gradients of the two add up */
                int count = turn ? 3 : BATCH;
                run_side(&want, (uint64_t)turn, count, turn == 0);
                run_side(&got, (uint64_t)turn, count, turn == 0);
                compare_sides(&want, &got, count, tolerance, &mean);
            }
            learn_free(want.learn);
            learn_free(got.learn);
            net_free(want.net);
            net_free(got.net);
            net_free(net);
        }
    }
    return mean.sum / mean.count;
}

TEST(learning_agrees_with_the_definitions) {
    EXPECT_TRUE(check_learn(PRECISION_F32, 1e-3) < 1e-5);
}

/* Rounding to bf16 may change the sign at a ReLU or move a maximum to another cell, which changes
 * the gradient of these cells. */
TEST(learning_in_bf16_agrees_within_its_rounding) {
    EXPECT_TRUE(check_learn(PRECISION_BF16, 0.5) < 0.02);
}

TEST_MAIN(RUN(inference_agrees_with_the_definitions),
          RUN(inference_in_bf16_agrees_within_its_rounding),
          RUN(inference_in_int8_agrees_within_its_rounding),
          RUN(rotations_of_other_heads_stay_apart), RUN(executors_outlive_their_net),
          RUN(an_op_overwrites_its_input_where_it_may), RUN(learning_agrees_with_the_definitions),
          RUN(learning_in_bf16_agrees_within_its_rounding))
