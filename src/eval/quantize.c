#include "eval/quantize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/thread.h"
#include "eval/activation_sample.h"
#include "nn/infer_scales.h"

enum { ROWS = 2048, CUTS = 24 };
static const float BALANCE = 0.35f;
static const float NUMBERS_MOST = 1e20f; /* steps as large are not read back */

/* Numbers as bytes; what is beyond is cut. A number up to 2^22 plus 1.5 * 2^23 is rounded to a
 * whole one, to even where it is between two: without a call, and several at once. */
static double squared_error(const float *values, int count, float step, float zero) {
    const float whole = 12582912.0f;
    double error = 0.0;
    for (int i = 0; i < count; i++) {
        float q = values[i] / step + zero;
        q = q < 0.0f ? 0.0f : q > 255.0f ? 255.0f : q;
        q = (q + whole) - whole;
        double apart = (double)(values[i] - (q - zero) * step);
        error += apart * apart;
    }
    return error;
}

void quantize_range(const float *values, int count, float *step, uint8_t *zero) {
    float low = 0.0f, high = 0.0f;
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        low = fminf(low, values[i]);
        high = fmaxf(high, values[i]);
    }
    *step = 1e-6f;
    *zero = 0;
    if (!(high - low > 1e-12f)) return; /* always 0 */
    for (int cut = 0; cut < CUTS; cut++) {
        float share = 1.0f - (float)cut / (CUTS + 8), tried = (high - low) * share / 255.0f;
        float offset = nearbyintf(-low * share / tried);
        double error = squared_error(values, count, tried, offset);
        if (error >= least) continue;
        least = error;
        *step = tried;
        *zero = (uint8_t)offset;
    }
}

/* The convolutions that go in bytes. */
typedef struct {
    const Program *program;
    bool *needed;  /* by value: it reaches a sum of the trunk */
    Value *values; /* what the convolutions read, each once */
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

/* Whether a value is an input of the net, or picked from inputs. */
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
           scales_can(op->kernel_h, program_op(program, op->inputs[0])->channels, op->channels);
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
                              "the net has no convolutions between sums of its trunk to run in "
                              "int8");
}

/* Channels with wide values would take most of the grid of the weights, those with narrow ones
 * most of the bytes' rounding; in between: step = own^BALANCE * widest^(1 - BALANCE). After
 * Xiao et al. 2023, "SmoothQuant", section 4, with a power that was found by measuring. */
void quantize_balance(int channels, float *steps, uint8_t *zeros) {
    float widest = 0.0f;
    for (int c = 0; c < channels; c++)
        widest = fmaxf(widest, steps[c]);
    for (int c = 0; c < channels; c++) {
        float balanced = powf(steps[c], BALANCE) * powf(widest, 1.0f - BALANCE);
        zeros[c] = (uint8_t)nearbyintf((float)zeros[c] * steps[c] / balanced);
        steps[c] = balanced;
    }
}

/* The steps of one channel of one value, or the number that has none. */
typedef struct {
    const ActivationSample *observed;
    int channel;
    float step, bad; /* bad 0: none is */
    uint8_t zero;
} Column;

typedef struct {
    Column *columns; /* of all values, one after another */
    int count, threads;
} Columns;

static void measure_column(Column *column) {
    const ActivationSample *observed = column->observed;
    float values[ROWS];
    for (int r = 0; r < observed->count; r++) {
        values[r] =
            observed->rows[(size_t)r * (size_t)observed->channels + (size_t)column->channel];
        if (fabsf(values[r]) <= NUMBERS_MOST) continue;
        column->bad = values[r];
        return;
    }
    quantize_range(values, observed->count, &column->step, &column->zero);
}

static void measure_columns(void *argument, int index) {
    const Columns *all = argument;
    for (int i = index; i < all->count; i += all->threads)
        measure_column(&all->columns[i]);
}

