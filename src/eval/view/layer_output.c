#include "eval/view/layer_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/statistic.h"
#include "eval/evaluators/prune_outputs.h"
#include "nn/infer/infer.h"

static Status run(const NetInputs *inputs, const Program *program, Infer *infer,
                  const Position *position, LayerOutput *out, Error *err) {
    const Op *op = program_op(program, program_output_value(program, 0));
    NetInputBuffers to;
    Status status = net_inputs_buffers(inputs, program, infer, &to, err);
    if (status) return status;
    net_inputs_encode(inputs, position, &FEATURE_OPTIONS_DEFAULT, 0, out->width, out->height, to);
    status = infer_run(infer, 1, err);
    if (status) return status;
    out->kind = op->shape;
    out->channels = op->channels;
    out->rows = program_rows(op->shape, op->rows, out->height, out->width);
    size_t count = (size_t)out->rows * (size_t)out->channels;
    status = mem_new(count, sizeof *out->values, &out->values, err);
    if (!status) memcpy(out->values, infer_output(infer, 0), count * sizeof *out->values);
    return status;
}

Status layer_output_of(const Net *net, Value value, const Position *position,
                       const char *human_profile, LayerOutput *out, Error *err) {
    NetInputs inputs;
    Net *probe = NULL;
    Infer *infer = NULL;
    *out = (LayerOutput){.width = position->board.width, .height = position->board.height};
    const InferSetup setup = {.batch = 1, .height = out->height, .width = out->width};
    Status status = net_inputs_of(net, human_profile, &inputs, err);
    if (!status) status = prune_outputs_to_values(net, &value, 1, &probe, err);
    if (!status) status = infer_new(probe, &setup, &infer, err);
    if (!status) status = run(&inputs, net_program(probe), infer, position, out, err);
    infer_free(infer);
    net_free(probe);
    return status;
}

void layer_output_clear(LayerOutput *layer) {
    free(layer->values);
    *layer = (LayerOutput){0};
}

ChannelStatistic layer_output_channel(const LayerOutput *layer, int channel) {
    ChannelStatistic out = {.minimum = (double)INFINITY, .maximum = -(double)INFINITY};
    RunningMean mean = {0};
    int zeros = 0;
    for (int row = 0; row < layer->rows; row++) {
        double x = (double)layer->values[row * layer->channels + channel];
        running_mean_add(&mean, x);
        zeros += x == 0;
        out.minimum = fmin(out.minimum, x);
        if (x > out.maximum) {
            out.maximum = x;
            out.maximum_row = row;
        }
    }
    out.mean = mean.mean;
    out.deviation = sqrt(mean.sum_squares / fmax(1, mean.count));
    out.largest = fmax(fabs(out.minimum), fabs(out.maximum));
    out.zero_fraction = zeros / fmax(1, layer->rows);
    return out;
}
