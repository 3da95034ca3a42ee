#include "eval/precision/quantize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/thread.h"
#include "eval/precision/activation_sample.h"
#include "nn/infer/infer_quantisation.h"

enum { ROWS = 2048, CUTS = 24 };
static const float BALANCE = 0.35f;
static const float ACTIVATION_MAX = 1e20f; /* the scales of larger ones could not be read back */

/* Returns the squared error of storing values in 8 bits, clipped to 0..255. Adding 1.5 * 2^23 and
 * subtracting it again rounds a number below 2^22 to the nearest integer, and ties to even. Unlike
 * a call of nearbyintf(), this can be vectorised. */
static double squared_error(const float *values, int count, float scale, float zero) {
    const float rounder = 12582912.0f;
    double error = 0.0;
    for (int i = 0; i < count; i++) {
        float q = values[i] / scale + zero;
        q = q < 0.0f ? 0.0f : q > 255.0f ? 255.0f : q;
        q = (q + rounder) - rounder;
        double difference = (double)(values[i] - (q - zero) * scale);
        error += difference * difference;
    }
    return error;
}

void quantize_range(const float *values, int count, float *scale, uint8_t *zero) {
    float low = 0.0f, high = 0.0f;
    double smallest = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        low = fminf(low, values[i]);
        high = fmaxf(high, values[i]);
    }
    *scale = 1e-6f;
    *zero = 0;
    if (!(high - low > 1e-12f)) return; /* the channel is always 0 */
    for (int cut = 0; cut < CUTS; cut++) {
        float fraction = 1.0f - (float)cut / (CUTS + 8), tried = (high - low) * fraction / 255.0f;
        float offset = nearbyintf(-low * fraction / tried);
        double error = squared_error(values, count, tried, offset);
        if (error >= smallest) continue;
        smallest = error;
        *scale = tried;
        *zero = (uint8_t)offset;
    }
}

/* The convolutions that run in int8. */
typedef struct {
    const Program *program;
    bool *needed;  /* for each value, whether a later sum of the trunk depends on it */
    Value *values; /* the values that the convolutions read, each of them once */
    int value_count, layers;
} Trunk;

static void find_needed(Trunk *trunk) {
    for (Value v = program_op_count(trunk->program) - 1; v >= 0; v--) {
        const Op *op = program_op(trunk->program, v);
        bool sum = op->kind == OP_ADD && op->shape == KIND_SPATIAL;
        for (int k = 0; k < 2 && (sum || trunk->needed[v]); k++) {
            if (op->inputs[k] >= 0) trunk->needed[op->inputs[k]] = true;
        }
    }
}

/* Returns whether a value is an input of the net, or consists of channels of inputs. */
static bool is_input(const Program *program, Value v) {
    const Op *op = program_op(program, v);
    while (op->kind == OP_SLICE || op->kind == OP_CONCAT || op->kind == OP_MASK)
        op = program_op(program, op->inputs[0]);
    return op->kind == OP_INPUT;
}

static bool is_chosen(const Trunk *trunk, Value v) {
    const Program *program = trunk->program;
    const Op *op = program_op(program, v);
    return op->kind == OP_CONV && trunk->needed[v] && !is_input(program, op->inputs[0]) &&
           quantisation_can(op, program_op(program, op->inputs[0])->channels);
}

static void trunk_clear(Trunk *trunk) {
    free(trunk->needed);
    free(trunk->values);
}

static Status trunk_find(const Program *program, Trunk *out, Error *err) {
    size_t ops = (size_t)program_op_count(program);
    *out = (Trunk){.program = program};
    Status status = mem_new(ops, sizeof *out->needed, &out->needed, err);
    if (!status) status = mem_new(ops, sizeof *out->values, &out->values, err);
    if (status) return status;
    find_needed(out);
    for (Value v = 0; v < program_op_count(program); v++) {
        if (!is_chosen(out, v)) continue;
        Value read = program_op(program, v)->inputs[0];
        bool known = false;
        for (int i = 0; i < out->value_count; i++)
            known = known || out->values[i] == read;
        if (!known) out->values[out->value_count++] = read;
        out->layers++;
    }
    return out->layers ? OK
                       : fail(err, ERR_UNSUPPORTED,
                              "the trunk of the net has no convolutions that can run in int8");
}

/* If each channel has its own scale, a channel with large activations makes the quantised weights
 * of all other channels coarse. With one common scale, channels with small activations are rounded
 * too coarsely. The scales here lie in between:
 *     own^BALANCE * largest^(1 - BALANCE)
 * The idea is from Xiao et al. 2023, "SmoothQuant", section 4; the exponent was found by
 * measuring. */
void quantize_balance(int channels, float *scales, uint8_t *zeros) {
    float largest = 0.0f;
    for (int c = 0; c < channels; c++)
        largest = fmaxf(largest, scales[c]);
    for (int c = 0; c < channels; c++) {
        float balanced = powf(scales[c], BALANCE) * powf(largest, 1.0f - BALANCE);
        zeros[c] = (uint8_t)nearbyintf((float)zeros[c] * scales[c] / balanced);
        scales[c] = balanced;
    }
}

/* The scale and zero point of one channel of one value. */
typedef struct {
    const ActivationSample *sample;
    int channel;
    float scale;
    float bad; /* an activation that is too large or not finite; 0 if there is none */
    uint8_t zero;
} Column;

typedef struct {
    Column *columns; /* of all values, one after another */
    int count, threads;
} Columns;

