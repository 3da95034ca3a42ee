#include "eval/precision/lsq_net.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "eval/precision/activation_sample.h"
#include "eval/precision/int4_weights.h"
#include "nn/graph/packed_weights.h"
#include "nn/infer/infer_quantisation.h"
#include "nn/learn/latent_weights.h"

enum { ROWS = 1024, WEIGHT_LEVEL = 127 };

bool lsq_net_is(const Net *net) {
    const Program *program = net_program(net);
    for (Value v = 0; v < program_op_count(program); v++) {
        OpKind kind = program_op(program, v)->kind;
        if (kind == OP_FAKE_QUANTIZE || kind == OP_WEIGHT_STEP) return true;
    }
    return false;
}

int lsq_net_int4_group(const Net *net) {
    const Program *program = net_program(net);
    for (Value v = 0; v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        if (op->kind == OP_WEIGHT_STEP && op->group > 1) return op->group;
    }
    return 0;
}

/* A program that is copied op by op. */
typedef struct {
    const Program *from;
    Program *to;
    Value *copies; /* by op of `from`: its value in `to` */
} Copying;

static Value copied(const Copying *copying, Value value) {
    return value < 0 ? -1 : copying->copies[value];
}

/* Returns the copy of a layer itself, not the op weight_step that may follow it. */
static Value copied_layer(const Copying *copying, Value layer) {
    Value copy = copied(copying, layer);
    const Op *op = copy < 0 ? NULL : program_op(copying->to, copy);
    return op && op->kind == OP_WEIGHT_STEP ? op->inputs[0] : copy;
}

/* Adds a copy of an op. The inputs of the copy are the copies of the op's inputs. */
static Value copy_op(const Copying *copying, Value value) {
    Op op = *program_op(copying->from, value);
    char name[sizeof op.name];
    memcpy(name, op.name, sizeof name);
    for (int i = 0; i < 2; i++)
        op.inputs[i] = copied(copying, op.inputs[i]);
    if (op.weights_of) op.weights_of = copied_layer(copying, op.weights_of);
    return program_add_op(copying->to, name, op);
}

static Status copying_begin(const Net *net, Copying *out, Error *err) {
    *out = (Copying){.from = net_program(net)};
    Status status = program_new(&out->to, err);
    size_t ops = (size_t)program_op_count(out->from);
    return status ? status : mem_new(ops, sizeof *out->copies, &out->copies, err);
}

/* Copies the elements of all parameters that both nets have, found by their names. */
static void copy_values(const Net *from, Net *to) {
    const Program *theirs = net_program(from), *ours = net_program(to);
    for (int p = 0; p < program_parameter_count(ours); p++) {
        const ParameterSpec *spec = program_parameter(ours, p);
        for (int q = 0; q < program_parameter_count(theirs); q++) {
            if (strcmp(program_parameter(theirs, q)->name, spec->name) != 0) continue;
            memcpy(net_values(to, p), net_values_const(from, q), spec->count * sizeof(float));
        }
    }
}

/* Adds the outputs and the mask to the program. Makes the net, and copies the parameters of `from`
 * and some of its notes. The notes about precisions are left out, because they were measured with
 * other activations. */
static Status copying_end(Copying *copying, const Net *from, Net **out, Error *err) {
    static const char *const KEPT[] = {"architecture", "meaning", "name", "packed"};
    const Program *program = copying->from;
    Value input;
    int channel;
    program_mask_source(program, &input, &channel);
    if (input >= 0) program_set_mask(copying->to, copied(copying, input), channel);
    for (int i = 0; i < program_output_count(program); i++)
        program_output(copying->to, program_output_name(program, i),
                       copied(copying, program_output_value(program, i)));
    Status status = net_new(copying->to, NULL, out, err);
    copying->to = NULL; /* the net has taken it */
    if (status) return status;
    copy_values(from, *out);
    for (size_t i = 0; i < sizeof KEPT / sizeof *KEPT && !status; i++) {
        if (net_note(from, KEPT[i]))
            status = net_set_note(*out, KEPT[i], net_note(from, KEPT[i]), err);
    }
    if (status) {
        net_free(*out);
        *out = NULL;
    }
    return status;
}

static void copying_clear(Copying *copying) {
    program_free(copying->to);
    free(copying->copies);
}

