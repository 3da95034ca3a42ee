/* Every op of op.h: backward against differences of its own forward, over random shapes and masks.
 * The loss is sum(dy * y) in double. Linear ops are differenced with steps of a half, where nothing
 * but rounding is lost. */
#include "nn/op.h"
#include "test.h"

enum { TENSOR_MOST = 4096 };

typedef struct {
    Op op;
    OpCall call;
    float x[2][TENSOR_MOST], parameters[4][TENSOR_MOST], dx[2][TENSOR_MOST],
        gradients[4][TENSOR_MOST];
    float y[TENSOR_MOST], dy[TENSOR_MOST], saved[TENSOR_MOST], mask[TENSOR_MOST], area[TENSOR_MOST],
        running[2][TENSOR_MOST];
    size_t x_counts[2], parameter_counts[4], y_count;
} Bench;

static void draw(Rng *rng, float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = (float)rng_normal(rng);
}

/* Boards of all sizes in one buffer, in the upper left corner, as mixed batches have them. */
static void draw_masks(Bench *bench, Rng *rng) {
    int h = bench->call.height, w = bench->call.width;
    for (int b = 0; b < bench->call.n; b++) {
        int rows = 1 + rng_below(rng, h), columns = 1 + rng_below(rng, w);
        bench->area[b] = (float)(rows * columns);
        for (int r = 0; r < h * w; r++)
            bench->mask[b * h * w + r] = r / w < rows && r % w < columns;
    }
}

static Bench *bench_new(OpKind kind, ValueKind shape, Rng *rng) {
    Bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    int channels = 1 + rng_below(rng, 9), n = 1 + rng_below(rng, 3);
    bench->op = (Op){.kind = kind, .shape = shape, .channels = channels, .inputs = {0, -1}};
    OpCall *call = &bench->call;
    *call = (OpCall){.op = &bench->op,
                     .n = n,
                     .active = n,
                     .height = 2 + rng_below(rng, 4),
                     .width = 2 + rng_below(rng, 4),
                     .in_channels = {channels, channels},
                     .training = true};
    call->in_rows = call->rows = shape == KIND_SPATIAL ? call->height * call->width
                                 : shape == KIND_LIST  ? 1 + rng_below(rng, 6)
                                                       : 1;
    call->mask = bench->mask;
    call->area = bench->area;
    call->saved = bench->saved;
    call->y = bench->y;
    call->dy = bench->dy;
    for (int i = 0; i < 2; i++)
        call->x[i] = bench->x[i];
    for (int i = 0; i < 4; i++)
        call->parameters[i] = bench->parameters[i];
    draw_masks(bench, rng);
    return bench;
}

/* Counts follow from the shapes; values are drawn. */
static void bench_fill(Bench *bench, Rng *rng, size_t inputs, size_t second_rows,
                       const size_t *parameter_counts) {
    const OpCall *call = &bench->call;
    bench->x_counts[0] = (size_t)(call->n * call->in_rows * call->in_channels[0]);
    bench->x_counts[1] =
        inputs > 1 ? (size_t)call->n * second_rows * (size_t)call->in_channels[1] : 0;
    bench->y_count = (size_t)(call->n * call->rows * bench->op.channels);
    assert_true(bench->x_counts[0] <= TENSOR_MOST && bench->y_count <= TENSOR_MOST);
    for (int i = 0; i < 2; i++)
        draw(rng, bench->x[i], bench->x_counts[i]);
    for (int i = 0; i < 4 && parameter_counts; i++)
        bench->parameter_counts[i] = parameter_counts[i];
    for (int i = 0; i < 4; i++)
        draw(rng, bench->parameters[i], bench->parameter_counts[i]);
    draw(rng, bench->dy, bench->y_count);
}

static double loss(Bench *bench) {
    double sum = 0;
    op_class(bench->op.kind)->forward(&bench->call);
    for (size_t i = 0; i < bench->y_count; i++)
        sum += (double)bench->dy[i] * (double)bench->y[i];
    return sum;
}

static void compare(Bench *bench, float *values, const float *slopes, size_t count, double before,
                    double step, double tolerance) {
    for (size_t i = 0; i < count; i++) {
        float value = values[i], up = value + (float)step, down = value - (float)step;
        values[i] = up;
        double more = loss(bench);
        values[i] = down;
        double less = loss(bench);
        values[i] = value;
        EXPECT_NEAR((more - less) / ((double)up - (double)down) + before, slopes[i], tolerance);
    }
}

