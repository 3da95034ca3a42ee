/* Blocks of transformers that learn in bf16 against their definition in f32 (the backend
 * "reference"), over random layouts of the heads, channels, masks and numbers of samples. With AMX,
 * attention and gated layers run as one step each (learn_attention_layers.h, learn_gated.h). */
#include "nn/backends/backend.h"
#include "nn/graph/net.h"
#include "nn/learn/learn.h"
#include "nn/learn/learn_attention.h"
#include "test.h"

enum { PLANES = 4, BATCH = 5, NETS = 24 };

typedef struct {
    AttentionShape heads;
    int channels, inner, height, width, count;
    bool rotated, gate_first, branch;
} Layout;

static Layout layout_drawn(Rng *rng) {
    Layout layout = {.channels = 16 * (1 + rng_below(rng, 3)),
                     .inner = 16 * (1 + rng_below(rng, 4)),
                     .height = 6 + rng_below(rng, 8),
                     .width = 6 + rng_below(rng, 8),
                     .count = 1 + rng_below(rng, BATCH),
                     .rotated = rng_below(rng, 4) > 0,
                     .gate_first = rng_below(rng, 2),
                     .branch = rng_below(rng, 4) == 0};
    layout.heads.kv_heads = 1 + rng_below(rng, 2);
    layout.heads.heads = layout.heads.kv_heads * (1 + rng_below(rng, 3));
    layout.heads.query_channels = 16 * (1 + rng_below(rng, 3));
    layout.heads.value_channels = 16 * (1 + rng_below(rng, 2));
    return layout;
}

static Value attention_block(Program *program, const Layout *layout, Value x) {
    AttentionShape a = layout->heads;
    int channels = (a.heads + a.kv_heads) * a.query_channels + a.kv_heads * a.value_channels;
    Value y = program_dense(program, "qkv", program_rms_norm(program, "norm", x, 1e-3, false),
                            channels, -1);
    if (layout->rotated) y = program_rotary(program, "rotary", y, a, NULL, true);
    y = program_dense(program, "out", program_attention(program, y, a), layout->channels, -1);
    return program_add(program, x, y);
}

static Value gated_block(Program *program, const Layout *layout, Value x) {
    Value norm = program_rms_norm(program, "norm2", x, 1e-3, false);
    const char *first = layout->gate_first ? "gate" : "up",
               *second = layout->gate_first ? "up" : "gate";
    Value a = program_dense(program, first, norm, layout->inner, -1),
          b = program_dense(program, second, norm, layout->inner, -1),
          up = layout->gate_first ? b : a, gate = layout->gate_first ? a : b;
    Value y = program_multiply(program, program_activation(program, up, ACTIVATION_SILU), gate);
    y = program_dense(program, "down", y, layout->channels, -1);
    if (layout->branch) y = program_add(program, y, norm); /* another reader of the input */
    return program_add(program, x, y);
}

static Net *net_of(const Layout *layout, Rng *rng) {
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, PLANES);
    program_set_mask(program, planes, 0);
    Value x = program_conv(program, "start", planes, layout->channels, 1, -1);
    x = gated_block(program, layout, attention_block(program, layout, x));
    program_output(program, "y", x);
    EXPECT_OK(program_status(program, err));
    EXPECT_OK(net_new(program, rng, &net, err));
    return net;
}

/* Runs some passes with the same batch, of which all but the first keep the packed weights. */
static Learn *run(Net *net, const Layout *layout, Precision precision, const char *backend,
                  int passes, uint64_t seed) {
    const LearnSetup setup = {BATCH, layout->height, layout->width, precision, backend};
    int cells = layout->height * layout->width;
    Learn *learn;
    EXPECT_OK(learn_new(net, &setup, &learn, err));
    for (int pass = 0; pass < passes; pass++) {
        Rng rng = rng_seeded(seed);
        for (int i = 0; i < BATCH * cells; i++) {
            float *x = learn_input(learn, 0) + i * PLANES;
            x[0] = i % cells < cells / 2 || rng_below(&rng, 3) > 0;
            for (int c = 1; c < PLANES; c++)
                x[c] = x[0] * (float)rng_normal(&rng);
        }
        learn_keep_weights(learn, pass > 0);
        EXPECT_OK(learn_forward(learn, layout->count, true, err));
        for (int i = 0; i < layout->count * cells; i++) {
            for (int c = 0; c < layout->channels; c++) {
                float slope = (float)rng_normal(&rng);
                learn_output_gradient(learn, 0)[i * layout->channels + c] =
                    learn_input(learn, 0)[i * PLANES] * slope;
            }
        }
        EXPECT_OK(learn_backward(learn, err));
    }
    return learn;
}

