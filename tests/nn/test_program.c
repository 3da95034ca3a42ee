/* Building programs, and writing them as text: a program is read back as it was written, and
 * mistakes are reported. */
#include "nn/graph/program.h"
#include "test.h"

static Program *started(void) {
    Program *program;
    EXPECT_OK(program_new(&program, err));
    return program;
}

/* A program with many kinds of ops. */
static Program *many_ops(void) {
    Program *program = started();
    Value planes = program_input(program, "planes", KIND_SPATIAL, 4),
          globals = program_input(program, "globals", KIND_VECTOR, 3);
    program_set_mask(program, planes, 1);
    Value x = program_conv(program, "conv", planes, 6, 3, -1);
    x = program_bias(program, "shift", program_scale(program, "gain", x, 0.5));
    x = program_mask(program, program_activation(program, x, ACTIVATION_MISH));
    Value y = program_batch_norm(program, "norm", program_conv(program, "conv2", x, 6, 1, 0.1),
                                 1e-4, 0.9);
    x = program_add(program, x, y);
    x = program_add_broadcast(program, x, program_dense(program, "dense", globals, 6, 0));
    Value pooled = program_global_pool(program, x, POOL_MEAN_SCALE_SCALE);
    x = program_mul_broadcast(program, x, program_slice(program, pooled, 3, 6));
    Value list = program_constant(program, "list", 5, 2, (float[10]){1, 2, 3});
    y = program_batch_norm_of(program, "renorm", program_fixed_scale(program, "fixed", y, 0.5),
                              (BatchNormKind){1e-3, 0.99, true, true});
    program_output(program, "spatial", program_concat(program, x, y));
    AttentionShape shape = {.heads = 2, .kv_heads = 1, .query_channels = 2, .value_channels = 3};
    Value z = program_rms_norm(program, "rms", program_multiply(program, x, y), 1e-5, true);
    z = program_rotary(program, "rotary", program_dense(program, "qkv", z, 9, -1), shape,
                       (float[2]){1, 2}, true);
    program_output(program, "attention", program_attention(program, z, shape));
    program_output(program, "list", program_dense(program, "bins", list, 3, -0.5));
    EXPECT_OK(program_status(program, err));
    return program;
}

TEST(shapes_follow_from_the_ops) {
    Program *program = many_ops();
    const Op *op =
        program_op(program, program_output_value(program, program_find_output(program, "spatial")));
    EXPECT_INT(KIND_SPATIAL, op->shape);
    EXPECT_INT(12, op->channels);
    op = program_op(program, program_output_value(program, program_find_output(program, "list")));
    EXPECT_INT(KIND_LIST, op->shape);
    EXPECT_INT(5, op->rows);
    EXPECT_INT(3, op->channels);
    EXPECT_INT(1, program_find_input(program, "globals"));
    EXPECT_INT(-1, program_find_input(program, "nothing"));
    EXPECT_INT(-1, program_find_output(program, "nothing"));
    /* The multiply-adds are those of these ops:
     *     on 20 cells, a 3 x 3 convolution from 4 to 6 channels and a 1 x 1 convolution from 6 to 6
     *     a dense layer from 3 to 6
     *     on 5 rows, a dense layer from 2 to 3, and on 20 cells one from 6 to 9
     *     attention with 2 heads of 2 + 3 channels between all pairs of 20 cells */
    EXPECT_NEAR(20 * (9 * 24 + 36) + 18 + 5 * 6 + 20 * 6 * 9 + 20 * 20 * 2 * 5,
                program_multiply_adds(program, 4, 5), 0);
    program_free(program);
}

TEST(parameters_are_named_and_shaped) {
    Program *program = many_ops();
    const ParameterSpec *spec = program_parameter(program, 0);
    EXPECT_TEXT("conv.weight", spec->name);
    EXPECT_INT(4, spec->rank);
    EXPECT_INT(6 * 3 * 3 * 4, spec->count);
    EXPECT_TRUE(spec->trained && spec->decayed);
    EXPECT_NEAR(sqrt(2.0 / 36), spec->deviation, 1e-12);
    int untrained = 0;
    for (int i = 0; i < program_parameter_count(program); i++)
        untrained += !program_parameter(program, i)->trained;
    /* the constant, the mean and the variance of two norms, the gain of one norm, a fixed scale */
    EXPECT_INT(7, untrained);
    program_free(program);
}

