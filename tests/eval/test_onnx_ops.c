/* Every kind of op: the interpreter of onnx_interpreter.h runs the ONNX nodes that the exporter
 * writes for the op, and the result must be that of the op's definition in plain C. */
#include "eval/onnx_case.h"
#include "nn/op_instance.h"

enum { ROUNDS = 8, SIDE_MAX = 6 };

/* Ops that have no translation, because ONNX cannot express them. */
static const bool REFUSED[OP_KIND_COUNT] = {[OP_FAKE_QUANTIZE] = true, [OP_WEIGHT_STEP] = true};

/* Adds a value of the kind that this input of the instance needs. The numbers of the value differ
 * between samples. */
static Value source(Program *program, const char *name, const Instance *instance, int input) {
    char text[24];
    ValueKind kind = instance->kinds[input];
    int channels = instance->channels[input], rows = instance->list_rows;
    if (kind != KIND_LIST) return program_input(program, name, kind, channels);
    Value vector = program_input(program, name, KIND_VECTOR, channels);
    snprintf(text, sizeof text, "%s.list", name);
    return program_add_broadcast(program, program_constant(program, text, rows, channels, NULL),
                                 vector);
}

static Net *net_of(Instance instance, Rng *rng) {
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, 1);
    program_set_mask(program, planes, 0);
    for (int i = 0; i < op_class(instance.op.kind)->inputs; i++) {
        char name[8] = {'x', (char)('0' + i)};
        instance.op.inputs[i] = source(program, name, &instance, i);
    }
    program_output(program, "y", program_add_op(program, "op", instance.op));
    EXPECT_OK(program_status(program, err));
    EXPECT_OK(net_new(program, rng, &net, err));
    disturb(net, rng);
    return net;
}

static Status translate_all(const Net *net, int height, int width, OnnxGraph *graph, Error *err) {
    const bool outputs[PROGRAM_OUTPUTS_MAX] = {true};
    return onnx_translate(
        net, &(OnnxTranslateSetup){.height = height, .width = width, .outputs = outputs}, graph,
        err);
}

static void expect_refused(const Net *net, OpKind kind) {
    OnnxGraph *graph;
    Error fault = {0};
    EXPECT_OK(onnx_graph_new(&graph, err));
    EXPECT_STATUS(ERR_UNSUPPORTED, translate_all(net, 3, 3, graph, &fault));
    EXPECT_CONTAINS(fault.message, op_class(kind)->phrase);
    onnx_graph_free(graph);
}

static void export_all(const Net *net, int height, int width, const char *path) {
    const OnnxModel model = {.name = "test", .version = "0", .note = ""};
    OnnxGraph *graph;
    EXPECT_OK(onnx_graph_new(&graph, err));
    EXPECT_OK(translate_all(net, height, width, graph, err));
    EXPECT_OK(onnx_graph_write(graph, &model, path, err));
    onnx_graph_free(graph);
}

static void compare_net(const Net *net, int height, int width, uint64_t seed, const char *what) {
    TestPath path = test_path("op.onnx");
    export_all(net, height, width, path.text);
    compare_file(net, path.text, height, width, "reference", seed, what);
    unlink(path.text);
}

TEST(every_op_computes_what_its_definition_says) {
    for (OpKind kind = 0; kind < OP_KIND_COUNT; kind++) {
        if (!op_class(kind)->inputs) continue; /* source() uses inputs and constants already */
        for (uint64_t round = 0; round < ROUNDS; round++) {
            Rng rng = rng_seeded(100 * (uint64_t)kind + round);
            int height = 1 + rng_below(&rng, SIDE_MAX), width = 1 + rng_below(&rng, SIDE_MAX);
            Net *net = net_of(instance_new(kind, &rng), &rng);
            int only = program_only_side(net_program(net));
            if (only) height = width = only;
            if (REFUSED[kind])
                expect_refused(net, kind);
            else
                compare_net(net, height, width, round, op_class(kind)->word);
            net_free(net);
        }
    }
}

