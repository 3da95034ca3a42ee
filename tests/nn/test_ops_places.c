/* Ops whose weights belong to places on the board, by hand. */
#include "nn/graph/net.h"
#include "nn/learn/optimiser.h"
#include "op_bench.h"

/* A bench with one channel and one board of `height` x `width`, whose upper left point is at (row,
 * column) of a buffer of 4 x 4. x is 1 everywhere. */
static Bench *board_bench(OpKind kind, int height, int width, int row, int column) {
    Rng rng = rng_seeded(1);
    Bench *bench = bench_new(kind, KIND_SPATIAL, &rng);
    bench->op.channels = bench->call.in_channels[0] = 1;
    bench->call.n = bench->call.active = 1;
    bench->call.height = bench->call.width = 4;
    bench->call.rows = bench->call.in_rows = 16;
    for (int i = 0; i < 16; i++) {
        int r = i / 4 - row, c = i % 4 - column;
        bench->mask[i] = r >= 0 && r < height && c >= 0 && c < width;
        bench->x[0][i] = 1;
    }
    return bench;
}

static void expect_values(const Bench *bench, const float wanted[16]) {
    for (int i = 0; i < 16; i++)
        EXPECT_NEAR(wanted[i], bench->y[i], 1e-6);
}

/* Point k has the gain k + 1 and the shift 10 k. A board of 2 x 3 uses the upper left corner of the
 * 3 x 3 points, wherever it lies in the buffer. */
TEST(gates_belong_to_points) {
    static const float WANTED[16] = {0, 0, 0, 0, 0, 1, 12, 23, 0, 34, 45, 56, 0, 0, 0, 0};
    Bench *bench = board_bench(OP_PLACE_GATE, 2, 3, 1, 1);
    bench->op.side = 3;
    for (int k = 0; k < 9; k++) {
        bench->parameters[0][k] = (float)(k + 1);
        bench->parameters[1][k] = (float)(10 * k);
    }
    op_class(OP_PLACE_GATE)->forward(&bench->call);
    expect_values(bench, WANTED);
    free(bench);
}

/* There are gains for 2 x 2 points; the values at other points stay as they are. */
TEST(gates_leave_points_beyond_their_side) {
    static const float WANTED[16] = {3, 4, 1, 0, 5, 6, 1, 0, 1, 1, 1};
    Bench *bench = board_bench(OP_PLACE_GATE, 3, 3, 0, 0);
    bench->op.side = 2;
    bench->op.gate = GATE_MULTIPLY;
    for (int k = 0; k < 4; k++)
        bench->parameters[0][k] = (float)(k + 3);
    op_class(OP_PLACE_GATE)->forward(&bench->call);
    expect_values(bench, WANTED);
    free(bench);
}

/* With a side of 3 or 4, the distances to the nearest edges are 0 and 1. Place 0 is (0, 0), place 1
 * is (1, 0) and place 2 is (1, 1). On a board of 3 x 4 these are the corners, the other points on
 * the edges, and the two points in the middle. */
TEST(gates_belong_to_distances_to_the_edges) {
    static const float WANTED[16] = {11, 21, 21, 11, 21, 31, 31, 21, 11, 21, 21, 11};
    for (int side = 3; side <= 4; side++) {
        Bench *bench = board_bench(OP_PLACE_GATE, 3, 4, 0, 0);
        bench->op.side = side;
        bench->op.edges = true;
        bench->op.gate = GATE_ADD;
        memcpy(bench->parameters[0], (float[]){10, 20, 30}, 3 * sizeof(float));
        op_class(OP_PLACE_GATE)->forward(&bench->call);
        expect_values(bench, WANTED);
        /* the gradient of a shift is the number of points at its place */
        bench->call.gradients[0] = bench->gradients[0];
        for (int i = 0; i < 16; i++)
            bench->dy[i] = 1;
        op_class(OP_PLACE_GATE)->backward(&bench->call);
        EXPECT_NEAR(4, bench->gradients[0][0], 0);
        EXPECT_NEAR(6, bench->gradients[0][1], 0);
        EXPECT_NEAR(2, bench->gradients[0][2], 0);
        free(bench);
    }
}

