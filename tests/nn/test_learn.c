/* Whole nets in the executor for training: outputs and all gradients with the backend onednn
 * against those with the backend reference, over random shapes, masks and numbers of samples; and
 * gradients against differences of the loss. */
#include "base/clock.h"
#include "nn/learn/learn.h"
#include "test.h"

enum { PLANES = 6, GLOBALS = 4, NAME = 64 };

typedef struct {
    bool batch_norm; /* false: gains and biases, as in Fixup */
    bool smooth;     /* no ReLU and no maximum: rounding can change their slopes */
    int channels;    /* of the trunk and inside blocks; 0: random small numbers */
} Style;

static Value normed(Program *program, Style style, Rng *rng, const char *name, Value x) {
    static const Activation SMOOTH[] = {ACTIVATION_MISH, ACTIVATION_SILU, ACTIVATION_TANH};
    char text[NAME + 8];
    if (style.batch_norm) {
        x = program_batch_norm(program, name, x, 1e-3, 0.1);
    } else {
        snprintf(text, sizeof text, "%s.s", name);
        x = program_scale(program, text, x, 0.9);
        snprintf(text, sizeof text, "%s.b", name);
        x = program_bias(program, text, x);
    }
    x = program_activation(program, x, style.smooth ? SMOOTH[rng_below(rng, 3)] : ACTIVATION_RELU);
    return program_mask(program, x);
}

static Value pooled(Program *program, Style style, Rng *rng, const char *name, Value t, int out) {
    char text[NAME + 8];
    snprintf(text, sizeof text, "%s.c", name);
    Value g = program_conv(program, text, t, 3 + rng_below(rng, 7), 3, -1.0);
    snprintf(text, sizeof text, "%s.n", name);
    g = normed(program, style, rng, text, g);
    bool max = !style.smooth && rng_below(rng, 2);
    Value v = program_global_pool(program, g, max ? POOL_MEAN_SCALE_MAX : POOL_MEAN_SCALE_SCALE);
    snprintf(text, sizeof text, "%s.d", name);
    return program_dense(program, text, v, out, -1.0);
}

/* Two ops of the block read x, so the gradient of x is the sum of two parts. A block whose
 * index is even also pools: the pooled vector multiplies the channels if the index is 2, 6, ...,
 * and otherwise it is added to them. */
static Value block(Program *program, Style style, Rng *rng, int index, Value x, int channels) {
    char name[NAME];
    int drawn = 4 + rng_below(rng, 14), inner = style.channels ? style.channels : drawn;
    snprintf(name, sizeof name, "b%d.n1", index);
    Value t = normed(program, style, rng, name, x);
    snprintf(name, sizeof name, "b%d.c1", index);
    Value r = program_conv(program, name, t, inner, rng_below(rng, 2) ? 3 : 1, -1.0);
    snprintf(name, sizeof name, "b%d.p", index);
    Value v = index % 2 ? -1 : pooled(program, style, rng, name, t, inner);
    if (index % 4 == 2)
        r = program_mul_broadcast(program, r, program_activation(program, v, ACTIVATION_TANH));
    else if (v >= 0)
        r = program_add_broadcast(program, r, v);
    snprintf(name, sizeof name, "b%d.n2", index);
    r = normed(program, style, rng, name, r);
    snprintf(name, sizeof name, "b%d.c2", index);
    return program_add(program, x, program_conv(program, name, r, channels, 3, -0.7));
}

static void add_heads(Program *program, Style style, Rng *rng, Value x) {
    const float bins[] = {-0.5f, 0.0f, 0.5f, 1.0f};
    program_output(program, "policy", program_dense(program, "policy", x, 2, -1.0));
    Value hidden = program_conv(program, "head", x, 7, 1, -1.0);
    hidden = normed(program, style, rng, "head.n", hidden);
    Value v = pooled(program, style, rng, "value.p", hidden, 9);
    v = program_activation(program, program_bias(program, "v1.b", v),
                           style.smooth ? ACTIVATION_SILU : ACTIVATION_RELU);
    program_output(program, "value",
                   program_bias(program, "v2.b", program_dense(program, "v2", v, 3, -1.0)));
    program_output(program, "ownership",
                   program_activation(program, program_dense(program, "own", hidden, 1, -1.0),
                                      ACTIVATION_TANH));
    Value both = program_concat(program, hidden, x);
    program_output(program, "both", program_slice(program, both, 3, 6));
    Value list =
        program_dense(program, "bins.d", program_constant(program, "bins", 4, 1, bins), 5, -1.0);
    list = program_add_broadcast(program, list, program_dense(program, "v3", v, 5, -1.0));
    list = program_activation(program, list, ACTIVATION_MISH);
    program_output(program, "score", program_dense(program, "bins.e", list, 1, -1.0));
}