/* Backward writes dx where it is first, adds where it is not, and always adds to gradients. */
static void check_backward(Bench *bench, Rng *rng, double step, double tolerance) {
    OpCall *call = &bench->call;
    for (int i = 0; i < 2; i++) {
        call->first[i] = rng_below(rng, 2);
        call->dx[i] = bench->x_counts[i] ? bench->dx[i] : NULL;
        for (size_t k = 0; k < bench->x_counts[i]; k++)
            bench->dx[i][k] = 3;
    }
    for (int i = 0; i < 4; i++) {
        call->gradients[i] = bench->parameter_counts[i] ? bench->gradients[i] : NULL;
        for (size_t k = 0; k < bench->parameter_counts[i]; k++)
            bench->gradients[i][k] = 2;
    }
    loss(bench);
    op_class(bench->op.kind)->backward(call);
    for (int i = 0; i < 2; i++)
        compare(bench, bench->x[i], bench->dx[i], bench->x_counts[i], call->first[i] ? 0 : 3, step,
                tolerance);
    for (int i = 0; i < 4; i++)
        compare(bench, bench->parameters[i], bench->gradients[i], bench->parameter_counts[i], 2,
                step, tolerance);
}

TEST(convolution) {
    Rng rng = rng_seeded(1);
    for (int round = 0; round < 12; round++) {
        Bench *bench = bench_new(OP_CONV, KIND_SPATIAL, &rng);
        int kernel = 1 + 2 * rng_below(&rng, 3), in = 1 + rng_below(&rng, 4),
            out = 1 + rng_below(&rng, 4);
        bench->op.kernel_h = bench->op.kernel_w = kernel;
        bench->op.channels = out;
        bench->call.in_channels[0] = in;
        bench_fill(bench, &rng, 1, 0, (size_t[4]){(size_t)(out * kernel * kernel * in)});
        check_backward(bench, &rng, 0.5, 2e-4);
        free(bench);
    }
}

/* One output by hand: the kernel is not turned (cross-correlation), zeros stand around the board.
 */
