#include "eval/formats/lc0/lc0_layers.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Lc0Source {
    int parameter;
    const float *values;
};

bool lc0_layers_good(const Lc0Layers *layers) {
    return !layers->fault.status;
}

Value lc0_layers_refuse(Lc0Layers *layers, Status status, const char *format, ...) {
    char text[400];
    va_list list;
    if (!lc0_layers_good(layers)) return -1;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    (void)fail(&layers->fault, status, "%s: %s", lc0_file_path(layers->file), text);
    return -1;
}

/* Makes an error of the program a fault of the file. */
static Value checked(Lc0Layers *layers, Value value) {
    Error fault = {0};
    if (program_status(layers->program, &fault))
        return lc0_layers_refuse(layers, ERR_UNSUPPORTED, "%s", fault.message);
    return value;
}

Status lc0_layers_finish(Lc0Layers *layers, Net **out, Error *err) {
    *out = NULL;
    checked(layers, 0);
    if (!lc0_layers_good(layers))
        return fail(err, layers->fault.status, "%s", layers->fault.message);
    Program *program = layers->program;
    layers->program = NULL;
    Status status = net_new(program, NULL, out, err);
    for (size_t i = 0; !status && i < layers->count; i++) {
        const Lc0Source *source = &layers->sources[i];
        memcpy(net_values(*out, source->parameter), source->values,
               program_parameter(program, source->parameter)->count * sizeof(float));
    }
    return status;
}

void lc0_layers_clear(Lc0Layers *layers) {
    free(layers->sources);
    program_free(layers->program);
    arena_clear(&layers->arena);
    *layers = (Lc0Layers){0};
}

Lc0Name lc0_name(const char *format, ...) {
    Lc0Name name;
    va_list list;
    va_start(list, format);
    vsnprintf(name.text, sizeof name.text, format, list);
    va_end(list);
    return name;
}

int lc0_channels(const Lc0Layers *layers, Value x) {
    return x < 0 ? 0 : program_op(layers->program, x)->channels;
}

float *lc0_room(Lc0Layers *layers, size_t count) {
    if (!lc0_layers_good(layers)) return NULL;
    float *room = arena_alloc(&layers->arena, mem_array_bytes(count, sizeof *room));
    if (!room) lc0_layers_refuse(layers, ERR_MEMORY, "no memory for the weights");
    return room;
}

const float *lc0_numbers(Lc0Layers *layers, const char *tensor, size_t wanted) {
    const Lc0Entry *entry = lc0_file_find(layers->file, "%s", tensor);
    if (!entry) {
        lc0_layers_refuse(layers, ERR_SYNTAX, "%s is missing", tensor);
        return NULL;
    }
    if (entry->tensor.count != wanted) {
        lc0_layers_refuse(layers, ERR_SYNTAX, "%s has %zu numbers, %zu are wanted", tensor,
                          entry->tensor.count, wanted);
        return NULL;
    }
    float *numbers = lc0_room(layers, wanted);
    if (!numbers) return NULL;
    if (lc0_tensor_decode(&entry->tensor, numbers)) return numbers;
    lc0_layers_refuse(layers, ERR_SYNTAX, "%s has a number that is not finite", tensor);
    return NULL;
}

int lc0_rows(Lc0Layers *layers, const char *tensor, size_t columns) {
    enum { ROWS_MAX = 1 << 24 };
    size_t count = lc0_file_size(layers->file, "%s", tensor);
    if (!lc0_layers_good(layers)) return 0;
    if (count && columns && count % columns == 0 && count / columns <= ROWS_MAX)
        return (int)(count / columns);
    if (!count)
        lc0_layers_refuse(layers, ERR_SYNTAX, "%s is missing", tensor);
    else
        lc0_layers_refuse(layers, ERR_SYNTAX, "%s has %zu numbers, a multiple of %zu is wanted",
                          tensor, count, columns);
    return 0;
}