static Net *make_net(Style style, uint64_t seed, int blocks) {
    Rng rng = rng_seeded(seed);
    Program *program;
    Net *net = NULL;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, PLANES);
    Value globals = program_input(program, "globals", KIND_VECTOR, GLOBALS);
    program_set_mask(program, planes, 0);
    int channels = 5 + rng_below(&rng, 15);
    if (style.channels) channels = style.channels;
    Value x = program_conv(program, "start", planes, channels, rng_below(&rng, 2) ? 5 : 3, -1.0);
    x = program_add_broadcast(program, x,
                              program_dense(program, "globals.d", globals, channels, -1.0));
    for (int i = 0; i < blocks; i++)
        x = block(program, style, &rng, i, x, channels);
    add_heads(program, style, &rng, normed(program, style, &rng, "end", x));
    EXPECT_OK(net_new(program, &rng, &net, err));
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        for (size_t i = 0; spec->rank == 1 && i < spec->count; i++)
            net_values(net, p)[i] += (float)(0.3 * rng_uniform(&rng));
    }
    return net;
}

typedef struct {
    Net *net; /* a net of its own, because batch norm writes statistics */
    Learn *learn;
    LearnSetup setup;
} Side;

static Side side_new(const Net *net, LearnSetup setup, Precision precision, const char *backend) {
    Side side = {.setup = setup};
    side.setup.precision = precision;
    side.setup.backend = backend;
    EXPECT_OK(net_copy(net, &side.net, err));
    EXPECT_OK(learn_new(side.net, &side.setup, &side.learn, err));
    return side;
}

static void side_free(Side *side) {
    learn_free(side->learn);
    net_free(side->net);
}

/* Boards of any size in the corner of the buffer; the same seed gives the same boards. */
static void draw_inputs(const Side *side, uint64_t seed, int count) {
    Rng rng = rng_seeded(seed);
    int h = side->setup.height, w = side->setup.width;
    for (int n = 0; n < count; n++) {
        float *planes = learn_input(side->learn, 0) + n * h * w * PLANES;
        int rows = 2 + rng_below(&rng, h - 1), columns = 2 + rng_below(&rng, w - 1);
        for (int i = 0; i < h * w * PLANES; i++) {
            int cell = i / PLANES;
            bool on = cell / w < rows && cell % w < columns;
            float drawn = (float)rng_normal(&rng);
            planes[i] = !on ? 0.0f : i % PLANES ? drawn : 1.0f;
        }
        for (int i = 0; i < GLOBALS; i++)
            learn_input(side->learn, 1)[n * GLOBALS + i] = (float)rng_normal(&rng);
    }
}

/* Fills the samples beyond `count` with NaN, because they must change nothing. */
static void spoil_rest(const Side *side, int count) {
    size_t planes = (size_t)(side->setup.height * side->setup.width * PLANES);
    for (size_t i = (size_t)count * planes; i < (size_t)side->setup.batch * planes; i++)
        learn_input(side->learn, 0)[i] = NAN;
    for (int i = count * GLOBALS; i < side->setup.batch * GLOBALS; i++)
        learn_input(side->learn, 1)[i] = NAN;
}

static size_t output_total(const Side *side, int output, int count) {
    const Program *program = net_program(side->net);
    const Op *op = program_op(program, program_output_value(program, output));
    int rows = op->shape == KIND_SPATIAL ? side->setup.height * side->setup.width
               : op->shape == KIND_LIST  ? op->rows
                                         : 1;
    return (size_t)count * (size_t)rows * (size_t)op->channels;
}

static bool on_board(const Side *side, int output, size_t index) {
    const Program *program = net_program(side->net);
    const Op *op = program_op(program, program_output_value(program, output));
    return op->shape != KIND_SPATIAL ||
           learn_input(side->learn, 0)[index / (size_t)op->channels * PLANES] != 0.0f;
}

/* Returns the loss: the sum of all outputs on the board, each multiplied by a random number. This
 * number is the gradient of the loss at this output; with `write_slopes`, it is also written
 * to learn_output_gradient(). */
