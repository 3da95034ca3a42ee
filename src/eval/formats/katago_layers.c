#include "eval/formats/katago_layers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

typedef enum { AS_IT_IS, ONES, FROM_CONV, FROM_MATRIX } Layout;

struct LayerSource {
    int parameter;
    Layout layout;
    const float *values; /* in the order of the file */
    int kernel, in, out;
    size_t first; /* index in the parameter at which these values begin */
};

static void add_source(KatagoLayers *layers, Value op, int slot, LayerSource source) {
    if (op < 0 || !katago_file_good(layers->file)) return;
    source.parameter = program_op(layers->program, op)->parameters[slot];
    if (mem_grow(&layers->sources, &layers->capacity, layers->count + 1, sizeof *layers->sources,
                 NULL)) {
        katago_file_refuse(layers->file, ERR_MEMORY, "no memory for its weights");
        return;
    }
    layers->sources[layers->count++] = source;
}

static void fill(const LayerSource *source, float *to, size_t count) {
    size_t area = (size_t)source->kernel * (size_t)source->kernel, in = (size_t)source->in,
           out = (size_t)source->out;
    const float *from = source->values;
    switch (source->layout) {
    case AS_IT_IS:
        memcpy(to, from, count * sizeof *to);
        break;
    case ONES:
        for (size_t i = 0; i < count; i++)
            to[i] = 1;
        break;
    case FROM_CONV: /* (y, x, in, out) to (out, y, x, in) */
    case FROM_MATRIX:
        for (size_t i = 0; i < area * in; i++) {
            for (size_t o = 0; o < out; o++)
                to[source->first + o * area * in + i] = from[i * out + o];
        }
        break;
    }
}

Status layers_finish(KatagoLayers *layers, Net **out, Error *err) {
    *out = NULL;
    layers_check(layers);
    Status status = katago_file_status(layers->file, err);
    if (status) return status;
    Program *program = layers->program;
    layers->program = NULL;
    status = net_new(program, NULL, out, err);
    for (size_t i = 0; !status && i < layers->count; i++) {
        const LayerSource *source = &layers->sources[i];
        fill(source, net_values(*out, source->parameter),
             program_parameter(program, source->parameter)->count);
    }
    return status;
}

void layers_clear(KatagoLayers *layers) {
    free(layers->sources);
    program_free(layers->program);
    *layers = (KatagoLayers){0};
}

LayerPrefix layers_prefix(KatagoLayers *layers, const char *format, ...) {
    LayerPrefix prefix;
    va_list list;
    va_start(list, format);
    int length = vsnprintf(prefix.text, sizeof prefix.text, format, list);
    va_end(list);
    if (length >= (int)sizeof prefix.text)
        katago_file_refuse(layers->file, ERR_UNSUPPORTED, "blocks are nested too deeply");
    return prefix;
}

LayerName layers_name(LayerPrefix prefix, const char *part) {
    LayerName name;
    snprintf(name.text, sizeof name.text, "%s.%s", prefix.text, part);
    return name;
}

void layers_check(KatagoLayers *layers) {
    Error fault = {0};
    if (program_status(layers->program, &fault))
        katago_file_refuse(layers->file, ERR_UNSUPPORTED, "%s", fault.message);
}

int layers_channels(const KatagoLayers *layers, Value x) {
    return x < 0 ? 0 : program_op(layers->program, x)->channels;
}

bool layers_fit(KatagoLayers *layers, Value x, int in, int out, int wanted_out) {
    if (x < 0 || !katago_file_good(layers->file)) return false;
    int given = layers_channels(layers, x);
    if (in != given)
        katago_file_refuse(layers->file, ERR_SYNTAX,
                           "it reads %d channels, but what comes before has %d", in, given);
    else if (wanted_out && out != wanted_out)
        katago_file_refuse(layers->file, ERR_SYNTAX, "it writes %d channels, %d are wanted", out,
                           wanted_out);
    return katago_file_good(layers->file);
}

Value layers_conv(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x, int out) {
    KatagoConv conv = katago_read_conv(layers->file);
    if (!layers_fit(layers, x, conv.in, conv.out, out)) return -1;
    Value y = program_conv_of(layers->program, layers_name(prefix, part).text, x, conv.out,
                              (ConvKind){.height = conv.kernel, .dilation = conv.dilation}, -1);
    layers_check(layers);
    add_source(layers, y, 0,
               (LayerSource){.layout = FROM_CONV,
                             .values = conv.weights,
                             .kernel = conv.kernel,
                             .in = conv.in,
                             .out = conv.out});
    return y;
}

Value layers_dense(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x,
                   const KatagoMatrix *matrices, int count) {
    int out = 0;
    for (int i = 0; i < count; i++) {
        if (!layers_fit(layers, x, matrices[i].in, 0, 0)) return -1;
        out += matrices[i].out;
    }
    Value y = program_dense(layers->program, layers_name(prefix, part).text, x, out, -1);
    layers_check(layers);
    size_t first = 0;
    for (int i = 0; i < count; i++) {
        const KatagoMatrix *matrix = &matrices[i];
        add_source(layers, y, 0,
                   (LayerSource){.layout = FROM_MATRIX,
                                 .values = matrix->weights,
                                 .kernel = 1,
                                 .in = matrix->in,
                                 .out = matrix->out,
                                 .first = first});
        first += (size_t)matrix->in * (size_t)matrix->out;
    }
    return y;
}

Value layers_matrix(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x, int out) {
    KatagoMatrix matrix = katago_read_matrix(layers->file);
    if (!layers_fit(layers, x, matrix.in, matrix.out, out)) return -1;
    return layers_dense(layers, prefix, part, x, &matrix, 1);
}

void layers_fill(KatagoLayers *layers, Value op, int slot, const float *values) {
    add_source(layers, op, slot,
               (LayerSource){.layout = values ? AS_IT_IS : ONES, .values = values});
}

Value layers_vector(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x) {
    KatagoVector vector = katago_read_vector(layers->file);
    if (!layers_fit(layers, x, vector.channels, 0, 0)) return -1;
    Value y = program_bias(layers->program, layers_name(prefix, part).text, x);
    layers_check(layers);
    layers_fill(layers, y, 0, vector.values);
    return y;
}

Value layers_activation(KatagoLayers *layers, Value x) {
    Activation activation = katago_read_activation(layers->file);
    if (x < 0 || !katago_file_good(layers->file)) return -1;
    return activation == ACTIVATION_IDENTITY ? x
                                             : program_activation(layers->program, x, activation);
}

Value layers_norm(KatagoLayers *layers, LayerPrefix prefix, const char *part, Value x) {
    enum { GAMMA, BETA, MEAN, VARIANCE };
    KatagoBatchNorm norm = katago_read_batch_norm(layers->file);
    if (!layers_fit(layers, x, norm.channels, 0, 0)) return -1;
    char name[24];
    snprintf(name, sizeof name, "%s.norm", part);
    Value y =
        program_batch_norm(layers->program, layers_name(prefix, name).text, x, norm.epsilon, 0.99);
    layers_check(layers);
    layers_fill(layers, y, GAMMA, norm.scale);
    if (norm.bias) layers_fill(layers, y, BETA, norm.bias);
    layers_fill(layers, y, MEAN, norm.mean);
    layers_fill(layers, y, VARIANCE, norm.variance);
    y = layers_activation(layers, y);
    return y < 0 ? -1 : program_mask(layers->program, y);
}
