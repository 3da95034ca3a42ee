/* Pooling over the board, and activations. */
#include "op_bench.h"

/* Values that differ by a tenth, in random order, so that no step moves the maximum. */
TEST(global_pools) {
    Rng rng = rng_seeded(8);
    for (int round = 0; round < 16; round++) {
        Bench *bench = bench_new(OP_GLOBAL_POOL, KIND_SPATIAL, &rng);
        bench->op.shape = KIND_VECTOR;
        bench->op.pool = round % 2 ? POOL_MEAN_SCALE_MAX : POOL_MEAN_SCALE_SCALE;
        bench->op.channels *= 3;
        bench->call.rows = 1;
        bench_fill(bench, &rng, 1, 0, NULL);
        int order[TENSOR_MAX];
        for (int i = 0; i < (int)bench->x_counts[0]; i++)
            order[i] = i;
        rng_shuffle(&rng, order, bench->x_counts[0], sizeof *order);
        for (size_t i = 0; i < bench->x_counts[0]; i++)
            bench->x[0][i] = 0.1f * (float)order[i] - 3;
        check_backward(bench, &rng, 0.04, 2e-3);
        free(bench);
    }
}

/* A 3x2 board in a 4x4 buffer has 6 cells. */
TEST(global_pool_by_hand) {
    Rng rng = rng_seeded(9);
    Bench *bench = bench_new(OP_GLOBAL_POOL, KIND_SPATIAL, &rng);
    bench->op.channels = 3;
    bench->call.n = bench->call.in_channels[0] = bench->call.rows = 1;
    bench->call.height = bench->call.width = 4;
    bench->call.in_rows = 16;
    bench->area[0] = 6;
    for (int r = 0; r < 16; r++) {
        bench->mask[r] = r / 4 < 3 && r % 4 < 2;
        bench->x[0][r] = bench->mask[r] != 0 ? (float)-r : 100;
    }
    double mean = -(0 + 1 + 4 + 5 + 8 + 9) / 6.0, offset = sqrt(6) - 14;
    op_class(OP_GLOBAL_POOL)->forward(&bench->call);
    EXPECT_NEAR(mean, bench->y[0], 1e-5);
    EXPECT_NEAR(mean * offset / 10, bench->y[1], 1e-5);
    EXPECT_NEAR(0, bench->y[2], 0);
    bench->op.pool = POOL_MEAN_SCALE_SCALE;
    op_class(OP_GLOBAL_POOL)->forward(&bench->call);
    EXPECT_NEAR(mean * (offset * offset / 100 - 0.1), bench->y[2], 1e-5);
    free(bench);
}

static double activation_of(Activation activation, double x) {
    switch (activation) {
    case ACTIVATION_RELU:
        return x > 0 ? x : 0;
    case ACTIVATION_MISH:
        return x * tanh(log1p(exp(x)));
    case ACTIVATION_SILU:
        return x / (1 + exp(-x));
    case ACTIVATION_TANH:
        return tanh(x);
    case ACTIVATION_IDENTITY:
        break;
    }
    return x;
}

/* Compares with the formulas in double precision, also for large inputs, and slopes with
 * differences of the formulas. */
TEST(activations) {
    Rng rng = rng_seeded(10);
    for (int a = ACTIVATION_IDENTITY; a <= ACTIVATION_TANH; a++) {
        Bench *bench = bench_new(OP_ACTIVATION, KIND_SPATIAL, &rng);
        bench->op.activation = (Activation)a;
        bench_fill(bench, &rng, 1, 0, NULL);
        for (size_t i = 0; i < bench->x_counts[0]; i++)
            bench->x[0][i] *= i % 3 ? 2.0f : 30.0f;
        bench->call.dx[0] = bench->dx[0];
        bench->call.first[0] = true;
        op_class(OP_ACTIVATION)->forward(&bench->call);
        op_class(OP_ACTIVATION)->backward(&bench->call);
        for (size_t i = 0; i < bench->x_counts[0]; i++) {
            double x = (double)bench->x[0][i], value = activation_of((Activation)a, x);
            double slope =
                (activation_of((Activation)a, x + 1e-5) - activation_of((Activation)a, x - 1e-5)) /
                2e-5;
            EXPECT_NEAR(value, bench->y[i], 1e-6 * (1 + fabs(value)));
            if (fabs(x) > 1e-4)
                EXPECT_NEAR(slope * (double)bench->dy[i], bench->dx[0][i],
                            2e-5 * (1 + fabs((double)bench->dy[i])));
        }
        free(bench);
    }
}

TEST_MAIN(RUN(global_pools), RUN(global_pool_by_hand), RUN(activations))