static Status columns_new(const ActivationSample *observed, int values, int threads, Column **out,
                          Error *err) {
    Columns all = {.threads = threads > 1 ? threads : 1};
    size_t count = 0;
    for (int i = 0; i < values; i++)
        count += (size_t)observed[i].channels;
    Status status = mem_new(count, sizeof *all.columns, &all.columns, err);
    if (status) return status;
    for (int i = 0; i < values; i++)
        for (int c = 0; c < observed[i].channels; c++)
            all.columns[all.count++] = (Column){.observed = &observed[i], .channel = c};
    status = thread_parallel(all.threads, measure_columns, &all, err);
    *out = all.columns;
    return status;
}

/* Steps and zeros by what was seen of a layer's input. */
static Status take_columns(LayerScales *layer, const Column *columns, Error *err) {
    for (int c = 0; c < layer->channels; c++) {
        if (columns[c].bad != 0)
            return fail(err, ERR_ARGUMENT, "int8: the input of \"%s\" has a number as %g",
                        layer->name, (double)columns[c].bad);
        layer->steps[c] = columns[c].step;
        layer->zeros[c] = columns[c].zero;
    }
    quantize_balance(layer->channels, layer->steps, layer->zeros);
    return OK;
}

/* The scales of one value, for every convolution that reads it; `*done`: layers that have theirs.
 */
static Status set_scales(const Trunk *trunk, Value value, const Column *columns, Scales *scales,
                         int *done, Error *err) {
    size_t channels = (size_t)columns->observed->channels;
    const LayerScales *first = NULL;
    for (Value v = value; v < program_op_count(trunk->program); v++) {
        const Op *op = program_op(trunk->program, v);
        if (!is_chosen(trunk, v) || op->inputs[0] != value) continue;
        LayerScales *layer = &scales->layers[*done];
        Status status = scales_set_layer(scales, (*done)++, op->name, (int)channels, err);
        if (!status && !first) status = take_columns(layer, columns, err);
        if (status) return status;
        if (first) {
            memcpy(layer->steps, first->steps, channels * sizeof *layer->steps);
            memcpy(layer->zeros, first->zeros, channels);
        }
        first = layer;
    }
    return OK;
}

static Status measure(const Net *net, const QuantizeCall *call, const Trunk *trunk, Scales *scales,
                      Error *err) {
    const ActivationSampleCall observe = {
        call->positions, call->position_count, call->human_profile, ROWS, call->seed, call->watch};
    ActivationSample *observed;
    Column *columns = NULL, *next;
    int done = 0;
    Status status = mem_new((size_t)trunk->value_count, sizeof *observed, &observed, err);
    if (!status)
        status = activation_sample_values(net, &observe, trunk->values, trunk->value_count,
                                          observed, err);
    if (!status) status = columns_new(observed, trunk->value_count, call->threads, &columns, err);
    next = columns;
    for (int i = 0; !status && i < trunk->value_count; i++) {
        status = set_scales(trunk, trunk->values[i], next, scales, &done, err);
        next += observed[i].channels;
    }
    for (int i = 0; !status && i < scales->count; i++)
        scales->layers[i].tiles = call->tiles;
    for (int i = 0; observed && i < trunk->value_count; i++)
        activation_sample_clear(&observed[i]);
    free(columns);
    free(observed);
    return status;
}

Status quantize_check(const Net *net, Error *err) {
    Trunk trunk;
    Status status = trunk_find(net_program(net), &trunk, err);
    trunk_clear(&trunk);
    return status;
}

Status quantize_net(Net *net, const QuantizeCall *call, int *layers, Error *err) {
    Trunk trunk;
    Scales *scales = NULL;
    *layers = 0;
    if (call->position_count < 1)
        return fail(err, ERR_ARGUMENT, "int8 wants positions to measure the net on");
    Status status = trunk_find(net_program(net), &trunk, err);
    if (!status) status = scales_new(trunk.layers, &scales, err);
    if (!status) status = measure(net, call, &trunk, scales, err);
    if (!status) status = scales_write(scales, net, err);
    if (!status) *layers = trunk.layers;
    scales_free(scales);
    trunk_clear(&trunk);
    return status;
}