/* A bench with one head of attention and a board of three points in a row, which lie at (1, 1) to
 * (1, 3) of the buffer. Queries and keys are 0, and the values are 6, 12 and 24. */
static Bench *row_of_three(OpKind kind, int side) {
    Bench *bench = board_bench(kind, 1, 3, 1, 1);
    bench->op.attention = (AttentionShape){1, 1, 1, 1};
    bench->op.side = side;
    bench->call.in_channels[0] = 3;
    memset(bench->x, 0, sizeof bench->x);
    for (int i = 0; i < 3; i++)
        bench->x[0][(5 + i) * 3 + 2] = (float)(6 << i);
    return bench;
}

static void expect_row(const Bench *bench, float a, float b, float c) {
    const float wanted[16] = {0, 0, 0, 0, 0, a, b, c};
    op_class(bench->op.kind)->forward(&bench->call);
    for (int i = 0; i < 16; i++)
        EXPECT_NEAR(wanted[i], bench->y[i], 1e-4);
}

/* A map is added to the logits. Then a key at the point of the query has the weight 1, the key to
 * its left 2, the key to its right 3, and a key two steps away 0. The results are
 *     (6 + 3 * 12) / 4          (2 * 6 + 12 + 3 * 24) / 6           (2 * 12 + 24) / 3
 * A second map makes the factor 2 for the key at the point of the query. It multiplies a weight
 * after the softmax, so the divisors stay the same:
 *     (2 * 6 + 3 * 12) / 4      (2 * 6 + 2 * 12 + 3 * 24) / 6       (2 * 12 + 2 * 24) / 3 */
TEST(maps_of_offsets_are_added_and_multiply) {
    for (int side = 3; side <= 4; side++) {
        Bench *bench = row_of_three(OP_ATTENTION_MAPS, side);
        int width = 2 * side - 1, middle = (side - 1) * width + side - 1;
        bench->op.map.kind = MAP_OFFSETS;
        bench->op.map.rows = 1;
        bench->call.in_channels[1] = width * width;
        float *b = bench->x[1] + middle, *m = b + width * width;
        b[1] = logf(2); /* an offset is the point of the query minus that of the key */
        b[-1] = logf(3);
        b[2] = b[-2] = -1000;
        b[width] = b[-width] = 77; /* offsets to other rows, which this board does not have */
        expect_row(bench, 10.5f, 16, 16);
        bench->op.map.rows = 2;
        m[0] = 1;
        expect_row(bench, 12, 18, 24);
        free(bench);
    }
}

/* A map with the side 2 has no number for two points that are two steps apart. */
TEST(maps_have_no_numbers_beyond_their_side) {
    Bench *bench = row_of_three(OP_ATTENTION_MAPS, 2);
    bench->op.map.kind = MAP_OFFSETS;
    bench->op.map.rows = 1;
    bench->call.in_channels[1] = 9;
    bench->x[1][4] = logf(4);
    expect_row(bench, (4 * 6 + 12 + 24) / 6.0f, (6 + 4 * 12 + 24) / 6.0f, (6 + 12 + 4 * 24) / 6.0f);
    free(bench);
}

/* The weight of the key j for the query i is i + 2 j + 1. */
TEST(maps_of_points_have_a_number_for_each_pair) {
    Bench *bench = row_of_three(OP_ATTENTION_MAPS, 3);
    bench->op.map.kind = MAP_POINTS;
    bench->op.map.rows = 1;
    bench->call.in_channels[1] = 81;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            bench->x[1][i * 9 + j] = logf((float)(i + 2 * j + 1));
    }
    expect_row(bench, (6 + 3 * 12 + 5 * 24) / 9.0f, (2 * 6 + 4 * 12 + 6 * 24) / 12.0f,
               (3 * 6 + 5 * 12 + 7 * 24) / 15.0f);
    EXPECT_INT(3, op_class(OP_ATTENTION_MAPS)->only_side(&bench->op));
    free(bench);
}