static double loss(const Side *side, uint64_t seed, int count, bool write_slopes) {
    Rng rng = rng_seeded(seed ^ 77);
    double sum = 0;
    for (int o = 0; o < program_output_count(net_program(side->net)); o++) {
        size_t total = output_total(side, o, count);
        for (size_t i = 0; i < total; i++) {
            float slope = (float)rng_normal(&rng);
            if (!on_board(side, o, i)) continue;
            sum += (double)slope * (double)learn_output(side->learn, o)[i];
            if (write_slopes) learn_output_gradient(side->learn, o)[i] = slope;
        }
    }
    return sum;
}

static void run(const Side *side, uint64_t seed, int count, bool training) {
    draw_inputs(side, seed, count);
    EXPECT_OK(learn_forward(side->learn, count, training, err));
    loss(side, seed, count, true);
    EXPECT_OK(learn_backward(side->learn, err));
}

static double norm(const float *values, size_t count) {
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (double)values[i] * (double)values[i];
    return sqrt(squares);
}

/* Returns the length of the difference, divided by the length of `want` or by `min`, whichever is
 * larger. */
static double distance(const float *want, const float *got, size_t count, double min) {
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += pow((double)want[i] - (double)got[i], 2);
    return sqrt(squares) / fmax(norm(want, count), min);
}

static double gradient_norm(const Side *side) {
    double squares = 0;
    for (int p = 0; p < program_parameter_count(net_program(side->net)); p++) {
        const float *gradient = learn_gradient(side->learn, p);
        if (gradient)
            squares += pow(norm(gradient, program_parameter(net_program(side->net), p)->count), 2);
    }
    return sqrt(squares);
}

typedef struct {
    double sum, number;
} Distances;

/* Compares all outputs, gradients and running statistics, and fails where one differs by more than
 * `tolerance`. */
static void compare_sides(const Side *want, const Side *got, uint64_t seed, int count,
                          double tolerance, Distances *distances) {
    const Program *program = net_program(want->net);
    double small = 1e-2 * gradient_norm(want);
    for (int o = 0; o < program_output_count(program); o++) {
        double by = distance(learn_output(want->learn, o), learn_output(got->learn, o),
                             output_total(want, o, count), 1e-2);
        if (!(by <= tolerance))
            fail_msg("net %d: output %s differs by %g of its length", (int)seed,
                     program_output_name(program, o), by);
        distances->sum += by;
        distances->number++;
    }
    for (int p = 0; p < program_parameter_count(program); p++) {
        const ParameterSpec *spec = program_parameter(program, p);
        double by = spec->trained ? distance(learn_gradient(want->learn, p),
                                             learn_gradient(got->learn, p), spec->count, small)
                                  : distance(net_values(want->net, p), net_values(got->net, p),
                                             spec->count, 1e-2);
        if (!(by <= tolerance))
            fail_msg("net %d: %s of %s differs by %g of its length", (int)seed,
                     spec->trained ? "the gradient" : "the value", spec->name, by);
        distances->sum += by;
        distances->number++;
    }
}

static void compare_net(Style style, uint64_t seed, Precision precision, double tolerance,
                        Distances *distances) {
    Rng rng = rng_seeded(seed);
    Net *net = make_net(style, seed, 1 + rng_below(&rng, 3));
    LearnSetup setup = {.batch = 2 + rng_below(&rng, 6),
                        .height = 3 + rng_below(&rng, 7),
                        .width = 3 + rng_below(&rng, 7)};
    Side want = side_new(net, setup, PRECISION_F32, "reference"),
         got = side_new(net, setup, precision, "onednn");
    for (int turn = 0; turn < 3; turn++) { /* the gradients of the first two iterations add up */
        int count = turn == 1 ? 1 + rng_below(&rng, setup.batch) : setup.batch;
        bool training = turn < 2;
        if (turn == 2) learn_clear_gradients(want.learn), learn_clear_gradients(got.learn);
        run(&want, seed + (uint64_t)turn, count, training);
        spoil_rest(&got, count);
        run(&got, seed + (uint64_t)turn, count, training);
        compare_sides(&want, &got, seed, count, tolerance, distances);
    }
    side_free(&want);
    side_free(&got);
    net_free(net);
}

/* Returns the mean distance. */
static double compare_nets(Style style, int nets, Precision precision, double tolerance) {
    Distances distances = {0};
    for (int i = 0; i < nets; i++) {
        style.batch_norm = i % 2;
        compare_net(style, (uint64_t)(i + 1), precision, tolerance, &distances);
    }
    return distances.sum / distances.number;
}

