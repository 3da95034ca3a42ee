#include "nn/infer/infer.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "nn/graph/only_side.h"
#include "nn/infer/infer_plan_cache.h"
#include "nn/infer/infer_quantisation.h"
#include "nn/infer/infer_reference.h"
#include "nn/infer/infer_run.h"

struct Infer {
    Runner *runner;       /* the fast executor; NULL with the reference backend */
    Reference *reference; /* the plain definition; NULL with other backends */
    int batch, height, width;
    OnlySide only;
    Precision precision;
    float **inputs, **outputs;
    int input_count, output_count;
    Value *output_values;
    size_t *output_sizes; /* floats in a sample */
};

static size_t values_of(const Op *op, const InferSetup *setup) {
    return (size_t)program_rows(op->shape, op->rows, setup->height, setup->width) *
           (size_t)op->channels;
}

bool infer_bf16_is_faster(const Net *net) {
    const Program *program = net_program(net);
    int attentions = 0, convolutions = 0;
    for (int i = 0; i < program_op_count(program); i++) {
        const Op *op = program_op(program, i);
        attentions += op->kind == OP_ATTENTION;
        convolutions += op->kind == OP_CONV && op->kernel_h * op->kernel_w > 1;
    }
    return backend_isa() >= ISA_AMX && attentions > convolutions;
}

/* Returns the fastest precision that the processor has and that does not fail in the net's report
 * (QUANTISATION_REPORT_NOTE). It is int8 only if the net is quantised and the report says that int8
 * passes. */
static Precision choose_precision(const Net *net) {
    BackendIsa isa = backend_isa();
    bool bf16 = isa >= ISA_AVX512_BF16 && quantisation_report(net, "bf16") != 0;
    bool int8 = isa >= ISA_AVX512_VNNI && net_note(net, QUANTISATION_NOTE) &&
                quantisation_report(net, "int8") == 1;
    if (int8 && !(bf16 && infer_bf16_is_faster(net))) return PRECISION_INT8;
    return bf16 ? PRECISION_BF16 : PRECISION_F32;
}

static Status check_setup(const Net *net, const InferSetup *setup, Precision *precision,
                          bool *reference, Error *err) {
    if (setup->batch < 1 || setup->height < 1 || setup->width < 1 || setup->batch > 1 << 16 ||
        setup->height > 256 || setup->width > 256) {
        return fail(err, ERR_ARGUMENT,
                    "infer: a batch of %d boards of %d x %d; wanted are 1 to 65536 boards whose "
                    "sides are 1 to 256",
                    setup->batch, setup->height, setup->width);
    }
    Status status = backend_check(setup->backend, err);
    if (status) return status;
    *reference = setup->backend && !strcmp(setup->backend, "reference");
    *precision = setup->precision;
    if (*precision == PRECISION_AUTO)
        *precision = *reference ? PRECISION_F32 : choose_precision(net);
    if (*precision == PRECISION_BF16 && !*reference && backend_isa() < ISA_AVX512)
        *precision = PRECISION_F32; /* without AVX-512 oneDNN cannot even emulate bf16 */
    if (*precision != PRECISION_F32 && *reference) {
        return fail(err, ERR_UNSUPPORTED, "infer: the reference backend computes in f32 only");
    }
    return OK;
}

static Status make_ports(Infer *infer, const Program *program, const InferSetup *setup, int padded,
                         Error *err) {
    infer->input_count = program_input_count(program);
    infer->output_count = program_output_count(program);
    size_t inputs = (size_t)infer->input_count, outputs = (size_t)infer->output_count;
    Status status = mem_new(inputs, sizeof *infer->inputs, &infer->inputs, err);
    if (!status) status = mem_new(outputs, sizeof *infer->outputs, &infer->outputs, err);
    if (!status)
        status = mem_new(outputs, sizeof *infer->output_values, &infer->output_values, err);
    if (!status) status = mem_new(outputs, sizeof *infer->output_sizes, &infer->output_sizes, err);
    for (size_t i = 0; !status && i < inputs; i++) {
        size_t size = values_of(program_op(program, program_input_value(program, (int)i)), setup);
        status = mem_new_aligned(mem_array_bytes((size_t)padded, size), sizeof(float),
                                 &infer->inputs[i], err);
    }
    for (size_t i = 0; !status && i < outputs; i++) {
        infer->output_values[i] = program_output_value(program, (int)i);
        infer->output_sizes[i] = values_of(program_op(program, infer->output_values[i]), setup);
        status = mem_new_aligned(mem_array_bytes((size_t)setup->batch, infer->output_sizes[i]),
                                 sizeof(float), &infer->outputs[i], err);
    }
    return status;
}

