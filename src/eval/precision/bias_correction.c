#include "eval/precision/bias_correction.h"

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

/* Subtracts a fraction of the differences on one position from the corrections. */
static void subtract(const Pair *pair, double fraction, double *corrections) {
    const Program *program = net_program(pair->net);
    for (int i = 0; i < program_output_count(program); i++) {
        const Op *op = layer_of(program, i);
        if (!op) continue;
        const float *exact = infer_output(pair->infer[0], i),
                    *rounded = infer_output(pair->infer[1], i);
        for (int c = 0; c < op->channels; c++)
            *corrections++ -= fraction * ((double)rounded[c] - (double)exact[c]);
    }
}

/* Adds the corrections to those of the layers, in the order of subtract(). */
static void apply(const Program *program, const double *corrections, Quantisation *quantisation) {
    for (int i = 0; i < program_output_count(program); i++) {
        const Op *op = layer_of(program, i);
        for (int k = 0; op && k < quantisation->count; k++) {
            LayerQuantisation *layer = &quantisation->layers[k];
            if (!layer->correction || strcmp(layer->name, op->name) != 0) continue;
            for (int c = 0; c < op->channels; c++)
                layer->correction[c] += (float)corrections[c];
        }
        if (op) corrections += op->channels;
    }
}

Status bias_correction_measure(const Net *net, const ActivationSampleCall *call,
                               Quantisation *quantisation, Error *err) {
    const Program *program = net_program(net);
    const char *profile = call->human_profile ? call->human_profile : METADATA_PROFILE_DEFAULT;
    Pair pair = {.net = net};
    double *corrections = NULL;
    size_t channels = 1;
    for (int i = 0; i < program_output_count(program); i++) {
        const Op *op = layer_of(program, i);
        channels += op ? (size_t)op->channels : 0;
    }
    Status status = mem_new(channels, sizeof *corrections, &corrections, err);
    if (!status) status = net_inputs_of(net, profile, &pair.inputs, err);
    for (int p = 0; p < call->position_count && !status; p++) {
        status = run(&pair, call->positions[p], err);
        if (!status) subtract(&pair, 1.0 / call->position_count, corrections);
        if (!status)
            status = progress_report(call->watch, call->position_count, call->position_count, err);
    }
    if (!status) apply(program, corrections, quantisation);
    infer_free(pair.infer[0]);
    infer_free(pair.infer[1]);
    free(corrections);
    return status;
}
