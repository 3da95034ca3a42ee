/* Norms over a batch, over channels and over the board. */
#include "nn/graph/net.h"
#include "op_bench.h"

typedef struct {
    double r[16], d[16];
} Shift;

/* The sum of dy * y for batch norm, computed in double precision as nn/ops/norms/batch_norm.c
 * defines it. `shift` gives r and d of batch renorm, through which no gradient goes; NULL means
 * batch norm. */
static double shifted_loss(const Bench *bench, const double *x, const Shift *shift) {
    const OpCall *call = &bench->call;
    size_t channels = (size_t)bench->op.channels, rows = (size_t)(call->n * call->rows);
    double sum = 0;
    for (size_t c = 0; c < channels; c++) {
        double total = 0, mean = 0, variance = 0;
        for (size_t k = 0; k < rows; k++)
            total += (double)bench->mask[k];
        for (size_t k = 0; k < rows; k++)
            mean += (double)bench->mask[k] * x[k * channels + c] / total;
        for (size_t k = 0; k < rows; k++)
            variance += (double)bench->mask[k] * pow(x[k * channels + c] - mean, 2) / total;
        for (size_t k = 0; k < rows; k++) {
            double normal =
                (x[k * channels + c] - mean) / sqrt(variance + (double)bench->op.epsilon);
            if (shift) normal = normal * shift->r[c] + shift->d[c];
            sum += (double)bench->dy[k * channels + c] *
                   (normal * (double)bench->parameters[0][c] + (double)bench->parameters[1][c]);
        }
    }
    return sum;
}

static double norm_loss(const Bench *bench, const double *x) {
    return shifted_loss(bench, x, NULL);
}