/* Returns the bytes of all inputs and outputs of a sample. */
static size_t port_bytes(const Program *program, const InferSetup *setup) {
    size_t values = 0;
    for (int i = 0; i < program_input_count(program); i++)
        values += values_of(program_op(program, program_input_value(program, i)), setup);
    for (int i = 0; i < program_output_count(program); i++)
        values += values_of(program_op(program, program_output_value(program, i)), setup);
    return values * sizeof(float);
}

static Status make_runner(Infer *infer, const Net *net, const InferSetup *setup, Error *err) {
    PackedPlan *packed;
    size_t ports = port_bytes(net_program(net), setup);
    Status status =
        plan_cache_acquire(net, setup->height, setup->width, infer->precision, &packed, err);
    return status ? status : runner_new(packed, setup->batch, ports, &infer->runner, err);
}

Status infer_new(const Net *net, const InferSetup *setup, Infer **out, Error *err) {
    Infer *infer = NULL;
    Precision precision = PRECISION_F32;
    bool reference = false;
    *out = NULL;
    Status status = check_setup(net, setup, &precision, &reference, err);
    if (!status) status = mem_new(1, sizeof *infer, &infer, err);
    if (status) return status;
    infer->batch = setup->batch;
    infer->height = setup->height;
    infer->width = setup->width;
    infer->only = only_side_of(net_program(net));
    infer->precision = precision;
    if (reference) {
        status =
            reference_new(net, setup->batch, setup->height, setup->width, &infer->reference, err);
    } else {
        status = make_runner(infer, net, setup, err);
    }
    int padded = infer->runner ? runner_padded(infer->runner) : setup->batch;
    if (!status) status = make_ports(infer, net_program(net), setup, padded, err);
    if (status) {
        infer_free(infer);
        return fail_within(err, status, "infer");
    }
    *out = infer;
    return OK;
}

void infer_free(Infer *infer) {
    if (!infer) return;
    runner_free(infer->runner);
    reference_free(infer->reference);
    for (int i = 0; infer->inputs && i < infer->input_count; i++)
        free(infer->inputs[i]);
    for (int i = 0; infer->outputs && i < infer->output_count; i++)
        free(infer->outputs[i]);
    free(infer->inputs);
    free(infer->outputs);
    free(infer->output_values);
    free(infer->output_sizes);
    free(infer);
}

float *infer_input(Infer *infer, int input) {
    return input >= 0 && input < infer->input_count ? infer->inputs[input] : NULL;
}

Status infer_run(Infer *infer, int count, Error *err) {
    if (count < 0 || count > infer->batch) {
        return fail(err, ERR_ARGUMENT, "infer: %d samples in a batch of %d", count, infer->batch);
    }
    const float *boards = infer->only.input < 0 ? NULL : infer->inputs[infer->only.input];
    Status status = only_side_check(&infer->only, boards, count, infer->height, infer->width, err);
    if (status) return status;
    if (infer->runner) return runner_run(infer->runner, infer->inputs, infer->outputs, count, err);
    reference_run(infer->reference, infer->inputs, count);
    for (int i = 0; i < infer->output_count; i++) {
        memcpy(infer->outputs[i], reference_value(infer->reference, infer->output_values[i]),
               (size_t)count * infer->output_sizes[i] * sizeof(float));
    }
    return OK;
}

Status infer_time_ops(Infer *infer, Error *err) {
    return infer->runner ? runner_time_ops(infer->runner, err) : OK;
}

const OpTime *infer_op_times(const Infer *infer, int *count) {
    *count = 0;
    return infer->runner ? runner_op_times(infer->runner, count) : NULL;
}

const float *infer_output(const Infer *infer, int output) {
    return output >= 0 && output < infer->output_count ? infer->outputs[output] : NULL;
}

const char *infer_backend(const Infer *infer) {
    return infer->runner ? "onednn" : "reference";
}

Precision infer_precision(const Infer *infer) {
    return infer->precision;
}
