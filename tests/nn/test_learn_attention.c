/* Attention for training by matrix products, in f32 and bf16, against its definition (the backend
 * "reference"), over random shapes, masks and layouts of the heads; and the products themselves. */
#include "nn/attention_net.h"
#include "nn/backends/backend.h"
#include "nn/learn/learn.h"
#include "nn/learn/learn_attention.h"
#include "nn/learn/learn_product.h"

enum { NETS = 30 };

/* Small whole numbers, so that products and sums are exact in bf16, too. */
static float whole(Rng *rng) {
    return (float)(rng_below(rng, 9) - 4);
}

/* Fills a matrix (rows, stride). Of each row, the elements from `count` on become 0. */
static void fill_rows(float *x, size_t rows, size_t count, size_t stride, Rng *rng) {
    for (size_t i = 0; i < rows * stride; i++)
        x[i] = i % stride < count ? whole(rng) : 0;
}

static float *copy_of(const float *x, size_t count) {
    float *copy = malloc(count * sizeof *copy);
    EXPECT_TRUE(copy != NULL);
    memcpy(copy, x, count * sizeof *copy);
    return copy;
}

static void check_product(const ProductShape *shape, bool transposed, Rng *rng) {
    enum { ROOM = 64 * 64 };
    static float a[ROOM], b[ROOM], c[ROOM];
    size_t a_rows = transposed ? shape->depth : shape->rows,
           stride = transposed ? shape->rows : shape->stride;
    fill_rows(a, a_rows, transposed ? stride : shape->depth, stride, rng);
    fill_rows(b, shape->depth, shape->columns, shape->columns, rng);
    float *was_a = copy_of(a, ROOM), *was_b = copy_of(b, ROOM);
    (transposed ? product_transposed : product)(shape, a, b, c);
    for (size_t i = 0; i < shape->rows; i++) {
        for (size_t j = 0; j < shape->columns; j++) {
            double want = 0;
            for (size_t k = 0; k < shape->depth; k++)
                want += (double)was_a[transposed ? k * stride + i : i * stride + k] *
                        (double)was_b[k * shape->columns + j];
            EXPECT_NEAR(want, c[i * shape->columns + j], 0);
        }
    }
    free(was_a);
    free(was_b);
}

TEST(products_of_whole_numbers_are_exact) {
    Rng rng = rng_seeded(1);
    if (!product_can()) SKIP("this processor has no fast products");
    for (int round = 0; round < 200; round++) {
        bool bf16 = round % 2 && product_can_bf16(), transposed = round % 4 > 1;
        ProductShape shape = {.rows = 1 + (size_t)rng_below(&rng, 40),
                              .depth = 1 + (size_t)rng_below(&rng, 40),
                              .columns = 16 * (1 + (size_t)rng_below(&rng, 3)),
                              .bf16 = bf16};
        shape.stride = (shape.depth + 15) / 16 * 16;
        if (transposed) shape.rows = (shape.rows + 15) / 16 * 16;
        check_product(&shape, transposed, &rng);
    }
}

static double length_of(const float *x, size_t count) {
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += pow((double)x[i], 2);
    return sqrt(squares);
}

/* Returns the length of the difference, divided by the length of `want` or by `least`, whichever is
 * larger. */
static double distance(const float *want, const float *got, size_t count, double least) {
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += pow((double)want[i] - (double)got[i], 2);
    return sqrt(squares) / fmax(length_of(want, count), least);
}

static Learn *run(Net *net, int height, int width, Precision precision, const char *backend,
                  uint64_t seed) {
    const LearnSetup setup = {BATCH, height, width, precision, backend};
    const Program *program = net_program(net);
    Rng rng = rng_seeded(seed + 1);
    Learn *learn;
    EXPECT_OK(learn_new(net, &setup, &learn, err));
    draw_boards(learn_input(learn, 0), learn_input(learn, 1), height, width, seed % 2, seed);
    EXPECT_OK(learn_forward(learn, BATCH, true, err));
    int channels = program_op(program, program_output_value(program, 0))->channels;
    for (int i = 0; i < BATCH * height * width * channels; i++) {
        bool on = learn_input(learn, 0)[i / channels * CHANNELS] != 0;
        float slope = (float)rng_normal(&rng);
        learn_output_gradient(learn, 0)[i] = on ? slope : 0;
    }
    EXPECT_OK(learn_backward(learn, err));
    return learn;
}