TEST(f32_agrees_with_the_definition) {
    EXPECT_TRUE(compare_nets((Style){.smooth = true}, 24, PRECISION_F32, 1e-4) < 1e-5);
}

/* Rounding may change the sign at a ReLU or move a maximum to another cell. Then the gradient of
 * this cell changes. This concerns about one cell in a few hundred. */
TEST(f32_agrees_except_at_kinks) {
    EXPECT_TRUE(compare_nets((Style){0}, 12, PRECISION_F32, 5e-2) < 1e-3);
}

/* bf16 has 8 significant bits, so rounding changes a factor of a product by at most 2^-8 of its
 * size. The root mean square of this error is about 2^-9.2. A product has two factors, and their
 * errors are independent. For some 20 layers, forward and backward together, this makes an error of
 *     2^-9.2 * sqrt(2 * 20) = 1.1%
 * of a tensor's length. Where sums cancel, it may be ten times as much. */
TEST(bf16_agrees_within_its_rounding) {
    double mean = compare_nets((Style){.smooth = true}, 24, PRECISION_BF16, 0.15);
    EXPECT_TRUE(mean <= 0.012);
    if (backend_has_bf16())
        EXPECT_TRUE(mean > 1e-3); /* bf16 was really used */
    else
        print_message("bf16 is not native here; some layers may run in f32\n");
}

/* Without AMX, layers of 96 channels run by Winograd, whose error is five times that of direct sums
 * (conv_winograd.h). */
TEST(wide_layers_in_bf16_agree_within_their_rounding) {
    if (!backend_has_bf16()) SKIP("bf16 is not native here");
    EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16", 1));
    double mean = compare_nets((Style){.smooth = true, .channels = 96}, 6, PRECISION_BF16, 0.4);
    EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
    EXPECT_TRUE(mean <= 0.05);
    EXPECT_TRUE(mean > 0.012); /* Winograd was really used */
}

TEST(with_amx_wide_layers_in_bf16_agree_as_narrow_ones_do) {
    if (backend_isa() < ISA_AMX) SKIP("this processor has no AMX");
    double mean = compare_nets((Style){.smooth = true, .channels = 96}, 6, PRECISION_BF16, 0.15);
    EXPECT_TRUE(mean <= 0.012);
    EXPECT_TRUE(mean > 1e-3);
}

/* Returns the loss with a parameter moved from `start` by `step` times `direction`. */
static double loss_moved(const Side *side, int parameter, const float *start,
                         const double *direction, double step, uint64_t seed, bool training) {
    size_t count = program_parameter(net_program(side->net), parameter)->count;
    float *values = net_values(side->net, parameter);
    for (size_t i = 0; i < count; i++)
        values[i] = (float)((double)start[i] + step * direction[i]);
    EXPECT_OK(learn_forward(side->learn, side->setup.batch, training, err));
    memcpy(values, start, count * sizeof *start);
    return loss(side, seed, side->setup.batch, false);
}

/* Returns the sum of two vectors of equal length, scaled to the length 1. One is along the
 * gradient, where the loss changes most; the other is random and detects errors in other
 * directions. */
static double *draw_direction(const float *gradient, size_t count, Rng *rng) {
    double *direction = malloc(count * sizeof *direction), squares = 0, total = 0;
    assert_non_null(direction);
    for (size_t i = 0; i < count; i++) {
        direction[i] = rng_normal(rng);
        squares += direction[i] * direction[i];
    }
    for (size_t i = 0; i < count; i++) {
        direction[i] =
            direction[i] / sqrt(squares) + (double)gradient[i] / (norm(gradient, count) + 1e-9);
        total += direction[i] * direction[i];
    }
    for (size_t i = 0; i < count; i++)
        direction[i] /= sqrt(total);
    return direction;
}

/* Compares the gradient along a random direction with a difference quotient of four points. The
 * error of this quotient is proportional to the fourth power of the step. `whole` is the length of
 * all gradients. */