TEST(text_reads_back_the_same) {
    Program *program = many_ops(), *again;
    StrBuf first = {0}, second = {0};
    EXPECT_OK(program_write(program, &first, err));
    EXPECT_OK(program_read(first.text, first.length, &again, err));
    EXPECT_OK(program_write(again, &second, err));
    EXPECT_TEXT(first.text, second.text);
    EXPECT_INT(program_parameter_count(program), program_parameter_count(again));
    for (int i = 0; i < program_op_count(program); i++) {
        Op a = *program_op(program, i), b = *program_op(again, i);
        EXPECT_TRUE(memcmp(&a, &b, sizeof a) == 0);
    }
    for (int i = 0; i < program_parameter_count(program); i++)
        EXPECT_INT(program_parameter(program, i)->trained, program_parameter(again, i)->trained);
    Value mask;
    int channel;
    program_mask_source(again, &mask, &channel);
    EXPECT_INT(0, mask);
    EXPECT_INT(1, channel);
    strbuf_clear(&first);
    strbuf_clear(&second);
    program_free(program);
    program_free(again);
}

/* Expects that the program remembers a mistake, that the message names `place`, and that later
 * calls are ignored. Frees the program. */
static void expect_fault(Program *program, const char *place) {
    Error error = {0};
    EXPECT_STATUS(ERR_ARGUMENT, program_status(program, &error));
    EXPECT_CONTAINS(error.message, place);
    Value x = program_bias(program, "after", 0);
    EXPECT_INT(-1, x);
    program_output(program, "after", x);
    program_free(program);
}

static Program *with_inputs(void) {
    Program *program = started();
    program_input(program, "s", KIND_SPATIAL, 4);
    program_input(program, "v", KIND_VECTOR, 3);
    return program;
}

/* Makes calls on a program with a spatial and a vector input, and expects a mistake at `place`. */
#define FAULT(place, ...)                                                                          \
    do {                                                                                           \
        Program *program = with_inputs();                                                          \
        __VA_ARGS__;                                                                               \
        expect_fault(program, place);                                                              \
    } while (0)

/* A convolution of 1 x 5 and one of 5 x 1 use the weights of a third one, of 5 x 1. */
TEST(convolutions_share_weights) {
    Program *program = with_inputs(), *again;
    StrBuf text = {0}, second = {0};
    Value a = program_conv_of(program, "a", 0, 6, (ConvKind){.height = 5, .width = 1}, -1),
          b = program_conv_of(program, "b", 0, 6,
                              (ConvKind){.height = 1, .width = 5, .weights_of = a}, 0),
          c = program_conv_of(program, "c", 0, 6,
                              (ConvKind){.height = 5, .width = 1, .weights_of = a}, 0);
    program_output(program, "y", program_add(program, program_add(program, a, b), c));
    EXPECT_OK(program_status(program, err));
    EXPECT_INT(1, program_parameter_count(program));
    EXPECT_INT(6 * 5 * 4, program_parameter(program, 0)->count);
    EXPECT_NEAR(sqrt(2.0 / 20), program_parameter(program, 0)->deviation, 1e-12);
    EXPECT_INT(0, program_op(program, b)->parameters[0]);
    EXPECT_NEAR(3 * 12 * 6 * 5 * 4, program_multiply_adds(program, 3, 4), 0);
    EXPECT_OK(program_write(program, &text, err));
    EXPECT_OK(program_read(text.text, text.length, &again, err));
    EXPECT_OK(program_write(again, &second, err));
    EXPECT_TEXT(text.text, second.text);
    for (int i = 0; i < program_op_count(program); i++) {
        Op x = *program_op(program, i), y = *program_op(again, i);
        EXPECT_TRUE(memcmp(&x, &y, sizeof x) == 0);
    }
    strbuf_clear(&text);
    strbuf_clear(&second);
    program_free(program);
    program_free(again);
}

/* Adds the convolution "a" of 5 x 1 to 6 channels, which has the index 2. Then adds "b" of
 * height x width to `channels` channels. "b" is to use the weights of the op with the index
 * `of`. */
static void share(Program *program, int height, int width, int channels, Value of) {
    program_conv_of(program, "a", 0, 6, (ConvKind){.height = 5, .width = 1}, -1);
    program_conv_of(program, "b", 0, channels,
                    (ConvKind){.height = height, .width = width, .weights_of = of}, 0);
}

