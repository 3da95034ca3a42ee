/* Nonlinear ops that work element by element, mixtures and queries, by hand. */
#include "nn/graph/net.h"
#include "op_bench.h"

/* A bench with a batch of `count` vectors of one channel, whose values are `x`. */
static Bench *bench_of(OpKind kind, int count, const float *x) {
    Rng rng = rng_seeded(1);
    Bench *bench = bench_new(kind, KIND_VECTOR, &rng);
    bench->op.channels = bench->call.in_channels[0] = 1;
    bench->call.n = bench->call.active = count;
    memcpy(bench->x[0], x, (size_t)count * sizeof *x);
    return bench;
}

/* For x = ln 3, y is 1 / (1 + 1/3) = 3/4, and its slope is 3/4 * 1/4 = 3/16. For x far from 0, y is
 * 0 or 1 and its slope is 0. */
TEST(sigmoid) {
    const float x[5] = {0, logf(3), -logf(3), 200, -200};
    const double y[5] = {0.5, 0.75, 0.25, 1, 0}, slopes[5] = {0.25, 0.1875, 0.1875, 0, 0};
    Bench *bench = bench_of(OP_SIGMOID, 5, x);
    bench->call.dx[0] = bench->dx[0];
    op_class(OP_SIGMOID)->forward(&bench->call);
    for (int i = 0; i < 5; i++) {
        EXPECT_NEAR(y[i], bench->y[i], 1e-6);
        bench->dy[i] = 2;
        bench->dx[0][i] = 7;
    }
    op_class(OP_SIGMOID)->backward(&bench->call);
    for (int i = 0; i < 5; i++)
        EXPECT_NEAR(7 + 2 * slopes[i], bench->dx[0][i], 1e-6);
    free(bench);
}

/* For x = 0, y is ln(1 + 1) = 0.693147 with the slope 1/2. For x = ln 3, y is ln(1 + 3) = 1.386294
 * with the slope 3/4. For x far from 0, y is x or 0, and its slope is 1 or 0. */
TEST(softplus) {
    const float x[4] = {0, logf(3), 200, -200};
    const double y[4] = {0.693147, 1.386294, 200, 0}, slopes[4] = {0.5, 0.75, 1, 0};
    Bench *bench = bench_of(OP_SOFTPLUS, 4, x);
    bench->call.dx[0] = bench->dx[0];
    op_class(OP_SOFTPLUS)->forward(&bench->call);
    for (int i = 0; i < 4; i++) {
        EXPECT_NEAR(y[i], bench->y[i], 1e-5);
        bench->dy[i] = 2;
        bench->dx[0][i] = 7;
    }
    op_class(OP_SOFTPLUS)->backward(&bench->call);
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(7 + 2 * slopes[i], bench->dx[0][i], 1e-6);
    free(bench);
}

/* The limit is 1. The first two values without a limit would be ln 2 = 0.69 and ln 4 = 1.39. */
TEST(softplus_has_a_limit) {
    const float x[4] = {0, logf(3), 200, -200};
    const double y[4] = {0.693147, 1, 1, 0}, slopes[4] = {0.5, 0, 0, 0};
    Bench *bench = bench_of(OP_SOFTPLUS, 4, x);
    bench->op.limit = 1;
    bench->call.dx[0] = bench->dx[0];
    op_class(OP_SOFTPLUS)->forward(&bench->call);
    for (int i = 0; i < 4; i++) {
        EXPECT_NEAR(y[i], bench->y[i], 1e-5);
        bench->dy[i] = 2;
        bench->dx[0][i] = 7;
    }
    op_class(OP_SOFTPLUS)->backward(&bench->call);
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(7 + 2 * slopes[i], bench->dx[0][i], 1e-6);
    free(bench);
}

/* Two rows of two channels. A row of the result has max(x, 0) of both channels, and then
 * max(-x, 0). */
TEST(crelu) {
    const float x[4] = {3, -4, 0, -1}, dy[8] = {10, 20, 30, 40, 50, 60, 70, 80};
    const double y[8] = {3, 0, 0, 4, 0, 0, 0, 1}, dx[4] = {10, -40, 0, -80};
    Bench *bench = bench_of(OP_CRELU, 4, x);
    bench->call.n = 1;
    bench->call.in_rows = bench->call.rows = 2;
    bench->call.in_channels[0] = 2;
    bench->op.channels = 4;
    bench->call.dx[0] = bench->dx[0];
    op_class(OP_CRELU)->forward(&bench->call);
    for (int i = 0; i < 8; i++) {
        EXPECT_NEAR(y[i], bench->y[i], 0);
        bench->dy[i] = dy[i];
    }
    for (int i = 0; i < 4; i++)
        bench->dx[0][i] = 7;
    op_class(OP_CRELU)->backward(&bench->call);
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(7 + dx[i], bench->dx[0][i], 0);
    free(bench);
}

/* With the slope 1/2, negative elements are halved. With dy = 2, the gradient of the slope is
 *     (-4) * 2 + 0 * 2 + (-1) * 2 = -10 */
