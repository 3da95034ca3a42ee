/* The raw outputs of a net for boards of 5 x 5 to 9 x 9 do not depend on the buffer. In a buffer of
 * 9 x 9 they are the same as in a buffer of the board's size. Nets are checked with random weights
 * and after some steps of training. */
#include "eval/arch/arch.h"
#include "eval/arch/heads.h"
#include "eval/features/features.h"
#include "eval/random_position.h"
#include "nn/infer/infer.h"
#include "nn/learn/learn.h"
#include "nn/learn/optimiser.h"

enum { EDGE = 9, BATCH = 4 };

/* Makes a net and adds a random number to every trained weight, because some start at 0. */
static Net *make_net(const char *words) {
    Rng rng = rng_seeded(11);
    Net *net;
    EXPECT_OK(arch_build_text(words, &rng, &net, err));
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        for (size_t i = 0; spec->trained && i < spec->count; i++)
            net_values(net, p)[i] += 0.2f * (float)(rng_uniform(&rng) - 0.5);
    }
    return net;
}

static Infer *infer_of(const Net *net, int width, int height) {
    const InferSetup setup = {
        .batch = 1, .height = height, .width = width, .precision = PRECISION_F32};
    Infer *infer;
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    return infer;
}

static void run(Infer *infer, const HeadIndex *heads, const Position *position, int width,
                int height) {
    features_encode(position, &FEATURE_OPTIONS_DEFAULT, 0, width, height,
                    infer_input(infer, heads->planes), infer_input(infer, heads->globals));
    EXPECT_OK(infer_run(infer, 1, err));
}

static void compare_outputs(const Net *net, const Infer *own, const Infer *padded, int width,
                            int height) {
    const Program *program = net_program(net);
    for (int o = 0; o < program_output_count(program); o++) {
        const Op *op = program_op(program, program_output_value(program, o));
        bool spatial = op->shape == KIND_SPATIAL;
        int rows = spatial ? width * height : op->shape == KIND_LIST ? op->rows : 1;
        for (int i = 0; i < rows * op->channels; i++) {
            int row = i / op->channels, cell = row / width * EDGE + row % width;
            float want = infer_output(own, o)[i],
                  got = infer_output(padded,
                                     o)[(spatial ? cell : row) * op->channels + i % op->channels];
            if (!(fabs((double)want - (double)got) <= 1e-5 * (1 + fabs((double)want))))
                fail_msg("%dx%d, %s[%d]: %.8g in its own buffer, %.8g in 9x9", width, height,
                         program_output_name(program, o), i, (double)want, (double)got);
        }
    }
}

static void compare_sizes(const Net *net) {
    HeadIndex heads;
    EXPECT_OK(heads_find(net_program(net), &heads, err));
    EXPECT_TRUE(program_output_count(net_program(net)) >= 6);
    Infer *padded = infer_of(net, EDGE, EDGE);
    for (int size = 0; size < 25; size++) {
        int width = 5 + size % 5, height = 5 + size / 5;
        Position position = random_position(width, height, (uint64_t)size);
        Position full = random_position(EDGE, EDGE, 77);
        Infer *own = infer_of(net, width, height);
        run(padded, &heads, &full, EDGE, EDGE); /* leaves its values in the whole buffer */
        run(padded, &heads, &position, EDGE, EDGE);
        run(own, &heads, &position, width, height);
        compare_outputs(net, own, padded, width, height);
        infer_free(own);
        position_clear(&position);
        position_clear(&full);
    }
    infer_free(padded);
}

/* Trains one step that moves all outputs on the board towards random numbers, on boards of various
 * sizes. */
static void train_step(Learn *learn, Net *net, Optimiser *optimiser, const HeadIndex *heads,
                       Rng *rng) {
    const Program *program = net_program(net);
    float *planes = learn_input(learn, heads->planes), *gradients[512];
    int count = program_parameter_count(program);
    assert_true(count <= 512);
    for (int n = 0; n < BATCH; n++) {
        Position position =
            random_position(5 + rng_below(rng, 5), 5 + rng_below(rng, 5), rng_next(rng));
        features_encode(&position, &FEATURE_OPTIONS_DEFAULT, 0, EDGE, EDGE,
                        planes + n * EDGE * EDGE * FEATURE_PLANES,
                        learn_input(learn, heads->globals) + n * FEATURE_GLOBALS);
        position_clear(&position);
    }
    EXPECT_OK(learn_forward(learn, BATCH, true, err));
    for (int o = 0; o < program_output_count(program); o++) {
        const Op *op = program_op(program, program_output_value(program, o));
        bool spatial = op->shape == KIND_SPATIAL;
        int rows = spatial ? EDGE * EDGE : op->shape == KIND_LIST ? op->rows : 1;
        for (int i = 0; i < BATCH * rows * op->channels; i++) {
            if (spatial && planes[i / op->channels * FEATURE_PLANES] == 0) continue;
            learn_output_gradient(learn, o)[i] =
                (learn_output(learn, o)[i] - (float)rng_normal(rng)) / (float)rows;
        }
    }
    learn_clear_gradients(learn);
    EXPECT_OK(learn_backward(learn, err));
    for (int p = 0; p < count; p++)
        gradients[p] = learn_gradient(learn, p);
    EXPECT_OK(optimiser_step(optimiser, gradients, 0.002, NULL, err));
}

static void train(Net *net) {
    const LearnSetup setup = {.batch = BATCH, .height = EDGE, .width = EDGE};
    OptimiserSettings settings;
    HeadIndex heads;
    Learn *learn;
    Optimiser *optimiser;
    Rng rng = rng_seeded(3);
    NetHash before = net_hash(net);
    settings_defaults(OPTIMISER_FIELDS, &settings);
    settings.kind = OPTIMISER_ADAMW;
    EXPECT_OK(heads_find(net_program(net), &heads, err));
    EXPECT_OK(learn_new(net, &setup, &learn, err));
    EXPECT_OK(optimiser_new(net, &settings, &optimiser, err));
    for (int step = 0; step < 15; step++)
        train_step(learn, net, optimiser, &heads, &rng);
    EXPECT_TRUE(strcmp(before.text, net_hash(net).text) != 0);
    EXPECT_TRUE(net_is_finite(net, NULL));
    optimiser_free(optimiser);
    learn_free(learn);
}

static void check(const char *words) {
    Net *net = make_net(words);
    compare_sizes(net);
    train(net);
    compare_sizes(net);
    net_free(net);
}

TEST(outputs_of_fixup_nets_do_not_depend_on_the_buffer) {
    check("b3c16-fixup");
}

TEST(outputs_of_batch_norm_nets_do_not_depend_on_the_buffer) {
    check("b3c16-batch-mish-k5");
}

TEST(outputs_of_nets_that_pool_in_every_block_do_not_depend_on_the_buffer) {
    check("b2c12-fixed-silu,pool_every=1");
}

TEST_MAIN(RUN(outputs_of_fixup_nets_do_not_depend_on_the_buffer),
          RUN(outputs_of_batch_norm_nets_do_not_depend_on_the_buffer),
          RUN(outputs_of_nets_that_pool_in_every_block_do_not_depend_on_the_buffer))