/* The layers that are to run in int8 and the values that they read in 8 bits. */
typedef struct {
    bool *chosen;   /* by op */
    Value *reads;   /* each value once */
    int *at;        /* by op: its index in `reads` if a layer reads it in 8 bits, else -1 */
    Value *rounded; /* by index in `reads`: its op fake_quantize in the new program */
    ActivationSample *samples;
    float *steps;
    uint8_t *zero_points;
    int count;
} Readings;

static void readings_clear(Readings *readings) {
    for (int i = 0; readings->samples && i < readings->count; i++)
        activation_sample_clear(&readings->samples[i]);
    free(readings->chosen);
    free(readings->reads);
    free(readings->at);
    free(readings->rounded);
    free(readings->samples);
    free(readings->steps);
    free(readings->zero_points);
}

static Status readings_find(const Program *program, Readings *out, int *layers, Error *err) {
    size_t ops = (size_t)program_op_count(program);
    Status status = mem_new(ops, sizeof *out->chosen, &out->chosen, err);
    if (!status) status = mem_new(ops, sizeof *out->reads, &out->reads, err);
    if (!status) status = mem_new(ops, sizeof *out->at, &out->at, err);
    if (!status) status = mem_new(ops, sizeof *out->rounded, &out->rounded, err);
    if (!status) status = mem_new(ops, sizeof *out->samples, &out->samples, err);
    if (!status) status = mem_new(ops, sizeof *out->steps, &out->steps, err);
    if (!status) status = mem_new(ops, 1, &out->zero_points, err);
    if (!status) status = quantize_find(program, true, out->chosen, err);
    for (Value v = 0; !status && v < (Value)ops; v++)
        out->at[v] = -1;
    *layers = 0;
    for (Value v = 0; !status && v < (Value)ops; v++) {
        const Op *op = program_op(program, v);
        out->chosen[v] = out->chosen[v] && !op->weights_of;
        if (!out->chosen[v]) continue;
        ++*layers;
        if (out->at[op->inputs[0]] >= 0 || quantize_reads_15_bits(program, v)) continue;
        out->at[op->inputs[0]] = out->count;
        out->reads[out->count++] = op->inputs[0];
    }
    if (!status && !*layers)
        status = fail(err, ERR_UNSUPPORTED, "the net has no layers that can run in int8");
    return status;
}

/* Finds the step and the zero point of each value from all its activations together. */
static Status readings_measure(const Net *net, const QuantizeCall *call, Readings *readings,
                               Error *err) {
    const ActivationSampleCall sampling = {
        call->positions, call->position_count, call->human_profile, ROWS, call->seed, call->watch};
    Status status = activation_sample_values(net, &sampling, readings->reads, readings->count,
                                             readings->samples, err);
    for (int i = 0; i < readings->count && !status; i++) {
        const ActivationSample *sample = &readings->samples[i];
        size_t count = (size_t)sample->count * (size_t)sample->channels;
        for (size_t k = 0; k < count && !status; k++) {
            if (!(fabsf(sample->rows[k]) <= 1e20f))
                status = fail(err, ERR_ARGUMENT, "int8: an activation of %g is too large",
                              (double)sample->rows[k]);
        }
        if (!status)
            quantize_range(sample->rows, (int)count, &readings->steps[i],
                           &readings->zero_points[i]);
    }
    return status;
}

/* Returns the rounded form of what a layer reads. If no earlier layer reads the same value, the op
 * fake_quantize is added. */
static Value add_rounding(const Copying *copying, const Readings *readings, const Op *layer) {
    int at = readings->at[layer->inputs[0]];
    char name[sizeof layer->name + 8];
    if (readings->rounded[at]) return readings->rounded[at];
    snprintf(name, sizeof name, "%s.in", layer->name);
    readings->rounded[at] = program_add_op(copying->to, name,
                                           (Op){.kind = OP_FAKE_QUANTIZE,
                                                .inputs = {copied(copying, layer->inputs[0])},
                                                .zero_point = readings->zero_points[at]});
    return readings->rounded[at];
}

/* Adds a copy of a layer, and behind it the op weight_step, which holds the steps of its weights.
 * The copy reads rounded activations, unless the layer reads 15 bits. */
static Value add_layer(const Copying *copying, const Readings *readings, Value value) {
    Op op = *program_op(copying->from, value);
    char name[sizeof op.name + 8];
    Value x = quantize_reads_15_bits(copying->from, value) ? copied(copying, op.inputs[0])
                                                           : add_rounding(copying, readings, &op);
    snprintf(name, sizeof name, "%s", op.name);
    op.inputs[0] = x;
    Value layer = program_add_op(copying->to, name, op);
    snprintf(name, sizeof name, "%s.steps", op.name);
    return program_add_op(copying->to, name, (Op){.kind = OP_WEIGHT_STEP, .inputs = {layer}});
}

