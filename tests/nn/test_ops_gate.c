/* Ops that bend one number at a time, by hand. */
#include "op_bench.h"

/* A bench of these numbers, one channel, as vectors of a batch. */
static Bench *bench_of(OpKind kind, int count, const float *x) {
    Rng rng = rng_seeded(1);
    Bench *bench = bench_new(kind, KIND_VECTOR, &rng);
    bench->op.channels = bench->call.in_channels[0] = 1;
    bench->call.n = bench->call.active = count;
    memcpy(bench->x[0], x, (size_t)count * sizeof *x);
    return bench;
}

/* exp(-ln 3) = 1/3: y = 3/4 and its slope 3/16. Far out y is 0 or 1 and its slope 0. */
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

TEST_MAIN(RUN(sigmoid))
