/* fuzz_program.c - reads any text as the program of a net.
 *   - A valid small program runs in the executor for inference and in the executor for learning.
 *     Their outputs must be equal except for rounding. To measure how large the effect of rounding
 *     can be, the executor for learning runs a second time, with inputs and weights that differ by
 *     about 1e-6.
 *   - A large program does not run. Only the executor for inference is made, or refuses the
 *     program. libFuzzer reports a fault if this takes 2 GB.
 *   - A program with many weights is left out. */
#include "fuzz.h"

#include <math.h>

#include "nn/graph/only_side.h"
#include "nn/infer/infer.h"
#include "nn/learn/learn.h"

enum { SIZE = 4, CELLS = SIZE * SIZE, BATCH = 2, INPUTS_MAX = 8, OUTPUTS_MAX = 8 };

/* Returns whether the program is small enough to run. Returns false also if a norm has a tiny
 * epsilon, because such a norm can turn the rounding error of a 0 into any number. */
static bool is_small(const Program *program) {
    int64_t values = 0;
    if (program_op_count(program) > 64 || program_input_count(program) > INPUTS_MAX ||
        program_output_count(program) > OUTPUTS_MAX || !program_output_count(program))
        return false;
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        bool is_norm =
            op->kind == OP_BATCH_NORM || op->kind == OP_RMS_NORM || op->kind == OP_LAYER_NORM;
        values += (int64_t)program_rows(op->shape, op->rows, SIZE, SIZE) * op->channels;
        if (is_norm && !(op->epsilon >= 1e-5f)) return false;
    }
    return values < 1 << 16 && program_multiply_adds(program, SIZE, SIZE) < 1e6;
}

static bool has_few_weights(const Program *program) {
    int64_t weights = 0;
    for (int p = 0; p < program_parameter_count(program); p++)
        weights += (int64_t)program_parameter(program, p)->count;
    return weights < 1 << 16;
}

/* Fills the inputs of an executor. The board of the first sample is as large as the executor
 * allows. The board of the second sample has 3 rows and 2 columns, with zeros off the board. If
 * the program is for a single size, the board of the second sample is as large as that of the
 * first. */
static void fill(const Program *program, float *const inputs[], double noise) {
    Rng rng = rng_seeded(3), other = rng_seeded(4);
    Value mask;
    int channel, full = only_side_of(program).side ? BATCH : 1;
    program_mask_source(program, &mask, &channel);
    for (int i = 0; i < program_input_count(program); i++) {
        const Op *op = program_op(program, program_input_value(program, i));
        bool spatial = op->shape == KIND_SPATIAL;
        int rows = program_rows(op->shape, op->rows, SIZE, SIZE);
        float *to = inputs[i];
        for (int k = 0; k < BATCH * rows * op->channels; k++) {
            int row = k / op->channels % CELLS, sample = k / (rows * op->channels);
            bool on = !spatial || sample < full || (row / SIZE < 3 && row % SIZE < 2);
            double value = rng_normal(&rng) * (1 + noise * rng_normal(&other));
            bool is_mask = program_input_value(program, i) == mask && k % op->channels == channel;
            to[k] = on ? is_mask ? 1 : (float)value : 0;
        }
    }
}

static size_t output_size(const Program *program, int output) {
    const Op *op = program_op(program, program_output_value(program, output));
    return (size_t)BATCH * (size_t)program_rows(op->shape, op->rows, SIZE, SIZE) *
           (size_t)op->channels;
}

/* Returns the norm of a - b, divided by the norm of `a` or by 1e-2, whichever is larger. */
static double distance(const float *a, const float *b, size_t count) {
    double squares = 0, length = 0;
    for (size_t i = 0; i < count; i++) {
        squares += pow((double)a[i] - (double)b[i], 2);
        length += pow((double)a[i], 2);
    }
    return sqrt(squares) / fmax(sqrt(length), 1e-2);
}

/* Runs the executor for learning. Returns its outputs, one after the other, or NULL if the
 * executor refuses the program. The caller frees the outputs by free(). Before the run, inputs
 * and weights are changed by about the fraction `noise` of their size. */