static void check_parameter(const Side *side, int parameter, double whole, uint64_t seed,
                            bool training, Rng *rng) {
    const ParameterSpec *spec = program_parameter(net_program(side->net), parameter);
    const float *gradient = learn_gradient(side->learn, parameter);
    float *start = malloc(spec->count * sizeof *start);
    assert_non_null(start);
    memcpy(start, net_values(side->net, parameter), spec->count * sizeof *start);
    double *direction = draw_direction(gradient, spec->count, rng), slope = 0, at[4],
           step = 0.02 * (norm(start, spec->count) / sqrt((double)spec->count) + 0.2);
    for (int i = 0; i < 4; i++)
        at[i] = loss_moved(side, parameter, start, direction, (i < 2 ? i - 2 : i - 1) * step, seed,
                           training);
    for (size_t i = 0; i < spec->count; i++)
        slope += direction[i] * (double)gradient[i];
    double found = (8 * (at[2] - at[1]) - (at[3] - at[0])) / (12 * step),
           size = norm(gradient, spec->count) + 1e-2 * whole;
    if (!(fabs(found - slope) <= 2e-3 * size))
        fail_msg(
            "net %d, %s: the slope is %.6g by differences and %.6g by the gradient of size %.6g",
            (int)seed, spec->name, found, slope, size);
    free(direction);
    free(start);
}

static void check_differences(Style style, uint64_t seed, const char *backend, bool training) {
    Rng rng = rng_seeded(seed);
    Net *net = make_net(style, seed, 3);
    LearnSetup setup = {.batch = 3, .height = 4 + rng_below(&rng, 3), .width = 5};
    Side side = side_new(net, setup, PRECISION_F32, backend);
    run(&side, seed, setup.batch, training);
    double whole = gradient_norm(&side);
    int checked = 0;
    for (int p = 0; p < program_parameter_count(net_program(side.net)); p++) {
        if (!learn_gradient(side.learn, p)) continue;
        EXPECT_TRUE(norm(learn_gradient(side.learn, p),
                         program_parameter(net_program(side.net), p)->count) > 0);
        for (int turn = 0; turn < 2; turn++)
            check_parameter(&side, p, whole, seed, training, &rng);
        checked++;
    }
    EXPECT_TRUE(checked > 30);
    side_free(&side);
    net_free(net);
}

TEST(gradients_of_fixup_nets_agree_with_differences) {
    for (uint64_t seed = 1; seed <= 4; seed++)
        check_differences((Style){.smooth = true}, seed, seed % 2 ? "onednn" : "reference", true);
}

TEST(gradients_of_batch_norm_nets_agree_with_differences) {
    for (uint64_t seed = 5; seed <= 10; seed++)
        check_differences((Style){.batch_norm = true, .smooth = true}, seed,
                          seed % 2 ? "onednn" : "reference", seed < 9);
}

TEST(the_time_of_each_op_is_measured) {
    const LearnSetup setup = {.batch = 6, .height = 7, .width = 7};
    Net *net = make_net((Style){.smooth = true}, 3, 2);
    Side timed = side_new(net, setup, PRECISION_F32, NULL),
         plain = side_new(net, setup, PRECISION_F32, NULL);
    run(&timed, 5, setup.batch, true);
    run(&plain, 5, setup.batch, true);
    EXPECT_TRUE(!learn_op_times(timed.learn)); /* nothing is measured before it is asked for */
    double start = clock_thread_cpu_seconds(), sum = 0;
    EXPECT_OK(learn_time_ops(timed.learn, err));
    run(&timed, 6, setup.batch, true);
    run(&plain, 6, setup.batch, true);
    double spent = clock_thread_cpu_seconds() - start;
    const OpTime *times = learn_op_times(timed.learn);
    for (Value v = 0; v < program_op_count(net_program(net)); v++) {
        OpKind kind = program_op(net_program(net), v)->kind;
        EXPECT_INT(v, times[v].op);
        EXPECT_TRUE(*times[v].code);
        if (kind == OP_CONV)
            EXPECT_TRUE(times[v].forward_seconds > 0 && times[v].backward_seconds > 0);
        if (kind == OP_INPUT)
            EXPECT_TRUE(times[v].forward_seconds == 0 && times[v].backward_seconds == 0);
        sum += times[v].forward_seconds + times[v].backward_seconds;
    }
    EXPECT_TRUE(sum > 0 && sum <= spent);
    Distances distances = {0};
    compare_sides(&plain, &timed, 6, setup.batch, 0, &distances);
    EXPECT_OK(learn_time_ops(timed.learn, err));
    for (Value v = 0; v < program_op_count(net_program(net)); v++)
        EXPECT_TRUE(times[v].forward_seconds == 0 && times[v].backward_seconds == 0);
    side_free(&timed);
    side_free(&plain);
    net_free(net);
}

