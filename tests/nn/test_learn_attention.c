/* Attention for training by matrix products, in f32 and bf16, against its definition (the backend
 * "reference"), over random shapes, masks and layouts of the heads; and the products themselves. */
#include "nn/backends/backend.h"
#include "nn/learn/learn.h"
#include "nn/learn/learn_attention.h"
#include "nn/learn/learn_product.h"
#include "test.h"

enum { SIZE_MAX_TESTED = 9, BATCH = 3, CHANNELS = 12, NETS = 30 };

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

/* How a net of this test attends. */
typedef struct {
    AttentionShape heads;
    bool rotated, maps, gains;
    MapKind kind;
    int side, rank;
} Layout;

static Layout layout_drawn(Rng *rng, int height, int width) {
    Layout layout = {.rotated = rng_below(rng, 2),
                     .maps = rng_below(rng, 3) > 0,
                     .gains = rng_below(rng, 2),
                     .kind = (MapKind)rng_below(rng, 3),
                     .side = 2 + rng_below(rng, 8)};
    layout.heads.kv_heads = 1 + rng_below(rng, 3);
    layout.heads.heads = layout.heads.kv_heads * (1 + rng_below(rng, 3));
    layout.heads.query_channels = 2 * (1 + rng_below(rng, 10));
    layout.heads.value_channels = 1 + rng_below(rng, 20);
    if (layout.kind == MAP_RANKS) layout.rank = 1 + rng_below(rng, 18);
    if (layout.kind == MAP_POINTS && height != width) layout.kind = MAP_OFFSETS;
    if (layout.kind == MAP_POINTS) layout.side = height;
    return layout;
}

/* Adds the maps of all heads, which a dense layer computes from the globals, as smolgen does. */
static Value add_maps(Program *program, const Layout *layout, Value globals) {
    int side = layout->side, points = side * side, offsets = (2 * side - 1) * (2 * side - 1),
        rows = layout->heads.heads * (layout->gains ? 2 : 1),
        width = layout->kind == MAP_POINTS    ? points * points
                : layout->kind == MAP_OFFSETS ? offsets
                                              : 2 * points * layout->rank;
    Value maps = program_dense(program, "maps", globals, rows * width, -1);
    return program_add_op(program, "rows",
                          (Op){.kind = OP_VECTOR_ROWS, .inputs = {maps}, .list_rows = rows});
}

static Net *net_of(const Layout *layout, Rng *rng) {
    AttentionShape a = layout->heads;
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, CHANNELS),
          globals = program_input(program, "globals", KIND_VECTOR, 4);
    program_set_mask(program, planes, 0);
    int channels = (a.heads + a.kv_heads) * a.query_channels + a.kv_heads * a.value_channels;
    Value x = program_dense(program, "qkv", planes, channels, -1);
    if (layout->rotated) x = program_rotary(program, "rotary", x, a, NULL, true);
    if (layout->maps)
        x = program_add_op(program, "attention_maps",
                           (Op){.kind = OP_ATTENTION_MAPS,
                                .inputs = {x, add_maps(program, layout, globals)},
                                .attention = a,
                                .side = layout->side,
                                .map = {.kind = layout->kind, .rank = layout->rank}});
    else
        x = program_attention(program, x, a);
    program_output(program, "y", x);
    EXPECT_OK(program_status(program, err));
    EXPECT_OK(net_new(program, rng, &net, err));
    for (int p = 0; layout->rotated && p < program_parameter_count(net_program(net)); p++) {
        if (strstr(program_parameter(net_program(net), p)->name, "rotary") == NULL) continue;
        for (size_t i = 0; i < program_parameter(net_program(net), p)->count; i++)
            net_values(net, p)[i] = (float)rng_uniform(rng);
    }
    return net;
}

/* Boards that fill the buffer, or smaller boards at a random place of it. */
static void draw_boards(Learn *learn, int height, int width, bool whole_boards, uint64_t seed) {
    Rng rng = rng_seeded(seed);
    float *to = learn_input(learn, 0);
    for (int n = 0; n < BATCH; n++) {
        int top = whole_boards ? 0 : rng_below(&rng, height - 1),
            left = whole_boards ? 0 : rng_below(&rng, width - 1),
            rows = whole_boards ? height : 2 + rng_below(&rng, height - top - 1),
            columns = whole_boards ? width : 2 + rng_below(&rng, width - left - 1);
        for (int i = 0; i < height * width * CHANNELS; i++, to++) {
            int row = i / CHANNELS / width - top, column = i / CHANNELS % width - left;
            bool on = row >= 0 && row < rows && column >= 0 && column < columns;
            float drawn = (float)rng_normal(&rng);
            *to = !on ? 0 : i % CHANNELS ? drawn : 1;
        }
    }
    for (int i = 0; i < BATCH * 4; i++)
        learn_input(learn, 1)[i] = (float)rng_normal(&rng);
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
    draw_boards(learn, height, width, seed % 2, seed);
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
