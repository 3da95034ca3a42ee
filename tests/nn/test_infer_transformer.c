/* Nets with blocks of transformers in bf16 against their definition in f32 (the backend
 * "reference"), over random layouts of the heads, channels, masks and numbers of samples. With AMX,
 * attention and 1 x 1 convolutions run by kernels/transformer/. */
#include "nn/backends/backend.h"
#include "nn/infer/infer.h"
#include "nn/transformer_net.h"

enum { NETS = 40 };

static Infer *run(const Net *net, const Layout *layout, Precision precision, const char *backend,
                  uint64_t seed) {
    const InferSetup setup = {BATCH, layout->height, layout->width, precision, backend};
    Rng rng = rng_seeded(seed);
    Infer *infer;
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    EXPECT_OK(infer_time_ops(infer, err));
    draw_planes(layout, infer_input(infer, 0), &rng);
    EXPECT_OK(infer_run(infer, layout->count, err));
    return infer;
}

static int count_code(const Infer *infer, const char *code) {
    int count, found = 0;
    const OpTime *times = infer_op_times(infer, &count);
    for (int i = 0; i < count; i++)
        found += times[i].code && strcmp(times[i].code, code) == 0;
    return found;
}

/* Returns the distance of the output from that of the definition. */
static double compare(uint64_t seed, int *by_amx) {
    Rng rng = rng_seeded(seed);
    Layout layout = layout_drawn(&rng);
    layout.head = seed % 2;
    Net *net = net_of(&layout, &rng);
    Infer *want = run(net, &layout, PRECISION_F32, "reference", seed),
          *got = run(net, &layout, PRECISION_BF16, NULL, seed);
    size_t count = (size_t)(layout.count * layout.height * layout.width * layout.channels);
    double by = distance(infer_output(want, 0), infer_output(got, 0), count, 1e-2);
    *by_amx += count_code(got, "amx");
    infer_free(want);
    infer_free(got);
    net_free(net);
    return by;
}

/* The output is at the end of about six products, whose factors are rounded to 8 bits. */
TEST(bf16_agrees_with_the_definition) {
    double sum = 0;
    int by_amx = 0;
    if (!backend_has_bf16()) SKIP("bf16 is not native here");
    for (uint64_t seed = 0; seed < NETS; seed++) {
        double by = compare(seed, &by_amx);
        if (by > 0.02) print_message("seed %d differs by %g\n", (int)seed, by);
        EXPECT_TRUE(by < 0.02);
        sum += by;
    }
    EXPECT_TRUE(sum / NETS > 1e-3); /* bf16 was really used */
    EXPECT_TRUE((by_amx > NETS) == (backend_isa() >= ISA_AMX));
}

TEST_MAIN(RUN(bf16_agrees_with_the_definition))