static double distance(const float *want, const float *got, size_t count, double least) {
    double squares = 0, length = 0;
    for (size_t i = 0; i < count; i++) {
        squares += pow((double)want[i] - (double)got[i], 2);
        length += pow((double)want[i], 2);
    }
    return sqrt(squares) / fmax(sqrt(length), least);
}

static double length_of_gradients(const Learn *learn, const Program *program) {
    double squares = 0;
    for (int p = 0; p < program_parameter_count(program); p++) {
        const float *gradient = learn_gradient((Learn *)(uintptr_t)learn, p);
        for (size_t i = 0; i < program_parameter(program, p)->count; i++)
            squares += pow((double)gradient[i], 2);
    }
    return sqrt(squares);
}

/* Returns the largest distance of the output and of the gradients from those of the definition.
 * Gradients count in relation to at least a tenth of the length of all gradients together. */
static double compare(uint64_t seed, int passes) {
    Rng rng = rng_seeded(seed);
    const Layout layout = layout_drawn(&rng);
    Net *net = net_of(&layout, &rng);
    const Program *program = net_program(net);
    Learn *want = run(net, &layout, PRECISION_F32, "reference", passes, seed),
          *got = run(net, &layout, PRECISION_BF16, NULL, passes, seed);
    double all = length_of_gradients(want, program),
           max = distance(learn_output(want, 0), learn_output(got, 0),
                          (size_t)(layout.count * layout.height * layout.width * layout.channels),
                          1e-2);
    for (int p = 0; p < program_parameter_count(program); p++) {
        double by = distance(learn_gradient(want, p), learn_gradient(got, p),
                             program_parameter(program, p)->count, 0.1 * all);
        if (by > 0.04)
            print_message("seed %d: %s differs by %g\n", (int)seed,
                          program_parameter(program, p)->name, by);
        max = fmax(max, by);
    }
    learn_free(want);
    learn_free(got);
    net_free(net);
    return max;
}

/* See test_learn_attention.c for how much bf16 may change. */
TEST(blocks_in_bf16_agree_with_the_definition) {
    double sum = 0;
    if (!learn_attention_can_bf16()) SKIP("bf16 is not native here");
    for (uint64_t seed = 0; seed < NETS; seed++) {
        double by = compare(seed, seed % 3 == 0 ? 2 : 1);
        EXPECT_TRUE(by < 0.04);
        sum += by;
    }
    EXPECT_TRUE(sum / NETS > 1e-3); /* bf16 was really used */
}

/* The ops that run as one step have the time of their first op. */
TEST(with_amx_layers_run_as_one_step) {
    Rng rng = rng_seeded(2);
    if (backend_isa() < ISA_AMX) SKIP("this processor has no AMX");
    Layout layout = layout_drawn(&rng);
    layout.branch = false;
    Net *net = net_of(&layout, &rng);
    const LearnSetup setup = {BATCH, layout.height, layout.width, PRECISION_BF16, NULL};
    Learn *learn;
    EXPECT_OK(learn_new(net, &setup, &learn, err));
    EXPECT_OK(learn_time_ops(learn, err));
    EXPECT_OK(learn_forward(learn, BATCH, true, err));
    EXPECT_OK(learn_backward(learn, err));
    const OpTime *times = learn_op_times(learn);
    for (int i = 0; i < program_op_count(net_program(net)); i++) {
        const char *name = program_op(net_program(net), i)->name;
        bool first =
                 strcmp(name, "qkv") == 0 || strcmp(name, layout.gate_first ? "gate" : "up") == 0,
             later = strcmp(name, "out") == 0 || strcmp(name, "down") == 0;
        if (first) EXPECT_TRUE(times[i].forward_seconds > 0 && times[i].backward_seconds > 0);
        if (later) EXPECT_TRUE(times[i].forward_seconds == 0 && times[i].backward_seconds == 0);
        if (first || later) EXPECT_TEXT("amx", times[i].code);
    }
    learn_free(learn);
    net_free(net);
}

TEST_MAIN(RUN(blocks_in_bf16_agree_with_the_definition), RUN(with_amx_layers_run_as_one_step))