typedef struct {
    double sum, count, max;
} Distances;

static void note(Distances *distances, double by) {
    distances->sum += by;
    distances->count++;
    distances->max = fmax(distances->max, by);
}

/* The distances of the output and of all gradients from those of the definition in f32. Gradients
 * count in relation to at least a tenth of the length of all gradients together, because a sum that
 * nearly cancels has a large relative error. */
static void compare(Precision precision, uint64_t seed, Distances *distances) {
    Rng rng = rng_seeded(seed);
    int height = 2 + rng_below(&rng, SIZE_MAX_TESTED - 1),
        width = rng_below(&rng, 2) ? height : 2 + rng_below(&rng, SIZE_MAX_TESTED - 1);
    const Layout layout = layout_drawn(&rng, height, width);
    Net *net = net_of(&layout, &rng);
    bool one_side = program_only_side(net_program(net)) > 0;
    if (one_side) seed |= 1; /* the boards fill the buffer */
    const Program *program = net_program(net);
    Learn *want = run(net, height, width, PRECISION_F32, "reference", seed),
          *got = run(net, height, width, precision, NULL, seed);
    int channels = program_op(program, program_output_value(program, 0))->channels;
    note(distances, distance(learn_output(want, 0), learn_output(got, 0),
                             (size_t)(BATCH * height * width * channels), 1e-2));
    double all = 0;
    for (int p = 0; p < program_parameter_count(program); p++)
        all = hypot(all, length_of(learn_gradient(want, p), program_parameter(program, p)->count));
    for (int p = 0; p < program_parameter_count(program); p++)
        note(distances, distance(learn_gradient(want, p), learn_gradient(got, p),
                                 program_parameter(program, p)->count, 0.1 * all));
    learn_free(want);
    learn_free(got);
    net_free(net);
}

static Distances compare_all(Precision precision) {
    Distances distances = {0};
    for (uint64_t seed = 0; seed < NETS; seed++)
        compare(precision, 10 * seed + seed % 3, &distances);
    return distances;
}

TEST(f32_agrees_with_the_definition) {
    Distances distances = compare_all(PRECISION_F32);
    EXPECT_TRUE(distances.max < 1e-4);
    EXPECT_TRUE(distances.sum / distances.count < 1e-5);
}

/* The root mean square of the error of a factor that is rounded to bf16 is about 2^-9.2 of it. From
 * the input to a gradient there are about six products, whose two factors are rounded
 * independently:
 *     2^-9.2 * sqrt(2 * 6) = 0.6%
 * The softmax turns the error of a logit into a relative error of a weight, so large logits make it
 * larger. The greatest distance that was measured is 3%, and the mean is 0.8%. */
TEST(bf16_agrees_within_its_rounding) {
    if (!learn_attention_can_bf16()) SKIP("bf16 is not native here");
    Distances distances = compare_all(PRECISION_BF16);
    EXPECT_TRUE(distances.max < 0.06);
    EXPECT_TRUE(distances.sum / distances.count < 0.012);
    EXPECT_TRUE(distances.sum / distances.count > 1e-3); /* bf16 was really used */
}

/* The code that ran attention in the last net, as `aji bench train` prints it. */
TEST(the_times_name_the_arithmetic) {
    const Precision precisions[] = {PRECISION_F32, PRECISION_BF16};
    const char *const codes[] = {"gemm", "bf16"};
    if (!learn_attention_can_bf16()) SKIP("bf16 is not native here");
    for (int i = 0; i < 2; i++) {
        Rng rng = rng_seeded(1);
        const Layout layout = {.heads = {2, 1, 4, 4}, .maps = true, .side = 3};
        Net *net = net_of(&layout, &rng);
        const Program *program = net_program(net);
        Learn *learn = run(net, 5, 5, precisions[i], NULL, 1);
        EXPECT_OK(learn_time_ops(learn, err));
        EXPECT_TEXT(codes[i], learn_op_times(learn)[program_output_value(program, 0)].code);
        learn_free(learn);
        net_free(net);
    }
}

TEST_MAIN(RUN(products_of_whole_numbers_are_exact), RUN(f32_agrees_with_the_definition),
          RUN(bf16_agrees_within_its_rounding), RUN(the_times_name_the_arithmetic))