static void measure_column(Column *column) {
    const ActivationSample *samples = column->sample;
    float values[ROWS];
    for (int r = 0; r < samples->count; r++) {
        values[r] = samples->rows[(size_t)r * (size_t)samples->channels + (size_t)column->channel];
        if (fabsf(values[r]) <= ACTIVATION_MAX) continue;
        column->bad = values[r];
        return;
    }
    quantize_range(values, samples->count, &column->scale, &column->zero);
}

static void measure_columns(void *argument, int index) {
    const Columns *all = argument;
    for (int i = index; i < all->count; i += all->threads)
        measure_column(&all->columns[i]);
}

static Status columns_new(const ActivationSample *samples, int values, int threads, Column **out,
                          Error *err) {
    Columns all = {.threads = threads > 1 ? threads : 1};
    size_t count = 0;
    for (int i = 0; i < values; i++)
        count += (size_t)samples[i].channels;
    Status status = mem_new(count, sizeof *all.columns, &all.columns, err);
    if (status) return status;
    for (int i = 0; i < values; i++)
        for (int c = 0; c < samples[i].channels; c++)
            all.columns[all.count++] = (Column){.sample = &samples[i], .channel = c};
    status = thread_parallel(all.threads, measure_columns, &all, err);
    *out = all.columns;
    return status;
}

/* Sets a layer's scales and zero points from those of the channels that it reads. */
static Status set_from_columns(LayerQuantisation *layer, const Column *columns, Error *err) {
    for (int c = 0; c < layer->channels; c++) {
        if (columns[c].bad != 0)
            return fail(err, ERR_ARGUMENT,
                        "int8: the input of \"%s\" has an activation of %g, which is too large",
                        layer->name, (double)columns[c].bad);
        layer->scales[c] = columns[c].scale;
        layer->zero_points[c] = columns[c].zero;
    }
    quantize_balance(layer->channels, layer->scales, layer->zero_points);
    return OK;
}

/* Sets the scales of every convolution that reads `value`. `*done` counts the layers that are
 * set. */
static Status set_quantisation(const Trunk *trunk, Value value, const Column *columns,
                               Quantisation *quantisation, int *done, Error *err) {
    size_t channels = (size_t)columns->sample->channels;
    const LayerQuantisation *first = NULL;
    for (Value v = value; v < program_op_count(trunk->program); v++) {
        const Op *op = program_op(trunk->program, v);
        if (!is_chosen(trunk, v) || op->inputs[0] != value) continue;
        LayerQuantisation *layer = &quantisation->layers[*done];
        Status status =
            quantisation_set_layer(quantisation, (*done)++, op->name, (int)channels, err);
        if (!status && !first) status = set_from_columns(layer, columns, err);
        if (status) return status;
        if (first) {
            memcpy(layer->scales, first->scales, channels * sizeof *layer->scales);
            memcpy(layer->zero_points, first->zero_points, channels);
        }
        first = layer;
    }
    return OK;
}

static Status measure(const Net *net, const QuantizeCall *call, const Trunk *trunk,
                      Quantisation *quantisation, Error *err) {
    const ActivationSampleCall sampling = {
        call->positions, call->position_count, call->human_profile, ROWS, call->seed, call->watch};
    ActivationSample *samples;
    Column *columns = NULL, *next;
    int done = 0;
    Status status = mem_new((size_t)trunk->value_count, sizeof *samples, &samples, err);
    if (!status)
        status = activation_sample_values(net, &sampling, trunk->values, trunk->value_count,
                                          samples, err);
    if (!status) status = columns_new(samples, trunk->value_count, call->threads, &columns, err);
    next = columns;
    for (int i = 0; !status && i < trunk->value_count; i++) {
        status = set_quantisation(trunk, trunk->values[i], next, quantisation, &done, err);
        next += samples[i].channels;
    }
    for (int i = 0; !status && i < quantisation->count; i++)
        quantisation->layers[i].winograd = call->winograd;
    for (int i = 0; samples && i < trunk->value_count; i++)
        activation_sample_clear(&samples[i]);
    free(columns);
    free(samples);
    return status;
}

Status quantize_check(const Net *net, Error *err) {
    Trunk trunk;
    Status status = trunk_find(net_program(net), &trunk, err);
    trunk_clear(&trunk);
    return status;
}

Status quantize_find(const Program *program, bool int8, bool *chosen, Error *err) {
    size_t ops = (size_t)program_op_count(program);
    Trunk trunk = {.program = program};
    Status status = mem_new(ops, sizeof *trunk.needed, &trunk.needed, err);
    if (status) return status;
    find_needed(&trunk);
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        bool product = op->kind == OP_CONV || op->kind == OP_DENSE;
        chosen[v] = int8 ? is_chosen(&trunk, v)
                         : product && trunk.needed[v] && !is_input(program, op->inputs[0]);
    }
    trunk_clear(&trunk);
    return OK;
}

Status quantize_net(Net *net, const QuantizeCall *call, int *layers, Error *err) {
    Trunk trunk;
    Quantisation *quantisation = NULL;
    *layers = 0;
    if (call->position_count < 1)
        return fail(err, ERR_ARGUMENT, "int8 needs positions to calibrate the net on");
    Status status = trunk_find(net_program(net), &trunk, err);
    if (!status) status = quantisation_new(trunk.layers, &quantisation, err);
    if (!status) status = measure(net, call, &trunk, quantisation, err);
    if (!status) status = quantisation_write(quantisation, net, err);
    if (!status) *layers = trunk.layers;
    quantisation_free(quantisation);
    trunk_clear(&trunk);
    return status;
}