/* Fills "planes" (mask, X, O) with a drawn board of 49 points, and "x" with numbers: at point i of
 * sample n, the first channel is -i - n, and the others are random. */
static void fill_board(Infer *infer, const char *board, int channels) {
    enum { POINTS = 49 };
    Rng rng = rng_seeded(1);
    for (int i = 0; i < SAMPLES * POINTS; i++) {
        float *cell = infer_input(infer, 0) + 3 * i, *x = infer_input(infer, 1) + channels * i;
        cell[0] = 1;
        cell[1] = board[i % POINTS] == 'X';
        cell[2] = board[i % POINTS] == 'O';
        for (int c = 1; c < channels; c++)
            x[c] = (float)rng_normal(&rng);
        x[0] = (float)-(i % POINTS) - (float)(i / POINTS);
    }
}

/* Compares an op that reads stones, on the drawn board of 7x7. `out` receives the first channel of
 * the output in the first sample. */
static void compare_on_board(OpKind kind, int channels, const char *board, float out[49]) {
    Program *program;
    Net *net;
    Infer *infer;
    Arena arena = {0};
    char *bytes;
    size_t length;
    TestPath path = test_path("board.onnx");
    const InferSetup setup = {.batch = SAMPLES, .height = 7, .width = 7, .backend = "reference"};
    EXPECT_OK(program_new(&program, err));
    Value planes = program_input(program, "planes", KIND_SPATIAL, 3),
          x = program_input(program, "x", KIND_SPATIAL, channels);
    program_set_mask(program, planes, 0);
    program_output(program, "y",
                   program_add_op(program, "", (Op){.kind = kind, .inputs = {x, planes}}));
    EXPECT_OK(net_new(program, NULL, &net, err));
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    fill_board(infer, board, channels);
    export_all(net, 7, 7, path.text);
    EXPECT_OK(file_read(path.text, 1 << 20, &arena, &bytes, &length, err));
    Model model = read_model(bytes, length);
    Run *run = run_new(&model);
    add_inputs(net, infer, &model, 49, run);
    run_nodes(run, model.graph);
    EXPECT_OK(infer_run(infer, SAMPLES, err));
    compare_outputs(net, infer, &model, 49, run, op_class(kind)->word);
    memcpy(out, find_tensor(run, "y")->values, 49 * sizeof *out);
    run_free(run);
    infer_free(infer);
    net_free(net);
    arena_clear(&arena);
    unlink(path.text);
}

/* The maximum of a chain must reach all its stones. The ends of the longest chain are 12 steps
 * apart. From one edge of the board to the opposite edge there are only 6 steps. The maximum of -i
 * is at the chain's first point. */
TEST(a_chain_is_followed_to_its_end) {
    float y[49];
    compare_on_board(OP_CHAIN_POOL, 1,
                     "XXXXXXX"
                     "O.....X"
                     "OXXXX.X"
                     "OXOOX.X"
                     "OX..X.X"
                     "OXXXX.X"
                     "OOOOO.X",
                     y);
    EXPECT_NEAR(0, y[48], 0);   /* X; its chain begins at point 0 */
    EXPECT_NEAR(-7, y[46], 0);  /* O; its chain begins at point 7 */
    EXPECT_NEAR(0, y[8], 0);    /* an empty point */
    EXPECT_NEAR(-15, y[36], 0); /* X in the middle; its chain begins at point 15 */
}

/* In the average along a diagonal, points that are at most 3 steps away from a stone have large
 * weights. All other points have nearly the same small weight (nn/ops/diagonals.c). The points
 * checked here are far from the stone of the last board. */
