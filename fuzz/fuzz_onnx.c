/* fuzz_onnx.c - exports nets as ONNX files. The first byte says what the rest of the input is:
 *   - 'a': the description of an architecture. Its net gets random weights.
 *   - 'p': the text of a program, which need not have the inputs and outputs of a net for Go. Its
 *     net gets random weights, and all its outputs are exported.
 *   - others: a net file (fuzz_write_tensors()).
 * The board has 3 to 6 rows and columns, which follow from the length of the input. If the export
 * is refused, there must be a message and no file. Otherwise the interpreter of
 * tests/eval/onnx_interpreter.h must be able to run the file. Its outputs must be equal to those of
 * Aji's executor except for rounding. To measure how large the effect of rounding can be, the
 * executor runs a second time, with weights that differ by about 1e-6. Large nets do not run. */
#include "fuzz_arch.h"

#include <unistd.h>

#include "eval/formats/onnx/onnx_save.h"
#include "eval/onnx_case.h"
#include "nn/graph/only_side.h"

enum { MULTIPLY_ADDS_MAX = 400000, VALUES = 1 << 15, OPS_MAX = 400 };

/* Returns whether the program is small enough for the interpreter. Returns false also if a norm has
 * a tiny epsilon, because such a norm can turn the rounding error of a 0 into any number. */
static bool can_run(const Program *program, const OnnxSetup *size) {
    int64_t values = 0;
    if (program_op_count(program) > OPS_MAX || program_input_count(program) > PORTS_MAX - 1 ||
        program_output_count(program) > PORTS_MAX - 1)
        return false;
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        bool is_norm =
            op->kind == OP_BATCH_NORM || op->kind == OP_RMS_NORM || op->kind == OP_LAYER_NORM;
        values +=
            (int64_t)program_rows(op->shape, op->rows, size->height, size->width) * op->channels;
        if (is_norm && !(op->epsilon >= 1e-5f)) return false;
    }
    return values < VALUES &&
           program_multiply_adds(program, size->height, size->width) < MULTIPLY_ADDS_MAX;
}

static size_t weights_of(const Program *program) {
    size_t weights = 0;
    for (int p = 0; p < program_parameter_count(program); p++)
        weights += program_parameter(program, p)->count;
    return weights;
}

/* Makes an executor of the net, whose weights are first changed by about the fraction `noise` of
 * their size, fills its inputs, and runs it. */
static Infer *run_net(const Net *net, const OnnxSetup *size, double noise) {
    const InferSetup setup = {.batch = SAMPLES, .height = size->height, .width = size->width};
    Rng rng = rng_seeded(1), inputs = rng_seeded(2);
    Infer *infer;
    Net *copy;
    CHECK(!net_copy(net, &copy, NULL));
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        for (size_t i = 0; i < program_parameter(net_program(net), p)->count; i++)
            net_values(copy, p)[i] *= (float)(1 + noise * rng_normal(&rng));
    }
    Status status = infer_new(copy, &setup, &infer, NULL);
    net_free(copy);
    if (status) return NULL;
    fill_inputs(net, infer, size->height * size->width, &inputs);
    CHECK(!infer_run(infer, SAMPLES, NULL));
    return infer;
}

/* Compares an output of the file with that of the executor. The difference counts as a whole, in
 * relation to the length of the output, because the effect of rounding on single numbers varies. */
static void compare_output(const Program *program, int output, const Infer *want,
                           const Infer *shaken, const Tensor *got, int cells) {
    const Op *op = program_op(program, program_output_value(program, output));
    double length = 0, rounding = 0, apart = 0;
    CHECK(got && count_of(got) == (size_t)SAMPLES * (size_t)op->channels *
                                      (size_t)program_rows(op->shape, op->rows, 1, cells));
    for (size_t k = 0; k < count_of(got); k++) {
        double a = (double)infer_output(want, output)[in_program(op, cells, k)],
               b = (double)infer_output(shaken, output)[in_program(op, cells, k)];
        length += a * a;
        rounding += pow(a - b, 2);
        apart += pow(a - (double)got->values[k], 2);
    }
    if (!isfinite(length) || !isfinite(rounding)) return;
    CHECK(sqrt(apart) <= 1e-4 * fmax(sqrt(length), 1e-2) + 100 * sqrt(rounding));
}

