#include "nn/infer/infer_reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "nn/ops/op_table.h"

struct Reference {
    Net *net;
    const Program *program;
    int height, width;
    float **values; /* one array for each Value; those of inputs belong to the caller */
    float *mask, *area, *saved;
};

static int rows_of(const Reference *reference, const Op *op) {
    return op_rows(op, reference->height, reference->width);
}

static void run_op(const Reference *reference, Value v, int count) {
    const Op *op = program_op(reference->program, v), *inputs[2] = {NULL, NULL};
    for (int i = 0; i < 2 && op->inputs[i] >= 0; i++)
        inputs[i] = program_op(reference->program, op->inputs[i]);
    OpCall call = op_call(op, inputs, reference->height, reference->width);
    call.n = call.active = count;
    call.mask = reference->mask;
    call.area = reference->area;
    call.saved = reference->saved;
    call.y = reference->values[v];
    for (int i = 0; i < 2 && op->inputs[i] >= 0; i++)
        call.x[i] = reference->values[op->inputs[i]];
    for (int i = 0; i < 4 && op->parameters[i] >= 0; i++)
        call.parameters[i] = net_values_const(reference->net, op->parameters[i]);
    const OpClass *class = op_class(op->kind);
    if (class->forward) class->forward(&call);
}

/* Fills the masks of the samples with 1 on the board, and counts the cells on each board. If
 * the program has no mask, all cells are on the board. */
static void find_mask(Reference *reference, int count) {
    Value source = -1;
    int channel = 0;
    program_mask_source(reference->program, &source, &channel);
    const float *from = source >= 0 ? reference->values[source] : NULL;
    size_t channels = source >= 0 ? (size_t)program_op(reference->program, source)->channels : 0,
           cells = (size_t)reference->height * (size_t)reference->width;
    for (size_t n = 0; n < (size_t)count; n++) {
        float area = 0;
        for (size_t row = n * cells; row < (n + 1) * cells; row++) {
            reference->mask[row] = !from || from[row * channels + (size_t)channel] != 0.0f;
            area += reference->mask[row];
        }
        reference->area[n] = area > 1 ? area : 1;
    }
}

void reference_run(Reference *reference, float *const *inputs, int count) {
    for (int i = 0; i < program_input_count(reference->program); i++)
        reference->values[program_input_value(reference->program, i)] = inputs[i];
    find_mask(reference, count);
    for (Value v = 0; v < program_op_count(reference->program); v++)
        run_op(reference, v, count);
}

const float *reference_value(const Reference *reference, Value value) {
    return reference->values[value];
}

/* Allocates the masks, the areas, and room for what ops save. */
static Status make_room(Reference *reference, int batch, Error *err) {
    int cells = reference->height * reference->width;
    size_t saved = 1;
    for (Value v = 0; v < program_op_count(reference->program); v++) {
        const Op *op = program_op(reference->program, v);
        const OpClass *class = op_class(op->kind);
        size_t wanted = class->saved ? class->saved(op, batch, cells) : 0;
        if (wanted > saved) saved = wanted;
    }
    Status status = mem_new((size_t)batch * (size_t)cells, sizeof(float), &reference->mask, err);
    if (!status) status = mem_new((size_t)batch, sizeof(float), &reference->area, err);
    if (!status) status = mem_new(saved, sizeof(float), &reference->saved, err);
    return status;
}

Status reference_new(const Net *net, int batch, int height, int width, Reference **out,
                     Error *err) {
    Reference *reference = NULL;
    Status status = mem_new(1, sizeof *reference, &reference, err);
    if (status) return status;
    reference->height = height;
    reference->width = width;
    status = net_copy(net, &reference->net, err);
    if (!status) {
        reference->program = net_program(reference->net);
        status = mem_new((size_t)program_op_count(reference->program), sizeof *reference->values,
                         &reference->values, err);
    }
    if (!status) status = make_room(reference, batch, err);
    for (Value v = 0; !status && v < program_op_count(reference->program); v++) {
        const Op *op = program_op(reference->program, v);
        if (op->kind == OP_INPUT) continue;
        size_t count = (size_t)batch * (size_t)rows_of(reference, op) * (size_t)op->channels;
        status = mem_new_aligned(count, sizeof(float), &reference->values[v], err);
    }
    if (status) {
        reference_free(reference);
        reference = NULL;
    }
    *out = reference;
    return status;
}

void reference_free(Reference *reference) {
    if (!reference) return;
    for (Value v = 0; reference->values && v < program_op_count(reference->program); v++) {
        if (program_op(reference->program, v)->kind != OP_INPUT) free(reference->values[v]);
    }
    free(reference->values);
    free(reference->mask);
    free(reference->area);
    free(reference->saved);
    net_free(reference->net);
    free(reference);
}