/* Sets the initial steps of weights. Before training, all weights of an output may be 0. Such an
 * output gets a step that suits weights of the usual initial size. */
static void set_weight_steps(Net *net, const Op *steps) {
    const Op *layer = program_op(net_program(net), steps->inputs[0]);
    size_t count = program_parameter(net_program(net), layer->parameters[0])->count,
           outputs = (size_t)layer->channels, each = count / outputs;
    const float *weights = net_values_const(net, layer->parameters[0]);
    for (size_t o = 0; o < outputs; o++) {
        float max = 0;
        for (size_t k = 0; k < each; k++)
            max = fmaxf(max, fabsf(weights[o * each + k]));
        if (!(max > 1e-9f)) max = 1 / sqrtf((float)each);
        net_values(net, steps->parameters[0])[o] = logf(max / WEIGHT_LEVEL);
    }
}

static void set_steps(Net *net, const Readings *readings) {
    const Program *program = net_program(net);
    for (int i = 0; i < readings->count; i++)
        net_values(net, program_op(program, readings->rounded[i])->parameters[0])[0] =
            logf(readings->steps[i]);
    for (Value v = 0; v < program_op_count(program); v++) {
        if (program_op(program, v)->kind == OP_WEIGHT_STEP)
            set_weight_steps(net, program_op(program, v));
    }
}

Status lsq_net_begin(const Net *net, const QuantizeCall *call, Net **out, int *layers, Error *err) {
    Copying copying = {0};
    Readings readings = {0};
    *out = NULL;
    *layers = 0;
    if (lsq_net_is(net))
        return fail(err, ERR_ARGUMENT, "the net learns with rounded weights already");
    if (call->position_count < 1)
        return fail(err, ERR_ARGUMENT, "int8 needs positions to calibrate the net on");
    Status status = readings_find(net_program(net), &readings, layers, err);
    if (!status) status = readings_measure(net, call, &readings, err);
    if (!status) status = copying_begin(net, &copying, err);
    for (Value v = 0; !status && v < program_op_count(copying.from); v++)
        copying.copies[v] =
            readings.chosen[v] ? add_layer(&copying, &readings, v) : copy_op(&copying, v);
    if (!status) status = copying_end(&copying, net, out, err);
    if (!status) set_steps(*out, &readings);
    copying_clear(&copying);
    readings_clear(&readings);
    return status;
}

/* Returns the op weight_step behind a layer, or NULL if there is none. */
static const Op *steps_of(const Program *program, Value v) {
    for (Value reader = v + 1; reader < program_op_count(program); reader++) {
        const Op *op = program_op(program, reader);
        if (op->kind == OP_WEIGHT_STEP && op->inputs[0] == v) return op;
    }
    return NULL;
}

static bool reads_rounded(const Program *program, Value v) {
    return program_op(program, program_op(program, v)->inputs[0])->kind == OP_FAKE_QUANTIZE;
}

/* Whether the op is a layer that has learned with rounding and can run in int8. It reads rounded
 * activations, or it is a dense layer with steps of weights that reads 15 bits. */
static bool has_learned(const Program *program, Value v) {
    const Op *op = program_op(program, v);
    if (op->kind != OP_CONV && op->kind != OP_DENSE) return false;
    int in = program_op(program, op->inputs[0])->channels;
    return quantisation_can(op, in) &&
           (reads_rounded(program, v) ||
            (op->kind == OP_DENSE && quantisation_can_be_fine(in) && steps_of(program, v)));
}

/* Lets a dense layer read 15 bits, with the weights as they were rounded by their learned steps. If
 * the note of the net has no room for them (`with_weights` is false), they are rounded again when
 * the net is loaded. */
static Status set_fine(const Net *from, Value v, bool with_weights, LayerQuantisation *layer,
                       Error *err) {
    const Op *op = program_op(net_program(from), v), *steps = steps_of(net_program(from), v);
    size_t in = (size_t)layer->channels;
    const float *weights = net_values_const(from, op->parameters[0]);
    layer->by_rows = layer->fine = true;
    if (!with_weights) return OK;
    Status status = quantisation_set_weights(layer, op->channels, err);
    for (size_t o = 0; o < (size_t)op->channels && !status; o++) {
        float step = expf(net_values_const(from, steps->parameters[0])[o]);
        layer->weight_scales[o] = step;
        for (size_t i = o * in; i < (o + 1) * in; i++) {
            float level = nearbyintf(weights[i] / step);
            layer->weights[i] = (int8_t)fmaxf(-WEIGHT_LEVEL, fminf(WEIGHT_LEVEL, level));
        }
    }
    return status;
}

