/* Attention with and without maps in the executor for inference, in f32 and bf16, against its
 * definition (the backend "reference"), over random shapes, masks and layouts of the heads. */
#include "nn/attention_net.h"
#include "nn/backends/backend.h"
#include "nn/infer/infer.h"
#include "nn/infer/infer_lower.h"

enum { NETS = 60 };

static Infer *run(const Net *net, int height, int width, Precision precision, const char *backend,
                  uint64_t seed) {
    const InferSetup setup = {.batch = BATCH,
                              .height = height,
                              .width = width,
                              .precision = precision,
                              .backend = backend};
    Infer *infer;
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    draw_boards(infer_input(infer, 0), infer_input(infer, 1), height, width, seed % 2, seed);
    EXPECT_OK(infer_run(infer, BATCH, err));
    return infer;
}

/* Returns the length of the difference of the outputs, divided by the length of the output. */
static double compare(Precision precision, uint64_t seed) {
    Rng rng = rng_seeded(seed);
    int height = 2 + rng_below(&rng, SIZE_MAX_TESTED - 1),
        width = rng_below(&rng, 2) ? height : 2 + rng_below(&rng, SIZE_MAX_TESTED - 1);
    const Layout layout = layout_drawn(&rng, height, width);
    Net *net = net_of(&layout, &rng);
    if (program_only_side(net_program(net))) seed |= 1; /* the boards fill the buffer */
    Infer *want = run(net, height, width, PRECISION_F32, "reference", seed),
          *got = run(net, height, width, precision, NULL, seed);
    const Program *program = net_program(net);
    int channels = program_op(program, program_output_value(program, 0))->channels;
    double squares = 0, length = 0;
    for (int i = 0; i < BATCH * height * width * channels; i++) {
        double a = (double)infer_output(want, 0)[i], b = (double)infer_output(got, 0)[i];
        squares += pow(a - b, 2);
        length += pow(a, 2);
    }
    infer_free(want);
    infer_free(got);
    net_free(net);
    return sqrt(squares / length);
}

TEST(f32_agrees_with_the_definition) {
    for (uint64_t seed = 0; seed < NETS; seed++) {
        double by = compare(PRECISION_F32, seed);
        if (!(by < 1e-5)) fail_msg("net %d differs by %g of the length", (int)seed, by);
    }
}

/* The code for processors without AVX-512 has products and a softmax of its own. */
TEST(f32_agrees_without_avx512) {
    EXPECT_INT(0, setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1));
    for (uint64_t seed = 0; seed < NETS; seed++) {
        double by = compare(PRECISION_F32, seed);
        if (!(by < 1e-5)) fail_msg("net %d differs by %g of the length", (int)seed, by);
    }
    EXPECT_INT(0, unsetenv("ONEDNN_MAX_CPU_ISA"));
}

TEST(bf16_agrees_within_its_rounding) {
    double sum = 0;
    if (!backend_has_bf16()) SKIP("bf16 is not native here");
    for (uint64_t seed = 0; seed < NETS; seed++) {
        double by = compare(PRECISION_BF16, seed);
        if (!(by < 0.03)) fail_msg("net %d differs by %g of the length", (int)seed, by);
        sum += by / NETS;
    }
    EXPECT_TRUE(sum < 0.01);
    EXPECT_TRUE(sum > 1e-3); /* bf16 was really used */
}

static int steps_of(const Layout *layout, StepKind kind) {
    Rng rng = rng_seeded(1);
    Net *net = net_of(layout, &rng);
    Plan *plan;
    int steps = 0;
    EXPECT_OK(plan_new(net, 5, 5, PRECISION_F32, &plan, err));
    for (int i = 0; i < plan->count; i++)
        steps += plan->steps[i].kind == kind;
    plan_free(plan);
    net_free(net);
    return steps;
}

TEST(rotation_and_attention_with_maps_are_one_step) {
    Layout layout = {.heads = {2, 1, 4, 4}, .maps = true, .rotated = true, .side = 3};
    EXPECT_INT(1, steps_of(&layout, STEP_ATTENTION));
    EXPECT_INT(0, steps_of(&layout, STEP_ROTARY));
    layout.maps = false;
    EXPECT_INT(1, steps_of(&layout, STEP_ATTENTION));
}

TEST_MAIN(RUN(f32_agrees_with_the_definition), RUN(f32_agrees_without_avx512),
          RUN(bf16_agrees_within_its_rounding), RUN(rotation_and_attention_with_maps_are_one_step))