TEST(diagonals_differ_near_stones) {
    static const char *const BOARDS[] = {"......."
                                         "......."
                                         "..X...."
                                         "......."
                                         "......."
                                         "......."
                                         ".......",
                                         "......."
                                         "......."
                                         "......."
                                         "......."
                                         "......."
                                         "......."
                                         "......O"};
    float y[49];
    for (size_t i = 0; i < sizeof BOARDS / sizeof *BOARDS; i++)
        compare_on_board(OP_DIAGONALS, 8, BOARDS[i], y);
    EXPECT_NEAR(-3, y[3], 0);                /* a diagonal begins at point 3 */
    EXPECT_NEAR((-3 - 9) / 2.0, y[9], 1e-3); /* and goes on to point 9, below and to the left */
}

TEST(what_no_wanted_output_needs_is_left_out) {
    const bool outputs[PROGRAM_OUTPUTS_MAX] = {false, true};
    const OnnxTranslateSetup setup = {.height = 3, .width = 3, .outputs = outputs};
    const OnnxModel about = {.name = "test", .version = "0", .note = ""};
    TestPath path = test_path("part.onnx");
    Rng rng = rng_seeded(1);
    Arena arena = {0};
    Program *program;
    Net *net;
    OnnxGraph *graph;
    char *bytes;
    size_t length;
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, "x", KIND_VECTOR, 2);
    program_output(program, "a", program_dense(program, "unneeded", x, 3, 1));
    program_output(program, "b", program_bias(program, "needed", x));
    EXPECT_OK(net_new(program, &rng, &net, err));
    EXPECT_OK(onnx_graph_new(&graph, err));
    EXPECT_OK(onnx_translate(net, &setup, graph, err));
    EXPECT_OK(onnx_graph_write(graph, &about, path.text, err));
    EXPECT_OK(file_read(path.text, 1 << 20, &arena, &bytes, &length, err));
    Model model = read_model(bytes, length);
    Run *run = run_new(&model);
    EXPECT_INT(1, model.output_count);
    EXPECT_TEXT("b", model.outputs[0].name.text);
    EXPECT_TRUE(find_tensor(run, "needed.bias") != NULL);
    EXPECT_TRUE(find_tensor(run, "unneeded.weight.transposed") == NULL);
    run_free(run);
    onnx_graph_free(graph);
    net_free(net);
    arena_clear(&arena);
    unlink(path.text);
}

/* Makes a net with one vector as its input, and one half of it as its output. */
static Net *net_with_names(const char *input, const char *output) {
    Rng rng = rng_seeded(1);
    Program *program;
    Net *net;
    EXPECT_OK(program_new(&program, err));
    Value x = program_input(program, input, KIND_VECTOR, 2);
    program_output(program, output, program_slice(program, x, 0, 1));
    EXPECT_OK(net_new(program, &rng, &net, err));
    return net;
}

static void expect_names_refused(const char *input, const char *output, const char *message) {
    Net *net = net_with_names(input, output);
    OnnxGraph *graph;
    Error fault = {0};
    EXPECT_OK(onnx_graph_new(&graph, err));
    EXPECT_STATUS(ERR_UNSUPPORTED, translate_all(net, 3, 3, graph, &fault));
    EXPECT_CONTAINS(fault.message, message);
    onnx_graph_free(graph);
    net_free(net);
}

/* In an ONNX graph each name belongs to one value. The slice has a constant "ints_0". */
TEST(no_two_values_have_the_same_name) {
    Net *net = net_with_names("ints_0", "ints_1");
    compare_net(net, 3, 3, 1, "inputs that have the names of constants");
    net_free(net);
    expect_names_refused("y", "y", "the net has an input and an output \"y\"");
    expect_names_refused("constant/ints_0", "y", "the net has an input \"constant/ints_0\"");
    expect_names_refused("x", "a.weight", "the net has an output \"a.weight\"");
}

TEST_MAIN(RUN(every_op_computes_what_its_definition_says), RUN(a_chain_is_followed_to_its_end),
          RUN(diagonals_differ_near_stones), RUN(what_no_wanted_output_needs_is_left_out),
          RUN(no_two_values_have_the_same_name))