/* Sets the learned step of the activations that a layer reads. It is the same for all channels. */
static void set_static(const Net *from, const Op *rounding, bool winograd,
                       LayerQuantisation *layer) {
    layer->winograd = winograd;
    for (int c = 0; c < layer->channels; c++) {
        layer->scales[c] = expf(net_values_const(from, rounding->parameters[0])[0]);
        layer->zero_points[c] = (uint8_t)rounding->zero_point;
    }
}

/* Returns how many weights the layers have that read 15 bits. */
static size_t count_fine_weights(const Net *net) {
    const Program *program = net_program(net);
    size_t count = 0;
    for (Value v = 0; v < program_op_count(program); v++) {
        if (has_learned(program, v) && !reads_rounded(program, v))
            count += program_parameter(program, program_op(program, v)->parameters[0])->count;
    }
    return count;
}

static Status write_quantisation(const Net *from, bool winograd, int count, Net *to, Error *err) {
    const Program *program = net_program(from);
    Quantisation *quantisation;
    int done = 0;
    bool with_weights = count_fine_weights(from) <= QUANTISATION_WEIGHTS_MAX;
    Status status = quantisation_new(count, &quantisation, err);
    for (Value v = 0; !status && v < program_op_count(program); v++) {
        if (!has_learned(program, v)) continue;
        const Op *op = program_op(program, v), *input = program_op(program, op->inputs[0]);
        LayerQuantisation *layer = &quantisation->layers[done];
        status = quantisation_set_layer(quantisation, done++, op->name, input->channels, err);
        if (!status && reads_rounded(program, v))
            set_static(from, input, winograd, layer);
        else if (!status)
            status = set_fine(from, v, with_weights, layer, err);
    }
    if (!status) status = quantisation_write(quantisation, to, err);
    quantisation_free(quantisation);
    return status;
}

/* Copies the net without the ops that learning with rounding has added. */
static Status copy_without_steps(const Net *net, Net **out, Error *err) {
    const Program *program = net_program(net);
    Copying copying = {0};
    Status status = copying_begin(net, &copying, err);
    for (Value v = 0; !status && v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        bool left_out = op->kind == OP_FAKE_QUANTIZE || op->kind == OP_WEIGHT_STEP;
        copying.copies[v] = left_out ? copied(&copying, op->inputs[0]) : copy_op(&copying, v);
    }
    if (!status) status = copying_end(&copying, net, out, err);
    copying_clear(&copying);
    return status;
}

Status lsq_net_end(const Net *net, bool winograd, Net **out, int *layers, Error *err) {
    const Program *program = net_program(net);
    *out = NULL;
    *layers = 0;
    for (Value v = 0; v < program_op_count(program); v++)
        *layers += has_learned(program, v);
    if (!*layers) return fail(err, ERR_UNSUPPORTED, "the net has no layers that learned with int8");
    Status status = copy_without_steps(net, out, err);
    if (!status) status = write_quantisation(net, winograd, *layers, *out, err);
    if (status) {
        net_free(*out);
        *out = NULL;
    }
    return status;
}

/* Adds a copy of a layer, and behind it the op weight_step with a step for each group. */
static Value add_int4_layer(const Copying *copying, const Net *net, int group, Value value) {
    const Op *op = program_op(copying->from, value);
    const ParameterSpec *spec = program_parameter(net_program(net), op->parameters[0]);
    int inputs = spec->dims[spec->rank - 1], rows = (int)(spec->count / (size_t)inputs);
    char name[sizeof op->name + 8];
    Value layer = copy_op(copying, value);
    snprintf(name, sizeof name, "%s.steps", op->name);
    return program_add_op(copying->to, name,
                          (Op){.kind = OP_WEIGHT_STEP,
                               .inputs = {layer},
                               .group = group,
                               .steps = rows / op->channels * ((inputs + group - 1) / group)});
}