static void check_file(const Net *net, const char *path, const OnnxSetup *size) {
    const Program *program = net_program(net);
    int cells = size->height * size->width;
    Infer *want = run_net(net, size, 0), *shaken = run_net(net, size, 1e-6);
    Arena arena = {0};
    char *bytes;
    size_t length;
    CHECK(!file_read(path, (size_t)1 << 30, &arena, &bytes, &length, NULL));
    Model model = read_model(bytes, length);
    if (want && shaken) {
        Run *run = run_new(&model);
        add_inputs(net, want, &model, cells, run);
        run_nodes(run, model.graph);
        for (int i = 0; i < model.output_count; i++) {
            const char *name = model.outputs[i].name.text;
            int output = program_find_output(program, name);
            CHECK(output >= 0);
            compare_output(program, output, want, shaken, find_tensor(run, name), cells);
        }
        run_free(run);
    }
    infer_free(want);
    infer_free(shaken);
    arena_clear(&arena);
}

static void check_saved(const Net *net, Status status, const Error *fault, const char *path,
                        const OnnxSetup *size) {
    CHECK(!status || *fault->message);
    CHECK(!status == file_exists(path));
    if (!status && can_run(net_program(net), size)) check_file(net, path, size);
    unlink(path);
}

/* Exports the net as `aji net export` does. */
static void check_net(const Net *net, const OnnxSetup *size) {
    Path path = fuzz_path("net.onnx");
    Error fault = {0};
    check_saved(net, onnx_save(net, path.text, size, &fault), &fault, path.text, size);
}

/* Exports all outputs of a program. */
static void check_program(const Net *net, const OnnxSetup *size) {
    const OnnxModel model = {.name = "net", .version = "0", .note = ""};
    bool outputs[PROGRAM_OUTPUTS_MAX];
    Path path = fuzz_path("program.onnx");
    OnnxGraph *graph;
    Error fault = {0};
    memset(outputs, true, sizeof outputs);
    const OnnxTranslateSetup setup = {
        .height = size->height, .width = size->width, .outputs = outputs};
    CHECK(!onnx_graph_new(&graph, NULL));
    Status status = onnx_translate(net, &setup, graph, &fault);
    if (!status) status = onnx_graph_write(graph, &model, path.text, &fault);
    onnx_graph_free(graph);
    check_saved(net, status, &fault, path.text, size);
}

/* Returns the net that the input describes, or NULL. The caller frees it by net_free(). */
static Net *net_of(uint8_t kind, const uint8_t *bytes, size_t count) {
    Rng rng = rng_seeded(3);
    ArchSettings settings;
    Program *program;
    Net *net = NULL;
    if (kind == 'a') {
        char *text = fuzz_text(bytes, count);
        Status status = arch_parse(text, &settings, NULL);
        if (!status && fuzz_arch_is_small(&settings) && !arch_build(&settings, &rng, &net, NULL))
            disturb(net, &rng);
        free(text);
    } else if (kind == 'p') {
        if (program_read((const char *)bytes, count, &program, NULL)) return NULL;
        bool small = weights_of(program) < 1 << 16;
        if (!small) program_free(program);
        if (!small || net_new(program, NULL, &net, NULL)) return NULL;
        disturb(net, &rng);
    } else {
        Path path = fuzz_path("net.aji");
        fuzz_write_tensors(path.text, bytes, count);
        if (net_load(path.text, &net, NULL)) return NULL;
    }
    return net;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    setenv("CMOCKA_TEST_ABORT", "1", 1); /* so that a failure in the interpreter ends the process */
    if (!count) return 0;
    Net *net = net_of(bytes[0], bytes + 1, count - 1);
    if (!net) return 0;
    int side = program_only_side(net_program(net));
    OnnxSetup size = {
        .height = 3 + (int)(count % 4), .width = 3 + (int)(count / 4 % 4), .version = "0"};
    if (side && side <= 7) size.height = size.width = side;
    if (bytes[0] == 'p')
        check_program(net, &size);
    else
        check_net(net, &size);
    net_free(net);
    return 0;
}
