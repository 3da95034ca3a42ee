/* Norms over a batch, over channels and over the board. */
#include "op_bench.h"

/* Batch norm in double, as the definition in program.h says. */
static double norm_loss(const Bench *bench, const double *x) {
    const OpCall *call = &bench->call;
    size_t channels = (size_t)bench->op.channels, rows = (size_t)(call->n * call->rows);
    double sum = 0;
    for (size_t c = 0; c < channels; c++) {
        double total = 0, mean = 0, variance = 0;
        for (size_t r = 0; r < rows; r++)
            total += (double)bench->mask[r];
        for (size_t r = 0; r < rows; r++)
            mean += (double)bench->mask[r] * x[r * channels + c] / total;
        for (size_t r = 0; r < rows; r++)
            variance += (double)bench->mask[r] * pow(x[r * channels + c] - mean, 2) / total;
        for (size_t r = 0; r < rows; r++) {
            double normal =
                (x[r * channels + c] - mean) / sqrt(variance + (double)bench->op.epsilon);
            sum += (double)bench->dy[r * channels + c] *
                   (normal * (double)bench->parameters[0][c] + (double)bench->parameters[1][c]);
        }
    }
    return sum;
}

TEST(batch_norm) {
    Rng rng = rng_seeded(11);
    for (int round = 0; round < 8; round++) {
        Bench *bench = bench_new(OP_BATCH_NORM, KIND_SPATIAL, &rng);
        bench->op.epsilon = 1e-3f;
        bench->op.momentum = 0.9f;
        size_t channels = (size_t)bench->op.channels;
        bench_fill(bench, &rng, 1, 0, (size_t[4]){channels, channels});
        static double x[TENSOR_MOST];
        for (size_t i = 0; i < bench->x_counts[0]; i++)
            x[i] = (double)bench->x[0][i];
        EXPECT_NEAR(norm_loss(bench, x), loss(bench), 1e-3 * (1 + fabs(norm_loss(bench, x))));
        bench->call.dx[0] = bench->dx[0];
        bench->call.first[0] = true;
        for (int i = 0; i < 2; i++)
            bench->call.gradients[i] = bench->gradients[i];
        op_class(OP_BATCH_NORM)->backward(&bench->call);
        for (size_t i = 0; i < bench->x_counts[0]; i++) {
            double value = x[i], more, less;
            x[i] = value + 1e-5;
            more = norm_loss(bench, x);
            x[i] = value - 1e-5;
            less = norm_loss(bench, x);
            x[i] = value;
            double slope = (more - less) / 2e-5;
            EXPECT_NEAR(slope, bench->dx[0][i], 2e-3 * (1 + fabs(slope)));
        }
        compare(bench, bench->parameters[0], bench->gradients[0], channels, 0, 0.5, 1e-3);
        compare(bench, bench->parameters[1], bench->gradients[1], channels, 0, 0.5, 1e-3);
        free(bench);
    }
}

/* Statistics of {1, 3} on the board: mean 2, variance 1; what is off the board (100) does not
 * count. */
TEST(batch_norm_by_hand) {
    Rng rng = rng_seeded(12);
    Bench *bench = bench_new(OP_BATCH_NORM, KIND_SPATIAL, &rng);
    float mean = 10, variance = 5;
    bench->op.channels = bench->call.in_channels[0] = bench->call.n = 1;
    bench->op.epsilon = 0;
    bench->op.momentum = 0.75f;
    bench->call.height = 1;
    bench->call.width = bench->call.rows = bench->call.in_rows = 3;
    memcpy(bench->mask, (float[]){1, 1, 0}, 3 * sizeof(float));
    memcpy(bench->x[0], (float[]){1, 3, 100}, 3 * sizeof(float));
    bench->parameters[0][0] = 2;
    bench->parameters[1][0] = 7;
    bench->parameters[2][0] = 10;
    bench->parameters[3][0] = 4;
    bench->call.running[0] = &mean;
    bench->call.running[1] = &variance;
    op_class(OP_BATCH_NORM)->forward(&bench->call);
    EXPECT_NEAR(5, bench->y[0], 1e-6);
    EXPECT_NEAR(9, bench->y[1], 1e-6);
    EXPECT_NEAR(0.75 * 10 + 0.25 * 2, mean, 1e-6);
    EXPECT_NEAR(0.75 * 5 + 0.25 * 1, variance, 1e-6);
    bench->call.training = false;
    op_class(OP_BATCH_NORM)->forward(&bench->call);
    EXPECT_NEAR((1 - 10) / 2.0 * 2 + 7, bench->y[0], 1e-6);
    EXPECT_NEAR(0.75 * 10 + 0.25 * 2, mean, 1e-6);
    free(bench);
}