static float *learned(const Net *net, double noise) {
    const LearnSetup setup = {.batch = BATCH, .height = SIZE, .width = SIZE};
    const Program *program = net_program(net);
    float *inputs[INPUTS_MAX], *all;
    size_t total = 0, at = 0;
    Rng rng = rng_seeded(5);
    Net *copy;
    Learn *learn;
    Error fault = {0};
    CHECK(!net_copy(net, &copy, NULL));
    for (int p = 0; p < program_parameter_count(program); p++) {
        for (size_t i = 0; i < program_parameter(program, p)->count; i++)
            net_values(copy, p)[i] *= (float)(1 + noise * rng_normal(&rng));
    }
    if (learn_new(copy, &setup, &learn, &fault)) {
        CHECK(*fault.message != 0);
        net_free(copy);
        return NULL;
    }
    for (int i = 0; i < program_input_count(program); i++)
        inputs[i] = learn_input(learn, i);
    fill(program, inputs, noise);
    CHECK(!learn_forward(learn, BATCH, false, NULL));
    for (int i = 0; i < program_output_count(program); i++)
        total += output_size(program, i);
    all = malloc(total * sizeof *all);
    CHECK(all != NULL);
    for (int i = 0; i < program_output_count(program); i++) {
        float *slopes = learn_output_gradient(learn, i);
        memcpy(all + at, learn_output(learn, i), output_size(program, i) * sizeof *all);
        at += output_size(program, i);
        for (size_t k = 0; slopes && k < output_size(program, i); k++)
            slopes[k] = 1;
    }
    CHECK(!learn_backward(learn, NULL));
    learn_free(learn);
    net_free(copy);
    return all;
}

static void check_infer(const Net *net, Precision precision, const float *want,
                        const float *shaken) {
    const InferSetup setup = {
        .batch = BATCH, .height = SIZE, .width = SIZE, .precision = precision};
    const Program *program = net_program(net);
    float *inputs[INPUTS_MAX];
    Error fault = {0};
    Infer *infer;
    if (infer_new(net, &setup, &infer, &fault)) {
        CHECK(*fault.message != 0);
        return;
    }
    for (int i = 0; i < program_input_count(program); i++)
        inputs[i] = infer_input(infer, i);
    fill(program, inputs, 0);
    CHECK(!infer_run(infer, BATCH, NULL));
    for (int i = 0; i < program_output_count(program) && want; i++) {
        size_t count = output_size(program, i);
        double rounding = distance(want, shaken, count),
               apart = distance(want, infer_output(infer, i), count);
        if (isfinite(rounding)) CHECK(apart <= 1e-4 + 100 * rounding);
        want += count;
        shaken += count;
    }
    infer_free(infer);
}

/* Adds random numbers to the weights. Variances stay above 0. The text of a program does not say
 * how weights are initialised. Therefore most weights are 0 before this call. */
static void draw_weights(Net *net, Rng *rng) {
    for (int p = 0; p < program_parameter_count(net_program(net)); p++) {
        const ParameterSpec *spec = program_parameter(net_program(net), p);
        double deviation = spec->decayed ? sqrt((double)spec->dims[0] / (double)spec->count) : 0.3;
        for (size_t i = 0; i < spec->count; i++)
            net_values(net, p)[i] +=
                (float)(deviation * (spec->decayed ? rng_normal(rng) : rng_uniform(rng)));
    }
}

static void check_outputs(const Net *net) {
    float *want = learned(net, 0), *shaken = learned(net, 1e-6);
    CHECK(!want == !shaken);
    check_infer(net, PRECISION_F32, want, shaken);
    check_infer(net, PRECISION_BF16, NULL, NULL);
    free(want);
    free(shaken);
}

static void check_memory(const Net *net) {
    const InferSetup setup = {.batch = 16, .height = 19, .width = 19};
    Error fault = {0};
    Infer *infer;
    if (infer_new(net, &setup, &infer, &fault))
        CHECK(*fault.message != 0);
    else
        infer_free(infer);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    Program *program;
    Rng rng = rng_seeded(1);
    Net *net;
    if (program_read((const char *)bytes, count, &program, NULL)) return 0;
    if (!has_few_weights(program)) {
        program_free(program);
        return 0;
    }
    bool small = is_small(program);
    CHECK(!net_new(program, NULL, &net, NULL));
    draw_weights(net, &rng);
    if (small)
        check_outputs(net);
    else
        check_memory(net);
    net_free(net);
    return 0;
}