TEST(weights_that_do_not_fit_are_not_shared) {
    Program *good = with_inputs();
    share(good, 1, 5, 6, 2);
    EXPECT_OK(program_status(good, err));
    program_free(good);
    FAULT("b", share(program, 1, 3, 6, 2));  /* not as long */
    FAULT("b", share(program, 1, 5, 7, 2));  /* other output channels */
    FAULT("b", share(program, 5, 5, 6, 2));  /* not a line */
    FAULT("b", share(program, 1, 5, 6, 1));  /* an input has no weights */
    FAULT("b", share(program, 1, 5, 6, 3));  /* b itself */
    FAULT("b", share(program, 1, 5, 6, 99)); /* no op */
    FAULT("b", share(program, 1, 5, 6, -2)); /* no op */
    FAULT("c", share(program, 1, 5, 6, 2);   /* b has no weights of its own */
          program_conv_of(program, "c", 0, 6, (ConvKind){5, 1, 1, 3}, 0));
    FAULT("square", program_conv(program, "own", 0, 6, 3, -1);
          program_conv_of(program, "square", 0, 6, (ConvKind){3, 3, 1, 2}, 0));
}

TEST(mistakes_are_reported_with_their_place) {
    FAULT("two", program_input(program, "s", KIND_SPATIAL, 4));
    FAULT("none", program_input(program, "none", KIND_SPATIAL, 0));
    FAULT("list", program_input(program, "list", KIND_LIST, 4));
    FAULT("even", program_conv(program, "even", 0, 3, 2, 0));
    FAULT("narrow", program_conv_of(program, "narrow", 0, 3, (ConvKind){3, 2, 1, 0}, 0));
    FAULT("far", program_conv_of(program, "far", 0, 3, (ConvKind){3, 3, 65, 0}, 0));
    FAULT("one", program_conv_of(program, "one", 0, 3, (ConvKind){1, 1, 2, 0}, 0));
    FAULT("vector", program_conv(program, "vector", 1, 3, 3, 0));
    FAULT("wide", program_dense(program, "wide", 0, 1 << 20, 0));
    FAULT("missing", program_conv(program, "missing", 7, 3, 3, 0));
    FAULT("missing", program_conv(program, "missing", -1, 3, 3, 0));
    FAULT("add", program_add(program, 0, 1));
    FAULT("add", program_add(program, 0, -1));
    FAULT("add_broadcast", program_add_broadcast(program, 0, 1));
    FAULT("mask", program_mask(program, 1));
    FAULT("mask", program_set_mask(program, 0, 4));
    FAULT("mask", program_set_mask(program, 1, 0));
    FAULT("pool", program_global_pool(program, 1, POOL_MEAN_SCALE_MAX));
    FAULT("concat", program_concat(program, 0, 1));
    FAULT("slice", program_slice(program, 0, 2, 3));
    FAULT("slice", program_slice(program, 0, -1, 2));
    FAULT("norm", program_batch_norm(program, "norm", 0, 0, 0.9));
    FAULT("norm", program_batch_norm(program, "norm", 0, 1e-3, 1));
    /* In f32 this momentum is rounded to 1. */
    FAULT("norm", program_batch_norm(program, "norm", 0, 1e-3, 0.99999998));
    FAULT("norm", program_batch_norm(program, "norm", 0, 1e-60, 0.9));
    FAULT("norm", program_batch_norm(program, "norm", 0, (double)NAN, 0.5));
    FAULT("rows", program_constant(program, "rows", 0, 2, NULL));
    FAULT("activation", program_activation(program, 0, (Activation)99));
    FAULT("b.bias", program_bias(program, "b", 0); program_bias(program, "b", 0));
    FAULT("out", program_output(program, "out", 9));
    FAULT("out", program_output(program, "out", 0); program_output(program, "out", 1));
    FAULT("long",
          program_bias(program, "a_name_that_is_far_too_long_for_the_sixty_three_bytes_of_a_name_",
                       0));
}

/* Each concat doubles the channels. Too many are refused long before an int overflows. 2^15
 * channels are allowed, but not the three times as many that pooling would make of them. */
TEST(channels_are_bounded) {
    Program *program = with_inputs();
    Value x = 0;
    for (int i = 0; i < 30; i++)
        x = program_concat(program, x, x);
    expect_fault(program, "concat");
    program = with_inputs();
    x = 0;
    for (int i = 0; i < 13; i++)
        x = program_concat(program, x, x);
    EXPECT_OK(program_status(program, err));
    program_global_pool(program, x, POOL_MEAN_SCALE_MAX);
    expect_fault(program, "pool");
}

/* A list with too many elements is refused even if it needs few weights. For example, a dense layer
 * can make each row of a long list wide. */
