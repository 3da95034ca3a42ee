#include "eval/precision/quantize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/thread.h"
#include "eval/precision/activation_sample.h"
#include "eval/precision/bias_correction.h"
#include "eval/precision/precision_report.h"
#include "eval/precision/weight_rounding.h"
#include "nn/infer/infer_quantisation.h"

enum { ROWS = 2048, DENSE_ROWS = 8192, CUTS = 24 };
static const float BALANCE = 0.35f;
static const float ACTIVATION_MAX = 1e20f; /* larger activations would have scales that cannot be
                                            * read back */

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

/* The layers that run in int8. */
typedef struct {
    const Program *program;
    bool *needed;        /* by value: whether a later sum of two spatial values (OP_ADD), such as
                          * the sum at the end of a block, depends on it */
    Value *values;       /* the values that the convolutions read, each of them once */
    Value *dense_values; /* the same for dense layers */
    int value_count, dense_value_count;
    int layers;     /* convolutions and dense layers */
    bool attention; /* whether such a sum depends on an attention op */
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

/* Returns whether a value is an input of the net, or consists of channels of inputs. For a
 * concatenation the function looks only at the first part. */
static bool is_input(const Program *program, Value v) {
    const Op *op = program_op(program, v);
    while (op->kind == OP_SLICE || op->kind == OP_CONCAT || op->kind == OP_MASK)
        op = program_op(program, op->inputs[0]);
    return op->kind == OP_INPUT;
}

static bool is_dense(const Op *op) {
    return op->kind == OP_DENSE && op->shape == KIND_SPATIAL;
}

static bool is_chosen(const Trunk *trunk, Value v) {
    const Program *program = trunk->program;
    const Op *op = program_op(program, v);
    bool product = op->kind == OP_CONV || is_dense(op);
    return product && trunk->needed[v] && !is_input(program, op->inputs[0]) &&
           quantisation_can(op, program_op(program, op->inputs[0])->channels);
}

static bool is_attention(OpKind kind) {
    return kind == OP_ATTENTION || kind == OP_ATTENTION_MAPS || kind == OP_ATTENTION_TABLES;
}

/* Whether the result of a dense layer has queries, keys or values of attention. They may be
 * rotated, have a bias, and be put together by concatenations. */
static bool feeds_attention(const Program *program, Value v) {
    bool feeds = false;
    for (Value r = v, reader = v + 1; reader < program_op_count(program) && !feeds; reader++) {
        const Op *op = program_op(program, reader);
        bool joined = op->kind == OP_CONCAT && op->inputs[1] == r;
        if (op->inputs[0] != r && !joined) continue;
        feeds = is_attention(op->kind);
        if (op->kind == OP_ROTARY || op->kind == OP_BIAS || op->kind == OP_CONCAT) r = reader;
    }
    return feeds;
}

/* Whether the activations that a dense layer reads always get 15 bits. There are two cases; in
 * both, quantisation_can_be_fine() must allow the number of channels. In the first case, attention
 * reads the result of the layer. Attention takes exponentials of the products of queries and keys,
 * so small errors become large. In the second case, the activations are a product of two values
 * (SwiGLU). Such products have a few large activations, which would make a scale of 8 bits too
 * coarse for the others. */
static bool is_fine(const Program *program, Value v) {
    const Op *input = program_op(program, program_op(program, v)->inputs[0]);
    bool fine = input->kind == OP_MULTIPLY || feeds_attention(program, v);
    return fine && quantisation_can_be_fine(input->channels);
}

static void trunk_clear(Trunk *trunk) {
    free(trunk->needed);
    free(trunk->values);
    free(trunk->dense_values);
}

static void add_value(Value *values, int *count, Value value) {
    for (int i = 0; i < *count; i++) {
        if (values[i] == value) return;
    }
    values[(*count)++] = value;
}

static Status trunk_find(const Program *program, Trunk *out, Error *err) {
    size_t ops = (size_t)program_op_count(program);
    *out = (Trunk){.program = program};
    Status status = mem_new(ops, sizeof *out->needed, &out->needed, err);
    if (!status) status = mem_new(ops, sizeof *out->values, &out->values, err);
    if (!status) status = mem_new(ops, sizeof *out->dense_values, &out->dense_values, err);
    if (status) return status;
    find_needed(out);
    for (Value v = 0; v < program_op_count(program); v++) {
        if (out->needed[v] && program_op(program, v)->kind == OP_ATTENTION) out->attention = true;
        if (!is_chosen(out, v)) continue;
        out->layers++;
        if (is_dense(program_op(program, v)))
            add_value(out->dense_values, &out->dense_value_count,
                      program_op(program, v)->inputs[0]);
        else
            add_value(out->values, &out->value_count, program_op(program, v)->inputs[0]);
    }
    return out->layers ? OK
                       : fail(err, ERR_UNSUPPORTED,
                              "the trunk of the net has no layers that can run in int8");
}

/* If each channel has its own scale, a channel with large activations makes the quantised weights
 * of all other channels coarse. With one common scale, channels with small activations are rounded
 * too coarsely. Therefore this function replaces the scale `own` of each channel by
 *     own^BALANCE * largest^(1 - BALANCE),
 * where `largest` is the largest scale of all channels. The function also adapts the zero points to
 * the new scales. The idea is from Xiao et al. 2023, "SmoothQuant", section 4; the exponent was
 * found by measuring. */
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
                        "int8: the input of \"%s\" has an activation of %g, which is too large or "
                        "not finite",
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
        if (!is_chosen(trunk, v) || is_dense(op) || op->inputs[0] != value) continue;
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

/* Rounds the weights of a dense layer to fit the samples of its input. */
static Status round_weights(const Net *net, const Op *op, const WeightRounding *rounding,
                            LayerQuantisation *layer, Error *err) {
    size_t in = (size_t)layer->channels;
    const float *weights = net_values_const(net, op->parameters[0]);
    Status status = quantisation_set_weights(layer, op->channels, err);
    for (size_t o = 0; o < (size_t)op->channels && !status; o++) {
        layer->weight_scales[o] = quantisation_weight_scale(layer, weights + o * in);
        weight_rounding_round(rounding, weights + o * in, layer->weight_scales[o],
                              layer->weights + o * in);
    }
    return status;
}

/* Sets up all dense layers that read `value`. `sample` is NULL if their weights are to be rounded
 * to the nearest integers. */
static Status set_dense(const Net *net, const Trunk *trunk, Value value,
                        const ActivationSample *sample, Quantisation *quantisation, int *done,
                        Error *err) {
    WeightRounding *rounding = NULL;
    Status status = sample ? weight_rounding_new(sample, &rounding, err) : OK;
    for (Value v = value; v < program_op_count(trunk->program) && !status; v++) {
        const Op *op = program_op(trunk->program, v);
        if (!is_chosen(trunk, v) || !is_dense(op) || op->inputs[0] != value) continue;
        LayerQuantisation *layer = &quantisation->layers[*done];
        status = quantisation_set_layer(quantisation, (*done)++, op->name,
                                        program_op(trunk->program, value)->channels, err);
        layer->by_rows = true;
        layer->fine = is_fine(trunk->program, v);
        if (!status && rounding) status = round_weights(net, op, rounding, layer, err);
    }
    weight_rounding_free(rounding);
    return status;
}

/* Whether weight_rounding.h can round the weights of the dense layers. The net's note must have
 * room for the weights of all these layers, and each layer must have so few inputs that the
 * rounding does not take too long. Otherwise all weights are rounded to the nearest integers. */
static bool can_round(const Trunk *trunk) {
    size_t weights = 0;
    bool can = true;
    for (Value v = 0; v < program_op_count(trunk->program); v++) {
        const Op *op = program_op(trunk->program, v);
        if (!is_chosen(trunk, v) || !is_dense(op)) continue;
        int in = program_op(trunk->program, op->inputs[0])->channels;
        weights += (size_t)op->channels * (size_t)in;
        can = can && in <= WEIGHT_ROUNDING_CHANNELS_MAX;
    }
    return can && weights <= QUANTISATION_WEIGHTS_MAX;
}

static Status measure_dense(const Net *net, const QuantizeCall *call, const Trunk *trunk,
                            Quantisation *quantisation, int *done, Error *err) {
    const Value *values = trunk->dense_values;
    int count = trunk->dense_value_count;
    const ActivationSampleCall sampling = {call->positions,     call->position_count,
                                           call->human_profile, DENSE_ROWS,
                                           call->seed,          call->watch};
    ActivationSample *samples = NULL;
    bool round = count && can_round(trunk);
    Status status = OK;
    if (round) status = mem_new((size_t)count, sizeof *samples, &samples, err);
    if (!status && round)
        status = activation_sample_values(net, &sampling, values, count, samples, err);
    for (int i = 0; i < count && !status; i++)
        status =
            set_dense(net, trunk, values[i], round ? &samples[i] : NULL, quantisation, done, err);
    for (int i = 0; samples && i < count; i++)
        activation_sample_clear(&samples[i]);
    free(samples);
    return status;
}

static Status measure(const Net *net, const QuantizeCall *call, const Trunk *trunk,
                      Quantisation *quantisation, Error *err) {
    const ActivationSampleCall sampling = {
        call->positions, call->position_count, call->human_profile, ROWS, call->seed, call->watch};
    ActivationSample *samples;
    Column *columns = NULL, *next;
    int done = 0;
    Status status = mem_new((size_t)trunk->value_count + 1, sizeof *samples, &samples, err);
    if (!status) status = measure_dense(net, call, trunk, quantisation, &done, err);
    if (!status)
        status = activation_sample_values(net, &sampling, trunk->values, trunk->value_count,
                                          samples, err);
    if (!status) status = columns_new(samples, trunk->value_count, call->threads, &columns, err);
    next = columns;
    for (int i = 0; !status && i < trunk->value_count; i++) {
        status = set_quantisation(trunk, trunk->values[i], next, quantisation, &done, err);
        next += samples[i].channels;
    }
    for (int i = 0; !status && i < done; i++)
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

bool quantize_reads_15_bits(const Program *program, Value v) {
    return is_dense(program_op(program, v)) && is_fine(program, v);
}

/* How exact the dense layers over cells are. At each level, more of them have 15 bits than at the
 * level before, and the net is slower. */
typedef enum {
    LEVEL_PLAIN,             /* weights have 8 bits; activations are as is_fine() says */
    LEVEL_ATTENTION_WEIGHTS, /* the layers that attention reads have weights of 15 bits */
    LEVEL_WEIGHTS,           /* all layers have weights of 15 bits */
    LEVEL_ALL,               /* all activations have 15 bits, too */
    LEVEL_COUNT
} Level;

static void set_level(const Trunk *trunk, Level level, Quantisation *quantisation) {
    for (Value v = 0; v < program_op_count(trunk->program); v++) {
        const Op *op = program_op(trunk->program, v);
        if (!is_chosen(trunk, v) || !is_dense(op)) continue;
        for (int i = 0; i < quantisation->count; i++) {
            LayerQuantisation *layer = &quantisation->layers[i];
            if (!layer->by_rows || strcmp(layer->name, op->name) != 0) continue;
            layer->fine_weights = level >= LEVEL_WEIGHTS || (level == LEVEL_ATTENTION_WEIGHTS &&
                                                             feeds_attention(trunk->program, v));
            layer->fine = level == LEVEL_ALL ? quantisation_can_be_fine(layer->channels)
                                             : is_fine(trunk->program, v);
        }
    }
}

/* Compares int8 with f32 on the positions of the call. */
static Status compare(const Net *net, const QuantizeCall *call, Comparison *out, Error *err) {
    const PrecisionCall all = {call->positions, call->position_count, call->human_profile, NULL};
    return precision_compare(net, PRECISION_INT8, &all, out, err);
}

/* Whether int8 is so close to f32 on the positions of the call that a more exact level is not
 * needed. On other positions the net is to have the same best move in 99% of the clear positions,
 * and a mean error of the win rate of 0.005. Here the limit of the error is a little stricter. One
 * other best move is always allowed, because there may be fewer than 100 clear positions. */
static bool is_close(const Comparison *report) {
    static const double OTHER = 0.01, WIN = 0.0045;
    double others = (double)(report->clear - report->clear_same_top);
    return others <= fmax(1, OTHER * (double)report->clear) &&
           differences_mean(&report->winrate) <= WIN;
}

/* Takes the corrections back unless they make the mean error of the win rate at least a tenth
 * smaller. `corrected` is what compare() gives with the corrections. Sets the net's note. */
static Status judge_corrections(Net *net, const QuantizeCall *call, const Comparison *corrected,
                                Quantisation *quantisation, Error *err) {
    static const double SMALLER = 0.9;
    Quantisation *kept = NULL;
    Comparison plain;
    Status status = quantisation_read(net, &kept, err);
    bias_correction_clear(quantisation);
    if (!status) status = quantisation_write(quantisation, net, err);
    if (!status) status = compare(net, call, &plain, err);
    if (!status &&
        differences_mean(&corrected->winrate) <= SMALLER * differences_mean(&plain.winrate))
        status = quantisation_write(kept, net, err);
    quantisation_free(kept);
    return status;
}

/* Takes the fastest level that is_close(), sets the corrections of the biases, and writes all to
 * the net. Nets without dense layers over cells have only one level. */
static Status choose_level(Net *net, const QuantizeCall *call, const Trunk *trunk,
                           Quantisation *quantisation, Error *err) {
    const ActivationSampleCall sampling = {
        call->positions, call->position_count, call->human_profile, 0, call->seed, call->watch};
    Comparison report = {0};
    bool close = false;
    Status status = OK;
    for (Level level = 0; level < LEVEL_COUNT && !close && !status; level++) {
        set_level(trunk, level, quantisation);
        status = quantisation_write(quantisation, net, err);
        if (!status) status = bias_correction_measure(net, &sampling, quantisation, err);
        if (!status) status = quantisation_write(quantisation, net, err);
        if (!status) status = compare(net, call, &report, err);
        close = !status && (is_close(&report) || !trunk->dense_value_count);
    }
    return status ? status : judge_corrections(net, call, &report, quantisation, err);
}

Status quantize_net(Net *net, const QuantizeCall *call, int *layers, Error *err) {
    Trunk trunk;
    Quantisation *quantisation = NULL;
    Net *changed = NULL;
    *layers = 0;
    if (call->position_count < 1)
        return fail(err, ERR_ARGUMENT, "int8 needs positions to calibrate the net on");
    const Program *program = net_program(net);
    int corrections = bias_correction_count(program);
    Status status = trunk_find(program, &trunk, err);
    bool attention = call->attention && trunk.attention;
    if (!status)
        status = quantisation_new(trunk.layers + attention + corrections, &quantisation, err);
    if (!status && attention) {
        LayerQuantisation *last = &quantisation->layers[trunk.layers];
        status = quantisation_set_layer(quantisation, trunk.layers, QUANTISATION_ATTENTION, 1, err);
        last->by_rows = true;
    }
    if (!status)
        status =
            bias_correction_begin(program, quantisation->layers + trunk.layers + attention, err);
    if (!status) status = measure(net, call, &trunk, quantisation, err);
    /* On failure the net must be unchanged. */
    if (!status) status = net_copy(net, &changed, err);
    if (!status) status = choose_level(changed, call, &trunk, quantisation, err);
    if (!status)
        status = net_set_note(net, QUANTISATION_NOTE, net_note(changed, QUANTISATION_NOTE), err);
    if (!status) *layers = trunk.layers;
    net_free(changed);
    quantisation_free(quantisation);
    trunk_clear(&trunk);
    return status;
}