/* An executor's padding at the end of a batch of vectors does not count. */
TEST(batch_norm_of_vectors_leaves_padding_out) {
    Rng rng = rng_seeded(13);
    Bench *bench = bench_new(OP_BATCH_NORM, KIND_VECTOR, &rng);
    bench->op.channels = bench->call.in_channels[0] = 1;
    bench->op.epsilon = 0;
    bench->call.n = 3;
    bench->call.active = 2;
    memcpy(bench->x[0], (float[]){1, 3, 100}, 3 * sizeof(float));
    bench->parameters[0][0] = 1;
    op_class(OP_BATCH_NORM)->forward(&bench->call);
    EXPECT_NEAR(-1, bench->y[0], 1e-6);
    EXPECT_NEAR(1, bench->y[1], 1e-6);
    free(bench);
}

/* Over the channels of a row, and over all cells on the mask. */
TEST(rms_norms) {
    Rng rng = rng_seeded(15);
    for (int round = 0; round < 16; round++) {
        Bench *bench =
            bench_new(OP_RMS_NORM, (ValueKind)(round % 2 ? KIND_SPATIAL : round % 3), &rng);
        bench->op.whole_board = round % 4 == 1;
        bench->op.epsilon = 1e-2f;
        if (bench->op.shape == KIND_LIST) bench->op.rows = bench->call.rows;
        bench_fill(bench, &rng, 1, 0, (size_t[4]){(size_t)bench->op.channels});
        check_backward(bench, &rng, 0.01, 5e-3);
        free(bench);
    }
}

/* {1, 7} has the mean square 25; a cell off the board neither counts nor is written. */
TEST(rms_norm_by_hand) {
    Rng rng = rng_seeded(16);
    Bench *bench = bench_new(OP_RMS_NORM, KIND_SPATIAL, &rng);
    bench->op.channels = bench->call.in_channels[0] = 2;
    bench->call.n = bench->call.height = 1;
    bench->call.width = bench->call.rows = bench->call.in_rows = 3;
    memcpy(bench->mask, (float[]){1, 1, 0}, 3 * sizeof(float));
    memcpy(bench->x[0], (float[]){1, 7, 3, 4, 100, 100}, 6 * sizeof(float));
    memcpy(bench->parameters[0], (float[]){1, 10}, 2 * sizeof(float));
    bench->area[0] = 2;
    op_class(OP_RMS_NORM)->forward(&bench->call);
    EXPECT_NEAR(1 / 5.0, bench->y[0], 1e-6);
    EXPECT_NEAR(10 * 7 / 5.0, bench->y[1], 1e-5);
    EXPECT_NEAR(3 / sqrt(12.5), bench->y[2], 1e-6);
    EXPECT_NEAR(0, bench->y[4], 0);
    bench->op.whole_board = true;
    op_class(OP_RMS_NORM)->forward(&bench->call);
    EXPECT_NEAR(1 / sqrt(75 / 4.0), bench->y[0], 1e-6);
    EXPECT_NEAR(40 / sqrt(75 / 4.0), bench->y[3], 1e-5);
    EXPECT_NEAR(0, bench->y[5], 0);
    free(bench);
}

TEST_MAIN(RUN(batch_norm), RUN(batch_norm_by_hand), RUN(batch_norm_of_vectors_leaves_padding_out),
          RUN(rms_norms), RUN(rms_norm_by_hand))