/* Sets the initial steps of the groups of a layer. */
static Status set_int4_steps(Net *net, const Op *steps, Error *err) {
    const Op *layer = program_op(net_program(net), steps->inputs[0]);
    const ParameterSpec *spec = program_parameter(net_program(net), layer->parameters[0]);
    const float *weights = net_values_const(net, layer->parameters[0]);
    float *out = net_values(net, steps->parameters[0]);
    size_t inputs = (size_t)spec->dims[spec->rank - 1], group = (size_t)steps->group,
           each = spec->count / (size_t)layer->channels;
    for (size_t i = 0; i < spec->count; i++) {
        if (!(fabsf(weights[i]) <= INT4_WEIGHT_MAX))
            return fail(err, ERR_ARGUMENT, "int4: \"%s\" has a weight of %g", spec->name,
                        (double)weights[i]);
    }
    for (size_t row = 0; row < spec->count; row += inputs) {
        for (size_t at = 0; at < inputs; at += group) {
            size_t count = inputs - at < group ? inputs - at : group;
            float scale = int4_scale(count, weights + row + at);
            *out++ = logf(scale > 0 ? scale : 1 / sqrtf((float)each) / PACKED_INT4_MAX);
        }
    }
    return OK;
}

Status lsq_net_begin_int4(const Net *net, int group, Net **out, int *layers, Error *err) {
    Copying copying = {0};
    bool *chosen = NULL;
    *out = NULL;
    *layers = 0;
    if (lsq_net_is(net))
        return fail(err, ERR_ARGUMENT, "the net learns with rounded weights already");
    if (group != 32 && group != 64)
        return fail(err, ERR_ARGUMENT, "groups of %d weights in int4; 32 or 64 are wanted", group);
    Status status =
        mem_new((size_t)program_op_count(net_program(net)), sizeof *chosen, &chosen, err);
    if (!status) status = quantize_find(net_program(net), false, chosen, err);
    if (!status) status = copying_begin(net, &copying, err);
    for (Value v = 0; !status && v < program_op_count(copying.from); v++) {
        chosen[v] = chosen[v] && !program_op(copying.from, v)->weights_of;
        *layers += chosen[v];
        copying.copies[v] =
            chosen[v] ? add_int4_layer(&copying, net, group, v) : copy_op(&copying, v);
    }
    if (!status && !*layers)
        status = fail(err, ERR_UNSUPPORTED, "the trunk of the net has no layers for int4");
    if (!status) status = copying_end(&copying, net, out, err);
    for (Value v = 0; !status && v < program_op_count(net_program(*out)); v++) {
        if (program_op(net_program(*out), v)->kind == OP_WEIGHT_STEP)
            status = set_int4_steps(*out, program_op(net_program(*out), v), err);
    }
    if (status) {
        net_free(*out);
        *out = NULL;
    }
    copying_clear(&copying);
    free(chosen);
    return status;
}

/* Rounds the weights of a net by their learned steps. The weights of a net that has been trained
 * are rounded already. */
static Status round_by_steps(Net *net, Error *err) {
    const SparsitySettings off = {.method = SPARSITY_OFF};
    LatentWeights *latent = NULL;
    Status status = latent_weights_new(net, &off, &latent, err);
    if (!status) status = latent_weights_restrict(latent, net, err);
    latent_weights_free(latent);
    return status;
}

/* Adds the layers with steps of int4 to the forms in which weights are packed. */
static Status add_forms(const Net *net, PackedForms *forms, int *layers, Error *err) {
    const Program *program = net_program(net);
    Status status = OK;
    for (Value v = 0; !status && v < program_op_count(program); v++) {
        const Op *op = program_op(program, v);
        if (op->kind != OP_WEIGHT_STEP || op->group == 1) continue;
        int weights = program_op(program, op->inputs[0])->parameters[0];
        status = packed_forms_set(forms, program_parameter(program, weights)->name,
                                  (PackedForm){PACKED_FORM_INT4, op->group}, err);
        ++*layers;
    }
    return status;
}

Status lsq_net_end_int4(const Net *net, Net **out, int *layers, Error *err) {
    PackedForms *forms = NULL;
    Net *rounded = NULL;
    *out = NULL;
    *layers = 0;
    if (!lsq_net_int4_group(net))
        return fail(err, ERR_UNSUPPORTED, "the net has no layers that learned with int4");
    Status status = net_copy(net, &rounded, err);
    if (!status) status = round_by_steps(rounded, err);
    if (!status) status = copy_without_steps(rounded, out, err);
    if (!status) status = packed_forms_new(net_note(net, PACKED_NOTE), &forms, err);
    if (!status) status = add_forms(rounded, forms, layers, err);
    if (!status) status = net_set_packed_forms(*out, forms, err);
    if (status) {
        net_free(*out);
        *out = NULL;
    }
    packed_forms_free(forms);
    net_free(rounded);
    return status;
}
