/* Convolutions whose kernels are as wide as the board, or wider: inference and training against the
 * definition. */
#include "base/thread.h"
#include "nn/infer/infer.h"
#include "nn/learn/learn.h"
#include "test.h"

enum { IN = 16, OUT = 64 };

typedef struct {
    int side, kernel, dilation;
} Shape;

static Net *net_of(Shape shape) {
    Program *program;
    Net *net;
    Rng rng = rng_seeded(1);
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "x", KIND_SPATIAL, IN);
    program_set_mask(program, x, 0);
    program_output(program, "y",
                   program_conv_of(program, "c", x, OUT,
                                   (ConvKind){.height = shape.kernel, .dilation = shape.dilation},
                                   -1));
    EXPECT_OK(net_new(program, &rng, &net, err));
    return net;
}

static void fill(float *x, int side) {
    Rng rng = rng_seeded(2);
    for (int i = 0; i < side * side * IN; i++)
        x[i] = i % IN ? (float)rng_normal(&rng) : 1;
}

static void expect_same(const char *executor, Shape shape, const float *want, const float *got,
                        double tolerance) {
    double difference = 0, length = 0;
    for (int i = 0; i < shape.side * shape.side * OUT; i++) {
        difference += pow((double)want[i] - (double)got[i], 2);
        length += pow((double)want[i], 2);
    }
    if (!(difference <= tolerance * tolerance * length))
        fail_msg("%s, side %d, kernel %d, dilation %d: the output differs by %g of its length",
                 executor, shape.side, shape.kernel, shape.dilation, sqrt(difference / length));
}

static void compare(const Net *net, Shape shape, const float *want, Precision precision) {
    double tolerance = precision == PRECISION_BF16 ? 0.02 : 1e-5;
    const InferSetup setup = {
        .batch = 1, .height = shape.side, .width = shape.side, .precision = precision};
    const LearnSetup learning = {
        .batch = 1, .height = shape.side, .width = shape.side, .precision = precision};
    Infer *infer;
    Learn *learn;
    Net *copy;
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    fill(infer_input(infer, 0), shape.side);
    EXPECT_OK(infer_run(infer, 1, err));
    expect_same("inference", shape, want, infer_output(infer, 0), tolerance);
    infer_free(infer);
    EXPECT_OK(net_copy(net, &copy, err));
    EXPECT_OK(learn_new(copy, &learning, &learn, err));
    fill(learn_input(learn, 0), shape.side);
    EXPECT_OK(learn_forward(learn, 1, true, err));
    expect_same("learning", shape, want, learn_output(learn, 0), tolerance);
    learn_free(learn);
    net_free(copy);
}

TEST(wide_kernels_do_not_read_beyond_the_edge) {
    static const Shape SHAPES[] = {{7, 7, 1},  {7, 9, 1},   {7, 11, 1}, {9, 9, 1}, {9, 11, 1},
                                   {9, 13, 1}, {11, 13, 1}, {7, 5, 2},  {7, 3, 4}, {11, 7, 2}};
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        Shape shape = SHAPES[i];
        Net *net = net_of(shape);
        const InferSetup setup = {
            .batch = 1, .height = shape.side, .width = shape.side, .backend = "reference"};
        Infer *reference;
        EXPECT_OK(infer_new(net, &setup, &reference, err));
        fill(infer_input(reference, 0), shape.side);
        EXPECT_OK(infer_run(reference, 1, err));
        for (Precision precision = PRECISION_F32; precision <= PRECISION_BF16; precision++)
            compare(net, shape, infer_output(reference, 0), precision);
        infer_free(reference);
        net_free(net);
    }
}

typedef struct {
    Learn *learn;
    int side;
    Status status;
} Work;

static void *work(void *argument) {
    Work *w = argument;
    fill(learn_input(w->learn, 0), w->side);
    w->status = learn_forward(w->learn, 1, true, NULL);
    for (int i = 0; i < w->side * w->side * OUT; i++)
        learn_output_gradient(w->learn, 0)[i] = 1;
    if (!w->status) w->status = learn_backward(w->learn, NULL);
    return NULL;
}

/* A trainer makes its executors in one thread and runs them in others. Layers with wide kernels
 * need scratch memory. By default, oneDNN gives it only to the thread that has made the layers. */
TEST(layers_with_scratch_memory_run_in_any_thread) {
    const Shape shape = {7, 9, 1};
    for (Precision precision = PRECISION_F32; precision <= PRECISION_BF16; precision++) {
        Net *net = net_of(shape);
        const LearnSetup setup = {
            .batch = 1, .height = shape.side, .width = shape.side, .precision = precision};
        Work there = {.side = shape.side}, here = there;
        pthread_t thread;
        EXPECT_OK(learn_new(net, &setup, &there.learn, err));
        EXPECT_OK(thread_start(&thread, work, &there, err));
        EXPECT_INT(0, pthread_join(thread, NULL));
        EXPECT_OK(learn_new(net, &setup, &here.learn, err));
        work(&here);
        EXPECT_TRUE(!there.status && !here.status);
        expect_same("another thread", shape, learn_output(here.learn, 0),
                    learn_output(there.learn, 0), 1e-6);
        size_t weights = program_parameter(net_program(net), 0)->count;
        for (size_t i = 0; i < weights; i++)
            EXPECT_NEAR(learn_gradient(here.learn, 0)[i], learn_gradient(there.learn, 0)[i], 1e-5);
        learn_free(there.learn);
        learn_free(here.learn);
        net_free(net);
    }
}

TEST_MAIN(RUN(layers_with_scratch_memory_run_in_any_thread),
          RUN(wide_kernels_do_not_read_beyond_the_edge))
