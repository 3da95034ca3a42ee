/* Convolutions, products, sums, and ops that move channels. They are linear in each single element,
 * so finite differences with a step of 1/2 have only rounding errors. */
#include "op_bench.h"

TEST(convolution) {
    Rng rng = rng_seeded(1);
    for (int round = 0; round < 12; round++) {
        Bench *bench = bench_new(OP_CONV, KIND_SPATIAL, &rng);
        int height = 1 + 2 * rng_below(&rng, 3), width = 1 + 2 * rng_below(&rng, 3),
            in = 1 + rng_below(&rng, 4), out = 1 + rng_below(&rng, 4);
        bench->op.kernel_h = height;
        bench->op.kernel_w = width;
        bench->op.dilation = 1 + rng_below(&rng, 3);
        bench->op.channels = out;
        bench->call.in_channels[0] = in;
        bench_fill(bench, &rng, 1, 0, (size_t[4]){(size_t)(out * height * width * in)});
        check_backward(bench, &rng, 0.5, 2e-4);
        free(bench);
    }
}

/* One output by hand: the kernel is not flipped (cross-correlation), and the padding is zero. */
TEST(convolution_by_hand) {
    Rng rng = rng_seeded(2);
    Bench *bench = bench_new(OP_CONV, KIND_SPATIAL, &rng);
    bench->op.kernel_h = bench->op.kernel_w = 3;
    bench->op.dilation = 1;
    bench->op.channels = 1;
    bench->call.n = bench->call.in_channels[0] = 1;
    bench->call.height = bench->call.width = 2;
    bench->call.rows = bench->call.in_rows = 4;
    memcpy(bench->x[0], (float[]){1, 2, 3, 4}, 4 * sizeof(float));
    memcpy(bench->parameters[0], (float[]){1, 2, 3, 4, 5, 6, 7, 8, 9}, 9 * sizeof(float));
    op_class(OP_CONV)->forward(&bench->call);
    const float want[4] = {1 * 5 + 2 * 6 + 3 * 8 + 4 * 9, 1 * 4 + 2 * 5 + 3 * 7 + 4 * 8,
                           1 * 2 + 2 * 3 + 3 * 5 + 4 * 6, 1 * 1 + 2 * 2 + 3 * 4 + 4 * 5};
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(want[i], bench->y[i], 0);
    free(bench);
}

/* A 3 x 3 kernel with a dilation of 2 on a 3 x 3 board. It depends on the place of the kernel's
 * middle which other taps are on the board:
 *     at a corner               those at the other three corners
 *     in the middle of an edge  the one in the middle of the opposite edge
 *     in the middle             none */
TEST(dilated_convolution_by_hand) {
    Rng rng = rng_seeded(2);
    Bench *bench = bench_new(OP_CONV, KIND_SPATIAL, &rng);
    bench->op.kernel_h = bench->op.kernel_w = 3;
    bench->op.dilation = 2;
    bench->op.channels = 1;
    bench->call.n = bench->call.in_channels[0] = 1;
    bench->call.height = bench->call.width = 3;
    bench->call.rows = bench->call.in_rows = 9;
    for (int i = 0; i < 9; i++) {
        bench->x[0][i] = (float)(i + 1);
        bench->parameters[0][i] = (float)(10 * (i + 1));
    }
    op_class(OP_CONV)->forward(&bench->call);
    const float want[9] = {50 * 1 + 60 * 3 + 80 * 7 + 90 * 9,
                           50 * 2 + 80 * 8,
                           40 * 1 + 50 * 3 + 70 * 7 + 80 * 9,
                           50 * 4 + 60 * 6,
                           50 * 5,
                           40 * 4 + 50 * 6,
                           20 * 1 + 30 * 3 + 50 * 7 + 60 * 9,
                           20 * 2 + 50 * 8,
                           10 * 1 + 20 * 3 + 40 * 7 + 50 * 9};
    for (int i = 0; i < 9; i++)
        EXPECT_NEAR(want[i], bench->y[i], 0);
    free(bench);
}

TEST(dense) {
    Rng rng = rng_seeded(3);
    for (int round = 0; round < 12; round++) {
        Bench *bench = bench_new(OP_DENSE, (ValueKind)(round % 3), &rng);
        int out = 1 + rng_below(&rng, 7);
        bench->op.channels = out;
        bench_fill(bench, &rng, 1, 0, (size_t[4]){(size_t)(out * bench->call.in_channels[0])});
        check_backward(bench, &rng, 0.5, 1e-4);
        free(bench);
    }
}

TEST(per_channel) {
    Rng rng = rng_seeded(4);
    for (int round = 0; round < 24; round++) {
        Bench *bench = bench_new(round % 2 ? OP_SCALE : OP_BIAS, (ValueKind)(round % 3), &rng);
        bench_fill(bench, &rng, 1, 0, (size_t[4]){(size_t)bench->op.channels});
        check_backward(bench, &rng, 0.5, 1e-4);
        free(bench);
    }
}