TEST(prelu) {
    const float x[4] = {3, -4, 0, -1};
    const double y[4] = {3, -2, 0, -0.5}, slopes[4] = {1, 0.5, 0.5, 0.5};
    Bench *bench = bench_of(OP_PRELU, 4, x);
    bench->parameters[0][0] = 0.5f;
    bench->gradients[0][0] = 100;
    bench->call.dx[0] = bench->dx[0];
    bench->call.gradients[0] = bench->gradients[0];
    op_class(OP_PRELU)->forward(&bench->call);
    for (int i = 0; i < 4; i++) {
        EXPECT_NEAR(y[i], bench->y[i], 0);
        bench->dy[i] = 2;
        bench->dx[0][i] = 7;
    }
    op_class(OP_PRELU)->backward(&bench->call);
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(7 + 2 * slopes[i], bench->dx[0][i], 0);
    EXPECT_NEAR(100 - 8 - 2, bench->gradients[0][0], 0);
    free(bench);
}

/* The slopes begin at 1/4 or where the caller says. They are trained, but without weight decay. */
TEST(prelu_begins_at_its_slope) {
    Program *program;
    Net *net;
    Rng rng = rng_seeded(1);
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "x", KIND_SPATIAL, 3),
          usual = program_add_op(program, "usual", (Op){.kind = OP_PRELU, .inputs = {x}});
    program_output(program, "y", program_prelu(program, "act", usual, -0.5));
    EXPECT_TEXT("usual.slope", program_parameter(program, 0)->name);
    EXPECT_TEXT("act.slope", program_parameter(program, 1)->name);
    for (int i = 0; i < 2; i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        EXPECT_TRUE(spec->trained && !spec->decayed);
    }
    EXPECT_OK(net_new(program, &rng, &net, err));
    for (int c = 0; c < 3; c++) {
        EXPECT_NEAR(0.25, net_values(net, 0)[c], 0);
        EXPECT_NEAR(-0.5, net_values(net, 1)[c], 0);
    }
    net_free(net);
}

/* Two distributions over two rows: (1/4, 3/4) with the weight 2/3, and (1/2, 1/2) with the weight
 * 1/3. So the mixture is (1/3, 2/3), and half of its first row comes from each distribution: the f
 * of nn/ops/mixture.c is (1/2, 1/2) there. With dy = (1, 0):
 *     dx0, first row    1/2 - 1/4 * 1/2,  1/2 - 1/2 * 1/2
 *     dx0, second row     0 - 3/4 * 1/2,    0 - 1/2 * 1/2
 *     dx1               1/2 - 2/3,        1/2 - 1/3 */
TEST(mixture) {
    const float x[4] = {0, 5, logf(3), 5}, weights[2] = {logf(2) + 7, 7};
    const double dx[4] = {0.375, 0.25, -0.375, -0.25}, dw[2] = {-1.0 / 6, 1.0 / 6};
    Bench *bench = bench_of(OP_MIXTURE, 4, x);
    OpCall *call = &bench->call;
    call->n = call->active = 1;
    call->in_rows = call->rows = 2;
    call->in_channels[0] = call->in_channels[1] = 2;
    memcpy(bench->x[1], weights, sizeof weights);
    op_class(OP_MIXTURE)->forward(call);
    EXPECT_NEAR(log(1.0 / 3), bench->y[0], 1e-6);
    EXPECT_NEAR(log(2.0 / 3), bench->y[1], 1e-6);
    for (int i = 0; i < 2; i++)
        call->dx[i] = bench->dx[i];
    call->first[1] = true;
    bench->dy[0] = 1;
    bench->dy[1] = 0;
    for (int i = 0; i < 4; i++)
        bench->dx[0][i] = 7;
    op_class(OP_MIXTURE)->backward(call);
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(7 + dx[i], bench->dx[0][i], 1e-6);
    for (int i = 0; i < 2; i++)
        EXPECT_NEAR(dw[i], bench->dx[1][i], 1e-6);
    free(bench);
}

/* One point with the key (1, 2, 0, 2), and the queries (1, 1, 1, 1) and (0, 3, 0, 1). Their
 * products are 5 and 8, and are divided by sqrt(4). */
TEST(queries) {
    const float key[4] = {1, 2, 0, 2}, asked[8] = {1, 1, 1, 1, 0, 3, 0, 1};
    const double dkey[4] = {5, 5 + 15, 5, 5 + 5}; /* dy / sqrt(4) = (5, 5) */
    Bench *bench = bench_of(OP_QUERIES, 4, key);
    OpCall *call = &bench->call;
    call->n = call->active = 1;
    call->in_channels[0] = 4;
    call->in_channels[1] = 8;
    bench->op.channels = 2;
    memcpy(bench->x[1], asked, sizeof asked);
    op_class(OP_QUERIES)->forward(call);
    EXPECT_NEAR(5.0 / 2, bench->y[0], 1e-6);
    EXPECT_NEAR(8.0 / 2, bench->y[1], 1e-6);
    for (int i = 0; i < 2; i++)
        call->dx[i] = bench->dx[i];
    call->first[0] = true;
    bench->dy[0] = bench->dy[1] = 10;
    for (int i = 0; i < 8; i++)
        bench->dx[1][i] = 7;
    op_class(OP_QUERIES)->backward(call);
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(dkey[i], bench->dx[0][i], 1e-6);
    for (int i = 0; i < 8; i++)
        EXPECT_NEAR(7 + 5 * key[i % 4], bench->dx[1][i], 1e-6);
    free(bench);
}

TEST_MAIN(RUN(sigmoid), RUN(softplus), RUN(softplus_has_a_limit), RUN(mixture), RUN(queries),
          RUN(crelu), RUN(prelu), RUN(prelu_begins_at_its_slope))