TEST(convolution_by_hand) {
    Rng rng = rng_seeded(2);
    Bench *bench = bench_new(OP_CONV, KIND_SPATIAL, &rng);
    bench->op.kernel_h = bench->op.kernel_w = 3;
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

/* Values a tenth apart in random order, so that no step moves the maximum. */
TEST(global_pools) {
    Rng rng = rng_seeded(8);
    for (int round = 0; round < 16; round++) {
        Bench *bench = bench_new(OP_GLOBAL_POOL, KIND_SPATIAL, &rng);
        bench->op.shape = KIND_VECTOR;
        bench->op.pool = round % 2 ? POOL_MEAN_SCALE_MAX : POOL_MEAN_SCALE_SCALE;
        bench->op.channels *= 3;
        bench->call.rows = 1;
        bench_fill(bench, &rng, 1, 0, NULL);
        int order[TENSOR_MOST];
        for (int i = 0; i < (int)bench->x_counts[0]; i++)
            order[i] = i;
        rng_shuffle(&rng, order, (int)bench->x_counts[0]);
        for (size_t i = 0; i < bench->x_counts[0]; i++)
            bench->x[0][i] = 0.1f * (float)order[i] - 3;
        check_backward(bench, &rng, 0.04, 2e-3);
        free(bench);
    }
}

/* A 3x2 board in a 4x4 buffer: 6 cells. */
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

/* Against the formulas in double, also far out; differences of those for the slope. */
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

TEST(products) {
    Rng rng = rng_seeded(14);
    for (int round = 0; round < 9; round++) {
        Bench *bench = bench_new(OP_MULTIPLY, (ValueKind)(round % 3), &rng);
        bench_fill(bench, &rng, 2, (size_t)bench->call.rows, NULL);
        check_backward(bench, &rng, 0.5, 1e-4);
        free(bench);
    }
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

static Bench *attention_bench(OpKind kind, Rng *rng) {
    Bench *bench = bench_new(kind, KIND_SPATIAL, rng);
    int kv_heads = 1 + rng_below(rng, 2);
    AttentionShape shape = {.heads = kv_heads * (1 + rng_below(rng, 2)),
                            .kv_heads = kv_heads,
                            .query_channels = 2 * (1 + rng_below(rng, 3)),
                            .value_channels = 1 + rng_below(rng, 4)};
    bench->op.attention = shape;
    bench->call.in_channels[0] =
        (shape.heads + kv_heads) * shape.query_channels + kv_heads * shape.value_channels;
    bench->op.channels =
        kind == OP_ROTARY ? bench->call.in_channels[0] : shape.heads * shape.value_channels;
    return bench;
}

TEST(rotary) {
    Rng rng = rng_seeded(17);
    for (int round = 0; round < 8; round++) {
        Bench *bench = attention_bench(OP_ROTARY, &rng);
        AttentionShape shape = bench->op.attention;
        bench_fill(bench, &rng, 1, 0, (size_t[4]){(size_t)(shape.kv_heads * shape.query_channels)});
        for (size_t i = 0; i < bench->parameter_counts[0]; i++)
            bench->parameters[0][i] *= 0.3f;
        check_backward(bench, &rng, 0.01, 2e-2);
        free(bench);
    }
}

/* A quarter turn a column, half a turn a row. */
TEST(rotary_by_hand) {
    Rng rng = rng_seeded(18);
    Bench *bench = bench_new(OP_ROTARY, KIND_SPATIAL, &rng);
    bench->op.attention = (AttentionShape){1, 1, 2, 1};
    bench->op.channels = bench->call.in_channels[0] = 5;
    bench->call.n = 1;
    bench->call.width = bench->call.height = 2;
    bench->call.rows = bench->call.in_rows = 4;
    memcpy(bench->parameters[0], (float[]){1.5707963f, 3.1415927f}, 2 * sizeof(float));
    for (int i = 0; i < 20; i++)
        bench->x[0][i] = (float)(i % 5 + 1);
    op_class(OP_ROTARY)->forward(&bench->call);
    const float want[20] = {1, 2, 3, 4, 5, -2, 1, -4, 3, 5, -1, -2, -3, -4, 5, 2, -1, 4, -3, 5};
    for (int i = 0; i < 20; i++)
        EXPECT_NEAR(want[i], bench->y[i], 1e-5);
    free(bench);
}

TEST(attention) {
    Rng rng = rng_seeded(19);
    for (int round = 0; round < 8; round++) {
        Bench *bench = attention_bench(OP_ATTENTION, &rng);
        bench->call.height = bench->call.width = 3;
        bench->call.rows = bench->call.in_rows = 9;
        draw_masks(bench, &rng);
        bench_fill(bench, &rng, 1, 0, NULL);
        check_backward(bench, &rng, 0.01, 5e-3);
        free(bench);
    }
}

/* Keys ln(2) apart at a query of 1: the second value has twice the weight; off the board is 0. */
TEST(attention_by_hand) {
    Rng rng = rng_seeded(20);
    Bench *bench = bench_new(OP_ATTENTION, KIND_SPATIAL, &rng);
    bench->op.attention = (AttentionShape){1, 1, 1, 1};
    bench->op.channels = 1;
    bench->call.in_channels[0] = 3;
    bench->call.n = bench->call.height = 1;
    bench->call.width = bench->call.rows = bench->call.in_rows = 3;
    memcpy(bench->mask, (float[]){1, 1, 0}, 3 * sizeof(float));
    memcpy(bench->x[0], (float[]){1, 0, 3, 0, 0.6931472f, 6, 9, 9, 100}, 9 * sizeof(float));
    op_class(OP_ATTENTION)->forward(&bench->call);
    EXPECT_NEAR(5, bench->y[0], 1e-5);
    EXPECT_NEAR(4.5, bench->y[1], 1e-5);
    EXPECT_NEAR(0, bench->y[2], 0);
    free(bench);
}

TEST_MAIN(RUN(convolution), RUN(convolution_by_hand), RUN(dense), RUN(per_channel),
          RUN(sums_and_broadcasts), RUN(mask), RUN(concat_and_slice), RUN(global_pools),
          RUN(global_pool_by_hand), RUN(activations), RUN(batch_norm), RUN(batch_norm_by_hand),
          RUN(batch_norm_of_vectors_leaves_padding_out), RUN(products), RUN(rms_norms),
          RUN(rms_norm_by_hand), RUN(rotary), RUN(rotary_by_hand), RUN(attention),
          RUN(attention_by_hand))