TEST(lists_are_bounded) {
    Program *program = with_inputs();
    Value list = program_constant(program, "list", 1 << 14, 1, NULL);
    list = program_dense(program, "wide", list, 1 << 10, 0);
    EXPECT_OK(program_status(program, err));
    program_dense(program, "wider", list, (1 << 10) + 1, 0);
    expect_fault(program, "wider");
    program = with_inputs();
    program_constant(program, "long", 1 << 16, 1 << 9, NULL);
    expect_fault(program, "long");
}

TEST(hostile_text_is_refused) {
#define INPUT "{\"op\":\"input\",\"name\":\"s\",\"shape\":\"spatial\",\"channels\":4,\"inputs\":[]}"
    static const char *const TEXTS[] = {
        "",
        "{",
        "[]",
        "7",
        "null",
        "{\"ops\":[]}",
        "{\"outputs\":{}}",
        "{\"ops\":{},\"outputs\":{}}",
        "{\"ops\":[7],\"outputs\":{}}",
        "{\"ops\":[" INPUT "],\"outputs\":{\"y\":1}}",
        "{\"ops\":[" INPUT "],\"outputs\":{\"y\":-1}}",
        "{\"ops\":[" INPUT "],\"outputs\":{\"y\":4294967296}}",
        "{\"ops\":[" INPUT "],\"outputs\":{\"y\":0.5}}",
        "{\"ops\":[" INPUT "],\"outputs\":{},\"mask\":[4294967296,0]}",
        "{\"ops\":[" INPUT "],\"outputs\":{},\"mask\":[0,4]}",
        "{\"ops\":[" INPUT "],\"outputs\":{},\"mask\":7}",
        "{\"ops\":[" INPUT
        ",{\"op\":\"bomb\",\"name\":\"b\",\"channels\":4,\"inputs\":[0]}],\"outputs\":{}}",
        "{\"ops\":[" INPUT ",{\"op\":\"conv\",\"name\":\"c\",\"channels\":4,\"kernel\":3,"
        "\"inputs\":[1]}],\"outputs\":{}}",
        "{\"ops\":[" INPUT ",{\"op\":\"conv\",\"name\":\"c\",\"channels\":4,\"kernel\":3,"
        "\"inputs\":[]}],\"outputs\":{}}",
        "{\"ops\":[" INPUT ",{\"op\":\"conv\",\"name\":\"c\",\"channels\":4,\"kernel\":-3,"
        "\"inputs\":[0]}],\"outputs\":{}}",
        "{\"ops\":[" INPUT ",{\"op\":\"conv\",\"name\":\"c\",\"channels\":999999999999,\"kernel\":"
        "3,\"inputs\":[0]}],\"outputs\":{}}",
        "{\"ops\":[" INPUT
        ",{\"op\":\"bias\",\"name\":\"b\",\"channels\":5,\"inputs\":[0]}],\"outputs\":{}}",
        "{\"ops\":[" INPUT ",{\"op\":\"activation\",\"name\":\"a\",\"activation\":\"sine\","
        "\"channels\":4,\"inputs\":[0]}],\"outputs\":{}}",
        "{\"ops\":[" INPUT ",{\"op\":\"batch_norm\",\"name\":\"n\",\"epsilon\":-1,\"momentum\":0.5,"
        "\"channels\":4,\"inputs\":[0]}],\"outputs\":{}}",
        "{\"ops\":[" INPUT
        ",{\"op\":\"add\",\"name\":\"n\",\"channels\":4,\"inputs\":[0]}],\"outputs\":{}}",
        "{\"ops\":[{\"op\":\"constant\",\"name\":\"k\",\"rows\":0,\"channels\":4,\"inputs\":[]}],"
        "\"outputs\":{}}",
        "{\"ops\":[{\"op\":\"input\",\"name\":\"s\",\"shape\":\"list\",\"channels\":4,\"inputs\":[]"
        "}],\"outputs\":{}}",
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        Program *program;
        Error error = {0};
        Status status = program_read(TEXTS[i], strlen(TEXTS[i]), &program, &error);
        if (status == OK) fail_msg("accepted: %s", TEXTS[i]);
        EXPECT_TRUE(program == NULL && error.message[0]);
    }
}

TEST_MAIN(RUN(shapes_follow_from_the_ops), RUN(parameters_are_named_and_shaped),
          RUN(text_reads_back_the_same), RUN(mistakes_are_reported_with_their_place),
          RUN(convolutions_share_weights), RUN(weights_that_do_not_fit_are_not_shared),
          RUN(channels_are_bounded), RUN(lists_are_bounded), RUN(hostile_text_is_refused))
