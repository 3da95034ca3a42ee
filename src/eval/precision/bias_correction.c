#include "eval/precision/bias_correction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "eval/evaluators/net_inputs.h"

/* Returns the dense layer that makes an output of the net, or NULL if the output is not a vector or
 * not made by such a layer. */
static const Op *layer_of(const Program *program, int output) {
    const Op *op = program_op(program, program_output_value(program, output));
    while (op->kind == OP_BIAS)
        op = program_op(program, op->inputs[0]);
    return op->kind == OP_DENSE && op->shape == KIND_VECTOR ? op : NULL;
}

int bias_correction_count(const Program *program) {
    int count = 0;
    for (int i = 0; i < program_output_count(program); i++)
        count += layer_of(program, i) != NULL;
    return count;
}

Status bias_correction_begin(const Program *program, LayerQuantisation *layers, Error *err) {
    Status status = OK;
    for (int i = 0; i < program_output_count(program) && !status; i++) {
        const Op *op = layer_of(program, i);
        if (!op) continue;
        status = quantisation_set_correction(
            layers++, op->name, program_op(program, op->inputs[0])->channels, op->channels, err);
    }
    return status;
}

/* The net in both precisions. */
typedef struct {
    const Net *net;
    NetInputs inputs;
    Infer *infer[2]; /* in f32 and in int8; NULL if there is no executor yet */
    int width, height;
} Pair;

static Status make_pair(Pair *pair, int width, int height, Error *err) {
    Status status = OK;
    pair->width = width;
    pair->height = height;
    for (int i = 0; i < 2 && !status; i++) {
        const InferSetup setup = {.batch = 1,
                                  .height = height,
                                  .width = width,
                                  .precision = i ? PRECISION_INT8 : PRECISION_F32};
        infer_free(pair->infer[i]);
        pair->infer[i] = NULL;
        status = infer_new(pair->net, &setup, &pair->infer[i], err);
    }
    return status;
}

static Status run(Pair *pair, const Position *position, Error *err) {
    int width = position->board.width, height = position->board.height;
    Status status = OK;
    if (!pair->infer[1] || pair->width != width || pair->height != height)
        status = make_pair(pair, width, height, err);
    for (int i = 0; i < 2 && !status; i++) {
        NetInputBuffers to;
        status =
            net_inputs_buffers(&pair->inputs, net_program(pair->net), pair->infer[i], &to, err);
        if (status) break;
        net_inputs_encode(&pair->inputs, position, &FEATURE_OPTIONS_DEFAULT, 0, width, height, to);
        status = infer_run(pair->infer[i], 1, err);
    }
    return status;
}

/* Writes the errors of one position. The errors of a channel stand together: (channel,
 * position_count). */
static void note_errors(const Pair *pair, size_t position, size_t position_count, float *errors) {
    const Program *program = net_program(pair->net);
    for (int i = 0; i < program_output_count(program); i++) {
        const Op *op = layer_of(program, i);
        if (!op) continue;
        const float *exact = infer_output(pair->infer[0], i),
                    *rounded = infer_output(pair->infer[1], i);
        for (int c = 0; c < op->channels; c++, errors += position_count)
            errors[position] = rounded[c] - exact[c];
    }
}

static int compare_floats(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Returns the median of the errors, or 0 if it is within twice its standard error of 0. The
 * standard error is that of a normal distribution with the same distance of the quartiles. Sorts
 * the errors. */
static float typical_error(size_t count, float *errors) {
    qsort(errors, count, sizeof *errors, compare_floats);
    double median = ((double)errors[(count - 1) / 2] + (double)errors[count / 2]) / 2,
           deviation = ((double)errors[count - 1 - count / 4] - (double)errors[count / 4]) / 1.349,
           standard_error = 1.2533 * deviation / sqrt((double)count);
    return fabs(median) > 2 * standard_error ? (float)median : 0.0f;
}

/* Subtracts the typical errors from the corrections of the layers. */
static void apply(const Program *program, size_t position_count, float *errors,
                  Quantisation *quantisation) {
    for (int i = 0; i < program_output_count(program); i++) {
        const Op *op = layer_of(program, i);
        for (int k = 0; op && k < quantisation->count; k++) {
            LayerQuantisation *layer = &quantisation->layers[k];
            if (!layer->correction || strcmp(layer->name, op->name) != 0) continue;
            for (int c = 0; c < op->channels; c++)
                layer->correction[c] -=
                    typical_error(position_count, errors + (size_t)c * position_count);
        }
        if (op) errors += (size_t)op->channels * position_count;
    }
}

Status bias_correction_measure(const Net *net, const ActivationSampleCall *call,
                               Quantisation *quantisation, Error *err) {
    const Program *program = net_program(net);
    const char *profile = call->human_profile ? call->human_profile : METADATA_PROFILE_DEFAULT;
    Pair pair = {.net = net};
    float *errors = NULL;
    size_t channels = 1, count = (size_t)call->position_count;
    for (int i = 0; i < program_output_count(program); i++) {
        const Op *op = layer_of(program, i);
        channels += op ? (size_t)op->channels : 0;
    }
    Status status = mem_new(mem_array_bytes(channels, count), sizeof *errors, &errors, err);
    if (!status) status = net_inputs_of(net, profile, &pair.inputs, err);
    for (size_t p = 0; p < count && !status; p++) {
        status = run(&pair, call->positions[p], err);
        if (!status) note_errors(&pair, p, count, errors);
        if (!status)
            status = progress_report(call->watch, call->position_count, call->position_count, err);
    }
    if (!status) apply(program, count, errors, quantisation);
    infer_free(pair.infer[0]);
    infer_free(pair.infer[1]);
    free(errors);
    return status;
}

void bias_correction_clear(Quantisation *quantisation) {
    for (int i = 0; i < quantisation->count; i++) {
        LayerQuantisation *layer = &quantisation->layers[i];
        for (int c = 0; c < layer->correction_count; c++)
            layer->correction[c] = 0;
    }
}