void lc0_fill(Lc0Layers *layers, Value op, int slot, const float *values) {
    if (op < 0 || !values || !lc0_layers_good(layers)) return;
    if (mem_grow(&layers->sources, &layers->capacity, layers->count + 1, sizeof *layers->sources,
                 NULL)) {
        lc0_layers_refuse(layers, ERR_MEMORY, "no memory for the weights");
        return;
    }
    layers->sources[layers->count++] =
        (Lc0Source){program_op(layers->program, op)->parameters[slot], values};
}

Value lc0_dense(Lc0Layers *layers, const char *op, const char *tensor, Value x, int out) {
    if (x < 0 || out < 1) return -1;
    const float *numbers =
        lc0_numbers(layers, tensor, (size_t)lc0_channels(layers, x) * (size_t)out);
    if (!numbers) return -1;
    Value y = checked(layers, program_dense(layers->program, op, x, out, 0));
    lc0_fill(layers, y, 0, numbers);
    return y;
}

Value lc0_bias(Lc0Layers *layers, const char *op, const char *tensor, Value x) {
    if (x < 0 || !lc0_file_find(layers->file, "%s", tensor)) return x;
    const float *numbers = lc0_numbers(layers, tensor, (size_t)lc0_channels(layers, x));
    if (!numbers) return -1;
    Value y = checked(layers, program_bias(layers->program, op, x));
    lc0_fill(layers, y, 0, numbers);
    return y;
}

Value lc0_layer_norm(Lc0Layers *layers, const char *op, const char *gain, const char *bias, Value x,
                     float epsilon) {
    if (x < 0) return -1;
    size_t channels = (size_t)lc0_channels(layers, x);
    const float *gains = lc0_numbers(layers, gain, channels), *biases = NULL;
    if (gains) biases = lc0_numbers(layers, bias, channels);
    if (!biases) return -1;
    const Op norm = {.kind = OP_LAYER_NORM, .inputs = {x}, .epsilon = epsilon};
    Value y = checked(layers, program_add_op(layers->program, op, norm));
    lc0_fill(layers, y, 0, gains);
    lc0_fill(layers, y, 1, biases);
    return y;
}

Value lc0_activation(Lc0Layers *layers, Lc0Activation activation, Value x) {
    static const Activation KINDS[] = {[LC0_ACTIVATION_MISH] = ACTIVATION_MISH,
                                       [LC0_ACTIVATION_RELU] = ACTIVATION_RELU,
                                       [LC0_ACTIVATION_TANH] = ACTIVATION_TANH,
                                       [LC0_ACTIVATION_SWISH] = ACTIVATION_SILU,
                                       [LC0_ACTIVATION_RELU_2] = ACTIVATION_RELU};
    if (x < 0 || activation == LC0_ACTIVATION_NONE) return x;
    if (activation == LC0_ACTIVATION_SIGMOID) return program_sigmoid(layers->program, x);
    if ((unsigned)activation > LC0_ACTIVATION_RELU_2 || activation == LC0_ACTIVATION_DEFAULT ||
        activation == LC0_ACTIVATION_SELU)
        return lc0_layers_refuse(layers, ERR_UNSUPPORTED,
                                 "its activation has the number %d, which Aji cannot compute",
                                 (int)activation);
    Value y = program_activation(layers->program, x, KINDS[activation]);
    return activation == LC0_ACTIVATION_RELU_2 ? program_multiply(layers->program, y, y) : y;
}

Value lc0_conv(Lc0Layers *layers, const char *op, Lc0Conv conv, Value x) {
    if (x < 0 || !conv.numbers) return -1;
    size_t in = (size_t)lc0_channels(layers, x), area = (size_t)(conv.kernel * conv.kernel),
           all_in = (size_t)conv.all_in;
    float *values = lc0_room(layers, (size_t)conv.out * area * in);
    if (!values) return -1;
    for (size_t o = 0; o < (size_t)conv.out; o++) {
        const float *from = conv.numbers + (o * all_in + (size_t)conv.first) * area;
        for (size_t i = 0; i < in; i++) {
            for (size_t k = 0; k < area; k++)
                values[(o * area + k) * in + i] = from[i * area + k];
        }
    }
    Value y = checked(layers, program_conv(layers->program, op, x, conv.out, conv.kernel, 0));
    lc0_fill(layers, y, 0, values);
    return y;
}