TEST(sums_and_broadcasts) {
    Rng rng = rng_seeded(5);
    const OpKind kinds[] = {OP_ADD, OP_ADD_BROADCAST, OP_MUL_BROADCAST};
    for (int round = 0; round < 24; round++) {
        OpKind kind = kinds[round % 3];
        Bench *bench = bench_new(kind, rng_below(&rng, 2) ? KIND_SPATIAL : KIND_LIST, &rng);
        bench_fill(bench, &rng, 2, kind == OP_ADD ? (size_t)bench->call.rows : 1, NULL);
        check_backward(bench, &rng, 0.5, 2e-4);
        free(bench);
    }
}

TEST(mask) {
    Rng rng = rng_seeded(6);
    for (int round = 0; round < 6; round++) {
        Bench *bench = bench_new(OP_MASK, KIND_SPATIAL, &rng);
        bench_fill(bench, &rng, 1, 0, NULL);
        check_backward(bench, &rng, 0.5, 1e-4);
        for (size_t r = 0; r < bench->y_count; r++) {
            if (bench->mask[r / (size_t)bench->op.channels] == 0) EXPECT_NEAR(0, bench->y[r], 0);
        }
        free(bench);
    }
}

TEST(concat_and_slice) {
    Rng rng = rng_seeded(7);
    for (int round = 0; round < 12; round++) {
        Bench *bench = bench_new(OP_CONCAT, (ValueKind)(round % 3), &rng);
        bench->call.in_channels[1] = 1 + rng_below(&rng, 5);
        bench->op.channels += bench->call.in_channels[1];
        bench_fill(bench, &rng, 2, (size_t)bench->call.rows, NULL);
        check_backward(bench, &rng, 0.5, 1e-4);
        free(bench);
        bench = bench_new(OP_SLICE, (ValueKind)(round % 3), &rng);
        bench->op.first = rng_below(&rng, bench->op.channels);
        bench->op.channels -= bench->op.first;
        bench_fill(bench, &rng, 1, 0, NULL);
        check_backward(bench, &rng, 0.5, 1e-4);
        free(bench);
    }
}

TEST(products) {
    Rng rng = rng_seeded(14);
    for (int round = 0; round < 9; round++) {
        Bench *bench = bench_new(OP_MULTIPLY, (ValueKind)(round % 3), &rng);
        bench_fill(bench, &rng, 2, (size_t)bench->call.rows, NULL);
        check_backward(bench, &rng, 0.5, 1e-4);
        free(bench);
    }
}

/* A board of 2 x 2 lies in the last two columns of a buffer of 2 x 4. With the side 3, its points
 * have the numbers 0, 1, 3 and 4. Point 0 gets twice point 4, and point 1 gets point 3 and a bias
 * of 5. */
TEST(points_by_hand) {
    Rng rng = rng_seeded(1);
    Bench *bench = bench_new(OP_POINTS, KIND_SPATIAL, &rng);
    bench->op.channels = bench->call.in_channels[0] = 2;
    bench->op.side = 3;
    bench->call.n = bench->call.active = 1;
    bench->call.height = 2;
    bench->call.width = 4;
    bench->call.in_rows = bench->call.rows = 8;
    for (int cell = 0; cell < 8; cell++) {
        bench->mask[cell] = cell % 4 >= 2;
        for (int c = 0; c < 2; c++)
            bench->x[0][cell * 2 + c] = (float)(cell % 4 >= 2 ? 10 * c + cell : 1000);
    }
    bench->parameters[0][0 * 9 + 4] = 2;
    bench->parameters[0][1 * 9 + 3] = 1;
    bench->parameters[0][1 * 9 + 2] = 7; /* for point 2, which this board does not have */
    bench->parameters[1][1] = 5;
    op_class(OP_POINTS)->forward(&bench->call);
    const double y[8][2] = {[2] = {2 * 7, 2 * 17}, [3] = {6 + 5, 16 + 5}};
    for (int cell = 0; cell < 8; cell++) {
        for (int c = 0; c < 2; c++)
            EXPECT_NEAR(y[cell][c], bench->y[cell * 2 + c], 1e-5);
    }
    free(bench);
}

TEST(points_have_weights_and_biases) {
    Program *program;
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "x", KIND_SPATIAL, 3);
    program_output(program, "y", program_points(program, "m", x, 5, -1));
    const ParameterSpec *weight = program_parameter(program, 0),
                        *bias = program_parameter(program, 1);
    EXPECT_TEXT("m.weight", weight->name);
    EXPECT_TEXT("m.bias", bias->name);
    EXPECT_INT(25 * 25, (int)weight->count);
    EXPECT_INT(25, (int)bias->count);
    EXPECT_TRUE(weight->trained && weight->decayed && bias->trained && !bias->decayed);
    EXPECT_NEAR(sqrt(2.0 / 25), weight->deviation, 1e-9);
    EXPECT_NEAR(16.0 * 16 * 3, program_multiply_adds(program, 4, 4), 0);
    /* on 7 x 7 only 5 x 5 points count, because the side is 5 */
    EXPECT_NEAR(25.0 * 25 * 3, program_multiply_adds(program, 7, 7), 0);
    program_free(program);
}

TEST_MAIN(RUN(points_by_hand), RUN(points_have_weights_and_biases), RUN(convolution),
          RUN(convolution_by_hand), RUN(dilated_convolution_by_hand), RUN(dense), RUN(per_channel),
          RUN(sums_and_broadcasts), RUN(mask), RUN(concat_and_slice), RUN(products))