TEST(batch_norm) {
    Rng rng = rng_seeded(11);
    for (int round = 0; round < 8; round++) {
        Bench *bench = bench_new(OP_BATCH_NORM, KIND_SPATIAL, &rng);
        bench->op.epsilon = 1e-3f;
        bench->op.momentum = 0.9f;
        size_t channels = (size_t)bench->op.channels;
        bench_fill(bench, &rng, 1, 0, (size_t[4]){channels, channels});
        static double x[TENSOR_MAX];
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

/* The statistics of {1, 3} on the board are mean 2 and variance 1; the element off the board (100)
 * does not count. */
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
    bench->call.running[2] = &mean;
    bench->call.running[3] = &variance;
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

/* The padding at the end of a batch of vectors does not count. */
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

/* A case of batch renorm. The batch is {1, 3}, with the mean 2 and the standard deviation 1. `mean`
 * and `deviation` are the running statistics before this batch. */
typedef struct {
    float mean, deviation, r_max, d_max;
    double r, d; /* as they should be */
} Renormed;

static void check_renorm(Renormed wanted) {
    Rng rng = rng_seeded(12);
    Bench *bench = bench_new(OP_BATCH_NORM, KIND_SPATIAL, &rng);
    float mean = wanted.mean, variance = wanted.deviation * wanted.deviation;
    bench->op.channels = bench->call.in_channels[0] = bench->call.n = 1;
    bench->op.epsilon = 0;
    bench->op.momentum = 0.75f;
    bench->op.renorm = true;
    bench->call.r_max = wanted.r_max;
    bench->call.d_max = wanted.d_max;
    bench->call.height = 1;
    bench->call.width = bench->call.rows = bench->call.in_rows = 3;
    memcpy(bench->mask, (float[]){1, 1, 0}, 3 * sizeof(float));
    memcpy(bench->x[0], (float[]){1, 3, 100}, 3 * sizeof(float));
    bench->parameters[0][0] = 2;
    bench->parameters[1][0] = 7;
    bench->call.parameters[2] = bench->call.running[2] = &mean; /* one array, as in a net */
    bench->call.parameters[3] = bench->call.running[3] = &variance;
    op_class(OP_BATCH_NORM)->forward(&bench->call);
    EXPECT_NEAR(2 * (-1 * wanted.r + wanted.d) + 7, bench->y[0], 1e-5);
    EXPECT_NEAR(2 * (1 * wanted.r + wanted.d) + 7, bench->y[1], 1e-5);
    EXPECT_NEAR(0.75 * (double)wanted.mean + 0.25 * 2, mean, 1e-5);
    double deviation = 0.75 * (double)wanted.deviation + 0.25 * 1;
    EXPECT_NEAR(deviation * deviation, variance, 1e-5);
    bench->call.training = false; /* normalised by the running statistics alone */
    op_class(OP_BATCH_NORM)->forward(&bench->call);
    EXPECT_NEAR(2 * (1 - (double)mean) / deviation + 7, bench->y[0], 1e-5);
    free(bench);
}

/* Ioffe 2017, algorithm 1: r = 1 / running deviation and d = (2 - running mean) / running
 * deviation, each within its limits. */
TEST(batch_renorm_by_hand) {
    /* within the limits: r and d give what the running statistics would give */
    check_renorm((Renormed){1.5f, 0.5f, 3, 5, 2, 1});
    check_renorm((Renormed){1.5f, 0.5f, 1, 0, 1, 0});         /* limits that leave batch norm */
    check_renorm((Renormed){1.5f, 0.5f, 1.5f, 5, 1.5, 1});    /* r at its maximum */
    check_renorm((Renormed){1.5f, 4, 2, 5, 0.5, 0.125});      /* r at its minimum */
    check_renorm((Renormed){1.5f, 4, 5, 5, 0.25, 0.125});     /* r below 1, within the limits */
    check_renorm((Renormed){1.5f, 0.5f, 3, 0.25f, 2, 0.25});  /* d at its maximum */
    check_renorm((Renormed){2.5f, 0.5f, 3, 0.25f, 2, -0.25}); /* d at its minimum */
}

/* Returns r and d, which forward has saved. */
static Shift shift_of(const Bench *bench) {
    Shift shift;
    size_t channels = (size_t)bench->op.channels;
    assert_true(channels <= 16);
    for (size_t c = 0; c < channels; c++) {
        shift.r[c] = (double)bench->saved[2 * channels + c];
        shift.d[c] = (double)bench->saved[3 * channels + c];
    }
    return shift;
}

static void check_renorm_slopes(Bench *bench, const Shift *shift) {
    static double x[TENSOR_MAX];
    size_t channels = (size_t)bench->op.channels;
    for (size_t i = 0; i < bench->x_counts[0]; i++)
        x[i] = (double)bench->x[0][i];
    for (size_t i = 0; i < bench->x_counts[0]; i++) {
        double value = x[i], more, less;
        x[i] = value + 1e-5;
        more = shifted_loss(bench, x, shift);
        x[i] = value - 1e-5;
        less = shifted_loss(bench, x, shift);
        x[i] = value;
        EXPECT_NEAR((more - less) / 2e-5, bench->dx[0][i], 2e-3 * (1 + fabs(more - less) / 2e-5));
    }
    for (size_t k = 0; k < 2 * channels; k++) {
        float *at = &bench->parameters[k / channels][k % channels], value = *at;
        *at = value + 0.5f;
        double more = shifted_loss(bench, x, shift);
        *at = value - 0.5f;
        double less = shifted_loss(bench, x, shift);
        *at = value;
        EXPECT_NEAR(more - less, bench->gradients[k / channels][k % channels], 2e-3);
    }
}

/* Some r and d are at their limits, some are not; no gradient goes through them in either case. */
TEST(batch_renorm) {
    Rng rng = rng_seeded(14);
    int limited = 0, free_ones = 0;
    for (int round = 0; round < 12; round++) {
        Bench *bench = bench_new(OP_BATCH_NORM, KIND_SPATIAL, &rng);
        size_t channels = (size_t)bench->op.channels;
        bench->op.epsilon = 1e-2f;
        bench->op.renorm = true;
        bench->call.r_max = 1.5f;
        bench->call.d_max = 0.5f;
        bench_fill(bench, &rng, 1, 0, (size_t[4]){channels, channels, channels, channels});
        for (size_t c = 0; c < channels; c++)
            bench->parameters[3][c] = 0.2f + fabsf(bench->parameters[3][c]);
        double got = loss(bench);
        Shift shift = shift_of(bench);
        for (size_t c = 0; c < channels; c++) {
            bool at_limit = fabs(shift.d[c]) >= 0.5 || shift.r[c] >= 1.5 || shift.r[c] <= 1 / 1.5;
            limited += at_limit;
            free_ones += !at_limit;
        }
        static double x[TENSOR_MAX];
        for (size_t i = 0; i < bench->x_counts[0]; i++)
            x[i] = (double)bench->x[0][i];
        EXPECT_NEAR(shifted_loss(bench, x, &shift), got, 1e-3 * (1 + fabs(got)));
        bench->call.dx[0] = bench->dx[0];
        bench->call.first[0] = true;
        for (int i = 0; i < 2; i++)
            bench->call.gradients[i] = bench->gradients[i];
        op_class(OP_BATCH_NORM)->backward(&bench->call);
        check_renorm_slopes(bench, &shift);
        free(bench);
    }
    EXPECT_TRUE(limited > 10 && free_ones > 3);
}

/* The mean square is over the channels of a row, or over all cells on the mask. */
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

/* {1, 7} has the mean square 25, {3, 4} has 12.5, and both together have 75 / 4. The cell off the
 * board does not count, and y is 0 there. */
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

/* Two rows with the means 4 and 2. The variances of {1, 7} and {2, 2} are 9 and 0, and epsilon is
 * 7. So before gain and bias the first row becomes {-3, 3} / 4 and the second {0, 0}. The second
 * row is off the board, where the formula is the same. With dy = {4, 0.8} in the first row,
 * dy * gain is {4, 8}, which has the mean 6. Its product with {-3, 3} / 4 is {-3, 6}, which has the
 * mean 3 / 2. Then
 *     dx = ({4, 8} - 6 - {-3, 3} / 4 * 3 / 2) / 4 = {-7, 7} / 32 */
TEST(layer_norm_by_hand) {
    Rng rng = rng_seeded(17);
    Bench *bench = bench_new(OP_LAYER_NORM, KIND_SPATIAL, &rng);
    bench->op.channels = bench->call.in_channels[0] = 2;
    bench->op.epsilon = 7;
    bench->call.n = bench->call.height = 1;
    bench->call.width = bench->call.rows = bench->call.in_rows = 2;
    memcpy(bench->mask, (float[]){1, 0}, 2 * sizeof(float));
    memcpy(bench->x[0], (float[]){1, 7, 2, 2}, 4 * sizeof(float));
    memcpy(bench->parameters[0], (float[]){1, 10}, 2 * sizeof(float));
    memcpy(bench->parameters[1], (float[]){5, -1}, 2 * sizeof(float));
    memcpy(bench->dy, (float[]){4, 0.8f, 0, 0}, 4 * sizeof(float));
    memcpy(bench->dx[0], (float[]){100, 100, 100, 100}, 4 * sizeof(float));
    memcpy(bench->gradients[0], (float[]){20, 30}, 2 * sizeof(float));
    memcpy(bench->gradients[1], (float[]){40, 50}, 2 * sizeof(float));
    bench->call.dx[0] = bench->dx[0];
    bench->call.gradients[0] = bench->gradients[0];
    bench->call.gradients[1] = bench->gradients[1];
    const double y[4] = {-0.75 + 5, 7.5 - 1, 5, -1},
                 dx[4] = {100 - 7 / 32.0, 100 + 7 / 32.0, 100, 100};
    op_class(OP_LAYER_NORM)->forward(&bench->call);
    op_class(OP_LAYER_NORM)->backward(&bench->call);
    for (int i = 0; i < 4; i++) {
        EXPECT_NEAR(y[i], bench->y[i], 1e-6);
        EXPECT_NEAR(dx[i], bench->dx[0][i], 1e-5);
    }
    EXPECT_NEAR(20 + 4 * -0.75, bench->gradients[0][0], 1e-6);
    EXPECT_NEAR(30 + 0.8 * 0.75, bench->gradients[0][1], 1e-5);
    EXPECT_NEAR(40 + 4, bench->gradients[1][0], 0);
    EXPECT_NEAR(50 + 0.8, bench->gradients[1][1], 1e-5);
    free(bench);
}

/* The gains begin at 1 and the biases at 0. Both are trained, but without weight decay. An epsilon
 * of 0 is refused. */
TEST(layer_norm_begins_as_a_norm_alone) {
    Program *program;
    Net *net;
    Rng rng = rng_seeded(18);
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "x", KIND_VECTOR, 3);
    Op norm = {.kind = OP_LAYER_NORM, .inputs = {x}, .epsilon = 1e-3f};
    program_output(program, "y", program_add_op(program, "norm", norm));
    EXPECT_OK(net_new(program, &rng, &net, err));
    for (int i = 0; i < 2; i++) {
        const ParameterSpec *spec = program_parameter(program, i);
        EXPECT_TEXT(i ? "norm.bias" : "norm.gain", spec->name);
        EXPECT_TRUE(spec->trained && !spec->decayed);
        for (int c = 0; c < 3; c++)
            EXPECT_NEAR(i ? 0 : 1, net_values(net, i)[c], 0);
    }
    net_free(net);
    norm.epsilon = 0;
    EXPECT_OK(program_new(&program, err));
    norm.inputs[0] = program_input(program, "x", KIND_VECTOR, 3);
    EXPECT_INT(-1, program_add_op(program, "norm", norm));
    EXPECT_STATUS(ERR_ARGUMENT, program_status(program, NULL));
    program_free(program);
}

TEST_MAIN(RUN(batch_norm), RUN(batch_norm_by_hand), RUN(batch_norm_of_vectors_leaves_padding_out),
          RUN(batch_renorm_by_hand), RUN(batch_renorm), RUN(rms_norms), RUN(rms_norm_by_hand),
          RUN(layer_norm_by_hand), RUN(layer_norm_begins_as_a_norm_alone))
