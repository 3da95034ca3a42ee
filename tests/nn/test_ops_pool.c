/* Pooling over the board, and activations. */
#include "op_bench.h"

/* The values are multiples of 0.1 in random order, and no two are equal. So the steps of 0.04 move
 * no maximum to another cell. */
TEST(global_pools) {
    Rng rng = rng_seeded(8);
    for (int round = 0; round < 20; round++) {
        Bench *bench = bench_new(OP_GLOBAL_POOL, KIND_SPATIAL, &rng);
        bench->op.shape = KIND_VECTOR;
        static const int POOLS[] = {3, 3, 2, 1, 3};
        bench->op.pool = (PoolKind)(round % (POOL_MEAN_MAX_STDEV + 1));
        bench->op.channels *= POOLS[bench->op.pool];
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

/* A board of 3 rows and 2 columns in a buffer of 4 x 4. */
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
    bench->op.pool = POOL_MEAN_MAX;
    bench->op.channels = 2;
    bench->y[2] = 7;
    op_class(OP_GLOBAL_POOL)->forward(&bench->call);
    EXPECT_NEAR(mean, bench->y[0], 1e-5);
    EXPECT_NEAR(0, bench->y[1], 0);
    EXPECT_NEAR(7, bench->y[2], 0);
    bench->op.pool = POOL_MEAN_MAX_STDEV;
    bench->op.channels = 3;
    op_class(OP_GLOBAL_POOL)->forward(&bench->call);
    EXPECT_NEAR(mean, bench->y[0], 1e-5);
    EXPECT_NEAR(0, bench->y[1], 0);
    EXPECT_NEAR(sqrt((0 + 1 + 16 + 25 + 64 + 81) / 6.0 - mean * mean + 1e-4), bench->y[2], 1e-5);
    bench->op.pool = POOL_MEAN;
    bench->op.channels = 1;
    bench->y[1] = 7;
    op_class(OP_GLOBAL_POOL)->forward(&bench->call);
    EXPECT_NEAR(mean, bench->y[0], 1e-5);
    EXPECT_NEAR(7, bench->y[1], 0);
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

/* Compares values with the formulas in double precision, also for large inputs, and slopes with
 * finite differences of the formulas. */
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

/* A bench with one board of 3 x 3. Of the three planes of the second input, the first is unused,
 * and the others have the stones. */
static Bench *bench_with_stones(OpKind kind, int in_channels, int out_channels, const int own[9],
                                const int other[9]) {
    Rng rng = rng_seeded(1);
    Bench *bench = bench_new(kind, KIND_SPATIAL, &rng);
    bench->op.channels = out_channels;
    bench->call.in_channels[0] = in_channels;
    bench->call.in_channels[1] = 3;
    bench->call.n = bench->call.active = 1;
    bench->call.height = bench->call.width = 3;
    bench->call.in_rows = bench->call.rows = 9;
    for (int cell = 0; cell < 9; cell++) {
        bench->mask[cell] = 1;
        bench->x[1][cell * 3 + 1] = (float)own[cell];
        bench->x[1][cell * 3 + 2] = (float)other[cell];
    }
    return bench;
}

/* Own stones at points 0, 1 and 4 are a chain, and the own stone at 6 is another chain. The
 * opponent's stones at 5 and 8 are a chain. Points 2, 3 and 7 are empty. */
TEST(chain_pool_by_hand) {
    const int own[9] = {1, 1, 0, 0, 1, 0, 1, 0, 0}, other[9] = {[5] = 1, [8] = 1};
    const float x[9] = {5, -1, 9, 9, 2, -3, -7, 9, -2};
    const double y[9] = {5, 5, 0, 0, 5, -2, -7, 0, -2}, dx[9] = {[0] = 3, [6] = 1, [8] = 2};
    Bench *bench = bench_with_stones(OP_CHAIN_POOL, 1, 1, own, other);
    memcpy(bench->x[0], x, sizeof x);
    bench->call.dx[0] = bench->dx[0];
    bench->call.first[0] = true;
    op_class(OP_CHAIN_POOL)->forward(&bench->call);
    for (int cell = 0; cell < 9; cell++) {
        EXPECT_NEAR(y[cell], bench->y[cell], 0);
        bench->dy[cell] = 1;
    }
    op_class(OP_CHAIN_POOL)->backward(&bench->call);
    for (int cell = 0; cell < 9; cell++)
        EXPECT_NEAR(dx[cell], bench->dx[0][cell], 0);
    free(bench);
}

/* The symbols are those of nn/ops/diagonals.c. Channel 0 walks down to the left, over the points 2,
 * 4 and 6 with the values 1, 3 and 0. All logits are 0. With a stone nearby, every b is 0.7501, and
 * e^-b is 0.472319. Then
 *     r_1 = 0.527681 / (1 - 0.472319^2) = 0.679197    r_2 = 0.527681 / (1 - 0.472319^3) = 0.589831
 * Channel 1 walks over the same points in the opposite direction. Without stones every b is 0.0001,
 * so that a result is nearly the mean of the values up to its point. */
TEST(diagonals_by_hand) {
    const int none[9] = {0}, middle[9] = {[4] = 1};
    for (int stones = 0; stones < 2; stones++) {
        Bench *bench = bench_with_stones(OP_DIAGONALS, 8, 4, stones ? middle : none, none);
        bench->x[0][2 * 8] = bench->x[0][2 * 8 + 1] = 1;
        bench->x[0][4 * 8] = bench->x[0][4 * 8 + 1] = 3;
        bench->x[0][1 * 8 + 2] = 6; /* channel 2 walks down to the right: over 1 and 5 */
        op_class(OP_DIAGONALS)->forward(&bench->call);
        const float *y = bench->y;
        EXPECT_NEAR(1, y[2 * 4], 1e-6);
        EXPECT_NEAR(stones ? 1 + 0.679197 * 2 : 2, y[4 * 4], 1e-3);
        EXPECT_NEAR(stones ? (1 + 0.679197 * 2) * (1 - 0.589831) : 4.0 / 3, y[6 * 4], 1e-3);
        EXPECT_NEAR(0, y[6 * 4 + 1], 1e-6); /* the first point of this walk */
        EXPECT_NEAR(stones ? 0.679197 * 3 : 1.5, y[4 * 4 + 1], 1e-3);
        EXPECT_NEAR(6, y[1 * 4 + 2], 1e-6);
        EXPECT_NEAR(stones ? 6 * (1 - 0.679197) : 3, y[5 * 4 + 2], 1e-3);
        EXPECT_NEAR(0, y[8 * 4 + 2], 1e-6);
        free(bench);
    }
}

TEST_MAIN(RUN(chain_pool_by_hand), RUN(diagonals_by_hand), RUN(global_pools),
          RUN(global_pool_by_hand), RUN(activations))