TEST(wrong_configurations_are_refused) {
    Net *net = make_net((Style){0}, 1, 1);
    Learn *learn;
    Error error = {0};
    LearnSetup setup = {.batch = 0, .height = 5, .width = 5};
    EXPECT_STATUS(ERR_ARGUMENT, learn_new(net, &setup, &learn, &error));
    EXPECT_TRUE(learn == NULL);
    setup.batch = 2;
    setup.precision = PRECISION_INT8;
    EXPECT_STATUS(ERR_UNSUPPORTED, learn_new(net, &setup, &learn, &error));
    EXPECT_CONTAINS(error.message, "int8");
    setup.precision = PRECISION_F32;
    setup.backend = "abacus";
    EXPECT_STATUS(ERR_UNSUPPORTED, learn_new(net, &setup, &learn, &error));
    EXPECT_CONTAINS(error.message, "abacus");
    setup.backend = NULL;
    EXPECT_OK(learn_new(net, &setup, &learn, err));
    EXPECT_STATUS(ERR_ARGUMENT, learn_forward(learn, 3, false, &error));
    EXPECT_STATUS(ERR_ARGUMENT, learn_forward(learn, 0, false, &error));
    learn_free(learn);
    learn_free(NULL);
    net_free(net);
}

/* A convolution of 1 x 1 with the weights 3 and 4 reads the mask and a plane with the values 1, 2, 3
 * and, off the board, 9. On the board its outputs are 7, 11 and 15. A second sample of the batch is
 * not part of the pass. */
TEST(squares_are_summed_on_the_board) {
    static const float PLANES_OF[2][8] = {{1, 1, 1, 2, 0, 9, 1, 3}, {1, 50, 1, 50, 1, 50, 1, 50}};
    const LearnSetup setup = {.batch = 2, .height = 2, .width = 2};
    Program *program;
    Net *net;
    Learn *learn;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, 2);
    Value globals = program_input(program, "globals", KIND_VECTOR, 3);
    program_set_mask(program, planes, 0);
    Value conv = program_conv(program, "conv", planes, 1, 1, 0);
    Value bias = program_bias(program, "bias", program_scale(program, "scale", conv, 1));
    Value relu = program_activation(program, bias, ACTIVATION_RELU);
    program_output(program, "spatial", relu);
    program_output(program, "vector", program_dense(program, "dense", globals, 1, 0));
    EXPECT_OK(net_new(program, NULL, &net, err));
    net_values(net, 0)[0] = 3;
    net_values(net, 0)[1] = 4;
    EXPECT_OK(learn_new(net, &setup, &learn, err));
    memcpy(learn_input(learn, 0), PLANES_OF, sizeof PLANES_OF);
    for (int i = 0; i < 3; i++)
        learn_input(learn, 1)[i] = (float)(i + 1);
    EXPECT_OK(learn_forward(learn, 1, true, err));
    SquareSum of_conv = learn_square_sum(learn, conv), of_relu = learn_square_sum(learn, relu),
              of_globals = learn_square_sum(learn, globals),
              of_bias = learn_square_sum(learn, bias);
    EXPECT_NEAR(7 * 7 + 11 * 11 + 15 * 15, of_conv.sum, 1e-3);
    EXPECT_NEAR(3, of_conv.count, 0);
    EXPECT_NEAR(7 * 7 + 11 * 11 + 15 * 15, of_relu.sum, 1e-3);
    EXPECT_NEAR(1 + 4 + 9, of_globals.sum, 1e-6);
    EXPECT_NEAR(3, of_globals.count, 0);
    EXPECT_TRUE(of_bias.count == 0 || fabs(of_bias.sum - of_relu.sum) < 1e-3);
    learn_free(learn);
    net_free(net);
}

TEST_MAIN(RUN(squares_are_summed_on_the_board), RUN(f32_agrees_with_the_definition),
          RUN(f32_agrees_except_at_kinks), RUN(bf16_agrees_within_its_rounding),
          RUN(wide_layers_in_bf16_agree_within_their_rounding),
          RUN(with_amx_wide_layers_in_bf16_agree_as_narrow_ones_do),
          RUN(gradients_of_fixup_nets_agree_with_differences),
          RUN(gradients_of_batch_norm_nets_agree_with_differences),
          RUN(the_time_of_each_op_is_measured), RUN(wrong_configurations_are_refused))