/* With u = (1, 0), (2, 0), (0, 1) and v = (0, 0), (ln 2, 0), (0, ln 3), the weights are
 *     1 2 1,   1 4 1,   1 1 3 */
TEST(maps_of_ranks_are_products) {
    Bench *bench = row_of_three(OP_ATTENTION_MAPS, 3);
    bench->op.map.kind = MAP_RANKS;
    bench->op.map.rank = 2;
    bench->op.map.rows = 1;
    bench->call.in_channels[1] = 2 * 9 * 2;
    float *u = bench->x[1], *v = u + 9 * 2;
    u[0] = u[2 * 2 + 1] = 1;
    u[1 * 2] = 2;
    v[1 * 2] = logf(2);
    v[2 * 2 + 1] = logf(3);
    expect_row(bench, (6 + 2 * 12 + 24) / 4.0f, (6 + 4 * 12 + 24) / 6.0f, (6 + 12 + 3 * 24) / 5.0f);
    EXPECT_INT(0, op_class(OP_ATTENTION_MAPS)->only_side(&bench->op));
    free(bench);
}

/* Queries are 1 and keys are 1/2, so the logits are 1/2 + Q + K / 2. The 1/2 cancels in the
 * softmax. Q, K and V are numbers of the tables for the place of a key relative to the query. Q is
 * ln 2 for a key to the left, K is 2 ln 3 for a key to the right, and V is 60 for a key at the same
 * point. All their other numbers are 0. The weights of the three keys are, for each query,
 *     1 3 1,   2 1 3,   1 2 1 */
TEST(tables_have_vectors_of_offsets) {
    Bench *bench = row_of_three(OP_ATTENTION_TABLES, 3);
    for (int i = 0; i < 16; i++) {
        bench->x[0][i * 3] = 1;
        bench->x[0][i * 3 + 1] = 0.5f;
    }
    bench->op.tables = 7;
    bench->parameters[0][12 + 1] = logf(2);
    bench->parameters[1][12 - 1] = 2 * logf(3);
    bench->parameters[2][12] = 60;
    expect_row(bench, (66 + 3 * 12 + 24) / 5.0f, (2 * 6 + 72 + 3 * 24) / 6.0f,
               (6 + 2 * 12 + 84) / 4.0f);
    /* if V is the only table, it is the first parameter, and all weights are 1 */
    bench->op.tables = 4;
    memset(bench->parameters[0], 0, sizeof bench->parameters[0]);
    bench->parameters[0][12] = 60;
    expect_row(bench, 14 + 20, 14 + 20, 14 + 20);
    free(bench);
}

TEST(points_become_a_vector) {
    static const float WANTED[9] = {0, 1, 2, 3, 4, 5};
    Bench *bench = board_bench(OP_POINTS_VECTOR, 2, 3, 2, 1);
    bench->op.side = 3;
    bench->op.channels = 9;
    bench->call.rows = 1;
    for (int i = 0; i < 6; i++)
        bench->x[0][(2 + i / 3) * 4 + 1 + i % 3] = (float)i;
    op_class(OP_POINTS_VECTOR)->forward(&bench->call);
    for (int i = 0; i < 9; i++)
        EXPECT_NEAR(WANTED[i], bench->y[i], 0);
    free(bench);
}

/* A board of 2 x 3, whose upper left point is at (1, 1), gets the numbers of the upper left corner of
 * 2 x 2 points: 10, 11, 12 and 13. Its third column has no place in the vector. */
