/* onnx_case.h - runs an exported ONNX file in the interpreter of onnx_interpreter.h, and compares
 * its outputs with those of our executor of the net. */
#pragma once
#include "eval/formats/onnx/onnx_translate.h"
#include "eval/onnx_interpreter.h"
#include "nn/infer/infer.h"
#include "test_path.h"

enum { SAMPLES = 3 };

/* Adds a random number to every parameter. Otherwise a gain or a weight that starts at 0 would hide
 * errors of the layers before it. */
static inline void disturb(Net *net, Rng *rng) {
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        double fan_in = (double)spec->count / spec->dims[0],
               deviation = spec->decayed ? 0.5 / sqrt(fan_in) : 0.2;
        for (size_t i = 0; i < spec->count; i++) {
            float *value = &net_values(net, p)[i];
            *value += (float)(deviation * rng_normal(rng));
            if (spec->init == INIT_ONE) *value = fabsf(*value) + 0.1f; /* variances, gains: > 0 */
        }
    }
}

/* Fills the inputs of the executor. The board fills the buffer, so the mask is 1 everywhere. About
 * half of the other numbers are 0, as in planes of stones; the rest are random. */
static inline void fill_inputs(const Net *net, Infer *infer, int cells, Rng *rng) {
    const Program *program = net_program(net);
    Value mask;
    int channel;
    program_mask_source(program, &mask, &channel);
    for (int i = 0; i < program_input_count(program); i++) {
        Value value = program_input_value(program, i);
        const Op *op = program_op(program, value);
        int rows = op->shape == KIND_SPATIAL ? cells : 1;
        for (int k = 0; k < SAMPLES * rows * op->channels; k++)
            infer_input(infer, i)[k] = value == mask && k % op->channels == channel ? 1
                                       : rng_below(rng, 2) ? (float)rng_normal(rng)
                                                           : 0;
    }
}

/* The ONNX graph and our program have the same values, but spatial values are (n, c, h, w) in the
 * graph and (n, h, w, c) in the program. Returns the program's index of the graph's element k. */
static inline size_t in_program(const Op *op, int cells, size_t k) {
    size_t channels = (size_t)op->channels, points = (size_t)cells;
    if (op->shape != KIND_SPATIAL) return k;
    size_t sample = k / (channels * points), c = k / points % channels, point = k % points;
    return (sample * points + point) * channels + c;
}

static inline void add_inputs(const Net *net, Infer *infer, const Model *model, int cells,
                              Run *run) {
    const Program *program = net_program(net);
    EXPECT_INT(program_input_count(program), model->input_count);
    for (int i = 0; i < model->input_count; i++) {
        const Port *port = &model->inputs[i];
        int dims[RANK_MAX];
        memcpy(dims, port->dims, sizeof dims);
        EXPECT_INT(-1, dims[0]);
        dims[0] = SAMPLES;
        Tensor *tensor = add_tensor(run, port->name.text, port->rank, dims);
        int input = program_find_input(program, port->name.text);
        const Op *op = program_op(program, program_input_value(program, input));
        for (size_t k = 0; k < count_of(tensor); k++)
            tensor->values[k] = infer_input(infer, input)[in_program(op, cells, k)];
    }
}

static inline void compare_outputs(const Net *net, Infer *infer, const Model *model, int cells,
                                   Run *run, const char *what) {
    const Program *program = net_program(net);
    EXPECT_INT(program_output_count(program), model->output_count);
    for (int i = 0; i < model->output_count; i++) {
        const char *name = model->outputs[i].name.text;
        int output = program_find_output(program, name);
        EXPECT_TRUE(output >= 0);
        const Op *op = program_op(program, program_output_value(program, output));
        const Tensor *got = find_tensor(run, name);
        EXPECT_TRUE(got != NULL);
        EXPECT_INT(model->outputs[i].rank, got->rank);
        for (int d = 1; d < got->rank; d++)
            EXPECT_INT(model->outputs[i].dims[d], got->dims[d]);
        EXPECT_INT(SAMPLES, got->dims[0]);
        EXPECT_INT((size_t)SAMPLES *
                       (size_t)(program_rows(op->shape, op->rows, 1, cells) * op->channels),
                   count_of(got));
        for (size_t k = 0; k < count_of(got); k++) {
            double want = (double)infer_output(infer, output)[in_program(op, cells, k)],
                   is = (double)got->values[k];
            if (!(fabs(want - is) <= 1e-4 * fmax(1, fabs(want))))
                fail_msg("%s: %s[%zu] is %.9g, wanted %.9g", what, name, k, is, want);
        }
    }
}

/* Runs the file at `path`, which was exported from the net for boards of this size, and compares
 * its outputs with those of `backend` (NULL: the default). `what` describes the net in messages. */
static inline void compare_file(const Net *net, const char *path, int height, int width,
                                const char *backend, uint64_t seed, const char *what) {
    const InferSetup setup = {
        .batch = SAMPLES, .height = height, .width = width, .backend = backend};
    Arena arena = {0};
    char *bytes;
    size_t length;
    Infer *infer;
    Rng rng = rng_seeded(seed);
    EXPECT_OK(infer_new(net, &setup, &infer, err));
    fill_inputs(net, infer, height * width, &rng);
    EXPECT_OK(file_read(path, (size_t)1 << 30, &arena, &bytes, &length, err));
    Model model = read_model(bytes, length);
    Run *run = run_new(&model);
    add_inputs(net, infer, &model, height * width, run);
    run_nodes(run, model.graph);
    EXPECT_OK(infer_run(infer, SAMPLES, err));
    compare_outputs(net, infer, &model, height * width, run, what);
    run_free(run);
    infer_free(infer);
    arena_clear(&arena);
}
