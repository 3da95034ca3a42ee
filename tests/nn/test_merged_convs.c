/* Sums of two convolutions of the same value. If one kernel has all taps of the other kernel,
 * inference runs a single convolution with the sum of both kernels. */
#include "nn/infer/infer.h"
#include "nn/infer/infer_lower.h"
#include "test.h"

enum { CHANNELS = 6, OUT = 20, SIDE = 7, BATCH = 3 };

typedef struct {
    ConvKind a, b;
    bool read_twice; /* another op also reads the first convolution */
    int steps;       /* how many convolutions the plan has */
} Sum;

static Net *net_of(Sum sum) {
    Program *program;
    Net *net;
    Rng rng = rng_seeded(1);
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, CHANNELS);
    program_set_mask(program, planes, 0);
    Value a = program_conv_of(program, "a", planes, OUT, sum.a, -1),
          b = program_conv_of(program, "b", planes, OUT, sum.b, -1);
    Value y = program_bias(program, "bias", program_add(program, a, b));
    y = program_mask(program, program_activation(program, y, ACTIVATION_MISH));
    program_output(program, "y", y);
    if (sum.read_twice)
        program_output(program, "z", program_global_pool(program, a, POOL_MEAN_SCALE_SCALE));
    EXPECT_OK(net_new(program, &rng, &net, err));
    for (int i = 0; i < OUT; i++)
        net_values(net, 2)[i] = (float)rng_normal(&rng);
    return net;
}

static int conv_steps(const Net *net) {
    Plan *plan;
    int count = 0;
    EXPECT_OK(plan_new(net, SIDE, SIDE, PRECISION_F32, &plan, err));
    for (int i = 0; i < plan->count; i++)
        count += plan->steps[i].kind == STEP_CONV;
    plan_free(plan);
    return count;
}

static Infer *run(const Net *net, const char *backend) {
    const InferSetup setup = {.batch = BATCH, .height = SIDE, .width = SIDE, .backend = backend};
    Infer *infer;
    Rng rng = rng_seeded(2);
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    for (int i = 0; i < BATCH * SIDE * SIDE * CHANNELS; i++) { /* the last board is narrower */
        bool on = i / (SIDE * SIDE * CHANNELS) < 2 || i / CHANNELS % SIDE < 5;
        infer_input(infer, 0)[i] = !on ? 0 : i % CHANNELS ? (float)rng_normal(&rng) : 1;
    }
    EXPECT_OK(infer_run(infer, BATCH, err));
    return infer;
}

TEST(one_convolution_does_the_work_of_two) {
    static const Sum SUMS[] = {
        {{.height = 5}, {.height = 1}, false, 1},
        {{.height = 1}, {.height = 5}, false, 1},
        {{.height = 3}, {.height = 3}, false, 1},
        {{.height = 9, .width = 1}, {.height = 3, .width = 1}, false, 1},
        {{.height = 3, .dilation = 2}, {.height = 1}, false, 1},
        {{.height = 3, .dilation = 2}, {.height = 5}, false, 1}, /* b has all taps of a */
        {{.height = 5, .dilation = 2}, {.height = 3, .dilation = 4}, false, 1},
        {{.height = 3, .dilation = 2},
         {.height = 3},
         false,
         2}, /* a lacks the taps next to the middle, and b lacks those 2 away */
        {{.height = 9, .width = 1}, {.height = 1, .width = 9}, false, 2},
        {{.height = 5}, {.height = 1}, true, 2},
    };
    for (size_t i = 0; i < sizeof SUMS / sizeof *SUMS; i++) {
        Net *net = net_of(SUMS[i]);
        EXPECT_INT(SUMS[i].steps, conv_steps(net));
        Infer *want = run(net, "reference"), *got = run(net, NULL);
        for (int k = 0; k < BATCH * SIDE * SIDE * OUT; k++)
            EXPECT_NEAR(infer_output(want, 0)[k], infer_output(got, 0)[k], 1e-5);
        infer_free(want);
        infer_free(got);
        net_free(net);
    }
}

TEST_MAIN(RUN(one_convolution_does_the_work_of_two))