TEST(a_vector_becomes_points) {
    static const float WANTED[16] = {0, 0, 0, 0, 0, 10, 11, 0, 0, 12, 13, 0, 0, 0, 0, 0};
    Bench *bench = board_bench(OP_VECTOR_POINTS, 2, 3, 1, 1);
    bench->op.side = 2;
    bench->op.shape = KIND_SPATIAL;
    bench->call.in_channels[0] = 4;
    bench->call.in_rows = 1;
    for (int i = 0; i < 4; i++)
        bench->x[0][i] = (float)(10 + i);
    op_class(OP_VECTOR_POINTS)->forward(&bench->call);
    expect_values(bench, WANTED);
    free(bench);
}

/* A dense layer may use the matrix of an earlier one, but only if both need the same shape. */
TEST(shared_layers_have_one_matrix) {
    Program *program;
    Net *net;
    Rng rng = rng_seeded(3);
    Error fault = {0};
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "x", KIND_VECTOR, 4);
    Value y = program_dense(program, "w", x, 4, -1);
    program_output(program, "y", program_dense_of(program, "again", y, 4, y));
    EXPECT_INT(1, program_parameter_count(program));
    EXPECT_OK(net_new(program, &rng, &net, err));
    EXPECT_INT(16, net_parameter_total(net));
    net_free(net);
    EXPECT_OK(program_new(&program, err));
    x = program_input(program, "x", KIND_VECTOR, 4);
    y = program_dense(program, "w", x, 3, -1);
    EXPECT_INT(-1, program_dense_of(program, "again", y, 4, y));
    EXPECT_STATUS(ERR_ARGUMENT, program_status(program, &fault));
    EXPECT_CONTAINS(fault.message, "no earlier op has such weights");
    program_free(program);
}

/* Gains begin at 1, and training does not make them negative. Shifts begin at 0 and may become
 * negative. */
TEST(gains_of_gates_stay_at_least_zero) {
    Program *program;
    Net *net;
    Optimiser *optimiser;
    OptimiserSettings config;
    float slopes[2][4] = {{0.5f, 2, 3, -1}, {0.5f, 2, 3, -1}},
          *gradients[] = {slopes[0], slopes[1]};
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "x", KIND_SPATIAL, 1);
    const Op gate = {.kind = OP_PLACE_GATE, .inputs = {x}, .side = 2};
    program_output(program, "y", program_add_op(program, "gate", gate));
    EXPECT_OK(net_new(program, NULL, &net, err));
    for (int k = 0; k < 2; k++) {
        const ParameterSpec *spec = program_parameter(program, k);
        EXPECT_TEXT(k ? "gate.shift" : "gate.gain", spec->name);
        EXPECT_TRUE(spec->trained && !spec->decayed && spec->rank == 1);
        for (int i = 0; i < 4; i++)
            EXPECT_NEAR(1 - k, net_values(net, k)[i], 0);
    }
    settings_defaults(OPTIMISER_FIELDS, &config);
    config.kind = OPTIMISER_SGD;
    config.momentum = config.weight_decay = config.clip_norm = 0;
    EXPECT_OK(optimiser_new(net, &config, &optimiser, err));
    EXPECT_OK(optimiser_step(optimiser, gradients, 1, NULL, err));
    const float gains[] = {0.5f, 0, 0, 2}, shifts[] = {-0.5f, -2, -3, 1};
    for (int i = 0; i < 4; i++) {
        EXPECT_NEAR(gains[i], net_values(net, 0)[i], 1e-6);
        EXPECT_NEAR(shifts[i], net_values(net, 1)[i], 1e-6);
    }
    optimiser_free(optimiser);
    net_free(net);
}

TEST_MAIN(RUN(gates_belong_to_points), RUN(gates_leave_points_beyond_their_side),
          RUN(gates_belong_to_distances_to_the_edges), RUN(gains_of_gates_stay_at_least_zero),
          RUN(maps_of_offsets_are_added_and_multiply), RUN(maps_have_no_numbers_beyond_their_side),
          RUN(maps_of_points_have_a_number_for_each_pair), RUN(maps_of_ranks_are_products),
          RUN(tables_have_vectors_of_offsets), RUN(points_become_a_vector),
          RUN(a_vector_becomes_points), RUN(shared_layers_have_one_matrix))
